"""The comparators' kernels against slow versions."""

import numpy as np
import pytest

from acoibl import kernels
from acoibl.kernels.nearest import order_rows
from acoibl.kernels.prototypes import gradient, row_weights, selection
from acoibl.kernels.prototypes.feature_blocks import hits_of_variants, make_blocks
from acoibl.kernels.relieff import relieff
from tests.coevolution.comparators import oracles


def table(
    seed, n=70, n_numeric=3, n_categorical=2, coarse=False, n_classes=3, squeeze=1.0, gaps=True
):
    """Rows with missing values, duplicates and ties; all but one squeezed together."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_numeric))
    if coarse:
        X = np.round(X * 3) / 3
    X[1:] *= squeeze
    A = rng.integers(-1, 4, (n, n_categorical)).astype(np.int32)
    if n_numeric and gaps:
        X[rng.random(X.shape) < 0.05] = np.nan
    X[3], A[3] = X[4], A[4]
    classes = rng.integers(0, n_classes, n)
    classes[:n_classes] = np.arange(n_classes)
    return X, A, classes.astype(np.int64)


def as_kernels_read(X, A, classes):
    training = kernels.make_training(X, A, classes, classes.max() + 1)
    return kernels.make_queries(X, A, training.positions), training


def ones(X, A, classes):
    n = classes.max() + 1
    return kernels.Weights(np.ones((n, X.shape[1])), np.ones((n, A.shape[1])))


KINDS = [
    {"seed": 0},
    {"seed": 1, "coarse": True},
    {"seed": 2, "n_numeric": 0},
    {"seed": 3, "n_categorical": 0, "coarse": True},
    {"seed": 4, "n": 5, "n_classes": 2},
    {"seed": 5, "n": 130, "n_classes": 7},
    {"seed": 6, "n_categorical": 0, "squeeze": 1e-6, "gaps": False},
    {"seed": 7, "n_categorical": 0, "squeeze": 1e-6, "gaps": False, "coarse": True},
]
GAPS_AND_A_FAR_ROW = {"seed": 8, "squeeze": 1e-6}  # to all missing values it is as far, nearly


@pytest.mark.parametrize("kind", [*KINDS, GAPS_AND_A_FAR_ROW])
def test_hits_of_a_subset(kind, monkeypatch):
    X, A, classes = table(**kind)
    queries, training = as_kernels_read(X, A, classes)
    squared = oracles.squared_distances(X, A, 1.0)
    for depth in (selection.DEPTH, 3):  # short lists: what they lack is looked up
        monkeypatch.setattr(selection, "DEPTH", depth)
        lists = selection.neighbour_lists(queries, training, ones(X, A, classes))
        for share in (1.0, 0.5, 0.05, 0.0):
            selected = np.random.default_rng(9).random(len(X)) < share
            nearest = np.empty(len(X), dtype=np.int64)
            hits = selection.answer_selection(selected, lists, classes, queries, nearest)
            assert nearest.tolist() == oracles.nearest(squared, selected).tolist()
            assert hits == oracles.hits(squared, selected, classes)


@pytest.mark.parametrize("kind", [*KINDS, GAPS_AND_A_FAR_ROW])
@pytest.mark.parametrize("least_gain", [-1, 0, 1])
def test_local_search_keeps_account(kind, least_gain):
    X, A, classes = table(**kind)
    queries, training = as_kernels_read(X, A, classes)
    lists = selection.neighbour_lists(queries, training, ones(X, A, classes))
    selected = np.random.default_rng(1).random(len(X)) < 0.6
    selected[0] = True
    before = selected.copy()
    nearest = np.empty(len(X), dtype=np.int64)
    first = selection.answer_selection(selected, lists, classes, queries, nearest)
    rng = np.random.default_rng(2)
    hits, spent = selection.drop_rows(
        selected, nearest, first, least_gain, np.inf, lists, classes, queries, rng
    )
    squared = oracles.squared_distances(X, A, 1.0)
    assert nearest.tolist() == oracles.nearest(squared, selected).tolist()
    assert hits == oracles.hits(squared, selected, classes)
    n_dropped = (before & ~selected).sum()
    assert not (selected & ~before).any()
    assert hits - first >= least_gain * n_dropped
    assert spent > 0
    for row in np.flatnonzero(selected) if selected.sum() > 1 else []:  # no further drop pays
        fewer = selected.copy()
        fewer[row] = False
        assert oracles.hits(squared, fewer, classes) - hits < least_gain


def test_which_distances_are_equal_is_relative():
    step = 1.0 + 0.9e-9
    line = np.array([3.0, 1.0, 1.0 + 1e-15, 1.0 - 1e-15, 1.0 + 2e-9, np.inf])
    for scale in (1.0, 1e-12, 1e12):
        rows, n_sure = order_rows(line * scale, 6)
        assert (rows.tolist(), n_sure) == ([1, 2, 3, 4, 0, 5], 6)
        # The third is equal to the second, not to the first: only up to here the order is sure.
        chain = np.array([step * step, step, 1.0, 0.5]) * scale
        rows, n_sure = order_rows(chain, 4)
        assert (rows.tolist(), n_sure) == ([3, 1, 2, 0], 1)
        assert order_rows(chain, 2)[1] == 1
        # The least wanted number still brings all equals of the last.
        assert order_rows(np.array([1.0, 1.0, 0.5, 1.0]) * scale, 2)[0][:2].tolist() == [
            2,
            0,
        ]
    zeros = np.array([1e-300, 0.0, 1e-305, 0.0])
    assert order_rows(zeros, 4)[0].tolist() == [1, 3, 2, 0]


def test_a_selection_decides_which_of_a_chain_are_equal():
    """Rows 1 to 3, each equal to the one before it, the last not to the first."""
    X = np.sqrt(np.array([[0.0], [1.0 + 1.8e-9], [1.0 + 0.9e-9], [1.0], [9.0]]))
    A, classes = np.empty((5, 0), dtype=np.int32), np.array([0, 1, 0, 1, 0])
    queries, training = as_kernels_read(X, A, classes)
    lists = selection.neighbour_lists(queries, training, ones(X, A, classes))
    squared = oracles.squared_distances(X, A, 1.0)
    answers = np.empty(5, dtype=np.int64)
    for kept, answer in (([1, 2, 3, 4], 2), ([1, 2, 4], 1), ([1, 3, 4], 3), ([4], 4)):
        selected = np.isin(np.arange(5), kept)
        selection.answer_selection(selected, lists, classes, queries, answers)
        assert answers[0] == answer
        assert answers.tolist() == oracles.nearest(squared, selected).tolist()


def test_a_feature_that_is_left_out_leaves_the_rest_exact():
    """What is left of a sum is a millionth, and decides: 16 digits of the sum are too few."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(90), rng.random((90, 2)) * 1e-7])
    A, classes = np.empty((90, 0), dtype=np.int32), rng.integers(0, 3, 90)
    blocks, everybody = make_blocks(X, A), np.ones(90, dtype=bool)
    found = np.empty(2, dtype=np.int64)
    features, values = np.array([0, 0]), np.array([0.0, 1e-14])
    hits_of_variants(blocks, classes, everybody, np.ones(3), features, values, found)
    for value, count in zip(values, found, strict=True):
        squared = oracles.squared_distances(X, A, np.array([value, 1.0, 1.0]))
        assert count == oracles.hits(squared, everybody, classes)


