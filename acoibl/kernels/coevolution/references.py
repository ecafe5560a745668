"""The nearest of some selected rows: fitness of selections, feature weights and class multipliers.

The distance of a query x to a reference row r of class c is
``m[c] * sqrt(sum_j w[j] * phi_j(x, r) ** 2)``; compared are its squares. Sums run in the order of
the features and ties are exact: of equal distances the lowest row wins. Everything is blocked over
queries, which are many, while the selected rows may be few.
"""

from typing import NamedTuple

import numpy as np

from acoibl._njit import njit

BLOCK = 256
"""Queries handled at once: what a block needs stays in the fastest cache."""


class Table(NamedTuple):
    """Rows, feature by feature.

    Attributes
    ----------
    columns : ndarray of float64, shape (n_features, n_rows)
        Scaled values, or codes of categories; NaN where missing.
    categorical : ndarray of bool, shape (n_features,)
        Features that differ by 0 or 1; the others differ by their difference.
    ignore_missing : bool
        Leave a feature out where a value is missing, and rescale the sum; otherwise a missing
        value differs by 1 from everything.
    """

    columns: np.ndarray
    categorical: np.ndarray
    ignore_missing: bool


def make_table(
    numeric: np.ndarray,
    codes: np.ndarray,
    numeric_features: np.ndarray,
    categorical_features: np.ndarray,
    ignore_missing: bool = False,
) -> Table:
    """Lay out rows in the order of the columns of the table they come from.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Scaled numeric features; NaN where missing.
    codes : ndarray of int, shape (n_rows, n_categorical)
        Category codes; -1 where missing, -2 for an unseen category.
    numeric_features, categorical_features : ndarray of int
        Positions of the two kinds of column.
    ignore_missing : bool, default=False
        See `Table`.

    Returns
    -------
    Table
        The rows.
    """
    n_features = len(numeric_features) + len(categorical_features)
    columns = np.empty((n_features, len(numeric)))
    columns[numeric_features] = numeric.T
    columns[categorical_features] = np.where(codes == -1, np.nan, codes).T
    categorical = np.zeros(n_features, dtype=np.bool_)
    categorical[categorical_features] = True
    return Table(columns, categorical, bool(ignore_missing))


def take_rows(table: Table, rows: np.ndarray) -> Table:
    """Some of the rows.

    Parameters
    ----------
    table : Table
        All rows.
    rows : ndarray of int64
        Which.

    Returns
    -------
    Table
        A copy of them.
    """
    return table._replace(columns=np.ascontiguousarray(table.columns[:, rows]))


@njit(cache=True, nogil=True)
def nearest_reference(
    columns, categorical, ignoring, references, own, reference_classes, weights, multipliers, out
):
    """Fill `out` (n_vectors, n_queries) with the nearest reference, -1 if there is none.

    The first three arguments are a `Table` of queries (its parts: compiled code is slow to take
    a tuple apart), `references` (n_features, n_references) are columns like the queries';
    `own` (n_references,) is the query that each reference must not answer, -1 for none;
    `weights` (n_vectors, n_features) are feature weights for as many answers; `multipliers`
    (n_classes,) are squared multipliers.
    """
    n_vectors, n_queries = out.shape
    sums = np.empty((n_vectors, BLOCK))
    present = np.empty((n_vectors, BLOCK))
    squares = np.empty((4, BLOCK))
    best = np.empty((n_vectors, BLOCK))
    queries = Table(columns, categorical, ignoring)
    for start in range(0, n_queries, BLOCK):
        n = min(BLOCK, n_queries - start)
        best[:] = np.inf
        out[:, start : start + n] = -1
        for s in range(len(own)):
            measure(queries, references[:, s], start, n, weights, squares, sums, present)
            multiplier = multipliers[reference_classes[s]]
            place = own[s] - start
            for v in range(n_vectors):
                if 0 <= place < n:
                    sums[v, place] = np.inf
                _keep_smaller(sums[v], multiplier, n, s, best[v], out[v, start : start + n])


@njit(cache=True, nogil=True)
def hits_of_weights(
    columns,
    categorical,
    ignoring,
    references,
    own,
    reference_classes,
    weights,
    multipliers,
    classes,
):
    """Rightly classified rows for several vectors of feature weights (n_vectors, n_features).

    Arguments as for `nearest_reference`; `classes` (n_rows,) are those of the queries,
    which are the training rows. Where there is no reference the class of the first row is the
    answer.
    """
    answers = np.empty((len(weights), len(classes)), dtype=np.int64)
    nearest_reference(
        columns, categorical, ignoring, references, own, reference_classes, weights, multipliers,
        answers,
    )  # fmt: skip
    return hits_of_answers(answers, reference_classes, classes, classes[0])


@njit(cache=True, nogil=True)
def _keep_smaller(sums, multiplier, n, s, best, answers):
    for i in range(n):
        distance = sums[i] * multiplier
        nearer = distance < best[i]
        best[i] = distance if nearer else best[i]
        answers[i] = s if nearer else answers[i]


