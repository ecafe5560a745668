"""CIW-NN against its authors' program in Java."""

import time

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.model_selection import StratifiedKFold

from acoibl.coevolution import CIWNNClassifier
from acoibl.datasets import load
from benchmarks.findings import Finding, times

TITLE = "CIW-NN against KEEL's program"
NOTE = (
    "Processor seconds of one fit, one thread, 10,000 evaluations, on the training parts of ten "
    "folds; compiling apart (a first fit is not counted). The peer is CIW-NN of the software KEEL "
    "in Java with its default parameters; its figures are means of 30 measured runs (ten folds, "
    "three seeds) on a machine of the same kind with two cores, less 0.2 s for the start of the "
    "virtual machine. Not interleaved: Java is no part of this environment. Preset `keel` does "
    "what that program does; preset `paper` is the other reading."
)
JAVA_SECONDS = {"iris": 0.583, "wine": 0.802, "s-heart": 1.333, "liver-disorders": 2.090}
"""Processor seconds of the Java program, start of the virtual machine included."""
JAVA_START = 0.2
BAR = 8.0
SETTINGS = {
    "toy": {"names": ["iris"], "n_folds": 2, "max_evaluations": 400},
    "short": {"names": list(JAVA_SECONDS), "n_folds": 10, "max_evaluations": 10_000},
    "full": {
        "names": list(JAVA_SECONDS),
        "n_folds": 10,
        "max_evaluations": 10_000,
        "seeds": range(3),
    },
}


def measure(names, n_folds, max_evaluations, seeds=(0,)) -> pd.DataFrame:
    lines = []
    for name in names:
        data = load(name)
        parts = StratifiedKFold(10, shuffle=True, random_state=0).split(data.X, data.y)
        training = [train for train, _ in parts][:n_folds]
        for preset in ("keel", "paper"):
            runs = [
                _fit(data.X.iloc[rows], data.y.iloc[rows], preset, max_evaluations, seed)
                for rows in [training[0], *training]
                for seed in seeds
            ][len(seeds) :]
            cpu, wall, classifiers = zip(*runs, strict=True)
            java = (JAVA_SECONDS[name] - JAVA_START) * max_evaluations / 10_000
            q1, q2, q3 = np.percentile(java / np.array(cpu), [25, 50, 75])
            lines.append(
                {
                    "dataset": name,
                    "rows": len(training[0]),
                    "features": data.X.shape[1],
                    "preset": preset,
                    "evaluations": np.mean([c.n_evaluations_ for c in classifiers]),
                    "reduction": np.mean([c.reduction_ for c in classifiers]),
                    "ms": 1e3 * np.median(cpu),
                    "java_ms": 1e3 * java,
                    "ratio": q2,
                    "ratio_q1": q1,
                    "ratio_q3": q3,
                    "runs": len(cpu),
                    "busy": sum(cpu) / sum(wall),
                }
            )
    return pd.DataFrame(lines)


def _fit(X, y, preset, max_evaluations, seed):
    wall, cpu = time.perf_counter(), time.process_time()
    classifier = CIWNNClassifier(
        preset=preset, max_evaluations=max_evaluations, random_state=seed
    ).fit(X, y)
    return time.process_time() - cpu, time.perf_counter() - wall, classifier


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for _, line in table.iterrows():
        held = line["preset"] == "keel"
        out.append(
            Finding(
                f"CIW-NN, {line['dataset']}, preset {line['preset']}",
                times(line, 1) + " less processor time than Java",
                f"at least {BAR:.0f}x" if held else "",
                bool(line["ratio"] >= BAR) if held else None,
            )
        )
    return out


def plot(table: pd.DataFrame):
    fig, ax = plt.subplots(figsize=(7.2, 3.8))
    names = table["dataset"].drop_duplicates().tolist()
    for s, preset in enumerate(("keel", "paper")):
        part = table[table["preset"] == preset]
        place = [names.index(name) + 0.2 * (s - 0.5) for name in part["dataset"]]
        bars = np.array([part["ratio"] - part["ratio_q1"], part["ratio_q3"] - part["ratio"]])
        ax.errorbar(place, part["ratio"], bars, fmt="os"[s], label=f"preset {preset}", capsize=2)
    ax.axhline(BAR, color="#5F5F5F", linestyle="--", label="bar")
    ax.set_xticks(range(len(names)), names)
    ax.set_xlim(-0.6, len(names) - 0.4)
    ax.set_ylim(0, 1.15 * table["ratio_q3"].max())
    ax.set_ylabel("times less processor time than Java")
    ax.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.14))
    return fig
