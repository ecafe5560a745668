"""Kuncheva's index: bounds, extremes, chance, and the curve over all sizes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from acoibl.margins import kuncheva_index, stability_curve
from acoibl.margins.stability import run_stability
from tests.margins import naive_margins as naive


@given(st.data())
def test_index_is_the_formula_and_bounded(data):
    d = data.draw(st.integers(2, 12))
    k = data.draw(st.integers(1, d - 1))
    subsets = data.draw(
        st.lists(st.permutations(range(d)).map(lambda p: p[:k]), min_size=2, max_size=6)
    )
    index = kuncheva_index(subsets, d)
    assert index == pytest.approx(naive.kuncheva(subsets, d))
    assert -1 - 1e-12 <= index <= 1 + 1e-12
    assert kuncheva_index([subsets[0]] * len(subsets), d) == 1
    relabelled = [[(7 * d + 3 - f) % d for f in subset] for subset in subsets]
    assert kuncheva_index(relabelled, d) == pytest.approx(index)


def test_extremes():
    assert kuncheva_index([[0, 1], [2, 3]], 4) == -1  # complements
    assert kuncheva_index([{0, 1}, {0, 1}], 9) == 1
    masks = [np.array([True, False, True]), np.array([True, False, True])]
    assert kuncheva_index(masks, 3) == 1


def test_chance_is_zero():
    rng = np.random.default_rng(0)
    for d, k in ((10, 3), (30, 20), (7, 1)):
        values = [
            kuncheva_index([rng.permutation(d)[:k] for _ in range(2)], d) for _ in range(4000)
        ]
        error = np.std(values) / np.sqrt(len(values))
        assert abs(np.mean(values)) < 4 * error


def test_undefined_says_why():
    with pytest.warns(UndefinedMetricWarning, match="all features are selected"):
        assert np.isnan(kuncheva_index([[0, 1], [1, 0]], 2))
    with pytest.warns(UndefinedMetricWarning, match="no feature"):
        assert np.isnan(kuncheva_index([[], []], 2))
    curve = stability_curve([[1, 2, 3], [3, 2, 1]])
    assert np.isnan(curve.loc[3, "kuncheva"])
    assert "all features" in curve.loc[3, "note"]
    assert (curve.loc[[1, 2], "note"] == "").all()


def test_curve_is_the_index_size_by_size():
    rng = np.random.default_rng(1)
    rankings = np.array([rng.permutation(9) + 1 for _ in range(5)])
    curve = stability_curve(rankings)
    for k in range(1, 9):
        expected = kuncheva_index([np.flatnonzero(r <= k) for r in rankings], 9)
        assert curve.loc[k, "kuncheva"] == pytest.approx(expected)
        assert stability_curve(rankings, [k]).loc[k].equals(curve.loc[k])
    assert stability_curve(rankings.astype(float)).equals(curve)  # as scipy's rankdata gives them
    by_run = run_stability(rankings)
    assert by_run.mean() == pytest.approx(curve["kuncheva"].mean())
    # the run that is removed had this much to do with the others
    others = stability_curve(rankings[1:])["kuncheva"].mean()
    assert by_run[0] == pytest.approx((20 * by_run.mean() - 12 * others) / 8)
    assert np.isnan(run_stability([[1], [1]])).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: kuncheva_index([[0]], 3), "at least 2"),
        (lambda: kuncheva_index([[0], [0, 1]], 3), r"same size, got \[1, 2\]"),
        (lambda: kuncheva_index([[0], [3]], 3), "selection 1 .* positions from 0 to 2, got 3"),
        (lambda: kuncheva_index([[0], [-1]], 3), "positions from 0 to 2, got -1"),
        (lambda: kuncheva_index([[1, 1], [0, 1]], 3), "selection 0 holds feature 1 twice"),
        (lambda: kuncheva_index([[0.5], [1.0]], 3), "positions .* integers.* got float 0.5"),
        (lambda: kuncheva_index([["a"], ["b"]], 3), "positions .* integers.* got str 'a'"),
        (lambda: kuncheva_index([np.ones(3, int)] * 2, 3), "mask must hold bool"),
        (lambda: kuncheva_index([[[0]], [[1]]], 3), "one list"),
        (lambda: kuncheva_index([[0], [1]], 2.5), "d, the number of features"),
        (lambda: kuncheva_index([np.ones(2, bool)] * 2, 3), "shape"),
        (lambda: stability_curve([[1, 2]]), "2 or more"),
        (lambda: stability_curve([[1, 1], [1, 2]]), "each once"),
        (lambda: stability_curve([[1.5, 1], [1, 2]]), "each once"),
        (lambda: stability_curve([["a", "b"], ["b", "a"]]), "each once"),
        (lambda: stability_curve([[2, 1], [1, 2]], [3]), "between 1 and 2.*got 3"),
        (lambda: stability_curve([[2, 1], [1, 2]], [1.7]), "integers between 1 and 2.*got 1.7"),
    ],
)
def test_wrong_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
