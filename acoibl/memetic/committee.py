"""Posteriors of several lazy classifiers on one set of weights, and their soft vote."""

import numpy as np
from numba import njit
from scipy.optimize import minimize_scalar

from acoibl.kernels.objective import gaussian_votes, sums_by_class
from acoibl.kernels.training import BEYOND
from acoibl.kernels.votes import fill_smallest

MAX_NEIGHBOURS = 30


def gaussian_posteriors(distances: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Shares of the Gaussian kernel votes of each class; overwrites `distances`."""
    sums = sums_by_class(gaussian_votes(distances), starts)
    return sums / sums.sum(axis=1, keepdims=True)


def neighbour_votes(
    distances: np.ndarray, classes: np.ndarray, n_classes: int, most: int, power: float
) -> np.ndarray:
    """Votes of the k nearest rows for k = 1, ..., most.

    Parameters
    ----------
    distances : ndarray, shape (n_queries, n_rows)
        Distances; infinite for a row that is left out.
    classes : ndarray of int64, shape (n_rows,)
        Class of each row.
    n_classes : int
        Number of classes.
    most : int
        Largest k, below the number of rows.
    power : float
        0 for equal votes, 1 for votes that fall as 1 / distance.

    Returns
    -------
    ndarray of float64, shape (most, n_queries, n_classes)
        Votes; all rows at the k-th distance vote.
    """
    out = np.zeros((most, len(distances), n_classes))
    _fill_votes(distances, classes, power, out)
    return np.cumsum(out, axis=0)


@njit(cache=True, nogil=True)
def _fill_votes(distances, classes, power, out):
    most = len(out)
    smallest = np.empty(most, dtype=distances.dtype)
    for i in range(len(distances)):
        line = distances[i]
        fill_smallest(line, smallest)
        # Twins at distance 0 weigh as if they were a tenth as far away as the k-th row.
        least = 0.1 * smallest[most - 1]
        bound = smallest[most - 1] * BEYOND
        for s in range(len(line)):
            if line[s] <= bound and line[s] < np.inf:
                place = most - 1
                while place > 0 and smallest[place - 1] * BEYOND >= line[s]:
                    place -= 1
                vote = 1.0
                if power > 0.0 and smallest[most - 1] > 0.0:
                    vote = (smallest[most - 1] / max(line[s], least)) ** power
                out[place, i, classes[s]] += vote


def shares(votes: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Votes and one vote of the prior, as shares; votes of shape (..., n_classes)."""
    total = votes.sum(axis=-1, keepdims=True)
    scale = np.where(total > 0, total, 1.0)
    return (votes + prior * np.minimum(1.0, scale)) / (total + np.minimum(1.0, scale))


def temper(posteriors: np.ndarray, temperature: float, floor: float = 1e-12) -> np.ndarray:
    """Posteriors raised to 1 / temperature, normalised."""
    logs = np.log(np.maximum(posteriors, floor)) / temperature
    logs -= logs.max(axis=1, keepdims=True)
    out = np.exp(logs)
    return out / out.sum(axis=1, keepdims=True)


def best_temperature(posteriors: np.ndarray, targets: np.ndarray) -> float:
    """Temperature with the lowest log loss, between 1/3 and 3."""
    rows = np.arange(len(targets))

    def loss(log_temperature: float) -> float:
        tempered = temper(posteriors, np.exp(log_temperature))
        return -float(np.log(np.maximum(tempered[rows, targets], 1e-12)).mean())

    found = minimize_scalar(loss, bounds=(-np.log(3), np.log(3)), method="bounded")
    return float(np.exp(found.x))


def log_loss(posteriors: np.ndarray, targets: np.ndarray) -> float:
    """Mean log loss."""
    return -float(np.log(np.maximum(posteriors[np.arange(len(targets)), targets], 1e-12)).mean())
