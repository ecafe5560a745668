"""What a notebook puts into the report: tables, figures, facts and lines of the summary."""

import base64
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from acoibl.experiments.folders import report_folder
from acoibl.experiments.protocol import Profile
from acoibl.files import is_reserved, write_atomically
from acoibl.report.escapes import escape_html, show_controls
from acoibl.report.parts import NAME, load_part
from acoibl.report.render import TableView

NOTEBOOK_VARIABLE = "ACOIBL_NOTEBOOK"
"""Environment variable in which the driver tells a kernel which notebook it runs."""

RUN_VARIABLE = "ACOIBL_RUN"
"""Environment variable with the driver's name for this run, to tell new parts from old ones."""


class Shown:
    """Something a notebook displays when it is the last line of a cell.

    Parameters
    ----------
    markup : str
        HTML.
    text : str
        The same for a terminal.
    """

    def __init__(self, markup: str, text: str):
        self._markup = markup
        self._text = text

    def _repr_html_(self) -> str:
        return self._markup

    def __repr__(self) -> str:
        return self._text


class Artifacts:
    """Tables, figures and facts that a notebook leaves in a report's folder.

    Every file is written under a temporary name and then renamed, so a reader never meets half
    a file. A name used again replaces what it stood for.

    Parameters
    ----------
    profile : str or Profile
        Profile of the run, such as ``"quick"``.
    output : str or Path, optional
        Folder of the report. By default the one that `run_report` announced to the notebook,
        else ``reports/<profile>``.

    Attributes
    ----------
    folder : Path
        Folder of the report.

    Examples
    --------
    >>> import tempfile
    >>> import pandas as pd
    >>> from acoibl.report import Artifacts
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = Artifacts("smoke", folder)
    ...     scores = pd.DataFrame({"a": [0.5], "b": [1.0]}, index=["iris"])
    ...     _ = report.table("scores", scores, caption="Accuracy", best="max")
    ...     sorted(path.name for path in (report.folder / "tables").iterdir())
    ['scores.csv', 'scores.md', 'scores.tex']
    """

    def __init__(self, profile: str | Profile, output: str | Path | None = None):
        self.profile = profile if isinstance(profile, str) else profile.name
        self.folder = Path(output) if output else report_folder(self.profile)
        self._notebook = os.environ.get(NOTEBOOK_VARIABLE, "")
        self._count = 0

    def table(
        self,
        name: str,
        table: pd.DataFrame,
        *,
        caption: str = "",
        best: str | None = None,
        decimals: int | Mapping[str, int] = 2,
    ) -> Shown:
        """Write a table as CSV, Markdown and LaTeX, and show it.

        Parameters
        ----------
        name : str
            Name of the files: letters, digits, ``_`` and ``-``.
        table : DataFrame
            Its index is the first column. Columns may have two levels. ``table.attrs`` may
            list, by label of the index, rows where the smallest number is the best
            (``"lower_is_better"``) and rows below a rule (``"summary_rows"``); the builders of
            `acoibl.experiments.tables` fill both in.
        caption : str, default=""
            Plain text; every special character is escaped.
        best : {"max", "min"} or None, default=None
            Which number of each row is bold; with two levels of columns, one for each upper
            level except "difference".
        decimals : int or dict, default=2
            Digits of non-integer numbers, for all columns or by column. Beyond two digits a
            number too small for them is written as a power of ten. The CSV file has them all.

        Returns
        -------
        Shown
            Displayed in a notebook when it is the last line of a cell.

        Raises
        ------
        TypeError
            If `table` is no DataFrame.
        ValueError
            If the name is not usable as a file name or `best` is unknown.
        """
        _check_name(name)
        if not isinstance(table, pd.DataFrame):
            raise TypeError(f"table {name!r} must be a DataFrame, not {type(table).__name__}")
        if best not in ("max", "min", None):
            raise ValueError(f"best must be 'max', 'min' or None, not {best!r}")
        view = TableView(table, name, caption, best, decimals)
        markup = view.html()
        folder = self.folder / "tables"
        write_atomically(folder / f"{name}.csv", view.flat().to_csv(lineterminator="\n"))
        write_atomically(folder / f"{name}.md", view.markdown())
        write_atomically(folder / f"{name}.tex", view.latex())
        self._register("table", name, caption=show_controls(caption), html=markup)
        return Shown(f"{_STYLE}{markup}", table.to_string())

    def figure(self, name: str, figure: Any, *, caption: str = "") -> Shown:
        """Write a figure as SVG and PNG, close it, and show it.

        The SVG has fixed identifiers and no date: the same figure gives the same file.

        Parameters
        ----------
        name : str
            Name of the files: letters, digits, ``_`` and ``-``.
        figure : matplotlib Figure, Axes or anything with a ``figure``
            What to draw. The figure is closed; show it by making this the last line of a cell.
        caption : str, default=""
            Plain text.

        Returns
        -------
        Shown
            Displayed in a notebook when it is the last line of a cell.

        Raises
        ------
        ValueError
            If the name is not usable as a file name.
        """
        import matplotlib.pyplot as plt

        _check_name(name)
        figure = figure if hasattr(figure, "savefig") else _root_figure(figure)
        folder = self.folder / "figures"
        images = {}
        with plt.rc_context({"svg.hashsalt": name}):
            for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
                stream = io.BytesIO()
                figure.savefig(stream, format=kind, bbox_inches="tight", dpi=144, metadata=metadata)
                images[kind] = stream.getvalue() if kind == "svg" else _few_colours(stream)
                write_atomically(folder / f"{name}.{kind}", images[kind])
        plt.close(figure)
        caption = show_controls(caption)
        self._register("figure", name, caption=caption)
        data = base64.b64encode(images["png"]).decode("ascii")
        text = escape_html(caption)
        # Half its pixels wide, for the figure was rendered for a dense screen.
        width = int.from_bytes(images["png"][16:20], "big") // 2
        markup = (
            f'<figure><img style="width:{width}px;max-width:100%" alt="{text or name}" '
            f'src="data:image/png;base64,{data}"><figcaption>{text}</figcaption></figure>'
        )
        return Shown(markup, f"[figure {name}: {caption}]")

    def facts(self, facts: Mapping[str, Any]) -> None:
        """Add lines to the run facts at the end of the report's page.

        Parameters
        ----------
        facts : dict of str to object
            What to state; values are shown as text. The same key of the same notebook again
            replaces it.
        """
        self._merge("facts", {show_controls(k): show_controls(v) for k, v in facts.items()})

    def summary(self, *lines: str) -> None:
        """Add lines to the summary at the top of the page, printed after the run too.

        Parameters
        ----------
        *lines : str
            Plain sentences; the summary has ten lines in all, so some five are left to share.
        """
        self._merge("summary", dict.fromkeys(map(show_controls, lines), ""))

    def _merge(self, key: str, values: dict[str, str]) -> None:
        name = self._notebook or "interactive"
        part = self._read("facts", name)
        content = {field: part.get(field, {}) for field in ("facts", "summary")}
        content[key] = {**content[key], **values}
        self._register("facts", name, **content)

    def _read(self, kind: str, name: str) -> dict[str, Any]:
        try:
            part = load_part(self.folder / "parts" / f"{kind}-{name}.json")
        except (OSError, ValueError):
            return {}
        return part if part["run"] == _run_id() else {}

    def _register(self, kind: str, name: str, **content: Any) -> None:
        self._count += 1
        part = {
            "kind": kind,
            "name": name,
            "notebook": self._notebook,
            "run": _run_id(),
            "order": self._count,
            **content,
        }
        text = json.dumps(part, ensure_ascii=False, indent=1)
        write_atomically(self.folder / "parts" / f"{kind}-{name}.json", text)


