"""Votes of rows that have weights of their own."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND
from acoibl.kernels.distances import fill_all
from acoibl.kernels.margins.rows import MarginRows
from acoibl.kernels.training import Queries
from acoibl.kernels.votes import decide, fill_smallest


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
