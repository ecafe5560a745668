"""Slow, obvious oracles: one loop per sum, straight from the definitions.

Nothing here shares code with the package. A table is a list of rows; a missing
value is None; `categorical` says for each column whether it is categorical.
Numeric values are taken as already scaled.
"""

import math
from fractions import Fraction

import numpy as np

EQUAL = 1e-9
BEYOND = 1 + EQUAL  # times a squared distance: the largest that is equal to it


def phi(a, b, categorical):
    """Eq. 2, with the missing value convention of HEOM."""
    if a is None or b is None:
        return 1.0
    if categorical:
        return 0.0 if a == b else 1.0
    return abs(a - b)


def squared_distance(query, row, weights, categorical, missing="max"):
    """Square of Eq. 3 (and of Eq. 11, with the weights of the row's class)."""
    if missing != "ignore":
        return sum(
            w * phi(a, b, c) ** 2
            for a, b, w, c in zip(query, row, weights, categorical, strict=True)
        )
    total = sum(weights)
    present = [j for j in range(len(row)) if query[j] is not None and row[j] is not None]
    weight_present = sum(weights[j] for j in present)
    if weight_present <= 0:
        return total
    part = sum(weights[j] * phi(query[j], row[j], categorical[j]) ** 2 for j in present)
    return part * total / weight_present


def class_votes(
    kind,
    distances,
    classes,
    n_classes,
    parameter,
    *,
    ties="include",
    outlier="prior",
    row_weights=None,
):
    """Votes of every class; None when nobody votes (the prior answers)."""
    n = len(distances)
    weights = [1.0] * n if row_weights is None else list(row_weights)
    votes = [0.0] * n_classes
    if kind == "knn":
        for i, share in _knn_votes(distances, weights, parameter, ties):
            votes[classes[i]] += share
    elif kind == "dnn":
        within = [i for i in range(n) if distances[i] <= parameter**2 * BEYOND]
        at_zero = [i for i in within if distances[i] == 0]
        if not within:
            if outlier == "prior":
                return None
            smallest = min(distances)
            at_zero = [i for i in range(n) if distances[i] <= smallest * BEYOND]
        for i in at_zero or within:
            votes[classes[i]] += weights[i] * (1.0 if at_zero else 1.0 / math.sqrt(distances[i]))
    else:
        smallest = min(distances)
        for i in range(n):
            votes[classes[i]] += weights[i] * math.exp(
                -(distances[i] - smallest) / (2 * parameter**2)
            )
    return votes


def _knn_votes(distances, weights, k, ties):
    order = sorted(range(len(distances)), key=lambda i: distances[i])
    k = min(k, sum(weights))
    total, limit = Fraction(0), 0.0
    for i in order:
        total += Fraction(weights[i])
        limit = distances[i]
        if total >= Fraction(k):
            break
    if ties == "include":
        return [(i, weights[i]) for i in order if distances[i] <= limit * BEYOND]
    chosen = [(i, weights[i]) for i in order if distances[i] * BEYOND < limit]
    left = k - sum(share for _, share in chosen)
    for i in range(len(distances)):
        if limit <= distances[i] * BEYOND and distances[i] <= limit * BEYOND and left > 0:
            chosen.append((i, min(weights[i], left)))
            left -= weights[i]
    return chosen


def decide(votes, distances, classes):
    """Most votes; ties to the class of the nearest row, then to the smaller class."""
    best = max(votes)
    tied = [c for c in range(len(votes)) if votes[c] >= best * (1 - EQUAL)]
    nearest = {
        c: min((d for d, own in zip(distances, classes, strict=True) if own == c), default=math.inf)
        for c in tied
    }
    smallest = min(nearest.values())
    return min(c for c in tied if nearest[c] <= smallest * BEYOND)


def predict(kind, query, rows, classes, class_weights, categorical, parameter, **options):
    """Class of one query."""
    missing = options.pop("missing", "max")
    n_classes = len(class_weights)
    distances = [
        squared_distance(query, row, class_weights[c], categorical, missing)
        for row, c in zip(rows, classes, strict=True)
    ]
    votes = class_votes(kind, distances, classes, n_classes, parameter, **options)
    if votes is None:
        weights = options.get("row_weights") or [1.0] * len(rows)
        totals = [
            sum(w for w, own in zip(weights, classes, strict=True) if own == c)
            for c in range(n_classes)
        ]
        return totals.index(max(totals))
    return decide(votes, distances, classes)


def leave_one_out(kind, rows, classes, class_weights, categorical, parameter, **options):
    """Class of every row as the others see it."""
    out = []
    for i, row in enumerate(rows):
        others = rows[:i] + rows[i + 1 :]
        their_classes = classes[:i] + classes[i + 1 :]
        out.append(
            predict(
                kind, row, others, their_classes, class_weights, categorical, parameter, **options
            )
        )
    return out


