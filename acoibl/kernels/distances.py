"""Squared class-weighted distances of one query to all training rows (Eq. 11, squared)."""

import numpy as np
from numba import njit

from acoibl.kernels.training import MISSING_CODE, Queries, Training, Weights


def squared_distance_matrix(
    queries: Queries, training: Training, weights: Weights, ignore_missing: bool
) -> np.ndarray:
    """Squared distances of all pairs.

    Parameters
    ----------
    queries : Queries
        Rows, as from `make_queries`.
    training : Training
        Rows, as from `make_training`.
    weights : Weights
        One vector of feature weights for each class.
    ignore_missing : bool
        Leave missing features out instead of counting them as a difference of 1.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_rows)
        Columns in the order in which the training rows were given.
    """
    out = np.empty((len(queries.own), len(training.rows)))
    _fill_matrix(queries, training, weights, ignore_missing, out)
    return out[:, training.positions]


@njit(cache=True, nogil=True)
def _fill_matrix(queries, training, weights, ignore_missing, out):
    for i in range(out.shape[0]):
        fill_squared_distances(
            queries.numeric[i], queries.codes[i], training, weights, ignore_missing, out[i]
        )


@njit(cache=True, nogil=True)
def fill_squared_distances(values, codes, training, weights, ignore_missing, out):
    """Fill `out` (n_rows,) with the squared distances of one query.

    Each class sees the query through its own weights: for a row of class l,
    ``sum_j weights[l, j] * phi_j ** 2``, phi = |a - b| for a numeric feature,
    0 or 1 for a categorical one, 1 where a value is missing. With
    `ignore_missing` the sum runs over the features present in both rows and
    is multiplied by (total weight / present weight); a pair with no present
    weight gets the total weight, as if every phi were 1.
    """
    for label in range(len(training.starts) - 1):
        start, stop = training.starts[label], training.starts[label + 1]
        if start == stop:
            continue
        segment = out[start:stop]
        segment[:] = 0.0
        if ignore_missing:
            _add_present(values, codes, training, weights, label, start, stop, segment)
        else:
            _add_all(values, codes, training, weights, label, start, stop, segment)


@njit(cache=True, nogil=True)
def _add_all(values, codes, training, weights, label, start, stop, segment):
    n = stop - start
    for j in range(len(values)):
        weight = weights.numeric[label, j]
        value = values[j]
        column = training.numeric[j, start:stop]
        if weight == 0.0:
            continue
        if np.isnan(value):
            for s in range(n):
                segment[s] += weight
        elif training.has_missing[j]:
            for s in range(n):
                difference = value - column[s]
                square = difference * difference
                segment[s] += weight * (1.0 if np.isnan(square) else square)
        else:
            for s in range(n):
                difference = value - column[s]
                segment[s] += weight * (difference * difference)
    for j in range(len(codes)):
        weight = weights.categorical[label, j]
        code = codes[j]
        column = training.codes[j, start:stop]
        if weight == 0.0:
            continue
        if code == MISSING_CODE:
            for s in range(n):
                segment[s] += weight
        else:
            for s in range(n):
                segment[s] += weight if column[s] != code else 0.0


@njit(cache=True, nogil=True)
def _add_present(values, codes, training, weights, label, start, stop, segment):
    n = stop - start
    present = np.zeros(n)
    total = 0.0
    for j in range(len(values)):
        weight = weights.numeric[label, j]
        total += weight
        value = values[j]
        column = training.numeric[j, start:stop]
        for s in range(n):
            difference = value - column[s]
            if not np.isnan(difference):
                segment[s] += weight * (difference * difference)
                present[s] += weight
    for j in range(len(codes)):
        weight = weights.categorical[label, j]
        total += weight
        code = codes[j]
        column = training.codes[j, start:stop]
        if code == MISSING_CODE:
            continue
        for s in range(n):
            if column[s] != MISSING_CODE:
                present[s] += weight
                segment[s] += weight if column[s] != code else 0.0
    for s in range(n):
        segment[s] = segment[s] * (total / present[s]) if present[s] > 0.0 else total
