"""Rulers: values by hand, frequencies by the slow oracle, and the kernels of lazy classifiers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl import MixedEncoder, kernels
from acoibl.rulers import FeatureRulers, likeliest_smoothing
from tests import naive


def encoded(X):
    encoder = MixedEncoder().fit(X)
    return encoder, encoder.encode(X)


def test_numbers_by_hand():
    X = pd.DataFrame({"x": [0.0, 0.0, 1.0, 4.0, np.nan], "constant": [3.0] * 4 + [np.nan]})
    encoder, data = encoded(X)
    y = np.array([0, 0, 1, 1, 1])
    rulers = FeatureRulers("both").fit(data, y, 2)
    # Four rows have a value: mid-ranks 1/4 (two of them), 5/8, 7/8.
    expected = [[0, 0.25], [0, 0.25], [0.25, 0.625], [1, 0.875], [np.nan, np.nan]]
    np.testing.assert_allclose(rulers.columns(data)[:, :2], expected)
    np.testing.assert_array_equal(rulers.columns(data)[:4, 2:], np.zeros((4, 2)))
    # Between training values ranks are interpolated, beyond them they stay.
    new = encoder.encode(pd.DataFrame({"x": [2.5, 40.0, -9.0], "constant": [7.0, 3.0, 1.0]}))
    np.testing.assert_allclose(rulers.columns(new)[:, 1], [0.75, 0.875, 0.25])
    standard = FeatureRulers("standard").fit(data, y, 2).columns(data)
    z = np.array([0.0, 0.0, 0.25, 1.0])
    np.testing.assert_allclose(standard[:4, 0], (z - z.mean()) / (4 * z.std()))
    np.testing.assert_array_equal(standard[:4, 1], np.zeros(4))


def test_categories_by_hand():
    X = pd.DataFrame({"c": ["a", "a", "a", "b", "b", None]})
    encoder, data = encoded(X)
    y = np.array([0, 0, 1, 1, 1, 0])
    rulers = FeatureRulers(categorical="vdm", smoothing=0.0).fit(data, y, 2)
    # a: (2/3, 1/3), b: (0, 1); half of the sum of squares is 4/9.
    table = rulers.tables(data.codes)[0]
    np.testing.assert_allclose(table[0], [0, 4 / 9, 1])
    np.testing.assert_allclose(table[3], [4 / 9, 0, 1])
    np.testing.assert_array_equal(table[5], [1, 1, 1])
    # Row 2 without its own label: a is (1, 0), and the farthest that there is from b.
    np.testing.assert_allclose(rulers.tables(data.codes, y)[0][2], [0, 1, 1])
    absolute = FeatureRulers(categorical="vdm", smoothing=0.0, p=1).fit(data, y, 2)
    np.testing.assert_allclose(absolute.tables(data.codes)[0][0], [0, 2 / 3, 1])
    # Unseen: the classes of all rows with a category, (2/5, 3/5).
    with pytest.warns(UserWarning, match="no value of column"):
        unseen = encoder.encode(pd.DataFrame({"c": ["z"]}))
    np.testing.assert_allclose(rulers.tables(unseen.codes)[0][0], [(4 / 15) ** 2, 0.16, 1])
    mismatch = FeatureRulers(categorical="mismatch").fit(data, y, 2)
    np.testing.assert_array_equal(mismatch.tables(unseen.codes)[0][0], [1, 1, 1])
    both = FeatureRulers(categorical="both", smoothing=0.0).fit(data, y, 2)
    np.testing.assert_allclose(both.tables(data.codes)[0][0], [0, 0.2 + 0.8 * 4 / 9, 1])


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 1, 2, None]), st.integers(0, 2)), min_size=2, max_size=12
    ),
    st.sampled_from([0.0, 1.0, 7.5]),
    st.sampled_from([1, 2]),
)
@settings(max_examples=100, deadline=None)
def test_tables_leave_the_own_label_out_as_the_oracle_does(rows, m, p):
    column, classes = [row[0] for row in rows], [row[1] for row in rows]
    codes = np.array([[-1 if c is None else c] for c in column], dtype=np.int32)
    none = np.empty(0, dtype=np.int64)
    data = type(encoded(pd.DataFrame({"x": [1.0]}))[1])(
        np.empty((len(rows), 0)), codes, none, np.array([0])
    )
    rulers = FeatureRulers(smoothing=m, p=p).fit(data, np.array(classes), 3)
    table = rulers.tables(codes, np.array(classes))[0]
    for i, a in enumerate(column):
        for b in {c for c in column if c is not None}:
            expected = naive.category_difference(a, b, column, classes, 3, m, 0.2, p, i)
            assert table[i, b] == pytest.approx(expected, abs=1e-12)
    assert (table[:, -1] == 1).all()


def mixed(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.random(n), "z": rng.lognormal(size=n).round(1)})
    X["c"] = pd.Categorical(rng.choice(list("abcd"), n))
    X["d"] = pd.Categorical(rng.choice(list("uv"), n))
    y = (X["x"].to_numpy() > 0.5) + (X["c"] == "a").to_numpy().astype(int)
    return X.mask(rng.random(X.shape) < 0.1), y


@pytest.mark.parametrize("categorical", ["mismatch", "vdm", "both"])
@pytest.mark.parametrize("numeric", ["minmax", "rank", "both", "standard"])
def test_lazy_kernels_measure_the_same(numeric, categorical):
    X, y = mixed()
    _, data = encoded(X)
    rulers = FeatureRulers(numeric, categorical, smoothing=1.0).fit(data, y, 3)
    weights = np.random.default_rng(1).lognormal(size=(3, 4))
    spread, placed = rulers.spread(weights), rulers.embed(data)
    found = kernels.squared_distance_matrix(
        kernels.make_queries(placed.numeric, placed.codes),
        kernels.make_training(placed.numeric, placed.codes, y, 3),
        spread,
        False,
    )
    columns, tables = rulers.columns(data), rulers.tables(data.codes)
    expected = np.zeros((len(y), len(y)))
    for j, feature in enumerate(rulers.column_features_):
        gaps = columns[:, [j]] - columns[:, j]
        squares = np.where(np.isnan(gaps), 1.0, gaps**2) * rulers.column_factors_[j]
        expected += weights[y, feature] * squares
    for j, feature in enumerate(rulers.categorical_features_):
        expected += weights[y, feature] * tables[j][:, data.codes[:, j]]  # -1: the last column
    np.testing.assert_allclose(found, expected)


def test_order_of_rows_and_names_of_classes_change_nothing():
    X, y = mixed()
    _, data = encoded(X)
    order = np.random.default_rng(2).permutation(len(y))
    _, shuffled = encoded(X.iloc[order])
    names = np.array([2, 0, 1])
    one = FeatureRulers().fit(data, y, 3)
    other = FeatureRulers().fit(shuffled, names[y[order]], 3)
    np.testing.assert_allclose(one.columns(data)[order], other.columns(shuffled))
    np.testing.assert_allclose(one.smoothing_, other.smoothing_)
    for a, b in zip(
        one.tables(data.codes, y), other.tables(shuffled.codes, names[y[order]]), strict=True
    ):
        np.testing.assert_allclose(a[order], b, atol=1e-12)


def test_smoothing_follows_what_categories_say():
    half = np.array([0.5, 0.5])
    telling = np.array([[20.0, 0.0], [1.0, 19.0]])
    silent = np.array([[10.0, 10.0], [11.0, 9.0]])
    assert likeliest_smoothing(telling, half) < 1 < 1e3 < likeliest_smoothing(silent, half)
    many = np.eye(2)[np.arange(40) % 2]  # forty categories of one row each
    assert likeliest_smoothing(many, half) < likeliest_smoothing(silent, half)


@pytest.mark.parametrize(
    "wrong",
    [
        {"numeric": "euclid"},
        {"categorical": "x"},
        {"mismatch_share": 2},
        {"smoothing": -1},
        {"p": 3},
    ],
)
def test_errors_name_the_parameter(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        FeatureRulers(**wrong)
