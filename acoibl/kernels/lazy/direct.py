"""Classify queries, or every training row by leave-one-out, without a matrix of distances.

One distance pass over the training rows serves any number of values of the
key parameter. The memory needed is one row of distances per thread.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND
from acoibl.kernels.distances import fill_all, fill_present, fill_squared_distances
from acoibl.kernels.nearest import LANES, rows_below, upper_bound, winner_of
from acoibl.kernels.training import KNN, Queries, Rule, Training, Weights
from acoibl.kernels.votes import fill_smallest, vote, vote_by_distance

_ROWS_PER_THREAD = 400
"""Fewer items are done sooner than a thread is started."""


def predict_codes(
    queries: Queries,
    training: Training,
    weights: Weights,
    rule: Rule,
    parameters: np.ndarray,
    n_threads: int = 1,
) -> np.ndarray:
    """Class of every query for every value of the key parameter.

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows that vote.
    weights : Weights
        Class-based feature weights.
    rule : Rule
        How they vote.
    parameters : ndarray of float64, shape (n_parameters,)
        Values of k, of the radius, or of the bandwidth.
    n_threads : int, default=1
        Threads that share the queries. The result does not depend on it.

    Returns
    -------
    ndarray of int64, shape (n_parameters, n_queries)
        Class codes.
    """
    parameters = np.array(parameters, dtype=np.float64).reshape(-1)
    out = np.empty((len(queries.own), len(parameters)), dtype=np.int64)
    size = _smallest_size(rule, parameters, training)
    by_count = rule.include_ties and len(training.row_weights) == 0
    fill = _fill_codes
    if rule.kind == KNN:
        fill = _fill_nearest_codes if by_count else _fill_strict_codes

    def block(start: int, stop: int) -> None:
        fill(queries, training, weights, rule, parameters, size, start, stop, out)

    in_blocks(block, len(out), n_threads)
    return np.ascontiguousarray(out.T)


def predict_votes(
    queries: Queries,
    training: Training,
    weights: Weights,
    rule: Rule,
    parameter: float,
    n_threads: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Votes of each class for every query, and the winner.

    Parameters
    ----------
    queries, training, weights, rule
        As for `predict_codes`.
    parameter : float
        Value of the key parameter.
    n_threads : int, default=1
        Threads that share the queries.

    Returns
    -------
    votes : ndarray of float64, shape (n_queries, n_classes)
        Votes that sum to 1 for each query.
    winners : ndarray of int64, shape (n_queries,)
        Class codes.
    """
    parameters = np.array([parameter], dtype=np.float64)
    votes = np.empty((len(queries.own), len(training.class_totals)))
    winners = np.empty(len(votes), dtype=np.int64)
    smallest_size = _smallest_size(rule, parameters, training)

    def block(start: int, stop: int) -> None:
        _fill_votes(
            queries,
            training,
            weights,
            rule,
            parameters[0],
            smallest_size,
            start,
            stop,
            votes,
            winners,
        )

    in_blocks(block, len(votes), n_threads)
    votes /= votes.sum(axis=1, keepdims=True)
    return votes, winners


def row_votes(
    queries: Queries, training: Training, weights: Weights, rule: Rule, parameter: float
) -> tuple[np.ndarray, np.ndarray]:
    """Vote of every training row for every query: what an explanation shows.

    Each training row becomes a class of its own, so that the vote of a "class"
    is the vote of one row; needs memory for all pairs and is meant for few queries.

    Parameters
    ----------
    queries, training, weights, rule
        As for `predict_codes`.
    parameter : float
        Value of the key parameter.

    Returns
    -------
    votes : ndarray of float64, shape (n_queries, n_rows)
        Vote of each row, rows in the sorted order of `training`; each query's
        votes sum to 1.
    distances : ndarray of float64, shape (n_queries, n_rows)
        Distances (not squared).
    """
    n_rows = len(training.rows)
    own_class = training._replace(
        starts=np.arange(n_rows + 1, dtype=np.int64),
        classes=np.arange(n_rows, dtype=np.int64),
        class_totals=training.row_weights if len(training.row_weights) else np.ones(n_rows),
    )
    own_weights = Weights(
        numeric=weights.numeric[training.classes],
        categorical=weights.categorical[training.classes],
    )
    votes, _ = predict_votes(queries, own_class, own_weights, rule, parameter)
    squared = np.empty_like(votes)
    for i in range(len(votes)):
        fill_squared_distances(
            queries.numeric[i],
            queries.codes[i],
            own_class,
            own_weights,
            rule.ignore_missing,
            squared[i],
        )
    return votes, np.sqrt(squared)


