"""The project's own rules: versions, dependencies, notebooks, layers, docstrings."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import acoibl

ROOT = Path(__file__).parents[1]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.py"))


def tracked_files():
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in files if path.is_file()]


def test_environment_names_the_dependencies_of_pyproject():
    project, groups = METADATA["project"], METADATA["dependency-groups"]
    expected = {
        *project["dependencies"],
        *project["optional-dependencies"]["report"],
        *groups["test"],
        *groups["lint"],
        f"python{project['requires-python']}",
    }
    entries = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    from_pip = next(entry["pip"] for entry in entries if isinstance(entry, dict))
    named = {entry for entry in entries if isinstance(entry, str)} | set(from_pip)
    assert named - {"pip", "-e ."} == expected


def test_dependencies_have_floors_and_no_caps():
    project = METADATA["project"]
    extras = project["optional-dependencies"].values()
    for requirement in [*project["dependencies"], *(r for extra in extras for r in extra)]:
        assert re.fullmatch(r"[a-z0-9-]+(\[[a-z]+\])?>=[0-9.]+", requirement), requirement


def test_versions_agree():
    version = METADATA["project"]["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE)
    assert acoibl.__version__ == citation["version"] == releases[0] == version


def test_what_others_read_about_the_project_agrees():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = METADATA["project"]
    assert citation["repository-code"] == project["urls"]["Homepage"]
    assert [a["name"] for a in citation["authors"]] == [a["name"] for a in project["authors"]]
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert [step["run"] for step in steps if "run" in step] == ["bash .ci/run"]
    for form in (ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"):
        asked = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(asked)


def test_no_file_names_a_package_registry():
    hosts = re.compile(
        r"(pypi|pythonhosted|pypi\.python|anaconda|npmjs|debian)\.(org|com|io|net)", re.IGNORECASE
    )
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked_files()
        if (match := hosts.search(path.read_text(encoding="utf-8", errors="ignore")))
    ]
    assert not found


def clock_faults(tree):
    """Lines that assert what a clock says, or end a wait after a number of seconds of their own."""

    def asks_clock(node):
        return any(
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in ("time", "monotonic", "perf_counter", "process_time")
            and getattr(part.func.value, "id", "") == "time"
            for part in ast.walk(node)
        )

    times = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and asks_clock(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if asks_clock(node) or names & times:
                yield node.lineno
        elif (
            isinstance(node, ast.keyword)
            and (node.arg or "").endswith("timeout")
            and isinstance(node.value, ast.Constant)
            and node.value.value is not None
        ):
            yield node.value.lineno


def test_no_test_depends_on_the_wall_clock():
    """A busy machine takes ten times as long; tests.waiting has the one limit for what hangs."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for line in clock_faults(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found
    wrong = "begun = time.monotonic()\nf(timeout=9)\nassert g()\nassert begun + 5 > 3"
    assert sorted(clock_faults(ast.parse(wrong))) == [2, 4]


def test_modules_are_short():
    long = {}
    for path in (ROOT / "acoibl").rglob("*.py"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > 400:
            long[str(path.relative_to(ROOT))] = lines
    assert not long, "one idea a module, at most 400 lines"


def test_layers_import_downwards_only():
    pytest.importorskip("importlinter")
    code = "import sys; from importlinter.cli import lint_imports_command as c; sys.exit(c())"
    run = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def layers():
    contract = next(
        c for c in METADATA["tool"]["importlinter"]["contracts"] if c["type"] == "layers"
    )
    return [{name.strip() for name in layer.split("|")} for layer in contract["layers"]]


def test_every_package_has_its_layer():
    modules = {module.name for module in pkgutil.iter_modules(acoibl.__path__, "acoibl.")}
    assert set().union(*layers()) == modules


def test_contributors_are_told_the_layers_that_are_kept():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("| layer | holds |")[2].partition("\n\n")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    assert [{f"acoibl.{name}" for name in re.findall("`(.+?)`", row)} for row in rows] == layers()


def public_objects():
    """Functions and classes that a package lists in __all__, and the classes' own methods."""
    modules = ["acoibl"]
    for module in pkgutil.iter_modules(acoibl.__path__, "acoibl."):
        if not module.name.startswith(("acoibl._", "acoibl.kernels", "acoibl.cli")):
            modules.append(module.name)
    seen = {}
    for module in modules:
        for name in getattr(importlib.import_module(module), "__all__", []):
            member = getattr(importlib.import_module(module), name)
            if not (inspect.isclass(member) or inspect.isfunction(member)):
                continue
            seen.setdefault(id(member), f"{module}.{name}")
            if inspect.isclass(member):
                for method, function in inspect.getmembers(member, inspect.isfunction):
                    if not method.startswith("_") and function.__module__.startswith("acoibl"):
                        seen.setdefault(id(function), f"{module}.{name}.{method}")
    return sorted(seen.values())


def test_public_functions_have_types():
    untyped = {}
    for name in public_objects():
        function = find(name)
        if inspect.isclass(function):
            function = vars(function).get("__init__")
        if function is None:
            continue
        signature = inspect.signature(function)
        parameters = [p for p in signature.parameters.values() if p.name != "self"]
        missing = [p.name for p in parameters if p.annotation is p.empty]
        if function.__name__ != "__init__" and signature.return_annotation is signature.empty:
            missing.append("return")
        if missing:
            untyped[name] = missing
    assert not untyped


def find(name):
    """Function, class or method of a dotted name."""
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError:  # a method
        return getattr(find(module), attribute)


def is_record(name):
    """Dataclasses and named tuples: their fields may be described as attributes, and in groups."""
    member = find(name)
    return dataclasses.is_dataclass(member) or hasattr(member, "_fields")


def test_public_docstrings_are_complete():
    validate = pytest.importorskip("numpydoc.validate").validate
    wanted = set(METADATA["tool"]["numpydoc_validation"]["checks"])
    problems = []
    for name in public_objects():
        codes = wanted - {"PR01", "PR02", "PR03"} if is_record(name) else wanted
        errors = validate(name)["errors"]
        problems += [f"{name}: {code} {text}" for code, text in errors if code in codes]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_paired_by_content_and_has_no_outputs(script):
    jupytext = pytest.importorskip("jupytext")
    notebook = script.with_suffix(".ipynb")
    assert notebook.is_file(), f"{notebook.name} is missing: make pair"
    source, pair = jupytext.read(script), jupytext.read(notebook)

    def content(book):
        return [
            (cell.cell_type, cell.metadata.get("tags", []), cell.source.strip())
            for cell in book.cells
        ]

    assert content(source) == content(pair), (
        f"{notebook.name} differs from {script.name}, which is the source: make pair"
    )
    for cell in pair.cells:
        if cell.cell_type == "code":
            assert not cell.outputs
            assert cell.execution_count is None


def test_every_ipynb_has_its_script():
    scripts = {path.stem for path in NOTEBOOKS}
    assert {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")} <= scripts
