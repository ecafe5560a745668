"""Feature weights judged by the few references that can be nearest under any weights.

A reference r of class c cannot be nearest to a query if another one of its class differs from the
query by no more in every feature: whatever the weights, it is at least as near. Such references
are left out once; then every vector of weights is judged by the rest, which of thousands of
discrete rows may be a dozen. The answers are those of `references`, ties included.
"""

import numpy as np

from acoibl._njit import njit

VECTORS = 8
"""Vectors of weights that are judged at once."""

LEAST_WEIGHT = 1e-6
"""Weights from which on a clear difference cannot vanish in rounding."""

_CLEAR = 1e-3
"""Difference of squares that decides against a reference of a lower row."""


@njit(cache=True, nogil=True)
def list_undominated(queries, references, categorical, own, classes, n_classes, starts, members):
    """List the references that can be nearest; return how many, or -1 if `members` is too short.

    `queries` (n_queries, n_features) and `references` (n_references, n_features) are rows, not
    columns; ``members[starts[i]:starts[i + 1]]`` become the references of query i, ascending.
    A reference that is dominated stays all the same if it is of a lower row and hardly farther:
    rounding, or a weight of nearly 0, could make the two distances equal, and then it wins.
    """
    n_references, n_features = references.shape
    squares = np.empty((n_references, n_features))
    totals = np.empty(n_references)
    fronts = np.empty((n_classes, n_references), dtype=np.int64)
    sizes = np.empty(n_classes, dtype=np.int64)
    keep = np.empty(n_references, dtype=np.bool_)
    filled = 0
    starts[0] = 0
    for i in range(len(queries)):
        for s in range(n_references):
            total = 0.0
            for j in range(n_features):
                square = square_of(queries[i, j], references[s, j], categorical[j])
                squares[s, j] = square
                total += square
            totals[s] = total
        # Who dominates has the smaller total, so that one look back is enough.
        order = np.argsort(totals, kind="mergesort")
        sizes[:] = 0
        keep[:] = False
        for s in order:
            if own[s] == i:
                continue
            c = classes[s]
            if not _is_dominated(squares, fronts[c, : sizes[c]], s):
                fronts[c, sizes[c]] = s
                sizes[c] += 1
                keep[s] = True
        if filled + sizes.sum() > len(members):
            return -1
        for s in range(n_references):
            if keep[s]:
                members[filled] = s
                filled += 1
        starts[i + 1] = filled
    return filled


@njit(cache=True, nogil=True)
def _is_dominated(squares, front, s):
    for r in front:
        clear = r < s
        dominates = True
        for j in range(squares.shape[1]):
            gap = squares[s, j] - squares[r, j]
            if gap < 0.0:
                dominates = False
                break
            clear = clear or gap >= _CLEAR
        if dominates and clear:
            return True
    return False


@njit(cache=True, nogil=True)
def square_of(a, b, categorical):
    """Phi ** 2 of one feature, 1 where a value is missing."""
    if categorical:
        return 0.0 if a == b else 1.0
    difference = a - b
    square = difference * difference
    return square if square == square else 1.0


@njit(cache=True, nogil=True)
def hits_of_listed(
    queries,
    references,
    categorical,
    reference_classes,
    starts,
    members,
    weights,
    multipliers,
    classes,
):
    """Rightly classified queries for `VECTORS` vectors of feature weights (n_features, VECTORS).

    Arguments as for `list_undominated` and `acoibl.kernels.coevolution.references.hits_of_weights`.
    """
    n_features = len(weights)
    hits = np.zeros(VECTORS, dtype=np.int64)
    sums = np.empty(VECTORS)
    best = np.empty(VECTORS)
    answers = np.empty(VECTORS, dtype=np.int64)
    for i in range(len(queries)):
        best[:] = np.inf
        answers[:] = classes[0]
        for place in range(starts[i], starts[i + 1]):
            s = members[place]
            sums[:] = 0.0
            for j in range(n_features):
                square = square_of(queries[i, j], references[s, j], categorical[j])
                for v in range(VECTORS):
                    sums[v] += weights[j, v] * square
            label = reference_classes[s]
            multiplier = multipliers[label]
            for v in range(VECTORS):
                distance = sums[v] * multiplier
                nearer = distance < best[v]
                best[v] = distance if nearer else best[v]
                answers[v] = label if nearer else answers[v]
        for v in range(VECTORS):
            hits[v] += answers[v] == classes[i]
    return hits
