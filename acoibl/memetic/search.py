"""Descent, and colonies whose ants descend."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import minimize

from acoibl.kernels.objective import Objective
from acoibl.memetic.parametrisation import ClassDeviations

_SCALES = np.arange(-4.0, 10.0, 0.75)
"""Scales s among which the first bandwidth is chosen: exp(-s / 2) from 7 down to 0.01."""


@dataclass
class Fitness:
    """Penalised loss of a vector of parameters.

    Parameters
    ----------
    objective : Objective
        Mean loss of class weights, by leave-one-out.
    shape : ClassDeviations
        How parameters make weights.
    n_rows : int
        Rows that the mean stands for: the loss is their sum, as the priors ask for.

    Attributes
    ----------
    n_values, n_gradients : int
        Evaluations so far.
    """

    objective: Objective
    shape: ClassDeviations
    n_rows: int
    n_values: int = field(default=0, init=False)
    n_gradients: int = field(default=0, init=False)

    def value(self, parameters: np.ndarray) -> float:
        """Penalised loss."""
        self.n_values += 1
        penalty, _ = self.shape.penalty(parameters)
        return self.n_rows * self.objective.value(self.shape.weights(parameters)) + penalty

    def value_and_gradient(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Penalised loss, and its gradient in the parameters."""
        self.n_gradients += 1
        weights = self.shape.weights(parameters)
        loss, slopes = self.objective.value_and_gradient(weights)
        penalty, pull = self.shape.penalty(parameters)
        gradient = self.n_rows * self.shape.pull_back(slopes, weights) + pull
        return self.n_rows * loss + penalty, gradient


def best_scale(fitness: Fitness, shared: np.ndarray | None = None) -> float:
    """Scale with the lowest loss at equal class weights.

    Parameters
    ----------
    fitness : Fitness
        What is to be minimised.
    shared : ndarray of float64, shape (n_features,), optional
        Shared log weights; zeros by default.

    Returns
    -------
    float
        One of a fixed list.
    """
    weights = fitness.shape.weights(fitness.shape.start(0.0, shared))
    losses = fitness.objective.scaled_values(weights, np.exp(_SCALES))
    return float(_SCALES[int(np.argmin(losses))])


def descend(
    value_and_gradient: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    n_steps: int,
) -> list[np.ndarray]:
    """A few steps of L-BFGS.

    Parameters
    ----------
    value_and_gradient : callable
        What is to be minimised.
    start : ndarray of float64, shape (size,)
        Where to begin.
    n_steps : int
        Number of steps; few, as the number itself is what keeps from overfitting.

    Returns
    -------
    list of ndarray of float64, shape (size,)
        The start and where each step ends; the last one stands for steps that were not taken
        because nothing is left to gain. Length `n_steps` + 1.
    """
    path = [np.array(start)]
    if n_steps > 0:
        minimize(
            value_and_gradient,
            start,
            jac=True,
            method="L-BFGS-B",
            callback=lambda parameters: path.append(np.array(parameters)),
            options={"maxiter": n_steps, "maxls": 10},
        )
    return path + path[-1:] * (n_steps + 1 - len(path))
