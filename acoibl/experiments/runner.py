"""Runs the units of work that are not stored yet, on all cores."""

import os
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import joblib
import pandas as pd

from acoibl import __version__
from acoibl.experiments.algorithms import EXPERIMENTS, Algorithm, Split
from acoibl.experiments.folders import results_folder
from acoibl.experiments.progress import choose, reporter
from acoibl.experiments.protocol import (
    ENTROPY,
    Profile,
    UnknownNameError,
    cap_rows,
    folds,
    get_profile,
    seed_sequence,
    unknown,
)
from acoibl.experiments.store import Store

PROTOCOL = 1
"""Raised when the same configuration would give other results, so that old ones do not mix."""

COLUMNS = (
    *("dataset", "algorithm", "base", "preset", "variant", "weight_scale", "key_parameter"),
    *("fold", "seed", "accuracy", "balanced_accuracy", "loo_accuracy", "n_iter"),
    *("n_evaluations", "seconds", "n_train", "n_test", "checksum", "version"),
)
"""Columns of a table of results."""


class RunError(Exception):
    """Some units failed; all others are finished and stored."""


@dataclass(frozen=True)
class Task:
    """A unit of work: one algorithm on one fold of one dataset with one seed.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    algorithm : Algorithm
        What to run.
    fold, seed : int
        Numbers of the fold and of the repeated run.
    n_folds : int
        Number of folds.
    max_rows : int or None
        Cap of the rows.
    """

    dataset: str
    algorithm: Algorithm
    fold: int
    seed: int
    n_folds: int
    max_rows: int | None


def run(
    experiment: str | Sequence[Algorithm],
    profile: str | Profile,
    *,
    datasets: Iterable[str] | None = None,
    jobs: int | None = None,
    store: str | Path | Store | None = None,
    fresh: bool = False,
    progress: bool | str | None = None,
) -> pd.DataFrame:
    """Run an experiment, or what of it is not stored yet, and return its results.

    Every finished unit is stored at once: after an interruption the same call goes on where the
    last one stopped. Results do not depend on `jobs`.

    Parameters
    ----------
    experiment : {"a", "b"} or list of Algorithm
        Experiment A (plain classifiers on their grids) or B (colonies beside plain and tuned
        classifiers), or algorithms of your own.
    profile : str or Profile
        Size of the run: ``"smoke"``, ``"quick"`` or ``"paper"``.
    datasets : iterable of str, optional
        Names; those of the profile by default.
    jobs : int, optional
        Processes; all cores by default, 1 runs in this process.
    store : str, Path or Store, optional
        Where results are kept; by default ``results`` in the profile's report folder.
    fresh : bool, default=False
        Forget stored results of these configurations first.
    progress : {None, True, False, "bar", "lines", "none"}, default=None
        A bar on a terminal, lines in a log, nothing in a notebook; True speaks in a notebook too.

    Returns
    -------
    DataFrame
        One row a result, with the columns dataset, algorithm (``"plain-knn"``,
        ``"aco-knn-paper"``, ...), base, preset ("" for plain ones), variant (``"plain"``,
        ``"tuned"``, ``"basic"``, ``"ensemble"``), weight_scale, key_parameter, fold, seed,
        accuracy, balanced_accuracy, loo_accuracy (shares, not percent), n_iter, n_evaluations,
        seconds, n_train, n_test, checksum of the dataset, version of the package.

    Raises
    ------
    UnknownNameError
        For an unknown experiment, profile or dataset, with the nearest name.
    RunError
        If units failed; what was finished is stored.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = run("a", "smoke", datasets=["iris"], jobs=1, store=folder, progress=False)
    >>> rows.groupby("base")["accuracy"].max().gt(0.9).all()
    np.True_
    """
    profile = get_profile(profile)
    algorithms = get_algorithms(experiment, profile)
    names = check_datasets(profile.datasets if datasets is None else datasets)
    store = store if isinstance(store, Store) else Store(store or results_folder(profile.name))
    tasks = [task for name in names for task in _tasks(name, algorithms, profile)]
    configs = {(t.dataset, t.algorithm.name): configuration(t) for t in tasks}
    if fresh:
        for config in configs.values():
            store.clear(config)
    store.prepare()
    finished = {key: store.load(config) for key, config in configs.items()}
    missing = [t for t in tasks if (t.fold, t.seed) not in finished[t.dataset, t.algorithm.name]]
    failures = []
    costs = [_cost(task) for task in missing]
    step, close = reporter(choose(progress), costs, _title(experiment, profile))
    try:
        for task, rows, failure in _evaluate_all(missing, _count_jobs(jobs)):
            if failure is None:
                key = (task.dataset, task.algorithm.name)
                store.save(configs[key], (task.fold, task.seed), rows)
                finished[key][task.fold, task.seed] = rows
            else:
                failures.append(f"{_name(task)}: {failure}")
            step(_cost(task))
    finally:
        close()
        for config in configs.values():  # all: another runner may have left shards to pack
            store.pack(config)
    if failures:
        raise RunError(
            f"{len(failures)} of {len(missing)} units failed (the others are stored); the first: "
            f"{failures[0]}"
        )
    return _table(tasks, finished)


