"""Slow, obvious oracle of the fitness of CIW-NN: one loop per sum, straight from the definition.

It shares no code with the package. A table is a list of rows of scaled numbers or categories;
a missing value is None; `categorical` says for each column whether it is categorical.
"""

import math

import numpy as np


def distance(x, r, categorical, weights, multiplier, missing="max"):
    """m * sqrt(sum_j w_j * phi_j ** 2), squared: nothing is lost by the root."""
    total, present = 0.0, 0.0
    for a, b, nominal, weight in zip(x, r, categorical, weights, strict=True):
        if a is None or b is None:
            if missing == "ignore":
                continue
            phi = 1.0
        else:
            phi = float(a != b) if nominal else a - b
        present += weight
        total += weight * (phi * phi)
    if missing == "ignore":
        everything = sum(weights)
        total = total * (everything / present) if present > 0 else everything
    return total * (multiplier * multiplier)


def nearest_class(i, table, classes, categorical, mask, weights, multipliers, missing="max"):
    """Class of the nearest selected row other than i; the first of equals; else that of row 0."""
    best, answer = math.inf, classes[0]
    for r in range(len(table)):
        if not mask[r] or r == i:
            continue
        d = distance(table[i], table[r], categorical, weights, multipliers[classes[r]], missing)
        if d < best:
            best, answer = d, classes[r]
    return answer


def accuracy(table, classes, categorical, mask, weights, multipliers, missing="max"):
    """Share of all rows, selected or not, that are classified rightly."""
    hits = [
        nearest_class(i, table, classes, categorical, mask, weights, multipliers, missing)
        == classes[i]
        for i in range(len(table))
    ]
    return float(np.mean(hits))


def selection_fitness(accuracy, mask, alpha=0.5):
    """Accuracy against reduction; an empty selection cannot win."""
    kept = sum(bool(bit) for bit in mask)
    reduction = 1 - kept / len(mask) if kept else -10_000
    return alpha * accuracy + (1 - alpha) * reduction


def multiplier(v, scale="nearer"):
    return 0.2 + 0.8 * (1 - v) if scale == "nearer" else v
