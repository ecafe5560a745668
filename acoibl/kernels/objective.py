"""How well class weights tell the classes apart: smooth, with gradients.

Every query asks all rows, each with the vote ``exp(-d / 2)`` of its weighted distance d (for
p = 2 the squared one); the scale of the weights is the bandwidth. The votes of each class make a
posterior, which is mixed with a little of the prior, and a loss says how far it is from the truth.

For p = 2 distances and gradients are one matrix product each; for p = 1 loops over the features.
Both go through the queries in blocks of a size that depends on the numbers of rows and columns
only, so that memory is bounded and results do not depend on threads.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

LOSSES = ("log_loss", "brier", "margin")

_MARGIN, _SOFTNESS, _POWER = 0.5, 0.1, 4.0
"""The margin that is aimed at, the width of the bend, and the power mean of the other classes."""

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

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(set(self.column_features.tolist())) + len(self.table_features)


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
        self._left = np.zeros((n_queries, n_columns + 1 + n_classes), dtype=dtype)
        self._left[:, :n_columns] = left
        self._left[:, n_columns] = 1.0
        self._weighted = np.zeros((n_columns + 1 + n_classes, n_rows), dtype=dtype)
        for c in range(n_classes):
            self._weighted[n_columns + 1 + c, self.starts[c] : self.starts[c + 1]] = 1.0
        self.block = _block_size(n_rows, np.dtype(dtype).itemsize)
        self._buffer = np.empty((min(self.block, n_queries), n_rows), dtype=dtype)

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
    """Weighted sums of absolute differences (p = 1), feature by feature.

    Parameters
    ----------
    measured : Measured
        Queries and rows; its tables hold absolute differences.
    """

    def __init__(self, measured: Measured):
        self.starts, self.own = measured.starts, measured.own
        self._queries = np.ascontiguousarray(measured.queries)
        self._rows = np.ascontiguousarray(measured.rows.T)
        self._column_features = measured.column_features
        self._factors = measured.column_factors
        sizes = [table.shape[1] for table in measured.tables]
        self._table_starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self._tables = np.hstack([np.empty((len(self._queries), 0)), *measured.tables])
        codes = measured.codes.T
        last = np.array(sizes, dtype=np.int64).reshape(-1, 1) - 1
        self._codes = np.ascontiguousarray(np.where(codes < 0, last, codes), dtype=np.int64)
        self._table_features = measured.table_features
        n_rows = len(measured.rows)
        self.block = _block_size(n_rows, 8)
        self._buffer = np.empty((min(self.block, len(self._queries)), n_rows))
        self._class_weights = np.empty((0, 0))

    def weigh(self, class_weights: np.ndarray) -> None:
        """Keep class weights, shape (n_classes, n_features)."""
        self._class_weights = np.ascontiguousarray(class_weights, dtype=np.float64)

    def distances(self, queries: slice) -> np.ndarray:
        """Distances of a block of queries, shape (n_block, n_rows), own rows infinite."""
        part = self._queries[queries]
        out = self._buffer[: len(part)]
        _fill_absolute(
            part,
            self._rows,
            self._column_features,
            self._factors,
            self._tables[queries],
            self._table_starts,
            self._codes,
            self._table_features,
            self.starts,
            self._class_weights,
            out,
        )
        _leave_out(out, self.own[queries])
        return out

    def gradient(self, queries: slice, slopes: np.ndarray, by_class: np.ndarray) -> np.ndarray:
        """Gradient in the class weights, see `SquaredDistances.gradient`."""
        out = np.zeros_like(self._class_weights)
        _add_absolute_gradient(
            self._queries[queries],
            self._rows,
            self._column_features,
            self._factors,
            self._tables[queries],
            self._table_starts,
            self._codes,
            self._table_features,
            self.starts,
            slopes,
            out,
        )
        return out


Distances = SquaredDistances | AbsoluteDistances


class Objective:
    """Mean loss of the kernel posteriors, and its gradient in the class weights.

    Parameters
    ----------
    distances : SquaredDistances or AbsoluteDistances
        From queries to rows.
    targets : ndarray of int, shape (n_queries,)
        True class of each query.
    loss : {"log_loss", "brier", "margin"}, default="log_loss"
        With M the mixed posterior and y the true class: ``-log M_y``; ``sum_c (M_c - [c = y])^2``;
        or a soft hinge ``s log(1 + exp((g - r) / s))`` of the margin r between M_y and the power
        mean (power 4) of the others, g = 0.5, s = 0.1.
    mix : float, default=0.02
        Share of the prior in the mixed posterior.
    row_weights : ndarray of float64, shape (n_rows,), optional
        Sample weights of the rows: factors of their votes.
    query_weights : ndarray of float64, shape (n_queries,), optional
        Sample weights of the queries in the mean.

    Attributes
    ----------
    prior : ndarray of float64, shape (n_classes,)
        Shares of the classes among the rows.
    """

    def __init__(
        self,
        distances: Distances,
        targets: np.ndarray,
        *,
        loss: str = "log_loss",
        mix: float = 0.02,
        row_weights: np.ndarray | None = None,
        query_weights: np.ndarray | None = None,
    ):
        self._distances, self._targets = distances, np.asarray(targets)
        self._loss, self._mix = loss, mix
        starts = distances.starts
        self._occupied = np.flatnonzero(np.diff(starts))
        if row_weights is None:
            self._row_weights, totals = None, np.diff(starts).astype(np.float64)
        else:
            self._row_weights = row_weights.astype(distances._buffer.dtype)
            sums = np.concatenate([[0.0], np.cumsum(row_weights)])
            totals = sums[starts[1:]] - sums[starts[:-1]]
        self.prior = totals / totals.sum()
        weights = np.ones(len(self._targets)) if query_weights is None else query_weights
        self._query_weights = weights / weights.sum()

    def value(self, class_weights: np.ndarray) -> float:
        """Mean loss.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights; the bandwidth is in their scale.

        Returns
        -------
        float
            The mean over the queries.
        """
        total = 0.0
        for queries, _, sums in self._blocks(class_weights):
            losses, _ = self._judge(sums, self._targets[queries])
            total += float(losses @ self._query_weights[queries])
        return total

    def scaled_values(self, class_weights: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Mean loss for several scales of the same weights, from one pass over the distances.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.
        factors : ndarray of float64, shape (n_factors,)
            What all weights are multiplied by.

        Returns
        -------
        ndarray of float64, shape (n_factors,)
            ``value(factor * class_weights)`` for each factor.
        """
        out = np.zeros(len(factors))
        for queries, distances in each_block(self._distances, class_weights):
            for f, factor in enumerate(factors):
                sums = self._sum_votes(distances * factor)[1]
                losses, _ = self._judge(sums, self._targets[queries])
                out[f] += float(losses @ self._query_weights[queries])
        return out

    def value_and_gradient(self, class_weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Mean loss, and its slope in each weight.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.

        Returns
        -------
        value : float
            As from `value`.
        gradient : ndarray of float64, shape (n_classes, n_features)
            Slopes.
        """
        total, gradient = 0.0, np.zeros(class_weights.shape)
        starts = self._distances.starts
        for queries, votes, sums in self._blocks(class_weights):
            losses, by_posterior = self._judge(sums, self._targets[queries])
            weights = self._query_weights[queries]
            total += float(losses @ weights)
            everybody = sums.sum(axis=1, keepdims=True)
            posteriors = sums / everybody
            # d = distance: the votes have slope -votes / 2, the posterior is sums / everybody.
            mean = (posteriors * by_posterior).sum(axis=1, keepdims=True)
            by_sum = (by_posterior - mean) * (-0.5 * weights[:, np.newaxis] / everybody)
            for c in self._occupied:
                votes[:, starts[c] : starts[c + 1]] *= by_sum[:, c : c + 1].astype(votes.dtype)
            gradient += self._distances.gradient(queries, votes, by_sum * sums)
        return total, gradient

    def posteriors(self, class_weights: np.ndarray) -> np.ndarray:
        """Posterior of every query, not mixed with the prior.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Shares that sum to 1.
        """
        out = np.empty((len(self._targets), len(self.prior)))
        for queries, _, sums in self._blocks(class_weights):
            out[queries] = sums / sums.sum(axis=1, keepdims=True)
        return out

    def _blocks(self, class_weights):
        """For each block of queries the votes of rows, and their sums by class."""
        for queries, distances in each_block(self._distances, class_weights):
            yield queries, *self._sum_votes(distances)

    def _sum_votes(self, distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Votes of the rows, in place of their distances, and the sums of each class."""
        votes = gaussian_votes(distances)
        if self._row_weights is not None:
            votes *= self._row_weights
        return votes, sums_by_class(votes, self._distances.starts)

    def _judge(self, sums: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Losses (n,), and their slopes (n, n_classes) in the posterior."""
        keep, rows = 1.0 - self._mix, np.arange(len(sums))
        mixed = keep * sums / sums.sum(axis=1, keepdims=True) + self._mix * self.prior
        slopes = np.zeros_like(mixed)
        if self._loss == "log_loss":
            losses = -np.log(mixed[rows, targets])
            slopes[rows, targets] = -keep / mixed[rows, targets]
            return losses, slopes
        if self._loss == "brier":
            gaps = mixed.copy()
            gaps[rows, targets] -= 1.0
            return (gaps * gaps).sum(axis=1), 2.0 * keep * gaps
        others = mixed.copy()
        others[rows, targets] = 0.0
        rival = (others**_POWER).sum(axis=1) ** (1.0 / _POWER)
        pull = (_MARGIN - mixed[rows, targets] + rival) / _SOFTNESS
        losses = _SOFTNESS * np.logaddexp(0.0, pull)
        share = keep * np.exp(-np.logaddexp(0.0, -pull))
        slopes = share[:, np.newaxis] * (others / np.maximum(rival, 1e-300)[:, np.newaxis]) ** 3
        slopes[rows, targets] = -share
        return losses, slopes


def each_block(distances: Distances, class_weights: np.ndarray):
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


def sums_by_class(votes: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sums over the rows of each class.

    Parameters
    ----------
    votes : ndarray, shape (n_queries, n_rows)
        Votes of rows that are sorted by class.
    starts : ndarray of int64, shape (n_classes + 1,)
        Where each class begins.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_classes)
        The sums; 0 for a class without rows.
    """
    out = np.zeros((len(votes), len(starts) - 1))
    occupied = np.flatnonzero(np.diff(starts))
    out[:, occupied] = np.add.reduceat(votes, starts[occupied], axis=1)
    return out


def gaussian_votes(distances: np.ndarray) -> np.ndarray:
    """Votes ``exp(-d / 2)`` relative to the nearest row's, in place.

    Parameters
    ----------
    distances : ndarray, shape (n_queries, n_rows)
        Distances; overwritten.

    Returns
    -------
    ndarray, shape (n_queries, n_rows)
        The votes; the largest of each query is 1.
    """
    distances -= distances.min(axis=1, keepdims=True)
    distances *= -0.5
    return np.exp(distances, out=distances)


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
def _fill_absolute(x, y, column_features, factors, tables, firsts, codes, features, starts, w, out):
    for i in range(len(x)):
        for c in range(len(starts) - 1):
            segment = out[i, starts[c] : starts[c + 1]]
            segment[:] = 0.0
            for j in range(len(column_features)):
                weight, value = w[c, column_features[j]] * factors[j], x[i, j]
                column = y[j, starts[c] : starts[c + 1]]
                for s in range(len(segment)):
                    gap = abs(value - column[s])
                    segment[s] += weight * (1.0 if np.isnan(gap) else gap)
            for j in range(len(features)):
                weight = w[c, features[j]]
                table = tables[i, firsts[j] : firsts[j + 1]]
                column = codes[j, starts[c] : starts[c + 1]]
                for s in range(len(segment)):
                    segment[s] += weight * table[column[s]]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def _add_absolute_gradient(
    x, y, column_features, factors, tables, firsts, codes, features, starts, slopes, out
):
    for i in range(len(x)):
        for c in range(len(starts) - 1):
            segment = slopes[i, starts[c] : starts[c + 1]]
            for j in range(len(column_features)):
                value, total = x[i, j], 0.0
                column = y[j, starts[c] : starts[c + 1]]
                for s in range(len(segment)):
                    gap = abs(value - column[s])
                    total += segment[s] * (1.0 if np.isnan(gap) else gap)
                out[c, column_features[j]] += factors[j] * total
            for j in range(len(features)):
                table, total = tables[i, firsts[j] : firsts[j + 1]], 0.0
                column = codes[j, starts[c] : starts[c + 1]]
                for s in range(len(segment)):
                    total += segment[s] * table[column[s]]
                out[c, features[j]] += total
