"""Which training rows to keep: leave-one-out 1-NN of a selection, and the local search of SSMA.

All functions count rows in the order in which they were given. Squared
distances within a factor of `BEYOND` of the nearest are equal to it, and
the first of these rows wins. They are sums of terms that are not negative, so
that rounding is relative too: what is equal does not depend on the order of a
sum, nor on how far apart all rows are. Only WDNN compares exactly while it
learns: where a weight makes two rows equal, its hits jump.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, NO_ROW
from acoibl.kernels.differences import code_difference, number_square
from acoibl.kernels.distances import fill_given
from acoibl.kernels.nearest import order_rows
from acoibl.kernels.training import Queries, Training, Weights

DEPTH = 1024
"""Longest list of neighbours kept for a row."""


def neighbour_lists(queries: Queries, training: Training, weights: Weights) -> np.ndarray:
    """List the nearest other rows of every row.

    Parameters
    ----------
    queries, training : Queries, Training
        The same rows twice, in the same order.
    weights : Weights
        Feature weights for each class.

    Returns
    -------
    ndarray of int32, shape (n_rows, min(n_rows - 1, DEPTH))
        Rows by increasing distance, equal ones by position. `NO_ROW` follows
        where it would depend on the selection which distances are equal.
    """
    n = len(training.rows)
    lists = np.empty((n, min(n - 1, DEPTH)), dtype=np.int32)
    _fill_lists(queries, training, weights, lists)
    return lists


@njit(cache=True, nogil=True)
def _fill_lists(queries, training, weights, lists):
    n, depth = lists.shape
    line, given = np.empty(n), np.empty(n)
    lists[:] = NO_ROW
    for i in range(n if depth else 0):
        fill_given(i, queries, training, weights, line, given)
        given[i] = np.inf
        rows, n_sure = order_rows(given, depth)
        for r in range(min(depth, n_sure)):
            lists[i, r] = rows[r]


@njit(cache=True, nogil=True)
def pair_distance(queries, a, b):
    """Squared distance of two rows, all feature weights 1."""
    total = 0.0
    for j in range(queries.numeric.shape[1]):
        total += number_square(queries.numeric[a, j], queries.numeric[b, j])
    for j in range(queries.codes.shape[1]):
        total += code_difference(queries.codes[a, j], queries.codes[b, j])
    return total


@njit(cache=True, nogil=True)
def nearest_selected(i, barred, selected, lists, queries):
    """Nearest selected row of row `i`, itself and `barred` apart; `NO_ROW` if there is none."""
    depth = lists.shape[1]
    for r in range(depth):
        row = lists[i, r]
        if row == NO_ROW:
            break
        if selected[row] and row != barred:
            return np.int64(row)
    if depth >= len(selected) - 1 and (depth == 0 or lists[i, depth - 1] != NO_ROW):
        return NO_ROW
    distances = np.full(len(selected), np.inf)
    for row in range(len(selected)):
        if selected[row] and row != barred and row != i:
            distances[row] = pair_distance(queries, i, row)
    least = distances.min()
    if least == np.inf:
        return NO_ROW
    return np.int64(np.argmax(distances <= least * BEYOND))


@njit(cache=True, nogil=True)
def answer_selection(selected, lists, classes, queries, nearest):
    """Leave-one-out hits of all rows, answered by the nearest selected row; fill `nearest`."""
    hits = 0
    for i in range(len(selected)):
        row = nearest_selected(i, NO_ROW, selected, lists, queries)
        nearest[i] = row
        hits += row >= 0 and classes[row] == classes[i]
    return hits


@njit(cache=True, nogil=True)
def drop_rows(selected, nearest, hits, least_gain, budget, lists, classes, queries, rng):
    """Local search of SSMA: drop selected rows, in place; return hits and evaluations spent.

    Selected rows are tried in random order. One is dropped if the hits change by at least
    `least_gain`; all that are left are then tried again. A trial costs the share of the rows
    that have to look for another neighbour; the search ends when `budget` is spent.
    """
    n = len(selected)
    # The rows that a selected row answers for form a linked list.
    first, after = np.full(n, NO_ROW), np.full(n, NO_ROW)
    for i in range(n):
        if nearest[i] >= 0:
            after[i] = first[nearest[i]]
            first[nearest[i]] = i
    untested = np.flatnonzero(selected)
    n_selected = n_untested = len(untested)
    other = np.empty(n, dtype=np.int64)
    affected, spent = 0, 0.0
    while n_untested and n_selected > 1 and spent < budget:
        place = rng.integers(0, n_untested)
        row = untested[place]
        n_untested -= 1
        untested[place], untested[n_untested] = untested[n_untested], untested[place]
        gain = affected = 0
        i = first[row]
        while i >= 0:
            other[i] = nearest_selected(i, row, selected, lists, queries)
            gain -= classes[row] == classes[i]
            gain += other[i] >= 0 and classes[other[i]] == classes[i]
            affected += 1
            i = after[i]
        spent += affected / n
        if gain < least_gain:
            continue
        selected[row] = False
        hits += gain
        i = first[row]
        while i >= 0:
            following = after[i]
            nearest[i] = other[i]
            if other[i] >= 0:
                after[i] = first[other[i]]
                first[other[i]] = i
            i = following
        n_selected -= 1
        # The dropped row stands just behind the untested ones; put it out of reach for good.
        untested[n_untested], untested[n_selected] = untested[n_selected], untested[n_untested]
        n_untested = n_selected
    return hits, spent