def _smallest_size(rule: Rule, parameters: np.ndarray, training: Training) -> int:
    if rule.kind == KNN and len(training.row_weights) == 0:
        return max(1, min(int(parameters.max()), len(training.rows)))
    return 1


def in_blocks(block: Callable[[int, int], None], n: int, n_threads: int) -> None:
    """Call ``block(start, stop)`` for ranges that cover 0 to n, on several threads.

    Parameters
    ----------
    block : callable
        Work on one range.
    n : int
        Number of items.
    n_threads : int
        Number of ranges and threads.
    """
    n_threads = min(n_threads, n // _ROWS_PER_THREAD)
    if n_threads <= 1:
        block(0, n)
        return
    edges = np.linspace(0, n, n_threads + 1).astype(int)
    with ThreadPoolExecutor(n_threads) as pool:
        # list(): an exception of a thread surfaces here
        list(pool.map(block, edges[:-1], edges[1:]))


@njit(cache=True, nogil=True)
def _fill_distances(i, queries, training, weights, rule, distances):
    fill_squared_distances(
        queries.numeric[i], queries.codes[i], training, weights, rule.ignore_missing, distances
    )
    if queries.own[i] >= 0:
        distances[queries.own[i]] = np.inf


@njit(cache=True, nogil=True)
def _fill_nearest_codes(
    queries, training, weights, rule, parameters, smallest_size, start, stop, out
):
    """k-NN by counting: looks only at the rows that can be among the k nearest."""
    n_rows, n_classes = len(training.rows), len(training.class_totals)
    line, minima = np.empty(n_rows), np.empty(LANES)
    flags = np.zeros((n_rows + 7) // 8 * 8, dtype=np.uint8)
    words, near = flags.view(np.uint64), np.empty(n_rows + 8, dtype=np.int64)
    exact, smallest = np.empty(n_rows), np.empty(smallest_size)
    counts, nearest = np.empty(n_classes, dtype=np.int64), np.empty(n_classes)
    starts, classes, x, a = training.starts, training.classes, training.numeric, training.codes
    has_missing, w, v = training.has_missing, weights.numeric, weights.categorical
    ignore_missing, owns = rule.ignore_missing, queries.own
    for i in range(start, stop):
        values, codes, own = queries.numeric[i], queries.codes[i], owns[i]
        if ignore_missing:
            fill_present(values, codes, starts, x, a, w, v, line)
        else:
            fill_all(values, codes, starts, x, has_missing, a, w, v, line)
        if own >= 0:
            line[own] = np.inf
        bound = upper_bound(line, smallest_size, minima) * BEYOND
        n_near = rows_below(line, bound, flags, words, near)
        for c in range(n_near):
            exact[c] = line[near[c]]
        fill_smallest(exact[:n_near], smallest)
        available = n_rows - (1 if own >= 0 else 0)
        for p in range(len(parameters)):
            kth = smallest[min(int(parameters[p]), available) - 1] * BEYOND
            out[i, p] = winner_of(near, exact, n_near, kth, 0.0, classes, counts, nearest)


@njit(cache=True, nogil=True)
def _fill_strict_codes(
    queries, training, weights, rule, parameters, smallest_size, start, stop, out
):
    """k-NN with exactly k votes, or with sample weights."""
    distances = np.empty(len(training.rows))
    smallest = np.empty(smallest_size)
    votes = np.empty(len(training.class_totals))
    for i in range(start, stop):
        _fill_distances(i, queries, training, weights, rule, distances)
        fill_smallest(distances, smallest)
        for p in range(len(parameters)):
            out[i, p] = vote(
                distances, training, queries.own[i], rule, parameters[p], smallest, votes
            )


@njit(cache=True, nogil=True)
def _fill_codes(queries, training, weights, rule, parameters, smallest_size, start, stop, out):
    """d-NN and GKE."""
    distances = np.empty(len(training.rows))
    votes = np.empty(len(training.class_totals))
    for i in range(start, stop):
        _fill_distances(i, queries, training, weights, rule, distances)
        for p in range(len(parameters)):
            out[i, p] = vote_by_distance(
                distances, training, queries.own[i], rule, parameters[p], votes
            )


@njit(cache=True, nogil=True)
def _fill_votes(
    queries, training, weights, rule, parameter, smallest_size, start, stop, votes, winners
):
    distances = np.empty(len(training.rows))
    smallest = np.empty(smallest_size)
    for i in range(start, stop):
        _fill_distances(i, queries, training, weights, rule, distances)
        if rule.kind == KNN:
            fill_smallest(distances, smallest)
        winners[i] = vote(distances, training, queries.own[i], rule, parameter, smallest, votes[i])
