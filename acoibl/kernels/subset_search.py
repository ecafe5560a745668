"""k-NN errors of feature subsets: one feature more is one addition to a table of distances.

A search that grows subsets asks again and again how many queries are wrong with one feature
more than before. The squared distance to a training row is a sum over features, so the table of
distances of the present subset, one line a query, is kept, and a candidate adds one term to it.
Lines are brought up to date when they are touched, and most are not: a candidate has to err
less often than some limit, the queries that were wrong last time are asked first, and the
counting ends as soon as the limit is reached.

Rows that a query must not see (itself, or its part of a cross-validation) are infinitely far.
"""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, UNKNOWN
from acoibl.kernels.nearest import LANES, rows_below, upper_bound, winner_of

COMPLETE, GAPS, NOMINAL = 0, 1, 2

FARTHEST = 1e300
"""No finite squared distance may be above; those to hidden rows are infinite."""


class SubsetProblem(NamedTuple):
    """Training rows and queries, feature by feature.

    Attributes
    ----------
    columns : ndarray of float64, shape (n_features, n_rows)
        Training rows sorted by class: scaled numbers or category codes; NaN where missing.
    kinds : ndarray of int64, shape (n_features,)
        `NOMINAL` for category codes, `GAPS` for numbers of which some training row lacks one,
        `COMPLETE` for other numbers.
    classes : ndarray of int64, shape (n_rows,)
        Class of each training row, ascending.
    parts : ndarray of int64, shape (n_rows,)
        Part of the data that each training row belongs to.
    queries : ndarray of float64, shape (n_features, n_queries)
        Queries, encoded likewise.
    query_classes, query_parts : ndarray of int64, shape (n_queries,)
        Their classes, and which part of the training rows each must not see, or
        `ALL_SEEN`.
    n_classes, n_neighbors : int
        Number of classes; k, at most the number of training rows.
    """

    columns: np.ndarray
    kinds: np.ndarray
    classes: np.ndarray
    parts: np.ndarray
    queries: np.ndarray
    query_classes: np.ndarray
    query_parts: np.ndarray
    n_classes: int
    n_neighbors: int


class DistanceTable(NamedTuple):
    """Squared distances of a growing subset, and work space.

    Attributes
    ----------
    lines : ndarray of float64, shape (n_kept, n_rows)
        Distances of the queries that have a line; the others' are computed anew each time.
    slots : ndarray of int64, shape (n_queries,)
        Line of each query, -1 for none.
    depths : ndarray of int64, shape (n_queries,)
        How many features of the subset its line holds; -1: it holds another subset.
    used : ndarray of int64, shape (1,)
        Number of lines given away.
    order : ndarray of int64, shape (n_queries,)
        Whom to ask first.
    spare, candidate : ndarray of float64, shape (n_rows,)
        Line of a query without one; a line with one feature more.
    flags, words, near, distances, smallest, counts, nearest, minima : ndarray
        As in `acoibl.kernels.nearest`.
    """

    lines: np.ndarray
    slots: np.ndarray
    depths: np.ndarray
    used: np.ndarray
    order: np.ndarray
    spare: np.ndarray
    candidate: np.ndarray
    flags: np.ndarray
    words: np.ndarray
    near: np.ndarray
    distances: np.ndarray
    smallest: np.ndarray
    counts: np.ndarray
    nearest: np.ndarray
    minima: np.ndarray


