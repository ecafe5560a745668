"""Leave-one-out evaluation against scikit-learn's brute-force search of neighbours."""

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

from acoibl import kernels
from benchmarks.findings import Finding, times
from benchmarks.problems import RULES, check_agreement, evaluation, real, uniform
from benchmarks.timing import interleave

TITLE = "Leave-one-out k-NN against scikit-learn"
NOTE = (
    'The peer, `NearestNeighbors(n_neighbors=12, algorithm="brute").kneighbors()` on the same rows '
    "in float64, has no class weights and does not vote: an easier job. Uniform numeric data; "
    "chess and mushrooms are the real ones (the peer gets category codes as numbers); mushrooms is "
    "not carried and needs `--data FOLDER` with a mushrooms.arff. "
    "d-NN and GKE have no peer: their ratio is against the same search, to compare."
)
SHAPES = [(135, 4, 3), (300, 13, 2), (690, 8, 2), (2046, 19, 7), (2876, 36, 2), (7312, 22, 2)]
SETTINGS = {
    "toy": {"shapes": [(60, 4, 3)], "names": [], "n_rounds": 1},
    "short": {"shapes": SHAPES, "names": ["chess", "mushrooms"], "n_rounds": 31, "seconds": 2.5},
    "full": {"shapes": SHAPES, "names": ["chess", "mushrooms"], "n_rounds": 41, "seconds": 40.0},
}


def measure(shapes, names, n_rounds, seconds=1.0) -> pd.DataFrame:
    problems = {f"{n} x {m} x {c}": uniform(n, m, c) for n, m, c in shapes}
    for name in names:
        if (problem := real(name)) is not None:
            problems[name] = problem
    lines = []
    for name, (training, X) in problems.items():
        peer = NearestNeighbors(n_neighbors=12, algorithm="brute", n_jobs=1).fit(X)
        for base in RULES:
            patience = seconds if base == "knn" else seconds / 2
            lines.extend(_compare(name, training, peer, base, 1, n_rounds, patience))
        lines.extend(_compare(name, training, peer, "knn", 2, n_rounds, seconds))
    return pd.DataFrame(lines)


def _compare(name, training, peer, base, n_threads, n_rounds, seconds):
    able = kernels.able_kernels(
        kernels.make_queries(training.numeric.T, training.codes.T), training, RULES[base]
    )
    auto = kernels.Evaluator.leave_one_out(training, RULES[base])
    evaluators = {"auto": auto} | {
        kernel: kernels.Evaluator.leave_one_out(training, RULES[base], kernel) for kernel in able
    }
    check_agreement(evaluators, training, base)
    calls = {
        kernel: evaluation(evaluator, training, base, n_threads)
        for kernel, evaluator in evaluators.items()
    }
    # OpenMP threads are scikit-learn's; in the kernels only BLAS would use some, and stays at one.
    with threadpool_limits({"openmp": n_threads, "blas": 1}):
        timings = interleave({"peer": peer.kneighbors, **calls}, n_rounds, seconds)
    return [
        {
            "problem": name,
            "n": len(training.rows),
            "features": len(training.numeric) + len(training.codes),
            "classes": len(training.class_totals),
            "base": base,
            "kernel": kernel,
            "uses": auto.kernel if kernel == "auto" else kernel,
            "threads": n_threads,
            "ms": 1e3 * timings.median(kernel),
            "peer_ms": 1e3 * timings.median("peer"),
            **timings.ratio("peer", kernel),
            "rounds": len(timings.seconds),
            "busy": timings.busy / n_threads,
        }
        for kernel in calls
    ]


def bar(n: int) -> float:
    """How many times faster it should be."""
    return 2.5 if n < 1000 else 1.5


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for threads in (1, 2):
        mine = table.query("base == 'knn' and kernel == 'auto' and threads == @threads")
        for _, line in mine.iterrows():
            least = bar(line["n"])
            where = "" if threads == 1 else ", 2 threads"
            held = threads == 1 and " x " in line["problem"]
            out.append(
                Finding(
                    f"k-NN, {line['problem']}{where} ({line['uses']})",
                    times(line) + " faster than scikit-learn",
                    f"at least {least}x" if held else "",
                    bool(line["ratio"] >= least) if held else None,
                )
            )
    lost = choices(table)
    worst = lost.loc[lost["times_best"].idxmax()]
    out.append(
        Finding(
            "time of the kernel chosen by itself over that of the best, "
            f"{len(lost)} problems and rules",
            f"median {lost['times_best'].median():.2f}, worst {worst['times_best']:.2f} "
            f"({worst['problem']}, {worst['base']}: {worst['uses']} for {worst['best']})",
        )
    )
    return out


def choices(table: pd.DataFrame) -> pd.DataFrame:
    """For each problem and rule the kernel chosen by itself, and the best one."""
    lines = []
    for (problem, base), part in table[table["threads"] == 1].groupby(["problem", "base"]):
        ms = part.set_index("kernel")["ms"]
        chosen = part.set_index("kernel").loc["auto", "uses"]
        best = ms.drop("auto").idxmin()
        lines.append(
            {
                "problem": problem,
                "base": base,
                "uses": chosen,
                "best": best,
                "times_best": ms[chosen] / ms[best],
            }
        )
    return pd.DataFrame(lines)


def plot(table: pd.DataFrame):
    mine = table.query("base == 'knn' and threads == 1")
    problems = mine["problem"].drop_duplicates().tolist()
    fig, ax = plt.subplots(figsize=(7.2, 4.2))
    for s, kernel in enumerate(("product", "direct", "patterns")):
        part = mine[mine["kernel"] == kernel]
        if part.empty:
            continue
        place = [problems.index(p) + 0.16 * (s - 1) for p in part["problem"]]
        bars = np.array([part["ratio"] - part["ratio_q1"], part["ratio_q3"] - part["ratio"]])
        ax.errorbar(place, part["ratio"], bars, fmt="o^s"[s], label=kernel, capsize=2)
    chosen = mine[mine["kernel"] == "auto"]
    for place, (_, line) in enumerate(chosen.iterrows()):
        if " x " in line["problem"]:
            ax.hlines(
                bar(line["n"]),
                place - 0.35,
                place + 0.35,
                color="#5F5F5F",
                linestyle="--",
                label=None if place else "bar",
            )
    ax.axhline(1, color="#5F5F5F", linewidth=0.6)
    ax.set_yscale("log")
    ax.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
    ax.set_xlim(-0.6, len(problems) - 0.4)
    ax.minorticks_off()
    ax.set_xticks(range(len(problems)), [p.replace(" x ", "\nx ") for p in problems])
    ax.set_ylim(0.4, max(4.0, 1.2 * mine["ratio_q3"].max()))
    ax.set_xlabel("rows x features x classes, or dataset")
    ax.set_ylabel("times faster than scikit-learn")
    ax.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.12))
    return fig
