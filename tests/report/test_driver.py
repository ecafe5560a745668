import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acoibl.experiments.protocol import get_profile
from acoibl.report import ReportError, UnknownNameError, run_report
from acoibl.report.index import write_index
from tests.waiting import LIMIT, wait_for

GOOD = """# %% [markdown]
# # First & <b>best</b>

# %% tags=["parameters"]
profile = "smoke"
output = ""
n = 3

# %%
import os
import pandas as pd
from acoibl.report import Artifacts

report = Artifacts(profile, output)
table = pd.DataFrame({"a|b": [1.0], "<i>c</i>": [n]}, index=["x_1"])
report.table("scores", table, caption="A <script>alert(1)</script> caption", best="max")

# %%
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(2, 2))
ax.plot([0, n])
report.figure("line", fig, caption="A line & more")

# %%
report.facts({"seen": n})
report.summary(f"n was <{n}>.")
print(os.environ["PYTHONHASHSEED"], os.environ["MPLBACKEND"], output)
"""
BAD = """# %% tags=["parameters"]
profile = "smoke"

# %%
print("reached")

# %%

y = 1 / 0

# %%
print("never reached")
"""
DEAD = """# %%
import os

os._exit(3)
"""
PLAIN = """# %% tags=["parameters"]
profile = "smoke"

# %%
print(profile)
"""


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """One run of four notebooks: a good one, one that fails, one that dies, one after them."""
    root = tmp_path_factory.mktemp("report")
    folder = root / "notebooks"
    folder.mkdir()
    for name, text in (("01_good", GOOD), ("02_bad", BAD), ("03_dead", DEAD), ("04_plain", PLAIN)):
        (folder / f"{name}.py").write_text(text)
    said = []
    result = run_report(
        "smoke", folder=folder, output=root / "out", set_values=["n=7"], say=said.append
    )
    return folder, result, "".join(said)


def test_failures_are_named_and_the_others_run(done):
    _, result, said = done
    assert result.exit_code == 1
    assert list(result.failed) == ["02_bad", "03_dead"]
    assert result.failed["02_bad"] == "cell 3 (y = 1 / 0): ZeroDivisionError: division by zero"
    assert "Dead" in result.failed["03_dead"]
    lines = said.splitlines()
    assert re.fullmatch(r"\[1/4\] 01_good \.\.\. ok \d+ s", lines[0])
    assert lines[1].startswith("[2/4] 02_bad ... FAILED")
    assert "ZeroDivisionError" in lines[2]
    assert re.fullmatch(r"\[4/4\] 04_plain \.\.\. ok \d+ s", lines[5])
    assert "FAILED: 02_bad, 03_dead" in said
    assert lines[-1] == str(result.index)


def test_partial_notebooks_are_kept(done):
    _, result, _ = done
    page = (result.folder / "notebooks" / "02_bad.html").read_text()
    assert "reached" in page
    assert "ZeroDivisionError" in page
    assert "stopped before its end" in page
    executed = json.loads((result.folder / "notebooks" / "02_bad.ipynb").read_text())
    last = executed["cells"][-1]
    assert "never reached" in "".join(last["source"])
    assert last["execution_count"] is None


def test_parameters_reach_the_notebook_and_nothing_of_the_machine_stays(done):
    folder, result, _ = done
    text = (result.folder / "notebooks" / "01_good.ipynb").read_text()
    executed = json.loads(text)
    outputs = "".join(
        line
        for cell in executed["cells"]
        for output in cell.get("outputs", [])
        for line in output.get("text", [])
    )
    assert outputs.split() == [
        "0", "module://matplotlib_inline.backend_inline", str(result.folder)
    ]  # fmt: skip
    assert executed["metadata"]["kernelspec"]["name"] == "python3"
    assert "papermill" not in executed["metadata"]
    assert str(folder) not in text
    assert sorted(path.name for path in folder.iterdir()) == [
        "01_good.py", "02_bad.py", "03_dead.py", "04_plain.py"
    ]  # fmt: skip


