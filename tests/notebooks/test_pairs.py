"""What can be said of the notebooks without running them."""

import ast
import os
import re
import subprocess
import sys

import jupytext
import nbformat
import pytest

from tests.notebooks.pairing import paired_text, sources

SOURCES = sources()
NAMES = [source.stem for source in SOURCES]
DRIVEN = {"profile": "smoke", "output": ""}


def cells(source, kind=None):
    book = jupytext.read(source, fmt="py:percent")
    return [cell for cell in book.cells if kind in (None, cell.cell_type)]


def prose(source):
    return "\n\n".join(cell.source for cell in cells(source, "markdown"))


def artifact_calls(source):
    """(kind, call) of every `report.table(...)` and `report.figure(...)`."""
    code = "\n".join(cell.source for cell in cells(source, "code"))
    return [
        (node.func.attr, node)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "report"
        and node.func.attr in ("table", "figure")
    ]


def test_the_first_set_is_there_in_order():
    assert NAMES[:6] == [
        "01_distance_measures",
        "02_acor_sampling",
        "03_class_based_weighting",
        "04_ensembling",
        "05_experiment_a",
        "06_experiment_b",
    ]
    assert [name[:2] for name in NAMES] == [f"{i:02}" for i in range(1, len(NAMES) + 1)]


def test_no_notebook_lacks_its_source():
    folder = SOURCES[0].parent
    assert {path.stem for path in folder.glob("*.ipynb")} == set(NAMES)


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_the_pair_agrees_by_content(source):
    text = source.with_suffix(".ipynb").read_text("utf-8")
    assert text == paired_text(source), "run: python -m tests.notebooks.pairing"


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_the_ipynb_is_clean(source):
    path = source.with_suffix(".ipynb")
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    assert book.metadata["kernelspec"]["name"] == "python3"
    assert '"jupytext_version":' not in path.read_text("utf-8")
    assert "jupytext_version:" not in source.read_text("utf-8")
    for cell in book.cells:
        assert set(cell.metadata) <= {"tags", "lines_to_next_cell"}
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None
    ids = [cell.id for cell in book.cells]
    assert len(set(ids)) == len(ids)


def test_jupytext_itself_finds_nothing_to_change(tmp_path):
    """Opening and saving a pair in JupyterLab, or `jupytext --sync`, leaves no diff."""
    files = [path for source in SOURCES for path in (source, source.with_suffix(".ipynb"))]
    for path in [*files, SOURCES[0].parent / "jupytext.toml"]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    scripts = [tmp_path / source.name for source in SOURCES]
    for script in scripts:
        os.utime(script, (2e9, 2e9))  # newer than the .ipynb, which is then written
    command = [sys.executable, "-m", "jupytext", "--quiet", "--sync", *scripts]
    subprocess.run(command, check=True, cwd=tmp_path)
    for path in files:
        assert (tmp_path / path.name).read_text("utf-8") == path.read_text("utf-8"), path.name


def test_an_edit_changes_the_id_of_that_cell_only(tmp_path):
    source = tmp_path / "01_lesson.py"
    parts = ["# %% [markdown]\n# # Title", "# %%\na = 1", "# %%\nb = 2", "# %%\nb = 2"]
    source.write_text("\n\n".join(parts) + "\n", "utf-8")
    source.with_suffix(".ipynb").write_text(paired_text(source), "utf-8")
    before = [cell.id for cell in nbformat.reads(paired_text(source), as_version=4).cells]
    parts[1] = "# %%\na = 7"
    source.write_text("\n\n".join(["# %%\nnew = 0", *parts]) + "\n", "utf-8")
    after = [cell.id for cell in nbformat.reads(paired_text(source), as_version=4).cells]
    assert after[1] == before[0]
    assert after[3:] == before[2:]
    assert after[2] != before[1]
    assert len(set(after)) == 5


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_one_parameters_cell_of_plain_literals(source):
    tagged = [c for c in cells(source) if "parameters" in c.metadata.get("tags", [])]
    assert len(tagged) == 1
    values = {}
    for statement in ast.parse(tagged[0].source).body:
        assert isinstance(statement, ast.Assign)
        assert len(statement.targets) == 1
        values[statement.targets[0].id] = ast.literal_eval(statement.value)
    assert values.items() >= DRIVEN.items()


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_it_reads_as_a_lesson(source):
    text = prose(source)
    number = int(source.stem[:2])
    assert re.match(rf"# {number}\. \S", text), "the title carries the number"
    assert "After this notebook you can" in text
    sections = [int(n) for n in re.findall(rf"(?m)^## {number}\.(\d+) ", text)]
    assert sections == list(range(1, len(sections) + 1))
    assert len(sections) >= 5
    exercises = text.partition("## Exercises")[2]
    assert 2 <= len(re.findall(r"(?m)^\d+\. ", exercises)) <= 4
    assert "$$" in text or number == 5


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_every_figure_and_table_has_a_caption_and_a_name_of_its_own(source):
    calls = artifact_calls(source)
    assert sum(kind == "figure" for kind, _ in calls) >= 2
    for _, call in calls:
        caption = {keyword.arg: keyword.value for keyword in call.keywords}["caption"]
        assert len(ast.unparse(caption)) > 30
    names = [call.args[0].value for _, call in calls if isinstance(call.args[0], ast.Constant)]
    assert len(set(names)) == len(names)


def test_names_of_artifacts_do_not_clash_between_notebooks():
    owner = {}
    for source in SOURCES:
        for kind, call in artifact_calls(source):
            key = (kind, ast.unparse(call.args[0]))
            assert owner.setdefault(key, source.stem) == source.stem, key


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_pictures_are_explained(source):
    figures = sum(kind == "figure" for kind, _ in artifact_calls(source))
    assert prose(source).count("**Look at**") >= figures / 2


@pytest.mark.parametrize("source", SOURCES, ids=NAMES)
def test_only_the_package_is_called(source):
    """No file of the project is opened by path, and no private name is used."""
    code = "\n".join(cell.source for cell in cells(source, "code"))
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            assert not any(part.startswith("_") for part in node.module.split("."))
        if isinstance(node, ast.Attribute):
            assert node.attr == "__name__" or not node.attr.startswith("_"), node.attr
    assert not re.search(r"__file__|getcwd|\.\./|sys\.path", code)
