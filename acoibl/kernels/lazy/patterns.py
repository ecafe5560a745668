"""Leave-one-out for categorical data by counting mismatch patterns once.

The squared distance of two categorical rows depends only on the class of the
training row and on the set of features in which they differ. For a small
number of features there are few such sets: `count_patterns` counts once, for
every query, how many training rows of each class stand at each pattern. A
candidate then needs the distances of the (pattern, class) entries, sorted,
and a scan that adds counts, for a block of queries at a time.
"""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, EQUAL, NOBODY
from acoibl.kernels.differences import codes_differ
from acoibl.kernels.training import DNN, KNN, Queries, Training, Weights
from acoibl.kernels.votes import gaussian_factor

BLOCK = 256
"""Queries that are scanned together; the counts of a block stay in the cache."""

MAX_FEATURES = 14
MAX_BYTES = 256_000_000


class PatternCounts(NamedTuple):
    """How many training rows stand where, for every query.

    Attributes
    ----------
    counts : ndarray of uint16 or int32, shape (n_blocks, n_entries, BLOCK)
        Rows at each entry for each query of a block.
    patterns : ndarray of int64, shape (n_entries,)
        Bit j is set where feature j differs.
    classes : ndarray of int64, shape (n_entries,)
        Class of the training rows of the entry.
    """

    counts: np.ndarray
    patterns: np.ndarray
    classes: np.ndarray


