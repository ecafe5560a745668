import html
import json
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from acoibl.report import Artifacts
from acoibl.report.escapes import escape_latex, escape_markdown
from acoibl.report.render import TableView
from acoibl.report.templates import render_page

NASTY = pd.DataFrame(
    {"a|b*": [1.0, 2.0], "<script>alert(1)</script>": [2.0, 1.5], "x_1 & 50 %": [0.5, 2.0]},
    index=pd.Index(["`row`\n$x$", "{y}^~\\"], name="<i>data</i>"),
)


@pytest.fixture
def report(tmp_path):
    return Artifacts("smoke", tmp_path / "out")


def test_every_character_of_meaning_is_escaped(report):
    shown = report.table("nasty", NASTY, caption="<b>_$x$ | & 50 % #1", best="max")
    markup = shown._repr_html_()
    assert "<script>" not in markup
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in markup
    assert "<i>" not in markup
    assert "<b>" not in markup

    lines = (report.folder / "tables" / "nasty.md").read_text().splitlines()
    assert lines[0] == r"\<b\>\_\$x\$ \| \& 50 % \#1"
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4  # a line break in a label makes no line
    for line in table:
        assert line.replace(r"\|", "").count("|") == 5  # four cells, whatever their text

    latex = (report.folder / "tables" / "nasty.tex").read_text()
    body = latex.split(r"\toprule")[1].split(r"\bottomrule")[0]
    assert r"x\_1 \& 50 \%" in body
    assert r"\{y\}\textasciicircum{}\textasciitilde{}\textbackslash{}" in body
    assert r"a\textbar{}b*" in body
    for line in body.splitlines():
        if line.strip().endswith(r"\\"):
            assert line.replace(r"\&", "").count("&") == 3
    assert r"\caption{\textless{}b\textgreater{}\_\$x\$" in latex


def test_csv_keeps_every_digit(report):
    table = pd.DataFrame({"a": [1 / 3, np.nan], "n": [1, 2]}, index=["x", "y"])
    report.table("digits", table)
    back = pd.read_csv(report.folder / "tables" / "digits.csv", index_col=0)
    assert back["a"].iloc[0] == 1 / 3
    assert np.isnan(back["a"].iloc[1])


def bold(table, best, **attrs):
    table.attrs.update(attrs)
    return TableView(table, "t", "", best, 2).bold.tolist()


def test_the_best_of_a_row_is_bold_ties_included():
    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1.0 + 1e-12, 3.0, np.nan], "c": "text"})
    assert bold(table, "max") == [[True, True, False], [False, True, False], [False] * 3]
    assert bold(table, "min") == [[True, True, False], [True, False, False], [False] * 3]
    assert not np.any(bold(table, None))


def test_groups_have_their_own_best_and_differences_none():
    columns = [("measured", "a"), ("measured", "b"), ("published", "a"), ("published", "b")]
    columns += [("difference", "a"), ("difference", "b")]
    table = pd.DataFrame(
        [[1, 2, 4, 3, -3, -1], [1.5, 1.2, 1.1, 1.9, 0.4, -0.7]],
        index=["iris", "average rank"],
        columns=pd.MultiIndex.from_tuples(columns),
    )
    assert bold(table, "max", lower_is_better=["average rank"]) == [
        [False, True, True, False, False, False],
        [False, True, True, False, False, False],
    ]


def test_two_levels_of_columns_in_every_form(report):
    columns = pd.MultiIndex.from_tuples([("measured", "a"), ("measured", "b"), ("gap", "a")])
    table = pd.DataFrame([[1.0, 2.0, 3.0]], index=["iris"], columns=columns)
    markup = report.table("levels", table, best="max")._repr_html_()
    assert '<th class="g" colspan="2">measured</th>' in markup
    text = (report.folder / "tables" / "levels.csv").read_text()
    assert text.startswith("row,measured a,measured b,gap a")
    latex = (report.folder / "tables" / "levels.tex").read_text()
    assert r"\multicolumn{2}{c}{measured}" in latex
    assert r"\textbf{2.00}" in latex


