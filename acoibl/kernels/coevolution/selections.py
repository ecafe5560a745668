"""The nearest selected row under one metric, for many selections: distances are measured once.

Either the distances of all pairs of rows are kept, or, of many rows, a list of the nearest others
of each. Ties are exact: of equal distances the lowest row wins.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.coevolution.references import BLOCK, Table, measure
from acoibl.kernels.conventions import NO_ROW, NOT_LISTED


@njit(cache=True, nogil=True)
def fill_matrix(columns, categorical, ignoring, classes, weights, multipliers, out):
    """Fill `out` (n_rows, n_rows): squared distances from each row to each, infinite to itself.

    The first three arguments are a `Table`. Columns are references: ``out[i, r]`` has
    the multiplier of the class of r.
    """
    n_rows = len(out)
    sums = np.empty((1, BLOCK))
    present = np.empty((1, BLOCK))
    squares = np.empty((4, BLOCK))
    table = Table(columns, categorical, ignoring)
    for start in range(0, n_rows, BLOCK):
        n = min(BLOCK, n_rows - start)
        for s in range(n_rows):
            measure(table, columns[:, s], start, n, weights, squares, sums, present)
            multiplier = multipliers[classes[s]]
            for i in range(n):
                out[start + i, s] = sums[0, i] * multiplier
    for i in range(n_rows):
        out[i, i] = np.inf


@njit(cache=True, nogil=True)
def answer_by_matrix(distances, mask, answers):
    """Fill `answers` (n_rows,) with the nearest selected row by a matrix of distances."""
    selected = np.flatnonzero(mask)
    for i in range(len(answers)):
        answers[i] = _scan(distances[i], selected)


@njit(cache=True, nogil=True)
def answer_by_parent(distances, parent, parent_answers, mask, answers):
    """As `answer_by_matrix`, from the answers of a selection that differs in few rows.

    Only queries whose answer was taken away look at all selected rows; the others compare theirs
    with the rows that came.
    """
    selected = np.flatnonzero(mask)
    came = np.flatnonzero(mask & ~parent)
    for i in range(len(answers)):
        old = parent_answers[i]
        if old >= 0 and not mask[old]:
            answers[i] = _scan(distances[i], selected)
            continue
        best = distances[i, old] if old >= 0 else np.inf
        for r in came:
            distance = distances[i, r]
            if distance < best or (distance == best and 0 <= r < old):
                best, old = distance, r
        answers[i] = old


@njit(cache=True, nogil=True)
def _scan(distances, selected):
    best, answer = np.inf, NO_ROW
    for r in selected:
        if distances[r] < best:
            best, answer = distances[r], r
    return answer


@njit(cache=True, nogil=True)
def fill_lists(columns, categorical, ignoring, classes, weights, multipliers, lists):
    """Fill `lists` (n_rows, length) with the nearest others of each row, nearest first.

    The first three arguments are a `Table`. Equal distances in the order of the rows;
    `NO_ROW` where there are fewer rows.
    """
    n_rows, length = len(classes), lists.shape[1]
    sums = np.empty((1, BLOCK))
    present = np.empty((1, BLOCK))
    squares = np.empty((4, BLOCK))
    best = np.full((n_rows, length), np.inf)
    lists[:] = NO_ROW
    table = Table(columns, categorical, ignoring)
    for start in range(0, n_rows, BLOCK):
        n = min(BLOCK, n_rows - start)
        for s in range(n_rows):
            measure(table, columns[:, s], start, n, weights, squares, sums, present)
            multiplier = multipliers[classes[s]]
            for i in range(n):
                distance = sums[0, i] * multiplier
                if distance < best[start + i, length - 1] and s != start + i:
                    _place(best[start + i], lists[start + i], distance, s)


@njit(cache=True, nogil=True)
def _place(best, rows, distance, row):
    """Put a row where it belongs among the nearest; rows come in ascending order."""
    place = len(best) - 1
    while place > 0 and best[place - 1] > distance:
        best[place] = best[place - 1]
        rows[place] = rows[place - 1]
        place -= 1
    best[place] = distance
    rows[place] = row


@njit(cache=True, nogil=True)
def answer_by_lists(lists, mask, answers):
    """Fill `answers` with the first selected row of each list, or `NOT_LISTED`."""
    for i in range(len(answers)):
        answers[i] = NOT_LISTED
        for r in lists[i]:
            if r >= 0 and mask[r]:
                answers[i] = r
                break
