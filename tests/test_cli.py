import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import acoibl
from acoibl import cli
from acoibl.datasets import check_file, load
from acoibl.datasets.arff import format_arff
from tests.waiting import LIMIT, wait_for

NOTEBOOK = """# %% tags=["parameters"]
profile = "smoke"
n = 3
datasets = []

# %%
assert n == 3, "n is not 3"
"""


@pytest.fixture
def call():
    def call(*arguments):
        return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])

    return call


@pytest.fixture
def notebooks(tmp_path, monkeypatch):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "01_first.py").write_text(NOTEBOOK)
    monkeypatch.setattr("acoibl.report.driver.shared_folder", lambda _: folder)
    return folder


def test_version_and_help(call):
    assert call("--version").output == f"acoibl, version {acoibl.__version__}\n"
    text = call("--help").output
    assert all(name in text for name in ("datasets", "run", "status", "export", "report"))


def test_datasets_are_listed(call):
    result = call("datasets")
    assert result.exit_code == 0
    line = next(line for line in result.output.splitlines() if line.startswith("car "))
    assert line.split()[1:6] == ["1728", "4", "0", "6", "0"]
    assert "of the paper's 36" in result.output


def test_a_file_that_is_only_found_is_not_called_ready(call, tmp_path, monkeypatch):
    data = load("iris")
    text = format_arff(data.X.assign(**{"class": data.y}), "iris")
    (tmp_path / "iris.arff").write_text(text)
    (tmp_path / "zoo.arff").write_text("")
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    result = call("datasets")
    lines = {line.split()[0]: line for line in result.output.splitlines() if line.strip()}
    assert "folder" in lines["iris"]
    assert "file found" in lines["iris"]
    assert "file damaged" in lines["zoo"]
    assert "its content is checked when it is loaded" in result.output
    assert "Damaged: zoo." in result.output
    monkeypatch.delenv("ACOIBL_DATA")
    assert "amaged" not in call("datasets").output


