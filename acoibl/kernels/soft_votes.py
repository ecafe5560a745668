"""Votes of the nearest rows for every number of neighbours at once, also by distance."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND
from acoibl.kernels.votes import fill_smallest

ROUNDING = 1e-12
"""Distances that differ by less than this share of the farthest row's count as equal: products of
matrices leave twins that far apart."""


def neighbour_votes(
    distances: np.ndarray, classes: np.ndarray, n_classes: int, most: int, power: float
) -> np.ndarray:
    """Votes of the k nearest rows for k = 1, ..., most.

    Parameters
    ----------
    distances : ndarray, shape (n_queries, n_rows)
        Distances; infinite for a row that is left out.
    classes : ndarray of int64, shape (n_rows,)
        Class of each row.
    n_classes : int
        Number of classes.
    most : int
        Largest k, not above the number of rows that are not left out.
    power : float
        Votes fall as ``distance ** -power``; the vote of a row as far away as the last of the
        `most` nearest is 1, and no row counts as nearer than a tenth of that.

    Returns
    -------
    ndarray of float64, shape (most, n_queries, n_classes)
        Votes; all rows at the k-th distance vote.
    """
    out = np.zeros((most, len(distances), n_classes))
    _fill_votes(distances, classes, power, out)
    return np.cumsum(out, axis=0)


@njit(cache=True, nogil=True)
def _fill_votes(distances, classes, power, out):
    most = len(out)
    smallest = np.empty(most, dtype=distances.dtype)
    for i in range(len(distances)):
        line = distances[i]
        fill_smallest(line, smallest)
        slack = _slack(line)
        unit = smallest[most - 1]
        for s in range(len(line)):
            if line[s] <= unit * BEYOND + slack:
                place = most - 1
                while place > 0 and line[s] <= smallest[place - 1] * BEYOND + slack:
                    place -= 1
                vote = 1.0
                if power > 0.0 and unit > slack:
                    vote = (unit / max(line[s], 0.1 * unit)) ** power
                out[place, i, classes[s]] += vote


@njit(cache=True, nogil=True)
def _slack(line):
    farthest = 0.0
    for s in range(len(line)):
        if line[s] < np.inf:
            farthest = max(farthest, line[s])
    return farthest * ROUNDING
