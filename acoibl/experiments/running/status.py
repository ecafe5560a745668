"""How far a run is: which units are done, missing or failed, and what is left to do."""

import joblib
import pandas as pd

from acoibl.experiments.running.durations import Durations
from acoibl.experiments.running.plan import Plan
from acoibl.experiments.running.progress import say_time
from acoibl.experiments.running.units import Task


def missing_units(plan: Plan) -> tuple[list[Task], Durations]:
    """Units that are not stored, in the order of the plan, and how long those that are took."""
    durations = Durations()
    missing, key, units = [], None, {}
    for task in plan.tasks:
        if task.key != key:  # results of one configuration at a time: all would fill the memory
            key, units = task.key, plan.store.load(plan.configs[task.key])
        rows = units.get(task.unit)
        if rows is None:
            missing.append(task)
        elif rows and "unit_seconds" in rows[0]:
            durations.add(task, rows[0]["unit_seconds"])
    return missing, durations


def complete_units(plan: Plan) -> list[Task]:
    """Units of which a fair table can be made while others are still missing.

    Of every algorithm on every dataset the seeds of which all folds are stored; of these the
    datasets on which every algorithm has such a seed.
    """
    stored = {key: set(plan.store.load(config)) for key, config in plan.configs.items()}
    open_runs = {(t.key, t.seed) for t in plan.tasks if t.unit not in stored[t.key]}
    whole = [task for task in plan.tasks if (task.key, task.seed) not in open_runs]
    found = {task.key for task in whole}
    lacking = {dataset for dataset, algorithm in plan.configs if (dataset, algorithm) not in found}
    return [task for task in whole if task.dataset not in lacking]


def status_table(plan: Plan) -> pd.DataFrame:
    """How far a run is, by dataset and algorithm.

    ``units``, ``done``, ``missing`` (never tried, or interrupted), ``failed`` (when last tried);
    ``seconds`` of what is done; ``seconds left`` on one core, NaN where nothing is known yet.
    """
    missing, durations = missing_units(plan)
    open_units: dict[tuple[str, str], set] = {key: set() for key in plan.configs}
    expected: dict[tuple[str, str], float] = {}
    for task in missing:
        open_units[task.key].add(task.unit)
        expected[task.key] = expected.get(task.key, 0.0) + _number(durations.expect(task))
    counts = pd.Series([task.key for task in plan.tasks]).value_counts()
    lines = {}
    for key, config in plan.configs.items():
        failed = len(open_units[key] & set(plan.store.failures(config)))
        lines[key] = {
            "units": int(counts[key]),
            "done": int(counts[key]) - len(open_units[key]),
            "missing": len(open_units[key]) - failed,
            "failed": failed,
            "seconds": durations.total(key),
            "seconds left": expected.get(key, 0.0),
        }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index = pd.MultiIndex.from_tuples(lines, names=["dataset", "algorithm"])
    return table


def failed_units(plan: Plan) -> pd.DataFrame:
    """Units that failed when they were last tried, with their errors."""
    wanted = {(task.key, task.unit) for task in plan.tasks}
    lines = []
    for key, config in plan.configs.items():
        failures = plan.store.failures(config)
        done = plan.store.load(config) if failures else {}
        lines += [
            (*key, *unit, error)
            for unit, error in failures.items()
            if (key, unit) in wanted and unit not in done
        ]
    return pd.DataFrame(lines, columns=["dataset", "algorithm", "fold", "seed", "error"])


def say_status(table: pd.DataFrame, *, full: bool = False, jobs: int | None = None) -> list[str]:
    """Say how far a run is: tables by dataset and by algorithm, or by both, and a sentence."""
    if full:
        parts = [_say(table.reset_index())]
    else:
        parts = [
            _say(table.groupby(level=level, sort=False).sum(min_count=1).reset_index())
            for level in ("dataset", "algorithm")
        ]
    total = table.sum()
    counts = (
        f"{total['done']:.0f} of {total['units']:.0f} units are done, {total['missing']:.0f} "
        f"missing, {total['failed']:.0f} failed"
    )
    if total["done"] == total["units"]:
        rest = f"they took {say_time(total['seconds'])} of one core"
    elif table["seconds left"].isna().any():
        rest = "the time left is not known before a first unit is done"
    else:
        cores = joblib.effective_n_jobs(-1 if jobs is None else jobs)
        left = total["seconds left"]
        rest = f"about {say_time(left)} of one core are left, {say_time(left / cores)} on {cores}"
    return [*parts, f"{counts}; {rest}."]


def _say(table: pd.DataFrame) -> str:
    times = {
        name: table[name].map(lambda value: "?" if value != value else say_time(value))
        for name in ("seconds", "seconds left")
    }
    shown = table.assign(**times).rename(
        columns={"seconds": "core time", "seconds left": "core time left"}
    )
    return shown.to_string(index=False)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