class NumpyColony:
    """Algorithm 1 with k-NN in clear numpy, for numeric data without gaps.

    Draws random numbers in the order of the text: A_0, then A_1 ... A_C; for each the guide,
    then the sample.
    """

    def __init__(self, X, y, quality="accuracy", size=25, q=0.25, xi=0.85, patience=50):
        low, high = X.min(axis=0), X.max(axis=0)
        self.X = (X - low) / np.where(high > low, high - low, 1.0)
        self.y = y
        self.n_classes = y.max() + 1
        self.quality, self.size, self.q, self.xi, self.patience = quality, size, q, xi, patience
        self.k_range = (1, min(21, len(y) - 1))

    def leave_one_out(self, k, weights):
        squared = ((self.X[:, None, :] - self.X[None, :, :]) ** 2 * weights[self.y]).sum(axis=2)
        np.fill_diagonal(squared, np.inf)
        kth = np.sort(squared, axis=1)[:, k - 1, None]
        votes = np.zeros((len(self.y), self.n_classes))
        nearest = np.full((len(self.y), self.n_classes), np.inf)
        for label in range(self.n_classes):
            own = squared[:, self.y == label]
            votes[:, label] = (own <= kth * BEYOND).sum(axis=1)
            nearest[:, label] = own.min(axis=1)
        nearest[votes < votes.max(axis=1, keepdims=True)] = np.inf
        return (nearest <= nearest.min(axis=1, keepdims=True) * BEYOND).argmax(axis=1)

    def evaluate(self, parameter, weights):
        k = int(np.clip(np.floor(parameter + 0.5), *self.k_range))
        right = self.leave_one_out(k, weights) == self.y
        accuracy = right.mean()
        if self.quality == "accuracy":
            return accuracy, [accuracy] * self.n_classes
        return accuracy, [right[self.y == label].mean() for label in range(self.n_classes)]

    def sample(self, archive, low, high, rng):
        solutions = np.array([solution for _, solution in archive])
        ranks = np.arange(1, self.size + 1)
        omega = np.exp(-((ranks - 1) ** 2) / (2 * (self.q * self.size) ** 2))
        guide = np.searchsorted(np.cumsum(omega / omega.sum())[:-1], rng.random(), side="right")
        centre = solutions[guide]
        sigma = self.xi * np.abs(solutions - centre).sum(axis=0) / (self.size - 1)
        return np.clip(centre + sigma * rng.standard_normal(len(centre)), low, high)

    def insert(self, archive, quality, solution):
        archive.append((quality, solution))
        archive.sort(key=lambda entry: -entry[0])  # stable: the older first among equals
        del archive[self.size :]

    def run(self, max_iter, rng):
        n_features = self.X.shape[1]
        archives = [[] for _ in range(self.n_classes + 1)]
        for _ in range(self.size):
            parameter = self.k_range[0] + (self.k_range[1] - self.k_range[0]) * rng.random(1)
            weights = np.stack([rng.random(n_features) for _ in range(self.n_classes)])
            self.update(archives, parameter, weights)
        stale = 0
        for _ in range(max_iter):
            best = archives[0][0][0]
            parameter = self.sample(archives[0], *self.k_range, rng)
            weights = np.stack([self.sample(a, 0.0, 1.0, rng) for a in archives[1:]])
            self.update(archives, parameter, weights)
            stale = 0 if archives[0][0][0] > best else stale + 1
            if stale >= self.patience:
                break
        return archives

    def update(self, archives, parameter, weights):
        accuracy, by_class = self.evaluate(parameter[0], weights)
        self.insert(archives[0], accuracy, parameter)
        for archive, quality, vector in zip(archives[1:], by_class, weights, strict=True):
            self.insert(archive, quality, vector)


def mid_rank(value, column):
    """Share of the present training values below, plus half of those equal."""
    present = [v for v in column if v is not None]
    below = sum(v < value for v in present)
    equal = sum(v == value for v in present)
    return (below + equal / 2) / len(present)


def class_frequencies(category, column, classes, n_classes, m, leave_out=None):
    """m-estimate of the class frequencies of a category, without one row if asked for."""
    known = [i for i in range(len(column)) if column[i] is not None]
    prior = [sum(classes[i] == c for i in known) / len(known) for c in range(n_classes)]
    rows = [i for i in known if column[i] == category and i != leave_out]
    if len(rows) + m == 0:
        return prior
    return [
        (sum(classes[i] == c for i in rows) + m * prior[c]) / (len(rows) + m)
        for c in range(n_classes)
    ]


def category_difference(a, b, column, classes, n_classes, m, share, p, leave_out=None):
    """Difference of two categories, raised to p: of a row (a) from one of training (b)."""
    if a is None or b is None:
        return 1.0
    if a == b:
        return 0.0
    fa = class_frequencies(a, column, classes, n_classes, m, leave_out)
    fb = class_frequencies(b, column, classes, n_classes, m)
    return share + (1 - share) * sum(abs(x - y) ** p for x, y in zip(fa, fb, strict=True)) / 2


def kernel_posterior(distances, classes, n_classes, row_weights=None):
    """Shares of the votes exp(-d / 2); a distance of None is a row that is left out."""
    nearest = min(d for d in distances if d is not None)
    votes = [0.0] * n_classes
    for i, d in enumerate(distances):
        if d is not None:
            weight = 1.0 if row_weights is None else row_weights[i]
            votes[classes[i]] += weight * math.exp(-(d - nearest) / 2)
    return [vote / sum(votes) for vote in votes]


def posterior_loss(kind, posterior, target, prior, mix):
    """Loss of a posterior that is mixed with the prior."""
    mixed = [(1 - mix) * p + mix * q for p, q in zip(posterior, prior, strict=True)]
    if kind == "log_loss":
        return -math.log(mixed[target])
    if kind == "brier":
        return sum((p - (c == target)) ** 2 for c, p in enumerate(mixed))
    rival = sum(p**4 for c, p in enumerate(mixed) if c != target) ** 0.25
    return 0.1 * math.log(1 + math.exp((0.5 - (mixed[target] - rival)) / 0.1))
