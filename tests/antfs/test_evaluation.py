"""Accuracy of subsets against every distance computed anew, and against the classifiers."""

import json
import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import LeaveOneOut

from acoibl import KNNClassifier
from acoibl.antfs import (
    AntFeatureSelector,
    SubsetEvaluator,
    class_separability,
    exhaustive_search,
    forward_selection,
    mutual_information_scores,
    random_subsets,
    relieff_scores,
)
from acoibl.antfs.evaluation import stratified_parts
from acoibl.kernels.conventions import UNKNOWN
from acoibl.kernels.subset_search import make_distance_table
from tests.antfs import naive_ants
from tests.antfs.data import as_rows, mixed
from tests.waiting import LIMIT


def oracle(judge, k, parts=None, X_test=None, y_test=None, units=None):
    """`errors_of(subset)` by the naive way; with `units`, of numbers that have these again."""
    rows, nominal = as_rows(judge.training)
    if units is not None:
        rows = [[unit * value for unit, value in zip(units, row, strict=True)] for row in rows]
    labels = judge.codes.tolist()
    if X_test is None:
        parts = range(len(rows)) if parts is None else parts
        return lambda subset: naive_ants.errors(
            rows, labels, rows, labels, subset, nominal, k, parts
        )
    queries, _ = as_rows(judge.encoder.transform(X_test))
    actual = np.searchsorted(judge.classes_, y_test).tolist()
    return lambda subset: naive_ants.errors(rows, labels, queries, actual, subset, nominal, k)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), k=st.sampled_from([1, 3, 5, 100]))
def test_a_growing_table_equals_distances_computed_anew(seed, k):
    X, y = mixed(40, seed)
    for queries in ({}, {"X_test": X[30:], "y_test": y[30:]}):
        judge = SubsetEvaluator(X[:30], y[:30], **queries, n_neighbors=k)
        errors_of = oracle(judge, k, **queries)
        rng = np.random.default_rng(seed)
        for _ in range(2):  # two ants: the second finds the lines of the first
            path = rng.permutation(6)[:4].tolist()
            for size in range(1, 5):
                assert judge.errors(path[:size]) == errors_of(path[:size])
        # Not in the order of growth, and back to a part of it.
        assert judge.errors(path[1:3]) == errors_of(path[1:3])
        assert judge.errors(path) == errors_of(path)


def test_lines_hold_sums_of_squared_differences():
    X, y = mixed(30, missing=False)
    judge = SubsetEvaluator(X, y)
    judge.errors([0, 3, 2])
    rows, nominal = as_rows(judge.training)
    table, order = judge._table, judge.query_rows
    for q in range(30):
        line = table.lines[table.slots[q]]
        for s in range(30):
            own = [
                naive_ants.term(rows[order[q]][j], rows[order[s]][j], nominal[j]) for j in (0, 3)
            ]
            expected = np.inf if q == s else sum(own)
            assert line[s] == pytest.approx(expected, abs=1e-12)


def test_queries_without_a_line_get_the_same():
    X, y = mixed()
    judge, short = SubsetEvaluator(X, y), SubsetEvaluator(X, y)
    short._table = make_distance_table(short.problem, max_bytes=8 * 60 * 7)
    assert len(short._table.lines) == 7
    for subset in combinations(range(6), 3):
        assert judge.errors(subset) == short.errors(subset)


@pytest.mark.parametrize("k", [1, 4, 12])
def test_answers_are_those_of_the_classifier(k):
    X, y = mixed(120, 3)
    judge = SubsetEvaluator(X[:80], y[:80], X[80:], y[80:], n_neighbors=k)
    inner = SubsetEvaluator(X[:80], y[:80], n_neighbors=k)
    for subset in ([1], [0, 2], [4, 2], [5, 3, 2, 1, 0, 4]):
        names = X.columns[subset]
        classifier = KNNClassifier(k).fit(X[names][:80], y[:80])
        assert judge.predict(subset).tolist() == classifier.predict(X[names][80:]).tolist()
        assert judge.accuracy(subset) == pytest.approx(classifier.score(X[names][80:], y[80:]))
        assert inner.predict(subset).tolist() == classifier.loo_predict().tolist()


def test_parts_hide_each_other():
    X, y = mixed(40, 5)
    parts = np.random.default_rng(0).integers(0, 4, 40)
    judge = SubsetEvaluator(X, y, parts=parts)
    errors_of = oracle(judge, 5, parts)
    assert all(judge.errors(s) == errors_of(s) for s in combinations(range(6), 2))
    found = stratified_parts(judge.codes, 4, 0)
    counts = pd.crosstab(judge.codes, found)
    assert (counts.max(axis=1) - counts.min(axis=1)).max() <= 1


