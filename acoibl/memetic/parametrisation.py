"""Class weights as deviations from one shared vector, shrunk by priors.

``w[c, j] = exp(s + b[j] + v[c, j])``: a scale s, which is the bandwidth, a shared log weight b of
each feature, and a deviation v of each class. b and v have normal priors with mean 0: without
evidence all weights are equal, and with little evidence all classes share one vector.
"""

from dataclasses import dataclass

import numpy as np

_FARTHEST = 30.0
"""Log weights are kept within this distance of 0, so that exponentials stay finite."""


@dataclass(frozen=True)
class ClassDeviations:
    """Vectors of parameters and the class weights they stand for.

    Parameters
    ----------
    n_classes, n_features : int
        Shape of the class weights.
    spread : float, default=1.0
        Standard deviation of the prior of the shared log weights b.
    class_spread : float, default=0.5
        Standard deviation of the prior of the deviations v; 0 for one vector for all classes.

    Examples
    --------
    >>> shape = ClassDeviations(2, 3)
    >>> shape.size, shape.start(0.0).tolist()
    (10, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    >>> shape.weights(shape.start(0.0)).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """

    n_classes: int
    n_features: int
    spread: float = 1.0
    class_spread: float = 0.5

    @property
    def size(self) -> int:
        """Length of a vector of parameters."""
        deviations = self.n_classes * self.n_features if self.class_spread > 0 else 0
        return 1 + self.n_features + deviations

    def start(self, scale: float, shared: np.ndarray | None = None) -> np.ndarray:
        """Parameters without deviations.

        Parameters
        ----------
        scale : float
            s.
        shared : ndarray of float64, shape (n_features,), optional
            b; zeros by default.

        Returns
        -------
        ndarray of float64, shape (size,)
            The parameters.
        """
        out = np.zeros(self.size)
        out[0] = scale
        if shared is not None:
            out[1 : 1 + self.n_features] = shared
        return out

    def weights(self, parameters: np.ndarray) -> np.ndarray:
        """Class weights.

        Parameters
        ----------
        parameters : ndarray of float64, shape (size,)
            s, b and v.

        Returns
        -------
        ndarray of float64, shape (n_classes, n_features)
            Positive weights.
        """
        m = self.n_features
        logs = np.tile(parameters[0] + parameters[1 : 1 + m], (self.n_classes, 1))
        if self.class_spread > 0:
            logs += parameters[1 + m :].reshape(self.n_classes, m)
        return np.exp(np.clip(logs, -_FARTHEST, _FARTHEST))

    def pull_back(self, gradient: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Gradient in the parameters from the gradient in the weights.

        Parameters
        ----------
        gradient, weights : ndarray of float64, shape (n_classes, n_features)
            Slopes in the weights, and the weights.

        Returns
        -------
        ndarray of float64, shape (size,)
            Slopes in s, b and v.
        """
        by_log = gradient * weights
        shared = by_log.sum(axis=0)
        deviations = by_log.ravel() if self.class_spread > 0 else np.empty(0)
        return np.concatenate([[shared.sum()], shared, deviations])

    def penalty(self, parameters: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the log of the priors, up to a constant, and its gradient.

        Parameters
        ----------
        parameters : ndarray of float64, shape (size,)
            s, b and v.

        Returns
        -------
        value : float
            ``b^2 / (2 spread^2) + v^2 / (2 class_spread^2)``, summed.
        gradient : ndarray of float64, shape (size,)
            Its slopes; 0 for s, which is free.
        """
        m = self.n_features
        precision = np.zeros(self.size)
        precision[1 : 1 + m] = self.spread**-2
        if self.class_spread > 0:
            precision[1 + m :] = self.class_spread**-2
        gradient = precision * parameters
        return float(gradient @ parameters) / 2.0, gradient
