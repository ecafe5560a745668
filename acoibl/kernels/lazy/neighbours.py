"""The k nearest training rows of each query, in the order of (distance, row)."""

import numpy as np

from acoibl.kernels.distances import squared_distance_matrix
from acoibl.kernels.nearest import fill_nearest
from acoibl.kernels.training import Queries, Training, Weights

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
        here = rows[start : start + step]
        fill_nearest(squared, here)
        distances[start : start + step] = np.sqrt(np.take_along_axis(squared, here, axis=1))
    return distances, rows
