"""Stability of feature rankings: the experiment of SimbaMBIW's paper, Section 4, as algorithms.

One fold of the runner is one repetition here: the dataset is split into halves, and each half is
learned from once and tested on the other. Five such units are the
paper's 5x2-fold loop. All methods of one base see the same halves.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_selection import mutual_info_classif

from acoibl.experiments.algorithm import Algorithm, Split, as_block
from acoibl.experiments.outcomes import Clock, outcome
from acoibl.experiments.protocol import Profile, folds
from acoibl.margins import MBIW, DoublyWeightedKNN, Simba, SimbaMBIW, margin_vectors
from acoibl.margins.weights import distance_weights
from acoibl.prototypes import MutualInformationClassifier, ReliefFClassifier

RANKINGS: Mapping[str, str] = {
    "simba": "Simba: a random order, steps of 1 (the paper's Normal)",
    "sample-sum_one": "SimbaMBIW, Sample, omega as it is",
    "order-sum_one": "SimbaMBIW, Order, omega as it is",
    "sample-mean_one": "SimbaMBIW, Sample, omega times the number of rows",
    "order-mean_one": "SimbaMBIW, Order, omega times the number of rows",
    "sample-once": "SimbaMBIW, Sample without replacement, omega as it is",
    "simba-small": "Simba with steps of 1 / number of rows: no instance weights",
    "mbiw": "mean of the margin vectors, weighted by omega: no steps",
    "relief": "mean of the margin vectors: neither",
    "relieff": "ReliefF, 10 neighbours",
    "mutual-information": "mutual information of feature and class",
    "random": "a random order; its k-NN has equal weights",
}
"""What each method is."""

REPETITIONS = 5
"""Repetitions of the outer and of the inner loop in the paper."""

_LONG_STEPS = ("simba", "sample-mean_one", "order-mean_one")
"""Methods whose steps drive some weights so near to 0 that they decide only among equals."""

_WAVEFORM = [f"x{j}" for j in range(1, 41)]
_COSTS = {"relieff": 60.0, "mutual-information": 60.0}


def stability(profile: Profile) -> list[Algorithm]:
    """All methods whose rankings are compared; each fold is a repetition of the outer loop."""
    return [ranking(method) for method in RANKINGS]


def ranking(method: str) -> Algorithm:
    """One of `RANKINGS`, on the halves of each repetition: two lines, ``half-1`` and ``half-2``.

    Each half is scored on the other by the doubly weighted k-NN. Further facts: ``ranking`` (rank
    of each feature, from 1), ``inner_error`` (of the same weights, by 5x2-fold cross-validation
    inside the half) and ``least_weight`` (of a feature, relative to the largest).
    """
    parameters = {
        "method": method,
        "n_neighbors": 5,
        "inner_repetitions": REPETITIONS,
        "waveform_features": 21,  # the paper's waveform is without the 19 columns of noise
    }
    cost = _COSTS.get(method, 10.0)
    return Algorithm(
        f"stability-{method}",
        "simba",
        evaluate_ranking,
        parameters,
        cost=cost,
        max_folds=REPETITIONS,
        splits=halves,
        # Neighbours were once equally near by the difference of their squared distances, not by
        # the ratio: of these methods alone votes were others.
        revision=1 if method in _LONG_STEPS else 0,
    )


def halves(fold: Split, parameters: Mapping[str, Any]) -> list[Split]:
    """Two splits of a dataset, each with its own seed: a half to learn from, one to test on."""
    X = fold.X
    if list(X.columns) == _WAVEFORM:
        X = X.iloc[:, : parameters["waveform_features"]]
    halves_seed, draws = (int(word) for word in fold.seed.generate_state(2))
    return [
        fold.again(
            train, test, X=as_block(X), seed=np.random.SeedSequence((draws, half)), number=half
        )
        for half, (test, train) in enumerate(folds(fold.y, 2, random_state=halves_seed))
    ]


def evaluate_ranking(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of `ranking` on one of `halves`."""
    clock = Clock()
    scores, omega = _score(parameters["method"], split)
    times = clock.read()
    weights = np.ones(len(scores))
    if parameters["method"] != "random":
        weights = distance_weights(scores)
    knn = DoublyWeightedKNN(parameters["n_neighbors"], feature_weights=weights)
    knn.fit(split.X_train, split.y_train, instance_weights=omega)
    shares = knn.predict_proba(split.X_test)
    return [
        {
            "variant": f"half-{split.number + 1}",
            **outcome(split, knn.predict(split.X_test), shares, knn.classes_),
            "train_accuracy": 1.0 - _error(knn, split.X_train, split.y_train),
            **times,
            "inner_error": _inner_error(split, weights, omega, parameters),
            "least_weight": float(weights.min()),
            "ranking": random_ranks(scores, np.random.default_rng(split.seed)).tolist(),
        }
    ]


