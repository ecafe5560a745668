"""Votes from squared distances whose error is bounded: exact, or handed back.

`vote_nearest` (k-NN) uses the approximate distances only to find a few rows
among which the k nearest must be, and measures those exactly. `vote_within`
(d-NN) and `vote_gaussian` use them for the votes, and leave the query
undecided (`OPEN`) when the bound could change the answer; the caller then
measures that query in full.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, EQUAL, NOBODY, OPEN
from acoibl.kernels.differences import codes_differ, number_square
from acoibl.kernels.nearest import LANES, flagged_rows, rows_below, upper_bound, winner_of
from acoibl.kernels.votes import fill_smallest, gaussian_factor

RUN = 256
"""Terms that are added in single precision; their sums are added in double precision."""

NEGLIGIBLE = 45.0
"""A Gaussian vote exp(-45) of the nearest row's could not turn a lead, even 10^9 times."""


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
        limit = (np.float64(upper_bound(line, k_most + 1, minima)) + error) * BEYOND + error
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
            apart = smallest[k] - error > (kth + error) * BEYOND
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
            kth = smallest[min(int(ks[p]), available) - 1] * BEYOND
            out[p, query] = winner_of(near, distances, n_near, kth, 0.0, classes, counts, nearest)


@njit(cache=True, nogil=True)
def vote_within(block, product, which, queries, training, rows, weights, radii, out):
    """d-NN for the queries `which` of a block; `OPEN` where the error could matter.

    Rows near the query or near a radius, few, are measured exactly.
    """
    n_rows, n_classes = len(training.rows), len(training.class_totals)
    flags = np.zeros((n_rows + 7) // 8 * 8, dtype=np.uint8)
    words, near = flags.view(np.uint64), np.empty(n_rows + 8, dtype=np.int64)
    distances, rough = np.empty(n_rows), np.empty(n_rows, dtype=block.dtype)
    counts, nearest = np.empty(n_classes, dtype=np.int64), np.empty(n_classes)
    votes, slack = np.empty(n_classes), np.empty(n_classes)
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
        for p in range(len(radii)):
            limit = radii[p] * radii[p] * BEYOND
            n_near = _rough_rows(line, 64.0 * error, limit, error, flags, words, near)
            _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, distances)
            voted = at_zero = False
            for c in range(n_near):
                voted |= distances[c] <= limit
                at_zero |= distances[c] == 0.0
            if at_zero:
                out[p, query] = winner_of(
                    near, distances, n_near, 0.0, 0.0, classes, counts, nearest
                )
                continue
            for c in range(n_near):
                rough[c], line[near[c]] = line[near[c]], np.inf
            for label in range(n_classes):
                segment = line[starts[label] : starts[label + 1]]
                total, cubes = _inverse_sums(segment, np.float32(limit))
                voted |= total > 0.0
                votes[label] = total
                # 1/sqrt(d) moves by error / (2 d sqrt(d)) and, d being 64 errors, little more.
                slack[label] = 0.52 * error * cubes + 1e-4 * total
            for c in range(n_near):
                line[near[c]] = rough[c]
                if distances[c] <= limit:
                    votes[classes[near[c]]] += 1.0 / np.sqrt(distances[c])
            out[p, query] = _clear_winner(votes, slack) if voted else NOBODY


