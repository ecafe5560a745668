"""Reading and writing ARFF, the format of the data files.

Kept here, and not taken from a library, because a user's bad file must be
answered with a line number, and because ``scipy.io.arff`` breaks on quoted
categories.
"""

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from acoibl.datasets.columns import Column, column_to_series, parse_number
from acoibl.datasets.errors import DataFileError

_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s'"{][^\s{]*)\s*(?P<kind>.*)""",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"""\s*(?:'(?P<single>(?:\\.|[^'\\])*)'|"(?P<double>(?:\\.|[^"\\])*)"|(?P<bare>[^,]*?))\s*(?:,|$)"""
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def parse_arff(lines: list[str], path: str | Path) -> tuple[pd.DataFrame, list[int]]:
    r"""Table of an ARFF text.

    Parameters
    ----------
    lines : list of str
        The text, split into lines without their ends.
    path : str or pathlib.Path
        Name of the file for the error messages.

    Returns
    -------
    table : pandas.DataFrame of shape (n_rows, n_attributes)
        ``float64`` for numeric attributes; ``category`` with the declared values,
        in the declared order, for nominal ones. Missing (an unquoted ``?``) is NaN.
    row_lines : list of int
        Line of each row, from 1.

    Raises
    ------
    DataFileError
        With the line number and what is wrong.

    Examples
    --------
    >>> lines = ["@relation r", "@attribute a numeric", "@attribute 'b c' {x,'y z'}",
    ...          "@data", "1,'y z'", "?,x"]
    >>> table, row_lines = parse_arff(lines, "tiny.arff")
    >>> table
         a  b c
    0  1.0  y z
    1  NaN    x
    >>> row_lines
    [5, 6]
    """
    columns, first_row = _parse_header(lines, path)
    _fill_columns(columns, lines, first_row, path)
    series = [column_to_series(column) for column in columns]
    return pd.DataFrame({one.name: one for one in series}), columns[0].lines