def test_the_page_shows_everything_escaped(done):
    _, result, _ = done
    page = result.index.read_text()
    assert "<script" not in page
    assert "A &lt;script&gt;alert(1)&lt;/script&gt; caption" in page
    assert '<td class="n"><strong>7</strong></td>' in page
    assert "n was &lt;7&gt;." in page
    assert '<img src="figures/line.svg" alt="A line &amp; more"' in page
    assert '<a href="notebooks/04_plain.html">' in page
    assert "division by zero" in page
    assert "<dt>seen</dt><dd>7</dd>" in page
    for word in ("numba", "scikit-learn", "seeds per fold", "row cap", "n=7"):
        assert word in page
    assert not re.findall(r'(?:src|href)="https?:', page)
    for link in re.findall(r'(?:src|href)="([^"#]+)"', page):
        assert (result.folder / link).is_file(), link


def test_the_summary_has_ten_lines_at_most(done):
    _, result, said = done
    assert 4 <= len(result.summary) <= 10
    assert "2 of 4 notebooks finished" in result.summary[0]
    assert "n was <7>." in result.summary
    for line in result.summary:
        assert line in said


@pytest.mark.parametrize(
    ("name", "status", "shown"),
    [
        ("03_class_based_weighting", "ok", False),
        ("05_experiment_a", "ok", True),
        ("06_experiment_b", "ok", True),
        ("06_experiment_b", "failed", False),
    ],
)
def test_the_protocol_stands_where_an_experiment_has_run(tmp_path, name, status, shown):
    entry = {"title": "T", "status": status, "seconds": 1.0, "error": "", "finished": "",
             "parameters": "", "run": "1"}  # fmt: skip
    summary = "\n".join(write_index(tmp_path, get_profile("smoke"), {name: entry}))
    page = (tmp_path / "index.html").read_text()
    for text in ("Protocol of Experiments A and B: ", "Datasets: "):
        assert (text in summary) == shown
        assert (text in page) == shown
    assert ("rows used" in page) == shown


def test_notebooks_that_an_interrupted_run_did_not_come_to_are_named(tmp_path):
    entry = {"title": "T", "seconds": 1.0, "error": "", "finished": "", "parameters": "",
             "run": "1"}  # fmt: skip
    state = {"02_b": {**entry, "status": "interrupted"}, "03_c": {**entry, "status": "ok"}}
    summary = write_index(tmp_path, get_profile("smoke"), state, waiting=["03_c", "04_d"])
    assert "1 of 3 notebooks finished" in summary[0]
    assert summary[1] == (
        "Not finished: 02_b (interrupted), 03_c (not run again), 04_d (not started)."
    )


@pytest.mark.slow
def test_a_second_run_replaces_its_own_and_keeps_the_rest(done):
    folder, result, _ = done
    tables = result.folder / "tables"
    assert (tables / "scores.csv").is_file()
    (folder / "02_bad.py").write_text(PLAIN)
    again = run_report(
        "smoke", folder=folder, output=result.folder, notebooks=["2"], say=lambda _: None
    )
    assert again.exit_code == 0
    assert (tables / "scores.csv").is_file()
    page = again.index.read_text()
    assert "division by zero" not in page
    assert "01_good" in page
    (folder / "01_good.py").write_text(GOOD.replace('"scores"', '"renamed"'))
    run_report("smoke", folder=folder, output=result.folder, notebooks=["1"], say=lambda _: None)
    assert sorted(path.name for path in tables.iterdir()) == [
        "renamed.csv", "renamed.md", "renamed.tex"
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "01_plain.py").write_text(PLAIN)
    return tmp_path / "notebooks"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"profile": "smoek"}, "did you mean 'smoke'"),
        ({"notebooks": ["01_plane"]}, "did you mean '01_plain'"),
        ({"set_values": ["m=1"]}, "unknown parameter 'm'"),
        ({"set_values": {"profile": "x"}}, "use --profile"),
        ({"profile": "x"}, "unknown profile 'x'; there are: paper, quick, smoke"),
    ],
)
def test_nothing_runs_when_a_name_is_wrong(folder, tmp_path, arguments, message):
    with pytest.raises(UnknownNameError, match=message):
        run_report(**{"profile": "smoke", "folder": folder, "output": tmp_path / "o", **arguments})
    assert not (tmp_path / "o").exists()


