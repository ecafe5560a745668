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
from acoibl.kernels.conventions import BEYOND, NO_ROW
from acoibl.kernels.distances import fill_all
from acoibl.kernels.margins.bounds import (
    collect,
    farthest_before,
    fill_line,
    find_smallest,
    find_smallest_outside,
    first_nearest,
    movement_since,
    rounding_bound,
    squared_distance,
    squared_length,
)
from acoibl.kernels.margins.rows import MarginRows
from acoibl.kernels.margins.vectors import fill_differences

LEAST, MOST, CELLS = 8, 512, 2_000_000
"""Rows of a run, and cells of its table of products."""

TRUST = 32.0
"""How many times smaller than its bound the error is taken to be, at first, in wide data."""


def nearest_pairs(rows: MarginRows, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearest hit and nearest miss of every row.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    weights : ndarray of float64, shape (n_features,)
        Feature weights w, numeric ones first; the distance is ``sqrt(sum w**2 * diff**2)``.

    Returns
    -------
    hits, misses : ndarray of int64, shape (n_rows,)
        By sorted row, the sorted rows nearest to it; of those whose squared distance is at most
        1 + 1e-9 times the smallest, the one that was given first; -1 where there is none.
    """
    sequence = np.arange(len(rows.numeric))
    # A step of 0 moves no weight.
    return walk(rows, sequence, np.zeros(len(sequence)), np.array(weights, dtype=np.float64))


def margin_pass(rows: MarginRows, sequence: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Move feature weights from 1 along the margins of rows, one after the other.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    sequence : ndarray of int, shape (n_steps,)
        Sorted rows in the order in which they are taken.
    steps : ndarray of float64, shape (n_steps,)
        Size of each step (omega of the row).

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Weights after the last step, numeric ones first.
    """
    weights = np.ones(rows.numeric.shape[1] + rows.codes.shape[1])
    walk(rows, np.asarray(sequence, dtype=np.int64), np.asarray(steps, dtype=float), weights)
    return weights


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
        rounding = rounding_bound(lengths[u], d)
        fill_line(products[u], lengths[u], lengths[u, own], line)
        line[own] = np.inf
        for chosen, of_own in ((hits[steps[u]], True), (misses[steps[u]], False)):
            if chosen == NO_ROW:
                continue
            limit = squared_distance(x[own], x[chosen], weights[u]) * BEYOND + rounding
            if of_own:
                n_near = collect(line, start, stop, limit, near, 0)
            else:
                n_near = collect(line, 0, start, limit, near, 0)
                n_near = collect(line, stop, n, limit, near, n_near)
            if n_near == 1 and near[0] == chosen:
                continue
            for c in range(n_near):
                distances[c] = squared_distance(x[own], x[near[c]], weights[u])
            place = first_nearest(near[:n_near], distances[:n_near], training.rows)
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
            lengths[s] = squared_length(x[s], base)
    if len(products) > 0:
        for j in range(d):
            inverse[j] = 1.0 / base[j] if base[j] > 1e-300 else 0.0
    rounding = rounding_bound(lengths, d)
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
                line[s] = squared_distance(x[own], x[s], squared)
        else:
            fill_line(products[t], lengths, lengths[own], line)
            if t > 0 and steps[t - 1] != 0.0:
                bounds = movement_since(base, inverse, weights, rows.spans)
        line[own] = np.inf
        # While nothing moves, old distances are new ones but for rounding.
        moves = steps[t] != 0.0 or (t > 0 and steps[t - 1] != 0.0)
        first_hit = find_smallest(line, start, stop)
        first_miss = find_smallest_outside(line, start, stop)
        if first_hit >= 0:
            to_hit = (
                squared_distance(x[own], x[first_hit], squared)
                if moves
                else line[first_hit] + rounding
            )
        if first_miss >= 0:
            to_miss = (
                squared_distance(x[own], x[first_miss], squared)
                if moves
                else line[first_miss] + rounding
            )
        for attempt in range(2):
            low, centre, error = bounds
            error = error if attempt == 0 else error / trust
            n_near = 0
            if first_hit >= 0:
                limit = farthest_before(to_hit * BEYOND, low, centre, error, rounding)
                limit = max(limit, line[first_hit])
                n_near = collect(line, start, stop, limit, near, n_near)
            n_hits = n_near
            if first_miss >= 0:
                limit = farthest_before(to_miss * BEYOND, low, centre, error, rounding)
                limit = max(limit, line[first_miss])
                n_near = collect(line, 0, start, limit, near, n_near)
                n_near = collect(line, stop, n, limit, near, n_near)
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
                distances[c] = squared_distance(x[own], x[near[c]], squared)
        hit = first_nearest(near[:n_hits], distances[:n_hits], training.rows)
        miss = first_nearest(near[n_hits:n_near], distances[n_hits:n_near], training.rows)
        hits[t] = near[hit] if hit >= 0 else NO_ROW
        misses[t] = near[n_hits + miss] if miss >= 0 else NO_ROW
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
        hit = first_nearest(everyone[start:stop], line[start:stop], training.rows)
        hits[t] = start + hit if hit >= 0 else NO_ROW
        line[start:stop] = np.inf
        misses[t] = first_nearest(everyone, line, training.rows)
        if steps[t] != 0.0:
            change = np.zeros(d)
            for other, sign in ((hits[t], -1.0), (misses[t], 1.0)):
                if other == NO_ROW:
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
def _move(x, hit, miss, to_hit, to_miss, step, weights, squared):
    """One step of Algorithm 1, lines 12-15. A square of 0 stands for no distance: no term."""
    pull = 0.5 * step / np.sqrt(to_hit) if to_hit > 0.0 else 0.0
    push = 0.5 * step / np.sqrt(to_miss) if to_miss > 0.0 else 0.0
    for j in range(len(x)):
        a, b = x[j] - miss[j], x[j] - hit[j]
        weights[j] += (push * a * a - pull * b * b) * weights[j]
        squared[j] = weights[j] * weights[j]