def _run_id() -> str:
    return os.environ.get(RUN_VARIABLE, "")


def _check_name(name: str) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} cannot name a file of the report: use letters, digits, '_' and '-', "
            "80 at most, and begin with a letter or a digit"
        )
    if is_reserved(name):
        raise ValueError(f"{name!r} cannot name a file of the report: Windows keeps that name")


def _few_colours(image: io.BytesIO) -> bytes:
    """The same picture in 128 colours, which a drawing seldom has: a third of the bytes.

    Chosen to cover all colours: by how often they occur, the one red point would turn brown.
    """
    from PIL import Image

    stream = io.BytesIO()
    small = (
        Image.open(image)
        .convert("RGB")
        .quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    )
    small.save(stream, "png", optimize=True)
    return stream.getvalue()


def _root_figure(drawing: Any) -> Any:
    figure = getattr(drawing, "figure", None)
    if figure is None:
        raise TypeError(f"a figure or axes is needed, not {type(drawing).__name__}")
    while getattr(figure, "figure", figure) is not figure and not hasattr(figure, "savefig"):
        figure = figure.figure
    return figure


_STYLE = (
    "<style>table.data{border-collapse:collapse}table.data td,table.data th"
    "{padding:.15em .6em;text-align:left}table.data .n{text-align:right}"
    "p.caption{font-weight:600;margin:.6em 0}</style>"
)
