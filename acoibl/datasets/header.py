"""Whether the first line of a CSV file holds names or values."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from acoibl.datasets.columns import to_number
from acoibl.datasets.doubts import looks_missing, other_readings
from acoibl.datasets.errors import DataFileError

HOW_TO_TELL = (
    "say header=True if line {line} holds the column names, header=False if it is a row "
    "(--header or --no-header with acoibl datasets --check)"
)
_SPANS = 10  # so many ranges outside its column a number is hardly one of it
_STRANGE = 0.02  # chance that a row holds a value of another kind than its (short) column
_RECURS = 0.05  # chance that a name of a column is one of its values
_NUMBERS = 0.1  # chance that names are numbers
_DOUBT = 0.1  # so many times less likely the row must be than the header
_SAMPLE = 1000  # rows, evenly spread


def check_header(
    first: Sequence[str],
    rows: Sequence[Sequence[str]],
    missing: Collection[str],
    path: str | Path,
    lines: Sequence[int],
) -> None:
    r"""Refuse a file whose first line is, or may be, a row of data.

    Two readings are weighed: a row like those below it, and names. A row hardly
    holds a word over numbers, a number far outside the range of its column, or a
    word that does not occur below where all others recur; a header hardly holds
    words that occur again in their columns, or numbers like those below it.
    Missing marks say nothing. The line is a header if that is far more likely.

    Parameters
    ----------
    first : sequence of str
        Cells of the first line.
    rows : sequence of sequences of str
        The rows after it.
    missing : collection of str
        Texts that mean missing.
    path : str or pathlib.Path
        File, for the error message.
    lines : sequence of int
        Line of the first and of each other row, from 1.

    Raises
    ------
    DataFileError
        If the line is, or may be, a row; it says why, and how to tell.

    Examples
    --------
    >>> check_header(["size", "class"], [["1", "T"], ["2", "I"]], {"?"}, "a.csv", [1, 2, 3])
    >>> check_header(["T", "2"], [["I", "5"], ["T", "4"]], {"?"}, "a.csv", [1, 2, 3])
    Traceback (most recent call last):
    ...
    acoibl.datasets.errors.DataFileError: a.csv, line 1: a header with column names is needed, and
    this line looks like data: 'T' stands again in its column, on line 3; say header=True if ...
    """
    as_row = as_names = 1.0
    recurring, fitting = [], []
    numbers_for_names = False
    for name, column in zip(first, zip(*rows, strict=True), strict=True):
        if name in missing or looks_missing(name):
            continue
        value = _number(name)
        # Some rows show that a column holds numbers; their range, and which words recur, all rows.
        counts = _present(column[:: 1 + len(rows) // _SAMPLE], missing)
        if value is not None or any(_number(cell) is None for cell in counts):
            counts = _present(column, missing)
        numbers = [_number(cell) for cell in counts]
        n, once = counts.total(), list(counts.values()).count(1)
        if not numbers:
            continue
        if value is not None and math.isfinite(value) and None not in numbers:
            numbers_for_names = True
            if _fits(value, numbers):
                fitting.append(name)
            else:
                as_row *= min(_STRANGE, 1 / (n + 1))
        elif name in column:
            recurring.append((name, lines[1 + column.index(name)]))
            as_names *= _RECURS
        elif None not in numbers:
            as_row *= min(_STRANGE, 1 / (n + 1))
        else:
            as_row *= (once + 1) / (n + 1)  # Good and Turing: the chance of a new value
    if numbers_for_names:
        as_names *= _NUMBERS
    only_numbers = all(_number(name) is not None for name in first)
    if as_row <= _DOUBT * as_names and not only_numbers:
        return
    line, reason = lines[0], ""
    if list(first) == list(rows[0]):
        reason = "the next line says the same"
    elif recurring:
        reason = f"{recurring[0][0]!r} stands again in its column, on line {recurring[0][1]}"
    elif only_numbers:
        reason = "it holds numbers only"
    elif fitting:
        reason = f"{fitting[0]!r} is a number like those below it"
    problem = "cannot tell whether this line holds the column names or is a row of data"
    if reason:
        problem = f"a header with column names is needed, and this line looks like data: {reason}"
    raise DataFileError(path, f"{problem}; {HOW_TO_TELL.format(line=line)}", line)


def _present(cells: Sequence[str], missing: Collection[str]) -> Counter:
    """Number of each value that is none of the missing marks."""
    counts = Counter(cells)
    return Counter({v: n for v, n in counts.items() if v not in missing and not looks_missing(v)})


def _number(cell: str) -> float | None:
    number = to_number(cell)
    return next(iter(other_readings(cell).values()), None) if number is None else number


def _fits(value: float, numbers: list[float]) -> bool:
    """Whether a number may be one of a column."""
    numbers = [number for number in numbers if math.isfinite(number)]
    if len(numbers) < 2:
        return True
    low, high = min(numbers), max(numbers)
    far = _SPANS * (high - low)
    return low - far <= value <= high + far
