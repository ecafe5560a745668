"""Squared distances as a matrix product, to be confirmed exactly where it matters.

``w (x - y)^2 = w x^2 + w y^2 - 2 w x y``: with one column per numeric
feature, one per category, and a few more where values are missing, the
squared distances of a block of queries to all training rows are

    ``offset[query, class of the row] + constant[row] + (left @ right)[query, row]``

and only `right` and `constant` depend on the weights of a candidate. A matrix
product in single precision is several times faster than the sum itself, and
its error has a bound, `Product.error`; the kernels that use it never decide
anything that lies within that bound.
"""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import MISSING_CODE
from acoibl.kernels.training import Queries, Training, Weights

_EPSILON = float(np.finfo(np.float32).eps)

_UNDERFLOW = 2.0 * float(np.finfo(np.float32).smallest_normal)
"""What a factor and its product may lose below the normal numbers, even if flushed to zero."""

_LARGEST = 1e20
"""Distances beyond are left open: the inverse cube of one, too, must be a normal number."""

BYTES_PER_CELL = 24
"""Peak memory of the preparation for each column and each query or row, about (measured)."""


class Expansion(NamedTuple):
    """Columns of the product, fixed by the rows alone.

    Attributes
    ----------
    features : ndarray of int64, shape (n_columns,)
        Which feature a column belongs to (numeric features first).
    left : ndarray of float64, shape (n_queries, n_columns)
        Factors of the queries.
    right : ndarray of float64, shape (n_columns, n_rows)
        Factors of the training rows, to be multiplied by the weights.
    query_terms : ndarray of float64, shape (n_queries, n_features)
        Terms that depend on the query and the weights.
    row_terms : ndarray of float64, shape (n_features, n_rows)
        Terms that depend on the training row and the weights.
    """

    features: np.ndarray
    left: np.ndarray
    right: np.ndarray
    query_terms: np.ndarray
    row_terms: np.ndarray


class Product(NamedTuple):
    """The product for one candidate.

    Attributes
    ----------
    right : ndarray of float32, shape (n_columns + 1, n_rows)
        Right factor; its last row holds the constants of the rows.
    offsets : ndarray of float32, shape (n_queries, n_classes)
        To be added to the product, by class of the training row.
    error : ndarray of float64, shape (n_queries,)
        Bound of the absolute error of any squared distance of the query.
    """

    right: np.ndarray
    offsets: np.ndarray
    error: np.ndarray


def count_columns(training: Training) -> int:
    """Number of columns that `expand` would need for leave-one-out.

    Parameters
    ----------
    training : Training
        The rows.

    Returns
    -------
    int
        Columns, without the one for constants.
    """
    numeric = np.where(training.has_missing, 3, 1).sum()
    categories = training.codes.max(axis=1, initial=-1) + 1
    return int(numeric + np.where(_is_binary(training), 1, categories).sum())


def expand(queries: Queries, training: Training) -> Expansion:
    """Lay out rows and queries as factors of a matrix product.

    Missing values count as a difference of 1 (``missing="max"``).

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows to measure to.

    Returns
    -------
    Expansion
        The factors.
    """
    n_numeric, n_categorical = len(training.numeric), len(training.codes)
    n_queries, n_rows = len(queries.own), len(training.rows)
    query_terms = np.zeros((n_queries, n_numeric + n_categorical))
    row_terms = np.zeros((n_numeric + n_categorical, n_rows))
    columns: list[tuple[int, np.ndarray, np.ndarray]] = []
    for j in range(n_numeric):
        x, y = queries.numeric[:, j], training.numeric[j]
        if training.has_missing[j] or np.isnan(x).any():
            x_there, y_there = ~np.isnan(x), ~np.isnan(y)
            x, y = np.where(x_there, x, 0.0), np.where(y_there, y, 0.0)
            columns.append((j, x * x, y_there.astype(float)))
            columns.append((j, x_there.astype(float), y * y - y_there))
            row_terms[j] = 1.0
        else:
            query_terms[:, j], row_terms[j] = x * x, y * y
        columns.append((j, x, -2.0 * y))
    binary = _is_binary(training) & np.isin(queries.codes, (0, 1)).all(axis=0)
    for j in range(n_categorical):
        feature = n_numeric + j
        x, y = queries.codes[:, j], training.codes[j]
        if binary[j]:
            query_terms[:, feature], row_terms[feature] = x, y
            columns.append((feature, x.astype(float), -2.0 * y))
            continue
        row_terms[feature] = 1.0
        for category in range(y.max(initial=-1) + 1):
            columns.append((feature, (x == category).astype(float), -(y == category).astype(float)))
    return Expansion(
        features=np.array([feature for feature, _, _ in columns], dtype=np.int64),
        left=np.array([left for _, left, _ in columns]).reshape(len(columns), n_queries).T.copy(),
        right=np.array([right for _, _, right in columns]).reshape(len(columns), n_rows),
        query_terms=query_terms,
        row_terms=row_terms,
    )


