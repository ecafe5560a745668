import re

import nbformat
import pytest
from nbformat import v4

from acoibl.report.pages import math_to_mathml, notebook_page, notebook_title


def page(*cells, **arguments):
    notebook = v4.new_notebook(cells=list(cells))
    return notebook_page(notebook, **{"name": "01_x", "home": "../index.html", **arguments})


def test_formulas_become_mathml_and_code_stays():
    text = page(
        v4.new_markdown_cell(
            "# Title\nInline $w_j < 1$, code `$a$` and\n\n$$\\sum_{j=1}^M w_j$$\n\n"
            "```\n$not$ math\n```\n\n\\begin{align}a &= b\\\\ c &= d\\end{align}"
        ),
        v4.new_code_cell('price = "$5$ and $6$"'),
    )
    assert text.count("<math") == 3
    assert "<code>$a$</code>" in text
    assert "$not$ math" in text
    assert "<munderover>" in text  # limits above and below
    assert "MathJax" not in text
    assert "$5$ and $6$" in re.sub(r"<[^>]+>", "", text).replace("&quot;", '"')


@pytest.mark.parametrize("source", [r"\foo{", "x_{", r"\left(", "a_b_c"])
def test_a_formula_that_cannot_be_read_is_shown(source):
    markup = math_to_mathml(source + "<b>")
    assert "<b>" not in markup
    assert markup.startswith(("<code>", "<math"))


def test_a_page_needs_nothing_from_elsewhere():
    output = v4.new_output("display_data", data={"text/html": "<b>shown</b>"})
    cell = v4.new_code_cell("1", outputs=[output])
    text = page(v4.new_markdown_cell("# A [link](https://example.org) $x$"), cell)
    assert "<script" not in text
    assert "<link" not in text
    assert not re.findall(r'(?:src|@import|url\()\s*=?\s*["\']?https?:', text)
    assert "<b>shown</b>" in text


def test_titles_and_notes_are_escaped():
    text = page(v4.new_markdown_cell("no heading"), name="<i>", note="cell 1 (<script>)")
    assert "<title>&lt;i&gt;</title>" in text
    assert "<script>" not in text
    notebook = v4.new_notebook(cells=[v4.new_markdown_cell("text\n\n# A $k$-NN *title*")])
    assert notebook_title(notebook) == "A k-NN title"


def test_error_output_is_in_the_page():
    error = v4.new_output(
        "error",
        ename="ValueError",
        evalue="<oops>",
        traceback=["\x1b[31mValueError\x1b[0m: <oops>"],
    )
    text = page(v4.new_code_cell("boom()", outputs=[error]))
    assert "&lt;oops&gt;" in text
    assert "<oops>" not in text
    assert nbformat.current_nbformat == 4
