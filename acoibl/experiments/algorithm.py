"""What the runner runs: an algorithm, and the rows that it learns from and is tested on.

An `Algorithm` is a name, a base, parameters that JSON can hold, and a function that trains on
one part of a dataset and says how well it does on the other. The runner knows no more about it;
a peer or another system joins an experiment by another `Algorithm` in its list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Split:
    """One training part and one test part of a dataset.

    Parameters
    ----------
    X_train : DataFrame
        Features of the training part.
    y_train : Series
        Its classes.
    X_test : DataFrame
        Features of the test part.
    y_test : Series
        Its classes.
    seed : numpy.random.SeedSequence
        Source of randomness of this run.
    """

    X_train: pd.DataFrame
    y_train: pd.Series
    X_test: pd.DataFrame
    y_test: pd.Series
    seed: np.random.SeedSequence


@dataclass(frozen=True)
class Algorithm:
    """One algorithm with all its parameters.

    Parameters
    ----------
    name : str
        Name of its stored results; letters, digits and ``-``.
    base : str
        Lazy classifier that it rests on; with dataset, fold and seed it decides the randomness.
    evaluate : callable
        ``evaluate(split, parameters) -> list of dict``: results of one run, each with a
        ``variant`` and what `acoibl.experiments.outcomes.outcome` finds, and with as many of the
        other columns of a table of results (`acoibl.experiments.running.results.COLUMNS`) as it
        knows. A module-level function, so that worker processes find it.
    parameters : dict
        Everything that the results depend on, in JSON's types.
    stochastic : bool
        Whether it runs once for every seed, or only for the first of the profile.
    cost : float
        Rough cost relative to one leave-one-out pass; long runs start first.
    max_seeds : int or None
        Largest number of seeds; None for all that are asked for.
    max_seeds_on : dict of str to int
        The same for single datasets.
    revision : int
        Raised when the same parameters would give other results, so that old ones do not mix.
    max_folds : int or None
        Largest number of folds, for an algorithm that does not need them all.
    """

    name: str
    base: str
    evaluate: Callable[[Split, Mapping[str, Any]], list[dict[str, Any]]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stochastic: bool = False
    cost: float = 1.0
    max_seeds: int | None = None
    max_seeds_on: Mapping[str, int] = field(default_factory=dict)
    max_folds: int | None = None
    revision: int = 0
