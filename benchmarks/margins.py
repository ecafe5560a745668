"""A pass of SimbaMBIW against one search of all nearest hits and misses."""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt

from acoibl.kernels import margins as kernels
from acoibl.margins.weights import instance_weights
from acoibl.plotting import PALETTE
from benchmarks.findings import Finding, times
from benchmarks.problems import real
from benchmarks.timing import interleave

TITLE = "SimbaMBIW against one search of hits and misses"
NOTE = (
    "The peer is one blocked search of the nearest hit and miss of every row with frozen weights: "
    "products of matrices and `argmin` in numpy, no ties, nothing measured again. A pass asks the "
    "same of every row, but under weights that the row before has changed. `literal`: steps omega "
    "that sum to 1, strategy order; `mean_one`: steps as long as Simba's, in random order; `fit`: "
    "literal with the instance weights, which are a search and all distances of margin vectors. "
    "Problems: `factors` are correlated features as in expression data (ten factors and noise), "
    "`uniform` is noise alone, where all distances are nearly equal and bounds are worth least; "
    "colon, leukemia-7129 and madelon are not carried (`ACOIBL_DATA`)."
)
BAR = 3.0
CONTESTANTS = ("literal", "mean_one", "fit", "kernel search")
_LONG, _WIDE = [(7000, 20), (5000, 40)], [(60, 2000), (200, 20_000)]
_REAL = ["satimage", "sonar", "colon", "leukemia-7129", "madelon"]
SETTINGS = {
    "toy": {"shapes": [(40, 30)], "names": [], "n_rounds": 1},
    "short": {"shapes": _LONG + _WIDE, "names": _REAL, "n_rounds": 9, "seconds": 3.0},
    "full": {"shapes": _LONG + _WIDE, "names": _REAL, "n_rounds": 41, "seconds": 40.0},
}


def measure(shapes, names, n_rounds, seconds=1.0) -> pd.DataFrame:
    problems = {}
    for n, d in shapes:
        for kind in ("factors", "uniform"):
            problems[f"{kind} {n} x {d}"] = _made(kind, n, d)
    for name in names:
        if (problem := real(name)) is not None:
            training = problem[0]
            problems[name] = kernels.make_rows(
                training.numeric.T, training.codes.T, training.classes, len(training.class_totals)
            )
    return pd.DataFrame(
        [
            line
            for name, rows in problems.items()
            for line in _compare(name, rows, n_rounds, seconds)
        ]
    )


def _made(kind, n, d):
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.random((n, d))
    if kind == "factors":
        X = rng.normal(size=(n, 10)) @ rng.normal(size=(10, d)) + rng.normal(size=(n, d))
        X += y[:, None] * rng.normal(scale=0.5, size=d)
        X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    return kernels.make_rows(X, np.empty((n, 0), dtype=np.int32), y, 2)


def _compare(name, rows, n_rounds, seconds):
    n, d = rows.numeric.shape
    ones = np.ones(d)
    omega = instance_weights(kernels.margin_vectors(rows, *kernels.nearest_pairs(rows, ones)))
    order, random = np.argsort(-omega), np.random.default_rng(1).permutation(n)
    _check(rows, order, n * omega[order])

    def fit():
        vectors = kernels.margin_vectors(rows, *kernels.nearest_pairs(rows, ones))
        found = instance_weights(vectors)
        first = np.argsort(-found)
        return kernels.margin_pass(rows, first, found[first])

    calls = {
        "literal": lambda: kernels.margin_pass(rows, order, omega[order]),
        "mean_one": lambda: kernels.margin_pass(rows, random, np.ones(n)),
        "fit": fit,
        "kernel search": lambda: kernels.nearest_pairs(rows, ones),
    }
    timings = interleave({"search": lambda: search(rows), **calls}, n_rounds, seconds)
    return [
        {
            "problem": name,
            "n": n,
            "features": d,
            "contestant": contestant,
            "ms": 1e3 * timings.median(contestant),
            "search_ms": 1e3 * timings.median("search"),
            **timings.ratio(contestant, "search"),
            "rounds": len(timings.seconds),
            "busy": timings.busy,
        }
        for contestant in CONTESTANTS
    ]


