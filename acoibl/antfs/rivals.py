"""Other searches with the same judge: greedy, random, exhaustive."""

from itertools import combinations
from math import comb
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from acoibl._seeds import make_generator
from acoibl.antfs.evaluation import SubsetEvaluator

_COLUMNS = ("size", "accuracy", "features", "ties")


def forward_selection(judge: SubsetEvaluator, max_size: int) -> pd.DataFrame:
    """Greedy forward selection: always the feature that improves most, or harms least.

    What ``SequentialFeatureSelector`` of scikit-learn does with the same score, from a table of
    distances that grows with the subset.

    Parameters
    ----------
    judge : SubsetEvaluator
        Gives the accuracy of a subset.
    max_size : int
        Largest size.

    Returns
    -------
    DataFrame
        One line a ``size`` from 1: ``accuracy``, ``features`` in the order in which they were
        taken (of equals the first in the table), ``ties`` (how many were as good).

    Raises
    ------
    ValueError
        If `max_size` is not a positive whole number.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.antfs import SubsetEvaluator, forward_selection
    >>> X, y = load_iris(return_X_y=True)
    >>> forward_selection(SubsetEvaluator(X, y), 2)["features"].tolist()
    [(3,), (3, 2)]
    """
    _check_size(max_size)
    path: list[int] = []
    lines = []
    while len(path) < min(max_size, judge.n_features):
        candidates = np.setdiff1d(np.arange(judge.n_features), path)
        errors, place, ties = judge.best_candidate(path, candidates, judge.n_queries)
        path.append(int(candidates[place]))
        lines.append(_line(judge, path, errors, ties))
    return pd.DataFrame(lines, columns=_COLUMNS)


def random_subsets(
    judge: SubsetEvaluator, max_size: int, budget: int, random_state: Any = None
) -> pd.DataFrame:
    """Best of subsets drawn at random: what a budget is worth without any search.

    Parameters
    ----------
    judge : SubsetEvaluator
        Gives the accuracy of a subset.
    max_size : int
        Largest size.
    budget : int
        Number of subsets, shared equally by the sizes from 2 (or 1, if that is all).
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed.

    Returns
    -------
    DataFrame
        One line a ``size``: the best ``accuracy``, its ``features``, ``ties`` (how often it was
        reached).

    Raises
    ------
    ValueError
        If `max_size` is not a positive whole number, or `budget` less than one subset a size.
    """
    _check_size(max_size)
    rng = make_generator(random_state)
    high = min(max_size, judge.n_features)
    sizes = range(min(2, high), high + 1)
    if isinstance(budget, bool) or not isinstance(budget, Integral) or budget < len(sizes):
        raise ValueError(
            f"budget must be a whole number of subsets, at least one for each of the {len(sizes)} "
            f"sizes up to {high}; got {budget!r}"
        )
    lines = []
    for size in sizes:
        drawn = _draw(rng, judge.n_features, size, int(budget) // len(sizes))
        errors, place, ties = judge.best_subset(drawn)
        lines.append(_line(judge, drawn[place], errors, ties))
    return pd.DataFrame(lines, columns=_COLUMNS)


def exhaustive_search(
    judge: SubsetEvaluator, max_size: int, *, max_subsets: int = 10_000_000
) -> pd.DataFrame:
    """The best subset of each size, by trying all.

    Parameters
    ----------
    judge : SubsetEvaluator
        Gives the accuracy of a subset.
    max_size : int
        Largest size.
    max_subsets : int, default=10_000_000
        Most subsets that may be tried.

    Returns
    -------
    DataFrame
        One line a ``size`` from 1: the best ``accuracy``, ``features`` of the first subset that
        has it, ``ties`` (how many have it).

    Raises
    ------
    ValueError
        If `max_size` is not a positive whole number, or there are more subsets than
        `max_subsets`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.antfs import SubsetEvaluator, exhaustive_search
    >>> X, y = load_iris(return_X_y=True)
    >>> exhaustive_search(SubsetEvaluator(X, y), 3)["features"].tolist()
    [(3,), (2, 3), (0, 2, 3)]
    """
    _check_size(max_size)
    n_features = judge.n_features
    sizes = range(1, min(max_size, n_features) + 1)
    total = sum(comb(n_features, size) for size in sizes)
    if total > max_subsets:
        raise ValueError(
            f"{n_features} features have {total} subsets of up to {max_size}, more than "
            f"max_subsets={max_subsets}"
        )
    lines = []
    for size in sizes:
        best, chosen, ties = judge.n_queries, (), 0
        for prefix in combinations(range(n_features - 1), size - 1):
            candidates = np.arange(prefix[-1] + 1 if prefix else 0, n_features)
            errors, place, found = judge.best_candidate(prefix, candidates, best)
            if errors < best or (errors == best and not chosen):
                best, chosen, ties = errors, (*prefix, int(candidates[place])), found
            elif errors == best:
                ties += found
        lines.append(_line(judge, chosen, best, ties))
    return pd.DataFrame(lines, columns=_COLUMNS)


def _check_size(max_size: Any) -> None:
    if isinstance(max_size, bool) or not isinstance(max_size, Integral) or max_size < 1:
        raise ValueError(f"max_size must be a positive whole number, got {max_size!r}")


def _draw(rng: np.random.Generator, n_features: int, size: int, n_subsets: int) -> np.ndarray:
    """Subsets drawn at random, one a row."""
    if n_features <= 10 * size:
        orders = np.argsort(rng.random((n_subsets, n_features)), axis=1)
        return np.ascontiguousarray(orders[:, :size])
    drawn = rng.integers(0, n_features, (n_subsets, size))
    while True:  # rows that name a feature twice are drawn again: all subsets stay equally likely
        ordered = np.sort(drawn, axis=1)
        bad = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
        if not len(bad):
            return drawn
        drawn[bad] = rng.integers(0, n_features, (len(bad), size))


def _line(judge: SubsetEvaluator, features: Any, errors: int, ties: int) -> dict[str, Any]:
    return {
        "size": len(features),
        "accuracy": 1.0 - errors / judge.n_queries,
        "features": tuple(int(feature) for feature in features),
        "ties": ties,
    }