def get_algorithms(experiment: str | Sequence[Algorithm], profile: Profile) -> list[Algorithm]:
    """Algorithms of an experiment.

    Parameters
    ----------
    experiment : str or list of Algorithm
        Name, or the algorithms themselves.
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        The algorithms.

    Raises
    ------
    UnknownNameError
        For an unknown name.
    ValueError
        For two algorithms of one name.
    """
    if isinstance(experiment, str):
        if experiment not in EXPERIMENTS:
            raise UnknownNameError(unknown("experiment", experiment, EXPERIMENTS))
        return EXPERIMENTS[experiment](profile)
    algorithms = list(experiment)
    if len({algorithm.name for algorithm in algorithms}) < len(algorithms):
        raise ValueError("two algorithms have the same name")
    return algorithms


def check_datasets(names: Iterable[str]) -> tuple[str, ...]:
    """Check names of datasets before anything runs.

    Parameters
    ----------
    names : iterable of str
        Names.

    Returns
    -------
    tuple of str
        The names.

    Raises
    ------
    UnknownNameError
        For an unknown name.
    ValueError
        For no name at all.
    """
    from acoibl.datasets import list_datasets

    names = (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))
    known = list_datasets()
    for name in names:
        if name not in known:
            raise UnknownNameError(unknown("dataset", name, known))
    if not names:
        raise ValueError("no dataset to run on")
    return names


def rows_of(name: str, max_rows: int | None) -> tuple[pd.DataFrame, pd.Series, str]:
    """Features, classes and checksum of a dataset after the cap of its rows.

    Parameters
    ----------
    name : str
        Name of the dataset.
    max_rows : int or None
        Cap.

    Returns
    -------
    X : DataFrame
        Features.
    y : Series
        Classes.
    checksum : str
        Of the whole dataset.
    """
    dataset = _load(name)
    rows = cap_rows(dataset.y, max_rows, name)
    return dataset.X.iloc[rows], dataset.y.iloc[rows], dataset.checksum


def configuration(task: Task) -> dict[str, Any]:
    """All that a unit's result depends on, but its fold and seed.

    Parameters
    ----------
    task : Task
        The unit.

    Returns
    -------
    dict
        JSON's types only.
    """
    return {
        "protocol": PROTOCOL,
        "dataset": task.dataset,
        "checksum": _load(task.dataset).checksum,
        "max_rows": task.max_rows,
        "n_folds": task.n_folds,
        "fold_seed": 0,
        "entropy": ENTROPY,
        "algorithm": task.algorithm.name,
        "base": task.algorithm.base,
        "parameters": dict(task.algorithm.parameters),
    }


