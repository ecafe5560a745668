"""What the two evolutionary algorithms share: a sorted population, its fitness, a record."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import OptimizeResult


class Evolution:
    """Base of `CHC` and `SteadyStateGA`: counts evaluations, keeps the record, runs steps.

    A subclass has ``population`` (n, n_genes), ``fitness`` (n,), both sorted best first,
    ``start()`` and ``step(n_left)``.
    """

    population: np.ndarray
    fitness: np.ndarray

    is_late: Callable[[], bool] | None = None
    """Says whether the time is over; then evaluations that have not begun are left out."""

    _at_once = 1
    """Individuals between two looks at the clock."""

    def __init__(
        self,
        fitness: Callable[..., Any],
        n_genes: int,
        *,
        population_size: int,
        max_evaluations: int,
        vectorized: bool,
        keep_history: bool,
        random_state: Any,
        callback: Callable[[dict], Any] | None,
    ):
        for name, value, least in (
            ("n_genes", n_genes, 1),
            ("population_size", population_size, 2),
            ("max_evaluations", max_evaluations, 1),
        ):
            check_count(name, value, least)
        self.fun = fitness
        self.n_genes = int(n_genes)
        self.population_size = int(population_size)
        self.max_evaluations = int(max_evaluations)
        self.vectorized = vectorized
        self.callback = callback
        self.rng = np.random.default_rng(random_state)
        self.n_evaluations = 0
        self.n_steps = 0
        self.keep_history = keep_history
        self._lines: list[dict] = []

    def start(self) -> "Evolution":
        """Draw and evaluate the initial population."""
        raise NotImplementedError

    def step(self, n_left: int | None = None) -> int:
        """Do one step of at most `n_left` evaluations; return how many were made."""
        raise NotImplementedError

    def _check_started(self) -> None:
        if not hasattr(self, "population"):
            raise RuntimeError(
                f"this {type(self).__name__} has no population yet: call start() before step(), "
                "or run() instead of both"
            )

    @property
    def best(self) -> np.ndarray:
        """A copy of the best individual, shape (n_genes,)."""
        return self.population[0].copy()

    @property
    def history(self) -> pd.DataFrame:
        """One line after the initial population and after each step.

        Columns ``step``, ``evaluation`` (evaluations so far), ``best``, ``mean`` (fitness in the
        population), and what the algorithm adds.
        """
        return pd.DataFrame(self._lines)

    def run(self) -> OptimizeResult:
        """Run until the evaluations are used up, or the callback wants to stop.

        Returns
        -------
        scipy.optimize.OptimizeResult
            With ``x`` (best individual), ``fun`` (its fitness, which was maximised), ``nfev``,
            ``nit``, ``success``, ``status`` (1: evaluations used up, 2: stopped by the callback,
            3: the fitness of none was a number above minus infinity, so ``x`` is any of them),
            ``message``, ``population``, ``fitness`` and ``history`` (DataFrame).
        """
        if not hasattr(self, "population"):
            self.start()
        status, message = 1, f"all {self.max_evaluations} evaluations were used"
        while (left := self.max_evaluations - self.n_evaluations) > 0:
            self.step(left)
            if self.callback is not None and self.callback(self._lines[-1]):
                status, message = 2, "stopped by the callback"
                break
        if status == 1 and self.fitness[0] == -np.inf:
            status, message = 3, f"no fitness in {self.n_evaluations} evaluations was a number"
        return OptimizeResult(
            x=self.best,
            fun=float(self.fitness[0]),
            nfev=self.n_evaluations,
            nit=self.n_steps,
            success=status == 1,
            status=status,
            message=message,
            population=self.population.copy(),
            fitness=self.fitness.copy(),
            history=self.history,
        )

    def evaluate(self, genes: np.ndarray, *known: Any) -> np.ndarray:
        """Judge several individuals; the evaluations are counted.

        Parameters
        ----------
        genes : ndarray, shape (n, n_genes)
            Individuals.
        *known : object
            Further arguments of a vectorized fitness.

        Returns
        -------
        ndarray of float64, shape (n,)
            Fitness; -inf in the place of NaN, and of individuals that there was no time for. The
            first is always judged.
        """
        values, n = self._measure(genes, *known)
        self.n_evaluations += n
        return values

    def _measure(self, genes: np.ndarray, *known: Any) -> tuple[np.ndarray, int]:
        """Fitness of individuals, and how many there was time for."""
        n = len(genes)
        values = np.full(n, -np.inf)
        step = n if self.is_late is None else self._at_once
        for start in range(0, n, max(step, 1)):
            if start and self.is_late():
                return values, start
            part = slice(start, start + step)
            found = self._call(genes[part], *(k if k is None else k[part] for k in known))
            values[part] = np.where(np.isnan(found), -np.inf, found)
        return values, n

    def _call(self, genes: np.ndarray, *known: Any) -> np.ndarray:
        if not self.vectorized:
            return np.array([float(self.fun(x.copy())) for x in genes], dtype=np.float64)
        values = np.asarray(self.fun(genes, *known), dtype=np.float64)
        if values.shape != (len(genes),):
            raise ValueError(
                f"the vectorized fitness returned {values.size} values for {len(genes)} rows"
            )
        return values

    def _settle(self, genes: np.ndarray, fitness: np.ndarray) -> None:
        """Take a population, sort it (stable, best first)."""
        order = np.argsort(-fitness, kind="stable")
        self.population, self.fitness = genes[order], fitness[order]

    def _record(self, **more: Any) -> None:
        if not self.keep_history:
            if self.callback is None:
                return
            self._lines.clear()
        self._lines.append(
            {
                "step": self.n_steps,
                "evaluation": self.n_evaluations,
                "best": float(self.fitness[0]),
                "mean": float(self.fitness.mean()),
                **more,
            }
        )


class Stop:
    """Whether a search shall end before its evaluations are used up.

    Parameters
    ----------
    callback : callable or None
        Called with each line of the history, a dict; a true value ends the search.
    time_limit : float or None
        Seconds from now after which the search ends.

    Attributes
    ----------
    reason : {"max_evaluations", "callback", "time_limit"}
        Why the search ended, or would end.
    """

    def __init__(self, callback: Callable[[dict], Any] | None, time_limit: float | None):
        self.reason = "max_evaluations"
        self._callback = callback
        self._end = np.inf if time_limit is None else time.monotonic() + time_limit

    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._end

    def __call__(self, line: dict | None) -> bool:
        """Show a line to the callback, unless it is None; return whether the search shall end."""
        if line is not None and self._callback is not None and self._callback(line):
            self.reason = "callback"
        elif self.is_late():
            self.reason = "time_limit"
        return self.reason != "max_evaluations"


def check_count(name: str, value: int, least: int) -> int:
    """Return `value` if it is a whole number, and not too small.

    Parameters
    ----------
    name : str
        What the message calls it.
    value : int
        A number.
    least : int
        Least value.

    Returns
    -------
    int
        The value.

    Raises
    ------
    ValueError
        If it is smaller or not whole.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, got {value}")
    return int(value)


def check_probability(name: str, value: float) -> float:
    """Return `value` if it is a probability.

    Parameters
    ----------
    name : str
        What the message calls it.
    value : float
        A number in [0, 1].

    Returns
    -------
    float
        The value.

    Raises
    ------
    ValueError
        If it is outside [0, 1] or NaN.
    """
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value}")
    return float(value)


def make_generator(state: Any) -> np.random.Generator:
    """Generator of an estimator's `random_state`, which is not changed by it.

    Parameters
    ----------
    state : int, SeedSequence, Generator, RandomState or None
        What the user gave.

    Returns
    -------
    numpy.random.Generator
        A stream of its own; a Generator is used as it is.
    """
    if isinstance(state, np.random.RandomState):
        state = state.randint(np.iinfo(np.int32).max)
    if isinstance(state, np.random.SeedSequence):
        # A copy: spawning or drawing must not change what the user holds.
        state = np.random.SeedSequence(state.entropy, spawn_key=state.spawn_key)
    return np.random.default_rng(state)
