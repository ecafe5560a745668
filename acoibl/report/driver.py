"""Runs the notebooks of a report one after the other and writes its first page."""

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from acoibl.experiments.folders import OUTPUT_VARIABLE, report_folder
from acoibl.experiments.protocol import Profile, get_profile
from acoibl.experiments.store import remove_leftovers, write_atomically
from acoibl.paths import check_writable, shared_folder
from acoibl.report.artifacts import NOTEBOOK_VARIABLE, RUN_VARIABLE
from acoibl.report.errors import ReportError
from acoibl.report.execute import Outcome, execute
from acoibl.report.index import write_index
from acoibl.report.notebooks import Notebook, check_values, find_notebooks
from acoibl.report.pages import notebook_page, notebook_title
from acoibl.report.parts import STATE, read_parts, read_state

_FOLDERS = ("tables", "figures", "notebooks", "parts", "results")
_FILES = (STATE, "index.html")


@dataclass
class ReportRun:
    """What a run of a report did.

    Attributes
    ----------
    folder : Path
        Folder of the report.
    index : Path
        Its first page.
    summary : list of str
        The ten lines at its top.
    failed : dict of str to str
        Notebooks that stopped, and why.
    interrupted : bool
        Whether Ctrl-C ended the run.
    """

    folder: Path
    index: Path
    summary: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    @property
    def exit_code(self) -> int:
        """0, or 1 when a notebook failed, or 130 after Ctrl-C."""
        return 130 if self.interrupted else int(bool(self.failed))


def run_report(
    profile: str | Profile,
    *,
    notebooks: Iterable[str] | None = None,
    set_values: Mapping[str, Any] | Iterable[str] | None = None,
    output: str | Path | None = None,
    fresh: bool = False,
    folder: str | Path | None = None,
    say: Callable[[str], Any] | None = None,
) -> ReportRun:
    """Run notebooks and build the page that shows what they found.

    Names, parameters and the output folder are checked before anything runs. A notebook that
    fails does not stop the others. The folder gets ``index.html``, ``tables/``, ``figures/``,
    ``notebooks/`` (executed, as HTML and ipynb) and ``results/`` (stored results of experiments,
    so that the next run computes only what is missing).

    Parameters
    ----------
    profile : str or Profile
        ``"smoke"``, ``"quick"`` or ``"paper"``.
    notebooks : iterable of str, optional
        Which ones, by name, number or topic; all by default. What the others left in the folder
        stays.
    set_values : dict, or iterable of "name=value", optional
        Values for the notebooks' parameters.
    output : str or Path, optional
        Folder of the report; ``reports/<profile>`` by default.
    fresh : bool, default=False
        Begin anew: remove the report and the stored results first.
    folder : str or Path, optional
        Where the notebooks are; those of the project by default.
    say : callable, optional
        Gets every line of progress; printed by default.

    Returns
    -------
    ReportRun
        Where the report is, its summary, and which notebooks failed.

    Raises
    ------
    UnknownNameError
        For an unknown profile, notebook or parameter, or a value of the wrong type.
    ReportError
        If the folder cannot be written or a package that makes reports is missing.
    """
    _check_packages()
    profile = get_profile(profile)
    chosen = find_notebooks(Path(folder) if folder else shared_folder("notebooks"), notebooks)
    values = check_values(chosen, set_values)
    target = (Path(output) if output else report_folder(profile.name)).absolute()
    _prepare(target, fresh)
    return _Run(profile, chosen, values, target, say or _print).go()


