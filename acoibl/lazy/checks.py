"""What every estimator of mixed data checks and declares."""

from typing import Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from acoibl.lazy.weights import WEIGHT_SCALES
from acoibl.tables import as_table, unmasked

DATA_CONSTRAINTS: dict = {
    "weight_scale": [StrOptions(set(WEIGHT_SCALES))],
    "missing": [StrOptions({"max", "category", "ignore"})],
    "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
    "n_jobs": [int, np.integer, None],
}


class WeakFitWarning(UserWarning):
    """What was learnt is no better than answering one class."""


def encode_classes(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Class labels and the code of each row.

    Parameters
    ----------
    y : array-like, shape (n_rows,)
        Labels.

    Returns
    -------
    classes : ndarray, shape (n_classes,)
        Sorted labels.
    codes : ndarray of int64, shape (n_rows,)
        Positions in `classes`.

    Raises
    ------
    ValueError
        If labels are missing or continuous.
    TypeError
        If some are text and others are not.
    """
    y = unmasked(y)
    if isinstance(y, list | tuple) and len({isinstance(label, str) for label in y}) > 1:
        y = np.array(y, dtype=object)  # NumPy would turn numbers among them into text
    y = column_or_1d(y, warn=True)
    if pd.isna(y).any():
        row = int(np.flatnonzero(pd.isna(y))[0])
        raise ValueError(f"Input y contains NaN: the class of row {row} is missing")
    if np.asarray(y).dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    if np.asarray(y).dtype == object and len({isinstance(label, str) for label in y}) > 1:
        raise TypeError(
            "the classes in y are of several types, text and others, that have no common order; "
            "make them all text or all numbers"
        )
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int64)


def check_training(estimator: Any, X: Any, y: Any) -> Any:
    """Read a table of training rows, and keep the number and names of its columns.

    Parameters
    ----------
    estimator : estimator
        Gets `n_features_in_`, and `feature_names_in_` if the names are text.
    X : DataFrame or array-like, shape (n_rows, n_features)
        Training rows.
    y : array-like, shape (n_rows,)
        Their classes.

    Returns
    -------
    DataFrame or array-like
        The table, see `acoibl.tables.as_table`.

    Raises
    ------
    ValueError
        If there are no classes.
    """
    X = as_table(X)
    validate_data(estimator, X, y, skip_check_array=True)
    return X


def check_columns(estimator: Any, X: Any) -> Any:
    """Read queries, and check that they have the columns that the estimator was fitted with.

    Parameters
    ----------
    estimator : estimator
        A fitted estimator.
    X : DataFrame or array-like, shape (n_queries, n_features)
        Queries.

    Returns
    -------
    DataFrame or array-like
        The table, see `acoibl.tables.as_table`.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If the estimator is not fitted.
    ValueError
        For other columns, in number or in name, or a single row that is not a table.
    """
    check_is_fitted(estimator)
    X = as_table(X)
    if not isinstance(X, pd.DataFrame) and np.asarray(X).ndim == 1:
        raise ValueError(
            "Expected a table, got a 1D array instead. Reshape your data: X.reshape(1, -1) "
            "if it is one row, X.reshape(-1, 1) if it is one feature"
        )
    validate_data(estimator, X, reset=False, skip_check_array=True)
    return X


def count_threads(n_jobs: int | None) -> int:
    """Threads meant by `n_jobs`, as joblib counts them (None: 1, -1: all cores).

    Parameters
    ----------
    n_jobs : int or None
        Number of jobs.

    Returns
    -------
    int
        Number of threads, at least 1.
    """
    if n_jobs is None:
        return 1
    if n_jobs > 0:
        return int(n_jobs)
    return effective_n_jobs(n_jobs)


class MixedDataMixin:
    """Tags of an estimator that takes mixed columns with missing values."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class MixedDataSelector(MixedDataMixin, SelectorMixin):
    """Feature selector that takes mixed columns with missing values."""

    def transform(self, X: Any) -> Any:
        """Take the selected columns.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray or DataFrame, shape (n_rows, n_selected)
            The selected columns; a DataFrame if `set_output` asks for one.
        """
        return super().transform(as_table(X))
