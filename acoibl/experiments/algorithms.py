"""The algorithms that experiments compare, each a plug for the runner.

An `Algorithm` is a name, a base, parameters that JSON can hold, and a function that trains on
one part of a dataset and says how well it does on the other. The runner knows no more about it;
a peer or another system joins an experiment by another `Algorithm` in its list.
"""

import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from acoibl.colony import PRESETS, ACOIBLClassifier, WeakFitWarning
from acoibl.experiments.protocol import Profile
from acoibl.lazy import DNNClassifier, GKEClassifier, KNNClassifier

BASES: Mapping[str, type] = {"knn": KNNClassifier, "dnn": DNNClassifier, "gke": GKEClassifier}
"""Lazy classifier of each base."""

GRIDS: Mapping[str, tuple[float, ...]] = {
    "knn": tuple(range(1, 22)),
    "dnn": (0.01, *(round(0.05 * step, 2) for step in range(1, 21))),
    "gke": (0.01, *(round(step / 30, 4) for step in range(1, 19))),
}
"""Settings of the plain classifiers (Section 8): k, d and sigma."""

SCALES = ("none", "sum_one", "sum_m")
"""Scales of the weights that plain and tuned classifiers are measured with."""


@dataclass(frozen=True)
class Split:
    """One training part and one test part of a dataset.

    Parameters
    ----------
    X_train, X_test : DataFrame
        Features.
    y_train, y_test : Series
        Classes.
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
        ``evaluate(split, parameters) -> list of dict``: results of one run. A module-level
        function, so that worker processes find it.
    parameters : dict
        Everything that the results depend on, in JSON's types.
    stochastic : bool
        Whether it runs once for every seed of the profile, or only for seed 0.
    cost : float
        Rough cost relative to one leave-one-out pass; long runs start first.
    """

    name: str
    base: str
    evaluate: Callable[[Split, Mapping[str, Any]], list[dict[str, Any]]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stochastic: bool = False
    cost: float = 1.0


def plain(base: str) -> Algorithm:
    """Plain classifier on its whole grid, at every scale, and the tuned baseline.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}
        Lazy classifier.

    Returns
    -------
    Algorithm
        Its results: one line per scale and setting (variant "plain"), and one (variant "tuned")
        with the setting and the scale of the best leave-one-out accuracy on the training part;
        of equals the first scale, then the smallest setting.
    """
    parameters = {"grid": list(GRIDS[base]), "scales": list(SCALES), "missing": "max"}
    if base == "knn":
        parameters["ties"] = "include"
    if base == "dnn":
        parameters["outlier"] = "prior"
    return Algorithm(f"plain-{base}", base, evaluate_plain, {"base": base, **parameters}, cost=60.0)


def colony(base: str, preset: str, profile: Profile) -> Algorithm:
    """ACO_R-IBL, basic and ensemble from the same fit.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}
        Lazy classifier.
    preset : {"paper", "default"}
        Reading of the algorithm. Its settings are part of the configuration, so results of
        another reading under the same name never mix.
    profile : Profile
        Gives the largest number of iterations.

    Returns
    -------
    Algorithm
        Its results: two lines, variants "basic" and "ensemble".
    """
    settings = dict(PRESETS[preset])
    return Algorithm(
        f"aco-{base}-{preset}",
        base,
        evaluate_colony,
        {"base": base, "preset": preset, "max_iter": profile.max_iter, "settings": settings},
        stochastic=True,
        cost=float(min(profile.max_iter, 3 * settings["patience"])),
    )


def evaluate_plain(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `plain`.

    Parameters
    ----------
    split : Split
        Training and test part.
    parameters : dict
        As `plain` sets them.

    Returns
    -------
    list of dict
        One line per scale and setting, and the tuned one.
    """
    base, grid = parameters["base"], list(parameters["grid"])
    rules = {key: parameters[key] for key in ("ties", "outlier", "missing") if key in parameters}
    rows: list[dict[str, Any]] = []
    started = time.perf_counter()
    for scale in parameters["scales"]:
        begun = time.perf_counter()
        classifier = BASES[base](weight_scale=scale, **rules).fit(split.X_train, split.y_train)
        inner = classifier.loo_predict(grid) == np.asarray(split.y_train)
        predicted = classifier.predict_grid(split.X_test, grid)
        seconds = (time.perf_counter() - begun) / len(grid)
        for position, setting in enumerate(grid):
            rows.append(
                {
                    "variant": "plain",
                    "weight_scale": scale,
                    "key_parameter": setting,
                    "loo_accuracy": float(inner[position].mean()),
                    **scores(split.y_test, predicted[position]),
                    "n_evaluations": 1,
                    "seconds": round(seconds, 6),
                }
            )
    best = max(rows, key=lambda row: row["loo_accuracy"])  # the first of equals
    tuned = {**best, "variant": "tuned", "n_evaluations": len(rows)}
    return [*rows, {**tuned, "seconds": round(time.perf_counter() - started, 6)}]


def evaluate_colony(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `colony`.

    Parameters
    ----------
    split : Split
        Training and test part.
    parameters : dict
        As `colony` sets them.

    Returns
    -------
    list of dict
        One line each for the basic classifier and the ensemble.
    """
    begun = time.perf_counter()
    classifier = ACOIBLClassifier(
        parameters["base"],
        max_iter=parameters["max_iter"],
        random_state=split.seed,
        **parameters["settings"],
    )
    with warnings.catch_warnings():
        # That a fit is weak is a result here, not news.
        warnings.simplefilter("ignore", WeakFitWarning)
        classifier.fit(split.X_train, split.y_train)
    shared = {
        "weight_scale": classifier.settings_["weight_scale"],
        "key_parameter": float(classifier.key_parameter_),
        "loo_accuracy": float(classifier.loo_accuracy_),
        "n_iter": int(classifier.n_iter_),
        "n_evaluations": int(classifier.n_evaluations_),
        "seconds": round(time.perf_counter() - begun, 6),
    }
    predictions = {
        "basic": classifier.predict_basic(split.X_test),
        "ensemble": classifier.predict_ensemble(split.X_test),
    }
    return [
        {"variant": variant, **shared, **scores(split.y_test, predicted)}
        for variant, predicted in predictions.items()
    ]


def scores(actual: Any, predicted: Any) -> dict[str, float]:
    """Accuracy and balanced accuracy.

    Parameters
    ----------
    actual, predicted : array-like, shape (n_rows,)
        Classes.

    Returns
    -------
    dict
        ``accuracy``, and ``balanced_accuracy``: the mean recall over the classes of `actual`.

    Examples
    --------
    >>> scores(["a", "a", "a", "b"], ["a", "a", "a", "c"])
    {'accuracy': 0.75, 'balanced_accuracy': 0.5}
    """
    actual, predicted = np.asarray(actual), np.asarray(predicted)
    right = actual == predicted
    recalls = [float(right[actual == label].mean()) for label in np.unique(actual)]
    return {"accuracy": float(right.mean()), "balanced_accuracy": float(np.mean(recalls))}


def experiment_a(profile: Profile) -> list[Algorithm]:
    """Experiment A: the plain classifiers on their grids.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        One for each base.
    """
    return [plain(base) for base in BASES]


def experiment_b(profile: Profile) -> list[Algorithm]:
    """Experiment B: the colonies in both presets, beside plain and tuned classifiers.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        Those of Experiment A, then six colonies.
    """
    colonies = [colony(base, preset, profile) for base in BASES for preset in PRESETS]
    return [*experiment_a(profile), *colonies]


EXPERIMENTS: dict[str, Callable[[Profile], list[Algorithm]]] = {
    "a": experiment_a,
    "b": experiment_b,
}
"""List of algorithms of each experiment, as a function of the profile."""
