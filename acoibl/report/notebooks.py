"""The notebooks of a report: found, their parameters read and checked, converted in memory."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from acoibl.experiments.protocol import unknown
from acoibl.experiments.runner import check_datasets
from acoibl.report.errors import ReportError, UnknownNameError

_FILE = re.compile(r"\d\d_\w+\.py")
DRIVEN = ("profile", "output")
"""Parameters that a report sets itself."""

DATASETS = "datasets"
"""Parameter that holds names of datasets; an empty one stands for those of the profile."""


@dataclass(frozen=True)
class Notebook:
    """A notebook in its source form.

    Parameters
    ----------
    path : Path
        Percent script ``NN_topic.py``.
    parameters : dict
        Names and literal values of the cell tagged ``parameters``.
    """

    path: Path
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the file without its ending."""
        return self.path.stem

    def read(self) -> nbformat.NotebookNode:
        """Convert to a notebook.

        Returns
        -------
        NotebookNode
            Without outputs, for the kernel ``python3``.
        """
        return _read(self.path)


def find_notebooks(folder: Path, chosen: Iterable[str] | None = None) -> list[Notebook]:
    """Notebooks of a folder.

    Parameters
    ----------
    folder : Path
        Folder of ``NN_topic.py`` files.
    chosen : iterable of str, optional
        Which ones, by name (``"05_experiment_a"``), number (``"05"``, ``"5"``) or topic
        (``"experiment_a"``); all by default.

    Returns
    -------
    list of Notebook
        In the order of their numbers.

    Raises
    ------
    UnknownNameError
        For a name that fits no notebook.
    ReportError
        If the folder has none, or one cannot be read.
    """
    paths = {path.stem: path for path in sorted(folder.glob("*.py")) if _FILE.fullmatch(path.name)}
    if not paths:
        raise ReportError(f"there are no notebooks NN_topic.py in {folder}")
    names = list(paths) if chosen is None else [_match(name, paths) for name in chosen]
    notebooks = []
    for name in sorted(set(names)):
        notebooks.append(Notebook(paths[name], read_parameters(_read(paths[name]), name)))
    return notebooks


def read_parameters(notebook: nbformat.NotebookNode, name: str) -> dict[str, Any]:
    """Names and values that the cell tagged ``parameters`` assigns.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook.
    name : str
        Its name, for messages.

    Returns
    -------
    dict
        Empty when there is no such cell.

    Raises
    ------
    ReportError
        If the cell holds anything but assignments of plain literals.
    """
    values: dict[str, Any] = {}
    for cell in notebook.cells:
        if cell.cell_type != "code" or "parameters" not in cell.metadata.get("tags", []):
            continue
        for statement in _parse(cell.source, name):
            target, value = _assignment(statement)
            if target is None:
                raise ReportError(
                    f"notebook {name}: its parameters cell may only assign plain literals, "
                    f"line {statement.lineno} does something else"
                )
            values[target] = value
    return values


def check_values(
    notebooks: Iterable[Notebook], given: Mapping[str, Any] | Iterable[str] | None
) -> dict[str, Any]:
    """Check values for parameters before anything runs.

    Parameters
    ----------
    notebooks : iterable of Notebook
        The notebooks that will run.
    given : dict, or iterable of str, optional
        Values by name, or texts ``"name=value"`` with a Python literal as value (quotes may be
        left out where the notebook has text). A parameter ``datasets`` holds names of
        datasets, which are checked too.

    Returns
    -------
    dict
        Checked values by name.

    Raises
    ------
    UnknownNameError
        For a name that none of the notebooks has (with the nearest one), a value that is no
        literal, or one of another type than the notebook's own, or an unknown dataset.
    """
    notebooks = list(notebooks)
    given = {} if given is None else given
    literal = isinstance(given, Mapping)
    pairs = list(given.items()) if isinstance(given, Mapping) else [_split(text) for text in given]
    known = sorted({name for notebook in notebooks for name in notebook.parameters})
    values = {}
    for name, value in pairs:
        if name in DRIVEN:
            raise UnknownNameError(f"{name} is not set by --set; use --{name}")
        if name not in known:
            raise UnknownNameError(unknown("parameter", name, set(known) - set(DRIVEN)))
        for notebook in notebooks:
            if name in notebook.parameters:
                values[name] = _check(name, value, notebook, parse=not literal)
        if name == DATASETS and values[name]:
            _check_names(values[name])
    return values


def _check_names(names: Any) -> None:
    if not isinstance(names, str | list | tuple) or not all(isinstance(n, str) for n in names):
        raise UnknownNameError(f"parameter {DATASETS} must hold names, not {names!r}")
    check_datasets(names)


def _check(name: str, value: Any, notebook: Notebook, *, parse: bool) -> Any:
    default = notebook.parameters[name]
    if parse:
        try:
            parsed = ast.literal_eval(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            if not isinstance(default, str):
                raise UnknownNameError(
                    f"parameter {name}={value!r} is no Python literal; {notebook.name} has "
                    f"{default!r}, {_kind(default)}"
                ) from None
            parsed = value
        value = parsed
    if default is None or type(value) is type(default):
        return value
    if type(default) is float and type(value) is int:
        return float(value)
    raise UnknownNameError(
        f"parameter {name} must be {_kind(default)} like {default!r} in {notebook.name}, "
        f"not {_kind(value)} like {value!r}"
    )


def _kind(value: Any) -> str:
    names = {str: "text", int: "a whole number", float: "a number", bool: "True or False"}
    return names.get(type(value), f"a {type(value).__name__}")


def _split(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")  # a value may hold "=" too
    if not sign or not name.strip().isidentifier():
        raise UnknownNameError(f"{text!r} does not set a parameter; write name=value")
    return name.strip(), value.strip()


def _match(wanted: str, paths: Mapping[str, Path]) -> str:
    wanted = wanted.removesuffix(".py").removesuffix(".ipynb")
    for name in paths:
        number, _, topic = name.partition("_")
        if wanted in (name, number, topic) or (wanted.isdigit() and int(wanted) == int(number)):
            return name
    raise UnknownNameError(unknown("notebook", wanted, paths))


def _read(path: Path) -> nbformat.NotebookNode:
    import jupytext

    try:
        notebook = jupytext.read(path, fmt="py:percent")
    except Exception as error:  # any parser's error names no file
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ReportError(f"cannot read the notebook {path}: {reason}") from error
    notebook.metadata["kernelspec"] = kernelspec()
    return notebook


def kernelspec() -> dict[str, str]:
    """Name of the kernel that every notebook states, whatever ran it.

    Returns
    -------
    dict
        For the notebook's metadata.
    """
    return {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def _parse(source: str, name: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError as error:
        raise ReportError(f"notebook {name}: its parameters cell is no Python: {error}") from error


def _assignment(statement: ast.stmt) -> tuple[str | None, Any]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return None, None
    if not isinstance(target, ast.Name):
        return None, None
    try:
        return target.id, ast.literal_eval(value)
    except ValueError:
        return None, None
