"""Minimise any bounded function with ACO_R."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy.optimize import Bounds, OptimizeResult
from sklearn.utils._param_validation import Interval, validate_params

from acoibl.acor.archive import Archive, round_half_away


@validate_params(
    {
        "fun": [callable],
        "n_archive": [Interval(Integral, 2, None, closed="left")],
        "n_ants": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "callback": [callable, None],
    },
    prefer_skip_nested_validation=True,
)
def minimize(
    fun: Callable[[np.ndarray], float],
    bounds: Sequence[tuple[float, float]] | Bounds,
    *,
    n_archive: int = 25,
    n_ants: int = 1,
    q: float = 0.25,
    xi: float = 0.85,
    max_iter: int = 1000,
    patience: int | None = None,
    integrality: Any = None,
    x0: Any = None,
    random_state: Any = None,
    callback: Callable[[OptimizeResult], Any] | None = None,
) -> OptimizeResult:
    """Minimise a function within bounds by ant colony optimisation (ACO_R).

    Parameters
    ----------
    fun : callable
        ``fun(x) -> float`` with x of shape (n_variables,). A NaN counts as
        worse than everything.
    bounds : sequence of (low, high) or scipy.optimize.Bounds
        Finite bounds of each variable, not so far apart that distances overflow.
    n_archive : int, default=25
        Archive size R, at least 2.
    n_ants : int, default=1
        Solutions sampled per iteration, m.
    q : float, default=0.25
        Locality: small values search around the best solutions only.
    xi : float, default=0.85
        Width of the search; larger values converge more slowly.
    max_iter : int, default=1000
        Most iterations after the R initial evaluations.
    patience : int, optional
        Stop after so many iterations, at least 1, without a better best value.
    integrality : bool or array-like of bool, shape (n_variables,), optional
        Ordinal variables: rounded to the nearest integer when evaluated, kept
        real in the archive (ACO_MV-o).
    x0 : array-like, shape (n_variables,) or (n, n_variables), optional
        Solutions to put into the initial archive, at most R, moved into the bounds.
    random_state : int, SeedSequence, Generator or None, default=None
        Seed, as for `numpy.random.default_rng`.
    callback : callable, optional
        Called after every iteration with an OptimizeResult of the state so
        far; returning True or raising StopIteration ends the search.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With ``x``, ``fun``, ``nfev``, ``nit``, ``success``, ``status`` (0: no
        more improvement, 1: iterations used up, 2: stopped by the callback, 3:
        `fun` gave no number below infinity, so `x` is as good as any other),
        ``message``, ``archive`` (`Archive`; qualities are negated values) and
        ``history`` (best value after the initial archive and each iteration).

    Raises
    ------
    ValueError
        For bounds that are infinite, reversed or too far apart, NaN in `x0`, or parameters
        out of range.

    References
    ----------
    Socha and Dorigo, "Ant colony optimization for continuous domains",
    European Journal of Operational Research 185 (2008) 1155-1173. Liao, Socha,
    Montes de Oca, Stuetzle and Dorigo, "Ant colony optimization for
    mixed-variable optimization problems", IEEE Transactions on Evolutionary
    Computation 18 (2014) 503-518.

    Examples
    --------
    >>> from acoibl.acor import minimize
    >>> result = minimize(lambda x: (x**2).sum(), [(-5, 5)] * 3, max_iter=2000, random_state=0)
    >>> bool(result.fun < 1e-10)
    True
    """
    archive = Archive(n_archive, *_read_bounds(bounds), q=q, xi=xi)
    lower, upper = archive.lower, archive.upper
    ordinal = np.broadcast_to(
        np.asarray(False if integrality is None else integrality, dtype=bool), lower.shape
    )
    if (np.ceil(lower[ordinal]) > np.floor(upper[ordinal])).any():
        raise ValueError("the bounds of an ordinal variable hold no integer")
    rng = np.random.default_rng(random_state)

    any_ordinal = bool(ordinal.any())

    def decode(solution: np.ndarray) -> np.ndarray:
        if not any_ordinal:
            return solution.copy()  # `fun` may keep or change what it gets
        rounded = np.clip(round_half_away(solution), np.ceil(lower), np.floor(upper))
        return np.where(ordinal, rounded, solution)

    def quality(solution: np.ndarray) -> float:
        value = float(fun(decode(solution)))
        return -np.inf if np.isnan(value) else -value

    initial = _initial_solutions(archive, x0, rng)
    archive.fill(initial, np.array([quality(solution) for solution in initial]))
    history = [-archive.qualities[0]]
    evaluations, stale = n_archive, 0

    def state(iteration: int, status: int, message: str) -> OptimizeResult:
        if status < 2 and archive.qualities[0] == -np.inf:
            status, message = 3, f"fun gave no number below infinity in {evaluations} evaluations"
        return OptimizeResult(
            x=decode(archive.solutions[0]),
            fun=-archive.qualities[0],
            nfev=evaluations,
            nit=iteration,
            success=status < 2,
            status=status,
            message=message,
            archive=archive,
            history=np.array(history),
        )

    for iteration in range(1, max_iter + 1):
        best = archive.qualities[0]
        ants = [archive.sample(rng) for _ in range(n_ants)]
        for solution in ants:
            archive.insert(solution, quality(solution))
        evaluations += n_ants
        history.append(-archive.qualities[0])
        stale = 0 if archive.qualities[0] > best else stale + 1
        if callback is not None and _wants_to_stop(callback, state(iteration, 0, "running")):
            return state(iteration, 2, "stopped by the callback")
        if patience is not None and stale >= patience:
            return state(iteration, 0, f"no better value in {patience} iterations")
    return state(max_iter, 1, f"all {max_iter} iterations were used")


def _read_bounds(bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(bounds, Bounds):
        return np.atleast_1d(bounds.lb), np.atleast_1d(bounds.ub)
    pairs = np.asarray(bounds, dtype=np.float64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
        raise ValueError(f"bounds must be a sequence of (low, high) pairs, got shape {pairs.shape}")
    return pairs.T[0], pairs.T[1]


def _initial_solutions(archive: Archive, x0: Any, rng: np.random.Generator) -> np.ndarray:
    initial = np.array([archive.draw_uniform(rng) for _ in archive.qualities])
    if x0 is None:
        return initial
    given = np.atleast_2d(np.asarray(x0, dtype=np.float64))
    if given.shape[1] != initial.shape[1] or len(given) > len(initial):
        raise ValueError(
            f"x0 must hold at most {len(initial)} solutions of {initial.shape[1]} variables, "
            f"got shape {given.shape}"
        )
    if np.isnan(given).any():
        row, variable = np.argwhere(np.isnan(given))[0]
        raise ValueError(f"x0 must hold numbers; solution {row} has NaN for variable {variable}")
    initial[: len(given)] = np.clip(given, archive.lower, archive.upper)
    return initial


def _wants_to_stop(callback: Callable[[OptimizeResult], Any], state: OptimizeResult) -> bool:
    try:
        return bool(callback(state))
    except StopIteration:
        return True