def search(rows):
    """Nearest hits and misses under equal weights; rows are sorted by class."""
    X, starts, classes = rows.numeric, rows.training.starts, rows.training.classes
    n = len(X)
    lengths = np.einsum("ij,ij->i", X, X)
    hits, misses = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    size = max(1, min(512, 2_000_000 // n))
    for start in range(0, n, size):
        stop = min(n, start + size)
        squares = X[start:stop] @ X.T
        squares *= -2.0
        squares += lengths
        squares[np.arange(stop - start), np.arange(start, stop)] = np.inf
        for label in np.unique(classes[start:stop]):
            own = slice(starts[label], starts[label + 1])
            of_class = np.flatnonzero(classes[start:stop] == label)
            part = squares[of_class[0] : of_class[-1] + 1]
            hits[start + of_class] = starts[label] + part[:, own].argmin(axis=1)
            part[:, own] = np.inf
            misses[start + of_class] = part.argmin(axis=1)
    return hits, misses


def _check(rows, sequence, steps):
    """The peer finds the same rows but for ties, and steps are what the formula says."""
    weights = np.ones(rows.numeric.shape[1])
    peer_hits, peer_misses = search(rows)
    hits, misses = kernels.nearest_pairs(rows, weights)
    if max((hits != peer_hits).mean(), (misses != peer_misses).mean()) > 0.1:
        raise AssertionError("the peer finds other hits and misses")
    few = slice(0, 5)
    for row, step in zip(sequence[few], steps[few], strict=True):
        hits, misses = kernels.nearest_pairs(rows, weights)
        change = np.zeros_like(weights)
        for other, sign in ((misses[row], 0.5), (hits[row], -0.5)):
            square = (rows.numeric[row] - rows.numeric[other]) ** 2
            length = np.sqrt(square @ weights**2)
            change += sign * square / length if length > 0 else 0.0
        weights += step * change * weights
    walked = kernels.margin_pass(rows, sequence[few], steps[few])
    np.testing.assert_allclose(walked, weights, rtol=1e-6)


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for _, line in table.iterrows():
        if line["contestant"] in ("literal", "mean_one"):
            out.append(
                Finding(
                    f"pass of SimbaMBIW, steps {line['contestant']}, {line['problem']}",
                    times(line) + " the time of one search",
                    f"at most {BAR:g}x",
                    bool(line["ratio"] <= BAR),
                )
            )
        elif line["contestant"] == "fit":
            out.append(
                Finding(
                    f"SimbaMBIW with its instance weights, {line['problem']}",
                    f"{line['ms']:.0f} ms, " + times(line) + " the time of one search",
                )
            )
    return out


def plot(table: pd.DataFrame):
    problems = table["problem"].drop_duplicates().tolist()
    fig, ax = plt.subplots(figsize=(7.2, 4.6))
    for s, contestant in enumerate(CONTESTANTS):
        part = table[table["contestant"] == contestant]
        place = [problems.index(p) + 0.18 * (s - 1.5) for p in part["problem"]]
        bars = np.array([part["ratio"] - part["ratio_q1"], part["ratio_q3"] - part["ratio"]])
        ax.errorbar(
            part["ratio"], place, xerr=bars, fmt="os^D"[s], color=PALETTE[(4, 5, 2, 7)[s]],
            label=contestant, capsize=2,
        )  # fmt: skip
    ax.axvline(BAR, color="#5F5F5F", linestyle="--", label="bar")
    ax.set_xscale("log")
    ticks = [0.5, 1, 2, 3, 5, 10, 20, 40]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_yticks(range(len(problems)), problems)
    ax.invert_yaxis()
    ax.set_xlabel("time over that of one search")
    ax.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.4, 1.12))
    return fig
