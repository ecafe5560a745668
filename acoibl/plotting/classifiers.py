"""Pictures of one classifier: its class-based weights, its decisions, its search."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from acoibl.plotting._axes import MARKERS, bar_look, legend_beside, line_look, new_axes
from acoibl.plotting.style import PALETTE, escape

_OTHER = {"facecolor": "#DDDDDD", "hatch": "\\\\"}


def plot_class_weights(
    weights: pd.DataFrame, ax: Axes | None = None, *, max_features: int = 10
) -> Axes:
    """Stacked bars of class-based feature weights, one bar a class (the paper's Figs 8-10).

    Parameters
    ----------
    weights : DataFrame of shape (n_classes, n_features)
        Non-negative weights; each row is scaled to a sum of 100 %. A class whose weights are
        all zero has no bar and is marked so.
    ax : matplotlib Axes, optional
        Where to draw.
    max_features : int, default=10
        With more features, only those with the largest mean share are drawn by name and the
        others as one part on top.

    Returns
    -------
    matplotlib Axes
        Features are stacked in the order of the columns, and the legend lists them in the order
        of the bars from top to bottom.

    Raises
    ------
    ValueError
        If there is no weight, a weight is negative, missing or infinite, or `max_features` is
        less than 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl.plotting import plot_class_weights
    >>> weights = pd.DataFrame({"petal": [0.9, 0.2], "sepal": [0.1, 0.6]}, index=["a", "b"])
    >>> ax = plot_class_weights(weights)
    >>> [round(float(bar.get_height()), 1) for bar in ax.patches]
    [90.0, 25.0, 10.0, 75.0]
    """
    shares = _shares(weights)
    if max_features < 1:
        raise ValueError(f"max_features must be at least 1, not {max_features!r}")
    n_classes, n_features = shares.shape
    shown = np.arange(n_features)
    if n_features > max_features:
        largest = np.argsort(-shares.mean(axis=0), kind="stable")[:max_features]
        shown = np.sort(largest)
    parts = [(escape(weights.columns[j]), shares[:, j], bar_look(i)) for i, j in enumerate(shown)]
    if hidden := n_features - len(shown):
        rest = 100.0 * (shares.sum(axis=1) > 0) - shares[:, shown].sum(axis=1)
        parts.append((f"{hidden} others", rest.clip(min=0.0), _OTHER))

    labels = [escape(name) for name in weights.index]
    width = min(14.0, max(5.6, 3.6 + 0.55 * n_classes))
    room = width - 1.8 if ax is None else ax.figure.get_figwidth() * ax.get_position().width
    crowded = max(map(len, labels)) * n_classes * 0.08 > room  # a character is some 0.08 inch wide
    ax = new_axes(ax, (width, 4.2 + 0.6 * crowded))
    places = np.arange(n_classes)
    bottom = np.zeros(n_classes)
    for _, heights, look in parts:
        ax.bar(places, heights, 0.7, bottom, edgecolor="white", linewidth=0.6, **look)
        bottom += heights
    for place in places[bottom == 0.0]:
        ax.text(place, 2.0, "all weights 0", rotation=90, ha="center", va="bottom", color="#5F5F5F")
    turned: dict[str, Any] = {"rotation": 40, "ha": "right"} if crowded else {}
    ax.set_xticks(places, labels, **turned)
    ax.set_xlim(-0.6, n_classes - 0.4)
    ax.set(ylim=(0, 100), ylabel="share of the class's weight (%)", xlabel="class")
    handles = [Patch(edgecolor="white", linewidth=0.6, **look) for *_, look in parts]
    legend_beside(ax, handles[::-1], [name for name, *_ in parts][::-1], "feature")
    return ax


def plot_decision_map(
    estimator: Any,
    X: pd.DataFrame | np.ndarray,
    y: pd.Series | np.ndarray,
    ax: Axes | None = None,
    *,
    resolution: int = 150,
) -> Axes:
    """Regions of a classifier's predictions over two numeric features, with the data on top.

    Parameters
    ----------
    estimator : fitted classifier
        Fitted on two features, like `X`.
    X : DataFrame or array of shape (n_samples, 2)
        Two numeric features; they span the map and are drawn as points.
    y : Series or array of shape (n_samples,)
        True class of each point.
    ax : matplotlib Axes, optional
        Where to draw.
    resolution : int, default=150
        Grid points along each axis; `estimator` predicts ``resolution ** 2`` rows.

    Returns
    -------
    matplotlib Axes
        With one colour and marker a class, named in a legend beside the map.

    Raises
    ------
    ValueError
        If `X` has not exactly two numeric columns without missing values, or `y` another length.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from acoibl.plotting import plot_decision_map
    >>> X, y = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array(["low", "high"])
    >>> ax = plot_decision_map(KNeighborsClassifier(1).fit(X, y), X, y, resolution=20)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['high', 'low']
    """
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    if frame.shape[1] != 2 or not all(map(pd.api.types.is_numeric_dtype, frame.dtypes)):
        kinds = [f"{name}: {dtype}" for name, dtype in frame.dtypes.items()]
        raise ValueError(f"a decision map needs exactly two numeric features, X has {kinds}")
    points = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    truth = np.asarray(y)
    if truth.shape != (len(points),):
        raise ValueError(f"y has the shape {truth.shape}, X has {len(points)} rows")
    if not len(points) or not np.isfinite(points).all():
        raise ValueError("a decision map needs rows without missing or infinite values")

    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.where(high > low, 0.06 * (high - low), 0.5)
    xs, ys = np.linspace(low - margin, high + margin, resolution).T
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    rows = grid if frame is not X else pd.DataFrame(grid, columns=frame.columns)
    predicted = np.asarray(estimator.predict(rows))
    classes, codes = np.unique(np.concatenate([predicted, truth]), return_inverse=True)

    ax = new_axes(ax, (6.4, 4.6))
    colours = [PALETTE[c % len(PALETTE)] for c in range(len(classes))]
    ax.pcolormesh(
        xs,
        ys,
        codes[: len(grid)].reshape(resolution, resolution),
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(classes) - 0.5,
        alpha=0.3,
        shading="nearest",
        rasterized=True,
        zorder=0,
    )
    handles = []
    for c, colour in enumerate(colours):
        mine = points[codes[len(grid) :] == c]
        marker = MARKERS[c % len(MARKERS)]
        look: dict[str, Any] = {
            "color": colour,
            "marker": marker,
            "edgecolor": "black",
            "linewidth": 0.5,
        }
        handles.append(ax.scatter(mine[:, 0], mine[:, 1], s=24, zorder=2, **look))
    ax.set(xlabel=escape(frame.columns[0]), ylabel=escape(frame.columns[1]))
    legend_beside(ax, handles, [escape(name) for name in classes], "class")
    return ax


def plot_convergence(
    history: pd.DataFrame | Mapping[str, pd.DataFrame], ax: Axes | None = None
) -> Axes:
    """Best leave-one-out accuracy so far against the number of evaluated candidates.

    Parameters
    ----------
    history : DataFrame, or mapping of label to DataFrame
        A fitted classifier's ``history_``, with columns ``n_evaluations`` and ``best_accuracy``;
        several are drawn as one labelled line each.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        One step line a history.

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl.plotting import plot_convergence
    >>> history = pd.DataFrame({"n_evaluations": [1, 2, 9], "best_accuracy": [0.5, 0.7, 0.8]})
    >>> plot_convergence(history).get_xlabel()
    'evaluated candidates'
    """
    named = history if isinstance(history, Mapping) else {"": history}
    for frame in named.values():
        if missing := {"n_evaluations", "best_accuracy"}.difference(frame.columns):
            raise ValueError(f"the history has no column {sorted(missing)}")
    ax = new_axes(ax)
    steps = [
        ax.step(frame["n_evaluations"], frame["best_accuracy"], where="post", **line_look(i))[0]
        for i, frame in enumerate(named.values())
    ]
    ax.set(xlabel="evaluated candidates", ylabel="best leave-one-out accuracy")
    if isinstance(history, Mapping):
        legend_beside(ax, steps, [escape(name) for name in named], None)
    return ax


def _shares(weights: pd.DataFrame) -> np.ndarray:
    """Rows of weights scaled to 100, rows of zeros left."""
    values = weights.to_numpy(dtype=np.float64)
    if not values.size or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("weights must be non-negative, finite numbers, at least one")
    sums = values.sum(axis=1, keepdims=True)
    return 100.0 * values / np.where(sums > 0, sums, 1.0)