def pattern_bytes(n_features: int, n_classes: int, n_queries: int, n_rows: int) -> int:
    """Memory that the counts would take at most.

    Parameters
    ----------
    n_features, n_classes, n_queries, n_rows : int
        Sizes of the problem.

    Returns
    -------
    int
        Bytes.
    """
    width = 2 if n_rows < 2**16 else 4
    return 2**n_features * n_classes * (-(-n_queries // BLOCK) * BLOCK) * width


def count_patterns(queries: Queries, training: Training) -> PatternCounts:
    """Count the training rows at each mismatch pattern.

    Entries that no query meets are left out.

    Parameters
    ----------
    queries : Queries
        Rows without numeric features.
    training : Training
        Rows without numeric features.

    Returns
    -------
    PatternCounts
        The counts, block by block.
    """
    n_patterns = 2 ** len(training.codes)
    n_classes = len(training.class_totals)
    n_blocks = -(-len(queries.own) // BLOCK)
    kind = np.uint16 if len(training.rows) < 2**16 else np.int32
    counts = np.zeros((n_blocks, n_classes * n_patterns, BLOCK), dtype=kind)
    _fill_counts(queries, training, n_patterns, counts)
    met = np.flatnonzero(counts.any(axis=(0, 2)))
    return PatternCounts(
        counts=np.ascontiguousarray(counts[:, met]),
        patterns=met % n_patterns,
        classes=met // n_patterns,
    )


def entry_distances(table: PatternCounts, weights: Weights) -> np.ndarray:
    """Squared distance of every entry.

    Parameters
    ----------
    table : PatternCounts
        The entries.
    weights : Weights
        Class-based feature weights.

    Returns
    -------
    ndarray of float64, shape (n_entries,)
        Sum of the weights of the features that differ.
    """
    total = np.zeros(len(table.patterns))
    for j in range(weights.categorical.shape[1]):  # in feature order, as the full kernel adds
        differs = (table.patterns >> j) & 1
        total += weights.categorical[table.classes, j] * differs
    return total


def vote_patterns(
    table: PatternCounts,
    weights: Weights,
    training: Training,
    kind: int,
    parameter: float,
    first_block: int,
    last_block: int,
    out: np.ndarray,
) -> None:
    """Classes of the queries of some blocks; `NOBODY` where no row is within the radius.

    Parameters
    ----------
    table : PatternCounts
        The counts.
    weights : Weights
        Class-based feature weights.
    training : Training
        The rows.
    kind : int
        k-NN (ties included), d-NN or GKE.
    parameter : float
        Value of the key parameter.
    first_block, last_block : int
        Range of blocks.
    out : ndarray of int64, shape (n_queries,)
        Filled for the queries of those blocks.
    """
    distances = entry_distances(table, weights)
    order = np.argsort(distances, kind="stable")
    distances = distances[order]
    common = (table.classes, len(training.class_totals), first_block, last_block, out)
    if kind == KNN:
        last_equal = np.searchsorted(distances, distances * BEYOND, side="right") - 1
        _vote_nearest(table.counts, order, distances, last_equal, int(parameter), *common)
    elif kind == DNN:
        inside = int(np.searchsorted(distances, parameter**2 * BEYOND, side="right"))
        at_zero = int(np.searchsorted(distances, 0.0, side="right"))
        worth = np.ones(inside)
        worth[at_zero:] = 1.0 / np.sqrt(distances[at_zero:inside])
        _vote_within(table.counts, order[:inside], distances, worth, at_zero, *common)
    else:
        _vote_gaussian(table.counts, order, distances, gaussian_factor(parameter), *common)


@njit(cache=True, nogil=True)
def _fill_counts(queries, training, n_patterns, counts):
    n_features = len(training.codes)
    pattern = np.empty(len(training.rows), dtype=np.int64)
    for i in range(len(queries.own)):
        pattern[:] = 0
        for j in range(n_features):
            code = queries.codes[i, j]
            column = training.codes[j]
            bit = 1 << j
            for s in range(len(column)):
                pattern[s] += bit if codes_differ(code, column[s]) else 0
        block, lane = i // BLOCK, i % BLOCK
        for s in range(len(pattern)):
            if s != queries.own[i]:
                counts[block, training.classes[s] * n_patterns + pattern[s], lane] += 1


@njit(cache=True, nogil=True)
def _vote_nearest(
    counts, order, distances, last_equal, k, classes, n_classes, first_block, last_block, out
):
    n_entries = len(order)
    votes = np.empty((n_classes, BLOCK), dtype=np.int32)
    total = np.empty(BLOCK, dtype=np.int32)
    stop = np.empty(BLOCK, dtype=np.int32)
    for block in range(first_block, last_block):
        votes[:] = 0
        total[:] = 0
        stop[:] = n_entries
        lanes = min(BLOCK, len(out) - block * BLOCK)
        for e in range(n_entries):
            column = counts[block, order[e]]
            tally = votes[classes[order[e]]]
            end = last_equal[e]
            for t in range(BLOCK):
                # Up to the entry that reaches k, and all entries at its distance (all entries,
                # if k is more than the rows that the query sees).
                count = column[t] if e <= stop[t] else 0
                before = total[t]
                total[t] = before + count
                tally[t] += count
                stop[t] = end if before < k and before + count >= k else stop[t]
            if e % 8 == 7 and stop[:lanes].max() <= e:
                break
        for t in range(lanes):
            out[block * BLOCK + t] = _decide_lane(
                counts[block], order, distances, classes, votes[:, t], stop[t] + 1, t
            )


@njit(cache=True, nogil=True)
def _decide_lane(counts, order, distances, classes, votes, n_scan, lane):
    """Most votes; ties to the class of the nearest voter, then to the smaller class."""
    floor = votes.max() * (1.0 - EQUAL)
    winner, tied = -1, 0
    for label in range(len(votes)):
        if votes[label] >= floor:
            tied += 1
            if winner < 0:
                winner = label
    if tied == 1:
        return winner
    nearest = -1.0
    winner = len(votes)
    for e in range(min(n_scan, len(order))):
        label = classes[order[e]]
        if votes[label] >= floor and counts[order[e], lane] > 0:
            if nearest < 0.0:
                nearest = distances[e]
            if distances[e] > nearest * BEYOND:
                break
            winner = min(winner, label)
    return winner


@njit(cache=True, nogil=True)
def _vote_within(
    counts, order, distances, worth, at_zero, classes, n_classes, first_block, last_block, out
):
    """Weighted votes of the entries in `order`; if the first `at_zero` have rows, of those only."""
    votes = np.empty((n_classes, BLOCK))
    silenced = np.empty(BLOCK)
    for block in range(first_block, last_block):
        votes[:] = 0.0
        silenced[:] = 1.0
        for e in range(len(order)):
            if e == at_zero:
                for t in range(BLOCK):
                    silenced[t] = 0.0 if votes[:, t].max() > 0.0 else 1.0
            column = counts[block, order[e]]
            tally = votes[classes[order[e]]]
            for t in range(BLOCK):
                tally[t] += worth[e] * silenced[t] * column[t]
        for t in range(min(BLOCK, len(out) - block * BLOCK)):
            lane = votes[:, t]
            out[block * BLOCK + t] = NOBODY
            if lane.max() > 0.0:
                out[block * BLOCK + t] = _decide_lane(
                    counts[block], order, distances, classes, lane, len(order), t
                )


@njit(cache=True, nogil=True)
def _vote_gaussian(
    counts, order, distances, factor, classes, n_classes, first_block, last_block, out
):
    """Gaussian votes; lanes whose votes all but vanish are added again from their nearest row."""
    votes = np.empty((n_classes, BLOCK))
    for block in range(first_block, last_block):
        votes[:] = 0.0
        for e in range(len(order)):
            worth = np.exp(-factor * (distances[e] - distances[0]))
            if worth == 0.0:
                break
            column = counts[block, order[e]]
            tally = votes[classes[order[e]]]
            for t in range(BLOCK):
                tally[t] += worth * column[t]
        for t in range(min(BLOCK, len(out) - block * BLOCK)):
            lane = votes[:, t]
            if lane.max() < 1e-200:
                _vote_from_nearest(counts[block], order, distances, factor, classes, lane, t)
            out[block * BLOCK + t] = _decide_lane(
                counts[block], order, distances, classes, lane, len(order), t
            )


@njit(cache=True, nogil=True)
def _vote_from_nearest(counts, order, distances, factor, classes, votes, lane):
    votes[:] = 0.0
    nearest = -1.0
    for e in range(len(order)):
        count = counts[order[e], lane]
        if count == 0:
            continue
        if nearest < 0.0:
            nearest = distances[e]
        worth = np.exp(-factor * (distances[e] - nearest))
        if worth == 0.0:
            return
        votes[classes[order[e]]] += worth * count
