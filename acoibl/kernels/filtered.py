"""Votes from squared distances whose error is bounded: exact, or handed back.

`vote_nearest` (k-NN) uses the approximate distances only to find a few rows
among which the k nearest must be, and measures those exactly. `vote_within`
(d-NN) and `vote_gaussian` use them for the votes, and leave the query
undecided (`OPEN`) when the bound could change the answer; the caller then
measures that query in full.
"""

import numpy as np
from numba import njit

from acoibl.kernels.training import EQUAL, LEAST_BANDWIDTH, MISSING_CODE, NOBODY, OPEN
from acoibl.kernels.votes import fill_smallest

LANES = 32
"""Columns of cells; minima are taken down the columns, in vector instructions."""

DEPTH = 16
"""Rows in a cell: training row s of a run of LANES * DEPTH rows is in cell s mod LANES."""


@njit(cache=True, nogil=True)
def vote_nearest(block, product, which, queries, training, rows, weights, ks, out):
    """k-NN for the queries `which` of a block; fills their places in `out` (n_ks, n_queries).

    `rows` holds the training rows one by one (a Queries tuple of them), for
    the exact distances.
    """
    n_rows, n_classes = len(training.rows), len(training.starts) - 1
    k_most = min(int(ks.max()), n_rows)
    minima = np.empty(LANES, dtype=block.dtype)
    cells = np.empty((n_rows // (LANES * DEPTH) + n_classes + 1, LANES), dtype=block.dtype)
    smallest = np.empty(k_most)
    near = np.empty(n_rows + 1, dtype=np.int64)
    exact = np.empty(n_rows)
    counts = np.empty(n_classes, dtype=np.int64)
    # Plain arrays: taking them out of the tuples again for every row would cost more than the sums.
    starts, classes = training.starts, training.classes
    offsets, errors, owns = product.offsets, product.error, queries.own
    x, a, y, b = queries.numeric, queries.codes, rows.numeric, rows.codes
    w, v = weights.numeric, weights.categorical
    for i in range(block.shape[0]):
        query, line = which[i], block[i]
        if errors[query] == np.inf:
            out[:, query] = OPEN
            continue
        line_offsets, own = offsets[query], owns[query]
        if own >= 0:
            line[own] = np.inf
        _cell_minima(line, line_offsets, starts, cells, minima)
        limit = _upper_bound(minima, k_most) + 2.0 * errors[query] + EQUAL
        n_near = _rows_below(line, line_offsets, starts, cells, limit, near)
        _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, exact)
        if n_near > 0 and own >= 0 and limit == np.inf:
            for c in range(n_near):  # with fewer rows than lanes the limit lets all pass
                if near[c] == own:
                    exact[c] = np.inf
        fill_smallest(exact[:n_near], smallest)
        available = n_rows - (1 if own >= 0 else 0)
        for p in range(len(ks)):
            kth = smallest[min(int(ks[p]), available) - 1] + EQUAL
            counts[:] = 0
            for c in range(n_near):
                counts[classes[near[c]]] += exact[c] <= kth
            out[p, query] = _most_votes(counts, kth, near, exact, n_near, classes)


@njit(cache=True, nogil=True)
def vote_within(block, product, which, queries, training, radii, out):
    """d-NN for one block of queries; `OPEN` where the error could matter."""
    n_classes = len(training.starts) - 1
    votes = np.empty(n_classes)
    for i in range(block.shape[0]):
        query = which[i]
        line, own, error = block[i], queries.own[query], product.error[query]
        if error == np.inf:
            out[:, query] = OPEN
            continue
        if own >= 0:
            line[own] = np.inf
        for label in range(n_classes):
            line[training.starts[label] : training.starts[label + 1]] += product.offsets[
                query, label
            ]
        nearest = line.min()
        for p in range(len(radii)):
            limit = radii[p] * radii[p] + EQUAL
            if nearest > limit + error:
                out[p, query] = NOBODY
                continue
            if nearest <= EQUAL + error or nearest >= limit - error:
                out[p, query] = OPEN
                continue
            near_edge = 0
            for label in range(n_classes):
                segment = line[training.starts[label] : training.starts[label + 1]]
                total = 0.0
                for s in range(len(segment)):
                    distance = segment[s]
                    total += 1.0 / np.sqrt(distance) if distance <= limit else 0.0
                    near_edge += abs(distance - limit) <= error
                votes[label] = total
            # 1/sqrt moves by half the relative error of its argument, at most by the nearest's.
            doubt = error / nearest + len(line) * 4e-16 + 2 * EQUAL
            out[p, query] = OPEN if near_edge else _clear_winner(votes, doubt)


@njit(cache=True, nogil=True)
def vote_gaussian(block, product, which, queries, training, bandwidths, out):
    """GKE for one block of queries; `OPEN` where the error could matter."""
    n_classes = len(training.starts) - 1
    votes = np.empty(n_classes)
    exponents = np.empty(len(training.rows))
    bits = np.empty(len(training.rows), dtype=np.int64)
    powers = bits.view(np.float64)
    for i in range(block.shape[0]):
        query = which[i]
        line, own = block[i], queries.own[query]
        if product.error[query] == np.inf:
            out[:, query] = OPEN
            continue
        if own >= 0:
            line[own] = np.inf
        for label in range(n_classes):
            line[training.starts[label] : training.starts[label + 1]] += product.offsets[
                query, label
            ]
        nearest = line.min()
        for p in range(len(bandwidths)):
            factor = 0.5 / max(bandwidths[p], LEAST_BANDWIDTH) ** 2
            doubt = 4 * factor * product.error[query] + len(line) * 4e-16 + 1e-13 + 2 * EQUAL
            if doubt > 0.1:
                out[p, query] = OPEN
                continue
            for s in range(len(line)):
                exponents[s] = (nearest - line[s]) * factor
            _exponential(exponents, bits, powers)
            for label in range(n_classes):
                total = 0.0
                for s in range(training.starts[label], training.starts[label + 1]):
                    total += exponents[s]
                votes[label] = total
            out[p, query] = _clear_winner(votes, doubt)


@njit(cache=True, nogil=True)
def _cell_minima(line, offsets, starts, cells, minima):
    """Smallest distance of every cell, run by run, and of every lane; the number of runs."""
    minima[:] = np.inf
    run = 0
    for label in range(len(starts) - 1):
        offset = offsets[label]
        for start in range(starts[label], starts[label + 1], LANES * DEPTH):
            part = line[start : min(start + LANES * DEPTH, starts[label + 1])]
            cell = cells[run]
            cell[:] = np.inf
            fours = len(part) // (4 * LANES)
            for d in range(fours):
                piece = part[d * 4 * LANES : (d + 1) * 4 * LANES]  # from 0 on: vectorises
                for t in range(LANES):
                    a, b = piece[t], piece[t + LANES]
                    c, e = piece[t + 2 * LANES], piece[t + 3 * LANES]
                    a, c = a if a < b else b, c if c < e else e
                    a = a if a < c else c
                    cell[t] = a if a < cell[t] else cell[t]
            tail = part[fours * 4 * LANES :]
            for d in range(0, len(tail), LANES):
                piece = tail[d : d + LANES]
                for t in range(len(piece)):
                    cell[t] = piece[t] if piece[t] < cell[t] else cell[t]
            for t in range(LANES):
                cell[t] += offset
                minima[t] = cell[t] if cell[t] < minima[t] else minima[t]
            run += 1
    return run


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _upper_bound(minima, k):
    """A value that at least k of the minima do not exceed, and not many more (bisection)."""
    low, high = np.float32(np.inf), np.float32(-np.inf)
    finite = 0
    for t in range(len(minima)):
        if minima[t] < np.inf:
            finite += 1
            low, high = min(low, minima[t]), max(high, minima[t])
    if finite < k:
        return np.inf
    for _ in range(6):
        middle = low + (high - low) * np.float32(0.5)
        count = np.float32(0.0)  # a sum of ones is exact in any order
        for t in range(len(minima)):
            count += np.float32(1.0) if minima[t] <= middle else np.float32(0.0)
        if count >= k:
            high = middle
        else:
            low = middle
    return np.float64(high)


@njit(cache=True, nogil=True)
def _rows_below(line, offsets, starts, cells, limit, near):
    """Training rows whose distance is not above the limit, looked up through the cells."""
    # Rounding the limit down must not lose a row: a small step up covers it.
    bound = np.float32(limit + 2e-7 * (abs(limit) + 1e-30))
    found = run = 0
    for label in range(len(starts) - 1):
        offset = offsets[label]
        for start in range(starts[label], starts[label + 1], LANES * DEPTH):
            stop = min(start + LANES * DEPTH, starts[label + 1])
            for t in range(LANES):
                if cells[run, t] <= bound:
                    for s in range(start + t, stop, LANES):
                        if line[s] + offset <= bound:
                            near[found] = s
                            found += 1
            run += 1
    return found


@njit(cache=True, nogil=True)
def _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, exact):
    """Squared distances with the terms and the order of the full kernel: equal to the last bit."""
    for c in range(n_near):
        row, label = near[c], classes[near[c]]
        total = 0.0
        for j in range(x.shape[1]):
            difference = x[query, j] - y[row, j]
            square = difference * difference
            total += w[label, j] * (1.0 if np.isnan(square) else square)
        for j in range(a.shape[1]):
            differs = a[query, j] == MISSING_CODE or a[query, j] != b[row, j]
            total += v[label, j] if differs else 0.0
        exact[c] = total


