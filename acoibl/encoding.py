"""From a table to numbers: the one place where input is converted.

Numeric features are scaled to [0, 1] with the extremes of the training rows;
categories become integer codes; missing values are marked. Every error names
the column that caused it. How categories are told from each other is in
`acoibl.categories`, which tables there are in `acoibl.tables`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_is_fitted

from acoibl.categories import (
    MISSING,
    find_categories,
    find_codes,
    holds_categories,
    warn_of_numbers,
    warn_of_strangers,
)
from acoibl.tables import as_labels, as_table

_FARTHEST = 1e100


@dataclass(frozen=True)
class EncodedData:
    """A table as the kernels read it.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing, -2 for a category unseen in training.
    numeric_features, categorical_features : ndarray of int64
        Positions of the two kinds of column in the table.
    """

    numeric: np.ndarray
    codes: np.ndarray
    numeric_features: np.ndarray
    categorical_features: np.ndarray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numeric)


class MixedEncoder(BaseEstimator):
    """Encode a table of numeric and categorical features with missing values.

    Parameters
    ----------
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical. ``"from_dtype"``: those of a DataFrame
        whose dtype is category (or Arrow's dictionary), string, bool or object
        with text or truth values (in an array of objects or a list of rows:
        those that hold such values); None: no column; otherwise a boolean mask,
        positions, or column names.
    missing : {"max", "category", "ignore"}, default="max"
        What a missing value means. ``"category"`` makes it one more category
        of a categorical feature; the other two leave it marked as missing and
        differ in how the kernels treat the mark.

    Attributes
    ----------
    is_categorical_ : ndarray of bool, shape (n_features,)
        Kind of each column.
    categories_ : list of ndarray
        Categories seen in training, one array per categorical column.
    data_min_, data_max_ : ndarray of float64, shape (n_numeric,)
        Extremes of the numeric columns over the training rows; NaN for a
        column without any value.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    Notes
    -----
    The values of new rows are matched with the categories by what they say: 1, 1.0 and ``"1"``
    are one category if the training rows had it in another type (``"01"`` too, which a number is
    taken for), and so are True, ``"True"`` and ``"true"``; as in Python, True is also 1. Two
    texts differ as soon as one letter does, so ``"1"`` and ``"01"`` are two categories; a number 1
    that may mean either is an error.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl import MixedEncoder
    >>> X = pd.DataFrame({"size": [1.0, 3.0, 5.0], "colour": ["red", "blue", "red"]})
    >>> data = MixedEncoder().fit(X).transform(X)
    >>> data.numeric.ravel().tolist(), data.codes.ravel().tolist()
    ([0.0, 0.5, 1.0], [1, 0, 1])
    >>> rows = pd.DataFrame({"code": ["1", "2", "x"]})
    >>> MixedEncoder().fit(rows).transform(pd.DataFrame({"code": [2, 1]})).codes.ravel().tolist()
    [1, 0]
    """

    def __init__(self, *, categorical_features: Any = "from_dtype", missing: str = "max"):
        self.categorical_features = categorical_features
        self.missing = missing

    def fit(self, X: Any, y: Any = None) -> "MixedEncoder":
        """Learn kinds, categories and extremes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Training rows.
        y : None
            Ignored.

        Returns
        -------
        MixedEncoder
            Itself.

        Raises
        ------
        ValueError
            For duplicate column names, infinite values, text in a numeric
            column, unknown `categorical_features`; the message names the column.

        Warns
        -----
        CategoryWarning
            If a column of text that nobody declared as categories mostly holds numbers.
        """
        X = as_table(X)
        columns, names, numeric = self._read(X)
        if self.missing not in ("max", "category", "ignore"):
            raise ValueError(f"missing must be 'max', 'category' or 'ignore', got {self.missing!r}")
        self.n_features_in_ = len(names)
        self._labels = list(names) if isinstance(X, pd.DataFrame) else None
        if self._labels is not None:
            self.feature_names_in_ = as_labels(names)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.is_categorical_ = np.zeros(len(names), dtype=bool)
        self.categories_ = []
        if numeric is None:
            self.is_categorical_ = self._kinds(columns, names)
            places = np.flatnonzero(self.is_categorical_)
            self.categories_ = [
                find_categories(columns[place], _called(names[place])) for place in places
            ]
            if isinstance(self.categorical_features, str):  # nobody said what the columns hold
                for place, categories in zip(places, self.categories_, strict=True):
                    warn_of_numbers(columns[place], categories, _called(names[place]))
            numeric = self._numeric_block(columns, names)
        present = ~np.isnan(numeric)
        empty = ~present.any(axis=0)
        self.data_min_ = np.where(
            empty, np.nan, np.min(numeric, axis=0, initial=np.inf, where=present)
        )
        self.data_max_ = np.where(
            empty, np.nan, np.max(numeric, axis=0, initial=-np.inf, where=present)
        )
        return self

    def transform(self, X: Any) -> EncodedData:
        """Encode rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Rows with the columns of the training table, in the same order. An array
            without names is taken as it is.

        Returns
        -------
        EncodedData
            Scaled values, which may leave [0, 1] for rows unseen in training
            (by no more than 1e100, so that squares stay finite), and category
            codes. A feature that is constant in training is 0.

        Raises
        ------
        ValueError
            If the number, the names or the order of the columns differ, a value
            cannot be read, or it may mean several categories.

        Warns
        -----
        CategoryWarning
            If no value of a column is one of its categories.
        """
        check_is_fitted(self)
        X = as_table(X)
        columns, names, numeric = self._read(X, plain=not self.is_categorical_.any())
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        if isinstance(X, pd.DataFrame):
            self._check_names(names)
        if numeric is None:
            numeric = self._numeric_block(columns, names)
        # Halving first keeps the difference of extremes finite for the widest ranges.
        half_range = self.data_max_ / 2 - self.data_min_ / 2
        varies = half_range > 0
        with np.errstate(over="ignore"):  # clipped below
            steps = (numeric / 2 - self.data_min_ / 2) / np.where(varies, half_range, 1.0)
        scaled = np.where(varies, steps, np.where(np.isnan(numeric), np.nan, 0.0))
        scaled = np.clip(scaled, -_FARTHEST, _FARTHEST)
        places = np.flatnonzero(self.is_categorical_)
        codes = np.empty((len(numeric), len(places)), dtype=np.int32)
        found = []
        for j, (place, categories) in enumerate(zip(places, self.categories_, strict=True)):
            column, called = columns[place], _called(names[place])
            codes[:, j] = find_codes(column, categories, called)
            found.append((called, column, categories, codes[:, j].copy()))
            if self.missing == "category":
                codes[codes[:, j] == MISSING, j] = len(categories)
        warn_of_strangers(found)
        return EncodedData(
            numeric=scaled,
            codes=codes,
            numeric_features=np.flatnonzero(~self.is_categorical_),
            categorical_features=places,
        )

    def _read(self, X: Any, plain: bool = True) -> tuple[list[pd.Series], list, np.ndarray | None]:
        """Columns, what to call them, and instead of columns one block if all are plain numbers.

        Column by column, a table of thousands of them takes seconds.
        """
        chosen = self.categorical_features
        if plain and (chosen is None or (isinstance(chosen, str) and chosen == "from_dtype")):
            block = _plain_numbers(X)
            if block is not None:
                named = isinstance(X, pd.DataFrame)
                return [], list(X.columns) if named else _numbered(block.shape[1]), block
        return *_columns(X), None

    def _numeric_block(self, columns: list[pd.Series], names: list) -> np.ndarray:
        block = [
            _as_numbers(column, name)
            for column, name, is_categorical in zip(
                columns, names, self.is_categorical_, strict=True
            )
            if not is_categorical
        ]
        n_rows = len(columns[0])
        return np.column_stack(block) if block else np.empty((n_rows, 0))

    def _check_names(self, names: list) -> None:
        """Refuse other names than those of the training table, as scikit-learn's estimators do.

        They know names that are text; other labels (0, 1, ...) are refused in another order.
        """
        known = self._labels
        if known is None or names == known:
            return
        is_text = all(isinstance(name, str) for name in [*names, *known])
        if is_text or set(names) == set(known):
            raise ValueError(
                "The feature names should match those that were passed during fit: X has the "
                f"columns {names}, but the training table had {known}, in this order"
            )

    def _kinds(self, columns: list[pd.Series], names: list) -> np.ndarray:
        chosen = self.categorical_features
        n = len(columns)
        if chosen is None:
            return np.zeros(n, dtype=bool)
        if isinstance(chosen, str):
            if chosen != "from_dtype":
                raise ValueError(
                    "categorical_features must be 'from_dtype', None, a boolean mask, "
                    f"positions or column names, got {chosen!r}"
                )
            return np.array([holds_categories(column) for column in columns], dtype=bool)
        chosen = as_labels(chosen) if _holds_tuples(chosen) else np.asarray(chosen)
        kinds = np.zeros(n, dtype=bool)
        if chosen.size == 0:
            return kinds
        if chosen.dtype == bool:
            if chosen.shape != (n,):
                raise ValueError(
                    f"categorical_features as a mask must have shape ({n},), got {chosen.shape}"
                )
            return chosen
        if np.issubdtype(chosen.dtype, np.integer):
            if chosen.min() < 0 or chosen.max() >= n:
                raise ValueError(
                    f"categorical_features holds position {chosen.max()} or a negative one, "
                    f"but X has {n} columns"
                )
            kinds[chosen] = True
            return kinds
        unknown = [name for name in chosen.tolist() if name not in names]
        if unknown:
            raise ValueError(
                f"categorical_features names columns that X does not have: {unknown}; X has {names}"
            )
        return np.array([name in set(chosen.tolist()) for name in names], dtype=bool)


def _columns(X: Any) -> tuple[list[pd.Series], list]:
    """Columns as pandas Series, and what to call them."""
    if isinstance(X, pd.DataFrame):
        names = list(X.columns)
        repeated = sorted({str(name) for name in X.columns[X.columns.duplicated()]})
        if repeated:
            raise ValueError(f"X has duplicate column names: {repeated}; rename them")
        if not names:
            raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) in X")
        if not len(X):
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) in X")
        return [X.iloc[:, j] for j in range(len(names))], names
    array = check_array(X, dtype=None, ensure_all_finite=False, input_name="X")
    if array.dtype.kind not in "biufOUST":
        raise ValueError(f"X has dtype {array.dtype}, which is neither numbers nor categories")
    if array.dtype.kind in "UST":
        array = array.astype(object)
    series = [pd.Series(array[:, j]) for j in range(array.shape[1])]
    return series, _numbered(len(series))


def _plain_numbers(X: Any) -> np.ndarray | None:
    """The whole table, if all its columns hold numbers and none is infinite."""
    if isinstance(X, pd.DataFrame):
        plain = all(isinstance(dtype, np.dtype) and dtype.kind in "iuf" for dtype in X.dtypes)
        if not plain or not X.size or not X.columns.is_unique:
            return None
    elif not (isinstance(X, np.ndarray) and X.ndim == 2 and X.size and X.dtype.kind in "iuf"):
        return None
    block = np.array(X, dtype=np.float64, order="C")
    return None if np.isinf(block).any() else block


def _numbered(n: int) -> list[str]:
    return [f"column {j}" for j in range(n)]


def _holds_tuples(labels: Any) -> bool:
    """Whether labels are those of a table with several levels of column names."""
    return isinstance(labels, list | tuple | pd.MultiIndex) and any(
        isinstance(label, tuple) for label in labels
    )


def _as_numbers(column: pd.Series, name: Any) -> np.ndarray:
    dtype = column.dtype
    if pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
        raise ValueError(f"{_called(name)} holds dates; convert it to a number first")
    if pd.api.types.is_complex_dtype(dtype):
        raise ValueError(f"Complex data not supported: {_called(name)} has dtype {dtype}")
    try:
        values = column.astype(object) if isinstance(dtype, pd.CategoricalDtype) else column
        numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(
            f"{_called(name)} is numeric but holds a value that is not a number ({error}); "
            "the argument must be a string of digits or a number: make the column "
            "categorical through categorical_features or its dtype, or clean it"
        ) from error
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise ValueError(
            f"Input X contains infinity: {_called(name)} is infinite in row {infinite[0]}; "
            "replace it by a number, or by NaN for missing"
        )
    return numbers


def _called(name: Any) -> str:
    text = str(name)
    return text if text.startswith("column ") else f"column {text!r}"


def as_names(names: Sequence[Any] | None, n: int) -> list[str]:
    """Column names for display.

    Parameters
    ----------
    names : sequence or None
        Names, if there are any.
    n : int
        Number of columns.

    Returns
    -------
    list of str
        The names as text, or ``x0``, ``x1``, ...
    """
    return [str(name) for name in names] if names is not None else [f"x{j}" for j in range(n)]
