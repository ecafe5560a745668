"""`acor.minimize` against the ant colonies of mealpy and pygmo."""

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from matplotlib import pyplot as plt

from acoibl.plotting.style import PALETTE
from benchmarks.findings import Finding
from benchmarks.functions import FUNCTIONS
from benchmarks.peers import SOLVERS, count_evaluations, is_installed
from benchmarks.timing import interleave

TITLE = "Continuous optimisation against mealpy and pygmo"
NOTE = (
    "Evaluations until the value is within 1e-10 (absolute) of the optimum, on test functions of "
    "Socha and Dorigo (2008): median over seeds, failures counted as infinite, at most 20,000 "
    "evaluations for everybody; evaluations to 1e-4 are in the CSV file too. Each package with its "
    "own defaults; SD: the settings of that article (archive 50, 2 ants, q = 0.0001, xi = 0.85), "
    "where a package has them. pygmo's gaco is an extended ACO, not ACO_R; by default a floor "
    "under its standard deviations keeps it from such accuracy, acc 0 takes the floor away. "
    "In the short run mealpy, which is slow, has one seed, the others have five. "
    "Overhead: time per evaluation on the sphere, d = 30, the sphere itself included."
)
CAP, TARGET = 20_000, 1e-10
COLOURS = [PALETTE[i] for i in (4, 1, 0, 5, 2, 6)]
TEN = [
    "sphere", "ellipsoid", "cigar", "tablet", "Rosenbrock 2",
    "Branin RCOS", "B2", "Goldstein-Price", "Zakharov 5", "Hartmann 3,4",
]  # fmt: skip
SETTINGS = {
    "toy": {"names": ["De Jong"], "solvers": list(SOLVERS), "n_seeds": 1, "n_slow": 1, "cap": 200,
            "overhead": 150, "n_rounds": 1, "n_jobs": 1},
    "short": {"names": TEN, "solvers": list(SOLVERS),
              "n_seeds": 5, "n_slow": 1, "cap": CAP, "overhead": 2000, "n_rounds": 5, "n_jobs": -1},
    "full": {"names": list(FUNCTIONS), "solvers": list(SOLVERS), "n_seeds": 25,
             "n_slow": 25, "cap": CAP, "overhead": 20_000, "n_rounds": 15, "n_jobs": -1},
}  # fmt: skip


def measure(names, solvers, n_seeds, n_slow, cap, overhead, n_rounds, n_jobs) -> pd.DataFrame:
    there = [solver for solver in solvers if is_installed(solver)]
    lines = [
        {"part": "peer", "solver": solver, "function": "", "status": "not installed"}
        for solver in solvers
        if solver not in there
    ]
    work = [
        (solver, name, seed)
        for name in names
        for seed in range(max(n_seeds, n_slow))
        for solver in there
        if seed < (n_slow if solver.startswith("mealpy") else n_seeds)
    ]
    counted = Parallel(n_jobs)(
        delayed(count_evaluations)(solver, FUNCTIONS[name], cap, seed, TARGET)
        for solver, name, seed in work
    )
    lines += [
        {
            "part": "evaluations",
            "solver": solver,
            "function": name,
            "seed": seed,
            "evaluations": made,
            "evaluations_to_1e-4": coarse,
            "error": error,
            "status": "reached" if np.isfinite(made) else "failed",
        }
        for (solver, name, seed), (made, coarse, error) in zip(work, counted, strict=True)
    ]
    return pd.DataFrame(lines + _overhead(there, overhead, n_rounds))


def _overhead(solvers, n_evaluations, n_rounds):
    made = 0

    def sphere(x):
        nonlocal made
        made += 1
        return float(x @ x)

    def contest(solver):
        def call():
            nonlocal made
            made = 0
            SOLVERS[solver][1](sphere, -10.0, 10.0, 30, n_evaluations, 0)
            counts[solver] = made

        return call

    counts: dict[str, int] = {}
    timings = interleave({solver: contest(solver) for solver in solvers}, n_rounds, 60.0)
    per_evaluation = timings.seconds / pd.Series(counts)
    lines = []
    for solver in solvers:
        ratios = per_evaluation[solver] / per_evaluation["acoibl"]
        q1, q2, q3 = np.percentile(ratios, [25, 50, 75])
        lines.append(
            {
                "part": "overhead",
                "solver": solver,
                "function": "sphere 30",
                "evaluations": counts[solver],
                "us_per_evaluation": 1e6 * per_evaluation[solver].median(),
                "ratio": q2,
                "ratio_q1": q1,
                "ratio_q3": q3,
                "busy": timings.busy,
                "status": "timed",
            }
        )
    return lines