def test_without_a_scale_the_widest_feature_rules():
    X = np.column_stack([np.tile([0.0, 1.0], 20), 1000 * np.random.default_rng(0).random(40)])
    y = np.tile([0, 1], 20)
    assert SubsetEvaluator(X, y).accuracy([0, 1]) == 1.0
    assert SubsetEvaluator(X, y, scale="none").accuracy([0, 1]) < 0.9
    one = SubsetEvaluator(X * [1, 2], y, scale="none")
    assert one.errors([1]) == SubsetEvaluator(X, y).errors([1])


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    k=st.sampled_from([1, 2, 5]),
    unit=st.one_of(st.integers(-150, 150).map(lambda e: 2.0**e), st.sampled_from([1e-6, 1e6])),
)
def test_without_a_scale_the_unit_of_the_table_does_not_matter(seed, k, unit):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 40)
    # Many ties, few ties, tiny and huge numbers.
    X = np.column_stack(
        [
            np.round(y + rng.normal(0, 2, 40)),
            1e-4 * np.round(y + rng.normal(0, 3, 40), 1),
            1e-7 * rng.random(40),
            1e5 * np.round(rng.normal(y, 2, 40), 3),
        ]
    )
    judge = SubsetEvaluator(X, y, n_neighbors=k, scale="none")
    other = SubsetEvaluator(unit * X, y, n_neighbors=k, scale="none")
    errors_of = oracle(judge, k, units=np.ptp(X, axis=0))
    for size in range(1, 5):
        for subset in combinations(range(4), size):
            assert judge.predict(subset).tolist() == other.predict(subset).tolist()
            assert judge.errors(subset) == errors_of(subset)
    scaled = SubsetEvaluator(X, y, n_neighbors=k)
    for feature in range(4):
        assert judge.errors([feature]) == scaled.errors([feature])


@pytest.mark.parametrize("k", [1, 5])
def test_one_feature_alone_needs_no_scale(k):
    X, y = load_breast_cancer(return_X_y=True)
    raw = SubsetEvaluator(X, y, n_neighbors=k, scale="none")
    scaled = SubsetEvaluator(X, y, n_neighbors=k)
    for feature in range(30):
        assert raw.errors([feature]) == scaled.errors([feature]), feature


def test_unscaled_numbers_must_not_overflow():
    X, y = mixed(30, missing=False)
    X["a"] = X["a"] - X["a"].min()
    wide = X.assign(a=X["a"] / X["a"].max() * 1e160)
    with pytest.raises(ValueError, match=r"column 'a' are up to 1e\+160 apart.*scale='range'"):
        SubsetEvaluator(wide, y, scale="none")
    long = X.assign(a=X["a"] * 1e60)
    with pytest.raises(ValueError, match="column 'a' are up to"):  # only with the test part
        SubsetEvaluator(long, y, wide, y, scale="none")
    SubsetEvaluator(long, y, scale="none")
    with pytest.raises(ValueError, match="column 'x0' are up to inf apart"):
        SubsetEvaluator([[1e308], [-1e308]], [0, 1], scale="none")
    SubsetEvaluator(wide, y)
    fits = SubsetEvaluator(wide.assign(a=wide["a"] / 1e13), y, scale="none", n_neighbors=30)
    assert fits.errors([0]) == SubsetEvaluator(X, y, n_neighbors=30).errors([0])
    SubsetEvaluator([[np.nan, 1.0], [np.nan, 2.0]], [0, 1], scale="none").errors([0, 1])


def test_early_ends_never_change_a_count():
    X, y = load_breast_cancer(return_X_y=True)
    judge, fresh = SubsetEvaluator(X[:150], y[:150]), SubsetEvaluator(X[:150], y[:150])
    candidates = np.arange(1, 30)
    exact = [fresh.errors([0, candidate]) for candidate in candidates]
    assert judge.best_candidate([0], candidates, 150) == (
        min(exact), int(np.argmin(exact)), exact.count(min(exact)),
    )  # fmt: skip
    limit = sorted(exact)[3]
    known = np.full(30, UNKNOWN, dtype=np.int32)
    place = judge.first_better([0], candidates, known, limit)
    assert place == next(i for i, errors in enumerate(exact) if errors < limit)
    assert known[candidates[place]] == exact[place]
    assert (known[candidates[:place]] == limit).all()
    assert judge.best_candidate([0], candidates, min(exact) - 1) == (min(exact), -1, 0)


def test_exhaustive_search_is_the_optimum():
    X, y = mixed(36, 2)
    judge = SubsetEvaluator(X, y)
    errors_of = oracle(judge, 5)
    table = exhaustive_search(judge, 3)
    for line in table.itertuples():
        best, first, ties = naive_ants.best_of_size(6, line.size, errors_of)
        assert (round((1 - line.accuracy) * 36), line.features, line.ties) == (best, first, ties)
    with pytest.raises(ValueError, match="41 subsets of up to 3, more than max_subsets=40"):
        exhaustive_search(judge, 3, max_subsets=40)


