"""Subsets and weights of training rows: leave-one-out 1-NN, a local search, WDNN.

All functions count rows in the order in which they were given. Squared
distances within a factor of `BEYOND` of the nearest are equal to it, and
the first of these rows wins. They are sums of terms that are not negative, so
that rounding is relative too: what is equal does not depend on the order of a
sum, nor on how far apart all rows are. Only WDNN compares exactly while it
learns: where a weight makes two rows equal, its hits jump.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.distances import fill_squared_distances
from acoibl.kernels.neighbours import order_rows
from acoibl.kernels.training import BEYOND, MISSING_CODE, Queries, Training, Weights

DEPTH = 1024
"""Longest list of neighbours kept for a row."""

NO_ROW = -1
"""In place of a row: there is none."""


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
def fill_given(i, queries, training, weights, line, out):
    """Squared distances of query `i` to all rows, in the given order; `line` is work space."""
    fill_squared_distances(queries.numeric[i], queries.codes[i], training, weights, False, line)
    for s in range(len(line)):
        out[training.rows[s]] = line[s]


@njit(cache=True, nogil=True)
def pair_distance(queries, a, b):
    """Squared distance of two rows, all feature weights 1."""
    total = 0.0
    for j in range(queries.numeric.shape[1]):
        difference = queries.numeric[a, j] - queries.numeric[b, j]
        total += 1.0 if np.isnan(difference) else difference * difference
    for j in range(queries.codes.shape[1]):
        code = queries.codes[a, j]
        total += 1.0 if code == MISSING_CODE or code != queries.codes[b, j] else 0.0
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
def evaluate_subset(selected, lists, classes, queries, nearest):
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


@njit(cache=True, nogil=True)
def find_answers(queries, training, weights, w, answers):
    """For every row the two rows of least distance / weight: fill `answers`."""
    n = len(w)
    line, given = np.empty(n), np.empty(n)
    for t in range(n):
        _find_answer(t, queries, training, weights, w, answers, line, given)


@njit(cache=True, nogil=True)
def weigh_in_turn(queries, training, weights, classes, w, answers):
    """Give every row in turn the weight of most leave-one-out hits (WDNN), in place.

    Row k answers t if its ``distance / w[k]`` is the least; a row of weight 0 answers nobody.
    ``answers`` is a tuple (first row, its value, second row, its value), each (n_rows,), as
    `find_answers` leaves it. Returns how many weights changed.

    The hits as a function of one weight jump where the row overtakes what answers a row now. Of
    the best intervals the one of the present weight is kept, else the lowest is taken: at its
    middle, at 0 if it begins there, or at 1.1 times its beginning if it has no end.
    """
    n = len(w)
    line, given = np.empty(n), np.empty(n)
    jumps, signs = np.empty(n), np.empty(n, dtype=np.int64)
    changed = 0
    for p in range(n):
        fill_given(p, queries, training, weights, line, given)
        for t in range(n):
            given[t] = np.sqrt(given[t])
        n_jumps = _find_jumps(p, given, classes, answers, jumps, signs)
        best = _best_weight(jumps[:n_jumps], signs[:n_jumps], w[p])
        if best == w[p] or (best == 0.0 and np.sum(w > 0.0) == 1):
            continue
        w[p] = best
        changed += 1
        _update_answers(p, given.copy(), queries, training, weights, w, answers, line, given)
    return changed


@njit(cache=True, nogil=True)
def _find_answer(t, queries, training, weights, w, answers, line, given):
    first, value, second, next_value = answers
    fill_given(t, queries, training, weights, line, given)
    first[t] = second[t] = NO_ROW
    value[t] = next_value[t] = np.inf
    for k in range(len(w)):
        if k == t or w[k] == 0.0:
            continue
        v = np.sqrt(given[k]) / w[k]
        if v < value[t]:
            second[t], next_value[t] = first[t], value[t]
            first[t], value[t] = k, v
        elif v < next_value[t]:
            second[t], next_value[t] = k, v


@njit(cache=True, nogil=True)
def _find_jumps(p, distances, classes, answers, jumps, signs):
    """Weights of row `p` at which the hits jump, and by how much each."""
    first, value, second, next_value = answers
    n_jumps = 0
    for t in range(len(distances)):
        if t == p:
            continue
        rival, limit = (second[t], next_value[t]) if first[t] == p else (first[t], value[t])
        right = classes[p] == classes[t]
        if right == (rival >= 0 and classes[rival] == classes[t]) or limit == 0.0:
            continue  # nothing changes, or nothing is nearer than 0
        jumps[n_jumps] = distances[t] / limit
        signs[n_jumps] = 1 if right else -1
        n_jumps += 1
    return n_jumps


@njit(cache=True, nogil=True)
def _best_weight(jumps, signs, present):
    """Weight in an interval of most hits; see `weigh_in_turn`."""
    order = np.argsort(jumps, kind="mergesort")
    n = len(order)
    hits = most = 0
    begin, end, kept = 0.0, 0.0, False
    i = 0
    while i < n:
        low = jumps[order[i]]
        while i < n and jumps[order[i]] <= low * BEYOND:
            hits += signs[order[i]]
            i += 1
        high = jumps[order[i]] if i < n else np.inf
        inside = low * BEYOND < present < high
        if hits > most or (hits == most and most > 0 and inside and not kept):
            most, begin, end, kept = hits, low, high, inside
    if most == 0:
        return 0.0
    if kept:
        return present
    if end < np.inf:
        return 0.5 * (begin + end)
    return 1.1 * begin if begin > 0.0 else 1.0


@njit(cache=True, nogil=True)
def _update_answers(p, distances, queries, training, weights, w, answers, line, given):
    """Bring the two best answers of every row up to date with a new weight of row `p`."""
    first, value, second, next_value = answers
    for t in range(len(w)):
        if t == p:
            continue
        v = distances[t] / w[p] if w[p] > 0.0 else np.inf
        if first[t] == p or second[t] == p:
            if first[t] == p and (v < next_value[t] or (v == next_value[t] and p < second[t])):
                value[t] = v
            else:
                _find_answer(t, queries, training, weights, w, answers, line, given)
        elif w[p] == 0.0:
            continue
        elif v < value[t] or (v == value[t] and p < first[t]):
            second[t], next_value[t] = first[t], value[t]
            first[t], value[t] = p, v
        elif v < next_value[t] or (v == next_value[t] and p < second[t]):
            second[t], next_value[t] = p, v
