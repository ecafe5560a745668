"""Margins of rows: nearest hits and misses, margin vectors, and the weights that Simba makes."""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.distances import fill_all
from acoibl.kernels.margin_walk import CELLS, LEAST, MOST, NOBODY, fill_differences, walk
from acoibl.kernels.training import BEYOND, Queries, Training, make_training
from acoibl.kernels.votes import decide, fill_smallest


class MarginRows(NamedTuple):
    """Training rows, sorted by class, row by row and feature by feature.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.
    spans : ndarray of float64, shape (n_numeric,)
        Largest difference of two rows in each numeric feature.
    training : Training
        The same rows feature by feature, and their classes.
    """

    numeric: np.ndarray
    codes: np.ndarray
    spans: np.ndarray
    training: Training

    @property
    def is_plain(self) -> bool:
        """Whether all features are numbers without a missing value."""
        return self.codes.shape[1] == 0 and not self.training.has_missing.any()


def make_rows(
    numeric: np.ndarray,
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
) -> MarginRows:
    """Sort rows by class.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.
    classes : ndarray of int, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.

    Returns
    -------
    MarginRows
        The sorted rows. In `numeric`, not in `training`, plain numbers are moved so that each
        feature has mean 0, which changes no difference and makes products exact to more digits.
    """
    training = make_training(numeric, codes, classes, n_classes)
    sorted_numeric = np.array(numeric[training.rows], dtype=np.float64, order="C")
    if codes.shape[1] == 0 and not training.has_missing.any() and len(sorted_numeric):
        sorted_numeric -= sorted_numeric.mean(axis=0)
    present = np.where(np.isnan(sorted_numeric), 0.0, sorted_numeric)
    return MarginRows(
        numeric=sorted_numeric,
        codes=np.array(codes[training.rows], dtype=np.int32, order="C"),
        spans=np.ptp(present, axis=0) if len(present) else np.empty(0),
        training=training,
    )


