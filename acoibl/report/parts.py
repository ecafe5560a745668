"""What a report's folder tells of itself: read again, and left out where it makes no sense."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
"""Names of tables and figures."""

STATE = "report.json"
"""File in a report's folder that says which notebooks ran and how they ended."""

_TEXTS = ("profile", "title", "status", "error", "finished", "parameters", "run")


def read_parts(folder: Path, say: Callable[[str], Any] | None = None) -> list[dict[str, Any]]:
    """Everything that notebooks have registered in a report's folder.

    Parameters
    ----------
    folder : Path
        Folder of the report.
    say : callable, optional
        Gets a line for every file that is left out.

    Returns
    -------
    list of dict
        In the order of the notebooks and, within one, in the order of the calls. A file that
        cannot be read, or that holds something else than a part, is left out.
    """
    parts = []
    for path in sorted((folder / "parts").glob("*.json")):
        try:
            parts.append({**load_part(path), "path": path})
        except (OSError, ValueError) as error:
            _tell(say, path, error)
    return sorted(parts, key=lambda part: (part["notebook"], part["order"]))


def load_part(path: Path) -> dict[str, Any]:
    """One part: what a notebook has registered in one call.

    Parameters
    ----------
    path : Path
        JSON file.

    Returns
    -------
    dict
        With the keys kind, name, notebook, run and order; beside them caption, and html for a
        table, or facts and summary.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it holds something else.
    """
    part = _load(path)
    kind = part.get("kind")
    if kind not in ("table", "figure", "facts"):
        raise ValueError(f"its kind is {kind!r}")
    texts = {"table": ("caption", "html"), "figure": ("caption",), "facts": ()}[kind]
    _require(part, ["name", "notebook", "run", *texts], str)
    _require(part, ["order"], int)
    if kind == "facts":
        for key in ("facts", "summary"):
            _require(part, [key], dict)
            _require(part[key], list(part[key]), str)
    elif not NAME.fullmatch(part["name"]):
        raise ValueError(f"its name is {part['name']!r}")  # it is about to name a file
    return part


def read_state(folder: Path, say: Callable[[str], Any] | None = None) -> dict[str, dict[str, Any]]:
    """Notebooks of a report's folder and how they ended.

    Parameters
    ----------
    folder : Path
        Folder of the report.
    say : callable, optional
        Gets a line for what is left out.

    Returns
    -------
    dict of str to dict
        Empty when there is none or it cannot be read; an entry of another shape is left out.
    """
    path = folder / STATE
    try:
        content = _load(path)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        _tell(say, path, error)
        return {}
    state = {}
    for name, entry in content.items():
        try:
            if not isinstance(entry, dict) or not re.fullmatch(r"\d\d_\w{1,200}", name):
                raise ValueError(f"{name!r} is no entry of a notebook")
            entry = {"title": name, **entry}
            _require(entry, _TEXTS, str)
            _require(entry, ["seconds"], float)
            state[name] = entry
        except ValueError as error:
            _tell(say, path, error)
    return state


def _load(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
        json.dumps(content, ensure_ascii=False).encode("utf-8")  # half a surrogate pair
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError(f"it holds a {type(content).__name__}")
    return content


def _require(content: Mapping[str, Any], keys: Any, kind: type) -> None:
    for key in keys:
        value = content.get(key)
        fits = isinstance(value, int | float if kind is float else kind)
        if not fits or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{key!r} is {'missing' if key not in content else 'of another type'}")


def _tell(say: Callable[[str], Any] | None, path: Path, error: Exception) -> None:
    if say is not None:
        say(f"{path} is left out, for it is nothing that a report has written: {error}\n")