@njit(cache=True, nogil=True)
def measure(queries, reference, start, n, weights, squares, sums, present):
    """Squared distances, without multiplier, of n queries to one reference, for each vector."""
    n_vectors, n_features = weights.shape
    sums[:, :n] = 0.0
    if queries.ignore_missing:
        _measure_present(queries, reference, start, n, weights, squares, sums, present)
        return
    # Four features at once: each sum is fetched and stored a quarter as often.
    for first in range(0, n_features, 4):
        for k in range(4):
            j = first + k
            if j < n_features:
                column = queries.columns[j, start : start + n]
                _fill_squares(reference[j], column, queries.categorical[j], 1.0, squares[k])
            else:
                squares[k, :n] = 0.0
        for v in range(n_vectors):
            a = weights[v, first]
            b = weights[v, first + 1] if first + 1 < n_features else 0.0
            c = weights[v, first + 2] if first + 2 < n_features else 0.0
            d = weights[v, first + 3] if first + 3 < n_features else 0.0
            _add_four(sums[v], squares, a, b, c, d, n)


@njit(cache=True, nogil=True)
def _add_four(sums, squares, a, b, c, d, n):
    p, q, r, s = squares[0], squares[1], squares[2], squares[3]
    for i in range(n):
        sums[i] = sums[i] + a * p[i] + b * q[i] + c * r[i] + d * s[i]


@njit(cache=True, nogil=True)
def _measure_present(queries, reference, start, n, weights, squares, sums, present):
    """As `_measure`, from the features that both have, scaled up to the weight of all."""
    n_vectors, n_features = weights.shape
    present[:, :n] = 0.0
    for j in range(n_features):
        column = queries.columns[j, start : start + n]
        _fill_squares(reference[j], column, queries.categorical[j], -1.0, squares[0])
        for v in range(n_vectors):
            weight = weights[v, j]
            for i in range(n):
                if squares[0, i] >= 0.0:
                    sums[v, i] += weight * squares[0, i]
                    present[v, i] += weight
    for v in range(n_vectors):
        total = 0.0
        for j in range(n_features):
            total += weights[v, j]
        for i in range(n):
            if present[v, i] > 0.0:
                sums[v, i] *= total / present[v, i]
            else:
                sums[v, i] = total


@njit(cache=True, nogil=True)
def _fill_squares(value, column, categorical, missing, squares):
    """Phi ** 2 of one feature; `missing` where a value is missing."""
    n = len(column)
    if value != value:
        squares[:n] = missing
    elif categorical:
        for i in range(n):
            squares[i] = 0.0 if column[i] == value else 1.0
        if missing < 0.0:
            for i in range(n):
                if column[i] != column[i]:
                    squares[i] = missing
    else:
        for i in range(n):
            difference = column[i] - value
            square = difference * difference
            squares[i] = square if square == square else missing


@njit(cache=True, nogil=True)
def hits_of_answers(answers, reference_classes, classes, fallback):
    """How many queries each vector's answers (n_vectors, n_queries) classify rightly.

    `fallback` is the class where there is no answer.
    """
    hits = np.zeros(len(answers), dtype=np.int64)
    for v in range(len(answers)):
        for i in range(answers.shape[1]):
            s = answers[v, i]
            hits[v] += (reference_classes[s] if s >= 0 else fallback) == classes[i]
    return hits


@njit(cache=True, nogil=True)
def nearest_by_class(
    columns, categorical, ignoring, references, own, reference_classes, weights, distances, answers
):
    """Nearest reference of each class: fill `distances` and `answers` (n_classes, n_queries).

    `weights` is one vector (1, n_features), the others are as for `nearest_reference`.
    Distances are squared, without multipliers; where a class has no reference infinite, with
    the answer -1.
    """
    n_queries = distances.shape[1]
    sums = np.empty((1, BLOCK))
    present = np.empty((1, BLOCK))
    squares = np.empty((4, BLOCK))
    queries = Table(columns, categorical, ignoring)
    distances[:] = np.inf
    answers[:] = -1
    for start in range(0, n_queries, BLOCK):
        n = min(BLOCK, n_queries - start)
        stop = start + n
        for s in range(len(own)):
            measure(queries, references[:, s], start, n, weights, squares, sums, present)
            place = own[s] - start
            if 0 <= place < n:
                sums[0, place] = np.inf
            c = reference_classes[s]
            _keep_smaller(sums[0], 1.0, n, s, distances[c, start:stop], answers[c, start:stop])


@njit(cache=True, nogil=True)
def hits_of_multipliers(distances, answers, multipliers, classes):
    """Rightly classified queries for several vectors of squared multipliers.

    `distances` and `answers` come from `nearest_by_class`; `multipliers` (n_vectors, n_classes).
    """
    n_classes, n_queries = distances.shape
    hits = np.zeros(len(multipliers), dtype=np.int64)
    best = np.empty(BLOCK)
    first = np.empty(BLOCK, dtype=np.int64)
    winner = np.empty(BLOCK, dtype=np.int64)
    for v in range(len(multipliers)):
        for start in range(0, n_queries, BLOCK):
            n = min(BLOCK, n_queries - start)
            best[:] = np.inf
            first[:] = -1
            winner[:] = classes[0]
            for c in range(n_classes):
                row, rank = distances[c, start : start + n], answers[c, start : start + n]
                _keep_nearer_class(row, rank, multipliers[v, c], c, best, first, winner)
            count = 0
            for i in range(n):
                count += winner[i] == classes[start + i]
            hits[v] += count
    return hits


@njit(cache=True, nogil=True)
def _keep_nearer_class(distances, answers, multiplier, c, best, first, winner):
    for i in range(len(distances)):
        distance = distances[i] * multiplier
        nearer = distance < best[i] or (
            distance == best[i] and answers[i] < first[i] and answers[i] >= 0
        )
        best[i] = distance if nearer else best[i]
        first[i] = answers[i] if nearer else first[i]
        winner[i] = c if nearer else winner[i]