@njit(cache=True, nogil=True)
def _most_votes(counts, kth, near, exact, n_near, classes):
    most = counts.max()
    winner, tied = -1, 0
    for label in range(len(counts)):
        if counts[label] == most:
            tied += 1
            if winner < 0:
                winner = label
    if tied == 1:
        return winner
    best = np.inf
    for c in range(n_near):
        if exact[c] <= kth and counts[classes[near[c]]] == most and exact[c] < best:
            best = exact[c]
    winner = len(counts)
    for c in range(n_near):
        label = classes[near[c]]
        if counts[label] == most and exact[c] <= min(kth, best + EQUAL) and label < winner:
            winner = label
    return winner


@njit(cache=True, nogil=True)
def _clear_winner(votes, doubt):
    """Class that leads by more than the relative doubt, else `OPEN`."""
    winner = votes.argmax()
    for label in range(len(votes)):
        if label != winner and votes[label] * (1.0 + doubt) >= votes[winner] * (1.0 - doubt):
            return OPEN
    return winner


@njit(cache=True, nogil=True)
def _exponential(values, bits, powers):
    """Exponential of non-positive values in place, to about 1e-15 relative, in vector instructions.

    exp(x) = 2^n exp(r) with n the nearest integer to x / ln 2 and |r| <= ln 2 / 2;
    `powers` views `bits` as floats, where 2^n is an exponent field.
    """
    for s in range(len(values)):
        x = values[s] if values[s] > -700.0 else -700.0
        n = np.floor(x * 1.4426950408889634 + 0.5)
        r = (x - n * 0.693147180369123816490) - n * 1.90821492927058770002e-10
        bits[s] = (np.int64(n) + 1023) << 52
        p = 1.0 / 6227020800.0
        p = p * r + 1.0 / 479001600.0
        p = p * r + 1.0 / 39916800.0
        p = p * r + 1.0 / 3628800.0
        p = p * r + 1.0 / 362880.0
        p = p * r + 1.0 / 40320.0
        p = p * r + 1.0 / 5040.0
        p = p * r + 1.0 / 720.0
        p = p * r + 1.0 / 120.0
        p = p * r + 1.0 / 24.0
        p = p * r + 1.0 / 6.0
        p = p * r + 0.5
        p = p * r + 1.0
        values[s] = p * r + 1.0
    for s in range(len(values)):
        values[s] *= powers[s]
