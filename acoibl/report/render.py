"""A table of numbers as HTML, LaTeX and Markdown: escaped, the best of each row in bold."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from tabulate import tabulate

from acoibl.report.escapes import escape_html, escape_latex, escape_markdown

MISSING = "–"
_TIE_DECIMALS = 9  # as in acoibl.comparison: what counts as a win is what is printed in bold


class TableView:
    """One table in its three printed forms.

    Parameters
    ----------
    table : DataFrame, shape (n_rows, n_columns)
        What to print, with the index as first column. ``table.attrs`` may list rows by their
        label: ``"lower_is_better"`` where the smallest number is the best one (average ranks),
        ``"integer_rows"`` of whole numbers in columns of others, ``"summary_rows"`` set apart.
    name : str
        Name for anchors and labels.
    caption : str
        Plain text.
    best : {"max", "min"} or None
        Which number of a row is bold. Where the columns have two levels, each upper level
        ("measured", "published") has its own best, and "difference" has none.
    decimals : int or dict of str to int
        Digits behind the point of non-integer numbers; a dict goes by column (its last level).
    """

    def __init__(
        self,
        table: pd.DataFrame,
        name: str,
        caption: str,
        best: str | None,
        decimals: int | Mapping[str, int],
    ):
        self.table = table
        self.name = name
        self.caption = caption
        self.decimals = decimals
        self.cells = [
            [self._format(row, column) for column in range(table.shape[1])]
            for row in range(table.shape[0])
        ]
        self.bold = self._find_best(best)

    def html(self) -> str:
        """HTML.

        Returns
        -------
        str
            The caption and a ``<table>``; the best numbers are ``<strong>``.
        """
        classes = self._cell_classes()
        name = f"table-{escape_html(self.name)}"
        lines = [f'<table class="data" aria-labelledby="{name}">']
        # No <caption>: it would be wrapped to the width of the table, which may be a narrow one.
        title = f'<p class="caption" id="{name}">{escape_html(self.caption)}</p>'
        lines.append("<thead>")
        levels = self.table.columns.nlevels
        for level in range(levels):
            corner = self._index_title() if level == levels - 1 else ""
            lines.append(f"<tr><th>{escape_html(corner)}</th>{self._html_header(level)}</tr>")
        lines.append("</thead><tbody>")
        for row, label in enumerate(self._labels()):
            cells = []
            for column, text in enumerate(self.cells[row]):
                shown = escape_html(text)
                shown = f"<strong>{shown}</strong>" if self.bold[row, column] else shown
                cells.append(f"<td{classes[column]}>{shown}</td>")
            kind = ' class="summary"' if self._is_summary(row) else ""
            lines.append(f"<tr{kind}><th>{escape_html(label)}</th>{''.join(cells)}</tr>")
        lines.append("</tbody></table>")
        return "\n".join([title, *lines] if self.caption else lines)

    def markdown(self) -> str:
        """Markdown.

        Returns
        -------
        str
            A pipe table under its caption.
        """
        header = [self._index_title(), *self._flat_columns()]
        rows = [
            [
                escape_markdown(label),
                *(
                    f"**{escape_markdown(text)}**"
                    if self.bold[row, column]
                    else escape_markdown(text)
                    for column, text in enumerate(self.cells[row])
                ),
            ]
            for row, label in enumerate(self._labels())
        ]
        text = tabulate(
            rows,
            headers=[escape_markdown(name) for name in header],
            tablefmt="pipe",
            disable_numparse=True,
            colalign=(
                "left",
                *("right" if number else "left" for number in self._numeric_columns()),
            ),
        )
        if not self.caption:
            return f"{text}\n"
        return f"{escape_markdown(self.caption, paragraph=True)}\n\n{text}\n"

    def latex(self) -> str:
        """LaTeX.

        Returns
        -------
        str
            A ``table`` with ``booktabs`` rules.
        """
        escaped = pd.DataFrame(
            [[escape_latex(text) for text in row] for row in self.cells],
            index=pd.Index([escape_latex(label) for label in self._labels()]),
            columns=self._latex_columns(),
        )
        bold = self.bold
        styler = escaped.style.apply(lambda _: np.where(bold, "textbf:--rwrap;", ""), axis=None)
        aligned = "l" + "".join("r" if number else "l" for number in self._numeric_columns())
        return styler.to_latex(
            column_format=aligned,
            hrules=True,
            caption=escape_latex(self.caption) or None,
            label=f"tab:{self.name}",
            multicol_align="c",
        )

    def flat(self) -> pd.DataFrame:
        """Numbers in full precision with one line of column names.

        Returns
        -------
        DataFrame
            What the CSV file holds.
        """
        flat = self.table.copy()
        flat.columns = self._flat_columns()
        flat.index = pd.Index(self._labels(), name=self._index_title() or "row")
        return flat

    def _format(self, row: int, column: int) -> str:
        value = self.table.iloc[row, column]
        if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
            return MISSING
        if isinstance(value, bool | np.bool_):
            return "yes" if value else "no"
        whole = self.table.index[row] in self.table.attrs.get("integer_rows", ())
        if isinstance(value, int | np.integer) or (whole and value == int(value)):
            return str(int(value))
        if isinstance(value, float | np.floating):
            return self._format_float(float(value), column)
        return str(value)

    def _format_float(self, value: float, column: int) -> str:
        decimals = self.decimals
        if isinstance(decimals, Mapping):
            label = self.table.columns[column]
            decimals = decimals.get(label[-1] if isinstance(label, tuple) else label, 2)
        if value != 0 and abs(value) < 0.5 * 10.0**-decimals and decimals > 3:
            return f"{value:.1e}"  # a p value is not 0.0000
        text = f"{value:.{decimals}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    def _find_best(self, best: str | None) -> np.ndarray:
        bold = np.zeros(self.table.shape, dtype=bool)
        if best is None:
            return bold
        lower = set(self.table.attrs.get("lower_is_better", ()))
        for row, label in enumerate(self.table.index):
            sign = -1 if (best == "min") != (label in lower) else 1
            for columns in self._groups():
                numbers = np.array([_number(self.table.iloc[row, j]) for j in columns])
                if np.isfinite(numbers).sum() < 2:
                    continue
                scores = np.round(sign * numbers, _TIE_DECIMALS)
                bold[row, columns] = scores == np.nanmax(scores)
        return bold

    def _groups(self) -> list[list[int]]:
        columns = self.table.columns
        if columns.nlevels == 1:
            return [list(range(len(columns)))]
        groups: dict[str, list[int]] = {}
        for position, label in enumerate(columns):
            groups.setdefault(label[0], []).append(position)
        return [columns for name, columns in groups.items() if name != "difference"]

    def _numeric_columns(self) -> list[bool]:
        def number(value: Any) -> bool:
            return isinstance(value, int | float | np.number) and not isinstance(value, bool)

        return [
            any(number(value) for value in self.table.iloc[:, column])
            for column in range(self.table.shape[1])
        ]

    def _is_summary(self, row: int) -> bool:
        return self.table.index[row] in self.table.attrs.get("summary_rows", ())

    def _labels(self) -> list[str]:
        return [_join(label, " / ") for label in self.table.index]

    def _index_title(self) -> str:
        return " / ".join(str(name) for name in self.table.index.names if name is not None)

    def _flat_columns(self) -> list[str]:
        return [_join(label) for label in self.table.columns]

    def _html_header(self, level: int) -> str:
        labels = [str(label) for label in self.table.columns.get_level_values(level)]
        if level == self.table.columns.nlevels - 1:
            classes = self._cell_classes()
            return "".join(
                f"<th{kind}>{escape_html(label)}</th>"
                for kind, label in zip(classes, labels, strict=True)
            )
        cells, start = [], 0
        for position in range(1, len(labels) + 1):
            if position == len(labels) or labels[position] != labels[start]:
                width = position - start
                group = f'<th class="g" colspan="{width}">{escape_html(labels[start])}</th>'
                cells.append(group)
                start = position
        return "".join(cells)

    def _cell_classes(self) -> list[str]:
        """``n`` sets numbers to the right, ``g`` draws a line where a group of columns begins."""
        tops = self.table.columns.get_level_values(0)
        grouped = self.table.columns.nlevels > 1
        classes = []
        for column, number in enumerate(self._numeric_columns()):
            first = grouped and (column == 0 or tops[column] != tops[column - 1])
            names = [name for name, wanted in (("n", number), ("g", first)) if wanted]
            classes.append(f' class="{" ".join(names)}"' if names else "")
        return classes

    def _latex_columns(self) -> pd.Index:
        columns = self.table.columns
        if columns.nlevels == 1:
            return pd.Index([escape_latex(label) for label in columns])
        return pd.MultiIndex.from_tuples(
            [tuple(escape_latex(part) for part in label) for label in columns]
        )


def _number(value: Any) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        return np.nan
    return float(value)


def _join(label: Any, between: str = " ") -> str:
    return between.join(filter(None, map(str, label))) if isinstance(label, tuple) else str(label)
