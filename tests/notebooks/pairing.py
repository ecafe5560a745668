"""Pair notebooks by content: the percent script is the source, the .ipynb follows from it.

``python -m tests.notebooks.pairing`` rewrites the .ipynb files; the tests fail when that would
change one. Times of files say nothing (git sets them at will), so they are never looked at.
"""

import difflib
import hashlib
import sys
from pathlib import Path

import jupytext
import nbformat

from acoibl.paths import shared_folder


def sources() -> list[Path]:
    """Percent scripts of the notebooks, in their order."""
    return sorted(shared_folder("notebooks").glob("[0-9][0-9]_*.py"))


def paired_text(source: Path) -> str:
    """Text that the .ipynb beside a percent script must have.

    A cell that did not change keeps the id that the present .ipynb gives it; another one gets
    an id made from its content. So a change of one cell is a change of that cell only. All else
    is as ``jupytext --sync`` and JupyterLab write it (`notebooks/jupytext.toml`).
    """
    notebook = jupytext.read(source, fmt="py:percent")
    notebook.metadata.get("jupytext", {}).pop("text_representation", None)
    notebook.metadata.setdefault("language_info", {"name": "python"})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    ids = _kept_ids(notebook.cells, source.with_suffix(".ipynb"))
    taken = set(ids.values())
    for place, cell in enumerate(notebook.cells):
        cell["id"] = ids.get(place) or _fresh_id(cell, taken)
        if cell.cell_type == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return nbformat.writes(notebook) + "\n"


def write_all() -> list[Path]:
    """Bring every .ipynb up to date; returns those that changed."""
    changed = []
    for source in sources():
        target, text = source.with_suffix(".ipynb"), paired_text(source)
        if not target.is_file() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")
            changed.append(target)
    return changed


def _kept_ids(cells: list, target: Path) -> dict[int, str]:
    if not target.is_file():
        return {}
    old = nbformat.read(target, as_version=4).cells
    matcher = difflib.SequenceMatcher(None, _keys(old), _keys(cells), autojunk=False)
    return {
        block.b + i: old[block.a + i]["id"]
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
        if "id" in old[block.a + i]
    }


def _keys(cells: list) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in cells]


def _fresh_id(cell: nbformat.NotebookNode, taken: set[str]) -> str:
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()
    cell_id = next(
        digest[start : start + 8] for start in range(56) if digest[start : start + 8] not in taken
    )
    taken.add(cell_id)
    return cell_id


if __name__ == "__main__":
    for path in write_all():
        print(f"wrote {path.name}", file=sys.stderr)
