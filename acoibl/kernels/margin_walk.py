"""Walk over rows, find the nearest hit and miss of each, and move feature weights on the way.

Every step asks for the nearest row of the own class (hit) and of another class (miss) under
weights that the step before has changed. Distances of a run of rows to all others come from one
product of matrices under the weights at its beginning; how far the weights have moved since
bounds how far any distance can have, and only the rows that the bounds leave are measured again.
Where the bounds leave too many, the most likely ones are measured, the walk goes on, and at the
end of the run products under the weights of each such step tell whether anybody was overlooked;
then the walk goes back to that step. Results are those of the plain search, whatever the unit of
the features: rows are equally near by a ratio of their squares, not by a difference.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.distances import fill_all
from acoibl.kernels.training import BEYOND, MISSING_CODE

NOBODY = -1
"""In place of a row: there is no hit, or no miss."""

LEAST, MOST, CELLS = 8, 512, 2_000_000
"""Rows of a run, and cells of its table of products."""

TRUST = 32.0
"""How many times smaller than its bound the error is taken to be, at first, in wide data."""

_LANES = 16


def walk(rows, sequence, steps, weights):
    """Hits and misses (n_steps,) of the rows of `sequence`; `weights` are moved by each step."""
    n = len(sequence)
    hits, misses = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    if not rows.is_plain:
        _walk_directly(rows, sequence, steps, weights, hits, misses)
        return hits, misses
    n_rows, d = rows.numeric.shape
    most = max(1, min(MOST, CELLS // n_rows))
    size = most if not steps.any() else min(LEAST, most)
    trace = np.empty((min(MOST, max(LEAST, CELLS // d)), d))
    squares = None
    wide = 2 * d >= n_rows
    # The bound is loose by a factor that grows with the features; in long data it serves well.
    done, trust = 0, TRUST if wide else 1.0
    while done < n:
        whole = wide and done == 0 and 1 < n_rows <= MOST
        part = sequence if whole else sequence[done : done + size]
        base = weights * weights
        lengths = np.empty(0)
        if whole:  # one symmetric product for all steps: half of the work
            scaled = rows.numeric * weights
            products = scaled @ scaled.T
            lengths, products = products.diagonal().copy(), products[part]
        elif len(part) > 1:
            products = (rows.numeric[part] * base) @ rows.numeric.T
        else:  # one read of the rows instead of two
            products = np.empty((0, n_rows))
        end = done + len(part)
        found = hits[done:end], misses[done:end]
        doubtful = np.empty(len(part), dtype=np.int64)
        walked, n_doubtful = _walk_along(
            rows,
            base,
            products,
            lengths,
            part,
            steps[done:end],
            weights,
            *found,
            trace,
            doubtful,
            trust,
        )
        if n_doubtful:
            squares = rows.numeric**2 if squares is None else squares
            wrong = _first_wrong(rows, squares, trace[:n_doubtful], part, *found, doubtful)
            if wrong >= 0:
                walked, trust = doubtful[wrong], max(1.0, trust / 4)
                weights[:] = trace[wrong]
        done += walked
        # Longer runs share the product among more rows, but leave more rows to be measured again.
        size = min(2 * size, most) if walked == len(part) else max(1, walked)
    return hits, misses


def _first_wrong(rows, squares, trace, sequence, hits, misses, doubtful):
    """First of the doubtful steps whose hit or miss is not the nearest; -1 if all are right."""
    steps = doubtful[: len(trace)]
    weights = trace**2
    lengths = weights @ squares.T
    products = (rows.numeric[sequence[steps]] * weights) @ rows.numeric.T
    return _check_steps(rows, weights, lengths, products, sequence, hits, misses, steps)


@njit(cache=True, nogil=True)
def _check_steps(rows, weights, lengths, products, sequence, hits, misses, steps):
    x, training = rows.numeric, rows.training
    n, d = x.shape
    line, near, distances = np.empty(n), np.empty(n, dtype=np.int64), np.empty(n)
    for u in range(len(steps)):
        own = sequence[steps[u]]
        label = training.classes[own]
        start, stop = training.starts[label], training.starts[label + 1]
        rounding = _rounding(lengths[u], d)
        _fill_line(products[u], lengths[u], lengths[u, own], line)
        line[own] = np.inf
        for chosen, of_own in ((hits[steps[u]], True), (misses[steps[u]], False)):
            if chosen == NOBODY:
                continue
            limit = _square(x[own], x[chosen], weights[u]) * BEYOND + rounding
            if of_own:
                n_near = _collect(line, start, stop, limit, near, 0)
            else:
                n_near = _collect(line, 0, start, limit, near, 0)
                n_near = _collect(line, stop, n, limit, near, n_near)
            if n_near == 1 and near[0] == chosen:
                continue
            for c in range(n_near):
                distances[c] = _square(x[own], x[near[c]], weights[u])
            place = _first_nearest(near[:n_near], distances[:n_near], training.rows)
            if near[place] != chosen:
                return u
    return -1


@njit(cache=True, nogil=True)
def _walk_along(
    rows, base, products, lengths, sequence, steps, weights, hits, misses, trace, doubtful, trust
):
    """Take steps while few rows have to be measured again.

    Returns how many were taken, and how many of these are doubtful: the error of the bounds was
    taken as a share 1 / trust of what is proven. Their places are in `doubtful`, the weights
    before them in `trace`.
    """
    x, training = rows.numeric, rows.training
    n, d = x.shape
    squared, inverse = weights * weights, np.zeros(d)
    line = np.empty(n)
    if len(lengths) == 0:
        lengths = np.zeros(n)
        for s in range(n if len(products) > 0 else 0):
            lengths[s] = _square_length(x[s], base)
    if len(products) > 0:
        for j in range(d):
            inverse[j] = 1.0 / base[j] if base[j] > 1e-300 else 0.0
    rounding = _rounding(lengths, d)
    near, distances = np.empty(n, dtype=np.int64), np.empty(n)
    few = max(16, n // 8)
    n_doubtful = 0
    bounds, to_hit, to_miss = (1.0, 1.0, 0.0), 0.0, 0.0
    for t in range(len(sequence)):
        own = sequence[t]
        label = training.classes[own]
        start, stop = training.starts[label], training.starts[label + 1]
        if len(products) == 0:
            for s in range(n):
                line[s] = _square(x[own], x[s], squared)
        else:
            _fill_line(products[t], lengths, lengths[own], line)
            if t > 0 and steps[t - 1] != 0.0:
                bounds = _movement(base, inverse, weights, rows.spans)
        line[own] = np.inf
        # While nothing moves, old distances are new ones but for rounding.
        moves = steps[t] != 0.0 or (t > 0 and steps[t - 1] != 0.0)
        first_hit = _smallest(line, start, stop)
        first_miss = _smallest_outside(line, start, stop)
        if first_hit >= 0:
            to_hit = _square(x[own], x[first_hit], squared) if moves else line[first_hit] + rounding
        if first_miss >= 0:
            to_miss = (
                _square(x[own], x[first_miss], squared) if moves else line[first_miss] + rounding
            )
        for attempt in range(2):
            low, centre, error = bounds
            error = error if attempt == 0 else error / trust
            n_near = 0
            if first_hit >= 0:
                limit = _limit(to_hit * BEYOND, low, centre, error, rounding)
                limit = max(limit, line[first_hit])
                n_near = _collect(line, start, stop, limit, near, n_near)
            n_hits = n_near
            if first_miss >= 0:
                limit = _limit(to_miss * BEYOND, low, centre, error, rounding)
                limit = max(limit, line[first_miss])
                n_near = _collect(line, 0, start, limit, near, n_near)
                n_near = _collect(line, stop, n, limit, near, n_near)
            if n_near <= few or t == 0:
                break
        if t > 0 and n_near > few:
            return t, n_doubtful
        if attempt == 1:
            if n_doubtful == len(trace):
                return t, n_doubtful
            trace[n_doubtful] = weights
            doubtful[n_doubtful] = t
            n_doubtful += 1
        for c in range(n_near):
            if near[c] == first_hit and (moves or n_hits == 1):
                distances[c] = to_hit
            elif near[c] == first_miss and (moves or n_near - n_hits == 1):
                distances[c] = to_miss
            else:
                distances[c] = _square(x[own], x[near[c]], squared)
        hit = _first_nearest(near[:n_hits], distances[:n_hits], training.rows)
        miss = _first_nearest(near[n_hits:n_near], distances[n_hits:n_near], training.rows)
        hits[t] = near[hit] if hit >= 0 else NOBODY
        misses[t] = near[n_hits + miss] if miss >= 0 else NOBODY
        if steps[t] != 0.0:
            to_hit = distances[hit] if hit >= 0 else 0.0
            to_miss = distances[n_hits + miss] if miss >= 0 else 0.0
            _move(x[own], x[hits[t]], x[misses[t]], to_hit, to_miss, steps[t], weights, squared)
    return len(sequence), n_doubtful


@njit(cache=True, nogil=True)
def _walk_directly(rows, sequence, steps, weights, hits, misses):
    """The same for rows with categories or missing values: every distance is measured."""
    training, n_numeric = rows.training, rows.numeric.shape[1]
    n, d = len(rows.numeric), len(weights)
    line, differences = np.empty(n), np.empty(d)
    everyone = np.arange(n)
    all_rows = np.array([0, n])
    squared = (weights * weights).reshape(1, d)
    for t in range(len(sequence)):
        own = sequence[t]
        label = training.classes[own]
        start, stop = training.starts[label], training.starts[label + 1]
        fill_all(
            rows.numeric[own],
            rows.codes[own],
            all_rows,
            training.numeric,
            training.has_missing,
            training.codes,
            squared[:, :n_numeric],
            squared[:, n_numeric:],
            line,
        )
        line[own] = np.inf
        hit = _first_nearest(everyone[start:stop], line[start:stop], training.rows)
        hits[t] = start + hit if hit >= 0 else NOBODY
        line[start:stop] = np.inf
        misses[t] = _first_nearest(everyone, line, training.rows)
        if steps[t] != 0.0:
            change = np.zeros(d)
            for other, sign in ((hits[t], -1.0), (misses[t], 1.0)):
                if other == NOBODY:
                    continue
                fill_differences(rows.numeric, rows.codes, own, other, differences)
                length = 0.0
                for j in range(d):
                    differences[j] *= differences[j]
                    length += squared[0, j] * differences[j]
                if length > 0.0:
                    change += (0.5 * sign / np.sqrt(length)) * differences
            weights += steps[t] * change * weights
            squared[0] = weights * weights


@njit(cache=True, nogil=True)
def _rounding(lengths, d):
    """Generous bound of the rounding errors of lengths and products."""
    return 4e-16 * (d + 8) * 4.0 * lengths.max()


@njit(cache=True, nogil=True)
def _limit(top, low, centre, error, rounding):
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
def _movement(base, inverse, weights, spans):
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
def _fill_line(products, lengths, own_length, line):
    for s in range(len(line)):
        square = own_length + lengths[s] - 2.0 * products[s]
        line[s] = square if square > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _smallest_outside(line, start, stop):
    """Place of a smallest value before `start` or from `stop` on; -1 if all are infinite."""
    before, after = _smallest(line, 0, start), _smallest(line, stop, len(line))
    if before < 0 or (after >= 0 and line[after] < line[before]):
        return after
    return before


@njit(cache=True, nogil=True)
def _smallest(line, start, stop):
    """Place of a smallest value from `start` to `stop`; -1 if all are infinite."""
    lanes = np.full(_LANES, np.inf)
    end = start + (stop - start) // _LANES * _LANES
    for begin in range(start, end, _LANES):
        piece = line[begin : begin + _LANES]
        for t in range(_LANES):
            lanes[t] = piece[t] if piece[t] < lanes[t] else lanes[t]
    best = np.inf
    for t in range(_LANES):
        best = min(best, lanes[t])
    for s in range(end, stop):
        best = min(best, line[s])
    if best < np.inf:
        for s in range(start, stop):
            if line[s] == best:
                return s
    return -1


@njit(cache=True, nogil=True)
def _collect(line, start, stop, limit, near, found):
    for s in range(start, stop):
        if line[s] <= limit:
            near[found] = s
            found += 1
    return found


@njit(cache=True, nogil=True)
def _first_nearest(near, distances, rows):
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
def _square_length(x, squared):
    total = 0.0
    for j in range(len(x)):
        total += squared[j] * x[j] * x[j]
    return total


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _square(x, y, squared):
    total = 0.0
    for j in range(len(x)):
        difference = x[j] - y[j]
        total += squared[j] * difference * difference
    return total


@njit(cache=True, nogil=True)
def _move(x, hit, miss, to_hit, to_miss, step, weights, squared):
    """One step of Algorithm 1, lines 12-15. A square of 0 stands for no distance: no term."""
    pull = 0.5 * step / np.sqrt(to_hit) if to_hit > 0.0 else 0.0
    push = 0.5 * step / np.sqrt(to_miss) if to_miss > 0.0 else 0.0
    for j in range(len(x)):
        a, b = x[j] - miss[j], x[j] - hit[j]
        weights[j] += (push * a * a - pull * b * b) * weights[j]
        squared[j] = weights[j] * weights[j]


@njit(cache=True, nogil=True)
def fill_differences(numeric, codes, own, other, out):
    """Differences per feature: absolute, 0 or 1, and 1 where a value is missing."""
    n_numeric = numeric.shape[1]
    for j in range(n_numeric):
        difference = abs(numeric[own, j] - numeric[other, j])
        out[j] = 1.0 if np.isnan(difference) else difference
    for j in range(codes.shape[1]):
        same = codes[own, j] == codes[other, j] and codes[own, j] != MISSING_CODE
        out[n_numeric + j] = 0.0 if same else 1.0
