"""What breaks a run of many hours, done for real: kill -9, a full disk, two runners at once."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pandas as pd
import pytest

from acoibl.experiments import Store, StoreError, get_profile, run
from acoibl.experiments.algorithms import Algorithm
from acoibl.experiments.plan import make_plan
from acoibl.experiments.runner import configuration
from tests.waiting import LIMIT, wait_for

SIZE = get_profile("smoke", selection=("pop", "zoo"), n_folds=5)
TIMES = ["seconds", "cpu_seconds", "unit_seconds"]


def patient(split, parameters):
    """Algorithm of the tests: takes a little time and leaves a mark for every unit it ends."""
    time.sleep(parameters["sleep"])
    marks = Path(parameters["marks"])
    while marks.with_name("hold").exists() and len(list(marks.iterdir())) >= 6:
        time.sleep(0.02)
    draw = int(split.seed.generate_state(1)[0])
    Path(parameters["marks"], f"{draw}-{time.time_ns()}").touch()
    # Long enough that a full disk cuts a shard in two.
    return [{"variant": "only", "accuracy": draw / 2**32, "predictions": str(draw) * 400}]


def algorithm(marks, sleep=0.05, **more):
    marks.mkdir(exist_ok=True)
    parameters = {"marks": str(marks), "sleep": sleep, **more}
    return Algorithm("patient", "knn", patient, parameters, stochastic=True)


def start(marks, store, *, jobs, seeds=2, limit=None):
    """The same run in a process of its own."""
    code = f"""
        import resource, sys
        from pathlib import Path
        from acoibl.experiments import run
        from tests.experiments.test_faults import SIZE, algorithm
        limit = {limit!r}
        if limit is not None:
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # write() then fails, as on a full disk
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        run([algorithm(Path({str(marks)!r}))], SIZE, seeds=range({seeds}), jobs={jobs},
            store={str(store)!r}, progress=False)
    """
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=Path(__file__).parents[2],
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


def shards(store):
    return sorted(store.glob("*/*.json.gz"))


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_9_in_the_middle_loses_no_finished_unit(tmp_path, jobs):
    marks, store = tmp_path / "marks", tmp_path / "store"
    hold = tmp_path / "hold"
    hold.touch()  # or all might be done before the signal
    process = start(marks, store, jobs=jobs)
    try:
        wait_for(lambda: len(shards(store)) >= 4, process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        hold.unlink()
    stored = sum(len(Store(store).load(config(marks, store, name))) for name in SIZE.datasets)
    assert 4 <= stored < 20
    before = len(list(marks.iterdir()))
    rows = run([algorithm(marks)], SIZE, seeds=range(2), jobs=1, store=store, progress=False)
    assert len(list(marks.iterdir())) - before == 20 - stored  # only what was not stored
    clean = run([algorithm(marks)], SIZE, seeds=range(2), jobs=1, store=tmp_path / "clean",
                progress=False)  # fmt: skip
    pd.testing.assert_frame_equal(rows.drop(columns=TIMES), clean.drop(columns=TIMES))
    assert not list(store.glob("*/*.broken"))


def config(marks, store, name):
    plan = make_plan([algorithm(marks)], SIZE, datasets=[name], store=store)
    return configuration(plan.tasks[0])


@pytest.mark.slow
def test_two_runners_at_once_make_one_complete_store(tmp_path):
    marks, store = tmp_path / "marks", tmp_path / "store"
    runners = [start(marks, store, jobs=1) for _ in range(2)]
    for process in runners:
        _, errors = process.communicate(timeout=LIMIT)
        assert process.returncode == 0, errors.decode()
    before = len(list(marks.iterdir()))
    rows = run([algorithm(marks)], SIZE, seeds=range(2), jobs=1, store=store, progress=False)
    assert len(list(marks.iterdir())) == before  # nothing was missing
    assert len(rows) == 20
    assert not list(store.glob("*/*.broken"))
    assert len(shards(store)) == 2  # packed: one of each dataset
    clean = run([algorithm(marks)], SIZE, seeds=range(2), jobs=1, store=tmp_path / "clean",
                progress=False)  # fmt: skip
    pd.testing.assert_frame_equal(rows.drop(columns=TIMES), clean.drop(columns=TIMES))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_disk_that_fills_up_stops_the_run_and_spoils_nothing(tmp_path):
    """A file may have as many bytes as one shard needs, so packing them fails in the write."""
    marks, store = tmp_path / "marks", tmp_path / "store"
    run([algorithm(marks)], SIZE, datasets=["pop"], jobs=1, store=store, progress=False)
    alone = Store(tmp_path / "one")
    of_pop = config(marks, store, "pop")
    alone.save(of_pop, (0, 0), Store(store).load(of_pop)[0, 0])
    limit = shards(alone.folder)[0].stat().st_size + 40
    assert limit < shards(store)[0].stat().st_size
    process = start(marks, store, jobs=1, limit=limit)
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 1
    assert "StoreError: cannot write results to" in errors.decode()
    assert "File too large" in errors.decode()
    # Single units fitted in, their pack did not: whatever was computed is there, and readable.
    stored = sum(len(Store(store).load(config(marks, store, name))) for name in SIZE.datasets)
    assert stored == len(list(marks.iterdir())) < 20
    assert not list(store.glob("*/.*"))
    assert not list(store.glob("*/*.broken"))
    rows = run([algorithm(marks)], SIZE, seeds=range(2), jobs=1, store=store, progress=False)
    assert len(rows) == len(list(marks.iterdir())) == 20


def test_a_really_full_disk(tmp_path):
    """A file system of 64 kB, where one may be mounted."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)],
        capture_output=True, check=False,
    )  # fmt: skip
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        store, config = Store(folder), {"dataset": "pop", "algorithm": "x"}
        noise = os.urandom(6000).hex()
        written = 0

        def fill():
            nonlocal written
            for fold in range(100):
                store.save(config, (fold, 0), [{"text": noise + str(fold)}])
                written += 1

        with pytest.raises(StoreError, match="No space left"):
            fill()
        assert 2 < written < 20
        assert sorted(store.load(config)) == [(fold, 0) for fold in range(written)]
        with pytest.raises(StoreError, match="No space left"):
            store.pack(config)
        assert len(store.load(config)) == written
        assert not list(folder.glob("*/.*"))
        with pytest.raises(StoreError, match="No space left"):
            store.save_failure(config, (99, 0), noise)
    finally:
        subprocess.run(["umount", str(folder)], check=False)


def test_a_changed_parameter_starts_anew_and_keeps_the_old(tmp_path):
    marks, store = tmp_path / "marks", tmp_path / "store"
    first = run([algorithm(marks, 0)], SIZE, datasets=["pop"], jobs=1, store=store)
    run([algorithm(marks, 0, odd=True)], SIZE, datasets=["pop"], jobs=1, store=store)
    assert len(list(marks.iterdir())) == 10
    again = run([algorithm(marks, 0)], SIZE, datasets=["pop"], jobs=1, store=store)
    assert len(list(marks.iterdir())) == 10
    pd.testing.assert_frame_equal(first, again)


def test_another_protocol_starts_anew(tmp_path, monkeypatch):
    marks, store = tmp_path / "marks", tmp_path / "store"
    run([algorithm(marks, 0)], SIZE, datasets=["pop"], jobs=1, store=store)
    monkeypatch.setattr("acoibl.experiments.units.PROTOCOL", 99)
    run([algorithm(marks, 0)], SIZE, datasets=["pop"], jobs=1, store=store)
    assert len(list(marks.iterdir())) == 10
