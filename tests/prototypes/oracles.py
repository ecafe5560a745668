"""Slow, obvious versions of what the comparators compute; a table is numeric X and codes A."""

import numpy as np


def differences(X, A):
    """phi (Eq. 2) of all pairs and features, numeric first: shape (n, n, n_features)."""
    numeric = np.abs(X[:, None, :] - X[None, :, :])
    numeric[np.isnan(numeric)] = 1.0
    unknown = (A[:, None, :] == -1) | (A[None, :, :] == -1)
    return np.concatenate([numeric, (A[:, None, :] != A[None, :, :]) | unknown], axis=2)


def squared_distances(X, A, weights):
    """Squared distances of all pairs."""
    return (differences(X, A) ** 2 * weights).sum(axis=2)


def nearest(squared, selected):
    """Nearest other selected row of each row, the first of equals; -1 for nobody.

    Equal is what is within a factor of 1 + 1e-9 of the nearest.
    """
    found = np.full(len(squared), -1)
    for i, line in enumerate(squared):
        rows = [r for r in np.flatnonzero(selected) if r != i]
        if rows:
            limit = min(line[rows]) * (1 + 1e-9)
            found[i] = next(r for r in rows if line[r] <= limit)
    return found


def hits(squared, selected, classes):
    """Leave-one-out hits of the 1-NN rule."""
    found = nearest(squared, selected)
    return int(((found >= 0) & (classes[found] == classes)).sum())


def weighted_hits(distances, w, classes):
    """Leave-one-out hits where the least distance / weight wins."""
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(w > 0, distances / w, np.inf)
    return hits(scaled, w > 0, classes)


def smoothed_error(X, A, classes, c, v, beta):
    """Loss of Paredes and Vidal: c (n_classes, n_features) and v (n,), not squared."""
    phi = differences(X, A)
    terms = []
    for i in range(len(classes)):
        d = v * np.sqrt((phi[i] ** 2 * c[classes] ** 2).sum(axis=1))
        same, others = classes == classes[i], classes != classes[i]
        same[i] = False
        if same.any() and others.any():
            ratio = d[same].min() / d[others].min()
            terms.append(1 / (1 + np.exp(beta * (1 - ratio))))
    return np.mean(terms)


def relieff(X, A, classes, k):
    """Fig. 2 of Robnik-Sikonja and Kononenko, all rows drawn once, equal neighbours sharing."""
    phi = differences(X, A)
    n, n_features = phi.shape[1:]
    priors = np.bincount(classes) / n
    scores = np.zeros(n_features)
    for i in range(n):
        distance = phi[i].sum(axis=1)
        for c in range(len(priors)):
            rows = [r for r in np.flatnonzero(classes == c) if r != i]
            if not rows:
                continue
            last = sorted(distance[rows])[:k][-1]
            tied = [r for r in rows if abs(distance[r] - last) <= 1e-9 * last]
            nearer = [r for r in rows if distance[r] < last and r not in tied]
            n_used = min(k, len(rows))
            total = phi[i][nearer].sum(axis=0)
            total += phi[i][tied].mean(axis=0) * (n_used - len(nearer))
            share = -1.0 if c == classes[i] else priors[c] / (1 - priors[classes[i]])
            scores += share * total / n_used / n
    return scores
