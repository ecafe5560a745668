"""Weights of features: leave-one-out 1-NN of many weight vectors, and ReliefF."""

import numpy as np
from numba import njit

from acoibl.kernels.distances import fill_squared_distances
from acoibl.kernels.training import EQUAL, MISSING_CODE

LANES = 32
"""Minima are taken in so many interleaved lanes: vector instructions."""

_NO_ROW = np.iinfo(np.int64).max


@njit(cache=True, nogil=True)
def count_hits(queries, classes, references, weights, features, steps, hits):
    """Leave-one-out hits of the 1-NN rule for one vector of feature weights and its variants.

    `references` (a Training set) holds the rows that may answer; ``queries.own`` says where a
    query stands among them, -1 if it does not. With `features` empty ``hits[0]`` gets the hits of
    `weights`; otherwise ``hits[c]`` those after ``steps[c]`` was added to the weight of
    ``features[c]``, counted over numeric, then categorical features. Of equal distances the first
    row in the given order wins.
    """
    n, n_numeric = len(references.rows), len(references.numeric)
    line, changed = np.empty(n), np.empty(n)
    minima = np.empty(LANES)
    hits[:] = 0
    for i in range(len(classes)):
        fill_squared_distances(
            queries.numeric[i], queries.codes[i], references, weights, False, line
        )
        own = queries.own[i]
        if own >= 0:
            line[own] = np.inf
        if len(features) == 0:
            hits[0] += _answer(line, references, minima) == classes[i]
        for c in range(len(features)):
            j = features[c]
            if j < n_numeric:
                _add_numeric(queries.numeric[i, j], references.numeric[j], steps[c], line, changed)
            else:
                k = j - n_numeric
                _add_category(queries.codes[i, k], references.codes[k], steps[c], line, changed)
            hits[c] += _answer(changed, references, minima) == classes[i]


@njit(cache=True, nogil=True)
def _add_numeric(value, column, step, line, out):
    for s in range(len(line)):
        difference = value - column[s]
        square = difference * difference
        out[s] = line[s] + step * (1.0 if np.isnan(square) else square)


@njit(cache=True, nogil=True)
def _add_category(code, column, step, line, out):
    if code == MISSING_CODE:
        for s in range(len(line)):
            out[s] = line[s] + step
    else:
        for s in range(len(line)):
            out[s] = line[s] + (step if column[s] != code else 0.0)


@njit(cache=True, nogil=True)
def _answer(line, references, minima):
    """Class of the nearest row, -1 without one."""
    minima[:] = np.inf
    for start in range(0, len(line), LANES):
        piece = line[start : start + LANES]
        for t in range(len(piece)):
            minima[t] = piece[t] if piece[t] < minima[t] else minima[t]
    least = minima.min()
    if least == np.inf:
        return -1
    limit = least + EQUAL
    first, label = _NO_ROW, -1
    for t in range(LANES):
        if minima[t] <= limit:
            for s in range(t, len(line), LANES):
                if line[s] <= limit and references.rows[s] < first:
                    first, label = references.rows[s], references.classes[s]
    return label


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
