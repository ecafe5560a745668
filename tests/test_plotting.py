"""Figures show the numbers they were given, name things literally and leak nothing."""

import hashlib
import os
import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("agg")

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from acoibl import plotting

AWKWARD = ["$x_1$", "_hidden", "a < b & c", r"\alpha", "costs $ 5", "x" * 80, "two\nlines", ""]


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def iris():
    data = load_iris(as_frame=True)
    return data.data.iloc[:, 2:], data.target.map(dict(enumerate(data.target_names)))


def heights(ax, n_classes):
    return np.array([bar.get_height() for bar in ax.patches]).reshape(-1, n_classes).T


def legend_names(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def random_weights(n_classes, n_features):
    values = np.random.default_rng(0).random((n_classes, n_features))
    return pd.DataFrame(values, columns=[f"f{j}" for j in range(n_features)])


def test_bars_are_the_normalised_weights():
    weights = random_weights(4, 6)
    ax = plotting.plot_class_weights(weights)
    expected = 100 * weights.div(weights.sum(axis=1), axis=0)
    np.testing.assert_allclose(heights(ax, 4), expected)
    for c in range(4):
        own = [bar for bar in ax.patches if bar.get_x() == pytest.approx(c - 0.35)]
        assert own[-1].get_y() + own[-1].get_height() == pytest.approx(100)
    assert legend_names(ax) == [f"f{j}" for j in reversed(range(6))]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "1", "2", "3"]


def test_many_features_leave_the_largest_and_one_part_for_the_others():
    weights = random_weights(3, 40)
    weights[["f7", "f31"]] += 5
    ax = plotting.plot_class_weights(weights, max_features=2)
    shares = 100 * weights.div(weights.sum(axis=1), axis=0)
    drawn = heights(ax, 3)
    np.testing.assert_allclose(drawn[:, :2], shares[["f7", "f31"]])
    np.testing.assert_allclose(drawn.sum(axis=1), 100)
    assert legend_names(ax) == ["38 others", "f31", "f7"]


def test_looks_differ_between_all_features_that_are_drawn_by_name():
    ax = plotting.plot_class_weights(random_weights(2, 30), max_features=30)
    looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}
    assert len(looks) == 30


@pytest.mark.parametrize("max_features", [2, 10])
def test_class_without_weight_is_empty_and_marked(max_features):
    weights = pd.DataFrame([[0.0, 0.0, 0.0], [1.0, 2.0, 1.0]], index=["none", "some"])
    ax = plotting.plot_class_weights(weights, max_features=max_features)
    np.testing.assert_allclose(heights(ax, 2).sum(axis=1), [0, 100])
    assert [text.get_text() for text in ax.texts] == ["all weights 0"]


@pytest.mark.parametrize(
    "weights",
    [
        pd.DataFrame(),
        pd.DataFrame({"a": [-1.0, 2.0]}),
        pd.DataFrame({"a": [np.nan, 2.0]}),
        pd.DataFrame({"a": [np.inf, 2.0]}),
    ],
)
def test_bad_weights(weights):
    with pytest.raises(ValueError, match="non-negative, finite"):
        plotting.plot_class_weights(weights)
    assert not plt.get_fignums()


def test_names_are_shown_literally(iris):
    X, y = iris
    weights = pd.DataFrame(np.ones((8, 8)), index=AWKWARD, columns=AWKWARD)
    ax = plotting.plot_class_weights(weights)
    shown = legend_names(ax)[::-1]
    assert shown[:5] == [r"\$x_1\$", "_hidden", "a < b & c", r"\alpha", r"costs \$ 5"]
    assert shown[5:] == ["x" * 31 + "…", "two lines", "(empty)"]

    X = X.set_axis(["$a$", "$b"], axis=1)
    y = y.replace({"setosa": "_s$1$", "virginica": "$v$"})
    other = plotting.plot_decision_map(KNeighborsClassifier().fit(X, y), X, y, resolution=10)
    assert other.get_xlabel() == r"\$a\$"
    assert set(legend_names(other)) == {r"\$v\$", r"_s\$1\$", "versicolor"}
    for axes in (ax, other):
        texts = [*axes.get_legend().get_texts(), *axes.get_xticklabels(), axes.xaxis.label]
        # What Matplotlib itself decides: no text is a formula, and the dollar signs come back.
        assert not any(text._preprocess_math(text.get_text())[1] for text in texts)
        axes.figure.canvas.draw()
    assert ax.get_legend().get_texts()[-1]._preprocess_math(r"\$x_1\$")[0] == "$x_1$"


def test_repeated_names_are_kept_apart():
    weights = pd.DataFrame([[1.0, 3.0]], columns=["same", "same"])
    ax = plotting.plot_class_weights(weights)
    np.testing.assert_allclose(heights(ax, 1), [[25.0, 75.0]])


def test_decision_map_colours_regions_by_prediction_and_points_by_class(iris):
    X, y = iris
    model = KNeighborsClassifier(1).fit(X, y)
    ax = plotting.plot_decision_map(model, X, y, resolution=25)
    assert legend_names(ax) == ["setosa", "versicolor", "virginica"]
    mesh, *points = ax.collections
    assert sorted(len(p.get_offsets()) for p in points) == [50, 50, 50]
    regions = np.asarray(mesh.get_array()).ravel()
    assert regions.size == 625
    assert set(regions) == {0, 1, 2}
    # Lower left corner: small petals; upper right corner: large ones.
    assert (regions[0], regions[-1]) == (0, 2)
    assert ax.get_xlabel() == "petal length (cm)"


