"""Reading a CSV file whose delimiter, header and column kinds must be inferred."""

import csv
import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import numpy as np

from acoibl.datasets.columns import Column, Table, table_of, to_number
from acoibl.datasets.doubts import Doubt, judge
from acoibl.datasets.errors import DataFileError
from acoibl.datasets.header import HOW_TO_TELL, check_header

MISSING = frozenset({"", "?", "NA", "NaN", "nan", "N/A", "n/a"})
DELIMITERS = (",", ";", "\t", "|")
_PADDED = re.compile(r"[+-]?0\d")
_SEP_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # what Excel writes and reads


def parse_csv(
    text: str,
    path: str | Path,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    missing_values: Collection[str] = (),
) -> Table:
    r"""Table of a CSV text.

    The delimiter is the one of ``, ; tab |`` that gives all lines the same
    number of cells. A column is numeric if every value present is a number, else
    a category. Decimals have a point: a column most of whose values have decimal
    commas, or marks between the thousands, is refused, as its numbers would
    become categories; other ways of hiding numbers are told by ``doubts``.

    Parameters
    ----------
    text : str
        The whole text.
    path : str or pathlib.Path
        Name of the file for the error messages.
    header : bool or None, default=None
        Whether the first line holds the column names; None judges by what it
        says, and refuses what is no header or may be none.
    delimiter : str or None, default=None
        The character between the cells; None infers it.
    missing_values : collection of str, default=()
        Further texts that mean missing.

    Returns
    -------
    Table
        ``float64`` and ``category`` columns; missing (empty, ``?``, ``NA``,
        ``N/A``, ``n/a``, ``NaN``) is NaN.

    Raises
    ------
    DataFileError
        With the line number and what is wrong.

    Examples
    --------
    >>> table = parse_csv("size;colour\n1;red\n?;blue\n", "tiny.csv")
    >>> table.frame
       size colour
    0   1.0    red
    1   NaN   blue
    """
    # Not splitlines(), which also ends a line at characters that may stand in a cell.
    lines = [line + "\n" for line in text.removesuffix("\n").split("\n")]
    begin = next((i for i, line in enumerate(lines) if line.strip()), 0)
    said = _SEP_LINE.fullmatch(lines[begin])
    if said:
        lines[begin], delimiter = "\n", delimiter or said[1]
    if delimiter is None:
        delimiter = _infer_delimiter(lines, path)
    rows, starts = _split(lines, delimiter, path)
    if not rows:
        raise DataFileError(path, "the file is empty")
    _check_widths(rows, starts, path)
    missing = MISSING | set(missing_values)
    if header is None and len(rows) > 1 and len(rows[0]) > 1:
        check_header(rows[0], rows[1:], missing, path, starts)
    if header is False:
        names = [f"column{j + 1}" for j in range(len(rows[0]))]
    else:
        names = _names(rows.pop(0), path, starts.pop(0))
    if not rows:
        raise DataFileError(path, "no rows after the header")
    columns, doubts = [], []
    for name, texts in zip(names, zip(*rows, strict=True), strict=True):
        cells = [None if text in missing else text for text in texts]
        column = Column(name, "category", None, cells, starts)
        doubts += _infer_kind(column, path)
        columns.append(column)
    form = f"CSV, delimiter {delimiter!r}, " + (
        "without a header" if header is False else "the first line is the header"
    )
    return table_of(columns, form, doubts)


def _split(lines: list[str], delimiter: str, path: str | Path) -> tuple[list, list[int]]:
    """Rows of stripped cells, and the line on which each begins."""
    # csv gives line numbers and understands quoted delimiters and line ends.
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    rows, starts, start = [], [], 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if len(cells) > 1 or any(cells):
                rows.append(cells)
                starts.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise DataFileError(path, f"cannot split this row: {error}", start) from None
    return rows, starts


def _infer_delimiter(lines: list[str], path: str | Path) -> str:
    """The delimiter that gives most lines the first one's number of cells."""
    present = [d for d in DELIMITERS if any(d in line for line in lines)]
    if len(present) < 2:
        return present[0] if present else DELIMITERS[0]
    shares = Counter()
    for delimiter in present:
        try:
            rows, _ = _split(lines, delimiter, path)
        except DataFileError:
            continue  # told when this delimiter turns out to be the best
        width = len(rows[0]) if rows else 0
        if width > 1:
            shares[delimiter] = sum(len(row) == width for row in rows) / len(rows)
    if not shares:
        first = next(line for line in lines if line.strip())
        return max(present, key=first.count)
    equal = [delimiter for delimiter in shares if shares[delimiter] == 1]
    if len(equal) > 1:
        raise DataFileError(
            path,
            f"the cells may be separated by {' or by '.join(map(repr, equal))}, as each gives all "
            "lines the same number of cells; say which (delimiter=..., --delimiter)",
        )
    return max(shares, key=shares.__getitem__)


def _check_widths(rows: list, starts: list[int], path: str | Path) -> None:
    width = len(rows[0])
    if width == 1 and len(rows) > 1:
        blanks = {len(row[0].split()) for row in rows}
        if len(blanks) == 1 and blanks != {1}:
            raise DataFileError(
                path,
                "one column only; the cells seem to be separated by blanks: put commas there (or "
                r"read it with pandas, read_csv(..., sep=r'\s+'), and pass the frame)",
                starts[0],
            )
    for row, line in zip(rows, starts, strict=True):
        if len(row) == width:
            continue
        hint = ""
        if all(len(other) == width + 1 for other in rows[1:]):
            hint = " (row names without a name in front, or a delimiter at the end of each row?)"
        elif len(row) < width and line == starts[-1]:
            hint = " (is the file cut off?)"
        raise DataFileError(
            path, f"{len(row)} values where the header has {width} columns{hint}", line
        )


def _names(names: list[str], path: str | Path, line: int) -> list[str]:
    for j, name in enumerate(names):
        if not name:
            raise DataFileError(
                path,
                f"column {j + 1} of the header has no name: name it, or take the column away "
                "(row numbers in front, a delimiter at the end of each line)",
                line,
            )
        if name in names[:j]:
            raise DataFileError(
                path,
                f"the column name {name!r} stands twice (columns {names.index(name) + 1} "
                f"and {j + 1}); {HOW_TO_TELL.format(line=line)}",
                line,
            )
    return names


def _infer_kind(column: Column, path: str | Path) -> list[Doubt]:
    """Make a column numeric where it holds numbers only, and say what is doubtful."""
    cells = column.cells
    numbers = [None if cell is None else to_number(cell) for cell in cells]
    if numbers.count(None) > cells.count(None):
        doubt = judge(column, path)
        return [] if doubt is None else [doubt]
    # Any spelling of NaN is missing among numbers.
    values = np.array([np.nan if number is None else number for number in numbers], dtype=float)
    if np.isinf(values).any():
        row = int(np.isinf(values).argmax())
        problem = f"column {column.name!r}: {cells[row]!r} is an infinite number"
        raise DataFileError(path, problem, column.lines[row])
    column.kind, column.cells = "numeric", values.tolist()
    padded = next((c for c in cells if c and c[0] in "+-0" and _PADDED.match(c)), None)
    if padded is None:
        return []
    text = f"read as numbers, though {padded!r} begins with a zero, as codes do"
    return [Doubt(column.name, f"column {column.name!r}: {text}", False)]