def test_forward_selection_is_that_of_scikit_learn():
    X, y = (part[::4] for part in load_iris(return_X_y=True))
    table = forward_selection(SubsetEvaluator(X, y, n_neighbors=3), 3)
    for size in (1, 3):
        peer = SequentialFeatureSelector(
            KNNClassifier(3), n_features_to_select=size, cv=LeaveOneOut()
        ).fit(X, y)
        assert set(table["features"][size - 1]) == set(peer.get_support(indices=True))


def test_random_subsets_are_subsets_and_no_better_than_the_best():
    X, y = load_breast_cancer(return_X_y=True)
    judge = SubsetEvaluator(X[:100], y[:100])
    best = exhaustive_search(judge, 2)
    found = random_subsets(judge, 4, 600, 0)
    assert found["size"].tolist() == [2, 3, 4]
    assert found["features"].map(lambda s: len(set(s))).tolist() == [2, 3, 4]
    assert [judge.accuracy(s) for s in found["features"]] == found["accuracy"].tolist()
    assert found["accuracy"][0] <= best["accuracy"][1]
    wide = random_subsets(SubsetEvaluator(np.tile(X[:60], 4), y[:60]), 3, 90, 0)
    assert wide["features"].map(lambda s: len(set(s))).tolist() == [2, 3]


def test_separability():
    X, y = mixed(50, 1)
    found = class_separability(X, y)
    for place, name in enumerate(X):
        if X[name].dtype == float:
            values = [None if v != v else v for v in X[name]]
            assert found[place] == pytest.approx(naive_ants.separability(values, y.tolist()))
    two = X["e"].map({"u": 0.0, "v": 1.0}).astype(float).to_frame()
    assert class_separability(two, y)[0] == pytest.approx(found[4])
    assert class_separability(X[["f"]] * 1e6 + 5e8, y)[0] == pytest.approx(found[5], rel=1e-6)


def test_separability_of_constant_columns():
    X = np.array([[1.0, 0.1, 7.0], [1.0, 0.1, 7.0], [2.0, 0.1, 8.0], [2.0, 0.1, 9.0]])
    found = class_separability(X, [0, 0, 1, 1])
    assert found[1] == 0  # of 0.1, whose mean is not exactly 0.1
    assert np.isfinite(found).all()
    assert found[0] > 1e6 * found[2] > 0
    assert class_separability(X, [0, 0, 0, 0]).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": "z"}, "scale must be 'range' or 'none', got 'z'"),
        ({"missing": "ignore"}, "missing must be 'max' or 'category'"),
        ({"n_neighbors": 0}, "n_neighbors must be a positive integer, got 0"),
        ({"parts": [0, 1]}, "parts must be 60 whole numbers"),
        ({"parts": np.zeros(60)}, "need 2 parts or more"),
    ],
)
def test_wrong_parameters(change, message):
    X, y = mixed()
    with pytest.raises(ValueError, match=message):
        SubsetEvaluator(X, y, **change)


@pytest.mark.parametrize(
    ("subset", "message"),
    [
        ([], "one or more features"),
        ([False] * 6, "one or more features"),
        ([1, 1], "each once"),
        ([6], "features go from 0 to 5"),
        ([-1, 0], "features go from 0 to 5"),
        ([False, True], "a mask of 6 features must have shape \\(6,\\), got \\(2,\\)"),
        ([0.5], "positions, which are whole numbers"),
        ([1.0, 2.0], "positions, which are whole numbers"),
        (["a"], "positions, which are whole numbers"),
        ([[0, 1]], "positions, which are whole numbers"),
    ],
)
@pytest.mark.parametrize("method", ["errors", "accuracy", "predict"])
def test_wrong_subsets(subset, message, method):
    X, y = mixed()
    with pytest.raises(ValueError, match=message):
        getattr(SubsetEvaluator(X, y), method)(subset)


def test_a_subset_can_be_a_mask():
    X, y = mixed()
    judge = SubsetEvaluator(X, y)
    mask = np.array([False, True, False, True, True, False])
    assert judge.errors(mask) == judge.errors(mask.tolist()) == judge.errors([1, 3, 4])
    assert judge.predict(mask).tolist() == judge.predict((4, 1, 3)).tolist()


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X[["c", "a", "b", "d", "e", "f"]],
        lambda X: X.rename(columns={"f": "g"}),
        lambda X: X.drop(columns="f"),
    ],
)
def test_the_test_part_has_the_columns_of_training(change):
    X, y = mixed()
    with pytest.raises(ValueError, match="feature"):
        SubsetEvaluator(X[:40], y[:40], change(X[40:]), y[40:])
    ants = AntFeatureSelector(2, n_generations=1, evaluation="holdout")
    with pytest.raises(ValueError, match="feature"):
        ants.fit(X[:40], y[:40], X_test=change(X[40:]), y_test=y[40:])


