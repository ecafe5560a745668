"""Every kernel against the slow oracle, on data full of ties, duplicates and gaps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl import kernels
from acoibl.kernels.lazy.product import ProductBuilder
from acoibl.kernels.lazy.product_votes import _inverse_sums
from tests import naive

KINDS = {"knn": kernels.KNN, "dnn": kernels.DNN, "gke": kernels.GKE}


@st.composite
def problems(draw, max_rows=14):
    """A small mixed table on a coarse grid (so that distances tie), weights, a rule."""
    n = draw(st.integers(2, max_rows))
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=4))
    n_classes = draw(st.integers(1, 4))
    unit = draw(st.sampled_from([1.0, 2.0**-20, 2.0**-40]))  # as if one row were far from all
    numeric = st.sampled_from([0.0, 0.25 * unit, 0.5 * unit, unit, None])
    category = st.sampled_from([0, 1, 2, None])
    rows = [
        [draw(category if is_categorical else numeric) for is_categorical in kinds]
        for _ in range(n)
    ]
    classes = [draw(st.integers(0, n_classes - 1)) for _ in range(n)]
    weight = st.sampled_from([0.0, 1e-12, 0.1, 0.5, 1.0])
    weights = [[draw(weight) for _ in kinds] for _ in range(n_classes)]
    kind = draw(st.sampled_from(list(KINDS)))
    parameter = {
        "knn": draw(st.integers(1, n + 2)),
        "dnn": draw(st.sampled_from([0.01, 0.25, 0.5, 1.0])),
        "gke": draw(st.sampled_from([0.01, 0.1, 0.5])),
    }[kind]
    options = {
        "ties": draw(st.sampled_from(["include", "strict"])),
        "outlier": draw(st.sampled_from(["prior", "nearest"])),
        "missing": draw(st.sampled_from(["max", "ignore"])),
    }
    return kind, rows, classes, weights, kinds, parameter, options


def to_arrays(rows, kinds):
    kinds = np.array(kinds)
    table = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)
    numeric = table[:, ~kinds]
    codes = np.where(np.isnan(table[:, kinds]), -1, table[:, kinds]).astype(np.int32)
    return numeric, codes, np.flatnonzero(~kinds), np.flatnonzero(kinds)


def build(kind, rows, classes, weights, kinds, options, row_weights=None):
    numeric, codes, numeric_features, categorical_features = to_arrays(rows, kinds)
    training = kernels.make_training(numeric, codes, np.array(classes), len(weights), row_weights)
    split = kernels.split_weights(np.array(weights), numeric_features, categorical_features)
    rule = kernels.Rule(
        KINDS[kind],
        options["ties"] == "include",
        options["outlier"] == "nearest",
        options["missing"] == "ignore",
    )
    return training, split, rule, numeric, codes


def able(training, rule):
    return kernels.able_kernels(
        kernels.Evaluator.leave_one_out(training, rule)._queries, training, rule
    )


@given(problems())
@settings(max_examples=400, deadline=None)
def test_leave_one_out(problem):
    kind, rows, classes, weights, kinds, parameter, options = problem
    training, split, rule, _, _ = build(kind, rows, classes, weights, kinds, options)
    k = min(parameter, len(rows) - 1) if kind == "knn" else parameter
    expected = naive.leave_one_out(kind, rows, classes, weights, kinds, k, **options)
    for kernel in able(training, rule):
        evaluator = kernels.Evaluator.leave_one_out(training, rule, kernel)
        got = evaluator.codes(split, [parameter])[0][training.positions]
        assert got.tolist() == expected, kernel


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_weighted_prediction(problem, random):
    kind, rows, classes, weights, kinds, parameter, options = problem
    row_weights = [random.choice([0.5, 1.0, 2.0, 3.0]) for _ in rows]
    training, split, rule, numeric, codes = build(
        kind, rows, classes, weights, kinds, options, np.array(row_weights)
    )
    queries = kernels.make_queries(numeric, codes)
    got = kernels.predict_codes(queries, training, split, rule, [parameter])[0]
    expected = [
        naive.predict(
            kind,
            row,
            rows,
            classes,
            weights,
            kinds,
            parameter,
            row_weights=row_weights,
            **options,
        )
        for row in rows
    ]
    assert got.tolist() == expected


@given(problems())
@settings(max_examples=100, deadline=None)
def test_distances(problem):
    kind, rows, classes, weights, kinds, _, options = problem
    training, split, rule, numeric, codes = build(kind, rows, classes, weights, kinds, options)
    queries = kernels.make_queries(numeric, codes)
    got = kernels.squared_distance_matrix(queries, training, split, rule.ignore_missing)
    expected = [
        [
            naive.squared_distance(a, b, weights[c], kinds, options["missing"])
            for b, c in zip(rows, classes, strict=True)
        ]
        for a in rows
    ]
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


@given(problems(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_order_of_rows_never_matters(problem, random):
    kind, rows, classes, weights, kinds, parameter, options = problem
    options["ties"] = "include"
    training, split, rule, _, _ = build(kind, rows, classes, weights, kinds, options)
    before = kernels.leave_one_out(training, split, rule, [parameter])[0][training.positions]
    order = list(range(len(rows)))
    random.shuffle(order)
    training, split, rule, _, _ = build(
        kind, [rows[i] for i in order], [classes[i] for i in order], weights, kinds, options
    )
    after = kernels.leave_one_out(training, split, rule, [parameter])[0][training.positions]
    assert after.tolist() == before[order].tolist()


@pytest.mark.parametrize("kind", list(KINDS))
def test_threads_and_grids_change_nothing(kind):
    rng = np.random.default_rng(3)
    numeric = rng.integers(0, 4, (1300, 3)) / 4
    codes = rng.integers(0, 3, (1300, 2)).astype(np.int32)
    training = kernels.make_training(numeric, codes, rng.integers(0, 3, 1300), 3)
    weights = kernels.split_weights(rng.random((3, 5)), np.arange(3), np.arange(3, 5))
    rule = kernels.Rule(KINDS[kind], True, False, False)
    grid = np.arange(1.0, 12.0) if kind == "knn" else np.linspace(0.05, 1, 12)
    together = kernels.leave_one_out(training, weights, rule, grid)
    threaded = kernels.leave_one_out(training, weights, rule, grid, n_threads=3)
    assert (together == threaded).all()
    for value, codes_of_value in zip(grid, together, strict=True):
        alone = kernels.leave_one_out(training, weights, rule, [value])[0]
        assert (alone == codes_of_value).all()


@pytest.mark.parametrize("kind", list(KINDS))
def test_votes_agree_with_codes(kind):
    rng = np.random.default_rng(5)
    numeric = rng.integers(0, 3, (60, 3)) / 2
    codes = np.empty((60, 0), dtype=np.int32)
    classes = rng.integers(0, 3, 60)
    training = kernels.make_training(numeric, codes, classes, 3)
    weights = kernels.split_weights(rng.random((3, 3)), np.arange(3), np.arange(0))
    rule = kernels.Rule(KINDS[kind], True, False, False)
    queries = kernels.make_queries(numeric, codes)
    parameter = 5 if kind == "knn" else 0.3
    votes, winners = kernels.predict_votes(queries, training, weights, rule, parameter)
    assert (winners == kernels.predict_codes(queries, training, weights, rule, [parameter])).all()
    np.testing.assert_allclose(votes.sum(axis=1), 1)
    by_row, distances = kernels.row_votes(queries, training, weights, rule, parameter)
    summed = np.stack([by_row[:, training.classes == c].sum(axis=1) for c in range(3)], axis=1)
    np.testing.assert_allclose(summed, votes, atol=1e-12)
    expected = kernels.squared_distance_matrix(queries, training, weights, False)
    np.testing.assert_allclose(distances[:, training.positions] ** 2, expected, atol=1e-12)


def test_one_compiled_version_of_each_kernel():
    """Read-only or strided input must not make numba compile a second version."""
    from acoibl.kernels.lazy.direct import _fill_nearest_codes

    rng = np.random.default_rng(0)
    frozen = np.asfortranarray(rng.random((30, 2)))
    frozen.setflags(write=False)
    codes = np.zeros((30, 0), dtype=np.int32)
    training = kernels.make_training(frozen, codes, rng.integers(0, 2, 30), 2)
    weights = kernels.split_weights(np.ones((2, 2)), np.arange(2), np.arange(0))
    rule = kernels.Rule(kernels.KNN, True, False, False)
    kernels.leave_one_out(training, weights, rule, np.array([1, 2]))
    queries = kernels.make_queries(frozen[::2], codes[::2])
    kernels.predict_codes(queries, training, weights, rule, [3])
    if hasattr(_fill_nearest_codes, "signatures"):  # not with NUMBA_DISABLE_JIT=1
        assert len(_fill_nearest_codes.signatures) == 1


def flavour(name, rng, n):
    """Data that are hard for a product in single precision, each in its way."""
    numeric = rng.random((n, 3))
    codes = np.empty((n, 0), dtype=np.int32)
    if name == "grid":  # exact ties everywhere
        numeric = rng.integers(0, 4, (n, 3)) / 4
    elif name == "almost equal":  # apart by less than single precision can tell
        numeric = rng.integers(0, 4, (n, 3)) / 4 + rng.normal(0, 1e-7, (n, 3))
    elif name == "duplicates":
        numeric = numeric[rng.integers(0, max(2, n // 8), n)]
    elif name == "far":  # so large that the error exceeds most distances
        numeric[:, 0] += np.where(rng.random(n) < 0.5, 0, 1e4)
    elif name == "huge":  # beyond single precision
        numeric[0] = 1e100
    elif name == "missing":
        numeric[rng.random((n, 3)) < 0.3] = np.nan
        codes = rng.integers(-1, 3, (n, 2)).astype(np.int32)
    elif name == "categories":
        numeric, codes = np.empty((n, 0)), rng.integers(0, 3, (n, 5)).astype(np.int32)
    return numeric, codes


FLAVOURS = ("plain", "grid", "almost equal", "duplicates", "far", "huge", "missing", "categories")
VALUES = {
    "knn": [1, 7, 31, 32, 45],
    "dnn": [0.01, 0.25, 0.5, 2],
    "gke": [1e-25, 1e-4, 0.01, 0.1, 3],
}


@pytest.mark.parametrize("name", FLAVOURS)
@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("n", [33, 150, 700])
def test_kernels_agree(kind, name, n):
    """Every kernel gives what the direct one gives, which is checked against the oracle."""
    rng = np.random.default_rng([n, len(name), KINDS[kind]])
    numeric, codes = flavour(name, rng, n)
    training = kernels.make_training(numeric, codes, rng.integers(0, 3, n), 3)
    n_numeric, n_features = numeric.shape[1], numeric.shape[1] + codes.shape[1]
    features = np.arange(n_numeric), np.arange(n_numeric, n_features)
    rule = kernels.Rule(KINDS[kind], True, False, False)
    random = rng.random((3, n_features)) / n_features
    for table in (np.ones((3, n_features)), random, 1e-35 * random, 0 * random):
        weights = kernels.split_weights(table, *features)
        outcomes = {
            kernel: kernels.Evaluator.leave_one_out(training, rule, kernel).codes(
                weights, VALUES[kind]
            )
            for kernel in ("auto", *able(training, rule))
        }
        for kernel, outcome in outcomes.items():
            assert (outcome == outcomes["direct"]).all(), kernel


@pytest.mark.parametrize("kind", list(KINDS))
def test_direct_kernel_beyond_a_handful_of_rows(kind):
    rng = np.random.default_rng(11)
    numeric = rng.integers(0, 12, (90, 3)) / 12
    classes = rng.integers(0, 3, 90)
    table = rng.random((3, 3))
    training = kernels.make_training(numeric, np.empty((90, 0), np.int32), classes, 3)
    weights = kernels.split_weights(table, np.arange(3), np.arange(0))
    rule = kernels.Rule(KINDS[kind], True, False, False)
    evaluator = kernels.Evaluator.leave_one_out(training, rule, "direct")
    for value in (1, 12, 40) if kind == "knn" else (0.05, 0.3):
        got = evaluator.codes(weights, [value])[0][training.positions]
        expected = naive.leave_one_out(
            kind, numeric.tolist(), classes.tolist(), table.tolist(), [False] * 3, value
        )
        assert got.tolist() == expected


@pytest.mark.parametrize("scale", [1e6, 1.0, 1e-12, 1e-36, 1e-42])
@pytest.mark.parametrize("name", FLAVOURS)
def test_error_of_the_product_is_bounded(name, scale):
    """Also for weights so small that single precision has few digits left for them."""
    rng = np.random.default_rng(len(name))
    numeric, codes = flavour(name, rng, 150)
    training = kernels.make_training(numeric, codes, rng.integers(0, 3, 150), 3)
    n_numeric, n_features = numeric.shape[1], numeric.shape[1] + codes.shape[1]
    weights = kernels.split_weights(
        scale * rng.random((3, n_features)), np.arange(n_numeric), np.arange(n_numeric, n_features)
    )
    numeric[::3] *= 10.0 ** rng.uniform(0, 15, (50, 1))[:, : numeric.shape[1]]  # far queries
    queries = kernels.make_queries(numeric, codes)
    builder = ProductBuilder(queries, training)
    product = builder.weigh(weights)
    bounded = product.error < np.inf
    found = builder.left[bounded] @ product.right + product.offsets[bounded][:, training.classes]
    expected = kernels.squared_distance_matrix(queries, training, weights, False)[:, training.rows]
    assert bounded.any() == (name != "huge")
    assert (abs(found - expected[bounded]) <= product.error[bounded, np.newaxis]).all()
    # Inverse cubes of distances, which bound the error of d-NN votes, must not vanish either.
    farthest = found[np.isfinite(found)].max(initial=1.0, keepdims=True)
    assert _inverse_sums(farthest, np.float32(np.inf))[1] > 0.99 * np.float64(farthest[0]) ** -1.5


@pytest.mark.parametrize("bandwidth", [1e-160, 1e20, 1e160, 1e308])
def test_bandwidths_whose_squares_are_out_of_range(bandwidth):
    """So wide that every row has a full vote, or so narrow that only the nearest has one."""
    rng = np.random.default_rng(2)
    numeric, codes = np.empty((60, 0)), rng.integers(0, 3, (60, 4)).astype(np.int32)
    classes = np.repeat([0, 1, 2], [10, 20, 30])
    training = kernels.make_training(numeric, codes, classes, 3)
    weights = kernels.split_weights(rng.random((3, 4)), np.arange(0), np.arange(4))
    rule = kernels.Rule(kernels.GKE, True, False, False)
    for kernel in able(training, rule):
        got = kernels.Evaluator.leave_one_out(training, rule, kernel).codes(weights, [bandwidth])
        if bandwidth > 1:
            assert (got == 2).all(), kernel
        else:
            one = kernels.Evaluator.leave_one_out(training, rule, "direct").codes(weights, [1e-5])
            assert (got == one).all(), kernel


@pytest.mark.parametrize("kind", list(KINDS))
def test_queries_of_which_some_see_all_rows(kind):
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, (41, 8)).astype(np.int32)
    classes = np.repeat([0, 1], [20, 21])  # so that the last of all rows decides
    training = kernels.make_training(np.empty((41, 0)), codes, classes, 2)
    weights = kernels.split_weights(rng.random((2, 8)), np.arange(0), np.arange(8))
    rule = kernels.Rule(KINDS[kind], True, False, False)
    values = [1, 39, 40, 41, 60] if kind == "knn" else VALUES[kind]
    for own in (np.where(np.arange(41) % 2, np.arange(41), -1), np.empty(0, dtype=np.int64)):
        queries = kernels.make_queries(training.numeric.T[: len(own)], codes[: len(own)], own)
        expected = kernels.Evaluator(queries, training, rule, "direct").codes(weights, values)
        for kernel in kernels.able_kernels(queries, training, rule):
            got = kernels.Evaluator(queries, training, rule, kernel).codes(weights, values)
            assert (got == expected).all(), kernel
