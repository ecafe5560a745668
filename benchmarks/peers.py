"""Continuous ant colonies of other packages, each called the way its manual says.

Every solver is ``solve(fun, low, high, n_variables, n_evaluations, seed)``. A peer that is not
installed is left out.
"""

import contextlib
import importlib.util
import logging
import warnings
from collections.abc import Callable

import numpy as np

from acoibl import acor


def acoibl_default(fun, low, high, n_variables, n_evaluations, seed):
    acor.minimize(fun, [(low, high)] * n_variables, max_iter=n_evaluations - 25, random_state=seed)


def acoibl_socha_dorigo(fun, low, high, n_variables, n_evaluations, seed):
    acor.minimize(
        fun,
        [(low, high)] * n_variables,
        n_archive=50,
        n_ants=2,
        q=1e-4,
        xi=0.85,
        max_iter=(n_evaluations - 50) // 2,
        random_state=seed,
    )


def mealpy_default(fun, low, high, n_variables, n_evaluations, seed):
    _mealpy(fun, low, high, n_variables, n_evaluations, seed)


def mealpy_socha_dorigo(fun, low, high, n_variables, n_evaluations, seed):
    settings = {"pop_size": 50, "sample_count": 2, "intent_factor": 1e-4, "zeta": 0.85}
    _mealpy(fun, low, high, n_variables, n_evaluations, seed, **settings)


def _mealpy(fun, low, high, n_variables, n_evaluations, seed, **settings):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mealpy import ACOR, FloatVar

        logging.getLogger("mealpy").setLevel(logging.ERROR)
        problem = {
            "bounds": FloatVar(lb=(float(low),) * n_variables, ub=(float(high),) * n_variables),
            "obj_func": fun,
            "minmax": "min",
            "log_to": None,
        }
        model = ACOR.OriginalACOR(epoch=100_000, **settings)
        model.solve(problem, termination={"max_fe": n_evaluations}, seed=seed)


def pygmo_default(fun, low, high, n_variables, n_evaluations, seed):
    _pygmo(fun, low, high, n_variables, n_evaluations, seed)


def pygmo_accurate(fun, low, high, n_variables, n_evaluations, seed):
    _pygmo(fun, low, high, n_variables, n_evaluations, seed, acc=0.0)


def _pygmo(fun, low, high, n_variables, n_evaluations, seed, **settings):
    import pygmo

    class Problem:
        def fitness(self, x):
            return [fun(x)]

        def get_bounds(self):
            return [low] * n_variables, [high] * n_variables

    size = 64  # its default kernel holds 63 solutions, and asks for a population at least so large
    population = pygmo.population(pygmo.problem(Problem()), size, seed=seed)
    generations = max(1, n_evaluations // size - 1)
    pygmo.algorithm(pygmo.gaco(gen=generations, seed=seed, **settings)).evolve(population)


SOLVERS: dict[str, tuple[str, Callable]] = {
    "acoibl": ("acoibl", acoibl_default),
    "acoibl (SD)": ("acoibl", acoibl_socha_dorigo),
    "mealpy": ("mealpy", mealpy_default),
    "mealpy (SD)": ("mealpy", mealpy_socha_dorigo),
    "pygmo gaco": ("pygmo", pygmo_default),
    "pygmo gaco (acc 0)": ("pygmo", pygmo_accurate),
}
"""Name of a contestant: (package, solver).

SD: the settings of Socha and Dorigo (2008). acc 0: without the floor under its standard
deviations, which by default keeps gaco from coming any nearer than about 1e-3 to 1e-6.
"""


def is_installed(name: str) -> bool:
    """Whether the package of a contestant is there."""
    return importlib.util.find_spec(SOLVERS[name][0]) is not None


COARSE = 1e-4


class _Reached(Exception):
    pass


def count_evaluations(name: str, function, n_evaluations: int, seed: int, target: float):
    """Evaluations until a contestant is within `target` of the optimum.

    Returns
    -------
    evaluations : float
        Infinite if it is not there after `n_evaluations`.
    coarse : float
        The same for a target of `COARSE`, where that comes first.
    error : float
        How far from the optimum its best value is.
    """
    made, best, coarse, optimum = 0, np.inf, np.inf, function.optimum

    def counted(x):
        nonlocal made, best, coarse
        made += 1
        if made > n_evaluations:
            raise _Reached
        value = function.fun(np.asarray(x))
        best = min(best, value - optimum)
        if best <= COARSE:
            coarse = min(coarse, made)
        if best <= target:
            raise _Reached
        return value

    with contextlib.suppress(_Reached):
        SOLVERS[name][1](counted, *function.bounds, function.n_variables, n_evaluations + 200, seed)
    return (made if best <= target else np.inf), coarse, best
