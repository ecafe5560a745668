"""One sweep of gradient descent over class-based feature weights and row weights.

Source: Paredes and Vidal, "Learning weighted metrics to minimize
nearest-neighbor classification error", IEEE PAMI 28(7), 2006.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import NO_ROW
from acoibl.kernels.differences import codes_differ, number_square
from acoibl.kernels.distances import fill_squared_distances

_LEAST = 1e-300


@njit(cache=True, nogil=True)
def error_gradient(queries, training, squares, row_weights, beta, by_row, by_numeric, by_category):
    """Smoothed leave-one-out error of the weighted 1-NN rule, and its gradient.

    The distance of x to a row y of class c is ``row_weights[y] * sqrt(sum_j c_j^2 phi_j^2)``,
    where `squares` holds c_j^2 of each class. With r the distance to the nearest row of the own
    class over that to the nearest other row, the error is the mean of
    ``1 / (1 + exp(beta * (1 - r)))``. Gradients are added up, not averaged, in the last three
    arguments (n_rows, in sorted order; n_classes x features of each kind); the derivatives by a
    weight are those by its logarithm. Rows without a neighbour on both sides are left out.
    """
    n = len(training.rows)
    line = np.empty(n)
    by_row[:] = 0.0
    by_numeric[:] = 0.0
    by_category[:] = 0.0
    total, counted = 0.0, 0
    for i in range(n):
        fill_squared_distances(queries.numeric[i], queries.codes[i], training, squares, False, line)
        for s in range(n):
            line[s] *= row_weights[s] * row_weights[s]
        own = training.positions[i]
        line[own] = np.inf
        label = training.classes[own]
        start, stop = training.starts[label], training.starts[label + 1]
        hit = _first_least(line, start, stop)
        miss = _first_least(line, 0, start)
        right = _first_least(line, stop, n)
        if miss < 0 or (right >= 0 and line[right] < line[miss]):
            miss = right
        if hit < 0 or miss < 0:
            continue
        counted += 1
        if line[miss] < _LEAST:
            total += 1.0 if line[hit] > _LEAST else 1.0 / (1.0 + np.exp(beta))
            continue  # flat there: no step can change it
        ratio = np.sqrt(line[hit] / line[miss])
        loss = 1.0 / (1.0 + np.exp(min(beta * (1.0 - ratio), 700.0)))
        total += loss
        pull = beta * loss * (1.0 - loss) * ratio
        if pull == 0.0:
            continue
        by_row[hit] += pull
        by_row[miss] -= pull
        _add_shares(
            i, hit, pull, queries, training, squares, row_weights, line, by_numeric, by_category
        )
        _add_shares(
            i, miss, -pull, queries, training, squares, row_weights, line, by_numeric, by_category
        )
    return total / counted if counted else 0.0


@njit(cache=True, nogil=True)
def _first_least(line, start, stop):
    best = NO_ROW
    least = np.inf
    for s in range(start, stop):
        if line[s] < least:
            best, least = s, line[s]
    return best


@njit(cache=True, nogil=True)
def _add_shares(i, s, pull, queries, training, squares, row_weights, line, by_numeric, by_category):
    """Add pull times the share of each feature in the squared distance of query i and row s."""
    label = training.classes[s]
    if line[s] < _LEAST:
        return
    factor = pull * row_weights[s] * row_weights[s] / line[s]
    for j in range(by_numeric.shape[1]):
        square = number_square(queries.numeric[i, j], training.numeric[j, s])
        by_numeric[label, j] += factor * squares.numeric[label, j] * square
    for j in range(by_category.shape[1]):
        if codes_differ(queries.codes[i, j], training.codes[j, s]):
            by_category[label, j] += factor * squares.categorical[label, j]