def test_columns_named_by_numbers_have_their_place():
    X, y = mixed()
    plain = SubsetEvaluator(X[:40], y[:40], X[40:], y[40:])
    X = X.set_axis(range(6), axis=1)
    judge = SubsetEvaluator(X[:40], y[:40], X[40:], y[40:])
    assert judge.predict([0, 2, 4]).tolist() == plain.predict([0, 2, 4]).tolist()


def test_a_test_part_is_whole():
    X, y = mixed()
    for part in ({"X_test": X[40:]}, {"y_test": y[40:]}):
        with pytest.raises(ValueError, match="X_test and y_test belong together"):
            SubsetEvaluator(X[:40], y[:40], **part)
        with pytest.raises(ValueError, match="X_test and y_test belong together"):
            AntFeatureSelector(evaluation="holdout").fit(X[:40], y[:40], **part)


def test_a_test_part_without_any_known_class_is_refused():
    X, _ = mixed()
    y = np.arange(60) % 2
    message = "no class of the test part, \\['0', '1'\\], is among .* training rows, \\[0, 1\\]"
    with pytest.raises(ValueError, match=message):
        SubsetEvaluator(X[:40], y[:40], X[40:], y[40:].astype(str))
    many = np.arange(20).astype(str)
    with pytest.raises(ValueError, match=r"'17'\] and 10 more, is among"):
        SubsetEvaluator(X[:40], y[:40], X[40:], many)


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "2"])
def test_wrong_sizes_of_rivals(size):
    judge = SubsetEvaluator(*mixed())
    for search in (forward_selection, exhaustive_search, lambda j, s: random_subsets(j, s, 50)):
        with pytest.raises(ValueError, match="max_size must be a positive whole number"):
            search(judge, size)


@pytest.mark.parametrize("budget", [0, -3, 2, 40.5, True])
def test_wrong_budgets(budget):
    judge = SubsetEvaluator(*mixed())
    with pytest.raises(ValueError, match="at least one for each of the 3 sizes up to 4; got"):
        random_subsets(judge, 4, budget)
    assert random_subsets(judge, 4, 3, 0)["ties"].tolist() == [1, 1, 1]
    assert random_subsets(judge, 1, 1, 0)["size"].tolist() == [1]


@pytest.mark.parametrize(
    ("subsets", "message"),
    [
        (np.empty((3, 0), dtype=np.int64), "rows of features; got shape \\(3, 0\\)"),
        (np.array([0, 1]), "rows of features; got shape \\(2,\\)"),
        (np.array([[0, 6]]), "features go from 0 to 5; got 0 to 6"),
    ],
)
def test_wrong_subsets_to_choose_from(subsets, message):
    with pytest.raises(ValueError, match=message):
        SubsetEvaluator(*mixed()).best_subset(subsets)


def test_a_class_that_training_lacks_is_an_error_each_time():
    X, y = mixed()
    y_test = np.where(y[40:] == "yes", "new", y[40:])
    old = SubsetEvaluator(X[:40], y[:40], X[40:], y[40:]).predict([0, 1])
    judge = SubsetEvaluator(X[:40], y[:40], X[40:], y_test)
    assert judge.errors([0, 1]) == (old != y_test).sum()


def counts():
    """Errors of some subsets of a mixed table, and of the best candidate."""
    X, y = mixed(25)
    judge = SubsetEvaluator(X, y)
    errors = [judge.errors(subset) for subset in combinations(range(6), 3)]
    return [*errors, *judge.best_candidate([1], np.array([0, 2, 3]), 25), *judge.predict([0, 2])]


def test_the_same_without_the_compiler():
    script = (
        "import json, tests.antfs.test_evaluation as t; print(json.dumps(t.counts(), default=int))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(counts(), default=int))


def test_filters_name_the_features_in_the_order_of_the_table():
    X, y = mixed(80, 6)
    judge = SubsetEvaluator(X, y)
    order = ["e", "c", "f", "a", "d", "b"]
    other = SubsetEvaluator(X[order], y)
    places = [list(X).index(name) for name in order]
    scores = relieff_scores(judge)
    np.testing.assert_allclose(relieff_scores(other), scores[places], atol=1e-12)
    assert set(np.argsort(scores)[-2:]) == {0, 2}
    information = mutual_information_scores(judge, 0)
    assert information[4] < 0.05 < information[2]
    np.testing.assert_allclose(
        mutual_information_scores(other, 0)[[0, 1]], information[places][[0, 1]]
    )
