import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl.coevolution import candidates
from acoibl.coevolution import fitness as module
from acoibl.coevolution.fitness import NearestNeighbourFitness, multipliers
from acoibl.kernels.coevolution import references, selections
from tests.coevolution import naive_ciw as naive


def problem(rng, n, n_features, n_classes, *, grid=True, holes=0.1):
    """Rows with many ties (values on a grid), categories, and missing values."""
    categorical = rng.random(n_features) < 0.4
    values = rng.integers(0, 5, (n, n_features)) / 4 if grid else rng.random((n, n_features))
    values[:, categorical] = rng.integers(0, 3, (n, categorical.sum()))
    missing = rng.random((n, n_features)) < holes
    rows = [[None if missing[i, j] else values[i, j] for j in range(n_features)] for i in range(n)]
    columns = np.where(missing, np.nan, values).T.copy()
    return rows, columns, categorical, rng.integers(0, n_classes, n)


def judge(columns, categorical, classes, n_classes, ignoring=False, **more):
    table = references.Table(columns, categorical, ignoring)
    return NearestNeighbourFitness(table, classes, n_classes, **more)


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 25),
    n_features=st.integers(1, 9),
    n_classes=st.integers(1, 4),
    missing=st.sampled_from(["max", "ignore"]),
    scale=st.sampled_from(["nearer", "direct"]),
    on_grid=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_all_three_agree_with_the_oracle(seed, n, n_features, n_classes, missing, scale, on_grid):
    rng = np.random.default_rng(seed)
    rows, columns, categorical, classes = problem(rng, n, n_features, n_classes, grid=on_grid)
    draw = (lambda k: rng.integers(0, 4, k) / 4) if on_grid else rng.random
    fit = judge(columns, categorical, classes, n_classes, missing == "ignore", iw_scale=scale)
    masks = rng.random((4, n)) < [[0.0], [0.2], [0.6], [1.0]]
    weights = np.array([draw(n_features) for _ in range(3)])
    class_weights = np.array([draw(n_classes) for _ in range(3)])

    def oracle(mask, w, v):
        m = [naive.multiplier(x, scale) for x in v]
        return naive.accuracy(rows, classes, categorical, mask, w, m, missing)

    for mask in masks:
        fit.fix(mask, weights[0], class_weights[0])
        np.testing.assert_array_equal(
            fit.features(weights), [oracle(mask, w, class_weights[0]) for w in weights]
        )
        np.testing.assert_array_equal(
            fit.classes(class_weights), [oracle(mask, weights[0], v) for v in class_weights]
        )
        assert fit.accuracy() == oracle(mask, weights[0], class_weights[0])
    expected = [
        naive.selection_fitness(oracle(mask, weights[0], class_weights[0]), mask) for mask in masks
    ]
    np.testing.assert_allclose(fit.selections(masks), expected, rtol=1e-15)


@pytest.mark.parametrize("matrix_rows", [0, 2000])
@pytest.mark.parametrize("length", [1, 3, 64])
def test_every_way_to_judge_selections_is_the_same(monkeypatch, matrix_rows, length):
    """Matrix, lists and lists that are too short; and from a parent, in few rows and in many."""
    rng = np.random.default_rng(5)
    rows, columns, categorical, classes = problem(rng, 60, 3, 3)
    monkeypatch.setattr(module, "_MATRIX_ROWS", matrix_rows)
    monkeypatch.setattr(module, "_LIST_LENGTH", length)
    fit = judge(columns, categorical, classes, 3)
    w, v = rng.integers(0, 4, 3) / 4, rng.integers(0, 4, 3) / 4
    fit.fix(np.ones(60, dtype=bool), w, v)
    parents = rng.random((6, 60)) < 0.3
    fit.selections(parents)
    for rate in (0.0, 0.02, 0.1, 0.6):
        masks = parents ^ (rng.random(parents.shape) < rate)
        m = [naive.multiplier(x) for x in v]
        expected = [naive.accuracy(rows, classes, categorical, mask, w, m) for mask in masks]
        np.testing.assert_array_equal(fit.accuracies(masks, parents), expected)
        np.testing.assert_array_equal(fit.accuracies(masks), expected)


def test_a_small_change_is_judged_from_the_parents_answers(monkeypatch):
    rng = np.random.default_rng(0)
    _, columns, categorical, classes = problem(rng, 80, 3, 2)
    fit = judge(columns, categorical, classes, 2)
    calls = []
    for name in ("answer_by_parent", "answer_by_matrix"):
        kernel = getattr(selections, name)
        monkeypatch.setattr(selections, name, lambda *a, k=kernel, n=name: calls.append(n) or k(*a))
    parent = rng.random((1, 80)) < 0.5
    fit.selections(parent)
    child = parent.copy()
    child[0, 3] ^= True
    fit.selections(child, parent)
    fit.selections(~parent, parent)
    fit.fix(parent[0], rng.random(3), fit.neutral())
    fit.selections(child, parent)
    assert calls == ["answer_by_matrix", "answer_by_parent", "answer_by_matrix", "answer_by_matrix"]


