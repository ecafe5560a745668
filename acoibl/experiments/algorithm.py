"""What the runner runs: an algorithm, and the rows that it learns from and is tested on.

An `Algorithm` is a name, a base, parameters that JSON can hold, and a function that trains on
one part of a dataset and says how well it does on the other. The runner knows no more about it;
a peer or another system joins an experiment by another `Algorithm` in its list.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Split:
    """A dataset, and which of its rows are learned from and which are tested on.

    Parameters
    ----------
    X : DataFrame or ndarray, shape (n_rows, n_features)
        Features of the whole dataset.
    y : Series, shape (n_rows,)
        Its classes.
    train, test : ndarray of int
        Positions of the training and of the test rows.
    seed : numpy.random.SeedSequence
        Source of randomness of this run.
    number : int, default=0
        Which it is of the splits that an algorithm makes of a fold.
    is_fold : bool, default=True
        Whether its test rows are those of the fold, so that their predictions are worth keeping.

    Attributes
    ----------
    X_train, X_test : DataFrame or ndarray
        Features of the parts.
    y_train, y_test : Series
        Classes of the parts.

    Examples
    --------
    >>> X, y = pd.DataFrame({"x": [0.0, 1.0, 2.0]}), pd.Series(["a", "b", "a"])
    >>> split = Split(X, y, np.array([0, 1]), np.array([2]), np.random.SeedSequence(0))
    >>> split.y_train.tolist(), split.again([1, 2], [0]).y_train.tolist()
    (['a', 'b'], ['b', 'a'])
    """

    X: Any
    y: pd.Series
    train: np.ndarray
    test: np.ndarray
    seed: np.random.SeedSequence
    number: int = 0
    is_fold: bool = True

    @cached_property
    def X_train(self) -> Any:
        """Features of the training rows."""
        return _take(self.X, self.train)

    @cached_property
    def X_test(self) -> Any:
        """Features of the test rows."""
        return _take(self.X, self.test)

    @cached_property
    def y_train(self) -> pd.Series:
        """Classes of the training rows."""
        return self.y.iloc[self.train]

    @cached_property
    def y_test(self) -> pd.Series:
        """Classes of the test rows."""
        return self.y.iloc[self.test]

    def again(self, train: Any, test: Any, **changes: Any) -> "Split":
        """Split the same dataset otherwise.

        Parameters
        ----------
        train, test : array-like of int
            Positions of the rows of the parts.
        **changes : object
            Other fields, such as ``seed``.

        Returns
        -------
        Split
            One that is no fold.
        """
        return replace(
            self, train=np.asarray(train), test=np.asarray(test), is_fold=False, **changes
        )


def the_fold(split: Split, parameters: Mapping[str, Any]) -> list[Split]:
    """How most algorithms split: as the fold says.

    Parameters
    ----------
    split : Split
        The fold.
    parameters : dict
        Those of the algorithm; not used.

    Returns
    -------
    list of Split
        The fold alone.
    """
    return [split]


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
        ``evaluate(split, parameters) -> list of dict``: results of one split, each with a
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
    max_folds : int or None
        Largest number of folds, for an algorithm that does not need them all.
    revision : int
        Raised when the same parameters would give other results, so that old ones do not mix.
    splits : callable
        ``splits(split, parameters) -> iterable of Split``: what it makes of a fold; by default
        the fold itself. None for a dataset that it has nothing to say of.
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
    splits: Callable[[Split, Mapping[str, Any]], Iterable[Split]] = the_fold

    def results(self, fold: Split) -> list[dict[str, Any]]:
        """Results of all that it makes of a fold.

        Parameters
        ----------
        fold : Split
            The fold.

        Returns
        -------
        list of dict
            Its results.
        """
        splits = self.splits(fold, self.parameters)
        return [row for split in splits for row in self.evaluate(split, self.parameters)]


def as_block(X: Any) -> Any:
    """Table as one array if all columns are numbers: thousands of columns are read faster so."""
    floats = isinstance(X, pd.DataFrame) and all(kind == np.float64 for kind in X.dtypes)
    return X.to_numpy() if floats else X


def _take(X: Any, rows: np.ndarray) -> Any:
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]
