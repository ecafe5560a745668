"""Columns that are categories only because some of their numbers are written unusually."""

import math
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from acoibl.datasets.columns import Column, to_number
from acoibl.datasets.errors import DataFileError

_MARKS = frozenset(
    [
        *("null", "(null)", "<null>", "none", "nil", "missing", "unknown", "undefined", "void"),
        *("<na>", "na", "n/a", "n.a.", "n.a", "k.a.", "#na", "#n/a", "#n/a!"),
        *("#null!", "#value!", "#div/0!", "#ref!", "#name?", "#num!", "\\n"),
        *("1.#ind", "-1.#ind", "1.#qnan", "-1.#qnan"),
        *(".", "..", "...", "-", "--", "---", "–", "—", "*", "**"),
    ]
)
_MINUS = "−–﹣－"
_CODE = "EUR|USD|GBP|CHF|JPY"
_EXPONENT = r"(e[+-]?\d+)?"
_GROUPS = re.compile(r"[+-]?\d{1,3}(?P<mark>[ \u00a0\u2009\u202f'’])\d{3}(?:(?P=mark)\d{3})*(?!\d)")
_DECIMAL = re.compile(rf"[+-]?(\d*|\d{{1,3}}(\.\d{{3}})+),\d+{_EXPONENT}", re.IGNORECASE)
_COMMAS = re.compile(rf"[+-]?\d{{1,3}}(,\d{{3}})+(\.\d*)?{_EXPONENT}", re.IGNORECASE)
_POINTS = re.compile(r"[+-]?\d{1,3}(\.\d{3}){2,}")
_DECIMAL_POINT = re.compile(r"[+-]?(\d*\.\d{1,2}|\d*\.\d{4,}|0\.\d+)")  # 1.234 may be thousands
_PANDAS = {
    "a decimal comma": "decimal=','",
    "commas between the thousands": "thousands=','",
    "points between the thousands": "thousands='.'",
    "blanks between the thousands": "thousands=' '",
    "apostrophes between the thousands": 'thousands="\'"',
}
_SEPARATORS = frozenset(_PANDAS)
_MANY = 10  # distinct numbers: no longer a scale such as 1, 2, 3+
_FEW = 0.1  # share of the cells


@dataclass(frozen=True)
class Doubt:
    """What was made of a column that could be meant otherwise, and why.

    Parameters
    ----------
    column : str
        Its name.
    text : str
        The sentence.
    strong : bool
        Whether it is likely to be a mistake, so that ``read_table`` warns;
        otherwise only ``check_file`` mentions it.
    """

    column: str
    text: str
    strong: bool


def judge(column: Column, path: str | Path) -> Doubt | None:
    """Whether a column of texts is rather one of numbers.

    Judged by its distinct values, missing marks left aside: most of them must
    be numbers, as they stand or in another way of writing, or nearly all cells.

    Parameters
    ----------
    column : Column
        A column of texts, some of which are no numbers.
    path : str or pathlib.Path
        File, for the error message.

    Returns
    -------
    Doubt or None
        None where the column is one of categories without doubt.

    Raises
    ------
    DataFileError
        If most values are numbers, some with decimal commas or with marks
        between the thousands: it names what they may mean.

    Examples
    --------
    >>> column = Column("a", "category", None, ["1", "2", "3", "NULL"], [2, 3, 4, 5])
    >>> print(judge(column, "tiny.csv").text)
    column 'a': 1 value of 4 no number ('NULL', line 5), so all were read as categories; if it means
    missing, say so (missing_values=['NULL'])
    """
    counts = Counter(cell for cell in column.cells if cell is not None)
    odd = [value for value in counts if not _is_number(value)]
    meant = {value: found for value in odd if (found := other_readings(value))}
    marks = [value for value in odd if looks_missing(value)]
    words = len(odd) - len(meant) - len(marks)
    numbers = len(counts) - len(odd) + len(meant)
    cells = sum(counts[value] for value in odd)
    mostly = numbers > words
    if mostly and any(_SEPARATORS & set(found) for found in meant.values()):
        _refuse(column, counts, meant, path)
    if not odd or not (mostly or cells <= _FEW * sum(counts.values())):
        return None
    odd.sort(key=lambda value: -counts[value])
    shown = ", ".join(_with_line(value, column, counts) for value in odd[:3])
    value = "value" if cells == 1 else "values"
    text = (
        f"column {column.name!r}: {cells} {value} of {len(column.cells)} no number "
        f"({shown}{', ...' * (len(odd) > 3)}), so all were read as categories"
    )
    if meant:
        first = next(value for value in odd if value in meant)
        how, number = next(iter(meant[first].items()))
        text += f"; {first!r} looks like a number with {how}: write {number:.15g}"
    rest = marks or [value for value in odd if value not in meant]
    if rest:
        which = "it means" if len(odd) == 1 else "they mean" if not meant else f"{rest[0]!r} means"
        text += f"; if {which} missing, say so (missing_values={rest[:5]!r})"
    return Doubt(column.name, text, mostly and (not words or numbers >= _MANY))


