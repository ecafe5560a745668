"""Posteriors of several lazy classifiers on one set of weights, and what makes them one answer."""

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from acoibl.kernels.conventions import BEYOND
from acoibl.kernels.measured import Distances, each_block
from acoibl.kernels.objective import gaussian_votes, sums_by_class
from acoibl.kernels.soft_votes import ROUNDING, neighbour_votes

MEMBERS = ("gke", "knn", "weighted")
MAX_NEIGHBOURS = 30

_POWERS = {"knn": 0.0, "weighted": 0.5}
_LEAST = 1e-12
"""Posteriors below count as this much where a logarithm is taken."""


class Voters(NamedTuple):
    """Rows that vote, and on whose behalf.

    Attributes
    ----------
    classes : ndarray of int64, shape (n_rows,)
        Class of each row, sorted.
    starts : ndarray of int64, shape (n_classes + 1,)
        Where each class begins.
    prior : ndarray of float64, shape (n_classes,)
        Shares of the classes.
    most : int
        Largest number of neighbours.
    """

    classes: np.ndarray
    starts: np.ndarray
    prior: np.ndarray
    most: int


def posteriors_by_neighbours(
    distances: Distances, class_weights: np.ndarray, voters: Voters, members: tuple[str, ...]
) -> dict[str, np.ndarray]:
    """Posteriors of each member, for each number of neighbours that it may ask.

    Parameters
    ----------
    distances : SquaredDistances or AbsoluteDistances
        From queries to rows.
    class_weights : ndarray of float64, shape (n_classes, n_features)
        Positive weights.
    voters : Voters
        The rows.
    members : tuple of {"gke", "knn", "weighted"}
        Whose posteriors.

    Returns
    -------
    dict of ndarray of float64, shape (n_numbers, n_queries, n_classes)
        ``"gke"`` has one number only.
    """
    n_queries, n_classes = len(distances.own), len(voters.prior)
    sizes = {member: 1 if member == "gke" else voters.most for member in members}
    out = {member: np.empty((n, n_queries, n_classes)) for member, n in sizes.items()}
    for queries, block in each_block(distances, class_weights):
        for member in sorted(members, reverse=True):  # "gke" comes last: it overwrites the block
            if member == "gke":
                sums = sums_by_class(gaussian_votes(block), voters.starts)
                out[member][0, queries] = sums / sums.sum(axis=1, keepdims=True)
            else:
                votes = neighbour_votes(
                    block, voters.classes, n_classes, voters.most, _POWERS[member]
                )
                out[member][:, queries] = shares(votes, voters.prior)
    return out


def row_shares(
    distances: np.ndarray, voters: Voters, neighbours: dict[str, int], members: tuple[str, ...]
) -> np.ndarray:
    """What each row contributes to the mean posterior of the members.

    Parameters
    ----------
    distances : ndarray of float64, shape (n_queries, n_rows)
        Distances.
    voters : Voters
        The rows.
    neighbours : dict
        Number of neighbours of each member that asks some.
    members : tuple of {"gke", "knn", "weighted"}
        Whose posteriors.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_rows)
        Shares; they sum to 1 less what the prior contributes.
    """
    out = np.zeros(distances.shape)
    ordered = np.sort(distances, axis=1)
    slack = ROUNDING * np.maximum(ordered[:, -1:], 0.0)
    for member in members:
        if member == "gke":
            votes = gaussian_votes(distances.copy())
            out += votes / votes.sum(axis=1, keepdims=True)
            continue
        unit = ordered[:, voters.most - 1 : voters.most]
        last = ordered[:, neighbours[member] - 1 : neighbours[member]]
        votes = np.ones(distances.shape)
        spread = (unit > slack).ravel()
        far = np.maximum(distances[spread], 0.1 * unit[spread])
        votes[spread] = (unit[spread] / far) ** _POWERS[member]
        votes[distances > last * BEYOND + slack] = 0.0
        out += votes / (votes.sum(axis=1, keepdims=True) + 1.0)
    return out / len(members)


def shares(votes: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Votes and one vote of the prior, as shares.

    Parameters
    ----------
    votes : ndarray of float64, shape (..., n_classes)
        Votes.
    prior : ndarray of float64, shape (n_classes,)
        Shares of the classes.

    Returns
    -------
    ndarray of float64, shape (..., n_classes)
        Shares that sum to 1.
    """
    return (votes + prior) / (votes.sum(axis=-1, keepdims=True) + 1.0)


def log_loss(posteriors: np.ndarray, targets: np.ndarray) -> Any:
    """Mean log loss.

    Parameters
    ----------
    posteriors : ndarray of float64, shape (..., n_queries, n_classes)
        Posteriors.
    targets : ndarray of int64, shape (n_queries,)
        True classes.

    Returns
    -------
    float or ndarray of float64
        The mean over the queries.
    """
    truth = posteriors[..., np.arange(len(targets)), targets]
    return -np.log(np.maximum(truth, _LEAST)).mean(axis=-1)


def temper(posteriors: np.ndarray, temperature: float) -> np.ndarray:
    """Posteriors raised to 1 / temperature.

    Parameters
    ----------
    posteriors : ndarray of float64, shape (n_queries, n_classes)
        Posteriors.
    temperature : float
        Above 1 they become more even, below 1 more decided.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_classes)
        Posteriors that sum to 1.
    """
    logs = np.log(np.maximum(posteriors, _LEAST)) / temperature
    logs -= logs.max(axis=1, keepdims=True)
    out = np.exp(logs)
    return out / out.sum(axis=1, keepdims=True)


def best_temperature(posteriors: np.ndarray, targets: np.ndarray) -> float:
    """Temperature with the lowest log loss.

    Parameters
    ----------
    posteriors : ndarray of float64, shape (n_queries, n_classes)
        Posteriors of rows that did not vote for themselves.
    targets : ndarray of int64, shape (n_queries,)
        True classes.

    Returns
    -------
    float
        Between 1/3 and 3.
    """

    def loss(log_temperature: float) -> float:
        return float(log_loss(temper(posteriors, np.exp(log_temperature)), targets))

    found = minimize_scalar(loss, bounds=(-np.log(3), np.log(3)), method="bounded")
    return float(np.exp(found.x))