def test_a_file_is_checked(call, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("size,colour,kind\n1.5,red,a\n2.5,,b\n,blue,b\n")
    result = call("datasets", "--check", path)
    assert result.exit_code == 0, result.output
    assert result.output == check_file(path) + "\n"
    assert "3 rows, 2 features (1 numeric, 1 categorical), class 'kind'" in result.output
    assert "colour  category  1 missing  2 values: blue, red" in result.output
    assert "class with a single row: a" in result.output
    assert "class 'colour'" in call("datasets", "--check", path, "--target", "colour").output


def test_a_file_is_checked_as_one_says(call, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("T;2;NULL;x\nI;5;1;y\nT;4;2;x\n")
    assert "--no-header" in call("datasets", "--check", path).output
    options = ["--no-header", "--delimiter", ";", "--missing-values", "NULL"]
    result = call("datasets", "--check", path, *options)
    assert result.exit_code == 0, result.output
    assert "3 rows, 3 features (2 numeric, 1 categorical), class 'column4'" in result.output
    assert "class 'x'" in call("datasets", "--check", path, "--header").output


def test_a_bad_file_is_one_clear_line(call, tmp_path):
    path = tmp_path / "cut.csv"
    path.write_text("a,b,kind\n1,2,x\n1,2\n")
    result = call("datasets", "--check", path)
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: {path}, line 3: ")
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "a", "--profile", "smok"], "did you mean 'smoke'"),
        (["run", "x", "--profile", "smoke"], "unknown experiment 'x'"),
        (
            ["run", "a", "--profile", "smoke", "--datasets", "iris,../zoo"],
            "unknown dataset '../zoo'",
        ),
        (["run", "a", "--profile", "smoke", "--datasets", ""], "empty name"),
        (["run", "a", "--profile", "smoke", "--datasets", "iris,,zoo"], "empty name"),
        (["run", "a", "--profile", "smoke", "--datasets", "iris", "--datasets", " "], "empty name"),
        (["report", "--profile", "smoke", "--set", "datasets=['irs']"], "did you mean 'iris'"),
        (["run", "a", "--profile", "smoke", "--jobs", "0"], "--jobs must not be 0"),
        (
            ["run", "a", "--profile", "smoke", "--algorithms", "plain-kn"],
            "did you mean 'plain-knn'",
        ),
        (["run", "a", "--profile", "smoke", "--algorithms", "plain-knn,"], "empty name"),
        (["run", "a", "--profile", "smoke", "--seeds", "2-0"], "go backwards"),
        (["run", "a", "--profile", "smoke", "--seeds", "many"], "cannot read seeds 'many'"),
        (["run", "a", "--profile", "smoke", "--folds", "group"], "did you mean 'groups'"),
        (["run", "a", "--profile", "smoke", "--backend", "dask"], "needs the address"),
        (["run", "a", "--profile", "smoke", "--backend", "mpi"], "unknown backend 'mpi'"),
        (["run", "a", "--profile", "smoke", "--order", "x"], "--order"),
        (["run", "a"], "--profile"),
        (["status", "x", "--profile", "smoke"], "unknown experiment 'x'"),
        (["export", "a", "--profile", "smoke"], "--output"),
        (["export", "a", "--profile", "smoke", "--output", "a.xls"], "must end in .csv"),
        (["report", "--profile", "qick"], "did you mean 'quick'"),
        (["report", "--profile", "smoke", "--notebook", "01_frist"], "did you mean '01_first'"),
        (["report", "--profile", "smoke", "--set", "m=1"], "unknown parameter 'm'"),
        (["report", "--profile", "smoke", "--set", "n=a"], "no Python literal"),
        (["datasets", "--target", "x"], "--target needs --check"),
        (["datasets", "--no-header"], "--header needs --check"),
        (["datasets", "--missing-values", "x"], "--missing-values needs --check"),
        (["datasets", "--check", "x", "--delimiter", ", "], "--delimiter must be one character"),
        (["nothing"], "No such command"),
    ],
)
def test_wrong_words_exit_with_2(call, notebooks, arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_folder_that_cannot_be_written_exits_with_1(call, notebooks, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("report", "--profile", "smoke", "--output", tmp_path / "file" / "x")
    assert result.exit_code == 1
    assert "cannot write the report to" in result.output
    result = call("run", "a", "--profile", "smoke", "--datasets", "pop", "--jobs", 1,
                  "--store", tmp_path / "file" / "x")  # fmt: skip
    assert result.exit_code == 1
    assert "cannot write results to" in result.output


def test_unexpected_errors_show_their_place_on_demand(call, monkeypatch):
    def broken(*_, **__):
        raise ArithmeticError("odd")

    monkeypatch.setattr("acoibl.datasets.describe", broken)
    result = call("datasets")
    assert result.exit_code == 1
    assert (
        result.output
        == "Error: ArithmeticError: odd (acoibl --debug ... shows where it happened)\n"
    )
    assert isinstance(call("--debug", "datasets").exception, ArithmeticError)


def test_an_interrupted_command_says_how_to_go_on(call, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("acoibl.experiments.run", interrupted)
    result = call("run", "a", "--profile", "smoke")
    assert result.exit_code == 130
    assert "Give the same command again" in result.output


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="lists processes by /proc")
def test_sigterm_ends_the_workers_too(tmp_path):
    code = (
        "from acoibl.cli import main; main(['run', 'c', '--profile', 'quick', '--datasets', 'car',"
        f" '--jobs', '2', '--algorithms', 'ciwnn-*', '--store', {str(tmp_path)!r}])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with process:
        wait_for(lambda: len(_of_session(process.pid)) >= 3, process)  # itself and two workers
        time.sleep(1.0)  # until these have work, most probably
        os.kill(process.pid, signal.SIGTERM)
        said = process.communicate(timeout=LIMIT)[0]
    assert process.returncode == 143, said
    assert "Give the same command again" in said
    assert "Traceback" not in said
    wait_for(lambda: not _of_session(process.pid))


def _of_session(session):
    """Processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, number = path.read_text().rpartition(")")[2].split()[:4]
            if int(number) == session and state != "Z":
                found.append(int(path.parent.name))
    return found


def test_run_stores_results_and_goes_on(call, tmp_path):
    arguments = ["run", "a", "--profile", "smoke", "--datasets", "pop", "--datasets", "iris",
                 "--jobs", 1, "--store", tmp_path / "store"]  # fmt: skip
    result = call(*arguments)
    assert result.exit_code == 0, result.output
    assert "Experiment A, best plain settings over 2 datasets: k = " in result.output
    assert "12/12 units" in result.output
    again = call(*arguments)
    assert "units" not in again.output
    assert len(list((tmp_path / "store").glob("*/plain-*.json.gz"))) == 6


def test_status_and_export_tell_what_is_stored(call, tmp_path):
    choice = ["a", "--profile", "smoke", "--datasets", "pop,iris", "--algorithms", "plain-k*",
              "--store", tmp_path / "store"]  # fmt: skip
    empty = call("status", *choice)
    assert empty.exit_code == 0
    assert "0 of 4 units are done, 4 missing, 0 failed" in empty.output
    assert call("run", *choice, "--jobs", 1).exit_code == 0
    full = call("status", *choice, "--full")
    assert "4 of 4 units are done, 0 missing, 0 failed; they took" in full.output
    assert [line.split()[:3] for line in full.output.splitlines() if " plain-knn " in line] == [
        ["pop", "plain-knn", "2"],
        ["iris", "plain-knn", "2"],
    ]
    output = tmp_path / "out" / "results.csv"
    result = call("export", *choice, "--output", output, "--predictions")
    assert result.exit_code == 0, result.output
    lines = 2 * 2 * (3 * 21 + 1)
    assert result.output.splitlines()[0] == f"{output}: {lines} lines"
    assert len(output.read_text().splitlines()) == lines + 1
    assert len(list(output.parent.iterdir())) == 2


def test_status_shows_errors_and_where_they_happened(call, tmp_path):
    from acoibl.experiments.plan import make_plan

    plan = make_plan("a", "smoke", datasets=["pop"], store=tmp_path)
    for fold in (0, 1):
        for key, config in plan.configs.items():
            plan.store.save_failure(config, (fold, 0), f"ValueError: {key[1]} is odd (x.py:3)")
    choice = ["a", "--profile", "smoke", "--datasets", "pop", "--store", tmp_path]
    text = call("status", *choice).output
    assert "0 of 6 units are done, 0 missing, 6 failed" in text
    assert "plain-dnn on pop, fold 1, seed 0: ValueError: plain-dnn is odd (x.py:3)" in text


def test_no_scheduler_is_one_clear_line(call, tmp_path):
    pytest.importorskip("distributed")
    result = call("run", "a", "--profile", "smoke", "--backend", "dask", "--scheduler", "nonsense",
                  "--store", tmp_path)  # fmt: skip
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith("Error: no dask scheduler answers at nonsense")


def test_report_passes_on_the_exit_code(call, notebooks, tmp_path):
    output = tmp_path / "out"
    result = call("report", "--profile", "smoke", "--output", output, "--set", "n=4")
    assert result.exit_code == 1
    assert "cell 2 (assert n == 3" in result.output
    assert "AssertionError: n is not 3" in result.output
    result = call("report", "--profile", "smoke", "--output", output, "--fresh")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == str(output / "index.html")
