"""Reading and writing ARFF, the format of the data files, with KEEL's variety of it.

Kept here, and not taken from a library, because a user's bad file must be
answered with a line number, and because ``scipy.io.arff`` breaks on quoted
categories.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from acoibl.datasets.arff_tokens import (
    ESCAPES,
    closing_brace,
    sparse_values,
    split_values,
    unescape,
    without_comment,
)
from acoibl.datasets.columns import Column, Table, parse_number, table_of
from acoibl.datasets.doubts import judge
from acoibl.datasets.errors import DataFileError

KEYWORDS = ("@relation", "@attribute", "@inputs", "@input", "@outputs", "@output", "@data")
_ATTRIBUTE = re.compile(
    r"""@attribute\s+(?P<name>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s'"{][^\s{]*)\s*(?P<kind>.*)""",
    re.IGNORECASE,
)

_RANGE = re.compile(r"\s(real|integer)\s*\[[^\]]*\]$", re.IGNORECASE)  # KEEL's, after the type


def parse_arff(
    lines: list[str], path: str | Path, *, missing_values: Collection[str] = ()
) -> Table:
    r"""Table of an ARFF text, of dense or sparse rows, or of KEEL's ``.dat``.

    Parameters
    ----------
    lines : list of str
        The text, split into lines without their ends.
    path : str or pathlib.Path
        Name of the file for the error messages.
    missing_values : collection of str, default=()
        Further texts that mean missing where they are not quoted.

    Returns
    -------
    Table
        ``float64`` for numeric attributes; ``category`` with the declared values,
        in the declared order, for nominal ones. Missing (an unquoted ``?``, in
        KEEL also ``<null>``) is NaN. In a sparse row what is not given is 0, or
        the first declared value. The class is the one of KEEL's ``@outputs``;
        columns that are in neither list are left out, as KEEL does.

    Raises
    ------
    DataFileError
        With the line number and what is wrong.

    Examples
    --------
    >>> lines = ["@relation r", "@attribute a numeric", "@attribute 'b c' {x,'y z'}",
    ...          "@data", "1,'y z'", "{}", "?,x"]
    >>> table = parse_arff(lines, "tiny.arff")
    >>> table.frame
         a  b c
    0  1.0  y z
    1  0.0    x
    2  NaN    x
    >>> table.lines
    [5, 6, 7]
    """
    header = _parse_header(lines, path)
    missing = {"?", *missing_values} | ({"<null>"} if header.is_keel else set())
    rows = ((n, text) for n, line in _rows(lines, header) if (text := without_comment(line)))
    _fill_columns(header.columns, rows, missing, len(lines), path)
    columns = header.columns
    if header.inputs:
        columns = [c for c in columns if c.name in (*header.inputs, *header.outputs)]
    target = header.outputs[0] if len(header.outputs) == 1 else None
    texts = [c for c in columns if c.kind == "category" and c.declared is None]
    doubts = [doubt for column in texts if (doubt := judge(column, path))]
    return table_of(columns, "KEEL" if header.is_keel else "ARFF", doubts, target)


def data_line(text: str) -> str | None:
    """What stands on an ``@data`` line after the word, without comment; None for any other line.

    Parameters
    ----------
    text : str
        The line.

    Returns
    -------
    str or None
        Empty, or the first row.

    Examples
    --------
    >>> data_line(" @DATA 1,x % a row"), data_line("@data"), data_line("1,x")
    ('1,x', '', None)
    """
    word, *rest = text.split(None, 1) or [""]
    return without_comment("".join(rest)) if word.lower() == "@data" else None


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


@dataclass
class _Header:
    columns: list[Column] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    is_keel: bool = False
    end: int = 0


def _parse_header(lines: list[str], path: str | Path) -> _Header:
    header = _Header()
    declared: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        text = without_comment(line)
        if not text:
            continue
        keyword = text.split(None, 1)[0].lower()
        if keyword == "@relation":
            continue
        if keyword == "@data":
            if not header.columns:
                raise DataFileError(path, "@data comes before any @attribute", number)
            header.end = number
            return header
        if keyword.rstrip("s") in ("@input", "@output"):
            values = split_values(text[len(keyword) :].strip().rstrip(","), path, number)
            names = [name for name, _ in values]
            unknown = [name for name in names if name not in declared]
            if unknown:
                raise DataFileError(
                    path, f"{keyword} names {unknown[0]!r}, which no @attribute declares", number
                )
            (header.inputs if keyword.startswith("@i") else header.outputs).extend(names)
            header.is_keel = True
            continue
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
        header.is_keel |= _RANGE.search(text) is not None
        header.columns.append(column)
    raise DataFileError(path, "no @data line: the header is all there is", len(lines))