def random_ranks(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Ranks of scores from 1, largest first, equal ones in random order.

    In the order of the columns, features with equal scores (such as those without any mutual
    information) would be selected alike in every run, and the method would look stable.
    """
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[np.lexsort((rng.random(len(scores)), -scores))] = np.arange(1, len(scores) + 1)
    return ranks


def _score(method: str, part: Split) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the features, and weights of the training rows."""
    X, y = part.X_train, part.y_train
    equal = np.full(len(y), 1.0 / len(y))
    if method == "random":
        return np.random.default_rng(part.seed).random(X.shape[1]), equal
    if method == "relief":
        return margin_vectors(X, y).mean(axis=0), equal
    if method == "relieff":
        return ReliefFClassifier().fit(X, y).feature_scores_, equal
    if method == "mutual-information" and isinstance(X, np.ndarray) and not np.isnan(X).any():
        # Thousands of columns in one call; it wants rows that are not alone in their class.
        shared = (y.map(y.value_counts()).astype(int) > 1).to_numpy()
        seed = int(part.seed.generate_state(1)[0] % 2**31)
        return mutual_info_classif(X[shared], y[shared], random_state=seed), equal
    if method == "mutual-information":
        filtered = MutualInformationClassifier(random_state=part.seed)
        return filtered.fit(X, y).feature_scores_, equal
    selector = _selectors(part.seed)[method].fit(X, y)
    return selector.feature_weights_, selector.instance_weights_


def _selectors(seed: np.random.SeedSequence) -> dict[str, Any]:
    return {
        "simba": Simba(random_state=seed),
        "simba-small": Simba(step="1/n", random_state=seed),
        "mbiw": MBIW(),
        "sample-once": SimbaMBIW("sample", replacement=False, random_state=seed),
        **{
            f"{strategy}-{scale}": SimbaMBIW(strategy, scale, random_state=seed)
            for strategy in ("sample", "order")
            for scale in ("sum_one", "mean_one")
        },
    }


def _error(knn: DoublyWeightedKNN, X: Any, y: pd.Series) -> float:
    return float(np.mean(knn.predict(X) != np.asarray(y)))


def _inner_error(
    split: Split, weights: np.ndarray, omega: np.ndarray, parameters: Mapping[str, Any]
) -> float:
    """Mean error inside the training half, with the weights that all of it has given.

    Its rows are scaled once, by the extremes of the half, as the weights were learned so.
    """
    X, y = _scaled(split.X_train), split.y_train
    knn = DoublyWeightedKNN(parameters["n_neighbors"], feature_weights=weights, scale=False)
    errors = []
    for repetition in range(parameters["inner_repetitions"]):
        for known, asked in folds(y, 2, random_state=repetition):
            inner = split.again(known, asked, X=X, y=y)
            knn.fit(inner.X_train, inner.y_train, instance_weights=omega[known])
            errors.append(_error(knn, inner.X_test, inner.y_test))
    return float(np.mean(errors))


def _scaled(X: Any) -> Any:
    """Numeric columns between 0 and 1."""
    numeric = pd.DataFrame(X).select_dtypes("number")
    low, width = numeric.min(), numeric.max() - numeric.min()
    scaled = (numeric - low) / width.where(width > 0, 1.0)
    return X.assign(**scaled) if isinstance(X, pd.DataFrame) else scaled.to_numpy()