def nearest_pairs(rows: MarginRows, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearest hit and nearest miss of every row.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    weights : ndarray of float64, shape (n_features,)
        Feature weights w, numeric ones first; the distance is ``sqrt(sum w**2 * diff**2)``.

    Returns
    -------
    hits, misses : ndarray of int64, shape (n_rows,)
        By sorted row, the sorted rows nearest to it; of those whose squared distance is at most
        1 + 1e-9 times the smallest, the one that was given first; -1 where there is none.
    """
    sequence = np.arange(len(rows.numeric))
    # A step of 0 moves no weight.
    return walk(rows, sequence, np.zeros(len(sequence)), np.array(weights, dtype=np.float64))


def margin_pass(rows: MarginRows, sequence: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Move feature weights from 1 along the margins of rows, one after the other.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    sequence : ndarray of int, shape (n_steps,)
        Sorted rows in the order in which they are taken.
    steps : ndarray of float64, shape (n_steps,)
        Size of each step (omega of the row).

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Weights after the last step, numeric ones first.
    """
    weights = np.ones(rows.numeric.shape[1] + rows.codes.shape[1])
    walk(rows, np.asarray(sequence, dtype=np.int64), np.asarray(steps, dtype=float), weights)
    return weights


def margin_vectors(rows: MarginRows, hits: np.ndarray, misses: np.ndarray) -> np.ndarray:
    """What each feature contributes to the margin of each row.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    hits, misses : ndarray of int64, shape (n_rows,)
        As from `nearest_pairs`.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)
        ``|x - miss| - |x - hit|`` by sorted row; a missing hit or miss contributes 0.
    """
    out = np.zeros((len(hits), rows.numeric.shape[1] + rows.codes.shape[1]))
    _add_differences(rows.numeric, rows.codes, misses, 1.0, out)
    _add_differences(rows.numeric, rows.codes, hits, -1.0, out)
    return out


def mean_distances(vectors: np.ndarray) -> np.ndarray:
    """Mean Euclidean distance of each vector to all others.

    Parameters
    ----------
    vectors : ndarray of float64, shape (n_rows, n_features)
        Vectors.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        Means; vectors that are equal to twelve digits of their squared length are at distance 0.
    """
    centred = vectors - vectors.mean(axis=0)
    lengths = np.einsum("ij,ij->i", centred, centred)
    n = len(centred)
    totals = np.zeros(n)
    size = max(LEAST, min(MOST, CELLS // max(n, 1)))
    for start in range(0, n, size):  # the upper triangle
        products = centred[start : start + size] @ centred[start:].T
        _add_roots(products, lengths, start, totals)
    return totals / max(n - 1, 1)


def weighted_votes(
    queries: Queries,
    rows: MarginRows,
    weights: np.ndarray,
    omegas: np.ndarray,
    k: int,
    strict: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Votes of the k nearest rows, each with its own weight (Algorithm 2).

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    rows : MarginRows
        Training rows.
    weights : ndarray of float64, shape (n_features,)
        Feature weights w, numeric ones first.
    omegas : ndarray of float64, shape (n_rows,)
        Weight of each sorted row, not negative.
    k : int
        Number of neighbours.
    strict : bool
        Exactly k rows vote, of equally near ones the first given; otherwise all rows at the k-th
        smallest distance. Squared distances whose ratio is at most 1 + 1e-9 are equal.

    Returns
    -------
    votes : ndarray of float64, shape (n_queries, n_classes)
        Sums of weights.
    winners : ndarray of int64, shape (n_queries,)
        Class with most votes; of equals that of the nearest row, then the smaller one.
    """
    votes = np.zeros((len(queries.own), len(rows.training.class_totals)))
    winners = np.empty(len(votes), dtype=np.int64)
    squared = (weights * weights).reshape(1, -1)
    k = min(k, len(rows.numeric))
    _vote(queries, rows.training, squared, omegas, k, strict, votes, winners)
    return votes, winners


@njit(cache=True, nogil=True)
def _vote(queries, training, squared, omegas, k, strict, votes, winners):
    n, n_numeric = len(training.rows), len(training.numeric)
    line, smallest, all_rows = np.empty(n), np.empty(k), np.array([0, n])
    for i in range(len(votes)):
        fill_all(
            queries.numeric[i],
            queries.codes[i],
            all_rows,
            training.numeric,
            training.has_missing,
            training.codes,
            squared[:, :n_numeric],
            squared[:, n_numeric:],
            line,
        )
        fill_smallest(line, smallest)
        low, high = smallest[k - 1] / BEYOND, smallest[k - 1] * BEYOND
        left = k
        for s in range(n):
            if line[s] < low or (line[s] <= high and not strict):
                votes[i, training.classes[s]] += omegas[s]
                left -= 1
        for row in range(n):
            s = training.positions[row]
            if strict and left > 0 and low <= line[s] <= high:
                votes[i, training.classes[s]] += omegas[s]
                left -= 1
        winners[i] = decide(line, training, votes[i])


@njit(cache=True, nogil=True)
def _add_differences(numeric, codes, others, sign, out):
    differences = np.empty(out.shape[1])
    for s in range(len(others)):
        if others[s] != NOBODY:
            fill_differences(numeric, codes, s, others[s], differences)
            for j in range(out.shape[1]):
                out[s, j] += sign * differences[j]


@njit(cache=True, nogil=True)
def _add_roots(products, lengths, start, totals):
    """Distances of rows `start`, ... to themselves and all later rows, added to both."""
    size, n = products.shape
    for i in range(size):
        own, total = lengths[start + i], 0.0
        line = products[i]
        for s in range(n):
            scale = own + lengths[start + s]
            square = scale - 2.0 * line[s]
            line[s] = np.sqrt(square) if square > 1e-12 * scale else 0.0
        for s in range(size):
            total += line[s] if s != i else 0.0
        for s in range(size, n):
            total += line[s]
            totals[start + s] += line[s]
        totals[start + i] += total