def test_rows_may_stand_in_any_order():
    """Without ties nothing depends on it."""
    rng = np.random.default_rng(1)
    _, columns, categorical, classes = problem(rng, 300, 4, 3, grid=False, holes=0)
    categorical[:] = False
    columns = rng.random(columns.shape)
    order = rng.permutation(300)
    mask, w, v = rng.random(300) < 0.2, rng.random((5, 4)), rng.random((5, 3))
    results = []
    for shuffle in (np.arange(300), order):
        fit = judge(columns[:, shuffle].copy(), categorical, classes[shuffle], 3)
        fit.fix(mask[shuffle], w[0], v[0])
        results.append((fit.features(w), fit.classes(v), fit.selections(mask[shuffle][None])))
    for first, second in zip(*results, strict=True):
        np.testing.assert_array_equal(first, second)


def test_duplicates_constants_and_lonely_classes():
    """All rows alike: the first other selected row answers for everybody."""
    columns, classes = np.zeros((3, 6)), np.array([0, 1, 1, 0, 2, 1])
    fit = judge(columns, np.zeros(3, dtype=bool), classes, 3)
    everything = np.ones(6, dtype=bool)
    fit.fix(everything, np.ones(3), fit.neutral())
    assert fit.accuracy() == 1 / 6, "row 0 answers for all others, row 1 for row 0"
    one = np.arange(6) == 4
    fit.fix(one, np.ones(3), fit.neutral())
    assert fit.accuracy() == 0, "the only selected row answers for all but itself"
    fit.fix(np.arange(6) == 2, np.ones(3), fit.neutral())
    assert fit.accuracy() == 2 / 6, "rows 1 and 5; for itself row 0 answers"
    nobody = np.zeros((1, 6), dtype=bool)
    assert fit.accuracies(nobody)[0] == 2 / 6
    assert fit.selections(nobody)[0] < -4999
    assert np.isfinite(fit.classes(np.random.default_rng(0).random((9, 3)))).all()


def test_multipliers():
    np.testing.assert_allclose(multipliers(np.array([0, 0.5, 1]), "nearer"), [1, 0.6, 0.2])
    np.testing.assert_array_equal(multipliers(np.array([0, 0.5, 1]), "direct"), [0, 0.5, 1])


def test_many_rows_fill_several_blocks():
    rng = np.random.default_rng(2)
    rows, columns, categorical, classes = problem(rng, 530, 2, 2, holes=0.02)
    fit = judge(columns, categorical, classes, 2)
    mask, w, v = rng.random(530) < 0.03, rng.random(2), rng.random(2)
    fit.fix(mask, w, v)
    m = [naive.multiplier(x) for x in v]
    expected = naive.accuracy(rows, classes, categorical, mask, w, m)
    assert fit.accuracy() == fit.accuracies(mask[None])[0] == fit.classes(v[None])[0] == expected


@pytest.mark.parametrize("on_grid", [True, False])
@pytest.mark.parametrize("n_features", [1, 3, 8])
def test_candidate_lists_leave_out_what_no_weights_need(monkeypatch, on_grid, n_features):
    monkeypatch.setattr(candidates, "_WORTHWHILE", 1.0)
    rng = np.random.default_rng(n_features)
    for _ in range(4):
        _, columns, categorical, classes = problem(rng, 150, n_features, 3, grid=on_grid)
        fit = judge(columns, categorical, classes, 3)
        mask = rng.random(150) < 0.6
        fit.fix(mask, np.ones(n_features), rng.random(3))
        lists = candidates.CandidateLists.build(fit.table, fit._rows, fit.labels)
        weights = rng.random((21, n_features))
        weights[:10] = rng.integers(1, 4, (10, n_features)) / 4
        np.testing.assert_array_equal(lists.hits(weights, fit._m2), fit._hits(weights, fit._m2))
        *_, members = lists._of_queries
        if on_grid:
            assert len(members) < 0.6 * mask.sum() * 150
        weights[3, 0] = 0.0
        assert lists.hits(weights, fit._m2) is None


def test_candidate_lists_are_made_for_a_lasting_selection_only(monkeypatch):
    rng = np.random.default_rng(0)
    _, columns, categorical, classes = problem(rng, 700, 2, 2)
    fit = judge(columns, categorical, classes, 2)
    plain = judge(columns, categorical, classes, 2)
    monkeypatch.setattr(module, "_LISTED_PAIRS", 1000)
    mask = rng.random(700) < 0.4
    for call in range(12):
        fit.fix(mask, np.ones(2), fit.neutral())
        plain.fix(mask, np.ones(2), fit.neutral())
        weights = rng.random((3, 2)) * (call != 11)
        monkeypatch.setattr(module, "_LISTED_CALLS", 10)
        got = fit.features(weights)
        monkeypatch.setattr(module, "_LISTED_CALLS", -1)
        np.testing.assert_array_equal(got, plain.features(weights))
        assert (fit._candidates is not None) == (call >= 9)
    fit.fix(~mask, np.ones(2), fit.neutral())
    assert fit._candidates is None


def test_long_candidate_lists_are_given_up():
    rng = np.random.default_rng(0)
    columns, classes = rng.random((12, 400)), rng.integers(0, 2, 400)
    fit = judge(columns, np.zeros(12, dtype=bool), classes, 2)
    assert candidates.CandidateLists.build(fit.table, np.arange(0, 400, 3), fit.labels) is None
