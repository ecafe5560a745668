"""Test functions of Socha and Dorigo (2008), with their known optima."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import minimize


@dataclass(frozen=True)
class Function:
    """A function to minimise.

    Parameters
    ----------
    name : str
        Its name.
    fun : callable
        ``fun(x) -> float``.
    bounds : tuple of (float, float)
        The same bounds for every variable.
    n_variables : int
        Dimension.
    minimum : float or array-like
        The least value within the bounds, or a point so near to the minimum that descent from
        there finds it to the last digits.
    """

    name: str
    fun: Callable[[np.ndarray], float]
    bounds: tuple[float, float]
    n_variables: int
    minimum: object = 0.0

    @cached_property
    def optimum(self) -> float:
        """Least value within the bounds."""
        if isinstance(self.minimum, float):
            return self.minimum
        x = np.array(self.minimum)
        for _ in range(3):  # restarts: a simplex may stop early
            x = minimize(
                self.fun, x, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-15}
            ).x
        return float(self.fun(x))


def _ellipsoid(base):
    return lambda x: float(((base ** (np.arange(len(x)) / (len(x) - 1)) * x) ** 2).sum())


def _cigar(x):
    return float(x[0] ** 2 + 1e4 * (x[1:] ** 2).sum())


def _tablet(x):
    return float(1e4 * x[0] ** 2 + (x[1:] ** 2).sum())


def _rosenbrock(x):
    return float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


def _branin(x):
    bend = x[1] - 5.1 / (4 * np.pi**2) * x[0] ** 2 + 5 / np.pi * x[0] - 6
    return float(bend**2 + 10 * (1 - 1 / (8 * np.pi)) * np.cos(x[0]) + 10)


def _b2(x):
    waves = 0.3 * np.cos(3 * np.pi * x[0]) + 0.4 * np.cos(4 * np.pi * x[1])
    return float(x[0] ** 2 + 2 * x[1] ** 2 - waves + 0.7)


def _easom(x):
    return float(-np.cos(x[0]) * np.cos(x[1]) * np.exp(-(((x - np.pi) ** 2).sum())))


def _goldstein_price(x):
    a, b = x
    first = 19 - 14 * a + 3 * a**2 - 14 * b + 6 * a * b + 3 * b**2
    second = 18 - 32 * a + 12 * a**2 + 48 * b - 36 * a * b + 27 * b**2
    return float((1 + (a + b + 1) ** 2 * first) * (30 + (2 * a - 3 * b) ** 2 * second))


def _martin_gaddy(x):
    return float((x[0] - x[1]) ** 2 + ((x[0] + x[1] - 10) / 3) ** 2)


def _zakharov(x):
    slope = (0.5 * np.arange(1, len(x) + 1) * x).sum()
    return float((x**2).sum() + slope**2 + slope**4)


def _griewangk(x):
    waves = np.cos(x / np.sqrt(np.arange(1, len(x) + 1))).prod()
    return float((x**2).sum() / 4000 - waves + 1)


_PEAKS = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN = {
    3: (
        np.array([[3, 10, 30], [0.1, 10, 35], [3, 10, 30], [0.1, 10, 35]]),
        1e-4 * np.array([[3689, 1170, 2673], [4699, 4387, 7470], [1091, 8732, 5547],
                         [381, 5743, 8828]]),
    ),
    6: (
        np.array([[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14],
                  [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]),
        1e-4 * np.array([[1312, 1696, 5569, 124, 8283, 5886],
                         [2329, 4135, 8307, 3736, 1004, 9991],
                         [2348, 1451, 3522, 2883, 3047, 6650],
                         [4047, 8828, 8732, 5743, 1091, 381]]),
    ),
}  # fmt: skip


def _hartmann(n):
    widths, places = _HARTMANN[n]
    return lambda x: float(-(_PEAKS * np.exp(-(widths * (x - places) ** 2).sum(axis=1))).sum())


_FOXHOLES = np.array(
    [[4, 4, 4, 4], [1, 1, 1, 1], [8, 8, 8, 8], [6, 6, 6, 6], [3, 7, 3, 7],
     [2, 9, 2, 9], [5, 5, 3, 3], [8, 1, 8, 1], [6, 2, 6, 2], [7, 3.6, 7, 3.6]]
)  # fmt: skip
_DEPTHS = np.array([1, 2, 2, 4, 4, 6, 3, 7, 5, 5]) / 10


def _shekel(m):
    holes, depths = _FOXHOLES[:m], _DEPTHS[:m]
    return lambda x: float(-(1 / (((x - holes) ** 2).sum(axis=1) + depths)).sum())


def _sphere(x):
    return float(x @ x)


FUNCTIONS = {
    f.name: f
    for f in [
        Function("plane", lambda x: float(x[0]), (0.5, 1.5), 10, 0.5),
        Function("diagonal plane", lambda x: float(x.mean()), (0.5, 1.5), 10, 0.5),
        Function("sphere", _sphere, (-3, 7), 10),
        Function("ellipsoid", _ellipsoid(100.0), (-3, 7), 10),
        Function("cigar", _cigar, (-3, 7), 10),
        Function("tablet", _tablet, (-3, 7), 10),
        Function("Rosenbrock 2", _rosenbrock, (-5, 10), 2),
        Function("Rosenbrock 5", _rosenbrock, (-5, 10), 5),
        Function("Branin RCOS", _branin, (-5, 15), 2, 5 / (4 * np.pi)),
        Function("B2", _b2, (-100, 100), 2),
        Function("Easom", _easom, (-100, 100), 2, -1.0),
        Function("Goldstein-Price", _goldstein_price, (-2, 2), 2, 3.0),
        Function("Martin-Gaddy", _martin_gaddy, (-20, 20), 2),
        Function("Zakharov 2", _zakharov, (-5, 10), 2),
        Function("Zakharov 5", _zakharov, (-5, 10), 5),
        Function("De Jong", _sphere, (-5.12, 5.12), 3),
        Function("Hartmann 3,4", _hartmann(3), (0, 1), 3, (0.1146, 0.5556, 0.8525)),
        Function(
            "Hartmann 6,4", _hartmann(6), (0, 1), 6, (0.2017, 0.15, 0.4769, 0.2753, 0.3117, 0.6573)
        ),
        Function("Shekel 4,5", _shekel(5), (0, 10), 4, (4.0, 4.0, 4.0, 4.0)),
        Function("Shekel 4,7", _shekel(7), (0, 10), 4, (4.0, 4.0, 4.0, 4.0)),
        Function("Shekel 4,10", _shekel(10), (0, 10), 4, (4.0, 4.0, 4.0, 4.0)),
        Function("Griewangk 10", _griewangk, (-5.12, 5.12), 10),
    ]
}
