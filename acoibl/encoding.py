"""From a table to numbers: the one place where input is converted.

Numeric features are scaled to [0, 1] with the extremes of the training rows;
categories become integer codes; missing values are marked. Every error names
the column that caused it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, check_is_fitted

_MISSING, _UNSEEN = -1, -2
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
        whose dtype is category, string, bool or object with text (in an object
        array: those that hold text); None: no column; otherwise a boolean
        mask, positions, or column names.
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

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl import MixedEncoder
    >>> X = pd.DataFrame({"size": [1.0, 3.0, 5.0], "colour": ["red", "blue", "red"]})
    >>> data = MixedEncoder().fit(X).transform(X)
    >>> data.numeric.ravel().tolist(), data.codes.ravel().tolist()
    ([0.0, 0.5, 1.0], [1, 0, 1])
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
        """
        columns, names, numeric = self._read(X)
        if self.missing not in ("max", "category", "ignore"):
            raise ValueError(f"missing must be 'max', 'category' or 'ignore', got {self.missing!r}")
        self.n_features_in_ = len(names)
        if isinstance(X, pd.DataFrame):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.is_categorical_ = np.zeros(len(names), dtype=bool)
        self.categories_ = []
        if numeric is None:
            self.is_categorical_ = self._kinds(columns, names)
            self.categories_ = [
                _categories(columns[place], names[place])
                for place in np.flatnonzero(self.is_categorical_)
            ]
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
            Rows with the columns of the training table, in the same order.

        Returns
        -------
        EncodedData
            Scaled values, which may leave [0, 1] for rows unseen in training
            (by no more than 1e100, so that squares stay finite), and category
            codes. A feature that is constant in training is 0.

        Raises
        ------
        ValueError
            If the number of columns differs, or a value cannot be read.
        """
        check_is_fitted(self)
        columns, names, numeric = self._read(X, plain=not self.is_categorical_.any())
        if len(names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(names)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
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
        for j, place in enumerate(places):
            codes[:, j] = self._codes(columns[place], names[place], self.categories_[j])
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

    def _codes(self, column: pd.Series, name: Any, categories: np.ndarray) -> np.ndarray:
        missing = column.isna().to_numpy()
        values = column.astype(object).to_numpy()
        try:
            codes = pd.Index(categories, dtype=object).get_indexer(pd.Index(values, dtype=object))
        except TypeError as error:
            raise TypeError(_not_hashable(name)) from error
        codes = np.where(codes < 0, _UNSEEN, codes)
        as_category = self.missing == "category"
        return np.where(missing, len(categories) if as_category else _MISSING, codes)

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
            return np.array([_holds_categories(column) for column in columns], dtype=bool)
        chosen = np.asarray(chosen)
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
        return np.isin(np.asarray(names, dtype=object), chosen.astype(object))


def _columns(X: Any) -> tuple[list[pd.Series], list]:
    """Columns as pandas Series, and what to call them."""
    if hasattr(X, "to_pandas"):  # polars, pyarrow
        try:
            X = X.to_pandas()
        except ModuleNotFoundError as error:
            raise ImportError(
                f"a {type(X).__module__} table needs the package {error.name!r} to be read; "
                "install it, or pass a pandas DataFrame"
            ) from error
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


def _holds_categories(column: pd.Series) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype) or pd.api.types.is_bool_dtype(dtype):
        return True
    if pd.api.types.is_object_dtype(dtype):
        return any(isinstance(value, str | bool | np.bool_) for value in column[column.notna()])
    return pd.api.types.is_string_dtype(dtype)


def _categories(column: pd.Series, name: Any) -> np.ndarray:
    values = column[column.notna()].astype(object)
    try:
        unique = pd.unique(values)
    except TypeError as error:
        raise TypeError(_not_hashable(name)) from error
    # Sorted by text: any mixture of types has an order, and it does not depend on that of the rows.
    ordered = sorted(unique, key=lambda value: (str(value), str(type(value))))
    out = np.empty(len(ordered), dtype=object)
    out[:] = ordered
    return out


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


def _not_hashable(name: Any) -> str:
    return (
        f"{_called(name)} holds values that cannot be categories (lists, dicts, ...); "
        "the argument must be a string or a number"
    )


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