def test_numbers_are_written_for_people():
    table = pd.DataFrame(
        {"p": [4.4e-6, 0.5, 0.0], "n": [3, 4, 5], "z": [-0.001, 2.345, np.nan]},
        index=["a", "b", "wins"],
    ).assign(ok=[True, False, True])
    cells = TableView(table, "t", "", None, {"p": 4}).cells
    assert cells == [
        ["4.4e-06", "3", "0.00", "yes"],
        ["0.5000", "4", "2.35", "no"],
        ["0.0000", "5", "–", "yes"],
    ]
    whole = pd.DataFrame({"a": [0.5, 3.0]}, index=["iris", "wins"])
    whole.attrs["integer_rows"] = ["wins"]
    assert TableView(whole, "t", "", None, 2).cells == [["0.50"], ["3"]]


def test_no_row_is_taken_for_an_argument_of_latex(report):
    table = pd.DataFrame({"[a]": ["[2pt]", "*"]}, index=["[1cm] x", "*star"])
    report.table("rows", table, caption="[c]")
    lines = (report.folder / "tables" / "rows.tex").read_text().splitlines()
    start = lines.index(r"\midrule")
    assert lines[start + 1 : start + 3] == [r"{[}1cm] x & {[}2pt] \\", r"{*}star & {*} \\"]
    assert r" & {[}a] \\" in lines


@pytest.mark.parametrize(
    ("caption", "line"),
    [
        ("- a", r"\- a"),
        ("---", r"\---"),
        ("+ a", r"\+ a"),
        ("# a", r"\# a"),
        ("12. a", r"12\. a"),
        ("1) a", r"1\) a"),
        ("1.5 a - b", "1.5 a - b"),
        ("0-5 + 3.", "0-5 + 3."),
    ],
)
def test_a_caption_begins_no_list_and_no_heading(report, caption, line):
    report.table("t", pd.DataFrame({"a": [1]}), caption=caption)
    assert (report.folder / "tables" / "t.md").read_text().splitlines()[0] == line


def test_control_characters_are_written_out(report):
    text = "a\0b\u202ec\u2066d\x1be"
    table = pd.DataFrame({text: [text, "1"]}, index=[text, "x"])
    shown = report.table("t", table, caption=text)._repr_html_()
    shown += report.figure("f", draw(), caption=text)._repr_html_()
    report.facts({text: text})
    report.summary(text)
    files = [*report.folder.glob("tables/*.md"), *report.folder.glob("tables/*.tex")]
    files += report.folder.glob("parts/*.json")
    assert len(files) == 5
    for content in (shown, *(path.read_text() for path in files)):
        assert not set("\0\u202e\u2066\x1b") & set(content)
        assert "\\u0000" not in content  # as JSON writes it
        assert (
            "<U+202E>" in html.unescape(content)
            or r"\<U+202E\>" in content
            or "{}U+202E" in content
        )
    page = render_page("notebook.html.j2", title=text, name="x", home="x", note="", body="",
                       highlight="")  # fmt: skip
    assert "<title>a&lt;U+0000&gt;b&lt;U+202E&gt;c" in page


@pytest.mark.parametrize("name", ["con", "NUL", "aux", "prn", "com1", "LPT9"])
def test_names_that_windows_keeps_are_refused(report, name):
    for add in (report.table, report.figure):
        with pytest.raises(ValueError, match="Windows keeps that name"):
            add(name, NASTY)
    assert not report.folder.exists()
    report.table(f"{name}-2", NASTY)


@pytest.mark.parametrize("name", ["../x", "a/b", "", "a.b", "-a", "a b", "x" * 81, None, "ä"])
def test_names_with_path_characters_are_refused(report, name):
    with pytest.raises(ValueError, match="cannot name a file"):
        report.table(name, NASTY)
    with pytest.raises(ValueError, match="cannot name a file"):
        report.figure(name, None)
    assert not report.folder.exists()


def test_wrong_arguments(report):
    with pytest.raises(TypeError, match="must be a DataFrame, not list"):
        report.table("t", [1])
    with pytest.raises(ValueError, match="'max', 'min' or None"):
        report.table("t", NASTY, best="maximum")
    with pytest.raises(TypeError, match="figure or axes"):
        report.figure("f", 3)