def make_distance_table(problem: SubsetProblem, max_bytes: int = 512_000_000) -> DistanceTable:
    """Table without any distance yet.

    Parameters
    ----------
    problem : SubsetProblem
        What it is for.
    max_bytes : int, default=512_000_000
        Memory of the lines; queries beyond it have none, which costs time only.

    Returns
    -------
    DistanceTable
        One a thread.
    """
    n_rows, n_queries = len(problem.classes), len(problem.query_classes)
    words = np.zeros(n_rows // 8 + 1, dtype=np.uint64)
    return DistanceTable(
        lines=np.empty((min(n_queries, max_bytes // (8 * n_rows)), n_rows)),
        slots=np.full(n_queries, -1),
        depths=np.full(n_queries, -1),
        used=np.zeros(1, dtype=np.int64),
        order=np.arange(n_queries),
        spare=np.empty(n_rows),
        candidate=np.empty(n_rows),
        flags=words.view(np.uint8),
        words=words,
        near=np.empty(n_rows + 8, dtype=np.int64),
        distances=np.empty(n_rows + 8),
        smallest=np.empty(problem.n_neighbors),
        counts=np.empty(problem.n_classes, dtype=np.int64),
        nearest=np.empty(problem.n_classes),
        minima=np.empty(LANES),
    )


@njit(cache=True, nogil=True)
def count_errors(problem, table, path, feature, limit):
    """Queries that are wrong with the features `path` and `feature`, or `limit` if not fewer."""
    errors = 0
    order, actual = table.order, problem.query_classes
    for place in range(len(order)):
        q = order[place]
        if _class_of(problem, table, path, feature, q) != actual[q]:
            # To the front: who is wrong now will be wrong again, and ends the next count early.
            order[place] = order[errors]
            order[errors] = q
            errors += 1
            if errors >= limit:
                return limit
    return errors


@njit(cache=True, nogil=True)
def first_better(problem, table, path, candidates, known, limit):
    """Position in `candidates` of the first that errs less than `limit`; their number if none.

    `known` (n_features,) holds the errors of each candidate beside `path`, `UNKNOWN` before it
    is judged; `limit` itself stands for that and more. It must be the same at every call.
    """
    for place in range(len(candidates)):
        feature = candidates[place]
        if known[feature] == UNKNOWN:
            known[feature] = count_errors(problem, table, path, feature, limit)
        if known[feature] < limit:
            return place
    return len(candidates)


@njit(cache=True, nogil=True)
def best_candidate(problem, table, path, candidates, limit):
    """Errors of the best candidate if at most `limit`, its position, and how many are as good.

    (limit + 1, -1, 0) if all err more often.
    """
    best, position, ties = limit + 1, -1, 0
    for place in range(len(candidates)):
        # One above the best so far: as good as it must still be told from worse.
        bound = best if position < 0 else best + 1
        errors = count_errors(problem, table, path, candidates[place], bound)
        if errors >= bound:
            continue
        if position >= 0 and errors == best:
            ties += 1
        else:
            best, position, ties = errors, place, 1
    return best, position, ties


@njit(cache=True, nogil=True)
def best_subset(problem, table, subsets, limit):
    """`best_candidate` among whole subsets, the rows of `subsets` (n_subsets, size)."""
    best, position, ties = limit + 1, -1, 0
    for place in range(len(subsets)):
        table.depths[:] = -1
        bound = best if position < 0 else best + 1
        errors = count_errors(problem, table, subsets[place, :-1], subsets[place, -1], bound)
        if errors >= bound:
            continue
        if position >= 0 and errors == best:
            ties += 1
        else:
            best, position, ties = errors, place, 1
    return best, position, ties


@njit(cache=True, nogil=True)
def predict_subset(problem, table, path, out):
    """Class of each query with the features `path`, in `out` (n_queries,)."""
    for q in range(len(out)):
        out[q] = _class_of(problem, table, path, -1, q)


@njit(cache=True, nogil=True, inline="always")
def _class_of(problem, table, path, feature, q):
    """Class of one query with the features `path` and, unless it is -1, `feature`."""
    slot = table.slots[q]
    if slot < 0 and table.used[0] < len(table.lines):
        slot = table.used[0]
        table.used[0] += 1
        table.slots[q] = slot
    line, depth = table.spare, -1
    if slot >= 0:
        line, depth = table.lines[slot], table.depths[q]
    if depth < len(path):
        if depth < 0:
            _hide(problem.parts, problem.query_parts[q], line)
            depth = 0
        for step in range(depth, len(path)):  # what the line lacks is added
            j = path[step]
            _add(problem.columns[j], problem.queries[j, q], problem.kinds[j], line, line)
        table.depths[q] = len(path) if slot >= 0 else -1
    if feature >= 0:
        candidate = table.candidate
        _add(
            problem.columns[feature],
            problem.queries[feature, q],
            problem.kinds[feature],
            line,
            candidate,
        )
        line = candidate
    return _winner(
        line, problem.classes, table.flags, table.words, table.near, table.distances,
        table.smallest, table.counts, table.nearest, table.minima,
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _hide(parts, part, line):
    """Distances without any feature: 0, or infinite to the rows of the part not to be seen."""
    for s in range(len(line)):
        line[s] = np.inf if parts[s] == part else 0.0


@njit(cache=True, nogil=True)
def _add(column, value, kind, line, out):
    """Distances with one feature more; a missing value differs by 1 from everything."""
    if np.isnan(value):
        for s in range(len(out)):
            out[s] = line[s] + 1.0
    elif kind == NOMINAL:
        for s in range(len(out)):  # NaN differs from every code
            out[s] = line[s] + (0.0 if column[s] == value else 1.0)
    elif kind == GAPS:
        for s in range(len(out)):
            square = (column[s] - value) * (column[s] - value)
            out[s] = line[s] + (square if square == square else 1.0)
    else:
        for s in range(len(out)):
            difference = column[s] - value
            out[s] = line[s] + difference * difference


@njit(cache=True, nogil=True)
def _winner(line, classes, flags, words, near, distances, smallest, counts, nearest, minima):
    """Class with most rows up to the k-th distance, as `acoibl.KNNClassifier` decides."""
    k = len(smallest)
    bound = min(upper_bound(line, k, minima) * BEYOND, FARTHEST)
    n_near = rows_below(line, bound, flags, words, near)
    smallest[:] = np.inf
    for c in range(n_near):
        distance = line[near[c]]
        distances[c] = distance
        if distance < smallest[k - 1]:
            place = k - 1
            while place > 0 and smallest[place - 1] > distance:
                smallest[place] = smallest[place - 1]
                place -= 1
            smallest[place] = distance
    last = k - 1
    while last > 0 and smallest[last] == np.inf:  # fewer rows to be seen than k
        last -= 1
    kth = smallest[last] * BEYOND
    return winner_of(near, distances, n_near, kth, 0.0, classes, counts, nearest)
