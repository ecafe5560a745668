"""One column on its way from text to pandas, whatever the file format."""

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from acoibl.datasets.errors import DataFileError


@dataclass
class Column:
    """Cells of one column, with the line each came from.

    Parameters
    ----------
    name : str
        Column name.
    kind : {"numeric", "category"}
        What the cells are.
    declared : list of str or None, default=None
        The values a category column may take, in the order of its declaration.
    cells : list
        Numbers or texts, None where missing.
    lines : list of int
        Line of each cell, from 1.
    """

    name: str
    kind: str
    declared: list[str] | None = None
    cells: list = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


@dataclass
class Table:
    """What a reader found in a file.

    Parameters
    ----------
    frame : pandas.DataFrame
        All columns.
    lines : list of int
        Line of each row, from 1.
    form : str
        The format and how it was understood, in words.
    doubts : list of Doubt
        Columns that may be meant otherwise.
    target : str or None, default=None
        The class column, where the file names it.
    """

    frame: pd.DataFrame
    lines: list[int]
    form: str
    doubts: list = field(default_factory=list)
    target: str | None = None


def table_of(columns: list[Column], form: str, doubts: list, target: str | None = None) -> Table:
    """Table of filled columns.

    Parameters
    ----------
    columns : list of Column
        At least one.
    form, doubts, target
        See ``Table``.

    Returns
    -------
    Table
        With a pandas frame.

    Examples
    --------
    >>> table_of([Column("a", "numeric", None, [1.5, None], [2, 3])], "CSV", []).frame["a"].tolist()
    [1.5, nan]
    """
    frame = pd.DataFrame({column.name: column_to_series(column) for column in columns})
    return Table(frame, columns[0].lines, form, doubts, target)


def parse_number(cell: str, name: str, path: str | Path, line: int) -> float:
    """Number of one cell; anything but a finite decimal number is an error.

    Parameters
    ----------
    cell : str
        The text.
    name : str
        Column name, for the error message.
    path : str or pathlib.Path
        File, for the error message.
    line : int
        Line, for the error message.

    Returns
    -------
    float
        The number.

    Raises
    ------
    DataFileError
        If the text is no number, or an infinite or undefined one.

    Examples
    --------
    >>> parse_number("1e3", "a", "tiny.csv", 2)
    1000.0
    """
    number = to_number(cell)
    if number is None:
        raise DataFileError(path, f"column {name!r} is numeric, but {cell!r} is no number", line)
    if not math.isfinite(number):
        raise DataFileError(
            path, f"column {name!r}: {cell!r} is not a finite number (write ? for missing)", line
        )
    return number


def to_number(cell: str) -> float | None:
    """Float of a text, None where it is no number (``1_000`` is none).

    Parameters
    ----------
    cell : str
        The text.

    Returns
    -------
    float or None
        The number.

    Examples
    --------
    >>> to_number(" 2.5"), to_number("2.5 kg")
    (2.5, None)
    """
    if "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def order_values(values) -> list[str]:
    """Distinct texts in order: by number where all are whole numbers, else by text.

    Parameters
    ----------
    values : iterable of str
        The texts.

    Returns
    -------
    list of str
        Sorted, without repetition.

    Examples
    --------
    >>> order_values(["10", "9", "9"]), order_values(["b", "10", "9"])
    (['9', '10'], ['10', '9', 'b'])
    """
    distinct = set(values)
    if all(value.isascii() and value.isdigit() for value in distinct):
        return sorted(distinct, key=lambda value: (int(value), value))
    return sorted(distinct)


def column_to_series(column: Column) -> pd.Series:
    """Pandas column: ``float64``, or ``category`` with text categories.

    Parameters
    ----------
    column : Column
        A filled column.

    Returns
    -------
    pandas.Series
        Named after the column.

    Examples
    --------
    >>> column_to_series(Column("a", "category", None, ["y", None, "x"])).cat.codes.tolist()
    [1, -1, 0]
    """
    if column.kind == "numeric":
        numbers = np.array([np.nan if c is None else c for c in column.cells], dtype=np.float64)
        return pd.Series(numbers, name=column.name)
    return categorical(column.cells, column.declared, column.name)


def categorical(cells, values: list[str] | None = None, name: str | None = None) -> pd.Series:
    """Category column from texts.

    Parameters
    ----------
    cells : iterable of str or None
        The values, None where missing.
    values : list of str or None, default=None
        The categories in order; None takes those that occur (see ``order_values``).
    name : str or None, default=None
        Name of the column.

    Returns
    -------
    pandas.Series
        Of dtype ``category``.

    Examples
    --------
    >>> categorical(["b", "a", None]).cat.categories.tolist()
    ['a', 'b']
    """
    cells = list(cells)
    if values is None:
        values = order_values(cell for cell in cells if cell is not None)
    code = {value: i for i, value in enumerate(values)}
    codes = [-1 if cell is None else code[cell] for cell in cells]
    index = pd.Index(values, dtype=object) if not values else pd.Index(values)
    return pd.Series(pd.Categorical.from_codes(codes, categories=index), name=name)
