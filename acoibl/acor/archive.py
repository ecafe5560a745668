"""The solution archive of ACO_R: the memory of the colony."""

from bisect import bisect_right

import numpy as np
from numpy.typing import ArrayLike

from acoibl._njit import njit


def rank_weights(size: int, q: float) -> np.ndarray:
    """Selection weights of the ranks of an archive (Eq. 6-7).

    Parameters
    ----------
    size : int
        Number of solutions R.
    q : float
        Locality: the standard deviation of the ranks is q * R.

    Returns
    -------
    ndarray of float64, shape (size,)
        ``omega_a = g(a; 1, q R)`` for the ranks a = 1, ..., R.

    Raises
    ------
    ValueError
        If `q` is no positive number, or so small or large that the weights cannot be computed.

    Examples
    --------
    >>> rank_weights(3, 0.5).round(4).tolist()
    [0.266, 0.213, 0.1093]
    """
    spread = q * size
    ranks = np.arange(size)
    with np.errstate(all="ignore"):
        weights = np.exp(-(ranks**2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi))
    if not 0 < q < np.inf or not 0 < weights.sum() < np.inf:
        raise ValueError(f"q must be a positive number of moderate size, got {q}")
    return weights


def round_half_away(values: np.ndarray) -> np.ndarray:
    """Round to the nearest integer, halves away from zero (ACO_MV-o).

    Parameters
    ----------
    values : ndarray of float64 or float
        Values to round.

    Returns
    -------
    ndarray of float64
        Rounded values.

    Examples
    --------
    >>> round_half_away(np.array([0.5, 1.5, 2.5, -0.5])).tolist()
    [1.0, 2.0, 3.0, -1.0]
    """
    return np.sign(values) * np.floor(np.abs(values) + 0.5)


class Archive:
    """R solutions sorted by quality, best first.

    Parameters
    ----------
    size : int
        Number of solutions R, at least 2.
    lower, upper : array-like of float64, shape (n_variables,)
        Finite bounds; samples are clipped to them.
    q : float, default=0.25
        Locality of the choice of a guide; small values choose the best solutions.
    xi : float, default=0.85
        Width of the sampling distribution; larger values converge more slowly.

    Attributes
    ----------
    solutions : ndarray of float64, shape (size, n_variables)
        Solutions, best first.
    qualities : ndarray of float64, shape (size,)
        Their qualities, descending.
    weights : ndarray of float64, shape (size,)
        Probability that each rank is chosen as guide (Eq. 5).

    Raises
    ------
    ValueError
        If there are fewer than two solutions, `q` or `xi` is no positive number, or a bound is
        infinite, above its upper one, or so far from it that distances overflow.

    References
    ----------
    Socha and Dorigo, "Ant colony optimization for continuous domains",
    European Journal of Operational Research 185 (2008) 1155-1173.

    Examples
    --------
    >>> import numpy as np
    >>> archive = Archive(2, lower=[0.0], upper=[1.0])
    >>> archive.fill(np.array([[0.2], [0.9]]), np.array([1.0, 3.0]))
    >>> archive.insert(np.array([0.5]), 2.0)
    1
    >>> archive.solutions.ravel().tolist()
    [0.9, 0.5]
    """

    def __init__(
        self, size: int, lower: ArrayLike, upper: ArrayLike, *, q: float = 0.25, xi: float = 0.85
    ):
        if size < 2:
            raise ValueError(f"an archive needs at least 2 solutions, got {size}")
        if not 0 < xi < np.inf:
            raise ValueError(f"xi must be a positive number, got {xi}")
        self.lower = np.array(lower, dtype=np.float64)
        self.upper = np.array(upper, dtype=np.float64)
        check_box(self.lower, self.upper, size)
        self.xi = xi
        self.solutions = np.zeros((size, len(self.lower)))
        self.qualities = np.full(size, -np.inf)
        weights = rank_weights(size, q)
        self.weights = weights / weights.sum()
        self._cumulative = np.cumsum(self.weights)[:-1].tolist()

    def draw_uniform(self, rng: np.random.Generator) -> np.ndarray:
        """Draw one solution uniformly within the bounds.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float64, shape (n_variables,)
            The solution.
        """
        return self.lower + (self.upper - self.lower) * rng.random(len(self.lower))

    def fill(self, solutions: np.ndarray, qualities: np.ndarray) -> None:
        """Replace the contents by R evaluated solutions.

        Parameters
        ----------
        solutions : ndarray of float64, shape (size, n_variables)
            Solutions in any order; among equals the first stands first.
        qualities : ndarray of float64, shape (size,)
            Their qualities, higher is better. NaN counts as -inf.
        """
        values = np.where(np.isnan(qualities), -np.inf, qualities)
        order = np.argsort(-values, kind="stable")
        self.solutions[:] = np.asarray(solutions)[order]
        self.qualities[:] = values[order]

    def guide(self, rng: np.random.Generator) -> int:
        """Choose a guide by rank (Eq. 5).

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        int
            Rank of the guide, from 0.
        """
        return bisect_right(self._cumulative, rng.random())

    def spread(self, guide: int) -> np.ndarray:
        """Standard deviations around a guide (Eq. 10).

        Parameters
        ----------
        guide : int
            Rank of the guide, from 0.

        Returns
        -------
        ndarray of float64, shape (n_variables,)
            ``xi * sum_r |s_a - s_r| / (R - 1)`` for each variable.
        """
        distance = np.abs(self.solutions - self.solutions[guide]).sum(axis=0)
        return self.xi * distance / (len(self.solutions) - 1)

    def sample(self, rng: np.random.Generator, guide: int | None = None) -> np.ndarray:
        """Sample a new solution around one guide (Eq. 8), clipped to the bounds.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.
        guide : int, optional
            Rank of the guide; chosen by `guide` if not given.

        Returns
        -------
        ndarray of float64, shape (n_variables,)
            The solution.
        """
        if guide is None:
            guide = self.guide(rng)
        steps = rng.standard_normal(len(self.lower))
        _step_from(self.solutions, guide, self.xi, self.lower, self.upper, steps)
        return steps

    def insert(self, solution: np.ndarray, quality: float) -> int:
        """Insert a solution if it is strictly better than the worst one.

        Parameters
        ----------
        solution : ndarray of float64, shape (n_variables,)
            The solution.
        quality : float
            Its quality, higher is better. NaN never enters.

        Returns
        -------
        int
            Its rank from 0, behind its equals; -1 if it did not enter.
        """
        if not quality > self.qualities[-1]:
            return -1
        return _insert(self.solutions, self.qualities, solution, quality)