def _parse_attribute(text: str, path: str | Path, number: int) -> Column:
    match = _ATTRIBUTE.fullmatch(text)
    if match is None:
        raise DataFileError(path, f"cannot read this @attribute: {text[:60]!r}", number)
    name = match["name"]
    if name[0] in "'\"":
        name = unescape(name[1:-1])
    if not name.strip():
        raise DataFileError(path, "a column without a name", number)
    kind = match["kind"].strip()
    if kind.startswith("{"):
        end = closing_brace(kind)
        if end < 0:
            raise DataFileError(path, f"the value list of {name!r} has no closing brace", number)
        rest = kind[end + 1 :].strip()
        if rest and not rest.startswith("%"):
            raise DataFileError(
                path,
                f"{rest[:40]!r} follows the value list of {name!r}; is it a comment (%)?",
                number,
            )
        values = [value for value, _ in split_values(kind[1:end].strip(), path, number)]
        repeated = {value for value in values if values.count(value) > 1}
        if repeated:
            raise DataFileError(path, f"column {name!r} declares {min(repeated)!r} twice", number)
        return Column(name, "category", declared=values)
    word = re.match(r"[a-z]*", kind.lower())[0]
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


def _rows(lines: list[str], header: _Header) -> Iterator[tuple[int, str]]:
    yield header.end, data_line(lines[header.end - 1])
    yield from enumerate(lines[header.end :], start=header.end + 1)


def _fill_columns(
    columns: list[Column],
    rows: Iterable[tuple[int, str]],
    missing: Collection[str],
    n_lines: int,
    path: str | Path,
) -> None:
    width = len(columns)
    known = [None if c.declared is None else set(c.declared) for c in columns]
    for number, text in rows:
        if text.startswith("{"):
            row = _sparse_row(text, columns, path, number)
        else:
            row = split_values(text, path, number)
        if len(row) != width:
            hint = " (is the file cut off?)" if number == n_lines and len(row) < width else ""
            if row[-1][0].startswith("{"):
                hint = f" (a weight of the row, {row[-1][0]}, is not read: take it away)"
            raise DataFileError(
                path, f"{len(row)} values where the header declares {width} columns{hint}", number
            )
        for column, values, (cell, quoted) in zip(columns, known, row, strict=True):
            if cell in missing and not quoted:
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
    if not columns[0].lines:
        raise DataFileError(path, "no rows after @data", n_lines)


def _sparse_row(
    text: str, columns: list[Column], path: str | Path, number: int
) -> list[tuple[str, bool]]:
    """All values of a row that gives only some, each after its index from 0."""
    given: dict[int, tuple[str, bool]] = {}
    for index, value, quoted in sparse_values(text, path, number):
        if index >= len(columns) or index in given:
            problem = "stands twice" if index in given else f"is none of 0 to {len(columns) - 1}"
            raise DataFileError(path, f"index {index} of a sparse row {problem}", number)
        given[index] = (value, quoted)
    row = []
    for index, column in enumerate(columns):
        if index not in given and column.kind == "category" and not column.declared:
            raise DataFileError(
                path,
                f"column {column.name!r} is of type string and not given in this sparse row: what "
                "it holds there is not defined",
                number,
            )
        absent = "0" if column.kind == "numeric" else (column.declared or [""])[0]
        row.append(given.get(index, (absent, True)))
    return row


def _quote(text: str) -> str:
    if re.fullmatch(r"[^\s,'\"\\{}%?@\x00-\x20]+", text):
        return text
    body = text.replace("\\", "\\\\").replace("'", "\\'")
    for letter, character in ESCAPES.items():
        body = body.replace(character, f"\\{letter}")
    return f"'{body}'"


def _format_number(value: float) -> str:
    if np.isnan(value):
        return "?"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))
