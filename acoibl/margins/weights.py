"""Weights of instances (Eq. 2) and of features (Algorithm 1), from encoded rows."""

import numpy as np

from acoibl.kernels import margins as kernels
from acoibl.margins.margin_problem import MarginProblem


def instance_weights(vectors: np.ndarray) -> np.ndarray:
    """Weights omega of rows from their margin vectors (Eq. 2).

    Parameters
    ----------
    vectors : ndarray of float64, shape (n_rows, n_features)
        Margin vectors.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        Weights that sum to 1.
    """
    means = kernels.mean_distances(vectors)
    positive = means > 0
    if not positive.any():
        return np.full(len(vectors), 1.0 / len(vectors))
    inverse = means[positive].min() / np.where(positive, means, means[positive].min())
    return inverse / inverse.sum()


def simba_weights(problem: MarginProblem, sequence: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Final weights of Algorithm 1 (line 17), in the order of the kernels."""
    weights = kernels.margin_pass(problem.rows, problem.places[sequence], steps)
    largest = np.abs(weights).max()
    # Dividing first: the square of a small weight could vanish.
    return (weights / largest) ** 2 if largest > 0 else np.ones_like(weights)


def distance_weights(scores: np.ndarray) -> np.ndarray:
    """Weights of a distance from scores of features.

    A distance squares its weights, so a negative one would count as much as a positive one.
    """
    weights = np.maximum(scores, 0.0)
    return weights / weights.max() if weights.max() > 0 else np.ones_like(weights)
