"""Categories by what they say: ``1``, ``1.0`` and ``"1"`` are one, whatever the type.

The same column often comes in another type from another file: as text from one that holds
``1, 2, x``, as whole numbers from one without the ``x``, as other numbers from one with a gap.
"""

import re
import warnings
from collections import defaultdict
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

MISSING, UNSEEN = -1, -2

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_SIGN = "[+\\-\u2212]?"
_CURRENCY = "[$\u20ac\u00a3\u00a5]?"
_DIGITS = (
    r"(0|[1-9]\d*|[1-9]\d{0,2}([,.'\u2019 \u00a0\u202f]\d{3})+)?"  # no code such as 007
    r"([.,]\d+)?([eE][+-]?\d+)?"
)
_MEANT_AS_NUMBER = re.compile(
    rf"{_SIGN}\s?{_CURRENCY}\s?(?=[\d.,]){_DIGITS}\s?(%|{_CURRENCY})", re.ASCII
)

_LEAST_NUMBERS, _LEAST_SHARE = 3, 0.75


class CategoryWarning(UserWarning):
    """A column of categories may not be what it was meant to be."""


def holds_categories(column: pd.Series) -> bool:
    """Whether a column of which nobody said so holds categories.

    Parameters
    ----------
    column : Series, shape (n_rows,)
        Values.

    Returns
    -------
    bool
        True for a dtype of categories, text or truth values, and for objects among which there
        are any.
    """
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(dtype):
        return True
    if pd.api.types.is_object_dtype(dtype):
        kinds = str | bytes | bool | np.bool_
        return any(isinstance(value, kinds) for value in column[column.notna()])
    return pd.api.types.is_string_dtype(dtype) or dtype.type is bytes


def find_categories(column: pd.Series, called: str) -> np.ndarray:
    """Categories of a column.

    Parameters
    ----------
    column : Series, shape (n_rows,)
        Training values; missing ones are passed over.
    called : str
        What messages call the column.

    Returns
    -------
    ndarray of object, shape (n_categories,)
        Sorted by their text. What is there as text and in another type too (``"1"`` and 1, as
        when a file is read in pieces) is one category, the text.

    Raises
    ------
    TypeError
        For values that cannot be categories.
    ValueError
        If a value may mean several texts.
    """
    values = _objects(column)
    values = values[column.notna().to_numpy()]
    try:
        unique = pd.unique(values)
    except TypeError as error:
        raise TypeError(_not_hashable(called)) from error
    texts = sorted(value for value in unique if isinstance(value, str))
    if texts and len(texts) < len(unique):
        readings = _by_reading(texts)
        others = [value for value in unique if not isinstance(value, str)]
        unique = texts + [
            value for value in others if _meant(value, readings, texts, called) == UNSEEN
        ]
    # Sorted by text: any mixture of types has an order, and it does not depend on that of the rows.
    ordered = sorted(unique, key=lambda value: (str(value), str(type(value))))
    out = np.empty(len(ordered), dtype=object)
    out[:] = ordered
    return out


def find_codes(column: pd.Series, categories: np.ndarray, called: str) -> np.ndarray:
    """Positions of a column's values among categories.

    An equal value is looked for first (by Python: True is 1). Then a text means the category of
    another type, and a value of another type any category, that reads the same: the same number
    (1, 1.0, "1", "1.0", "01"), or "True" and "true" for a truth value, or the same text. Two
    texts are never taken for each other.

    Parameters
    ----------
    column : Series, shape (n_rows,)
        Values.
    categories : ndarray of object, shape (n_categories,)
        Categories.
    called : str
        What messages call the column.

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        Positions; -1 where missing, -2 for what is no category.

    Raises
    ------
    TypeError
        For values that cannot be categories.
    ValueError
        If a value may mean several categories.
    """
    missing = column.isna().to_numpy()
    values = _objects(column)
    try:
        codes = pd.Index(categories, dtype=object).get_indexer(pd.Index(values, dtype=object))
        strange = np.flatnonzero((codes < 0) & ~missing)
        inverse, unique = pd.factorize(values[strange])
    except TypeError as error:
        raise TypeError(_not_hashable(called)) from error
    codes = np.where(codes < 0, UNSEEN, codes)
    if len(strange):
        codes[strange] = _by_what_they_say(unique, categories, called)[inverse]
    return np.where(missing, MISSING, codes)


