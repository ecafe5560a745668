"""Descent: a start, and a few steps from it."""

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
    n_gradients : int
        Evaluations so far.
    """

    objective: Objective
    shape: ClassDeviations
    n_rows: int
    n_gradients: int = field(default=0, init=False)

    def value_and_gradient(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Penalised loss, and its gradient in the parameters.

        Parameters
        ----------
        parameters : ndarray of float64, shape (size,)
            Where.

        Returns
        -------
        value : float
            The loss.
        gradient : ndarray of float64, shape (size,)
            Its slopes.
        """
        self.n_gradients += 1
        weights = self.shape.weights(parameters)
        loss, slopes = self.objective.value_and_gradient(weights)
        penalty, pull = self.shape.penalty(parameters)
        gradient = self.n_rows * self.shape.pull_back(slopes, weights) + pull
        return self.n_rows * loss + penalty, gradient


def best_scale(objective: Objective, weights: np.ndarray) -> float:
    """Scale with the lowest loss.

    Parameters
    ----------
    objective : Objective
        What is to be minimised.
    weights : ndarray of float64, shape (n_classes, n_features)
        Weights that the scale multiplies.

    Returns
    -------
    float
        Its logarithm, one of a fixed list.
    """
    losses = objective.scaled_values(weights, np.exp(_SCALES))
    return float(_SCALES[int(np.argmin(losses))])


def descend(
    value_and_gradient: Callable[[np.ndarray], tuple[float, np.ndarray]],
    start: np.ndarray,
    n_steps: int,
    is_over: Callable[[], bool] = lambda: False,
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
    is_over : callable, optional
        Asked after every step; a true answer ends the descent.

    Returns
    -------
    list of ndarray of float64, shape (size,)
        The start and where each step ends; fewer than `n_steps` + 1 if nothing was left to gain.

    Examples
    --------
    >>> import numpy as np
    >>> path = descend(lambda x: (float(x @ x), 2 * x), np.array([3.0, 4.0]), 6)
    >>> bool(np.abs(path[-1]).max() < 1e-6)
    True
    """
    path = [np.array(start)]
    if n_steps == 0:
        return path

    def keep(parameters: np.ndarray) -> None:
        path.append(np.array(parameters))
        if is_over():
            raise StopIteration

    minimize(
        value_and_gradient,
        start,
        jac=True,
        method="L-BFGS-B",
        callback=keep,
        options={"maxiter": n_steps, "maxls": 10},
    )
    return path
