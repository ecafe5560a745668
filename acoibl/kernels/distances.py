"""Squared class-weighted distances of one query to all training rows (Eq. 11, squared)."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import MISSING_CODE
from acoibl.kernels.differences import codes_differ, known_square, number_square
from acoibl.kernels.training import Queries, Training, Weights


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

    A loop over many queries calls `fill_all` or `fill_present` itself, with
    the arrays taken out of the tuples once: for small data the taking out
    costs more than the sums.
    """
    starts, x, a = training.starts, training.numeric, training.codes
    w, v = weights.numeric, weights.categorical
    if ignore_missing:
        fill_present(values, codes, starts, x, a, w, v, out)
    else:
        fill_all(values, codes, starts, x, training.has_missing, a, w, v, out)


@njit(cache=True, nogil=True)
def fill_given(i, queries, training, weights, line, out):
    """Squared distances of query `i` to all rows, in the given order; `line` is work space."""
    fill_squared_distances(queries.numeric[i], queries.codes[i], training, weights, False, line)
    for s in range(len(line)):
        out[training.rows[s]] = line[s]


@njit(cache=True, nogil=True)
def fill_all(values, codes, starts, x, has_missing, a, w, v, out):
    """Squared distances of one query, a missing value differing by 1 from everything.

    Each class sees the query through its own weights: for a row of class l,
    ``sum_j weights[l, j] * phi_j ** 2``, phi = |a - b| for a numeric feature,
    0 or 1 for a categorical one, 1 where a value is missing. The arrays are
    those of Training (starts, numeric, has_missing, codes) and of Weights.
    """
    for label in range(len(starts) - 1):
        start, stop = starts[label], starts[label + 1]
        segment = out[start:stop]
        segment[:] = 0.0
        for j in range(len(values)):
            weight, value, column = w[label, j], values[j], x[j, start:stop]
            if weight == 0.0:
                continue
            if np.isnan(value):
                for s in range(len(segment)):
                    segment[s] += weight
            elif has_missing[j]:
                for s in range(len(segment)):
                    segment[s] += weight * number_square(value, column[s])
            else:
                for s in range(len(segment)):
                    segment[s] += weight * known_square(value, column[s])
        for j in range(len(codes)):
            weight, code, levels = v[label, j], codes[j], a[j, start:stop]
            if weight == 0.0:
                continue
            if code == MISSING_CODE:
                for s in range(len(segment)):
                    segment[s] += weight
            else:
                for s in range(len(segment)):
                    segment[s] += weight if codes_differ(code, levels[s]) else 0.0


@njit(cache=True, nogil=True)
def fill_present(values, codes, starts, x, a, w, v, out):
    """Squared distances of one query over the features present in both rows.

    The sum of `fill_all` over these features times (total weight / present
    weight); a pair with no present weight gets the total weight, as if every
    phi were 1.
    """
    present = np.zeros(len(out))
    for label in range(len(starts) - 1):
        start, stop = starts[label], starts[label + 1]
        segment, there = out[start:stop], present[start:stop]
        segment[:] = 0.0
        total = 0.0
        for j in range(len(values)):
            weight, value, column = w[label, j], values[j], x[j, start:stop]
            total += weight
            for s in range(len(segment)):
                square = known_square(value, column[s])
                if not np.isnan(square):
                    segment[s] += weight * square
                    there[s] += weight
        for j in range(len(codes)):
            weight, code, levels = v[label, j], codes[j], a[j, start:stop]
            total += weight
            if code == MISSING_CODE:
                continue
            for s in range(len(segment)):
                if levels[s] != MISSING_CODE:
                    there[s] += weight
                    segment[s] += weight if codes_differ(code, levels[s]) else 0.0
        for s in range(len(segment)):
            segment[s] = segment[s] * (total / there[s]) if there[s] > 0.0 else total