def other_readings(cell: str) -> dict[str, float]:
    """Numbers that a text may mean which is no number as it stands.

    Parameters
    ----------
    cell : str
        The text.

    Returns
    -------
    dict of str to float
        The number by what hides it; two where it can be read in two ways.

    Examples
    --------
    >>> other_readings("1,200")
    {'a decimal comma': 1.2, 'commas between the thousands': 1200.0}
    >>> other_readings("-12 %"), other_readings("red")
    ({'a percent sign': -12.0}, {})
    """
    if _is_number(cell):
        return {}
    text, how = cell.strip(), []
    if text[:1] == "(" and text[-1:] == ")" and text[1:2].isdigit():
        text, how = "-" + text[1:-1], [*how, "brackets for the minus"]
    bare = _without_currency(text)
    if bare != text:
        text, how = bare, [*how, "a currency sign"]
    if text[-1:] in ("%", "‰"):
        text, how = text[:-1].rstrip(), [*how, "a percent sign"]
    if text[:1] and text[0] in _MINUS:
        text, how = "-" + text[1:], [*how, "a typographic minus"]
    groups = _GROUPS.match(text)
    if groups:
        blank = groups["mark"].isspace()
        how = [*how, f"{'blanks' if blank else 'apostrophes'} between the thousands"]
        text = text[: groups.end()].replace(groups["mark"], "") + text[groups.end() :]
    out = {}
    if _DECIMAL.fullmatch(text):
        out["a decimal comma"] = text.replace(".", "").replace(",", ".")
    if _COMMAS.fullmatch(text):
        out["commas between the thousands"] = text.replace(",", "")
    if _POINTS.fullmatch(text):
        out["points between the thousands"] = text.replace(".", "")
    if out:
        return {name: float(number) for name, number in out.items()}
    return {how[-1]: float(text)} if how and _is_number(text) else {}


def looks_missing(cell: str) -> bool:
    """Whether a text is one of those by which programs mark a missing value.

    Parameters
    ----------
    cell : str
        The text.

    Returns
    -------
    bool
        True for ``NULL``, ``None``, ``<NA>``, ``#N/A``, ``.``, ``-`` and the like.

    Examples
    --------
    >>> looks_missing("NULL"), looks_missing("none at all")
    (True, False)
    """
    return cell.lower() in _MARKS or math.isnan(to_number(cell) or 0)


def _is_number(cell: str) -> bool:
    number = to_number(cell)
    return number is not None and math.isfinite(number)


def _without_currency(text: str) -> str:
    sign = r"[+-]?"
    match = re.fullmatch(rf"({sign})(?:US\$|{_CODE}|(\W))\s*({sign}[\d.,].*)", text)
    if match and (match[2] is None or unicodedata.category(match[2]) == "Sc"):
        return match[1] + match[3]
    match = re.fullmatch(rf"(.*[\d.,])\s*(?:{_CODE}|(\W))", text)
    if match and (match[2] is None or unicodedata.category(match[2]) == "Sc"):
        return match[1]
    return text


def _refuse(column: Column, counts: Counter, meant: dict, path: str | Path) -> None:
    marked = {v: r for v, r in meant.items() if _SEPARATORS & set(r)}
    common = set.intersection(*(set(found) for found in marked.values())) & _SEPARATORS
    if len(common) > 1 and any(_DECIMAL_POINT.fullmatch(value) for value in counts):
        common.discard("a decimal comma")
    wanted = common or {how for found in marked.values() for how in found}
    # The value that can be read in fewest ways shows best what is meant.
    value = min(marked, key=lambda v: len(marked[v]))
    readings = {how: number for how, number in marked[value].items() if how in wanted}
    looks = " or with ".join(f"{how} ({number:.15g})" for how, number in readings.items())
    write = " or ".join(f"{number:.15g}" for number in readings.values())
    options = " or ".join(_PANDAS[how] for how in _PANDAS if how in wanted)
    if "a decimal comma" in readings and any("." in value for value in marked):
        options = options.replace("decimal=','", "decimal=',', thousands='.'")
    raise DataFileError(
        path,
        f"column {column.name!r}: {value!r} looks like a number with {looks}; write {write} (or "
        f"read the file with pandas, read_csv(..., {options}), with dtype=str if these are "
        "categories, and pass the frame)",
        column.lines[column.cells.index(value)],
    )


def _with_line(value: str, column: Column, counts: Counter) -> str:
    line = f"{value[:40]!r}, line {column.lines[column.cells.index(value)]}"
    return line if counts[value] == 1 else f"{line}, {counts[value]} times"
