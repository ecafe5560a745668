"""Who can be nearest by distances that were true some steps ago, or but for rounding."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND
from acoibl.kernels.differences import known_difference

LANES = 16
"""That many minima fill whole vector registers."""


@njit(cache=True, nogil=True)
def rounding_bound(lengths, d):
    """Generous bound of the rounding errors of lengths and products."""
    return 4e-16 * (d + 8) * 4.0 * lengths.max()


@njit(cache=True, nogil=True)
def farthest_before(top, low, centre, error, rounding):
    """Largest old squared distance of a row whose new one can be at most `top`.

    The new square is at least `low` times the old one, and at least `centre` times it less
    `error` times the old distance; both grow with the old distance.
    """
    reach = (error + np.sqrt(error * error + 4.0 * centre * top)) / (2.0 * centre)
    reach *= reach
    if low > 0.0:
        reach = min(reach, top / low)
    return reach + rounding


@njit(cache=True, nogil=True, fastmath={"reassoc", "nnan", "nsz"})
def movement_since(base, inverse, weights, spans):
    """Smallest and weighted mean ratio of new to old squared weight, and their spread.

    By Cauchy and Schwarz, with r_j the ratios: ``|sum_j base_j (r_j - centre) z_j**2|`` is at most
    ``sqrt(sum_j base_j z_j**2) * sqrt(sum_j base_j spans_j**2 (r_j - centre)**2)``.
    """
    low, total, first, second = np.inf, 0.0, 0.0, 0.0
    for j in range(len(base)):
        ratio = weights[j] * weights[j] * inverse[j]
        low = min(low, ratio)  # 0 where a weight has vanished: no bound, but a true one
        share = base[j] * spans[j] * spans[j]
        total += share
        first += share * ratio
        second += share * ratio * ratio
    if not (total > 0.0 and first > 0.0):
        return 0.0, 1.0, 1e150  # nothing to hold on to: everybody is a candidate
    centre = first / total
    return low, centre, np.sqrt(max(second - centre * first, 0.0) + 1e-14 * second)


@njit(cache=True, nogil=True)
def fill_line(products, lengths, own_length, line):
    """Squared distances from products and squared lengths."""
    for s in range(len(line)):
        square = own_length + lengths[s] - 2.0 * products[s]
        line[s] = square if square > 0.0 else 0.0


@njit(cache=True, nogil=True)
def find_smallest_outside(line, start, stop):
    """Place of a smallest value before `start` or from `stop` on; -1 if all are infinite."""
    before, after = find_smallest(line, 0, start), find_smallest(line, stop, len(line))
    if before < 0 or (after >= 0 and line[after] < line[before]):
        return after
    return before


@njit(cache=True, nogil=True)
def find_smallest(line, start, stop):
    """Place of a smallest value from `start` to `stop`; -1 if all are infinite."""
    lanes = np.full(LANES, np.inf)
    end = start + (stop - start) // LANES * LANES
    for begin in range(start, end, LANES):
        piece = line[begin : begin + LANES]
        for t in range(LANES):
            lanes[t] = piece[t] if piece[t] < lanes[t] else lanes[t]
    best = np.inf
    for t in range(LANES):
        best = min(best, lanes[t])
    for s in range(end, stop):
        best = min(best, line[s])
    if best < np.inf:
        for s in range(start, stop):
            if line[s] == best:
                return s
    return -1


@njit(cache=True, nogil=True)
def collect(line, start, stop, limit, near, found):
    """Append the rows up to the limit to the `found` first ones of `near`; return their number."""
    for s in range(start, stop):
        if line[s] <= limit:
            near[found] = s
            found += 1
    return found


@njit(cache=True, nogil=True)
def first_nearest(near, distances, rows):
    """Place of the smallest square; of those at most BEYOND times it, of the row given first."""
    best = np.inf
    for c in range(len(near)):
        best = min(best, distances[c])
    place = -1
    if best < np.inf:
        for c in range(len(near)):
            if distances[c] <= best * BEYOND and (place < 0 or rows[near[c]] < rows[near[place]]):
                place = c
    return place


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def squared_length(x, squared):
    """Squared length under squared weights."""
    total = 0.0
    for j in range(len(x)):
        total += squared[j] * x[j] * x[j]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def squared_distance(x, y, squared):
    """Squared distance of plain numbers under squared weights."""
    total = 0.0
    for j in range(len(x)):
        difference = known_difference(x[j], y[j])
        total += squared[j] * difference * difference
    return total
