"""Which candidate an ant tries first: one criterion a group."""

from collections.abc import Callable, Mapping

import numpy as np

Criterion = Callable[[np.ndarray, int], np.ndarray]
"""``criterion(fitness, last) -> priority``: what the ants of a group try first.

`fitness` (n_features,) holds tau^alpha eta^beta of every feature, numbered by falling class
separability (not as in the table, where a column may stand anywhere); `last` is the number of the
feature that the ant chose last. The candidate of the least priority is tried first; of equals the
one of the larger class separability.
"""


def nearest(fitness: np.ndarray, last: int) -> np.ndarray:
    """First the feature whose fitness is nearest to that of the last chosen one.

    Parameters
    ----------
    fitness : ndarray of float64, shape (n_features,)
        tau^alpha eta^beta of every feature.
    last : int
        Position of the feature chosen last.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Priority; the least is tried first.

    Notes
    -----
    Eq. 1 divides by a sum over the candidates, which does not change their order.

    Examples
    --------
    >>> import numpy as np
    >>> from acoibl.antfs import nearest
    >>> nearest(np.array([1.0, 4.0, 2.5]), 1).tolist()
    [3.0, 0.0, 1.5]
    """
    return np.abs(fitness - fitness[last])


def furthest(fitness: np.ndarray, last: int) -> np.ndarray:
    """First the feature whose fitness is furthest from that of the last chosen one.

    Parameters
    ----------
    fitness : ndarray of float64, shape (n_features,)
        tau^alpha eta^beta of every feature.
    last : int
        Position of the feature chosen last.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        Priority; the least is tried first.

    Examples
    --------
    >>> import numpy as np
    >>> from acoibl.antfs import furthest
    >>> furthest(np.array([1.0, 4.0, 2.5]), 1).tolist()
    [-3.0, -0.0, -1.5]
    """
    return -np.abs(fitness - fitness[last])


CRITERIA: Mapping[str, Criterion] = {"nearest": nearest, "furthest": furthest}
"""The criteria of the paper, by name."""
