"""Leave-one-out 1-NN for many vectors of feature weights, by blocks of rows that lie together.

Rows are cut into blocks of neighbours in space, each with the range of every
feature. The weighted distance of a query to the ranges of a block bounds that
to its rows from below, so a block is measured only where it could hold the
nearest row: the result is that of a full search. As everywhere among the
comparators, squared distances within a factor of `BEYOND` of the nearest
are equal to it.

When one weight changes, the sum of a pair of rows is changed by a difference.
Where that takes most of the sum away, what is left is no more precise than
the sum was, and equal distances might differ, or others not. No tolerance
would serve both; such a sum is formed anew, which few are.
"""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, MISSING_CODE
from acoibl.kernels.differences import codes_differ, known_square, number_square

BLOCK = 32
"""Rows in a block."""

_LEFT = 1e-3
"""A sum of which a change leaves a smaller share is formed anew. Otherwise its relative error is
below some 1e-12, far within `EQUAL`."""

_ROUNDING = 1e-12
"""Share by which the bound of a block may be too high for rounding."""

_SEVERAL = -3  # in place of a code: the block holds several, or a missing one


class Blocks(NamedTuple):
    """Rows cut into blocks, feature by feature.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_numeric, n_places)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_categorical, n_places)
        Category codes; -1 where missing.
    has_missing : ndarray of bool, shape (n_numeric,)
        Which numeric features have a missing value in some row.
    low, high : ndarray of float64, shape (n_numeric, n_blocks)
        Range of each feature; -inf to inf where one is missing.
    shared : ndarray of int32, shape (n_categorical, n_blocks)
        The code that all rows of the block share, or -3.
    rows : ndarray of int64, shape (n_places,)
        Given position of the row at each place; -1 behind the last.
    """

    numeric: np.ndarray
    codes: np.ndarray
    has_missing: np.ndarray
    low: np.ndarray
    high: np.ndarray
    shared: np.ndarray
    rows: np.ndarray