def test_an_output_folder_that_cannot_be_written(folder, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportError, match=r"cannot write the report to .*file"):
        run_report("smoke", folder=folder, output=tmp_path / "file" / "report")


@pytest.mark.parametrize("name", ["tables", "figures", "notebooks", "parts", "results"])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_inside_that_cannot_be_written(folder, tmp_path, name, fresh):
    output = tmp_path / "out"
    output.mkdir()
    (output / "report.json").write_text("{}")
    (output / name).write_text("in the way")
    said = []
    with pytest.raises(ReportError, match=rf"cannot write the report to .*{name}: it is no folder"):
        run_report("smoke", folder=folder, output=output, fresh=fresh, say=said.append)
    assert not said
    assert sorted(path.name for path in output.iterdir()) == sorted([name, "report.json"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_inside_that_is_read_only(folder, tmp_path):
    (tmp_path / "out" / "tables").mkdir(parents=True)
    (tmp_path / "out" / "tables").chmod(0o500)
    with pytest.raises(ReportError, match="tables: Permission denied"):
        run_report("smoke", folder=folder, output=tmp_path / "out")


def test_a_folder_in_place_of_the_page(folder, tmp_path):
    (tmp_path / "out" / "index.html").mkdir(parents=True)
    with pytest.raises(ReportError, match=r"index\.html: it is a folder"):
        run_report("smoke", folder=folder, output=tmp_path / "out")


def test_fresh_clears_a_report_but_no_other_folder(folder, tmp_path):
    mine = tmp_path / "mine"
    (mine / "tables").mkdir(parents=True)
    (mine / "tables" / "precious.csv").write_text("x")
    with pytest.raises(ReportError, match="holds no report"):
        run_report("smoke", folder=folder, output=mine, fresh=True)
    assert (mine / "tables" / "precious.csv").is_file()
    (mine / "report.json").write_text("{}")
    (mine / "notes.txt").write_text("kept")
    run_report("smoke", folder=folder, output=mine, fresh=True, say=lambda _: None)
    assert not (mine / "tables").exists()
    assert (mine / "notes.txt").is_file()


LONG = """# %% tags=["parameters"]
profile = "smoke"

# %%
from pathlib import Path

import pandas as pd
from acoibl.report import Artifacts

report = Artifacts(profile)
report.table("early", pd.DataFrame({"a": [1]}, index=["x"]))

# %%
import time
from acoibl.experiments import Store

store = Store(report.folder / "results")
store.save({"dataset": "iris", "algorithm": "slow"}, (0, 0), [{"accuracy": 1.0}])
Path(report.folder / "sleeping").touch()
time.sleep(3600)
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished(folder, tmp_path):
    (folder / "02_long.py").write_text(LONG)
    (folder / "03_plain.py").write_text(PLAIN)
    output = tmp_path / "out"
    code = (
        # Where the tests themselves run in the background of a shell, the signal is ignored.
        "import signal, sys; from acoibl.report import run_report;"
        "signal.signal(signal.SIGINT, signal.default_int_handler);"
        f"sys.exit(run_report('smoke', folder={str(folder)!r}, output={str(output)!r}).exit_code)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with process:
        wait_for((output / "sleeping").is_file, process)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=LIMIT)[0]
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert "[1/3] 01_plain ... ok" in said
    assert "[2/3] 02_long ... interrupted" in said
    assert "] 03_plain" not in said
    assert "1 of 3 notebooks finished" in said
    assert "Not finished: 02_long (interrupted), 03_plain (not started).\n" in said
    assert "Give the same command again" in said
    assert (output / "tables" / "early.csv").is_file()
    assert list((output / "results" / "iris").glob("slow-*.json.gz"))
    page = (output / "index.html").read_text()
    assert "table-early" in page
    assert "interrupted" in page
    assert Path(output / "notebooks" / "02_long.html").is_file()
