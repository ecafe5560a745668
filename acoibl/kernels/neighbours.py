"""The k nearest training rows of each query, in the order of (distance, row)."""

import numpy as np

from acoibl.kernels.distances import squared_distance_matrix
from acoibl.kernels.training import BEYOND, Queries, Training, Weights

_BLOCK_ENTRIES = 4_000_000


def nearest_rows(
    queries: Queries, training: Training, weights: Weights, ignore_missing: bool, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest rows and their distances.

    Parameters
    ----------
    queries, training, weights
        As for `acoibl.kernels.predict_codes`.
    ignore_missing : bool
        Leave missing features out instead of counting them as a difference of 1.
    k : int
        Number of rows, at most the number of training rows that a query may see.

    Returns
    -------
    distances : ndarray of float64, shape (n_queries, k)
        Distances (not squared), ascending up to the tolerance `BEYOND`.
    rows : ndarray of int64, shape (n_queries, k)
        Positions in the table as it was given; equal distances in row order.
    """
    n = len(queries.own)
    distances = np.empty((n, k))
    rows = np.empty((n, k), dtype=np.int64)
    step = max(1, _BLOCK_ENTRIES // max(1, len(training.rows)))
    for start in range(0, n, step):
        block = Queries(*(part[start : start + step] for part in queries))
        squared = squared_distance_matrix(block, training, weights, ignore_missing)
        left_out = np.flatnonzero(block.own >= 0)
        squared[left_out, training.rows[block.own[left_out]]] = np.inf
        for i, line in enumerate(squared, start):
            limit = np.partition(line, k - 1)[k - 1]
            near = np.flatnonzero(line <= limit * BEYOND)
            order = near[np.argsort(_merge_equal(line[near]), kind="stable")][:k]
            rows[i] = order
            distances[i] = np.sqrt(line[order])
    return distances, rows


def _merge_equal(squared: np.ndarray) -> np.ndarray:
    """Replace runs of squared distances equal to their smallest by that smallest."""
    order = np.argsort(squared, kind="stable")
    merged = squared.copy()
    first = -1.0
    for s in order:
        if squared[s] > first * BEYOND:
            first = squared[s]
        merged[s] = first
    return merged
