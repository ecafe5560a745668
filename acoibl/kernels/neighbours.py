"""The k nearest training rows of each query, in the order of (distance, row)."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.distances import squared_distance_matrix
from acoibl.kernels.training import BEYOND, EQUAL, Queries, Training, Weights

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


@njit(cache=True, nogil=True)
def order_rows(distances, n):
    """Order the nearest rows; return at least `n` of them, and how many of these are sure.

    Ascending; the nearest of what is left and its equals come next, in the order of the rows.
    Where a farther row is equal to the last of these, though not to the first, another would be
    the nearest in a selection without the first. The order is sure, in any selection, before that.
    """
    # Three times: the equals of the n-th, theirs, and a little room for rounding.
    limit = np.partition(distances, n - 1)[n - 1] * (1.0 + 3.0 * EQUAL)
    near = np.flatnonzero(distances <= limit)
    order = np.argsort(distances[near], kind="mergesort")
    ascending = distances[near[order]]
    n_sure, start = -1, 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and ascending[stop] <= ascending[start] * BEYOND:
            stop += 1
        if n_sure < 0 and stop < len(order):
            n_sure = start if ascending[stop] <= ascending[stop - 1] * BEYOND else -1
        order[start:stop].sort()
        start = stop
    return near[order], len(order) if n_sure < 0 else n_sure


@njit(cache=True, nogil=True)
def fill_nearest(distances, places):
    """Fill `places` (n_queries, k) with the nearest rows of each line of `distances`, in order."""
    k = places.shape[1]
    for i in range(len(places)):
        places[i] = order_rows(distances[i], k)[0][:k]
