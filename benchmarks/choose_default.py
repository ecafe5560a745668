"""Choose the preset "default": readings of the algorithm compared inside training folds.

For every dataset of the paper that is at hand, the training part of the first
of ten stratified folds (capped at MAX_ROWS rows) is split again into three
folds; every reading runs on each of them with each base classifier. The rows
of the outer test fold are never looked at.

Run ``python benchmarks/choose_default.py`` from the project's root; it appends
to ``reports/presets/choose_default.csv``, skips what is there already, and
prints the comparison. ``--summary`` only prints.
"""

import itertools
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold, train_test_split

from acoibl import ACOIBLClassifier
from acoibl.colony import WeakFitWarning
from acoibl.comparison import average_ranks
from acoibl.datasets import list_datasets, load

RESULTS = Path("reports/presets/choose_default.csv")
MAX_ROWS = 400
BASES = ("knn", "dnn", "gke")
READINGS = {
    f"{quality}-{scale}-{patience}": {
        "archive_quality": quality,
        "solution": "best_candidate",
        "weight_scale": scale,
        "patience": patience,
    }
    for quality, scale, patience in itertools.product(
        ("accuracy", "class_recall", "class_f1"), ("none", "sum_one", "sum_m"), (50, 200)
    )
}


def training_part(name):
    """Rows of the training part of the first outer fold, capped."""
    data = load(name)
    X, y = data.X, np.asarray(data.y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes smaller than the number of folds
        rows, _ = next(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    if len(rows) > MAX_ROWS:
        common = np.isin(y[rows], [c for c in np.unique(y[rows]) if (y[rows] == c).sum() > 2])
        rows = rows[common]
        rows, _ = train_test_split(rows, train_size=MAX_ROWS, stratify=y[rows], random_state=0)
    return X.iloc[rows], y[rows]


def measure(name, base):
    """Accuracy of basic and ensemble for every reading on one dataset."""
    warnings.simplefilter("ignore", WeakFitWarning)
    warnings.simplefilter("ignore", UserWarning)
    X, y = training_part(name)
    lines = []
    for reading, options in READINGS.items():
        right = {"basic": 0, "ensemble": 0}
        for fold, (train, test) in enumerate(
            StratifiedKFold(3, shuffle=True, random_state=1).split(X, y)
        ):
            clf = ACOIBLClassifier(base, random_state=fold, **options).fit(X.iloc[train], y[train])
            right["basic"] += (clf.predict_basic(X.iloc[test]) == y[test]).sum()
            right["ensemble"] += (clf.predict_ensemble(X.iloc[test]) == y[test]).sum()
        lines.extend(
            {
                "dataset": name,
                "base": base,
                "reading": reading,
                "kind": kind,
                "accuracy": count / len(y),
            }
            for kind, count in right.items()
        )
    return lines


def summary(results):
    """Mean accuracy and average rank of each reading, by base and kind."""
    table = {}
    for (base, kind), part in results.groupby(["base", "kind"]):
        scores = part.pivot_table("accuracy", index="dataset", columns="reading").dropna()
        table[base, kind, "mean %"] = 100 * scores.mean()
        table[base, kind, "rank"] = average_ranks(scores)
    table = pd.DataFrame(table).round(2)
    table["all", "all", "mean %"] = table.xs("mean %", axis=1, level=2).mean(axis=1)
    table["all", "all", "rank"] = table.xs("rank", axis=1, level=2).mean(axis=1)
    return table.sort_values(("all", "all", "rank")).round(2)


def main():
    """Run what is missing, then print."""
    done = pd.read_csv(RESULTS) if RESULTS.is_file() else pd.DataFrame(columns=["dataset", "base"])
    seen = set(zip(done["dataset"], done["base"], strict=True))
    work = [
        (name, base)
        for name in list_datasets(paper=True, ready=True)
        for base in BASES
        if (name, base) not in seen
    ]
    if "--summary" not in sys.argv[1:]:
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        jobs = Parallel(n_jobs=-1, return_as="generator_unordered")(
            delayed(measure)(name, base) for name, base in work
        )
        for lines in jobs:
            table = pd.DataFrame(lines)
            table.to_csv(RESULTS, mode="a", header=not RESULTS.is_file(), index=False)
            print(lines[0]["dataset"], lines[0]["base"], flush=True)
    results = pd.read_csv(RESULTS)
    print(results["dataset"].nunique(), "datasets")
    print(summary(results).to_string())


if __name__ == "__main__":
    main()