def warn_of_strangers(found: list[tuple[str, pd.Series, np.ndarray, np.ndarray]]) -> None:
    """Warn of columns none of whose values is a category of the training rows.

    Parameters
    ----------
    found : list of (str, Series, ndarray, ndarray)
        What messages call a column, its values, its categories, and the codes of its values.

    Warns
    -----
    CategoryWarning
        If there is any.
    """
    lines = []
    for called, column, categories, codes in found:
        there = codes != MISSING
        if there.any() and (codes[there] == UNSEEN).all():
            lines.append(
                f"{called} ({_few(pd.unique(_objects(column)[there]))}; not {_few(categories)})"
            )
    if lines:
        warnings.warn(
            f"no value of {', '.join(lines)} was there in training: each counts as different from "
            "every category; are the values written in another way than in the training rows?",
            CategoryWarning,
            stacklevel=4,
        )


def warn_of_numbers(column: pd.Series, categories: np.ndarray, called: str) -> None:
    """Warn of a column of text that is taken as categories, but mostly holds numbers.

    Parameters
    ----------
    column : Series, shape (n_rows,)
        Training values. Of a category dtype, which says what is meant, nobody is warned.
    categories : ndarray of object, shape (n_categories,)
        Its categories.
    called : str
        What messages call the column.

    Warns
    -----
    CategoryWarning
        If three or more of the texts, and three quarters of them, look like numbers.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        return
    texts = [value for value in categories if isinstance(value, str)]
    words = [text for text in texts if not _MEANT_AS_NUMBER.fullmatch(text.strip())]
    n_numbers = len(texts) - len(words)
    if n_numbers < max(_LEAST_NUMBERS, _LEAST_SHARE * len(texts)):
        return
    rest = f"; the others are {_few(words)}" if words else ""
    warnings.warn(
        f"{called} holds text and is taken as categories, but {n_numbers} of its {len(texts)} "
        f"different values look like numbers{rest}. If numbers are meant, convert it, as by "
        "pandas.to_numeric(column, errors='coerce'), which makes the others missing; if "
        "categories, say so: column.astype('category'), or categorical_features",
        CategoryWarning,
        stacklevel=4,
    )


def _objects(column: pd.Series) -> np.ndarray:
    """Values as Python objects; bytes as text, and short floats as they are written."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize < 8:
        return np.array([float(str(value)) for value in column.to_numpy()], dtype=object)
    values = column.astype(object).to_numpy()
    if any(isinstance(value, bytes) for value in values):
        values = values.copy()
        for i, value in enumerate(values):
            if isinstance(value, bytes):
                values[i] = value.decode("utf-8", "replace")
    return values


def _reading(value: Any) -> Any:
    """What a value says: a number, or a text."""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    text = str(value).strip()
    if isinstance(value, Real | Decimal | str) and _NUMBER.fullmatch(text):
        return Decimal(text)
    return text.lower() if text.lower() in ("true", "false") else text


def _by_reading(categories: Any) -> dict[Any, list[int]]:
    """Positions of the categories that say the same."""
    out = defaultdict(list)
    for place, category in enumerate(categories):
        out[_reading(category)].append(place)
    return out


def _by_what_they_say(values: Any, categories: np.ndarray, called: str) -> np.ndarray:
    """Positions of the categories that values of another type mean, or -2."""
    is_text = np.array([isinstance(category, str) for category in categories], dtype=bool)
    out = np.full(len(values), UNSEEN)
    if is_text.all() and all(isinstance(value, str) for value in values):
        return out
    of_any_type = _by_reading(categories)
    of_others = {
        reading: [place for place in places if not is_text[place]]
        for reading, places in of_any_type.items()
    }
    for i, value in enumerate(values):
        readings = of_others if isinstance(value, str) else of_any_type
        out[i] = _meant(value, readings, categories, called)
    return out


def _meant(value: Any, readings: dict[Any, list[int]], categories: Any, called: str) -> int:
    """Position of the only category that reads as a value does, or -2."""
    places = readings.get(_reading(value), [])
    if len(places) > 1:
        raise ValueError(
            f"{called} holds {_few([value])} ({type(value).__name__}), which may mean any of the "
            f"categories {_few([categories[place] for place in places])}; give the column one "
            "type in training and in use"
        )
    return places[0] if places else UNSEEN


def _few(values: Any) -> str:
    """Values as text, five at most."""
    values = list(values)
    more = f" and {len(values) - 5} more" if len(values) > 5 else ""
    shown = [repr(str(value)) if isinstance(value, str) else str(value) for value in values[:5]]
    return ", ".join(shown) + more


def _not_hashable(called: str) -> str:
    return (
        f"{called} holds values that cannot be categories (lists, dicts, ...); "
        "the argument must be a string or a number"
    )
