"""Margins, MBIW, Simba and the doubly weighted k-NN as the formulas say, slowly.

Rows are tuples of (numbers, categories) already scaled: `numeric` (n, d1) with NaN where missing,
`codes` (n, d2) with -1 where missing.
"""

import math

EQUAL = 1e-9


def phi(a, b, numeric):
    if numeric:
        return 1.0 if math.isnan(a) or math.isnan(b) else abs(a - b)
    return 0.0 if a == b and a != -1 else 1.0


def differences(row, other):
    return [phi(a, b, True) for a, b in zip(row[0], other[0], strict=True)] + [
        phi(a, b, False) for a, b in zip(row[1], other[1], strict=True)
    ]


def square(z, w):
    return sum(wi * wi * zi * zi for wi, zi in zip(w, z, strict=True))


def nearest(rows, labels, n, w, same):
    """Nearest row of the same, or of another, class; the first of equals; None for nobody."""
    squares = {
        i: square(differences(rows[n], rows[i]), w)
        for i in range(len(rows))
        if i != n and (labels[i] == labels[n]) == same
    }
    if not squares:
        return None
    best = min(squares.values())
    return min(i for i, value in squares.items() if value <= best * (1 + EQUAL))


def hits_and_misses(rows, labels, w):
    n = len(rows)
    return (
        [nearest(rows, labels, i, w, True) for i in range(n)],
        [nearest(rows, labels, i, w, False) for i in range(n)],
    )


def margin_vector(rows, labels, n):
    w = [1.0] * len(differences(rows[0], rows[0]))
    out = [0.0] * len(w)
    for same, sign in ((False, 1.0), (True, -1.0)):
        other = nearest(rows, labels, n, w, same)
        if other is not None:
            z = differences(rows[n], rows[other])
            out = [a + sign * b for a, b in zip(out, z, strict=True)]
    return out


def hypothesis_margin(rows, labels, n, w):
    total = 0.0
    for same, sign in ((False, 0.5), (True, -0.5)):
        other = nearest(rows, labels, n, w, same)
        if other is not None:
            total += sign * math.sqrt(square(differences(rows[n], rows[other]), w))
    return total


def mbiw(rows, labels):
    vectors = [margin_vector(rows, labels, n) for n in range(len(rows))]
    means = [
        sum(math.dist(a, b) for j, b in enumerate(vectors) if j != i) / (len(rows) - 1)
        for i, a in enumerate(vectors)
    ]
    positive = [m for m in means if m > 0]
    least = min(positive) if positive else 1.0
    inverse = [1.0 / (m if m > 0 else least) for m in means]
    return [value / sum(inverse) for value in inverse]


def simba(rows, labels, sequence, steps):
    """Weights before the last line of Algorithm 1."""
    w = [1.0] * len(differences(rows[0], rows[0]))
    for n, step in zip(sequence, steps, strict=True):
        delta = [0.0] * len(w)
        for same, sign in ((False, 0.5), (True, -0.5)):
            other = nearest(rows, labels, n, w, same)
            if other is None:
                continue
            z = differences(rows[n], rows[other])
            norm = math.sqrt(square(z, w))
            if norm > 0:
                delta = [d + sign * zi * zi / norm for d, zi in zip(delta, z, strict=True)]
        w = [wi + step * d * wi for wi, d in zip(w, delta, strict=True)]
    return w


def doubly_weighted_knn(rows, labels, omega, w, query, k):
    """Class of the query; all rows at the k-th smallest distance vote."""
    squares = [square(differences(row, query), w) for row in rows]
    limit = sorted(squares)[min(k, len(rows)) - 1] * (1 + EQUAL)
    classes = sorted(set(labels))
    votes = dict.fromkeys(classes, 0.0)
    for value, label, weight in zip(squares, labels, omega, strict=True):
        if value <= limit:
            votes[label] += weight
    most = max(votes.values()) * (1 - EQUAL)
    tied = [label for label in classes if votes[label] >= most]
    of = {
        label: min(v for v, other in zip(squares, labels, strict=True) if other == label)
        for label in tied
    }
    best = min(of.values())
    return next(label for label in tied if of[label] <= best * (1 + EQUAL))


def kuncheva(subsets, d):
    subsets = [set(s) for s in subsets]
    k = len(subsets[0])
    chance = k * k / d
    total, pairs = 0.0, 0
    for i in range(len(subsets)):
        for j in range(i + 1, len(subsets)):
            total += (len(subsets[i] & subsets[j]) - chance) / (k - chance)
            pairs += 1
    return total / pairs
