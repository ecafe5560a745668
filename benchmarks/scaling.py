"""How time grows with rows, features and classes, and memory with rows."""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from acoibl import kernels
from benchmarks.child import run_child
from benchmarks.findings import Finding
from benchmarks.problems import RULES, evaluation, uniform
from benchmarks.timing import interleave

TITLE = "Scaling"
NOTE = (
    "Uniform numeric data, the automatic kernel. A sample of queries (at most `queries`) against "
    "all rows; `seconds` is scaled to all N queries. Exponents are slopes of least squares on "
    "logarithms: for N from 2,000 rows on, for M from 50 features on, for C over all. Memory: "
    "peak of a process that sets up leave-one-out over all rows and does the first sixteenth, "
    "above what it held before."
)
BASE = {"n": 2000, "m": 10, "c": 2}
LEAST = {"n": 2000, "m": 50, "c": 0}
SETTINGS = {
    "toy": {"n": [50, 100], "m": [2, 4], "c": [2, 3], "bases": ["knn"], "memory": [500],
            "queries": 20, "n_rounds": 1},
    "short": {"n": [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
              "m": [5, 10, 20, 50, 100, 200, 500, 1000, 2000], "c": [2, 5, 10, 20, 50],
              "bases": ["knn", "dnn", "gke"], "memory": [5000, 20_000, 50_000, 100_000],
              "queries": 256, "n_rounds": 5},
    "full": {"n": [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
             "m": [5, 10, 20, 50, 100, 200, 500, 1000, 2000], "c": [2, 3, 5, 10, 20, 30, 50],
             "bases": ["knn", "dnn", "gke"],
             "memory": [2000, 5000, 10_000, 20_000, 50_000, 100_000],
             "queries": 2048, "n_rounds": 9},
}  # fmt: skip


def measure(n, m, c, bases, memory, queries, n_rounds) -> pd.DataFrame:
    lines = []
    for what, values in {"n": n, "m": m, "c": c}.items():
        for value in values:
            shape = {**BASE, what: value}
            for base in bases:
                lines.append({"varied": what, **_time(shape, base, queries, n_rounds)})
    for value in memory:
        for base in bases:
            peak = run_child("evaluate_rows", n=value, m=BASE["m"], c=BASE["c"], base=base)
            lines.append(
                {
                    "varied": "memory",
                    "n": value,
                    "m": BASE["m"],
                    "c": BASE["c"],
                    "base": base,
                    "kernel": peak["kernel"],
                    "data_mb": peak["data_mb"] - peak["before_mb"],
                    "peak_mb": peak["peak_mb"] - peak["before_mb"],
                    "process_mb": peak["peak_mb"],
                }
            )
    return pd.DataFrame(lines)


def _time(shape, base, queries, n_rounds):
    training, _ = uniform(**shape)
    rng = np.random.default_rng(0)
    rows = np.sort(rng.choice(shape["n"], min(queries, shape["n"]), replace=False))
    sample = kernels.make_queries(training.numeric[:, rows].T, training.codes[:, rows].T, rows)
    whole = kernels.make_queries(training.numeric.T, training.codes.T)
    # The kernel that all rows would get, which fewer queries might not.
    kernel = kernels.Evaluator(whole, training, RULES[base]).kernel
    evaluator = kernels.Evaluator(sample, training, RULES[base], kernel)
    timings = interleave({"ours": evaluation(evaluator, training, base)}, n_rounds, 3.0)
    return {
        **shape,
        "base": base,
        "kernel": kernel,
        "queries": len(rows),
        "seconds": timings.median("ours") * shape["n"] / len(rows),
        "ns_per_pair": 1e9 * timings.median("ours") / (len(rows) * shape["n"]),
        "busy": timings.busy,
    }


def exponent(part: pd.DataFrame, what: str) -> float:
    """Slope of log time against the log of what was varied."""
    part = part[part[what] >= LEAST[what]] if (part[what] >= LEAST[what]).sum() > 1 else part
    return float(np.polyfit(np.log(part[what]), np.log(part["seconds"]), 1)[0])


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for what in ("n", "m", "c"):
        for base, part in table[table["varied"] == what].groupby("base", sort=False):
            last = part.iloc[-1]
            out.append(
                Finding(
                    f"exponent of time against {what.upper()}, {base} ({last['kernel']})",
                    f"{exponent(part, what):.2f}; {last['seconds']:.3g} s per evaluation at "
                    f"{what.upper()} = {last[what]:,}",
                )
            )
    for base, part in table[table["varied"] == "memory"].groupby("base", sort=False):
        last = part.iloc[-1]
        out.append(
            Finding(
                f"peak memory, leave-one-out of {last['n']:,} x {last['m']}, {base}",
                f"{last['peak_mb']:.0f} MB above the libraries "
                f"({1e6 * last['peak_mb'] / last['n'] / 1e3:.1f} KB a row)",
            )
        )
    return out


def plot(table: pd.DataFrame):
    fig, axes = plt.subplots(2, 2, figsize=(8.4, 6.4))
    names = {"n": "training rows N", "m": "features M", "c": "classes C"}
    for ax, what in zip(axes.flat, names, strict=False):
        for s, (base, part) in enumerate(
            table[table["varied"] == what].groupby("base", sort=False)
        ):
            label = f"{base}: {exponent(part, what):.2f}"
            ax.plot(part[what], part["seconds"], "os^"[s] + "-", label=label, markersize=4)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel(names[what])
        ax.set_ylabel("seconds per evaluation")
        ax.legend(title="exponent")
    classes = axes[1, 0]  # hardly a slope: both axes begin at zero
    classes.set_xscale("linear")
    classes.set_yscale("linear")
    classes.set_xlim(left=0)
    classes.set_ylim(0, 1.7 * table.loc[table["varied"] == "c", "seconds"].max())
    for s, (base, part) in enumerate(
        table[table["varied"] == "memory"].groupby("base", sort=False)
    ):
        axes[1, 1].plot(part["n"] / 1000, part["peak_mb"], "os^"[s] + "-", label=base, markersize=4)
    axes[1, 1].set_xlabel("training rows N, thousands")
    axes[1, 1].set_ylabel("peak memory, MB")
    axes[1, 1].set_ylim(bottom=0)
    axes[1, 1].legend()
    return fig