def make_blocks(numeric: np.ndarray, codes: np.ndarray) -> Blocks:
    """Cut rows into blocks by splitting the widest feature again and again.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.

    Returns
    -------
    Blocks
        The rows.
    """
    n = len(numeric)
    # A category counts as far from the others as the ends of a range; missing values go last.
    top = np.maximum(codes.max(axis=0, initial=0), 1)
    table = np.hstack([np.where(np.isnan(numeric), 2.0, numeric), codes / top])
    n_blocks = max(1, -(-n // BLOCK))
    rows = np.full(n_blocks * BLOCK, -1)
    rows[:n] = _in_order(table, np.arange(n))
    places = np.where(rows >= 0, rows, rows[max(0, n - 1)])  # behind the last: the last again
    x = np.array(numeric[places].T, dtype=np.float64, order="C")
    a = np.array(codes[places].T, dtype=np.int32, order="C")
    cut = x.reshape(len(x), n_blocks, BLOCK)
    known = ~np.isnan(cut).any(axis=2)
    pieces = a.reshape(len(a), n_blocks, BLOCK)
    same = (pieces == pieces[:, :, :1]).all(axis=2) & (pieces[:, :, 0] != MISSING_CODE)
    return Blocks(
        numeric=x,
        codes=a,
        has_missing=np.isnan(x).any(axis=1),
        low=np.where(known, cut.min(axis=2), -np.inf),
        high=np.where(known, cut.max(axis=2), np.inf),
        shared=np.where(same, pieces[:, :, 0], _SEVERAL).astype(np.int32),
        rows=rows,
    )


def _in_order(table: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Rows so that those of a block lie together."""
    if len(rows) <= BLOCK:
        return np.sort(rows)
    part = table[rows]
    widest = int(np.argmax(part.max(axis=0) - part.min(axis=0)))
    order = rows[np.argsort(part[:, widest], kind="stable")]
    half = -(-len(rows) // BLOCK) // 2 * BLOCK  # whole blocks on the left
    return np.concatenate([_in_order(table, order[:half]), _in_order(table, order[half:])])


@njit(cache=True, nogil=True)
def hits_of_variants(blocks, classes, selected, weights, features, values, hits):
    """Leave-one-out hits of the 1-NN rule for one vector of feature weights and its variants.

    Every row is answered by the nearest other row that is `selected` (n_rows,); of equal
    distances the first in the given order wins. With `features` empty ``hits[0]`` gets the hits
    of `weights` (numeric, then categorical features); otherwise ``hits[c]`` those after the weight
    of ``features[c]`` became ``values[c]``.
    """
    # Taken out of the tuple once: inside the loops that would cost as much as the sums.
    x, a, has_missing, rows = blocks.numeric, blocks.codes, blocks.has_missing, blocks.rows
    low, high, shared = blocks.low, blocks.high, blocks.shared
    n_blocks, n_variants = len(rows) // BLOCK, max(1, len(features))
    floor, gaps, leasts = np.empty(n_blocks), np.zeros(n_blocks), np.empty(n_blocks)
    line, changed = np.empty(len(rows)), np.empty(BLOCK)
    folded, measured = np.empty(BLOCK // 2), np.empty(n_blocks, dtype=np.bool_)
    barred = np.zeros(len(rows))  # what is added to a distance
    for place in range(len(rows)):
        if rows[place] < 0 or not selected[rows[place]]:
            barred[place] = np.inf
    hits[:] = 0
    for place in range(len(rows)):
        row, own = rows[place], place // BLOCK
        if row < 0:
            break
        _fill_floor(place, x, a, low, high, shared, weights, floor)
        measured[:] = False
        for c in range(n_variants):
            j = features[c] if len(features) else -1
            value = values[c] if len(features) else 0.0
            step = value - weights[j] if len(features) else 0.0
            if j >= 0:
                _fill_gaps(place, j, x, a, low, high, shared, gaps)
            limit = np.inf
            # Its own block first: the nearest row is often there.
            for turn in range(-1, n_blocks):
                b = own if turn < 0 else turn
                if turn == own:
                    continue
                leasts[b] = np.inf
                if floor[b] * (1.0 - _ROUNDING) + step * gaps[b] > limit:
                    continue
                start = b * BLOCK
                piece = line[start : start + BLOCK]
                if not measured[b]:
                    _measure(place, start, x, a, has_missing, weights, barred, piece)
                    measured[b] = True
                if j >= 0:
                    _change(place, start, j, value, x, a, has_missing, weights, piece, changed)
                    piece = changed
                leasts[b] = _least(piece, folded)
                limit = min(limit, leasts[b] * BEYOND)
            nearest = len(classes)
            for b in range(n_blocks):
                if leasts[b] > limit or leasts[b] == np.inf:
                    continue
                start = b * BLOCK
                piece = line[start : start + BLOCK]
                if j >= 0:
                    _change(place, start, j, value, x, a, has_missing, weights, piece, changed)
                    piece = changed
                for t in range(BLOCK):
                    if piece[t] <= limit and rows[start + t] < nearest:
                        nearest = rows[start + t]
            hits[c] += nearest < len(classes) and classes[nearest] == classes[row]


@njit(cache=True, nogil=True)
def _fill_floor(place, x, a, low, high, shared, weights, floor):
    """Least squared distance that a row of each block can have."""
    n_numeric = len(x)
    floor[:] = 0.0
    for j in range(n_numeric):
        value, weight = x[j, place], weights[j]
        if weight == 0.0:
            continue
        if np.isnan(value):
            for b in range(len(floor)):
                floor[b] += weight
            continue
        lowest, highest = low[j], high[j]
        for b in range(len(floor)):
            under, over = lowest[b] - value, value - highest[b]
            gap = under if under > over else over
            gap = gap if gap > 0.0 else 0.0
            floor[b] += weight * gap * gap
    for k in range(len(a)):
        code, weight, common = a[k, place], weights[n_numeric + k], shared[k]
        if code == MISSING_CODE:
            for b in range(len(floor)):
                floor[b] += weight
        else:
            for b in range(len(floor)):
                floor[b] += weight if common[b] != code and common[b] != _SEVERAL else 0.0


@njit(cache=True, nogil=True)
def _fill_gaps(place, j, x, a, low, high, shared, gaps):
    """Least squared difference of one feature to a row of each block."""
    n_numeric = len(x)
    if j < n_numeric:
        value = x[j, place]
        if np.isnan(value):
            gaps[:] = 1.0
            return
        lowest, highest = low[j], high[j]
        for b in range(len(gaps)):
            under, over = lowest[b] - value, value - highest[b]
            gap = under if under > over else over
            gap = gap if gap > 0.0 else 0.0
            gaps[b] = gap * gap
    else:
        code, common = a[j - n_numeric, place], shared[j - n_numeric]
        if code == MISSING_CODE:
            gaps[:] = 1.0
            return
        for b in range(len(gaps)):
            gaps[b] = 1.0 if common[b] != code and common[b] != _SEVERAL else 0.0


@njit(cache=True, nogil=True)
def _measure(place, start, x, a, has_missing, weights, barred, out):
    """Squared distances to the rows of the block at `start`, infinite to those that are barred."""
    n_numeric = len(x)
    for t in range(BLOCK):
        out[t] = barred[start + t]
    for j in range(n_numeric):
        weight, value = weights[j], x[j, place]
        if weight == 0.0:
            continue
        column = x[j, start : start + BLOCK]
        if has_missing[j]:
            for t in range(BLOCK):
                out[t] += weight * number_square(value, column[t])
        else:
            for t in range(BLOCK):
                out[t] += weight * known_square(value, column[t])
    for k in range(len(a)):
        weight, code = weights[n_numeric + k], a[k, place]
        column = a[k, start : start + BLOCK]
        for t in range(BLOCK):
            out[t] += weight if codes_differ(code, column[t]) else 0.0
    if start <= place < start + BLOCK:
        out[place - start] = np.inf


@njit(cache=True, nogil=True)
def _change(place, start, j, value, x, a, has_missing, weights, piece, out):
    """Distances after the weight of one feature became `value`."""
    n_numeric, step = len(x), value - weights[j]
    if j < n_numeric:
        own, column = x[j, place], x[j, start : start + BLOCK]
        if has_missing[j]:
            for t in range(BLOCK):
                out[t] = piece[t] + step * number_square(own, column[t])
        else:
            for t in range(BLOCK):
                out[t] = piece[t] + step * known_square(own, column[t])
    else:
        code = a[j - n_numeric, place]
        column = a[j - n_numeric, start : start + BLOCK]
        for t in range(BLOCK):
            out[t] = piece[t] + (step if codes_differ(code, column[t]) else 0.0)
    if step < 0.0:
        for t in range(BLOCK):
            if out[t] < _LEFT * piece[t]:
                out[t] = _sum_anew(place, start + t, j, value, x, a, weights)


@njit(cache=True, nogil=True)
def _sum_anew(place, other, j, value, x, a, weights):
    """Squared distance of two places with another weight of feature `j`."""
    n_numeric, total = len(x), 0.0
    for f in range(len(weights)):
        weight = value if f == j else weights[f]
        if f < n_numeric:
            total += weight * number_square(x[f, place], x[f, other])
        elif codes_differ(a[f - n_numeric, place], a[f - n_numeric, other]):
            total += weight
    return total


@njit(cache=True, nogil=True)
def _least(piece, folded):
    """Smallest of a block, by folding it: vector instructions."""
    for t in range(BLOCK // 2):
        folded[t] = piece[t] if piece[t] < piece[t + BLOCK // 2] else piece[t + BLOCK // 2]
    for t in range(BLOCK // 4):
        folded[t] = folded[t] if folded[t] < folded[t + BLOCK // 4] else folded[t + BLOCK // 4]
    for t in range(BLOCK // 8):
        folded[t] = folded[t] if folded[t] < folded[t + BLOCK // 8] else folded[t + BLOCK // 8]
    least = folded[0]
    for t in range(1, BLOCK // 8):
        least = folded[t] if folded[t] < least else least
    return least
