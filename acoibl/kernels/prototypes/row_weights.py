"""A weight for each training row, set to the value of most leave-one-out hits (WDNN).

All functions count rows in the order in which they were given. Distances are compared exactly:
where a weight makes two rows equal, the hits jump.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, NO_ROW
from acoibl.kernels.distances import fill_given


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
