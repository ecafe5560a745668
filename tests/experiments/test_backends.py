import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from acoibl.experiments import (
    Algorithm,
    BackendError,
    RunError,
    UnknownNameError,
    get_profile,
    outcome,
    run,
)
from acoibl.experiments.algorithms import colony
from tests.waiting import LIMIT, wait_for

SIZE = get_profile("smoke", max_iter=4, selection=("pop", "zoo"), n_folds=4)
TIMES = ["seconds", "cpu_seconds", "unit_seconds"]


def slow(split, parameters):
    """Algorithm of the tests: takes its time, says in which process, and answers by its seed."""
    folder = Path(parameters["folder"])
    folder.mkdir(exist_ok=True)
    mark = f"{time.time_ns()}-{os.getpid()}"
    (folder / f"{mark}.begun").touch()
    while folder.with_name("hold").exists() and len(list(folder.glob("*.begun"))) >= 4:
        time.sleep(0.02)
    labels = np.asarray(split.y_train.cat.categories)
    predicted = np.random.default_rng(split.seed).choice(labels, len(split.y_test))
    (folder / f"{mark}.done").touch()
    return [{"variant": "only", **outcome(split, predicted)}]


def deadly(split, parameters):
    """Algorithm of the tests: one of its folds ends the process that computes it."""
    if 0 in split.X_test.index:
        time.sleep(2.0)  # a worker that dies while it starts is not started again
        os._exit(7)
    return [{"variant": "only", **outcome(split, split.y_test)}]


def algorithms(folder):
    return [
        colony("knn", "default", SIZE),
        Algorithm("slow", "knn", slow, {"folder": str(folder)}, stochastic=True),
    ]


def start_killer(folder, killed, n_busy=1, ready=lambda: True, release=True):
    """Let units of `slow` wait from the fourth on, and kill the process of one.

    That happens when so many wait, and what else shall be is `ready`. While the file "hold" is
    there, the others wait on.
    """
    hold = folder.with_name("hold")
    hold.touch()

    def waiting():
        begun = sorted(folder.glob("*.begun"))
        if len(begun) < 4:
            return []
        return [path for path in begun if not path.with_suffix(".done").exists()]

    def kill():
        wait_for(lambda: len(waiting()) >= n_busy and ready())
        pid = int(waiting()[-1].stem.split("-")[1])
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)
        if release:
            hold.unlink()

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    return killer


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    import dask

    # A unit may lose one worker; the default of three would only take longer.
    with (
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 1,
                "distributed.scheduler.worker-ttl": None,
                "distributed.comm.timeouts.connect": LIMIT,
            }
        ),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
    ):
        yield cluster


@pytest.mark.slow
# A try of dask to open a port that is taken leaves a socket to the collector.
@pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning"
)
def test_a_cluster_that_loses_a_worker_gives_what_one_machine_gives(cluster, tmp_path):
    marks, killed = tmp_path / "marks", []
    killer = start_killer(marks, killed)
    found = run(algorithms(marks), SIZE, backend="dask", scheduler=cluster.scheduler_address,
                store=tmp_path / "dask", progress=False)  # fmt: skip
    killer.join()
    begun, done = (list(marks.glob(f"*.{what}")) for what in ("begun", "done"))
    assert len(killed) == 1
    assert len(begun) > len(done)  # the unit that was killed began again elsewhere
    assert len({path.stem.split("-")[1] for path in begun}) >= 2
    one = run(algorithms(marks), SIZE, jobs=2, store=tmp_path / "loky", progress=False)
    pd.testing.assert_frame_equal(found.drop(columns=TIMES), one.drop(columns=TIMES))
    assert len(found[found["algorithm"] == "slow"]) == 8

    # A unit that kills every worker fails; it does not hold up the others, or wait for ever.
    size = get_profile(SIZE, n_folds=2, selection=("pop",))
    chosen = [Algorithm("deadly", "knn", deadly), algorithms(marks)[1]]
    with pytest.raises(RunError, match=r"of 4 units failed.*workers were killed"):
        run(chosen, size, backend="dask", scheduler=cluster.scheduler_address,
            store=tmp_path / "dask", progress=False)  # fmt: skip
    assert len(run(chosen[1:], size, jobs=1, store=tmp_path / "dask", progress=False)) == 2


@pytest.mark.slow
def test_a_killed_process_of_this_machine_loses_its_own_unit_only(tmp_path):
    marks, store, killed = tmp_path / "marks", tmp_path / "store", []

    def stored():
        return len(list(marks.glob("*.done"))) == len(list(store.glob("*/slow-*.json.gz")))

    killer = start_killer(marks, killed, 2, stored, release=False)
    chosen = algorithms(marks)[1:]
    with pytest.raises(BackendError, match="was killed"):
        run(chosen, SIZE, jobs=2, store=store, progress=False)
    killer.join()
    (tmp_path / "hold").unlink()
    before = len(list(marks.glob("*.done")))
    assert len(killed) == 1
    rows = run(chosen, SIZE, jobs=2, store=store, progress=False)
    assert len(rows) == 8
    # What was stored is not computed again; what both processes had in hand is.
    assert before >= 2
    assert len(list(marks.glob("*.done"))) == 8


@pytest.mark.slow
def test_a_cluster_without_workers_is_said_and_not_waited_for_for_ever(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("acoibl.experiments.backends.PATIENCE", 1.0)
    monkeypatch.setattr("acoibl.experiments.backends.NOTICE", 0.5)
    with (
        pytest.warns(RuntimeWarning, match=r"no worker.*1 seconds.*dask worker tcp://"),
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(BackendError, match="no worker for 1 seconds"),
    ):
        run(algorithms(tmp_path), SIZE, backend="dask", scheduler=cluster.scheduler_address,
            store=tmp_path / "store", progress=False)  # fmt: skip


def test_a_backend_that_does_not_fit_is_refused(tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'dask'"):
        run("a", SIZE, backend="dsk", store=tmp_path)
    with pytest.raises(UnknownNameError, match="needs the address"):
        run("a", SIZE, backend="dask", store=tmp_path)
    with pytest.raises(UnknownNameError, match="has no scheduler"):
        run("a", SIZE, scheduler="tcp://127.0.0.1:1", store=tmp_path)


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(BackendError, match=r"acoibl\[cluster\]"):
        run("a", SIZE, backend="dask", scheduler="tcp://127.0.0.1:1", store=tmp_path)
