"""Rows that exact early rejection saves over whole fits, and that nothing else changes."""

import contextlib
import time
import warnings
from unittest import mock

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from acoibl import ACOIBLClassifier
from acoibl.colony import classifier as colony
from acoibl.datasets import load
from benchmarks.findings import Finding
from benchmarks.problems import training_rows

TITLE = "Exact early rejection"
NOTE = (
    "Whole fits (default preset, stopped by patience) on the training part of the first of ten "
    "folds, with and without rejection; archives must be the same to the last bit, or the "
    "benchmark fails. `saved` is the share of rows not classified; `time_ratio` the time without "
    "rejection over the time with it (above 1: rejection pays)."
)
NAMES = [
    "balance", "breast-w", "credit-g", "ecoli", "hepatitis",
    "ionosphere", "pima", "segmentation", "ttt", "voting",
]  # fmt: skip
SETTINGS = {
    "toy": {"names": ["hay"], "bases": ["knn"], "n_seeds": 1, "max_iter": 20},
    "short": {"names": NAMES, "bases": ["knn"], "n_seeds": 1, "max_iter": 10_000},
    "full": {"names": NAMES, "bases": ["knn", "dnn", "gke"], "n_seeds": 5, "max_iter": 10_000},
}
KINDS = ("class_recall", "accuracy")


def measure(names, bases, n_seeds, max_iter) -> pd.DataFrame:
    lines = []
    for name in names:
        data = load(name)
        rows = training_rows(data.y.cat.codes.to_numpy())
        X, y = data.X.iloc[rows], data.y.iloc[rows]
        for base in bases:
            for kind in KINDS:
                for seed in range(n_seeds):
                    lines.append(_compare(name, X, y, base, kind, seed, max_iter))
    return pd.DataFrame(lines)


def _compare(name, X, y, base, kind, seed, max_iter):
    def fit(reject_early, iterations=max_iter):
        clf = ACOIBLClassifier(base, archive_quality=kind, max_iter=iterations, random_state=seed)
        with _rejecting(reject_early) as made, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.perf_counter()
            clf.fit(X, y)
            return clf, made[0], time.perf_counter() - start

    fit(True, 1), fit(False, 1)  # warm-up
    (full, _, full_seconds), (early, counted, seconds) = fit(False), fit(True)
    # Once more in the other order: a ratio of sums is less at the mercy of the machine.
    seconds += fit(True)[2]
    full_seconds += fit(False)[2]
    for ours, theirs in zip(
        [*early.archives_, early.candidates_], [*full.archives_, full.candidates_], strict=True
    ):
        if not (
            np.array_equal(ours.solutions, theirs.solutions)
            and np.array_equal(ours.qualities, theirs.qualities)
        ):
            raise AssertionError(f"early rejection changed an archive: {name}, {base}, {kind}")
    return {
        "dataset": name,
        "n": len(y),
        "base": base,
        "archive_quality": kind,
        "seed": seed,
        "kernel": early.kernel_,
        "evaluations": early.n_evaluations_,
        "rows_asked": counted.rows_asked,
        "rows_classified": counted.rows_classified,
        "saved": 1 - counted.rows_classified / counted.rows_asked,
        "seconds": seconds / 2,
        "seconds_without": full_seconds / 2,
        "time_ratio": full_seconds / seconds,
        "same_archives": True,
    }


@contextlib.contextmanager
def _rejecting(reject_early: bool):
    """Within it, fits reject early or not; gives the list of the evaluators that they make."""
    made, original = [], colony.LeaveOneOut

    def make(*args, **options):
        made.append(original(*args, **{**options, "reject_early": reject_early}))
        return made[-1]

    with mock.patch.object(colony, "LeaveOneOut", make):
        yield made


def findings(table: pd.DataFrame) -> list[Finding]:
    out = [
        Finding(
            "archives with and without rejection",
            f"the same in all {len(table)} fits",
            "the same",
            bool(table["same_archives"].all()),
        )
    ]
    for (base, kind), part in table.groupby(["base", "archive_quality"], sort=False):
        saved = 100 * part.groupby("dataset")["saved"].median()
        out.append(
            Finding(
                f"rows saved by rejection, {base}, archives by {kind}",
                f"{saved.min():.0f} to {saved.max():.0f} %, median {saved.median():.0f} % of "
                f"{len(saved)} datasets; time ratio {part['time_ratio'].median():.2f} "
                f"({part['time_ratio'].min():.2f} to {part['time_ratio'].max():.2f})",
            )
        )
    return out


def plot(table: pd.DataFrame):
    part = table[table["base"] == table["base"].iloc[0]]
    names = part["dataset"].drop_duplicates().tolist()[::-1]
    fig, axes = plt.subplots(1, 2, figsize=(8.0, 4.0), sharey=True)
    for s, kind in enumerate(KINDS):
        lines = part[part["archive_quality"] == kind].groupby("dataset").median(numeric_only=True)
        lines = lines.reindex(names)
        place = np.arange(len(names)) + 0.1 * (2 * s - 1)
        axes[0].plot(100 * lines["saved"], place, "os"[s], label=kind)
        axes[1].plot(lines["time_ratio"], place, "os"[s], label=kind)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_xlim(left=-2)
    axes[0].set_xlabel("rows saved, % of a fit")
    axes[1].axvline(1, color="#5F5F5F", linewidth=0.6)
    axes[1].set_xlabel("time without / time with rejection")
    fig.legend(
        *axes[0].get_legend_handles_labels(),
        title="archives by",
        ncols=2,
        loc="outside upper center",
    )
    return fig
