"""How well class weights tell the classes apart: smooth, with gradients.

Every query asks all rows, each with the vote ``exp(-d / 2)`` of its weighted distance d (for
p = 2 the squared one); the scale of the weights is the bandwidth. The votes of each class make a
posterior, which is mixed with a little of the prior, and a loss says how far it is from the truth.
"""

import numpy as np

from acoibl.kernels.measured import Distances, each_block

LOSSES = ("log_loss", "brier", "margin")

_FARTHEST = 120.0
"""Rows farther than that behind the nearest one have the vote exp(-60), 1e-26."""

_MARGIN, _SOFTNESS, _POWER = 0.5, 0.1, 4.0
"""The margin that is aimed at, the width of the bend, and the power mean of the other classes."""


class Objective:
    """Mean loss of the kernel posteriors, and its gradient in the class weights.

    Parameters
    ----------
    distances : SquaredDistances or AbsoluteDistances
        From queries to rows.
    targets : ndarray of int, shape (n_queries,)
        True class of each query.
    loss : {"log_loss", "brier", "margin"}, default="log_loss"
        With M the mixed posterior and y the true class: ``-log M_y``; ``sum_c (M_c - [c = y])^2``;
        or a soft hinge ``s log(1 + exp((g - r) / s))`` of the margin r between M_y and the power
        mean (power 4) of the others, g = 0.5, s = 0.1.
    mix : float, default=0.02
        Share of the prior in the mixed posterior.
    row_weights : ndarray of float64, shape (n_rows,), optional
        Sample weights of the rows: factors of their votes.
    query_weights : ndarray of float64, shape (n_queries,), optional
        Sample weights of the queries in the mean.

    Attributes
    ----------
    prior : ndarray of float64, shape (n_classes,)
        Shares of the classes among the rows.
    """

    def __init__(
        self,
        distances: Distances,
        targets: np.ndarray,
        *,
        loss: str = "log_loss",
        mix: float = 0.02,
        row_weights: np.ndarray | None = None,
        query_weights: np.ndarray | None = None,
    ):
        self._distances, self._targets = distances, np.asarray(targets)
        self._loss, self._mix = loss, mix
        starts = distances.starts
        self._occupied = np.flatnonzero(np.diff(starts))
        if row_weights is None:
            self._row_weights, totals = None, np.diff(starts).astype(np.float64)
        else:
            self._row_weights = row_weights.astype(distances.dtype)
            sums = np.concatenate([[0.0], np.cumsum(row_weights)])
            totals = sums[starts[1:]] - sums[starts[:-1]]
        self.prior = totals / totals.sum()
        weights = np.ones(len(self._targets)) if query_weights is None else query_weights
        self._query_weights = weights / weights.sum()

    def value(self, class_weights: np.ndarray) -> float:
        """Mean loss.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights; the bandwidth is in their scale.

        Returns
        -------
        float
            The mean over the queries.
        """
        total = 0.0
        for queries, _, sums in self._blocks(class_weights):
            losses, _ = self._judge(sums, self._targets[queries])
            total += float(losses @ self._query_weights[queries])
        return total

    def scaled_values(self, class_weights: np.ndarray, factors: np.ndarray) -> np.ndarray:
        """Mean loss for several scales of the same weights, from one pass over the distances.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.
        factors : ndarray of float64, shape (n_factors,)
            What all weights are multiplied by.

        Returns
        -------
        ndarray of float64, shape (n_factors,)
            ``value(factor * class_weights)`` for each factor.
        """
        out = np.zeros(len(factors))
        for queries, distances in each_block(self._distances, class_weights):
            for f, factor in enumerate(factors):
                sums = self._sum_votes(distances * factor)[1]
                losses, _ = self._judge(sums, self._targets[queries])
                out[f] += float(losses @ self._query_weights[queries])
        return out

    def value_and_gradient(self, class_weights: np.ndarray) -> tuple[float, np.ndarray]:
        """Mean loss, and its slope in each weight.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.

        Returns
        -------
        value : float
            As from `value`.
        gradient : ndarray of float64, shape (n_classes, n_features)
            Slopes.
        """
        total, gradient = 0.0, np.zeros(class_weights.shape)
        starts = self._distances.starts
        for queries, votes, sums in self._blocks(class_weights):
            losses, by_posterior = self._judge(sums, self._targets[queries])
            weights = self._query_weights[queries]
            total += float(losses @ weights)
            everybody = sums.sum(axis=1, keepdims=True)
            posteriors = sums / everybody
            # d = distance: the votes have slope -votes / 2, the posterior is sums / everybody.
            mean = (posteriors * by_posterior).sum(axis=1, keepdims=True)
            by_sum = (by_posterior - mean) * (-0.5 * weights[:, np.newaxis] / everybody)
            for c in self._occupied:
                votes[:, starts[c] : starts[c + 1]] *= by_sum[:, c : c + 1].astype(votes.dtype)
            gradient += self._distances.gradient(queries, votes, by_sum * sums)
        return total, gradient

    def posteriors(self, class_weights: np.ndarray) -> np.ndarray:
        """Posterior of every query, not mixed with the prior.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Positive weights.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Shares that sum to 1.
        """
        out = np.empty((len(self._targets), len(self.prior)))
        for queries, _, sums in self._blocks(class_weights):
            out[queries] = sums / sums.sum(axis=1, keepdims=True)
        return out

    def _blocks(self, class_weights):
        """For each block of queries the votes of rows, and their sums by class."""
        for queries, distances in each_block(self._distances, class_weights):
            yield queries, *self._sum_votes(distances)

    def _sum_votes(self, distances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Votes of the rows, in place of their distances, and the sums of each class."""
        votes = gaussian_votes(distances)
        if self._row_weights is not None:
            votes *= self._row_weights
        return votes, sums_by_class(votes, self._distances.starts)

    def _judge(self, sums: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Losses (n,), and their slopes (n, n_classes) in the posterior."""
        keep, rows = 1.0 - self._mix, np.arange(len(sums))
        mixed = keep * sums / sums.sum(axis=1, keepdims=True) + self._mix * self.prior
        slopes = np.zeros_like(mixed)
        if self._loss == "log_loss":
            losses = -np.log(mixed[rows, targets])
            slopes[rows, targets] = -keep / mixed[rows, targets]
            return losses, slopes
        if self._loss == "brier":
            gaps = mixed.copy()
            gaps[rows, targets] -= 1.0
            return (gaps * gaps).sum(axis=1), 2.0 * keep * gaps
        others = mixed.copy()
        others[rows, targets] = 0.0
        rival = (others**_POWER).sum(axis=1) ** (1.0 / _POWER)
        pull = (_MARGIN - mixed[rows, targets] + rival) / _SOFTNESS
        losses = _SOFTNESS * np.logaddexp(0.0, pull)
        share = keep * np.exp(-np.logaddexp(0.0, -pull))
        slopes = share[:, np.newaxis] * (others / np.maximum(rival, 1e-300)[:, np.newaxis]) ** 3
        slopes[rows, targets] = -share
        return losses, slopes


def sums_by_class(votes: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sums over the rows of each class.

    Parameters
    ----------
    votes : ndarray, shape (n_queries, n_rows)
        Votes of rows that are sorted by class.
    starts : ndarray of int64, shape (n_classes + 1,)
        Where each class begins.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_classes)
        The sums; 0 for a class without rows.
    """
    out = np.zeros((len(votes), len(starts) - 1))
    occupied = np.flatnonzero(np.diff(starts))
    out[:, occupied] = np.add.reduceat(votes, starts[occupied], axis=1)
    return out


def gaussian_votes(distances: np.ndarray) -> np.ndarray:
    """Votes ``exp(-d / 2)`` relative to the nearest row's, in place.

    Parameters
    ----------
    distances : ndarray, shape (n_queries, n_rows)
        Distances; overwritten.

    Returns
    -------
    ndarray, shape (n_queries, n_rows)
        The votes; the largest of each query is 1, and none is below 1e-26.
    """
    distances -= distances.min(axis=1, keepdims=True)
    # Numbers that are nearly 0 cost ten times as much as others, here and in products.
    np.minimum(distances, _FARTHEST, out=distances)
    distances *= -0.5
    return np.exp(distances, out=distances)