class ProductBuilder:
    """Puts the weights of one candidate after the other into the product.

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows to measure to.

    Attributes
    ----------
    left : ndarray, shape (n_queries, n_columns + 1)
        Left factor, with a column of ones that picks up the constants.
    reaches : bool
        Whether the precision reached for all queries of the last candidate.
    """

    def __init__(self, queries: Queries, training: Training):
        features, left, factors, query_terms, row_terms = expand(queries, training)
        self._terms = features, factors, query_terms, row_terms
        self._starts = training.starts
        with np.errstate(over="ignore"):  # such queries get an infinite error, see `weigh`
            left = np.hstack([left, np.ones((len(left), 1))]).astype(np.float32)
        self.left = np.ascontiguousarray(left)
        self._reach = np.abs(self.left).max(axis=1, initial=1.0).astype(np.float64)
        self._sizes = np.abs(factors).max(axis=1, initial=0.0)
        self._term_sizes = np.abs(row_terms).max(axis=1, initial=0.0)
        self.reaches = True
        n_classes = len(training.class_totals)
        self._product = Product(
            right=np.empty((len(self._sizes) + 1, len(training.rows)), dtype=np.float32),
            offsets=np.empty((len(left), n_classes), dtype=np.float32),
            error=np.empty(len(left)),
        )

    def weigh(self, weights: Weights) -> Product:
        """Put the weights of a candidate into the right factor.

        Parameters
        ----------
        weights : Weights
            Class-based feature weights.

        Returns
        -------
        Product
            Right factor, offsets, and the bound of the error, infinite where
            the precision does not reach: arrays that the next call overwrites.
        """
        self.reaches = _fill_product(
            *self._terms,
            self._sizes,
            self._term_sizes,
            self._reach,
            self._starts,
            weights.numeric,
            weights.categorical,
            *self._product,
        )
        return self._product


@njit(cache=True, nogil=True)
def _fill_product(
    features,
    factors,
    query_terms,
    row_terms,
    sizes,
    term_sizes,
    reach,
    starts,
    numeric,
    categorical,
    right,
    offsets,
    error,
):
    n_numeric, n_features, n_columns = numeric.shape[1], len(row_terms), len(factors)
    weights, constants = np.empty(n_features), np.empty(right.shape[1])
    largest = 0.0
    error[:] = 0.0
    for label in range(len(numeric)):
        for j in range(n_features):
            weights[j] = numeric[label, j] if j < n_numeric else categorical[label, j - n_numeric]
        start, stop = starts[label], starts[label + 1]
        size = 0.0
        for c in range(n_columns):
            weight = weights[features[c]]
            size += weight * sizes[c]
            source, target = factors[c, start:stop], right[c, start:stop]
            for s in range(len(source)):
                target[s] = weight * source[s]
        total, target = constants[start:stop], right[n_columns, start:stop]
        total[:] = 0.0
        for j in range(n_features):
            weight, terms = weights[j], row_terms[j, start:stop]
            size += weight * term_sizes[j]
            for s in range(len(terms)):
                total[s] += weight * terms[s]
        for s in range(len(total)):
            target[s] = total[s]
        largest = max(largest, size)
        for i in range(len(offsets)):
            offset, terms = 0.0, query_terms[i]
            for j in range(n_features):
                offset += weights[j] * terms[j]
            offsets[i, label] = offset
            error[i] = max(error[i], offset)
    # No partial sum exceeds `size`; each of its n terms is rounded at most n + 3 times, by half
    # an epsilon: the other half covers what double precision rounds, here and in `direct`.
    n_roundings = len(right) + 3
    reaches = True
    for i in range(len(error)):
        size = error[i] + reach[i] * largest
        bound = n_roundings * (_EPSILON * size + _UNDERFLOW * reach[i])
        error[i] = bound if size < _LARGEST else np.inf
        reaches &= size < _LARGEST
    return reaches


def _is_binary(training: Training) -> np.ndarray:
    """Categorical features with codes 0 and 1 only: one column, as if they were numbers."""
    codes = training.codes
    return (codes.max(axis=1, initial=0) <= 1) & (codes.min(axis=1, initial=0) > MISSING_CODE)