def medians(table: pd.DataFrame, column: str = "evaluations") -> pd.DataFrame:
    """Median evaluations, functions x contestants; infinite where most seeds fail."""
    part = table[table["part"] == "evaluations"]
    grouped = part.groupby(["function", "solver"], sort=False)[column]
    # By rank, since the mean of a number and infinity is no median of seeds.
    return grouped.quantile(0.5, interpolation="higher").unstack()  # noqa: PD010


def findings(table: pd.DataFrame) -> list[Finding]:
    out = [
        Finding(f"peer {solver}", "not installed: skipped")
        for solver in table.query("part == 'peer'")["solver"]
    ]
    cost = table.query("part == 'overhead'").set_index("solver")
    for solver, line in cost.iterrows():
        held = solver == "mealpy"
        figure = f"{line['us_per_evaluation']:.2f} microseconds"
        if solver != "acoibl":
            figure += f", {line['ratio']:.1f}x ({line['ratio_q1']:.1f} to {line['ratio_q3']:.1f})"
            figure += " that of acoibl"
        out.append(
            Finding(
                f"overhead per evaluation, {solver}",
                figure,
                "at least 20x ours" if held else "",
                bool(line["ratio"] >= 20) if held else None,
            )
        )
    for column, target in {"evaluations": "1e-10", "evaluations_to_1e-4": "1e-4"}.items():
        values = medians(table, column)
        peers = [solver for solver in values if not solver.startswith("acoibl")]
        if not peers:
            continue
        for solver in values.columns.difference(peers):
            best = (values[solver] < values[peers].min(axis=1)).sum()
            need = int(np.ceil(0.6 * len(values)))
            held = target == "1e-10"
            out.append(
                Finding(
                    f"fewer evaluations to {target} than every peer, {solver}",
                    f"on {best} of {len(values)} functions "
                    f"(reached on {np.isfinite(values[solver]).sum()}; "
                    f"peers: on {np.isfinite(values[peers].min(axis=1)).sum()})",
                    f"aim: on {need} of {len(values)}" if held else "",
                    bool(best >= need) if held else None,
                )
            )
    return out


def extra(table: pd.DataFrame) -> pd.DataFrame:
    """Median evaluations (seeds that failed) for the report."""
    part = table[table["part"] == "evaluations"]
    failed = (
        part.assign(failed=part["status"] == "failed")
        .groupby(["function", "solver"], sort=False)["failed"]
        .agg(["sum", "size"])
    )
    values = medians(table).stack()  # noqa: PD013
    texts = [
        ("-" if np.isinf(value) else f"{value:,.0f}")
        + (f" ({n['sum']:.0f} of {n['size']:.0f} failed)" if n["sum"] else "")
        for value, (_, n) in zip(values, failed.loc[values.index].iterrows(), strict=True)
    ]
    texts = pd.Series(texts, index=values.index)
    return texts.unstack().reset_index()  # noqa: PD010


def plot(table: pd.DataFrame):
    values = medians(table)
    fig, ax = plt.subplots(figsize=(7.2, 1.8 + 0.36 * len(values)))
    place = np.arange(len(values))[::-1]
    worst = (
        1.6 * table.loc[table["part"] == "evaluations", "evaluations"].replace(np.inf, CAP).max()
    )
    for s, solver in enumerate(values):
        failed = np.isinf(values[solver])
        shift = 0.14 * (s - (values.shape[1] - 1) / 2)
        line = ax.plot(
            values[solver][~failed],
            place[~failed] - shift,
            "os^Dv<"[s],
            label=solver,
            color=COLOURS[s],
        )
        ax.plot(np.full(failed.sum(), worst), place[failed] - shift, "x", color=line[0].get_color())
    ax.set_xscale("log")
    ax.set_yticks(place, values.index)
    ax.set_xlabel("evaluations to reach 1e-10, median (cross: most seeds failed)")
    ax.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.45, 1.0))
    return fig
