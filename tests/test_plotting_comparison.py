"""Critical-difference diagrams: nothing is clipped or overlaps, and the bars are the cliques."""

from itertools import combinations

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt

from acoibl.comparison import critical_difference, published
from acoibl.plotting import STYLE, plot_critical_difference

LONG = [
    "HistGradientBoosting, scikit-learn defaults",
    "NeighborhoodComponentsAnalysis + k-NN",
    "Ensemble of ACO-GKE (preset default)",
    "costs $ 5 and $x_1$",
    "x" * 80,
    *(f"algorithm number {i}" for i in range(6, 15)),
]


def result_of(k, method="nemenyi", names=LONG, slope=0.1, seed=0):
    values = np.random.default_rng(seed).normal(size=(36, k)) - slope * np.arange(k)
    return critical_difference(pd.DataFrame(values, columns=names[:k]), method=method)


def boxes(ax):
    figure = ax.figure
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    return figure.bbox, [text.get_window_extent(renderer) for text in ax.texts]


def bars(ax):
    return [line for line in ax.lines if line.get_linewidth() == 4]


@pytest.mark.parametrize("styled", [False, True])
@pytest.mark.parametrize("k", [2, 3, 8, 14])
@pytest.mark.parametrize("method", ["nemenyi", "holm"])
def test_every_text_is_whole_and_apart_from_the_others(k, method, styled):
    with mpl.rc_context(STYLE if styled else {}):
        ax = plot_critical_difference(result_of(k, method))
        page, texts = boxes(ax)
    for box in texts:
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1
    for first, second in combinations(texts, 2):
        assert not first.overlaps(second)
    ticks = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert not any(tick.overlaps(box) for tick in ticks for box in texts)


def test_names_stand_in_the_order_of_the_ranks():
    result = result_of(7, names=list("abcdefg"), slope=0.3)
    ax = plot_critical_difference(result)
    shown = {text.get_text(): text for text in ax.texts if len(text.get_text().split()) == 2}
    shown.pop("average rank")
    left = [f"{name}  {rank:.2f}" for name, rank in result.ranks.iloc[:4].items()]
    right = [f"{rank:.2f}  {name}" for name, rank in result.ranks.iloc[4:].items()]
    assert set(shown) == {*left, *right}
    down = [shown[name].xy[1] for name in left]
    up = [shown[name].xy[1] for name in right]
    assert down == sorted(down, reverse=True)
    assert up == sorted(up)
    assert {shown[name].xy[0] for name in left} == {0.0}
    assert {shown[name].xy[0] for name in right} == {1.0}


@pytest.mark.parametrize("method", ["nemenyi", "holm"])
def test_bars_are_the_cliques_and_do_not_touch(method):
    result = result_of(12, method, slope=0.2)
    ax = plot_critical_difference(result)
    assert len(result.cliques) > 2
    drawn = [line.get_xydata() for line in bars(ax)]
    reach = 0.004 * np.ptp(ax.get_xlim())
    spans = sorted((line[0, 0] + reach, line[-1, 0] - reach) for line in drawn)
    ranks = [result.ranks[clique] for clique in result.cliques]
    np.testing.assert_allclose(spans, sorted((r.min(), r.max()) for r in ranks))
    for first, second in combinations(drawn, 2):
        if first[0, 1] == second[0, 1]:
            assert first[-1, 0] < second[0, 0] or second[-1, 0] < first[0, 0]


def test_ruler_has_the_length_of_the_critical_difference():
    result = critical_difference(published("table9_all"))
    ax = plot_critical_difference(result)
    ruler = next(line for line in ax.lines if line.get_marker() == "|").get_xdata()
    assert ruler[1] - ruler[0] == pytest.approx(result.difference)
    low, high = ax.get_xlim()
    assert low <= result.ranks.min()
    assert high >= max(result.ranks.max(), ruler[1])
    words = [text.get_text() for text in ax.texts]
    assert any("critical difference 1.50 (Nemenyi" in text for text in words)
    assert any("36 datasets" in text for text in words)


def test_holm_has_no_ruler():
    ax = plot_critical_difference(result_of(5, "holm"))
    assert not [line for line in ax.lines if line.get_marker() == "|"]
    assert any(text.get_text().startswith("Holm, all pairs") for text in ax.texts)


def test_long_names_get_two_lines_and_signs_are_shown_literally():
    ax = plot_critical_difference(result_of(5))
    shown = " ".join(text.get_text().replace("\n", " ") for text in ax.texts)
    assert LONG[0] in shown
    assert LONG[1] in shown
    assert r"costs \$ 5 and \$x_1\$" in shown


def test_draws_into_given_axes():
    fig, axes = plt.subplots(2, 1, layout="constrained")
    for ax, name in zip(axes, ("table3_knn", "table5_gke"), strict=True):
        assert plot_critical_difference(critical_difference(published(name)), ax) is ax
    assert len(plt.get_fignums()) == 1
    assert [len(bars(ax)) for ax in axes] == [2, 1]
    assert fig.axes == list(axes)


def test_all_equal_and_none_alike():
    equal = critical_difference(pd.DataFrame(1.0, index=range(5), columns=list("abc")))
    assert len(bars(plot_critical_difference(equal))) == 1
    steps = pd.DataFrame(np.tile([3.0, 2.0, 1.0], (200, 1)), columns=list("abc"))
    assert not bars(plot_critical_difference(critical_difference(steps)))


def test_bad_ranks():
    result = result_of(3)
    with pytest.raises(ValueError, match="two algorithms at least"):
        plot_critical_difference(result._replace(ranks=result.ranks.iloc[:1], cliques=[]))
    with pytest.raises(ValueError, match="all known"):
        plot_critical_difference(result._replace(ranks=result.ranks * np.nan, cliques=[]))
