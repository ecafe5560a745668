"""The kernels against the formulas, and the walk with bounds against the plain search."""

import numpy as np
import pytest

from acoibl.kernels import margins
from tests.margins import naive_margins as naive

KINDS = ("plain", "coarse", "mixed", "missing", "categorical", "complete")


def problem(kind, n=40, seed=0, n_classes=3, d=4):
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    numeric = rng.random((n, d))
    if kind == "coarse":  # many equal distances and duplicates
        numeric = np.round(numeric * 2) / 2
    codes = rng.integers(-1, 3, (n, 2)).astype(np.int32)
    if kind in ("plain", "coarse", "missing"):
        codes = codes[:, :0]
    if kind == "complete":  # mixed, nothing missing
        codes = np.abs(codes)
    if kind == "categorical":
        numeric = numeric[:, :0]
    if kind in ("missing", "mixed"):
        numeric[rng.random(numeric.shape) < 0.1] = np.nan
    classes = rng.integers(0, n_classes, n)
    classes[-1] = n_classes  # alone in its class
    rows = margins.make_rows(numeric, codes, classes, n_classes + 1)
    given = list(zip(numeric.tolist(), codes.tolist(), strict=True))
    return rows, given, classes.tolist()


def in_given_order(rows, found):
    """Hits or misses by sorted rows as a list by given rows, None for nobody."""
    order = rows.training.rows
    out = [None] * len(found)
    for s, other in enumerate(found):
        out[order[s]] = None if other < 0 else int(order[other])
    return out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_hits_and_misses(kind, seed):
    rows, given, labels = problem(kind, seed=seed)
    d = rows.numeric.shape[1] + rows.codes.shape[1]
    weights = np.random.default_rng(seed).normal(size=d)
    hits, misses = margins.nearest_pairs(rows, weights)
    expected = naive.hits_and_misses(given, labels, weights.tolist())
    assert in_given_order(rows, hits) == expected[0]
    assert in_given_order(rows, misses) == expected[1]
    assert expected[0][-1] is None


@pytest.mark.parametrize("kind", ["plain", "coarse"])
@pytest.mark.parametrize("factor", [2.0**-40, 2.0**30, 1e-6, 1e6])
def test_hits_and_misses_have_no_unit(kind, factor):
    """Neither the unit of the numbers nor the size of the weights decides who is nearest."""
    rows, _, _ = problem(kind, n=300)
    numeric = rows.numeric[rows.training.positions]
    classes = rows.training.classes[rows.training.positions]
    no_codes = np.empty((len(numeric), 0), dtype=np.int32)
    other = margins.make_rows(numeric * factor, no_codes, classes, 4)
    weights = np.random.default_rng(0).random(4)
    expected = margins.nearest_pairs(rows, weights)
    for found in (
        margins.nearest_pairs(other, weights),
        margins.nearest_pairs(rows, weights * factor),
    ):
        np.testing.assert_array_equal(found, expected)


def test_walk_has_no_unit():
    """Numbers c times larger with steps c times smaller are the same walk, bounds and all."""
    _, given, labels = problem("plain", n=200, seed=3)
    numeric = np.array([numbers for numbers, _ in given])
    sequence = np.random.default_rng(1).permutation(200)
    expected = naive.simba(given, labels, sequence, np.full(200, 0.3))
    for factor in (2.0**-40, 1e-6, 1e6):
        other = margins.make_rows(numeric * factor, np.empty((200, 0), dtype=np.int32),
                                  np.array(labels), 4)  # fmt: skip
        walked = margins.margin_pass(
            other, other.training.positions[sequence], np.full(200, 0.3 / factor)
        )
        np.testing.assert_allclose(walked, expected, rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", ["literal", "mean_one", "wild"])
def test_pass(kind, size):
    rows, given, labels = problem(kind, seed=5)
    n = len(given)
    rng = np.random.default_rng(1)
    sequence = rng.integers(0, n, 2 * n)
    steps = rng.random(2 * n) * {"literal": 1 / n, "mean_one": 1.0, "wild": 3.0}[size]
    got = margins.margin_pass(rows, rows.training.positions[sequence], steps)
    np.testing.assert_allclose(got, naive.simba(given, labels, sequence, steps), rtol=1e-6)


@pytest.mark.parametrize("shape", [(300, 3), (150, 40), (200, 150), (60, 900)])
@pytest.mark.parametrize("step", [0.002, 1.0])
@pytest.mark.parametrize("trust", [1.0, 32.0, 1e9])
def test_bounds_lose_nobody(shape, step, trust, monkeypatch):
    """Long runs of steps under old products give the weights of a fresh search at every step."""
    from acoibl.kernels.margins import walk

    rng = np.random.default_rng(shape[0])
    numeric = rng.random(shape) + rng.integers(0, 3, shape[0])[:, None] * 0.1
    rows = margins.make_rows(
        numeric, np.empty((shape[0], 0), dtype=np.int32), rng.integers(0, 3, shape[0]), 3
    )
    sequence, steps = rng.permutation(shape[0]), np.full(shape[0], step)
    monkeypatch.setattr(walk, "TRUST", trust)  # too much of it is found out
    walked = margins.margin_pass(rows, sequence, steps)
    monkeypatch.setattr(walk, "MOST", 1)
    np.testing.assert_allclose(walked, margins.margin_pass(rows, sequence, steps), rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_margin_vectors(kind):
    rows, given, labels = problem(kind, seed=2)
    d = rows.numeric.shape[1] + rows.codes.shape[1]
    vectors = margins.margin_vectors(rows, *margins.nearest_pairs(rows, np.ones(d)))
    expected = [naive.margin_vector(given, labels, n) for n in range(len(given))]
    np.testing.assert_allclose(vectors[rows.training.positions], expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(1, 3), (2, 1), (50, 4), (700, 5), (20, 300)])
def test_mean_distances(shape):
    from scipy.spatial.distance import cdist

    vectors = np.random.default_rng(0).normal(size=shape) + 5
    expected = cdist(vectors, vectors).sum(axis=1) / max(shape[0] - 1, 1)
    np.testing.assert_allclose(margins.mean_distances(vectors), expected, rtol=1e-9)


def test_mean_distances_of_equal_vectors_are_zero():
    vectors = np.tile(np.random.default_rng(0).random(7), (9, 1))
    assert (margins.mean_distances(vectors) == 0).all()