def draw():
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.plot([0, 1], [1, 0], label="$x$")
    ax.fill_between([0, 1], [0, 0.5], hatch="//")
    ax.legend()
    return figure


def test_the_same_figure_gives_the_same_files(tmp_path):
    images = []
    for folder in ("one", "two"):
        report = Artifacts("smoke", tmp_path / folder)
        report.figure("line", draw(), caption="A <line>")
        images.append(
            [(report.folder / "figures" / f"line.{k}").read_bytes() for k in ("svg", "png")]
        )
    assert images[0] == images[1]
    assert b"<dc:date>" not in images[0][0]
    assert not plt.get_fignums()  # closed, or a notebook would show it twice


def test_a_rare_colour_keeps_its_hue(report):
    """A picture has few colours, and the one orange point among many greys is one of them."""
    figure, ax = plt.subplots(figsize=(3, 2))
    ax.imshow(np.linspace(0, 1, 60_000).reshape(200, 300), cmap="gray", aspect="auto")
    ax.plot([150], [100], "*", color="#D55E00", markersize=12)
    report.figure("star", figure)
    path = report.folder / "figures" / "star.png"
    image = plt.imread(path)[..., :3]
    assert path.stat().st_size < 30_000
    assert len(np.unique(image.reshape(-1, 3), axis=0)) <= 128
    gap = np.abs(image - np.array([0xD5, 0x5E, 0x00]) / 255).max(axis=2)
    assert gap.min() < 0.06


def test_axes_and_subfigures_are_figures_too(report):
    shown = report.figure("axes", draw().axes[0], caption="A <line> & more")
    assert "A &lt;line&gt; &amp; more" in shown._repr_html_()
    assert "data:image/png;base64," in shown._repr_html_()
    figure = plt.figure(figsize=(3, 2))
    report.figure("sub", figure.subfigures(1, 2)[0].subplots())
    assert (report.folder / "figures" / "sub.svg").is_file()


def test_a_figure_that_cannot_be_drawn_leaves_the_old_one(report, monkeypatch):
    report.figure("line", draw())
    before = (report.folder / "figures" / "line.svg").read_bytes()
    figure = draw()
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("no space")))
    with pytest.raises(OSError, match="no space"):
        report.figure("line", figure)
    monkeypatch.undo()
    plt.close("all")
    assert (report.folder / "figures" / "line.svg").read_bytes() == before
    assert len(list((report.folder / "figures").iterdir())) == 2


def test_facts_and_summary_add_up(report, monkeypatch):
    monkeypatch.setenv("ACOIBL_NOTEBOOK", "05_x")
    report = Artifacts("smoke", report.folder)
    report.facts({"a": 1})
    report.facts({"b": 2.5, "a": 3})
    report.summary("one line", "two lines")
    report.summary("three", "one line")
    part = json.loads((report.folder / "parts" / "facts-05_x.json").read_text())
    assert part["facts"] == {"a": "3", "b": "2.5"}
    assert list(part["summary"]) == ["one line", "two lines", "three"]


@pytest.mark.parametrize("text", ["{", "[]", '{"kind": "facts"}', ""])
def test_facts_that_cannot_be_read_are_written_anew(report, text):
    report.facts({"a": 1})
    path = report.folder / "parts" / "facts-interactive.json"
    path.write_text(text)
    report.facts({"b": 2})
    assert json.loads(path.read_text())["facts"] == {"b": "2"}


def test_default_folder_is_the_announced_one(tmp_path, monkeypatch):
    monkeypatch.setenv("ACOIBL_OUTPUT", str(tmp_path / "announced"))
    assert Artifacts("smoke").folder == tmp_path / "announced"
    assert Artifacts("smoke", "").folder == tmp_path / "announced"
    monkeypatch.delenv("ACOIBL_OUTPUT")
    monkeypatch.chdir(tmp_path)
    assert Artifacts("quick").folder == tmp_path / "reports" / "quick"


def test_escapes():
    assert escape_markdown("a\n| b") == r"a \| b"
    assert escape_latex("#1_{x}") == r"\#1\_\{x\}"
