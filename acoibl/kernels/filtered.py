"""Votes from squared distances whose error is bounded: exact, or handed back.

`vote_nearest` (k-NN) uses the approximate distances only to find a few rows
among which the k nearest must be, and measures those exactly. `vote_within`
(d-NN) and `vote_gaussian` use them for the votes, and leave the query
undecided (`OPEN`) when the bound could change the answer; the caller then
measures that query in full.
"""

import numpy as np
from numba import njit

from acoibl.kernels.nearest import LANES, rows_below, upper_bound, winner_of
from acoibl.kernels.training import EQUAL, LEAST_BANDWIDTH, MISSING_CODE, NOBODY, OPEN
from acoibl.kernels.votes import fill_smallest


@njit(cache=True, nogil=True)
def vote_nearest(block, product, which, queries, training, rows, weights, ks, out):
    """k-NN for the queries `which` of a block; fills their places in `out` (n_ks, n_queries).

    `rows` holds the training rows one by one (a Queries tuple of them), for
    the exact distances, which are measured only where the error could matter.
    """
    n_rows, n_classes = len(training.rows), len(training.class_totals)
    k_most = min(int(ks.max()), n_rows)
    minima = np.empty(LANES, dtype=block.dtype)
    flags = np.zeros((n_rows + 7) // 8 * 8, dtype=np.uint8)
    words, near = flags.view(np.uint64), np.empty(n_rows + 8, dtype=np.int64)
    distances, smallest = np.empty(n_rows), np.empty(k_most + 1)
    counts, nearest = np.empty(n_classes, dtype=np.int64), np.empty(n_classes)
    # Plain arrays: taking them out of the tuples again for every row would cost more than the sums.
    starts, classes = training.starts, training.classes
    offsets, errors, owns = product.offsets, product.error, queries.own
    x, a, y, b = queries.numeric, queries.codes, rows.numeric, rows.codes
    w, v = weights.numeric, weights.categorical
    for i in range(block.shape[0]):
        query, line = which[i], block[i]
        own, error = owns[query], errors[query]
        if error == np.inf:
            out[:, query] = OPEN
            continue
        if own >= 0:
            line[own] = np.inf
        _add_offsets(line, offsets[query], starts)
        limit = np.float64(upper_bound(line, k_most + 1, minima)) + 2.0 * error + EQUAL
        # Rounding the limit down must not lose a row: a small step up covers it.
        bound = np.float32(limit + 2e-7 * (abs(limit) + 1e-30))
        n_near = rows_below(line, bound, flags, words, near)
        for c in range(n_near):
            distances[c] = line[near[c]]
        fill_smallest(distances[:n_near], smallest)
        available = n_rows - (1 if own >= 0 else 0)
        n_open = 0
        for p in range(len(ks)):
            k = min(int(ks[p]), available)
            kth, doubt = smallest[k - 1], 2.0 * error
            # A gap behind the k-th row: these are the k nearest, whatever the errors are.
            apart = smallest[k] - kth > doubt + EQUAL
            out[p, query] = OPEN
            if apart:
                out[p, query] = winner_of(
                    near, distances, n_near, kth, doubt, classes, counts, nearest
                )
            n_open += out[p, query] == OPEN
        if n_open == 0:
            continue
        _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, distances)
        if own >= 0 and limit == np.inf:
            for c in range(n_near):  # without a limit the row itself passes, too
                if near[c] == own:
                    distances[c] = np.inf
        fill_smallest(distances[:n_near], smallest)
        for p in range(len(ks)):
            kth = smallest[min(int(ks[p]), available) - 1] + EQUAL
            out[p, query] = winner_of(near, distances, n_near, kth, 0.0, classes, counts, nearest)


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
        _add_offsets(line, product.offsets[query], training.starts)
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
        _add_offsets(line, product.offsets[query], training.starts)
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
def _add_offsets(line, offsets, starts):
    for label in range(len(offsets)):
        part, offset = line[starts[label] : starts[label + 1]], offsets[label]
        for s in range(len(part)):
            part[s] += offset


@njit(cache=True, nogil=True)
def _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, exact):
    """Squared distances with the terms and the order of the full kernel: equal to the last bit."""
    values, codes = x[query], a[query]
    for c in range(n_near):
        row, label = near[c], classes[near[c]]
        others, scales = y[row], w[label]
        total = 0.0
        for j in range(len(values)):
            difference = values[j] - others[j]
            square = difference * difference
            total += scales[j] * (1.0 if np.isnan(square) else square)
        for j in range(len(codes)):
            differs = codes[j] == MISSING_CODE or codes[j] != b[row, j]
            total += v[label, j] if differs else 0.0
        exact[c] = total


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
