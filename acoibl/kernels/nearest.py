"""The k nearest of one line of squared distances, without sorting it.

The rows of a line are dealt out to `LANES` lanes, whose minima are taken in
vector instructions. The k-th smallest minimum is no less than the k-th
smallest distance: only rows up to it can be among the k nearest, and these
are few. Lines may be in single or double precision.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, EQUAL, OPEN

LANES = 32
"""Row s is in lane s mod LANES; that many values fill whole vector registers."""


@njit(cache=True, nogil=True)
def upper_bound(line, k, minima):
    """A value that at least k distances of the line do not exceed, and few more.

    `minima` (LANES,) is work space. Infinite where the lanes cannot tell.
    """
    _fill_minima(line, minima)
    return _bound_of(minima, k)


@njit(cache=True, nogil=True)
def rows_below(line, bound, flags, words, near):
    """Rows whose distance is not above the bound, ascending, in `near`; their number.

    Work space: `flags` (uint8, n_rows rounded up to a multiple of 8, zeros at
    first), `words`, the same memory as uint64, and `near` (n_rows + 8,).
    """
    for s in range(len(line)):
        flags[s] = line[s] <= bound
    return flagged_rows(words, flags, near)


@njit(cache=True, nogil=True)
def flagged_rows(words, flags, near):
    """Rows whose flag is 1, ascending, in `near`; their number."""
    found = 0
    for w in range(len(words)):
        if words[w] != 0:  # eight rows at once: most have none
            for s in range(8 * w, 8 * w + 8):
                near[found] = s
                found += flags[s]
    return found


@njit(cache=True, nogil=True)
def winner_of(near, distances, n_near, kth, doubt, classes, counts, nearest):
    """Class with most rows up to `kth`; of equals the nearest row's, then the smaller one.

    `distances` are those of the rows `near`, all rows up to `kth` among them.
    If a tie hangs on distances that differ by no more than `doubt`, which
    is 0 for exact ones, the answer is `OPEN`. `counts` and `nearest`
    (n_classes,) are work space.
    """
    for label in range(len(counts)):
        counts[label] = 0
        nearest[label] = np.inf
    for c in range(n_near):
        label, distance = classes[near[c]], distances[c]
        counts[label] += distance <= kth
        nearest[label] = min(nearest[label], distance)
    winner, tied = 0, False
    for label in range(1, len(counts)):
        if counts[label] > counts[winner]:
            winner, tied = label, False
        elif counts[label] == counts[winner]:
            tied = True
    if not tied:
        return winner
    most, best = counts[winner], np.inf
    for label in range(len(counts)):
        if counts[label] == most:
            best = min(best, nearest[label])
    winner = OPEN
    for label in range(len(counts)):
        if counts[label] == most and nearest[label] <= (best + doubt) * BEYOND:
            if winner == OPEN:
                winner = label
            elif doubt > 0.0:
                return OPEN
    return winner


@njit(cache=True, nogil=True)
def order_rows(distances, n):
    """Order the nearest rows; return at least `n` of them, and how many of these are sure.

    Ascending; the nearest of what is left and its equals come next, in the order of the rows.
    Where a farther row is equal to the last of these, though not to the first, another would be
    the nearest in a selection without the first. The order is sure, in any selection, before that.
    """
    # Three times: the equals of the n-th, theirs, and a little room for rounding.
    limit = np.partition(distances, n - 1)[n - 1] * (1.0 + 3.0 * EQUAL)
    near = np.flatnonzero(distances <= limit)
    order = np.argsort(distances[near], kind="mergesort")
    ascending = distances[near[order]]
    n_sure, start = -1, 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and ascending[stop] <= ascending[start] * BEYOND:
            stop += 1
        if n_sure < 0 and stop < len(order):
            n_sure = start if ascending[stop] <= ascending[stop - 1] * BEYOND else -1
        order[start:stop].sort()
        start = stop
    return near[order], len(order) if n_sure < 0 else n_sure


@njit(cache=True, nogil=True)
def fill_nearest(distances, places):
    """Fill `places` (n_queries, k) with the nearest rows of each line of `distances`, in order."""
    k = places.shape[1]
    for i in range(len(places)):
        places[i] = order_rows(distances[i], k)[0][:k]


@njit(cache=True, nogil=True)
def _fill_minima(line, minima):
    for t in range(LANES):
        minima[t] = np.inf
    n_fours = len(line) // (4 * LANES)
    for d in range(n_fours):
        piece = line[d * 4 * LANES : (d + 1) * 4 * LANES]  # from 0 on: vectorises
        for t in range(LANES):
            a, b = piece[t], piece[t + LANES]
            c, e = piece[t + 2 * LANES], piece[t + 3 * LANES]
            a, c = a if a < b else b, c if c < e else e
            a = a if a < c else c
            minima[t] = a if a < minima[t] else minima[t]
    tail = line[n_fours * 4 * LANES :]
    for d in range(0, len(tail), LANES):
        piece = tail[d : d + LANES]
        for t in range(len(piece)):
            minima[t] = piece[t] if piece[t] < minima[t] else minima[t]


@njit(cache=True, nogil=True)
def _bound_of(minima, k):
    """Value that at least k of the minima do not exceed: the range is cut in four, three times."""
    low = high = minima[0]
    for t in range(LANES):
        low = minima[t] if minima[t] < low else low
        high = minima[t] if minima[t] > high else high
    if k > LANES or not high < np.inf:
        return minima.dtype.type(np.inf)
    quarter = minima.dtype.type(0.25)
    for _ in range(3):
        step = (high - low) * quarter
        first, second = low + step, low + (step + step)
        third = second + step
        below_first = below_second = below_third = 0
        for t in range(LANES):
            below_first += minima[t] <= first
            below_second += minima[t] <= second
            below_third += minima[t] <= third
        if below_first >= k:
            high = first
        elif below_second >= k:
            low, high = first, second
        elif below_third >= k:
            low, high = second, third
        else:
            low = third
    return high
