"""Where units are computed: in this process, in loky's processes, or on a dask cluster."""

import contextlib
import itertools
import os
import time
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import joblib

from acoibl.experiments.protocol import UnknownNameError, unknown
from acoibl.experiments.units import Task, evaluate

BACKENDS = ("loky", "dask")
"""Names of the backends."""

PATIENCE = 600.0
"""Seconds that a run waits for a dask cluster that has no worker."""

NOTICE = 5.0
"""Seconds after which it says so."""

Found = tuple[Task, list[dict[str, Any]], str | None]
"""A unit, its results, and what went wrong."""


class BackendError(Exception):
    """Processes or machines that compute are missing or have died."""


def evaluate_all(
    tasks: list[Task], jobs: int, backend: str = "loky", scheduler: Any = None
) -> Iterator[Found]:
    """Compute units, and give results as they come.

    Parameters
    ----------
    tasks : list of Task
        The units, in the order in which they are to begin.
    jobs : int
        Processes of this machine (loky). A dask cluster uses the cores that its workers have.
    backend : {"loky", "dask"}, default="loky"
        Where to compute.
    scheduler : str or distributed.Client, optional
        Address of the scheduler of the dask cluster, or a client.

    Yields
    ------
    tuple of (Task, list of dict, str or None)
        A unit, its results, and its error, if it failed.

    Raises
    ------
    BackendError
        If processes died, or the cluster cannot be reached.
    """
    if not tasks:
        return
    if backend == "dask":
        with _dask_client(scheduler) as client:
            yield from _on_cluster(tasks, client)
        return
    if jobs == 1 or len(tasks) == 1:
        yield from map(attempt, tasks)
        return
    # Compile, or read numba's cache, once: two processes that fill it together wait in vain.
    first = min(tasks, key=lambda task: task.cost)
    yield attempt(first)
    with joblib.parallel_config("loky", n_jobs=jobs, inner_max_num_threads=1):
        yield from _drain([task for task in tasks if task is not first])


def attempt(task: Task) -> Found:
    """Compute one unit.

    Parameters
    ----------
    task : Task
        The unit.

    Returns
    -------
    tuple of (Task, list of dict, str or None)
        The unit, its results, and its error with the place where it happened.
    """
    try:
        return task, evaluate(task), None
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(where.filename)}:{where.lineno}"
        return task, [], f"{type(error).__name__}: {error} ({place})"


def check_backend(backend: str, scheduler: Any = None) -> None:
    """Check a choice of backend before anything runs.

    Parameters
    ----------
    backend : {"loky", "dask"}
        Name.
    scheduler : str or distributed.Client, optional
        Needed for dask.

    Raises
    ------
    UnknownNameError
        If name and scheduler do not fit.
    BackendError
        If dask is not installed.
    """
    if backend not in BACKENDS:
        raise UnknownNameError(unknown("backend", backend, BACKENDS))
    if (backend == "dask") != (scheduler is not None):
        raise UnknownNameError(
            "backend 'dask' needs the address of a scheduler"
            if backend == "dask"
            else f"backend {backend!r} has no scheduler"
        )
    if backend == "dask":
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise BackendError(
                "backend 'dask' needs dask.distributed: pip install 'acoibl[cluster]'"
            ) from None


def _drain(tasks: list[Task]) -> Iterator[Found]:
    # One unit a batch: a batch of many would be lost as a whole with its worker.
    parallel = joblib.Parallel(
        return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1
    )
    try:
        results = parallel(joblib.delayed(attempt)(task) for task in tasks)
        try:
            yield from results
        finally:
            results.close()
    except joblib.externals.loky.process_executor.TerminatedWorkerError:
        raise BackendError(
            "a process that computed was killed, perhaps for want of memory (fewer --jobs need "
            "less); what was finished is stored, and the same command goes on from there"
        ) from None


def _on_cluster(tasks: list[Task], client: Any) -> Iterator[Found]:
    # Not joblib's backend "dask": it waits for ever for a unit that has killed its workers, where
    # dask itself gives up after the third and says so. Here such a unit fails, like any other.
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    queue = iter(tasks)
    asked: dict[Any, Task] = {}
    results = as_completed([], loop=client.loop, with_results=True, raise_errors=False)
    while True:
        # As many in hand as the cluster can take by now: workers may have come or gone.
        for task in itertools.islice(queue, max(0, max(1, 2 * _cores(client)) - len(asked))):
            future = client.submit(attempt, task, pure=False)
            asked[future.key] = task
            results.add(future)
        if not asked:
            return
        _wait(results, client)
        future, found = next(results)
        if future.status in ("pending", "lost"):  # its worker died with the result: done again
            results.add(future)
            continue
        task = asked.pop(future.key)
        if future.status == "error" and isinstance(future.exception(), KilledWorker):
            found = task, [], "its workers were killed, perhaps for want of memory"
        elif future.status != "finished":
            raise BackendError(
                f"the dask cluster gave up {task.title} ({future.status}); what was finished is "
                "stored, and the same command goes on from there"
            )
        future.release()
        yield found


def _wait(results: Any, client: Any) -> None:
    """Wait for a result; not for ever, if there is nobody to compute it."""
    deserted = checked = time.monotonic()
    said = False
    while not results.has_ready():
        time.sleep(0.02)
        now = time.monotonic()
        if now - checked > 1:
            checked = now
            if _cores(client):
                deserted, said = now, False
                continue
            if now - deserted > NOTICE and not said:
                said = True
                warnings.warn(
                    f"the dask cluster has no worker; waiting up to {PATIENCE:.0f} seconds for one "
                    f"(`dask worker {client.scheduler.address}` starts one)",
                    RuntimeWarning,
                    stacklevel=2,
                )
            if now - deserted > PATIENCE:
                raise BackendError(
                    f"the dask cluster has had no worker for {PATIENCE:.0f} seconds; what was "
                    "finished is stored, and the same command goes on from there"
                )


def _cores(client: Any) -> int:
    try:
        return sum(client.ncores().values())
    except OSError:  # the scheduler is gone, or out of reach for the moment
        return 0


@contextlib.contextmanager
def _dask_client(scheduler: Any) -> Iterator[Any]:
    from distributed import Client

    if isinstance(scheduler, Client):
        yield scheduler
        return
    try:
        client = Client(scheduler, timeout=30, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BackendError(f"no dask scheduler answers at {scheduler}: {error}") from error
    with client:
        yield client