def check_box(lower: np.ndarray, upper: np.ndarray, factor: float) -> None:
    """Raise ValueError unless bounds are finite, in order and `factor` widths do not overflow."""
    if lower.ndim != 1 or lower.shape != upper.shape:
        raise ValueError(
            f"lower and upper bounds must be equally long, got shapes {lower.shape}, {upper.shape}"
        )
    with np.errstate(all="ignore"):
        widths = factor * (upper - lower)
    bad = np.flatnonzero(~(np.isfinite(lower) & np.isfinite(upper) & (lower <= upper)))
    wide = np.flatnonzero(~np.isfinite(widths))
    if len(bad):
        raise ValueError(
            f"bounds must be finite with low <= high; variable {bad[0]} has "
            f"({lower[bad[0]]}, {upper[bad[0]]})"
        )
    if len(wide):
        raise ValueError(
            f"variable {wide[0]} has bounds so far apart, ({lower[wide[0]]}, {upper[wide[0]]}), "
            "that distances between them overflow; choose nearer ones"
        )


@njit(cache=True)
def _step_from(
    solutions: np.ndarray,
    guide: int,
    xi: float,
    lower: np.ndarray,
    upper: np.ndarray,
    steps: np.ndarray,
) -> None:
    """Turn standard normal steps into a clipped sample around a guide (Eq. 8 and 10), in place."""
    size, n = solutions.shape
    for j in range(n):
        centre = solutions[guide, j]
        distance = 0.0
        for r in range(size):
            distance += abs(centre - solutions[r, j])
        value = centre + xi * distance / (size - 1) * steps[j]
        steps[j] = min(max(value, lower[j]), upper[j])


@njit(cache=True)
def _insert(
    solutions: np.ndarray, qualities: np.ndarray, solution: np.ndarray, quality: float
) -> int:
    place = len(qualities) - 1
    while place > 0 and qualities[place - 1] < quality:
        qualities[place] = qualities[place - 1]
        for j in range(solutions.shape[1]):
            solutions[place, j] = solutions[place - 1, j]
        place -= 1
    qualities[place] = quality
    for j in range(solutions.shape[1]):
        solutions[place, j] = solution[j]
    return place
