"""Colours and text that all figures share."""

from typing import Any

import matplotlib as mpl

# Okabe and Ito's colours, told apart by colour-blind readers; their black is softened to grey.
PALETTE = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#5F5F5F")
_LONGEST = 32  # characters of a name; a longer one would leave no room for the plot

STYLE: dict[str, Any] = {
    "axes.prop_cycle": mpl.cycler(color=PALETTE),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 12,
    "axes.labelsize": 11,
    "figure.constrained_layout.use": True,
    "figure.figsize": (6.4, 4.0),
    "font.size": 10,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "savefig.bbox": "tight",
    "savefig.dpi": 150,
    "svg.hashsalt": "acoibl",  # the same figure gives the same file
}


def set_style() -> None:
    """Make Matplotlib's figures readable and safe for colour-blind readers.

    Updates ``matplotlib.rcParams`` with `STYLE` until they are changed again; for a part of a
    program use ``matplotlib.rc_context(acoibl.plotting.STYLE)``.

    Examples
    --------
    >>> import matplotlib
    >>> from acoibl.plotting import set_style
    >>> with matplotlib.rc_context():
    ...     set_style()
    ...     matplotlib.rcParams["savefig.dpi"]
    150.0
    """
    mpl.rcParams.update(STYLE)


def escape(name: object) -> str:
    r"""Text of a name as Matplotlib must get it to show the name as it is.

    Parameters
    ----------
    name : object
        Name of a feature, class, dataset, ...

    Returns
    -------
    str
        On one line, cut after 32 characters, with each dollar sign escaped, so that nothing is
        read as a formula.

    Examples
    --------
    >>> from acoibl.plotting import escape
    >>> print(escape("cost in $ < x_1$"))
    cost in \$ < x_1\$
    """
    text = " ".join(str(name).split()) or "(empty)"
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return text.replace("$", r"\$")
