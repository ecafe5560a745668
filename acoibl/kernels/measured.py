"""Class-weighted distances, measured by rulers, and their gradients in the class weights.

For p = 2 distances and gradients are one matrix product each; for p = 1 loops over the features.
Both go through the queries in blocks of a size that depends on the numbers of rows and columns
only, so that memory is bounded and results do not depend on threads.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.differences import number_difference

_BLOCK_BYTES = 4_000_000
"""Distances of one block of queries; small enough for the cache, large enough for BLAS."""


class Measured(NamedTuple):
    """Queries and rows, measured by rulers; rows sorted by class.

    Attributes
    ----------
    queries : ndarray of float64, shape (n_queries, n_columns)
        Columns of numeric features; NaN where missing.
    rows : ndarray of float64, shape (n_rows, n_columns)
        The same for the rows.
    column_features : ndarray of int64, shape (n_columns,)
        Feature that each column belongs to.
    column_factors : ndarray of float64, shape (n_columns,)
        Factor of each column; those of a feature sum to 1.
    tables : list of ndarray of float64, shape (n_queries, n_categories + 1)
        For each categorical feature the difference (raised to p) of each query from each
        category; the last one from a missing value.
    codes : ndarray of int, shape (n_rows, n_categorical)
        Category codes of the rows; -1 where missing.
    table_features : ndarray of int64, shape (n_categorical,)
        Feature of each table.
    starts : ndarray of int64, shape (n_classes + 1,)
        Rows ``starts[c]:starts[c + 1]`` belong to class c.
    own : ndarray of int64, shape (n_queries,)
        Row that each query must not see, -1 for none.
    n_features : int
        Number of features.
    """

    queries: np.ndarray
    rows: np.ndarray
    column_features: np.ndarray
    column_factors: np.ndarray
    tables: list[np.ndarray]
    codes: np.ndarray
    table_features: np.ndarray
    starts: np.ndarray
    own: np.ndarray
    n_features: int


class SquaredDistances:
    """Weighted squared distances (p = 2) as matrix products.

    Parameters
    ----------
    measured : Measured
        Queries and rows.
    dtype : data-type, default=float64
        Precision of the products.
    """

    def __init__(self, measured: Measured, dtype: type = np.float64):
        features, left, right, query_terms, row_terms = _factors(measured)
        self.starts, self.own = measured.starts, measured.own
        self._features = features
        n_queries, n_rows = len(left), len(measured.rows)
        n_classes, n_columns = len(self.starts) - 1, len(features)
        self._right = right.astype(dtype)
        self._row_terms = row_terms.astype(dtype)
        self._query_terms = query_terms
        # Columns of the product: features, one of ones for the terms of rows, one for each class
        # for the terms of queries.
        self._left: np.ndarray = np.zeros((n_queries, n_columns + 1 + n_classes), dtype=dtype)
        self._left[:, :n_columns] = left
        self._left[:, n_columns] = 1.0
        self._weighted: np.ndarray = np.zeros((n_columns + 1 + n_classes, n_rows), dtype=dtype)
        for c in range(n_classes):
            self._weighted[n_columns + 1 + c, self.starts[c] : self.starts[c + 1]] = 1.0
        self.block = _block_size(n_rows, np.dtype(dtype).itemsize)
        self.dtype = np.dtype(dtype)
        self._buffer: np.ndarray = np.empty((min(self.block, n_queries), n_rows), dtype=dtype)

    def weigh(self, class_weights: np.ndarray) -> None:
        """Put class weights, shape (n_classes, n_features), into the product."""
        n_columns = len(self._features)
        for c in range(len(class_weights)):
            rows = slice(self.starts[c], self.starts[c + 1])
            by_column = class_weights[c, self._features, np.newaxis]
            self._weighted[:n_columns, rows] = by_column * self._right[:, rows]
            self._weighted[n_columns, rows] = class_weights[c] @ self._row_terms[:, rows]
        self._left[:, n_columns + 1 :] = self._query_terms @ class_weights.T

    def distances(self, queries: slice) -> np.ndarray:
        """Distances of a block of queries, shape (n_block, n_rows), own rows infinite."""
        left = self._left[queries]
        out = np.matmul(left, self._weighted, out=self._buffer[: len(left)])
        _leave_out(out, self.own[queries])
        return out

    def gradient(self, queries: slice, slopes: np.ndarray, by_class: np.ndarray) -> np.ndarray:
        """Gradient in the class weights, of slopes in the distances of a block.

        Parameters
        ----------
        queries : slice
            The block.
        slopes : ndarray, shape (n_block, n_rows)
            Slope of the objective in each distance.
        by_class : ndarray, shape (n_block, n_classes)
            Their sums over the rows of each class.

        Returns
        -------
        ndarray of float64, shape (n_classes, n_features)
            Slope in each weight.
        """
        n_columns = len(self._features)
        products = self._left[queries, : n_columns + 1].T @ slopes
        out = by_class.T.astype(np.float64) @ self._query_terms[queries]
        for c in range(len(out)):
            rows = slice(self.starts[c], self.starts[c + 1])
            by_column = np.einsum("kr,kr->k", products[:n_columns, rows], self._right[:, rows])
            out[c] += np.bincount(self._features, weights=by_column, minlength=out.shape[1])
            out[c] += self._row_terms[:, rows] @ products[n_columns, rows]
        return out


class AbsoluteDistances:
    """Weighted sums of absolute differences (p = 1).

    Parameters
    ----------
    measured : Measured
        Queries and rows; its tables hold absolute differences.
    """

    def __init__(self, measured: Measured):
        # Differences of categories are looked up, whatever their power: a product does that.
        self._tables = SquaredDistances(
            measured._replace(
                queries=measured.queries[:, :0],
                rows=measured.rows[:, :0],
                column_features=measured.column_features[:0],
                column_factors=measured.column_factors[:0],
            )
        )
        self.starts, self.own = measured.starts, measured.own
        self.block, self.dtype = self._tables.block, self._tables.dtype
        self._queries = np.ascontiguousarray(measured.queries)
        self._rows = np.ascontiguousarray(measured.rows.T)
        self._features, self._factors = measured.column_features, measured.column_factors
        self._weights = np.empty((0, 0))

    def weigh(self, class_weights: np.ndarray) -> None:
        """Keep class weights, shape (n_classes, n_features)."""
        self._tables.weigh(class_weights)
        self._weights = class_weights[:, self._features] * self._factors

    def distances(self, queries: slice) -> np.ndarray:
        """Distances of a block of queries, shape (n_block, n_rows), own rows infinite."""
        out = self._tables.distances(queries)
        _add_absolute(self._queries[queries], self._rows, self.starts, self._weights, out)
        return out

    def gradient(self, queries: slice, slopes: np.ndarray, by_class: np.ndarray) -> np.ndarray:
        """Gradient in the class weights, see `SquaredDistances.gradient`."""
        out = self._tables.gradient(queries, slopes, by_class)
        by_column = np.zeros_like(self._weights)
        _add_absolute_gradient(self._queries[queries], self._rows, self.starts, slopes, by_column)
        np.add.at(out, (slice(None), self._features), by_column * self._factors)
        return out


Distances = SquaredDistances | AbsoluteDistances


def each_block(
    distances: Distances, class_weights: np.ndarray
) -> Iterator[tuple[slice, np.ndarray]]:
    """Distances under class weights, block by block.

    Parameters
    ----------
    distances : SquaredDistances or AbsoluteDistances
        From queries to rows.
    class_weights : ndarray of float64, shape (n_classes, n_features)
        Positive weights.

    Yields
    ------
    queries : slice
        The block.
    block : ndarray, shape (n_block, n_rows)
        Its distances, overwritten by the next block.
    """
    distances.weigh(class_weights)
    n_queries = len(distances.own)
    for start in range(0, n_queries, distances.block):
        queries = slice(start, min(start + distances.block, n_queries))
        yield queries, distances.distances(queries)


def _block_size(n_rows: int, itemsize: int) -> int:
    return max(16, _BLOCK_BYTES // max(1, n_rows * itemsize))


def _leave_out(distances: np.ndarray, own: np.ndarray) -> None:
    which = np.flatnonzero(own >= 0)
    distances[which, own[which]] = np.inf


def _factors(measured: Measured):
    """Columns of the product: features, left, right, terms of queries, terms of rows."""
    features, left, right = [], [], []
    n_queries, n_rows, n_features = len(measured.own), len(measured.rows), measured.n_features
    query_terms, row_terms = np.zeros((n_queries, n_features)), np.zeros((n_features, n_rows))

    def add(feature, queries, rows):
        features.append(feature)
        left.append(queries)
        right.append(rows)

    for j, (feature, factor) in enumerate(
        zip(measured.column_features, measured.column_factors, strict=True)
    ):
        x, y = measured.queries[:, j], measured.rows[:, j]
        x_there, y_there = ~np.isnan(x), ~np.isnan(y)
        x, y = np.where(x_there, x, 0.0), np.where(y_there, y, 0.0)
        if x_there.all() and y_there.all():
            middle = y.mean()  # differences of large numbers would lose digits
            x, y = x - middle, y - middle
            query_terms[:, feature] += factor * x * x
            row_terms[feature] += factor * y * y
        else:
            row_terms[feature] += factor
            add(feature, x * x, factor * y_there)
            add(feature, x_there.astype(float), factor * (y * y - y_there))
        add(feature, x, -2.0 * factor * y)
    for j, (feature, table) in enumerate(
        zip(measured.table_features, measured.tables, strict=True)
    ):
        codes, missing = measured.codes[:, j], table.shape[1] - 1
        codes = np.where(codes < 0, missing, codes)
        for category in np.unique(codes):
            add(feature, table[:, category], (codes == category).astype(float))
    return (
        np.array(features, dtype=np.int64),
        np.array(left).reshape(len(left), n_queries).T,
        np.array(right).reshape(len(right), n_rows),
        query_terms,
        row_terms,
    )


@njit(cache=True, nogil=True)
def _add_absolute(x, y, starts, w, out):
    for i in range(len(x)):
        for c in range(len(starts) - 1):
            segment = out[i, starts[c] : starts[c + 1]]
            for j in range(len(y)):
                weight, value, column = w[c, j], x[i, j], y[j, starts[c] : starts[c + 1]]
                for s in range(len(segment)):
                    segment[s] += weight * number_difference(value, column[s])


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _add_absolute_gradient(x, y, starts, slopes, out):
    for i in range(len(x)):
        for c in range(len(starts) - 1):
            segment = slopes[i, starts[c] : starts[c + 1]]
            for j in range(len(y)):
                value, column, total = x[i, j], y[j, starts[c] : starts[c + 1]], 0.0
                for s in range(len(segment)):
                    total += segment[s] * number_difference(value, column[s])
                out[c, j] += total