@njit(cache=True, nogil=True)
def vote_gaussian(block, product, which, queries, training, rows, weights, bandwidths, out):
    """GKE for the queries `which` of a block; `OPEN` where the error could matter.

    Where few rows are near enough to matter, these are measured exactly.
    """
    n_rows, n_classes = len(training.rows), len(training.class_totals)
    minima = np.empty(LANES, dtype=block.dtype)
    flags = np.zeros((n_rows + 7) // 8 * 8, dtype=np.uint8)
    words, near = flags.view(np.uint64), np.empty(n_rows + 8, dtype=np.int64)
    distances = np.empty(n_rows)
    votes, slack = np.empty(n_classes), np.empty(n_classes)
    mantissas, bits = np.empty(RUN, dtype=np.float32), np.empty(RUN, dtype=np.int32)
    powers = bits.view(np.float32)
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
        nearest = np.float64(upper_bound(line, 1, minima))
        for lane in range(LANES):
            nearest = min(nearest, np.float64(minima[lane]))
        for p in range(len(bandwidths)):
            factor = gaussian_factor(bandwidths[p])
            limit = nearest + 2.0 * error + NEGLIGIBLE / factor
            bound = np.float32(limit + 2e-7 * (abs(limit) + 1e-30))
            doubt = 1.1 * factor * error + 1e-4
            if doubt > 0.1 or factor > 1e30 or _count_below(line, bound) * 8 < n_rows:
                n_near = rows_below(line, bound, flags, words, near)
                out[p, query] = classes[near[0]]
                if classes[near[0]] == classes[near[n_near - 1]]:  # rows are sorted by class
                    continue
                _exact_distances(query, near, n_near, classes, x, a, y, b, w, v, distances)
                if own >= 0 and bound == np.inf:
                    for c in range(n_near):
                        if near[c] == own:
                            distances[c] = np.inf
                least = distances[:n_near].min()
                votes[:] = 0.0
                for c in range(n_near):
                    votes[classes[near[c]]] += np.exp((least - distances[c]) * factor)
                for label in range(n_classes):
                    slack[label] = votes[label] * (n_rows * 4e-16 + 1e-13) + n_rows * 1e-19
            else:
                for label in range(n_classes):
                    segment = line[starts[label] : starts[label + 1]]
                    votes[label] = _gaussian_sum(segment, nearest, factor, mantissas, bits, powers)
                    slack[label] = votes[label] * doubt
            out[p, query] = _clear_winner(votes, slack)


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
            total += scales[j] * number_square(values[j], others[j])
        for j in range(len(codes)):
            total += v[label, j] if codes_differ(codes[j], b[row, j]) else 0.0
        exact[c] = total


@njit(cache=True, nogil=True)
def _rough_rows(line, small, limit, error, flags, words, near):
    """Rows at distances up to `small` or about `limit`, in `near`; their number."""
    margin = np.float32(error + 2e-7 * limit)
    middle, least = np.float32(limit), np.float32(small)
    for s in range(len(line)):
        flags[s] = (line[s] <= least) | (abs(line[s] - middle) <= margin)
    return flagged_rows(words, flags, near)


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _count_below(line, bound):
    count = 0
    for s in range(len(line)):
        count += line[s] <= bound
    return count


@njit(cache=True, nogil=True, fastmath={"reassoc"}, error_model="numpy")
def _inverse_sums(segment, limit):
    """Sums of 1/sqrt(d) and of its cube over the distances d up to the limit."""
    total = cubes = 0.0
    for start in range(0, len(segment), RUN):
        part = segment[start : start + RUN]
        sum_one = sum_three = np.float32(0.0)
        for s in range(len(part)):
            inverse = np.float32(1.0) / np.sqrt(part[s])
            inverse = inverse if part[s] <= limit else np.float32(0.0)
            sum_one += inverse
            sum_three += inverse * inverse * inverse
        total += sum_one
        cubes += sum_three
    return total, cubes


@njit(cache=True, nogil=True, fastmath={"reassoc"})
def _gaussian_sum(segment, nearest, factor, mantissas, bits, powers):
    """Sum of exp((nearest - d) factor) over the distances d, in vector instructions.

    exp(x) = 2^n exp(r) with n the nearest integer to x / ln 2 and |r| <= ln 2 / 2;
    `powers` views `bits` as floats, where 2^n is an exponent field.
    """
    total = 0.0
    least, scale = np.float32(nearest), np.float32(factor)
    for start in range(0, len(segment), RUN):
        part = segment[start : start + RUN]
        for s in range(len(part)):
            x = (least - part[s]) * scale
            x = x if x > np.float32(-80.0) else np.float32(-80.0)
            n = np.floor(x * np.float32(1.44269504) + np.float32(0.5))
            r = (x - n * np.float32(0.693359375)) - n * np.float32(-2.12194440e-4)
            bits[s] = (np.int32(n) + np.int32(127)) << np.int32(23)
            e = np.float32(1.0 / 720.0)
            e = e * r + np.float32(1.0 / 120.0)
            e = e * r + np.float32(1.0 / 24.0)
            e = e * r + np.float32(1.0 / 6.0)
            e = e * r + np.float32(0.5)
            e = e * r + np.float32(1.0)
            mantissas[s] = e * r + np.float32(1.0)
        run = np.float32(0.0)
        for s in range(len(part)):
            run += mantissas[s] * powers[s]
        total += run
    return total


@njit(cache=True, nogil=True)
def _clear_winner(votes, slack):
    """Class that leads by more than the errors of the votes, and clearly, else `OPEN`."""
    winner = votes.argmax()
    least = votes[winner] * (1.0 - 2.0 * EQUAL) - slack[winner]
    for label in range(len(votes)):
        if label != winner and votes[label] + slack[label] >= least:
            return OPEN
    return winner
