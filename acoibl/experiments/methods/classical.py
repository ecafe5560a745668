"""The classical methods that CIW-NN was compared with, on the folds of the other experiments.

They make the second table of the co-evolution: the comparison of CIW-NN's own paper. All of them
let the nearest row answer, with the distance that CIW-NN uses; they differ in which rows are kept
and what is weighted.
"""

from collections.abc import Mapping
from typing import Any

from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.methods.ciwnn import count_evaluations
from acoibl.experiments.outcomes import Clock, outcome, share_right
from acoibl.experiments.protocol import Profile
from acoibl.lazy import KNNClassifier
from acoibl.prototypes import (
    GOCBRClassifier,
    GradientWeightsClassifier,
    MutualInformationClassifier,
    ReliefFClassifier,
    SSMAClassifier,
    TabuSearchClassifier,
    WDNNClassifier,
)
from acoibl.prototypes.base import PrototypeClassifier

CLASSICAL: Mapping[str, tuple[type, Mapping[str, Any]]] = {
    "1nn": (KNNClassifier, {"n_neighbors": 1, "ties": "strict"}),
    "ssma": (SSMAClassifier, {}),
    "wdnn": (WDNNClassifier, {}),
    "pw": (GradientWeightsClassifier, {"weights": "prototype"}),
    "cw": (GradientWeightsClassifier, {"weights": "class"}),
    "cpw": (GradientWeightsClassifier, {"weights": "class_and_prototype"}),
    "tabu": (TabuSearchClassifier, {}),
    "relieff": (ReliefFClassifier, {}),
    "mi": (MutualInformationClassifier, {}),
    "gocbr": (GOCBRClassifier, {}),
}
"""Class, and parameters other than its defaults, of each method."""

MAX_PAIRS = 2e10
"""Most pairs of training rows that the evaluations of TS/KNN and GOCBR may compare: each of them
compares all anew. It cuts the budget of 10,000 evaluations above some 1,400 training rows."""

LEAST_EVALUATIONS = 200
"""Evaluations of a search in the smallest profile: fewer would be hardly more than a start."""


def classical(profile: Profile) -> list[Algorithm]:
    """1-NN and the nine methods, with their defaults, each one line, variant ``"comparator"``."""
    return [_classical(method, profile) for method in CLASSICAL]


def evaluate_classical(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of one method.

    ``reduction`` is the share of the training rows that no longer answer, ``loo_accuracy`` that of
    the result over all training rows.
    """
    clock = Clock()
    classifier = _make(parameters, len(split.X_train))
    if "random_state" in classifier.get_params():
        classifier.set_params(random_state=split.seed)
    classifier.fit(split.X_train, split.y_train)
    times = clock.read()
    if isinstance(classifier, PrototypeClassifier):
        loo_accuracy, reduction = classifier.loo_accuracy_, classifier.reduction_
    else:
        loo_accuracy, reduction = share_right(classifier.loo_predict(), split.y_train), 0.0
    found = outcome(
        split,
        classifier.predict(split.X_test),
        classifier.predict_proba(split.X_test),
        classifier.classes_,
    )
    search = {"stopped": classifier.stopped_} if hasattr(classifier, "stopped_") else {}
    return [
        {
            "variant": "comparator",
            **search,
            "n_evaluations": round(getattr(classifier, "n_evaluations_", 1)),
            "train_accuracy": share_right(classifier.predict(split.X_train), split.y_train),
            "loo_accuracy": float(loo_accuracy),
            "reduction": float(reduction),
            **found,
            **times,
        }
    ]


def _classical(method: str, profile: Profile) -> Algorithm:
    defaults = CLASSICAL[method][0]().get_params()
    parameters = {"method": method, "settings": {**defaults, **CLASSICAL[method][1]}}
    for name in ("random_state", "callback", "time_limit"):  # nothing that JSON could hold
        parameters["settings"].pop(name, None)
    budget = count_evaluations(profile)
    searches = "max_evaluations" in defaults
    if searches:
        parameters["settings"]["max_evaluations"] = budget
    if method in ("tabu", "gocbr"):
        parameters["max_pairs"] = MAX_PAIRS
    return Algorithm(
        f"comparator-{method}",
        "comparator",
        evaluate_classical,
        parameters,
        stochastic=searches,
        cost=float(budget if "max_pairs" in parameters else budget / 10 if searches else 5),
    )


def _make(parameters: Mapping[str, Any], n_rows: int) -> Any:
    """Unfitted classifier for a training part of `n_rows` rows."""
    settings = dict(parameters["settings"])
    if "max_pairs" in parameters:
        affordable = int(parameters["max_pairs"] / n_rows**2)
        settings["max_evaluations"] = max(
            LEAST_EVALUATIONS, min(settings["max_evaluations"], affordable)
        )
    return CLASSICAL[parameters["method"]][0](**settings)
