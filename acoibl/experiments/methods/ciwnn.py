"""CIW-NN and its parts alone, as algorithms for the runner."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from acoibl.coevolution import (
    PRESETS,
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
)
from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.outcomes import Clock, outcome, share_right
from acoibl.experiments.protocol import Profile

PARTS: Mapping[str, Callable[..., Any]] = {
    "is-chc": CHCSelector,
    "fw-ssga": SSGAFeatureWeighter,
    "iw-ssga": SSGAClassWeighter,
}
"""The parts of CIW-NN alone, by the name of their results."""

_CHC_SETTINGS = (
    "population_size",
    "alpha",
    "prob_0_to_1",
    "prob_1",
    "exact_half",
    "prefer",
    "restart",
    "restart_rate",
    "restart_ones",
    "restart_threshold",
    "idle_generations",
    "missing",
)


def count_evaluations(profile: Profile) -> int:
    """Evaluations of CIW-NN, its parts and the searches that it is compared with.

    10,000, as in the paper, also where colonies may do 1,000 iterations only: with fewer, the
    search of rows does not begin on larger data. In smaller profiles the iterations of a colony,
    at least 200, since the initial populations cost 150.
    """
    return 10_000 if profile.max_iter >= 1000 else max(profile.max_iter, 200)


def ciwnn(preset: str, profile: Profile, **changes: Any) -> Algorithm:
    """CIW-NN, with the selected and with all training rows as references, from the same fit.

    `changes` are settings of the preset that have another value; they become part of its name and
    of its column ``preset``. Preset ``"keel"`` scales numeric features by the extremes of the whole
    table, as the folds that its authors publish do. Variants: "selected" (what the method says)
    and "all" (what its authors' program does). Further facts: ``reduction``, ``n_selected``,
    ``selection_evaluations`` (after the initial populations), ``best_fitness`` of the populations.
    """
    settings = {**PRESETS[preset], **changes}
    name = "-".join([preset, *(f"{key}-{value}" for key, value in changes.items())])
    return Algorithm(
        f"ciwnn-{name}",
        "ciwnn",
        evaluate_ciwnn,
        {
            "preset": name,
            "max_evaluations": count_evaluations(profile),
            "bounds": "whole table" if preset == "keel" else "training part",
            "settings": settings,
        },
        stochastic=True,
        cost=count_evaluations(profile) / 5,
    )


def part(name: str, profile: Profile) -> Algorithm:
    """A part of CIW-NN alone, one of `PARTS`; one line, variant "part"."""
    parameters: dict[str, Any] = {"preset": name, "max_evaluations": count_evaluations(profile)}
    if name == "is-chc":  # says which CHC it is: one with other defaults has other results
        settings = CHCSelector().get_params()
        parameters["settings"] = {key: settings[key] for key in _CHC_SETTINGS}
    return Algorithm(
        f"part-{name}",
        "ciwnn",
        evaluate_part,
        parameters,
        stochastic=True,
        cost=count_evaluations(profile) / 5,
    )


def evaluate_ciwnn(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `ciwnn`: a line each for the selected and for all training rows as references."""
    clock = Clock()
    classifier = CIWNNClassifier(
        max_evaluations=parameters["max_evaluations"],
        bounds=_bounds(split.X) if parameters["bounds"] == "whole table" else None,
        random_state=split.seed,
        **parameters["settings"],
    ).fit(split.X_train, split.y_train)
    shared = {
        **_facts(classifier),
        "n_iter": int(classifier.n_cycles_),
        "stopped": classifier.stopped_,
        "selection_evaluations": int(classifier.n_selection_evaluations_),
        "best_fitness": classifier.best_fitness_,
        **clock.read(),
    }
    return [
        {
            "variant": variant,
            **shared,
            "train_accuracy": share_right(predict(split.X_train), split.y_train),
            **_outcome(split, classifier, predict),
        }
        for variant, predict in (
            ("selected", classifier.predict_selected),
            ("all", classifier.predict_all),
        )
    ]


def evaluate_part(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `part`: one line."""
    clock = Clock()
    classifier = PARTS[parameters["preset"]](
        max_evaluations=parameters["max_evaluations"],
        random_state=split.seed,
        **parameters.get("settings", {}),
    ).fit(split.X_train, split.y_train)
    return [
        {
            "variant": "part",
            **_facts(classifier),
            **clock.read(),
            "train_accuracy": share_right(classifier.predict(split.X_train), split.y_train),
            **_outcome(split, classifier, classifier.predict),
        }
    ]


def _facts(classifier: Any) -> dict[str, Any]:
    return {
        "loo_accuracy": float(classifier.loo_accuracy_),
        "n_evaluations": int(classifier.n_evaluations_),
        "reduction": float(classifier.reduction_),
        "n_selected": len(classifier.sample_indices_),
    }


def _outcome(split: Split, classifier: Any, predict: Callable[[Any], np.ndarray]) -> dict[str, Any]:
    predicted = predict(split.X_test)
    sure = (predicted[:, None] == classifier.classes_).astype(float)
    return outcome(split, predicted, sure, classifier.classes_)


def _bounds(X: pd.DataFrame) -> np.ndarray:
    """Extremes of the numeric columns; NaN for the others."""
    bounds = np.full((2, X.shape[1]), np.nan)
    for place, column in enumerate(X.columns):
        if pd.api.types.is_float_dtype(X[column].dtype):
            bounds[:, place] = X[column].min(), X[column].max()
    return bounds
