"""The first page of a report and its summary."""

import os
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import joblib

from acoibl import __version__
from acoibl.experiments import tables
from acoibl.experiments.protocol import Profile
from acoibl.files import write_atomically
from acoibl.report.parts import read_parts
from acoibl.report.render import TableView
from acoibl.report.templates import render_page

_PACKAGES = (
    "numpy",
    "numba",
    "scipy",
    "pandas",
    "scikit-learn",
    "joblib",
    "matplotlib",
    "papermill",
)
_EXPERIMENT = re.compile(r"\d\d_experiment_[ab]")  # notebooks that run on the profile's datasets
_LINES = 10


def write_index(
    folder: Path,
    profile: Profile,
    state: Mapping[str, Mapping[str, Any]],
    say: Callable[[str], Any] | None = None,
    *,
    waiting: Sequence[str] = (),
) -> list[str]:
    """Write ``index.html`` from what the notebooks have left.

    Parameters
    ----------
    folder : Path
        Folder of the report.
    profile : Profile
        Profile of the run.
    state : dict of str to dict
        The notebooks and how they ended.
    say : callable, optional
        Gets a line for every file of the folder that is left out.
    waiting : sequence of str, optional
        Notebooks that were to run and that an interrupted run did not come to.

    Returns
    -------
    list of str
        The lines of the summary, ten at most.
    """
    parts = read_parts(folder, say)
    data, note, lines = "", "", []
    if any(entry["status"] == "ok" and _EXPERIMENT.match(name) for name, entry in state.items()):
        data, note, rows_line = _datasets(profile)
        lines = [_protocol(profile), rows_line]
    summary = _summary(profile, state, parts, lines, waiting)
    page = render_page(
        "index.html.j2",
        title=f"acoibl report: {profile.name}",
        summary=summary,
        notebooks=[_notebook(folder, name, state[name]) for name in sorted(state)],
        sections=_sections(folder, state, parts),
        facts=_facts(profile, state, parts),
        datasets_html=data,
        datasets_note=note,
    )
    write_atomically(folder / "index.html", page)
    return summary


def _protocol(profile: Profile) -> str:
    cap = f"at most {profile.max_rows:,} rows a dataset" if profile.max_rows else "all rows"
    seeds = f"up to {len(profile.seeds)} seeds" if len(profile.seeds) > 1 else "1 seed"
    return (
        f"Protocol of Experiments A and B: {profile.n_folds} stratified folds, "
        f"{seeds} a fold, {cap}, at most {profile.max_iter:,} iterations "
        "a colony."
    )


def _summary(
    profile: Profile,
    state: Mapping,
    parts: list[dict],
    protocol: list[str],
    waiting: Sequence[str],
) -> list[str]:
    good = sum(entry["status"] == "ok" for entry in state.values())
    seconds = sum(entry["seconds"] for entry in state.values())
    lines = [
        f"acoibl {__version__}, profile {profile.name}: {good} of {len({*state, *waiting})} "
        f"notebooks finished, {seconds:.0f} s in all.",
        *protocol,
    ]
    unfinished = {
        name: f"{name} ({entry['status']})"
        for name, entry in state.items()
        if entry["status"] != "ok"
    }
    for name in waiting:
        again = state.get(name, {}).get("status") == "ok"
        unfinished[name] = f"{name} (not {'run again' if again else 'started'})"
    if unfinished:
        lines.append(f"Not finished: {', '.join(unfinished[name] for name in sorted(unfinished))}.")
    counts = {kind: sum(part["kind"] == kind for part in parts) for kind in ("table", "figure")}
    last = f"Tables: {counts['table']}, figures: {counts['figure']}."
    found = [list(part["summary"]) for part in parts if part["kind"] == "facts"]
    return [*lines[: _LINES - 1], *_share(found, _LINES - 1 - len(lines)), last]


def _share(found: list[list[str]], n: int) -> list[str]:
    """Of n lines give every notebook one, then every notebook a second one, and so on."""
    turns = [(turn, number) for number, lines in enumerate(found) for turn in range(len(lines))]
    chosen = sorted(turns)[: max(n, 0)]
    return [found[number][turn] for turn, number in sorted(chosen, key=lambda pair: pair[::-1])]


def _facts(profile: Profile, state: Mapping, parts: list[dict]) -> dict[str, dict[str, str]]:
    facts = {
        "": {
            "acoibl": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in _PACKAGES},
            "machine": f"{platform.system()} {platform.machine()}, {joblib.cpu_count()} cores",
            "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        },
        "Profile": profile.describe(),
    }
    if os.environ.get("ACOIBL_DATA"):
        facts[""]["ACOIBL_DATA"] = "set: datasets of that folder come first"
    for part in parts:
        if part["kind"] == "facts" and part["facts"]:
            facts[part["notebook"] or "interactive"] = part["facts"]
    return facts


def _datasets(profile: Profile) -> tuple[str, str, str]:
    try:
        table = tables.dataset_table(profile)
    except Exception as error:  # data that cannot be had must not cost the page
        return "", "", f"Datasets: {len(profile.datasets)} ({type(error).__name__}: {error})"
    used, total = int(table["rows used"].sum()), int(table["rows"].sum())
    cut = int((table["rows used"] < table["rows"]).sum())
    line = (
        f"Datasets: {len(table)}, {used:,} of {total:,} rows ({cut} datasets cut by the row cap)."
    )
    return TableView(table, "datasets", "", None, 2).html(), line, line


def _notebook(folder: Path, name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    page = f"notebooks/{name}.html"
    return {**entry, "name": name, "page": page if (folder / page).is_file() else ""}


def _sections(folder: Path, state: Mapping, parts: list[dict]) -> list[dict[str, Any]]:
    """Tables and figures by the notebook that made them, in the order it made them."""
    sections: dict[str, dict[str, Any]] = {}
    for part in parts:
        if part["kind"] not in ("table", "figure"):
            continue
        name = part["notebook"]
        entry = state.get(name, {})
        section = sections.setdefault(
            name,
            {
                **_notebook(folder, name, entry),
                "title": entry.get("title") or name or "Made by hand",
                "anchor": f"from-{name or 'hand'}",
                "stale": False,
                "parts": [],
            },
        )
        finished = entry.get("status", "ok") == "ok"
        section["stale"] |= not finished and entry.get("run") != part["run"]
        section["parts"].append(part)
    return list(sections.values())


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
