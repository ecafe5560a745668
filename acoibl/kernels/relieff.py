"""ReliefF scores of features."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, EQUAL
from acoibl.kernels.differences import code_difference, number_difference


@njit(cache=True, nogil=True)
def relieff(queries, training, n_neighbors, scores):
    """ReliefF scores of the features, numeric ones first, averaged over all rows.

    Neighbours by the sum of the differences (Manhattan), the nearest `n_neighbors` of each class,
    or as many as there are. Rows at the same distance as the last of them, to a share of `EQUAL`,
    share its place and those before it, so that the scores do not depend on the order of the rows.
    """
    n, n_classes = len(training.rows), len(training.starts) - 1
    line = np.empty(n)
    scores[:] = 0.0
    for i in range(n):
        _manhattan(queries.numeric[i], queries.codes[i], training, line)
        own = training.positions[i]
        label = training.classes[own]
        others = n - training.class_totals[label]
        line[own] = np.inf
        for c in range(n_classes):
            start, stop = training.starts[c], training.starts[c + 1]
            k = min(n_neighbors, stop - start - (c == label))
            if k <= 0:
                continue
            farthest = np.partition(line[start:stop], k - 1)[k - 1]
            low, high = farthest * (1.0 - EQUAL), farthest * BEYOND
            nearer = tied = 0
            for s in range(start, stop):
                nearer += line[s] < low
                tied += low <= line[s] <= high
            share = -1.0 if c == label else training.class_totals[c] / others
            for s in range(start, stop):
                if line[s] <= high:
                    part = 1.0 if line[s] < low else (k - nearer) / tied
                    _add_differences(
                        queries.numeric[i], queries.codes[i], training, s, share * part / k, scores
                    )
    scores /= n


@njit(cache=True, nogil=True)
def _manhattan(values, codes, training, out):
    out[:] = 0.0
    for j in range(len(values)):
        column = training.numeric[j]
        for s in range(len(out)):
            out[s] += number_difference(values[j], column[s])
    for j in range(len(codes)):
        column = training.codes[j]
        for s in range(len(out)):
            out[s] += code_difference(codes[j], column[s])


@njit(cache=True, nogil=True)
def _add_differences(values, codes, training, s, share, scores):
    for j in range(len(values)):
        scores[j] += share * number_difference(values[j], training.numeric[j, s])
    for j in range(len(codes)):
        scores[len(values) + j] += share * code_difference(codes[j], training.codes[j, s])
