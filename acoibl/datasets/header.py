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
_NEW = 0.1  # share of values that occur once, up to which a new one is unlikely


def check_header(
    first: Sequence[str],
    rows: Sequence[Sequence[str]],
    missing: Collection[str],
    path: str | Path,
    lines: Sequence[int],
) -> None:
    r"""Refuse a file whose first line is, or may be, a row of data.

    The first line holds names if its texts are none of the values of their own
    columns. Each column is a witness: a word over numbers, or one that does not
    occur below where all others recur, speaks for names, and so do several numbers
    far outside the range of their columns; a word that stands again below it, or a
    number like those below it, speaks for a row. Missing marks
    say nothing. Without a witness for names, or with stronger ones
    for a row, the file is refused.

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
        If the witnesses do not speak for names; it says which, and how to tell.

    Examples
    --------
    >>> check_header(["size", "class"], [["1", "T"], ["2", "I"]], {"?"}, "a.csv", [1, 2, 3])
    >>> check_header(["T", "2"], [["I", "5"], ["T", "4"]], {"?"}, "a.csv", [1, 2, 3])
    Traceback (most recent call last):
    ...
    acoibl.datasets.errors.DataFileError: a.csv, line 1: a header with column names is needed, and
    this line looks like data: 'T' stands again in its column, on line 3; say header=True if ...
    """
    recurring, fitting, odd = [], [], []
    over_numbers = new_words = 0
    for j, name in enumerate(first):
        if name in missing or looks_missing(name):
            continue
        counts = Counter(row[j] for row in rows)
        values = [cell for cell in counts if cell not in missing and not looks_missing(cell)]
        numbers = [_number(cell) for cell in values]
        value = _number(name)
        if value is not None and math.isinf(value):
            value = None  # a word, as a name
        if None not in numbers:
            if value is not None:
                (fitting if _fits(value, numbers) else odd).append(name)
            elif values:
                over_numbers += 1
        elif name in counts:
            recurring.append((name, lines[1 + [row[j] for row in rows].index(name)]))
        else:
            new_words += _values_recur([counts[cell] for cell in values])
    line, reason = lines[0], ""
    words = sum(_number(name) is None for name in first)
    if list(first) in [list(row) for row in rows[:1]]:
        reason = "the next line says the same"
    elif recurring and len(recurring) >= over_numbers + new_words:
        reason = f"{recurring[0][0]!r} stands again in its column, on line {recurring[0][1]}"
    elif not words:
        reason = "it holds numbers only"
    elif fitting and not new_words and over_numbers <= len(fitting):
        reason = f"{fitting[0]!r} is a number like those below it"
    if reason:
        problem = f"a header with column names is needed, and this line looks like data: {reason}"
    elif over_numbers or new_words or (len(odd) > 1 and not fitting):
        return
    else:
        problem = "cannot tell whether this line holds the column names or is a row of data"
    raise DataFileError(path, f"{problem}; {HOW_TO_TELL.format(line=line)}", line)


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


def _values_recur(counts: list[int]) -> bool:
    """Whether a further value would be one of those there (Good and Turing's estimate)."""
    return sum(counts) > 1 and counts.count(1) <= _NEW * sum(counts)
