"""One evaluation against one bare matrix product of the same size."""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from acoibl import kernels
from benchmarks.findings import Finding, times
from benchmarks.knn_peer import SHAPES
from benchmarks.problems import RULES, evaluation, uniform
from benchmarks.timing import interleave

TITLE = "One evaluation against a bare matrix product"
NOTE = (
    "The product N x M x N in float32 by numpy, its result written to memory that is there "
    "already. `blocked` computes it 128 rows at a time into one small block, which stays in the "
    "cache: an even harder standard, for which there is no bar."
)
SETTINGS = {
    "toy": {"shapes": [(60, 4, 3)], "n_rounds": 1},
    "short": {"shapes": SHAPES, "n_rounds": 15, "seconds": 5.0},
    "full": {"shapes": SHAPES, "n_rounds": 61, "seconds": 40.0},
}


def measure(shapes, n_rounds, seconds=1.0) -> pd.DataFrame:
    lines = []
    for n, m, c in shapes:
        training, X = uniform(n, m, c)
        auto = kernels.Evaluator.leave_one_out(training, RULES["knn"])
        left = X.astype(np.float32)
        timings = interleave(
            {
                "ours": evaluation(auto, training, "knn"),
                "product": _whole(left),
                "blocked": _blocked(left),
            },
            n_rounds,
            seconds,
        )
        lines.extend(
            {
                "n": n,
                "features": m,
                "classes": c,
                "uses": auto.kernel,
                "against": against,
                "ms": 1e3 * timings.median("ours"),
                "product_ms": 1e3 * timings.median(against),
                **timings.ratio("ours", against),
                "rounds": len(timings.seconds),
                "busy": timings.busy,
            }
            for against in ("product", "blocked")
        )
    return pd.DataFrame(lines)


def _whole(left):
    right, out = left.T.copy(), np.empty((len(left), len(left)), dtype=np.float32)
    return lambda: np.matmul(left, right, out=out)


def _blocked(left):
    right, out = left.T.copy(), np.empty((128, len(left)), dtype=np.float32)

    def call():
        for start in range(0, len(left), 128):
            part = left[start : start + 128]
            np.matmul(part, right, out=out[: len(part)])

    return call


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for _, line in table[table["against"] == "product"].iterrows():
        held = line["n"] >= 2000
        out.append(
            Finding(
                f"k-NN, {line['n']} x {line['features']} x {line['classes']}, "
                "against one bare product",
                times(line) + " its time",
                "at most 4x" if held else "",
                bool(line["ratio"] <= 4) if held else None,
            )
        )
    return out


def plot(table: pd.DataFrame):
    fig, ax = plt.subplots()
    for s, (against, part) in enumerate(table.groupby("against", sort=False)):
        bars = np.array([part["ratio"] - part["ratio_q1"], part["ratio_q3"] - part["ratio"]])
        label = "whole product" if against == "product" else "product in blocks (cached)"
        ax.errorbar(part["n"], part["ratio"], bars, fmt="os"[s], label=label, capsize=2)
    ax.hlines(4, 2000, table["n"].max() * 1.2, color="#5F5F5F", linestyle="--", label="bar")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_yticks([1, 2, 4, 10, 20, 50], ["1", "2", "4", "10", "20", "50"])
    ax.set_xticks([200, 500, 1000, 2000, 5000], ["200", "500", "1000", "2000", "5000"])
    ax.minorticks_off()
    ax.set_xlabel("training rows N")
    ax.set_ylabel("time of an evaluation / time of the product")
    ax.legend()
    return fig
