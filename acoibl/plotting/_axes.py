"""Axes, legends, and the looks of the i-th bar, line and marker."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from acoibl.plotting.style import PALETTE

MARKERS = "osD^vP*X"
_HATCHES = ("", "///", "...", "xxx")  # one more round of the palette each
_LINES = ("-", "--", "-.", ":")


def new_axes(ax: Axes | None, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """Axes to draw into: the caller's, or those of a new pyplot figure of that size in inches."""
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


def legend_beside(ax: Axes, handles: Sequence, names: Sequence[str], title: str | None) -> None:
    """Legend outside on the right; names are set afterwards, for legends drop "_name" labels."""
    places = [str(i) for i in range(len(names))]
    legend = ax.legend(handles, places, title=title, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def line_look(i: int) -> dict[str, Any]:
    """Colour and dashes of the i-th line."""
    colours = [colour for colour in PALETTE if colour != "#F0E442"]  # yellow: too pale for a line
    return {"color": colours[i % len(colours)], "linestyle": _LINES[i % len(_LINES)]}


def bar_look(i: int) -> dict[str, Any]:
    """Colour and hatch of the i-th part of a bar."""
    round_, colour = divmod(i, len(PALETTE))
    return {"facecolor": PALETTE[colour], "hatch": _HATCHES[round_ % len(_HATCHES)]}
