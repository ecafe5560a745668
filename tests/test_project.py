"""The project's own rules: versions, dependencies, notebooks, layers, docstrings."""

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


def test_reports_are_light():
    weights = {
        path: path.stat().st_size
        for path in tracked_files()
        if path.is_relative_to(ROOT / "reports")
    }
    heaviest = sorted(weights, key=weights.get)[-3:]
    assert sum(weights.values()) < 12e6, f"the heaviest: {heaviest}"
    shards = [path for path in weights if path.name.endswith(".json.gz")]
    assert not shards, "acoibl pack --profile paper"


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


def is_record(name):
    """Dataclasses and named tuples: their fields may be described as attributes, and in groups."""
    module, _, attribute = name.rpartition(".")
    try:
        member = getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError:  # a method
        return False
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