def test_decision_map_of_arrays_constant_feature_and_unseen_class():
    X = np.array([[0.0, 7.0], [1.0, 7.0], [2.0, 7.0]])
    model = KNeighborsClassifier(1).fit(X[:2], ["a", "b"])
    ax = plotting.plot_decision_map(model, X, np.array(["a", "b", "new"]), resolution=9)
    assert legend_names(ax) == ["a", "b", "new"]
    assert ax.get_ylim()[0] < 7 < ax.get_ylim()[1]


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.ones((4, 3)), np.ones(4), "exactly two numeric"),
        (pd.DataFrame({"a": [1.0], "b": ["x"]}), np.ones(1), "exactly two numeric"),
        (np.ones((4, 2)), np.ones(3), "4 rows"),
        (np.array([[1.0, np.nan]]), np.ones(1), "missing"),
        (np.empty((0, 2)), np.empty(0), "needs rows"),
    ],
)
def test_decision_map_bad_input(X, y, message):
    with pytest.raises(ValueError, match=message):
        plotting.plot_decision_map(KNeighborsClassifier(), X, y)
    assert not plt.get_fignums()


def test_rank_curve_is_sorted_and_marks_the_best():
    ranks = pd.Series({9: 2.0, 1: 3.0, 5: 1.5, 7: 1.5}).rename_axis("k")
    ax = plotting.plot_rank_curve(ranks, published_best=12)
    curve, best, published = ax.lines
    assert list(curve.get_xdata()) == [1, 5, 7, 9]
    assert (list(best.get_xdata()), list(best.get_ydata())) == ([5], [1.5])
    assert published.get_xdata()[0] == 12
    assert legend_names(ax) == ["best here: 5", "best in the paper: 12"]
    assert ax.get_xlabel() == "k"
    with pytest.raises(ValueError, match="no missing value"):
        plotting.plot_rank_curve(pd.Series({1: np.nan}))


def test_weights_against_distance_follow_the_formulas():
    ax = plotting.plot_weight_vs_distance(bandwidths=[0.4])
    gaussian, inverse = (line.get_xydata() for line in ax.lines)
    assert gaussian[0, 1] == pytest.approx(0.99735570)  # 1 / (0.4 sqrt(2 pi))
    assert np.interp(0.4, *gaussian.T) == pytest.approx(0.99735570 * np.exp(-0.5))
    assert np.interp(0.5, *inverse.T) == pytest.approx(2.0)


def test_selection_ratio_is_the_quotient_of_gaussian_densities():
    def omega(rank, q, size):
        spread = q * size
        return np.exp(-((rank - 1) ** 2) / (2 * spread**2)) / (spread * np.sqrt(2 * np.pi))

    ax = plotting.plot_selection_ratio(q=[0.25, 1.0])
    for line, q in zip(ax.lines, [0.25, 1.0], strict=True):
        ranks, ratio = line.get_xydata().T
        np.testing.assert_allclose(ratio, omega(1, q, 50) / omega(ranks, q, 50))
    q, ratio = plotting.plot_selection_ratio(against="q").lines[0].get_xydata().T
    np.testing.assert_allclose(ratio, omega(1, q, 50) / omega(50, q, 50))
    assert ax.get_yscale() == "log"
    with pytest.raises(ValueError, match="against"):
        plotting.plot_selection_ratio(against="k")


def test_convergence_of_one_and_of_several_searches():
    history = pd.DataFrame({"n_evaluations": [1, 5, 9], "best_accuracy": [0.4, 0.6, 0.7]})
    ax = plotting.plot_convergence(history)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), history)
    assert ax.get_legend() is None
    assert legend_names(plotting.plot_convergence({"_a": history, "$b$": history})) == [
        "_a",
        r"\$b\$",
    ]
    with pytest.raises(ValueError, match="best_accuracy"):
        plotting.plot_convergence(history[["n_evaluations"]])


def test_drawing_into_given_axes_opens_no_figure(iris):
    X, y = iris
    model = KNeighborsClassifier().fit(X, y)
    history = pd.DataFrame({"n_evaluations": [1], "best_accuracy": [0.4]})
    calls = [
        lambda ax: plotting.plot_class_weights(random_weights(3, 3), ax),
        lambda ax: plotting.plot_decision_map(model, X, y, ax, resolution=5),
        lambda ax: plotting.plot_rank_curve(pd.Series({1: 1.0}), ax),
        lambda ax: plotting.plot_weight_vs_distance(ax),
        lambda ax: plotting.plot_selection_ratio(ax),
        lambda ax: plotting.plot_convergence(history, ax),
    ]
    figure = mpl.figure.Figure()
    for call in calls:
        ax = figure.add_subplot()
        assert call(ax) is ax
    assert not plt.get_fignums()
    for call in calls:
        call(None)
    assert len(plt.get_fignums()) == len(calls)


def test_style_is_only_set_when_asked():
    code = (
        "import matplotlib as m; m.use('agg'); a = dict(m.rcParams); import acoibl.plotting as p;"
        "assert dict(m.rcParams) == a; p.set_style(); assert dict(m.rcParams) != a"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_files_do_not_depend_on_the_hash_seed():
    code = """
import io, sys, matplotlib
matplotlib.use("svg")
import numpy as np, pandas as pd
from acoibl import plotting
plotting.set_style()
values = np.random.default_rng(0).random((4, 12))
weights = pd.DataFrame(values, index=list("abcd"), columns=[f"f{j}" for j in range(12)])
buffer = io.BytesIO()
plotting.plot_class_weights(weights).figure.savefig(buffer, metadata={"Date": None})
sys.stdout.buffer.write(buffer.getvalue())
"""
    digests = set()
    for seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert run.stdout.startswith(b"<?xml")
        digests.add(hashlib.sha256(run.stdout).hexdigest())
    assert len(digests) == 1
