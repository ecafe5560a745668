"""Critical-difference diagram: average ranks, and which algorithms a test does not tell apart."""

import math
import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from acoibl.plotting._axes import new_axes
from acoibl.plotting.style import PALETTE, escape

_WIDEST = 30  # characters of a name in one line; longer ones get a second line
_LINE = 0.20  # inches
_BARS = 0.17
_INK = "#333333"


def plot_critical_difference(result: Any, ax: Axes | None = None) -> Axes:
    """Average ranks on an axis, and bars that join algorithms the test does not tell apart.

    The best algorithm stands left, its name on the upper left; names of the worse half stand
    right. Two algorithms differ significantly if no bar joins them.

    Parameters
    ----------
    result : CriticalDifference
        What `acoibl.comparison.critical_difference` returns, or anything with its ``ranks``,
        ``difference``, ``cliques``, ``alpha``, ``method`` and ``n_datasets``.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure, as large as the number of algorithms and the
        length of their names need.

    Returns
    -------
    matplotlib Axes
        The names stand outside, left and right of it, in the order of the ranks.

    Raises
    ------
    ValueError
        If there are fewer than two ranks, or one is missing or infinite.

    Notes
    -----
    As Fig. 1 of J. Demsar, Journal of Machine Learning Research 7 (2006), 1-30, but with the
    best algorithm on the left, where reading begins.

    Examples
    --------
    >>> from acoibl.comparison import critical_difference, published
    >>> from acoibl.plotting import plot_critical_difference
    >>> ax = plot_critical_difference(critical_difference(published("table3_knn")))
    >>> sorted(text.get_text() for text in ax.texts if "_knn" in text.get_text())
    ['aco_knn  2.14', 'ens_aco_knn  1.65']
    """
    ranks = result.ranks.sort_values(kind="stable")
    values = ranks.to_numpy(dtype=np.float64)
    if len(values) < 2 or not np.isfinite(values).all():
        raise ValueError("a diagram needs the average ranks of two algorithms at least, all known")
    names = [_lines(name) for name in ranks.index]
    place = {name: i for i, name in enumerate(ranks.index)}
    bars = _stacked([[values[place[name]] for name in clique] for clique in result.cliques])

    split = (len(values) + 1) // 2
    left = list(range(split))
    right = list(range(len(values) - 1, split - 1, -1))  # the worst one on top
    first = 0.14 + _BARS * (max((level for *_, level in bars), default=-1) + 1)
    depth = {i: y for side in (left, right) for i, y in _rows(side, names, first).items()}
    below = max(depth.values()) + 0.6 * _LINE
    top = 0.62 if result.difference is None else 0.86  # inches above the axis of ranks

    low, high = _limits(values, result.difference)
    ax = new_axes(ax, (_width(names), top + below + 0.15))
    ax.set(xlim=(low, high), ylim=(-below, top))
    ax.spines[["left", "right", "bottom"]].set_visible(False)
    ax.spines["top"].set(visible=True, position=("data", 0.0), color=_INK)
    ax.yaxis.set_visible(False)
    whole = MaxNLocator(nbins=10, integer=True, min_n_ticks=2)
    ax.xaxis.set_major_locator(whole if high - low > 2 else MaxNLocator(nbins=6, steps=[1, 2.5, 5]))
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", color=_INK, pad=1)

    about: dict[str, Any] = {
        "textcoords": "offset points",
        "va": "center",
        "annotation_clip": False,
    }
    edges = ("axes fraction", "data")
    label: dict[str, Any] = {"ha": "right", "fontsize": "small", "color": _INK}
    ax.annotate("average rank", (0.0, 0.0), xycoords=edges, xytext=(-16, 0), **about, **label)
    for i, y in depth.items():
        side, gap, align = (0.0, -4, "right") if i < split else (1.0, 4, "left")
        edge = (low, high)[i >= split]
        ax.plot([values[i], values[i], edge], [0, -y, -y], color="#9A9A9A", lw=0.9, zorder=1)
        ax.annotate(
            f"{names[i]}  {values[i]:.2f}" if i < split else f"{values[i]:.2f}  {names[i]}",
            (side, -y),
            xycoords=edges,
            xytext=(gap, 0),
            ha=align,
            multialignment=align,
            linespacing=1.0,
            **about,
        )
    ax.plot(values, np.zeros_like(values), "o", color=PALETTE[4], ms=5, zorder=4, clip_on=False)
    for start, end, level in bars:
        y = -0.14 - _BARS * level
        reach = 0.004 * (high - low)  # so that equal ranks have a visible bar too
        ax.plot(
            [start - reach, end + reach],
            [y, y],
            color=PALETTE[5],
            lw=4,
            solid_capstyle="round",
            zorder=3,
            clip_on=False,
        )
    _legend(ax, result, low, top)
    return ax


def _legend(ax: Axes, result: Any, low: float, top: float) -> None:
    """The critical difference as a ruler, and what the bars mean."""
    test = {"nemenyi": "Nemenyi", "holm": "Holm, all pairs"}.get(result.method, result.method)
    text = rf"{test}, $\alpha$ = {result.alpha:g}, {result.n_datasets} datasets"
    if result.difference is not None:
        y = top - 0.38
        ax.plot([low, low + result.difference], [y, y], "|-", color=_INK, lw=1.4, ms=7, mew=1.4)
        text = f"critical difference {result.difference:.2f} ({text})"
    ax.text(
        0.0,
        top - 0.12,
        text,
        transform=ax.get_yaxis_transform(),
        ha="left",
        va="center",
        fontsize="small",
    )


def _lines(name: object) -> str:
    """A name as it is shown: whole where two lines can hold it."""
    text = " ".join(str(name).split())
    parts = textwrap.wrap(
        text, _WIDEST, max_lines=2, placeholder=" …", break_on_hyphens=" " not in text
    )
    return "\n".join(escape(part) for part in parts) or escape("")


def _rows(side: list[int], names: list[str], first: float) -> dict[int, float]:
    """Depth of each name's middle below the axis, in inches, from top to bottom."""
    depth, y = {}, first
    for i in side:
        height = _LINE * (1 + names[i].count("\n")) + 0.04
        depth[i] = y + height / 2
        y += height
    return depth


def _stacked(cliques: list[list[float]]) -> list[tuple[float, float, int]]:
    """Start, end and level of each bar, such that bars of one level do not touch."""
    ends: list[float] = []
    bars = []
    for start, end in sorted((min(clique), max(clique)) for clique in cliques):
        level = next((i for i, taken in enumerate(ends) if start > taken), len(ends))
        ends[level : level + 1] = [end]
        bars.append((start, end, level))
    return bars


def _limits(values: np.ndarray, difference: float | None) -> tuple[float, float]:
    """Whole ranks around all of them, and room for the critical difference."""
    low, high = math.floor(values[0]), math.ceil(values[-1])
    return low, max(high, low + 1, math.ceil(low + (difference or 0.0)))


def _width(names: list[str]) -> float:
    """Inches for the names on both sides, some 0.08 a character, and the axis between them."""
    longest = max(len(line) for name in names for line in name.split("\n"))
    return min(13.0, 4.2 + 2 * (0.08 * longest + 0.5))