def test_local_search_stops_at_its_budget():
    X, A, classes = table(5, n=130)
    queries, training = as_kernels_read(X, A, classes)
    lists = selection.neighbour_lists(queries, training, ones(X, A, classes))
    selected = np.ones(len(X), dtype=bool)
    nearest = np.empty(len(X), dtype=np.int64)
    hits = selection.answer_selection(selected, lists, classes, queries, nearest)
    rng = np.random.default_rng(0)
    _, spent = selection.drop_rows(selected, nearest, hits, 0, 0.05, lists, classes, queries, rng)
    assert 0.05 <= spent < 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_wdnn_weighs_each_row_best(kind):
    """After a row was weighed no other weight of it gives more hits."""
    X, A, classes = table(**kind)
    queries, training = as_kernels_read(X, A, classes)
    distances = np.sqrt(oracles.squared_distances(X, A, 1.0))
    n = len(X)
    w = np.ones(n)
    answers = (np.empty(n, dtype=np.int64), np.empty(n), np.empty(n, dtype=np.int64), np.empty(n))
    rows = queries, training, ones(X, A, classes)
    row_weights.find_answers(*rows, w, answers)
    hits = oracles.weighted_hits(distances, w, classes)
    for _ in range(3):
        row_weights.weigh_in_turn(*rows, classes, w, answers)
        assert answers[0].tolist() == answered(distances, w).tolist()
        now = oracles.weighted_hits(distances, w, classes)
        assert now >= hits
        hits = now
    last = n - 1  # weighed last: still at its best
    for candidate in np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 400)]):
        other = w.copy()
        other[last] = candidate
        if other.any():
            assert oracles.weighted_hits(distances, other, classes) <= hits