def format_arff(table: pd.DataFrame, relation: str, comments: Iterable[str] = ()) -> str:
    r"""ARFF text of a table, which ``parse_arff`` reads back unchanged.

    Parameters
    ----------
    table : pandas.DataFrame
        Numeric and ``category`` columns with text categories.
    relation : str
        Name of the table.
    comments : iterable of str, default=()
        Lines for the top of the file.

    Returns
    -------
    str
        The text. Integral numbers are written without a decimal point.

    Examples
    --------
    >>> table = pd.DataFrame({"a": [1.0, np.nan], "b": pd.Categorical(["x", "y z"])})
    >>> print(format_arff(table, "tiny"), end="")
    @relation tiny
    @attribute a numeric
    @attribute b {x,'y z'}
    @data
    1,x
    ?,'y z'
    """
    out = [f"% {line}".rstrip() for line in comments]
    out.append(f"@relation {_quote(relation)}")
    cells = []
    for name in table.columns:
        column = table[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            values = [_quote(str(value)) for value in column.cat.categories]
            out.append(f"@attribute {_quote(str(name))} {{{','.join(values)}}}")
            cells.append(["?" if code < 0 else values[code] for code in column.cat.codes])
        else:
            out.append(f"@attribute {_quote(str(name))} numeric")
            cells.append([_format_number(value) for value in column.to_numpy(dtype=float)])
    out.append("@data")
    out.extend(",".join(row) for row in zip(*cells, strict=True))
    return "\n".join(out) + "\n"


def _parse_header(lines: list[str], path: str | Path) -> tuple[list[Column], int]:
    columns: list[Column] = []
    declared: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        keyword = text.split(None, 1)[0].lower()
        if keyword == "@relation":
            continue
        if keyword == "@data":
            if not columns:
                raise DataFileError(path, "@data comes before any @attribute", number)
            return columns, number
        if keyword != "@attribute":
            raise DataFileError(
                path,
                f"expected @relation, @attribute or @data, found {text[:40]!r}",
                number,
            )
        column = _parse_attribute(text, path, number)
        if column.name in declared:
            raise DataFileError(
                path,
                f"the column name {column.name!r} stands twice (first on line "
                f"{declared[column.name]})",
                number,
            )
        declared[column.name] = number
        columns.append(column)
    raise DataFileError(path, "no @data line: the header is all there is", len(lines))


def _parse_attribute(text: str, path: str | Path, number: int) -> Column:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None:
        raise DataFileError(path, f"cannot read this @attribute: {text[:60]!r}", number)
    name = match["name"]
    if name[0] in "'\"":
        name = _unescape(name[1:-1])
    if not name.strip():
        raise DataFileError(path, "a column without a name", number)
    kind = match["kind"].strip()
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise DataFileError(path, f"the value list of {name!r} has no closing brace", number)
        values = [value for value, _ in _tokens(kind[1:-1], path, number)]
        repeated = {value for value in values if values.count(value) > 1}
        if repeated:
            raise DataFileError(path, f"column {name!r} declares {min(repeated)!r} twice", number)
        return Column(name, "category", declared=values)
    word = kind.lower().split(None, 1)[0] if kind else ""
    if word in ("numeric", "real", "integer"):
        return Column(name, "numeric")
    if word == "string":
        return Column(name, "category")
    raise DataFileError(
        path,
        f"column {name!r} has the type {kind[:30]!r}; numeric, real, integer, string and "
        "{value,value,...} are read",
        number,
    )


def _fill_columns(columns: list[Column], lines: list[str], first: int, path: str | Path) -> None:
    width = len(columns)
    known = [None if c.declared is None else set(c.declared) for c in columns]
    filled = False
    for number, line in enumerate(lines[first:], start=first + 1):
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if text.startswith("{"):
            raise DataFileError(
                path, "sparse rows ({index value, ...}) are not read; write all values", number
            )
        row = _tokens(text, path, number)
        if len(row) != width:
            raise DataFileError(
                path,
                f"{len(row)} values where the header declares {width} columns"
                + (" (is the file cut off?)" if number == len(lines) else ""),
                number,
            )
        for column, values, (cell, quoted) in zip(columns, known, row, strict=True):
            if cell == "?" and not quoted:
                column.cells.append(None)
            elif column.kind == "numeric":
                column.cells.append(parse_number(cell, column.name, path, number))
            elif values is not None and cell not in values:
                raise DataFileError(
                    path,
                    f"column {column.name!r}: {cell!r} is not among its declared values",
                    number,
                )
            elif cell == "" and not quoted:
                raise DataFileError(path, f"column {column.name!r}: an empty value", number)
            else:
                column.cells.append(cell)
            column.lines.append(number)
        filled = True
    if not filled:
        raise DataFileError(path, "no rows after @data", len(lines))


def _tokens(text: str, path: str | Path, number: int) -> list[tuple[str, bool]]:
    """Values of one row or value list, each with whether it was quoted."""
    if "'" not in text and '"' not in text:
        # The common case; a tab separates where there is no comma.
        separator = "\t" if "\t" in text and "," not in text else ","
        return [(cell.strip(), False) for cell in text.split(separator)]
    out, position = [], 0
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            raise DataFileError(
                path, f"a quote is not closed, or text follows it: {text[position:][:40]!r}", number
            )
        quoted = match["single"] if match["single"] is not None else match["double"]
        if quoted is not None:
            out.append((_unescape(quoted), True))
        else:
            bare = match["bare"]
            if bare[:1] in ("'", '"'):
                raise DataFileError(
                    path, f"a quote is not closed, or text follows it: {bare[:40]!r}", number
                )
            out.append((bare, False))
        position = match.end()
        if position >= len(text) and not match[0].endswith(","):
            return out


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text)


def _quote(text: str) -> str:
    if re.fullmatch(r"[^\s,'\"\\{}%?@\x00-\x20]+", text):
        return text
    body = text.replace("\\", "\\\\").replace("'", "\\'")
    for letter, character in _ESCAPES.items():
        body = body.replace(character, f"\\{letter}")
    return f"'{body}'"


def _format_number(value: float) -> str:
    if np.isnan(value):
        return "?"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))
