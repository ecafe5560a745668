"""The lazy classifiers on their grids, and the colonies, as algorithms for the runner."""

import warnings
from collections.abc import Mapping
from typing import Any

from acoibl.colony import PRESETS, ACOIBLClassifier, WeakFitWarning
from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.outcomes import Clock, outcome, share_right
from acoibl.experiments.protocol import Profile
from acoibl.lazy.bases import BASES

SCALES = ("none", "sum_one", "sum_m")
"""Scales of the weights that plain and tuned classifiers are measured with."""

SEARCH: Mapping[str, float] = {"archive_size": 25, "n_ants": 1, "q": 0.25, "xi": 0.85}
"""What Table 1 sets for every colony."""


REVISION = 1
"""Of the results of the lazy classifiers and the colonies; see `Algorithm`."""


def plain(base: str) -> Algorithm:
    """Plain classifier on its whole grid, at every scale, and the tuned baseline.

    Variant "tuned" has the setting and the scale of the best leave-one-out accuracy on the training
    part; of equals the first scale, then the smallest setting.
    """
    parameters = {"grid": list(BASES[base].grid), "scales": list(SCALES), "missing": "max"}
    if base == "knn":
        parameters["ties"] = "include"
    if base == "dnn":
        parameters["outlier"] = "prior"
    return Algorithm(
        f"plain-{base}",
        base,
        evaluate_plain,
        {"base": base, **parameters},
        cost=60.0,
        revision=REVISION,
    )


def colony(base: str, preset: str, profile: Profile, **changes: Any) -> Algorithm:
    """ACO_R-IBL, variants "basic" and "ensemble" from the same fit.

    The settings of the preset are part of the configuration, so results of another reading under
    the same name never mix. `changes` are settings that have another value, such as
    ``ties="strict"``; they become part of its name and of its column ``preset``.
    """
    settings = {**PRESETS[preset], **changes}
    preset = "-".join([preset, *(f"{name}-{value}" for name, value in changes.items())])
    return Algorithm(
        f"aco-{base}-{preset}",
        base,
        evaluate_colony,
        {
            "base": base,
            "preset": preset,
            "max_iter": profile.max_iter,
            "search": dict(SEARCH),
            "settings": settings,
        },
        stochastic=True,
        cost=float(min(profile.max_iter, 3 * settings["patience"])),
        revision=REVISION,
    )


def evaluate_plain(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `plain`: a line a scale and setting, without probabilities, and the tuned one."""
    base, grid = parameters["base"], list(parameters["grid"])
    rules = {key: parameters[key] for key in ("ties", "outlier", "missing") if key in parameters}
    rows: list[dict[str, Any]] = []
    fitted = {}
    for scale in parameters["scales"]:
        clock = Clock()
        classifier = (
            BASES[base].estimator(weight_scale=scale, **rules).fit(split.X_train, split.y_train)
        )
        inner = classifier.loo_predict(grid)
        predicted = classifier.predict_grid(split.X_test, grid)
        times = clock.read(len(grid))
        fitted[scale] = classifier
        resubstituted = classifier.predict_grid(split.X_train, grid)
        for position, setting in enumerate(grid):
            rows.append(
                {
                    "variant": "plain",
                    "weight_scale": scale,
                    "key_parameter": setting,
                    "train_accuracy": share_right(resubstituted[position], split.y_train),
                    "loo_accuracy": share_right(inner[position], split.y_train),
                    **outcome(split, predicted[position]),
                    "n_evaluations": 1,
                    **times,
                }
            )
    best = max(rows, key=lambda row: row["loo_accuracy"])  # the first of equals
    winner = fitted[best["weight_scale"]].set_params(
        **{BASES[base].key_parameter: best["key_parameter"]}
    )
    shares = winner.predict_proba(split.X_test)
    tuned = {
        **best,
        "variant": "tuned",
        **outcome(split, winner.predict(split.X_test), shares, winner.classes_),
        "n_evaluations": len(rows),
    }
    for name in ("seconds", "cpu_seconds"):
        tuned[name] = round(sum(row[name] for row in rows), 6)
    return [*rows, tuned]


def evaluate_colony(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `colony`; their seconds are those of the fit."""
    clock = Clock()
    classifier = ACOIBLClassifier(
        parameters["base"],
        max_iter=parameters["max_iter"],
        random_state=split.seed,
        **parameters["search"],
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
        "kernel": classifier.kernel_,
        "n_iter": int(classifier.n_iter_),
        "n_evaluations": int(classifier.n_evaluations_),
        "stopped": classifier.stopped_,
        **clock.read(),
    }
    basic = outcome(
        split,
        classifier.predict_basic(split.X_test),
        classifier.estimator_.predict_proba(split.X_test),
        classifier.classes_,
    )
    # The largest vote share is the ensemble's answer: its members need not vote twice.
    shares = classifier.predict_proba(split.X_test)
    ensemble = outcome(
        split, classifier.classes_[shares.argmax(axis=1)], shares, classifier.classes_
    )
    train = {
        "basic": classifier.predict_basic(split.X_train),
        "ensemble": classifier.predict_ensemble(split.X_train),
    }
    return [
        {
            "variant": variant,
            **shared,
            "train_accuracy": share_right(train[variant], split.y_train),
            **found,
        }
        for variant, found in (("basic", basic), ("ensemble", ensemble))
    ]
