"""Reading a CSV file whose column kinds must be inferred."""

import csv
import math
from pathlib import Path

import pandas as pd

from acoibl.datasets.columns import Column, column_to_series, to_number
from acoibl.datasets.errors import DataFileError

MISSING = frozenset({"", "?", "NA", "NaN", "nan", "N/A", "n/a"})
DELIMITERS = (",", ";", "\t", "|")


def parse_csv(text: str, path: str | Path) -> tuple[pd.DataFrame, list[int]]:
    r"""Table of a CSV text with a header line.

    The delimiter is the one of ``, ; tab |`` that occurs most in the header.
    A column is numeric if every value present is a number, else a category.
    Decimals have a point: a column of numbers with decimal commas is refused,
    as its numbers would become categories.

    Parameters
    ----------
    text : str
        The whole text.
    path : str or pathlib.Path
        Name of the file for the error messages.

    Returns
    -------
    table : pandas.DataFrame of shape (n_rows, n_columns)
        ``float64`` and ``category`` columns; missing (empty, ``?``, ``NA``,
        ``N/A``, ``n/a``, ``NaN``) is NaN.
    row_lines : list of int
        Line on which each row begins, from 1.

    Raises
    ------
    DataFileError
        With the line number and what is wrong.

    Examples
    --------
    >>> table, row_lines = parse_csv("size;colour\n1;red\n?;blue\n", "tiny.csv")
    >>> table
       size colour
    0   1.0    red
    1   NaN   blue
    """
    # Not splitlines(), which also ends a line at characters that may stand in a cell.
    lines = [line + "\n" for line in text.removesuffix("\n").split("\n")]
    # csv gives line numbers and understands quoted commas and line ends.
    reader = csv.reader(lines, delimiter=_delimiter(text), strict=True, skipinitialspace=True)
    columns: list[Column] = []
    start = 1
    try:
        for row in reader:
            line, start = start, reader.line_num + 1
            if not any(cell.strip() for cell in row) and len(row) <= 1:
                continue
            if not columns:
                columns = _header(row, path, line)
                continue
            if len(row) != len(columns):
                raise DataFileError(
                    path,
                    f"{len(row)} values where the header has {len(columns)} columns"
                    + (" (is the file cut off?)" if reader.line_num == len(lines) else ""),
                    line,
                )
            for column, cell in zip(columns, row, strict=True):
                cell = cell.strip()
                column.cells.append(None if cell in MISSING else cell)
                column.lines.append(line)
    except csv.Error as error:
        raise DataFileError(path, f"cannot split this row: {error}", start) from None
    if not columns:
        raise DataFileError(path, "the file is empty")
    if not columns[0].cells:
        raise DataFileError(path, "no rows after the header")
    for column in columns:
        _infer(column, path)
    return pd.DataFrame({c.name: column_to_series(c) for c in columns}), columns[0].lines


def _delimiter(text: str) -> str:
    first = next((line for line in text.split("\n") if line.strip()), "")
    return max(DELIMITERS, key=first.count)


def _header(row: list[str], path: str | Path, line: int) -> list[Column]:
    names = [cell.strip() for cell in row]
    for j, name in enumerate(names):
        if not name:
            raise DataFileError(path, f"column {j + 1} of the header has no name", line)
        if name in names[:j]:
            raise DataFileError(
                path,
                f"the column name {name!r} stands twice (columns {names.index(name) + 1} "
                f"and {j + 1})",
                line,
            )
    numbers = [name for name in names if to_number(name) is not None]
    if len(numbers) == len(names) or any(not name.isdigit() for name in numbers):
        raise DataFileError(
            path,
            f"a header with column names is needed; this line looks like data ({numbers[0]!r})",
            line,
        )
    return [Column(name, "category") for name in names]


def _infer(column: Column, path: str | Path) -> None:
    numbers = [None if cell is None else to_number(cell) for cell in column.cells]
    words = [
        (cell, line)
        for cell, number, line in zip(column.cells, numbers, column.lines, strict=True)
        if number is None and cell is not None
    ]
    if words:
        if all(to_number(cell.replace(",", ".", 1)) is not None for cell, _ in words):
            cell, line = words[0]
            raise DataFileError(
                path,
                f"column {column.name!r}: {cell!r} looks like a number with a decimal comma; write "
                "decimals with a point (in pandas: read_csv(..., decimal=',') and pass the frame)",
                line,
            )
        return
    for number, line in zip(numbers, column.lines, strict=True):
        if number is not None and not math.isfinite(number):
            raise DataFileError(path, f"column {column.name!r}: an infinite number", line)
    column.kind, column.cells = "numeric", numbers