class _Run:
    def __init__(
        self,
        profile: Profile,
        notebooks: list[Notebook],
        values: Mapping[str, Any],
        target: Path,
        say: Callable[[str], Any],
    ):
        self.profile, self.notebooks, self.values = profile, notebooks, values
        self.target, self.say = target, say
        self.id = secrets.token_hex(4)
        self.state = {
            name: entry
            for name, entry in read_state(target, say).items()
            if entry["profile"] == profile.name
        }
        self.result = ReportRun(target, target / "index.html")

    def go(self) -> ReportRun:
        number = 0
        for number, notebook in enumerate(self.notebooks, 1):
            self.say(f"[{number}/{len(self.notebooks)}] {notebook.name} ... ")
            outcome = execute(
                notebook.read(), self._parameters(notebook), self._environment(notebook)
            )
            self._keep(notebook, outcome)
            if outcome.interrupted:
                self.say(f"interrupted after {outcome.seconds:.0f} s\n")
                self.result.interrupted = True
                break
            if outcome.error:
                self.result.failed[notebook.name] = outcome.error
                self.say(f"FAILED after {outcome.seconds:.0f} s\n      {outcome.error}\n")
            else:
                self.say(f"ok {outcome.seconds:.0f} s\n")
        waiting = [notebook.name for notebook in self.notebooks[number:]]
        self.result.summary = write_index(
            self.target, self.profile, self.state, self.say, waiting=waiting
        )
        self._finish()
        return self.result

    def _parameters(self, notebook: Notebook) -> dict[str, Any]:
        own = {"profile": self.profile.name, "output": str(self.target)}
        given = {**self.values, **own}
        return {name: given[name] for name in notebook.parameters if name in given}

    def _environment(self, notebook: Notebook) -> dict[str, str]:
        environment = {
            OUTPUT_VARIABLE: str(self.target),
            NOTEBOOK_VARIABLE: notebook.name,
            RUN_VARIABLE: self.id,
            # Order of sets and dicts of strings, on which some drawing libraries depend.
            "PYTHONHASHSEED": "0",
            # A backend chosen for scripts (Agg) would leave the notebooks without pictures.
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            # Pooch asks tqdm for a widget; that there is none is no news for a reader.
            "PYTHONWARNINGS": ",".join(
                filter(None, [os.environ.get("PYTHONWARNINGS"), "ignore:IProgress not found"])
            ),
        }
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[variable] = os.environ.get(variable, "1")  # joblib has the cores
        return environment

    def _keep(self, notebook: Notebook, outcome: Outcome) -> None:
        pages = self.target / "notebooks"
        text = _as_json(outcome.notebook)
        page = notebook_page(
            outcome.notebook, name=notebook.name, home="../index.html", note=outcome.error
        )
        write_atomically(pages / f"{notebook.name}.ipynb", text)
        write_atomically(pages / f"{notebook.name}.html", page)
        status = "interrupted" if outcome.interrupted else "failed" if outcome.error else "ok"
        self.state[notebook.name] = {
            "profile": self.profile.name,
            "title": notebook_title(outcome.notebook) or notebook.name,
            "status": status,
            "seconds": round(outcome.seconds, 1),
            "error": outcome.error,
            "finished": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            "parameters": self._shown(notebook),
            "run": self.id,
        }
        if status == "ok":
            self._drop_stale(notebook.name)
        write_atomically(self.target / STATE, json.dumps(self.state, indent=1, ensure_ascii=False))

    def _shown(self, notebook: Notebook) -> str:
        values = {**notebook.parameters, **self._parameters(notebook)}
        values.pop("output", None)
        return ", ".join(f"{name}={value!r}" for name, value in values.items())

    def _drop_stale(self, name: str) -> None:
        """Remove what an earlier run of this notebook made and this one did not."""
        for part in read_parts(self.target):
            if part["notebook"] == name and part["run"] != self.id:
                part["path"].unlink(missing_ok=True)
                for folder in {"table": ["tables"], "figure": ["figures"]}.get(part["kind"], []):
                    for path in (self.target / folder).glob(f"{part['name']}.*"):
                        path.unlink(missing_ok=True)

    def _finish(self) -> None:
        self.say("\n")
        for line in self.result.summary:
            self.say(f"{line}\n")
        if self.result.interrupted:
            self.say(
                "\nInterrupted: what was finished is stored. Give the same command again and it "
                "goes on from there.\n"
            )
        elif self.result.failed:
            self.say(f"\nFAILED: {', '.join(self.result.failed)}. Partial notebooks are kept.\n")
        self.say(f"\n{self.result.index}\n")


def _print(text: str) -> None:
    print(text, end="", flush=True)


def _as_json(notebook: Any) -> str:
    import nbformat

    return nbformat.writes(notebook)


def _check_packages() -> None:
    from importlib.util import find_spec

    needed = (
        "jinja2",
        "jupytext",
        "latex2mathml",
        "nbconvert",
        "papermill",
        "ipykernel",
        "tabulate",
    )
    missing = [name for name in needed if find_spec(name) is None]
    if missing:
        raise ReportError(
            f"reports need {', '.join(missing)}; install them with: pip install 'acoibl[report]'"
        )


def _prepare(target: Path, fresh: bool) -> None:
    """Make the folder and prove that files can be written in it and in those that it has."""
    if fresh and target.is_dir() and any(target.iterdir()) and not (target / STATE).is_file():
        raise ReportError(f"{target} is not empty and holds no report; --fresh would clear it")
    for folder in (target, *(target / name for name in _FOLDERS)):
        if folder == target or os.path.lexists(folder):
            _check_writable(folder)
    for name in _FILES:
        if (target / name).is_dir():
            raise ReportError(f"cannot write {target / name}: it is a folder")
    if fresh:
        for name in _FOLDERS:
            shutil.rmtree(target / name, ignore_errors=True)
        for name in _FILES:
            (target / name).unlink(missing_ok=True)
    remove_leftovers(target)


def _check_writable(folder: Path) -> None:
    try:
        check_writable(folder)
    except OSError as error:
        reason = "it is no folder" if isinstance(error, FileExistsError) else error.strerror
        raise ReportError(f"cannot write the report to {folder}: {reason}") from None
