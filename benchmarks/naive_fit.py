"""A whole fit against Algorithm 1 in clear numpy."""

import time
import warnings

import numpy as np
import pandas as pd

from acoibl import ACOIBLClassifier
from acoibl.datasets import load
from benchmarks.findings import Finding
from benchmarks.problems import training_rows
from tests.naive import NumpyColony

TITLE = "A whole fit against clear numpy"
NOTE = (
    "The training part of the first of ten folds, k-NN, archives by accuracy. The numpy version "
    "makes only a few evaluations; their median is multiplied by the number of evaluations of "
    "our fit (its sampling and sorting, which cost little beside, are left out in its favour). "
    "Our time is that of the whole fit, set-up and final leave-one-out included."
)
SETTINGS = {
    "toy": {"name": "iris", "n_naive": 1, "n_fits": 1, "max_iter": 20},
    "short": {"name": "segmentation", "n_naive": 5, "n_fits": 3, "max_iter": 10_000},
    "full": {"name": "segmentation", "n_naive": 25, "n_fits": 10, "max_iter": 10_000},
}


def measure(name, n_naive, n_fits, max_iter) -> pd.DataFrame:
    data = load(name)
    codes = data.y.cat.codes.to_numpy()
    rows = training_rows(codes)
    X, y = data.X.iloc[rows], codes[rows]

    def fit(seed, iterations=max_iter):
        clf = ACOIBLClassifier(
            "knn", archive_quality="accuracy", max_iter=iterations, random_state=seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.perf_counter()
            clf.fit(X, y)
            return time.perf_counter() - start, clf.n_evaluations_

    naive = NumpyColony(X.to_numpy(dtype=np.float64), y.astype(np.int64))
    rng = np.random.default_rng(0)
    fit(0, 1)  # warm-up
    ours, theirs, evaluations = [], [], []
    for turn in range(max(n_fits, n_naive)):
        if turn < n_naive:
            weights = rng.random((naive.n_classes, X.shape[1]))
            start = time.perf_counter()
            naive.evaluate(rng.uniform(*naive.k_range), weights)
            theirs.append(time.perf_counter() - start)
        if turn < n_fits:
            seconds, made = fit(turn)
            ours.append(seconds)
            evaluations.append(made)
    per_evaluation = np.array(ours) / evaluations
    ratios = np.median(theirs) / per_evaluation
    return pd.DataFrame(
        {
            "dataset": name,
            "n": len(y),
            "features": X.shape[1],
            "classes": naive.n_classes,
            "seed": range(n_fits),
            "evaluations": evaluations,
            "seconds": ours,
            "ms_per_evaluation": 1e3 * per_evaluation,
            "naive_ms_per_evaluation": 1e3 * np.median(theirs),
            "naive_evaluations": n_naive,
            "naive_seconds": np.median(theirs) * np.array(evaluations),
            "ratio": ratios,
        }
    )


def findings(table: pd.DataFrame) -> list[Finding]:
    line = table.iloc[0]
    q1, q2, q3 = np.percentile(table["ratio"], [25, 50, 75])
    return [
        Finding(
            f"whole fit, {line['dataset']} ({line['n']} x {line['features']} x "
            f"{line['classes']}): {table['seconds'].median():.2f} s against "
            f"{table['naive_seconds'].median():.0f} s (scaled)",
            f"{q2:.0f}x ({q1:.0f} to {q3:.0f}) faster",
            "at least 100x",
            bool(q2 >= 100),
        )
    ]


def plot(table: pd.DataFrame):
    return None
