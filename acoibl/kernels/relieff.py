"""ReliefF scores of features."""

import numpy as np
from numba import njit

from acoibl.kernels.training import EQUAL, MISSING_CODE


@njit(cache=True, nogil=True)
def relieff(queries, training, n_neighbors, scores):
    """ReliefF scores of the features, numeric ones first, averaged over all rows.

    Neighbours by the sum of the differences (Manhattan), the nearest `n_neighbors` of each class,
    or as many as there are; of equal ones the first in sorted order.
    """
    n, n_classes = len(training.rows), len(training.starts) - 1
    line = np.empty(n)
    near, far = np.empty(n_neighbors, dtype=np.int64), np.empty(n_neighbors)
    scores[:] = 0.0
    for i in range(n):
        _manhattan(queries.numeric[i], queries.codes[i], training, line)
        own = training.positions[i]
        line[own] = np.inf
        label = training.classes[own]
        others = n - training.class_totals[label]
        for c in range(n_classes):
            found = 0
            for s in range(training.starts[c], training.starts[c + 1]):
                found = _keep(s, line[s], near, far, found) if s != own else found
            if not found:
                continue
            share = -1.0 if c == label else training.class_totals[c] / others
            for r in range(found):
                _add_differences(
                    queries.numeric[i], queries.codes[i], training, near[r], share / found, scores
                )
    scores /= n


@njit(cache=True, nogil=True)
def _keep(s, distance, near, far, found):
    """Insert a row among the nearest so far; return how many there are."""
    k = len(near)
    if found == k and distance >= far[k - 1] - EQUAL:
        return found
    place = found if found < k else k - 1
    while place > 0 and far[place - 1] > distance + EQUAL:
        near[place], far[place] = near[place - 1], far[place - 1]
        place -= 1
    near[place], far[place] = s, distance
    return min(found + 1, k)


@njit(cache=True, nogil=True)
def _manhattan(values, codes, training, out):
    out[:] = 0.0
    for j in range(len(values)):
        column = training.numeric[j]
        for s in range(len(out)):
            difference = abs(values[j] - column[s])
            out[s] += 1.0 if np.isnan(difference) else difference
    for j in range(len(codes)):
        column = training.codes[j]
        missing = codes[j] == MISSING_CODE
        for s in range(len(out)):
            out[s] += 1.0 if missing or column[s] != codes[j] else 0.0


@njit(cache=True, nogil=True)
def _add_differences(values, codes, training, s, share, scores):
    for j in range(len(values)):
        difference = abs(values[j] - training.numeric[j, s])
        scores[j] += share * (1.0 if np.isnan(difference) else difference)
    for j in range(len(codes)):
        if codes[j] == MISSING_CODE or codes[j] != training.codes[j, s]:
            scores[len(values) + j] += share
