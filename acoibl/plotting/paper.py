"""Curves of the paper's Figs 2-7: vote weights, selection ratios, ranks of settings."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from acoibl.plotting._axes import line_look, new_axes
from acoibl.plotting.style import PALETTE, escape


def plot_weight_vs_distance(
    ax: Axes | None = None,
    *,
    bandwidths: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5),
    max_distance: float = 1.0,
) -> Axes:
    """Weight of a neighbour's vote against its distance, GKE and d-NN (the paper's Fig. 2).

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw.
    bandwidths : sequence of float, default=(0.1, 0.2, 0.3, 0.4, 0.5)
        Values of sigma of the Gaussian g(0; d, sigma) of Eq. 7.
    max_distance : float, default=1.0
        Right end of the distance axis.

    Returns
    -------
    matplotlib Axes
        One line a bandwidth, and d-NN's 1/d, which leaves the picture near d = 0.

    Examples
    --------
    >>> from acoibl.plotting import plot_weight_vs_distance
    >>> len(plot_weight_vs_distance(bandwidths=[0.2, 0.4]).lines)
    3
    """
    distance = np.linspace(0.0, max_distance, 401)
    ax = new_axes(ax)
    for i, sigma in enumerate(bandwidths):
        weight = np.exp(-0.5 * (distance / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
        ax.plot(distance, weight, label=rf"GKE, $\sigma$ = {sigma:g}", **line_look(i))
    ax.plot(distance[1:], 1 / distance[1:], color="black", linewidth=2, label="d-NN, 1/d")
    peak = 1 / (min(bandwidths) * np.sqrt(2 * np.pi))
    ax.set(xlabel="distance", ylabel="weight of the vote", xlim=(0, max_distance))
    ax.set_ylim(0, 1.5 * peak)
    ax.legend()
    return ax


def plot_selection_ratio(
    ax: Axes | None = None,
    *,
    against: str = "rank",
    archive_size: int = 50,
    q: Sequence[float] | None = None,
) -> Axes:
    """How much likelier the best solution of an archive guides an ant (the paper's Figs 3, 4).

    Draws r_k = omega_1 / omega_k = exp((k - 1)^2 / (2 q^2 R^2)), Eq. 6 and 7, on a log axis.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw.
    against : {"rank", "q"}, default="rank"
        "q" draws the ratio to the last rank, r_R, against q (Fig. 3); "rank" draws r_k against
        the rank k, one line a value of q (Fig. 4).
    archive_size : int, default=50
        R, the number of solutions in the archive.
    q : sequence of float, optional
        Values of q; by default 0.1 to 1, with the paper's 0.25 among the lines of Fig. 4.

    Returns
    -------
    matplotlib Axes
        With a logarithmic ratio axis.

    Raises
    ------
    ValueError
        If `against` is neither "rank" nor "q".

    Examples
    --------
    >>> from acoibl.plotting import plot_selection_ratio
    >>> ratio = plot_selection_ratio(q=[0.5]).lines[0].get_ydata()
    >>> print(f"{ratio[0]:.1f} {ratio[-1]:.1f}")
    1.0 6.8
    """
    if against not in ("rank", "q"):
        raise ValueError(f'against must be "rank" or "q", not {against!r}')
    ax = new_axes(ax)
    if against == "q":
        values = np.linspace(0.1, 1.0, 181) if q is None else np.asarray(q, dtype=float)
        ax.plot(values, _selection_ratio(archive_size, values, archive_size), color=PALETTE[4])
        ax.set(
            xlabel="q", ylabel=rf"$r_{{{archive_size}}}$ = $\omega_1 / \omega_{{{archive_size}}}$"
        )
    else:
        ranks = np.arange(1, archive_size + 1)
        for i, value in enumerate((0.1, 0.25, 0.5, 0.75, 1.0) if q is None else q):
            ratio = _selection_ratio(ranks, value, archive_size)
            ax.plot(ranks, ratio, label=f"q = {value:g}", **line_look(i))
        ax.set(xlabel="rank k", ylabel=r"$r_k$ = $\omega_1 / \omega_k$")
        ax.legend()
    ax.set_yscale("log")
    return ax


def plot_rank_curve(
    ranks: pd.Series,
    ax: Axes | None = None,
    *,
    published_best: float | None = None,
    xlabel: str | None = None,
) -> Axes:
    """Average rank against the value of a classifier's key parameter (the paper's Figs 5-7).

    Parameters
    ----------
    ranks : Series of shape (n_settings,)
        Average rank, indexed by the numeric setting; drawn in increasing order of the setting.
    ax : matplotlib Axes, optional
        Where to draw.
    published_best : float, optional
        The setting that the paper found best: 12, 0.45 and 0.40 for its three classifiers.
    xlabel : str, optional
        Name of the parameter; by default the name of the index.

    Returns
    -------
    matplotlib Axes
        The best setting (the smallest of several) is marked and named in the legend.

    Raises
    ------
    ValueError
        If `ranks` is empty or holds a missing value.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl.plotting import plot_rank_curve
    >>> ax = plot_rank_curve(pd.Series({1: 2.6, 5: 1.4, 9: 2.0}), published_best=9, xlabel="k")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['best here: 5', 'best in the paper: 9']
    """
    if not len(ranks) or ranks.isna().any():
        raise ValueError("ranks must hold at least one setting and no missing value")
    curve = ranks.sort_index()
    best = curve.idxmin()
    ax = new_axes(ax)
    ax.plot(curve.index, curve, "o-", color=PALETTE[4], markersize=4)
    marked = [ax.plot([best], [curve[best]], "D", color=PALETTE[5], markersize=9)[0]]
    labels = [f"best here: {best:g}"]
    if published_best is not None:
        line: dict[str, Any] = {"color": PALETTE[7], "linestyle": "--", "zorder": 0}
        marked.append(ax.axvline(published_best, **line))
        labels.append(f"best in the paper: {published_best:g}")
    if pd.api.types.is_integer_dtype(curve.index):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    name = xlabel if xlabel is not None else ranks.index.name
    ax.set(xlabel=escape(name or "parameter"), ylabel="average rank (lower is better)")
    ax.legend(marked, labels)
    return ax


def _selection_ratio(rank: Any, q: Any, archive_size: int) -> np.ndarray:
    return np.exp((np.asarray(rank) - 1) ** 2 / (2 * (np.asarray(q) * archive_size) ** 2))