def evaluate(task: Task) -> list[dict[str, Any]]:
    """Do one unit of work.

    Parameters
    ----------
    task : Task
        The unit.

    Returns
    -------
    list of dict
        Its results.
    """
    X, y, _ = rows_of(task.dataset, task.max_rows)
    train, test = folds(y, task.n_folds)[task.fold]
    split = Split(
        X.iloc[train],
        y.iloc[train],
        X.iloc[test],
        y.iloc[test],
        seed_sequence(task.dataset, task.fold, task.seed, task.algorithm.base),
    )
    rows = task.algorithm.evaluate(split, task.algorithm.parameters)
    common = {"n_train": len(train), "n_test": len(test), "version": __version__}
    return [{**row, **common} for row in rows]


def _tasks(name: str, algorithms: list[Algorithm], profile: Profile) -> Iterator[Task]:
    for algorithm in algorithms:
        for seed in profile.seeds if algorithm.stochastic else profile.seeds[:1]:
            for fold in range(profile.n_folds):
                yield Task(name, algorithm, fold, seed, profile.n_folds, profile.max_rows)


def _evaluate_all(tasks: list[Task], jobs: int) -> Iterator[tuple[Task, list[dict], str | None]]:
    """Results as they come, long units first so that no core waits for the last one."""
    if not tasks:
        return
    ordered = sorted(tasks, key=_cost, reverse=True)
    if jobs == 1 or len(tasks) == 1:
        yield from map(_try, ordered)
        return
    # Compile, or read numba's cache, once: two processes that fill it together wait in vain.
    yield _try(ordered.pop())
    with joblib.parallel_config("loky", n_jobs=jobs, inner_max_num_threads=1):
        parallel = joblib.Parallel(return_as="generator_unordered", pre_dispatch="2*n_jobs")
        results = parallel(joblib.delayed(_try)(task) for task in ordered)
        try:
            yield from results
        finally:
            results.close()


def _try(task: Task) -> tuple[Task, list[dict[str, Any]], str | None]:
    try:
        return task, evaluate(task), None
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(where.filename)}:{where.lineno}"
        return task, [], f"{type(error).__name__}: {error} ({place})"


def _cost(task: Task) -> float:
    X, _, _ = rows_of(task.dataset, task.max_rows)
    rows, columns = X.shape
    # Measured: small data cost by the row, large data by the pair of rows.
    return (rows * columns**0.5 + rows**2 * columns / 20_000) * task.algorithm.cost


def _table(tasks: list[Task], finished: dict) -> pd.DataFrame:
    rows = []
    for task in tasks:
        common = {
            "dataset": task.dataset,
            "algorithm": task.algorithm.name,
            "base": task.algorithm.base,
            "preset": task.algorithm.parameters.get("preset", ""),
            "fold": task.fold,
            "seed": task.seed,
            "checksum": _load(task.dataset).checksum,
        }
        results = finished[task.dataset, task.algorithm.name][task.fold, task.seed]
        rows += [{**common, **result} for result in results]
    table = pd.DataFrame(rows, columns=COLUMNS)
    for column in ("n_iter", "n_evaluations"):
        table[column] = table[column].astype("Int64")
    return table


def _count_jobs(jobs: int | None) -> int:
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0):
        raise ValueError(f"jobs must be a whole number other than 0, not {jobs!r}")
    return joblib.cpu_count() if jobs is None else joblib.effective_n_jobs(jobs)


def _name(task: Task) -> str:
    return f"{task.algorithm.name} on {task.dataset}, fold {task.fold}, seed {task.seed}"


def _title(experiment: str | Sequence[Algorithm], profile: Profile) -> str:
    name = f"Experiment {experiment.upper()}" if isinstance(experiment, str) else "Experiment"
    return f"{name}, {profile.name}"


@lru_cache(maxsize=64)
def _load(name: str) -> Any:
    from acoibl.datasets import load

    return load(name)
