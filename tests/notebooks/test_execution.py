"""Every notebook runs from top to bottom, from an empty folder, and leaves its artifacts."""

import re

import nbformat
import papermill
import pytest

from tests.notebooks.pairing import sources
from tests.waiting import LIMIT

SOURCES = sources()
pytestmark = [
    pytest.mark.slow,
    # jupyter-client names no event loop of its own, and papermill's clock is naive.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


def outputs(book):
    return [output for cell in book.cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize("source", SOURCES, ids=[source.stem for source in SOURCES])
def test_smoke(source, tmp_path):
    done, report = tmp_path / "done.ipynb", tmp_path / "report"
    papermill.execute_notebook(
        str(source.with_suffix(".ipynb")),
        str(done),
        parameters={"profile": "smoke", "output": str(report)},
        kernel_name="python3",
        progress_bar=False,
        start_timeout=LIMIT,
        cwd=str(tmp_path),
    )
    book = nbformat.read(done, as_version=4)

    noise = [
        out.text for out in outputs(book) if out.output_type == "stream" and out.name == "stderr"
    ]
    assert not noise

    shown = "\n".join(str(out.data.get("text/html", "")) for out in outputs(book) if "data" in out)
    images = re.findall(r"<img\b[^>]*>", shown)
    assert images
    for image in images:
        assert len(re.search(r'alt="([^"]*)"', image)[1]) > 20
    assert "image/png" not in {key for out in outputs(book) for key in out.get("data", {})}, (
        "a figure is shown without going through the report"
    )

    drawn = {path.stem for path in (report / "figures").glob("*.svg")}
    assert len(drawn) == len(images), "every figure of the report is shown, and only those"
    assert drawn == {path.stem for path in (report / "figures").glob("*.png")}
    tables = (
        {path.suffix for path in (report / "tables").iterdir()}
        if (report / "tables").is_dir()
        else set()
    )
    assert tables in (set(), {".csv", ".md", ".tex"})
    assert {path.name for path in tmp_path.iterdir()} == {"done.ipynb", "report"}
