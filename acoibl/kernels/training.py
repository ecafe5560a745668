"""The arrays that every kernel reads: training rows, queries, weights, the voting rule.

Training rows are sorted by class, so that the rows of one class, which share
one vector of feature weights, are one contiguous run, and they are stored
feature by feature, so that the loop over rows is the one the compiler turns
into vector instructions.
"""

from typing import NamedTuple

import numpy as np

KNN, DNN, GKE = 0, 1, 2


class Training(NamedTuple):
    """Training rows, sorted by class.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_numeric, n_rows)
        Scaled numeric features, one row per feature; NaN where missing. Here and
        in `Queries` no larger than 1e100, so that squares stay finite.
    codes : ndarray of int32, shape (n_categorical, n_rows)
        Category codes; -1 where missing.
    has_missing : ndarray of bool, shape (n_numeric,)
        Which numeric features have a missing value in some row.
    starts : ndarray of int64, shape (n_classes + 1,)
        Rows ``starts[l]:starts[l + 1]`` belong to class ``l``.
    classes : ndarray of int64, shape (n_rows,)
        Class of each sorted row.
    rows : ndarray of int64, shape (n_rows,)
        Position of each sorted row in the table as it was given.
    positions : ndarray of int64, shape (n_rows,)
        Inverse of `rows`: where each given row stands after sorting.
    row_weights : ndarray of float64, shape (n_rows,) or (0,)
        Sample weights; empty when all are 1.
    class_totals : ndarray of float64, shape (n_classes,)
        Number (or total weight) of the rows of each class.
    """

    numeric: np.ndarray
    codes: np.ndarray
    has_missing: np.ndarray
    starts: np.ndarray
    classes: np.ndarray
    rows: np.ndarray
    positions: np.ndarray
    row_weights: np.ndarray
    class_totals: np.ndarray


class Queries(NamedTuple):
    """Rows to be classified.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_queries, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_queries, n_categorical)
        Category codes; -1 where missing, -2 for a category unseen in training.
    own : ndarray of int64, shape (n_queries,)
        Sorted training row to leave out for each query, -1 for none.
    """

    numeric: np.ndarray
    codes: np.ndarray
    own: np.ndarray


class Weights(NamedTuple):
    """Class-based feature weights, split by kind of feature.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_classes, n_numeric)
        Weights of the numeric features.
    categorical : ndarray of float64, shape (n_classes, n_categorical)
        Weights of the categorical features.
    """

    numeric: np.ndarray
    categorical: np.ndarray


class Rule(NamedTuple):
    """How neighbours vote.

    Attributes
    ----------
    kind : int
        0 for k-NN, 1 for d-NN, 2 for the Gaussian kernel estimator.
    include_ties : bool
        k-NN: every row at the k-th smallest distance votes.
    nearest_outlier : bool
        d-NN: with nobody within the radius the nearest row votes; otherwise
        the prior answers.
    ignore_missing : bool
        Leave a feature out where a value is missing, and rescale the sum;
        otherwise a missing value differs by 1 from everything.
    """

    kind: int
    include_ties: bool
    nearest_outlier: bool
    ignore_missing: bool


def make_training(
    numeric: np.ndarray,
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
    row_weights: np.ndarray | None = None,
) -> Training:
    """Sort rows by class and lay them out feature by feature.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.
    classes : ndarray of int, shape (n_rows,)
        Class codes, 0 to `n_classes` - 1.
    n_classes : int
        Number of classes; a class may have no row.
    row_weights : ndarray of float64, shape (n_rows,), optional
        Sample weights.

    Returns
    -------
    Training
        The sorted rows.
    """
    rows = np.argsort(classes, kind="stable").astype(np.int64)
    positions = np.empty_like(rows)
    positions[rows] = np.arange(len(rows))
    sorted_classes = np.ascontiguousarray(classes[rows], dtype=np.int64)
    if row_weights is None:
        sorted_weights = np.empty(0)
        totals = np.bincount(sorted_classes, minlength=n_classes).astype(np.float64)
    else:
        sorted_weights = np.ascontiguousarray(row_weights[rows], dtype=np.float64)
        totals = np.bincount(sorted_classes, weights=sorted_weights, minlength=n_classes)
    columns = np.array(numeric[rows].T, dtype=np.float64, order="C")
    return Training(
        numeric=columns,
        codes=np.array(codes[rows].T, dtype=np.int32, order="C"),
        has_missing=np.isnan(columns).any(axis=1),
        starts=np.searchsorted(sorted_classes, np.arange(n_classes + 1)).astype(np.int64),
        classes=sorted_classes,
        rows=rows,
        positions=positions,
        row_weights=sorted_weights,
        class_totals=totals,
    )


def make_queries(numeric: np.ndarray, codes: np.ndarray, own: np.ndarray | None = None) -> Queries:
    """Lay out the rows that are to be classified.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_queries, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_queries, n_categorical)
        Category codes; -1 where missing, -2 for an unseen category.
    own : ndarray of int, shape (n_queries,), optional
        Sorted training row that each query must not see (leave-one-out).

    Returns
    -------
    Queries
        Contiguous, writeable copies: one compiled version of each kernel serves all.
    """
    if own is None:
        own = np.full(len(numeric), -1)
    return Queries(
        numeric=np.array(numeric, dtype=np.float64, order="C"),
        codes=np.array(codes, dtype=np.int32, order="C"),
        own=np.array(own, dtype=np.int64),
    )


def split_weights(
    class_weights: np.ndarray, numeric_features: np.ndarray, categorical_features: np.ndarray
) -> Weights:
    """Split a table of class-based feature weights by kind of feature.

    Parameters
    ----------
    class_weights : ndarray of float64, shape (n_classes, n_features)
        Weights in the order of the columns.
    numeric_features, categorical_features : ndarray of int
        Which columns are numeric, which are categorical.

    Returns
    -------
    Weights
        Two contiguous blocks.
    """
    return Weights(
        numeric=np.array(class_weights[:, numeric_features], dtype=np.float64, order="C"),
        categorical=np.array(class_weights[:, categorical_features], dtype=np.float64, order="C"),
    )
