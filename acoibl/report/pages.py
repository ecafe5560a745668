"""An executed notebook as an HTML page that needs no network."""

import base64
import html
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat

from acoibl.report.templates import render_page

_MATHML = "http://www.w3.org/1998/Math/MathML"
_LARGE = {"\u2211", "\u220f", "\u22c3", "\u22c2"}  # sum, product, union, intersection

# Environments that the converter does not know, or numbers, by the name of one that it does.
_ENVIRONMENTS = {
    "aligned": "align*",
    "align": "align*",
    "equation": "",
    "equation*": "",
    "gathered": "gather*",
    "gather": "gather*",
    "split": "align*",
}


def math_to_mathml(source: str, *, block: bool = False) -> str:
    r"""Convert a formula to MathML, which browsers draw by themselves.

    Parameters
    ----------
    source : str
        LaTeX without dollar signs.
    block : bool, default=False
        Whether the formula stands on a line of its own.

    Returns
    -------
    str
        A ``<math>`` element; a formula that cannot be converted is shown as code.

    Examples
    --------
    >>> math_to_mathml("a < b").startswith('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    True
    """
    from latex2mathml.converter import convert

    text = source.strip()
    for name, known in _ENVIRONMENTS.items():
        for side in ("begin", "end"):
            text = text.replace(f"\\{side}{{{name}}}", f"\\{side}{{{known}}}" if known else "")
    text = text.replace(r"\operatorname", r"\mathrm")
    try:
        markup = convert(text.strip(), display="block" if block else "inline")
        return _with_limits(markup) if block else markup
    except Exception:  # it has many exceptions of its own, some without a common base
        return f"<code>{html.escape(source)}</code>"


def _with_limits(markup: str) -> str:
    """Put the limits of sums and products above and below, as in a displayed formula."""
    ElementTree.register_namespace("", _MATHML)
    root = ElementTree.fromstring(markup)
    names = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
    for element in root.iter():
        name = element.tag.removeprefix(f"{{{_MATHML}}}")
        if name in names and len(element) and (element[0].text or "") in _LARGE:
            element.tag = f"{{{_MATHML}}}{names[name]}"
    return ElementTree.tostring(root, encoding="unicode")


def notebook_page(notebook: nbformat.NotebookNode, *, name: str, home: str, note: str = "") -> str:
    """Render an executed notebook as an HTML page.

    Parameters
    ----------
    notebook : NotebookNode
        Executed notebook.
    name : str
        Name of the notebook, the title of a page that has no heading.
    home : str
        Relative address of the report's first page.
    note : str, default=""
        Warning to show at the top, for a notebook that failed.

    Returns
    -------
    str
        A page without scripts, fonts or style sheets from elsewhere.
    """
    body, _ = _exporter().from_notebook_node(notebook)
    return render_page(
        "notebook.html.j2",
        title=notebook_title(notebook) or name,
        name=name,
        home=home,
        note=note,
        body=body,
        highlight=_highlight_css(),
    )


def link_figures(page: str, figures: Path, address: str) -> str:
    """Let a page show the files of figures in place of copies inside it.

    Parameters
    ----------
    page : str
        HTML.
    figures : Path
        Folder of the figures.
    address : str
        The same folder, seen from the page.

    Returns
    -------
    str
        HTML; a picture that is no file there stays inside.
    """
    names = {
        base64.b64encode(path.read_bytes()).decode("ascii"): path.name
        for path in sorted(figures.glob("*.png"))
    }

    def link(match: re.Match) -> str:
        name = names.get(match[1])
        return match[0] if name is None else f'src="{address}/{name}"'

    return re.sub(r'src="data:image/png;base64,([A-Za-z0-9+/=]+)"', link, page)


def _exporter() -> Any:
    from nbconvert import HTMLExporter
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class MathRenderer(IPythonRenderer):
        """Draws formulas; code never comes here, for the parser has set it apart."""

        def block_math(self, body: str) -> str:
            return math_to_mathml(body, block=True)

        def inline_math(self, body: str) -> str:
            return math_to_mathml(body)

        def latex_environment(self, name: str, body: str) -> str:
            return math_to_mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)

    class OfflineExporter(HTMLExporter):
        """The basic template has markup only, and what it needs stands in our page."""

        def markdown2html(self, context: Any, source: str) -> str:
            renderer = MathRenderer(
                escape=False,
                attachments=context.get("cell", {}).get("attachments", {}),
                exclude_anchor_links=True,
            )
            return MarkdownWithMath(renderer=renderer).render(source)

        def default_filters(self) -> Any:
            yield from super().default_filters()
            yield ("markdown2html", _passing_context(self.markdown2html))

    return OfflineExporter(
        template_name="basic",
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )


def _passing_context(method: Any) -> Any:
    from jinja2 import pass_context

    @pass_context
    def filter_(context: Any, source: str) -> str:
        return method(context, source)

    return filter_


def notebook_title(notebook: nbformat.NotebookNode) -> str:
    """First heading of a notebook.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook.

    Returns
    -------
    str
        Plain text; empty if there is none.
    """
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = re.search(r"^#\s+(.+)$", cell.source, flags=re.MULTILINE)
            if heading:
                return re.sub(r"[$`*]", "", heading.group(1)).strip()
    return ""


def _highlight_css() -> str:
    from pygments.formatters import HtmlFormatter

    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="monokai").get_style_defs(".highlight")
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"