def answered(distances, w):
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(w > 0, distances / w, np.inf)
    return oracles.nearest(scaled, w > 0)


@pytest.mark.parametrize("kind", [{"seed": 0}, {"seed": 3, "n_categorical": 0}])
def test_gradient(kind):
    """Loss and gradient against the slow loss and its differences."""
    X, A, classes = table(**kind, n=40)
    X, A = np.delete(X, 3, axis=0), np.delete(A, 3, axis=0)  # differentiable but at duplicates
    classes = np.delete(classes, 3)
    queries, training = as_kernels_read(X, A, classes)
    rng = np.random.default_rng(0)
    n_classes, m = classes.max() + 1, X.shape[1]
    c = rng.uniform(0.5, 1.5, (n_classes, m + A.shape[1]))
    v = rng.uniform(0.5, 1.5, len(X))
    squares = kernels.Weights(
        np.ascontiguousarray(c[:, :m] ** 2), np.ascontiguousarray(c[:, m:] ** 2)
    )
    by_row = np.empty(len(X))
    by_numeric, by_category = np.empty((n_classes, m)), np.empty((n_classes, A.shape[1]))
    loss = gradient.error_gradient(
        queries, training, squares, v[training.rows], 4.0, by_row, by_numeric, by_category
    )
    assert loss == pytest.approx(oracles.smoothed_error(X, A, classes, c, v, 4.0))
    step, n = 1e-6, len(X)
    for label in range(n_classes):
        for j in range(c.shape[1]):
            up = c.copy()
            up[label, j] *= np.exp(step)
            slope = (oracles.smoothed_error(X, A, classes, up, v, 4.0) - loss) / step
            found = np.hstack([by_numeric, by_category])[label, j] / n
            assert found == pytest.approx(slope, abs=1e-5)
    for row in range(0, n, 4):
        up = v.copy()
        up[row] *= np.exp(step)
        slope = (oracles.smoothed_error(X, A, classes, c, up, 4.0) - loss) / step
        assert by_row[training.positions[row]] / n == pytest.approx(slope, abs=1e-5)


@pytest.mark.parametrize("kind", [*KINDS, GAPS_AND_A_FAR_ROW])
@pytest.mark.parametrize("k", [1, 4, 200])
def test_relieff(kind, k):
    X, A, classes = table(**kind)
    queries, training = as_kernels_read(X, A, classes)
    scores = np.empty(X.shape[1] + A.shape[1])
    relieff(queries, training, min(k, len(X)), scores)
    np.testing.assert_allclose(scores, oracles.relieff(X, A, classes, k), atol=1e-12)


@pytest.mark.parametrize("kind", [*KINDS, GAPS_AND_A_FAR_ROW])
def test_hits_of_feature_weights(kind):
    """Blocks pass over most rows; the hits are those of a full search."""
    X, A, classes = table(**kind)
    blocks = make_blocks(X, A)
    rng = np.random.default_rng(0)
    m = X.shape[1] + A.shape[1]
    none, hits = np.empty(0, dtype=np.int64), np.empty(1, dtype=np.int64)
    for share in (1.0, 0.5, 0.03):
        selected = rng.random(len(X)) < share
        for weights in (np.ones(m), rng.random(m), rng.random(m) * (rng.random(m) < 0.5)):
            hits_of_variants(blocks, classes, selected, weights, none, np.empty(0), hits)
            squared = oracles.squared_distances(X, A, weights)
            assert hits[0] == oracles.hits(squared, selected, classes)
            features = rng.permutation(m)[:3]
            values = rng.random(len(features)) * (rng.random(len(features)) < 0.6)
            found = np.empty(len(features), dtype=np.int64)
            hits_of_variants(blocks, classes, selected, weights, features, values, found)
            for j, value, count in zip(features, values, found, strict=True):
                changed = weights.copy()
                changed[j] = value
                squared = oracles.squared_distances(X, A, changed)
                assert count == oracles.hits(squared, selected, classes)
