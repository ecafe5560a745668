"""Runs the units of work that are not stored yet, on all cores or a cluster."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import joblib
import pandas as pd

from acoibl.experiments.algorithm import Algorithm
from acoibl.experiments.protocol import Profile
from acoibl.experiments.running.backends import check_backend, evaluate_all
from acoibl.experiments.running.durations import Durations
from acoibl.experiments.running.plan import Plan, make_plan
from acoibl.experiments.running.progress import choose, reporter
from acoibl.experiments.running.results import collect
from acoibl.experiments.running.status import complete_units, missing_units
from acoibl.experiments.running.units import Task
from acoibl.experiments.store import Store


class RunError(Exception):
    """Some units failed; all others are finished and stored."""


def run(
    experiment: str | Sequence[Algorithm],
    profile: str | Profile,
    *,
    datasets: Iterable[str] | None = None,
    algorithms: Iterable[str] | None = None,
    seeds: Iterable[int] | None = None,
    folds: str = "stratified",
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: Any = None,
    order: str | None = None,
    store: str | Path | Store | None = None,
    fresh: bool = False,
    compute: bool | None = True,
    progress: bool | str | None = None,
) -> pd.DataFrame:
    """Run an experiment, or what of it is not stored yet, and return its results.

    Every finished unit is stored at once: after an interruption the same call goes on where the
    last one stopped. Results do not depend on `jobs`, `backend` and `order`.

    Parameters
    ----------
    experiment : str or list of Algorithm
        ``"a"`` (plain classifiers on their grids), ``"b"`` (colonies beside plain and tuned
        classifiers), ``"c"`` (colonies beside CIW-NN), ``"coevolution"`` (CIW-NN beside the
        methods of its own paper), ``"peers"`` (what a user would pick), ``"readings"`` (colonies
        that read one point of the paper otherwise), ``"stability"`` (SimbaMBIW beside other
        selectors), ``"antfs"`` (ant feature selection), or algorithms of your own.
    profile : str or Profile
        Size of the run: ``"smoke"``, ``"quick"`` or ``"paper"``.
    datasets : iterable of str, optional
        Names; those of the profile by default, with ``folds="groups"`` those that have groups.
    algorithms : iterable of str, optional
        Names or patterns such as ``"aco-*-paper"``; all of the experiment by default.
    seeds : iterable of int, optional
        Seeds of stochastic algorithms; those of the profile by default. More can be added later:
        what is stored stays.
    folds : {"stratified", "groups"}, default="stratified"
        Way of folding. By ``"groups"``, all rows of a group (such as the recordings of one
        person) are in one fold; results are kept apart.
    jobs : int, optional
        Processes; all cores by default, 1 runs in this process.
    backend : {"loky", "dask"}, default="loky"
        Processes of this machine, or the workers of a dask cluster.
    scheduler : str or distributed.Client, optional
        Address of the cluster's scheduler, such as ``"tcp://10.0.0.1:8786"``, or a client.
    order : {"longest", "datasets"}, optional
        What runs first, see `Profile`; that of the profile by default.
    store : str, Path or Store, optional
        Where results are kept; by default ``results`` in the profile's report folder.
    fresh : bool, default=False
        Forget stored results of these configurations first.
    compute : bool or None, default=True
        False computes nothing and returns what is stored; of most experiments, whose tables compare
        algorithms pair by pair, only datasets that are complete, see `complete_units`. None
        is False for a profile that is a campaign of hours, and True for the others.
    progress : {None, True, False, "bar", "lines", "none"}, default=None
        A bar on a terminal, lines in a log, nothing in a notebook; True speaks in a notebook too.

    Returns
    -------
    DataFrame
        One row a result, with the columns dataset, algorithm (``"plain-knn"``,
        ``"aco-knn-paper"``, ...), base, preset ("" for plain ones), variant (``"plain"``,
        ``"tuned"``, ``"basic"``, ``"ensemble"``), weight_scale, key_parameter, folds (way of
        folding), fold, seed; the scores of the test part accuracy, balanced_accuracy, log_loss,
        brier, calibration_error (shares, not percent; see `acoibl.experiments.outcome`; NaN where
        there are no probabilities); train_accuracy (of the training rows themselves),
        loo_accuracy (of the training rows by leave-one-out); kernel, n_iter, n_evaluations,
        stopped (why the search ended); seconds and cpu_seconds (of training and its search, for
        plain ones of all), unit_seconds (of the whole unit of work); n_train, n_test; predictions
        (see `acoibl.experiments.decode_predictions`); checksum of the dataset, version of the
        package; then other facts that an algorithm stores.

    Raises
    ------
    UnknownNameError
        For an unknown experiment, profile, dataset or algorithm, with the nearest name.
    RunError
        If units failed; what was finished is stored, and failed units run again next time. If
        nothing may be computed and nothing complete is stored.
    BackendError
        If processes died, or the cluster cannot be reached.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = run("a", "smoke", datasets=["iris"], jobs=1, store=folder, progress=False)
    >>> rows.groupby("base")["accuracy"].max().gt(0.9).all()
    np.True_
    """
    check_backend(backend, scheduler)
    jobs = _count_jobs(jobs)
    plan = make_plan(
        experiment,
        profile,
        datasets=datasets,
        algorithms=algorithms,
        seeds=seeds,
        folds=folds,
        store=store,
    )
    if compute is None:
        compute = not plan.profile.campaign
    if not compute:
        return _stored(plan)
    order = plan.profile.order if order is None else order
    if fresh:
        plan.store.clear(*plan.configs.values())
    plan.store.prepare()
    missing, durations = missing_units(plan)
    failures = _compute(plan, in_order(missing, order, durations), durations,
                        jobs, backend, scheduler, choose(progress))  # fmt: skip
    if failures:
        raise RunError(
            f"{len(failures)} of {len(missing)} units failed (the others are stored); the first: "
            f"{failures[0]}"
        )
    return collect(plan.tasks, plan.store, plan.configs)


def in_order(tasks: list[Task], order: str, durations: Durations | None = None) -> list[Task]:
    """Units in the order in which they are to begin.

    ``"longest"``: the longest first; ``"datasets"``: dataset by dataset, the cheapest first, and
    within a dataset the longest first.
    """
    if order not in ("longest", "datasets"):
        raise ValueError(f"order must be 'longest' or 'datasets', not {order!r}")
    costs = {task.key: _expected(task, durations) for task in tasks}
    longest = sorted(tasks, key=lambda task: costs[task.key], reverse=True)
    if order == "longest":
        return longest
    totals: Counter[str] = Counter()
    for task in tasks:
        totals[task.dataset] += costs[task.key]
    return sorted(longest, key=lambda task: (totals[task.dataset], task.dataset))


def _stored(plan: Plan) -> pd.DataFrame:
    rows = collect(complete_units(plan) if plan.paired else plan.tasks, plan.store, plan.configs)
    if rows.empty:
        raise RunError(
            f"{plan.title}: nothing complete is stored in {plan.store.folder}; `acoibl run` "
            "computes it, and `acoibl status` says how far it is"
        )
    return rows


def _compute(
    plan: Plan,
    tasks: list[Task],
    durations: Durations,
    jobs: int,
    backend: str,
    scheduler: Any,
    kind: str,
) -> list[str]:
    """Compute and store units; what went wrong."""
    failures = []
    left = Counter(task.key for task in tasks)
    costs = {task.key: _expected(task, durations) for task in tasks}
    step, close = reporter(kind, [costs[task.key] for task in tasks], plan.title)
    try:
        for task, rows, failure in evaluate_all(tasks, jobs, backend, scheduler):
            config = plan.configs[task.key]
            if failure is None:
                plan.store.save(config, task.unit, rows)
            else:
                plan.store.save_failure(config, task.unit, failure)
                failures.append(f"{task.title}: {failure}")
            left[task.key] -= 1
            if not left[task.key]:
                plan.store.join(config)
            step(costs[task.key])
    finally:
        close()
        for config in plan.configs.values():  # all: another runner may have left shards to join
            plan.store.join(config)
    return failures


def _expected(task: Task, durations: Durations | None) -> float:
    expected = None if durations is None else durations.expect(task)
    return task.cost if expected is None else expected


def _count_jobs(jobs: int | None) -> int:
    if jobs is not None and (isinstance(jobs, bool) or not isinstance(jobs, int) or jobs == 0):
        raise ValueError(f"jobs must be a whole number other than 0, not {jobs!r}")
    return joblib.cpu_count() if jobs is None else joblib.effective_n_jobs(jobs)
