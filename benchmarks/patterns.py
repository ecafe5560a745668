"""Mismatch patterns against the other kernels on categorical data."""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from acoibl import kernels
from benchmarks.findings import Finding, times
from benchmarks.problems import RULES, check_agreement, evaluation, real
from benchmarks.timing import interleave

TITLE = "Pattern compression on categorical data"
NOTE = (
    "Training part of the first of ten folds. `direct` is the fused pairwise kernel, feature by "
    "feature; `product` is the matrix product with its exact confirmation. Counting the patterns "
    "is done once per fit; `count_ms` is what that takes."
)
SETTINGS = {
    "toy": {"names": ["hay"], "n_rounds": 1},
    "short": {"names": ["car", "nursery"], "n_rounds": 7, "seconds": 4.0},
    "full": {"names": ["car", "nursery"], "n_rounds": 31, "seconds": 60.0},
}


def measure(names, n_rounds, seconds=1.0) -> pd.DataFrame:
    lines = []
    for name in names:
        if (problem := real(name, fold=True)) is None:
            continue
        training, _ = problem
        for base, rule in RULES.items():
            auto = kernels.Evaluator.leave_one_out(training, rule).kernel
            evaluators = {
                kernel: kernels.Evaluator.leave_one_out(training, rule, kernel)
                for kernel in kernels.KERNELS
            }
            check_agreement(evaluators, training, base)
            calls = {k: evaluation(e, training, base) for k, e in evaluators.items()}
            timings = interleave(calls, n_rounds, seconds)
            counting = interleave(
                {
                    "count": lambda t=training, r=rule: kernels.Evaluator.leave_one_out(
                        t, r, "patterns"
                    )
                },
                min(3, n_rounds),
                seconds,
            ).median("count")
            lines.extend(
                {
                    "dataset": name,
                    "n": len(training.rows),
                    "features": len(training.codes),
                    "classes": len(training.class_totals),
                    "base": base,
                    "kernel": kernel,
                    "automatic": kernel == auto,
                    "ms": 1e3 * timings.median(kernel),
                    **timings.ratio(kernel, "patterns"),
                    "count_ms": 1e3 * counting if kernel == "patterns" else np.nan,
                    "rounds": len(timings.seconds),
                    "busy": timings.busy,
                }
                for kernel in kernels.KERNELS
            )
    return pd.DataFrame(lines)


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for _, line in table[table["kernel"] != "patterns"].iterrows():
        held = line["dataset"] == "nursery" and line["base"] == "knn"
        out.append(
            Finding(
                f"{line['dataset']}, {line['base']}: patterns against {line['kernel']}",
                times(line, 1) + " faster",
                "at least 40x" if held else "",
                bool(line["ratio"] >= 40) if held else None,
            )
        )
    return out


def plot(table: pd.DataFrame):
    groups = list(table.groupby(["dataset", "base"], sort=False))
    fig, ax = plt.subplots(figsize=(7.2, 4.0))
    for s, kernel in enumerate(("direct", "product", "patterns")):
        values = [part.set_index("kernel")["ms"][kernel] for _, part in groups]
        ax.bar(np.arange(len(groups)) + 0.27 * (s - 1), values, 0.25, label=kernel)
    ax.set_yscale("log")
    ax.set_xticks(range(len(groups)), [f"{name}\n{base}" for (name, base), _ in groups])
    ax.set_ylabel("ms per evaluation")
    ax.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.12))
    return fig
