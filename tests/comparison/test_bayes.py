"""Bayesian signed-rank test: what it must say of clear cases, seeds, bad input, no baycomp."""

import sys

import numpy as np
import pandas as pd
import pytest

from acoibl.comparison import bayesian_signed_rank, published


@pytest.fixture
def baycomp():
    return pytest.importorskip("baycomp", reason="baycomp is not installed (the extra 'bayes')")


def posterior(difference, rope, n_samples=50_000, seed=1):
    """Section 4.2 of Benavoli et al. (2017), all at once: weights ~ Dirichlet(1/2, 1, ..., 1)."""
    z = np.concatenate([[0.0], difference])
    sums = z[:, None] + z
    weights = np.random.default_rng(seed).dirichlet([0.5] + [1.0] * len(difference), n_samples)

    def mass(indicator):
        return np.einsum("si,ij,sj->s", weights, indicator, weights, optimize=True)

    above = np.heaviside(sums - 2 * rope, 0.5)
    below = np.heaviside(-2 * rope - sums, 0.5)
    right, left = mass(below), mass(above)
    inside = 1 - left - right
    best = np.argmax([left, inside, right], axis=0)
    return np.bincount(best, minlength=3) / n_samples


@pytest.mark.usefixtures("baycomp")
@pytest.mark.parametrize("rope", [0.5, 1.0, 3.0])
def test_matches_the_definition(rope):
    rng = np.random.default_rng(7)
    b = rng.uniform(60, 90, 20).round(2)
    a = b + rng.normal(1.0, 3.0, 20).round(2)
    expected = posterior(a - b, rope)
    np.testing.assert_allclose(bayesian_signed_rank(a, b, rope), expected, atol=0.012)


@pytest.mark.usefixtures("baycomp")
def test_docstring_figures_for_table_10():
    table = published("table9_all")
    result = bayesian_signed_rank(table["ens_aco_knn"], table["ciw_nn"])
    assert [round(probability, 2) for probability in result] == [0.98, 0.0, 0.02]
    assert sum(result) == pytest.approx(1.0)


@pytest.mark.usefixtures("baycomp")
def test_clear_cases():
    base = np.linspace(60, 90, 15)
    assert bayesian_signed_rank(base + 5, base).left > 0.99
    assert bayesian_signed_rank(base, base + 5).right > 0.99
    assert bayesian_signed_rank(base + 0.1, base).rope > 0.99
    assert bayesian_signed_rank(base, base).rope == 1.0


@pytest.mark.usefixtures("baycomp")
def test_sides_without_a_rope():
    table = published("table9_all")
    a, b = table["ens_aco_knn"], table["ciw_nn"]
    result, mirrored = bayesian_signed_rank(a, b, rope=0), bayesian_signed_rank(b, a, rope=0)
    assert result.rope == 0.0
    assert result.left + result.right == pytest.approx(1.0)
    assert result.left == pytest.approx(mirrored.right, abs=0.01)


@pytest.mark.usefixtures("baycomp")
def test_seed_and_order_of_labels():
    table = published("table9_all")
    a, b = table["ens_aco_knn"], table["aco_gke"]
    again = bayesian_signed_rank(a, b.sample(frac=1, random_state=3), n_samples=2000)
    assert bayesian_signed_rank(a, b, n_samples=2000) == again
    assert bayesian_signed_rank(a, b, n_samples=2000, random_state=1) != again
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    bayesian_signed_rank(a, b, n_samples=10)
    assert (state == np.random.get_state()[1]).all()  # noqa: NPY002


@pytest.mark.usefixtures("baycomp")
def test_the_edge_of_the_rope_is_exact():
    """0.3 - 0.1 is not 0.2 in binary, but such a difference lies on the edge of that rope."""
    a, b = pd.Series([0.3] * 9), pd.Series([0.1] * 9)
    scaled = bayesian_signed_rank(a * 10, b * 10, rope=2.0, n_samples=4000)
    assert bayesian_signed_rank(a, b, rope=0.2, n_samples=4000) == scaled


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "baycomp", None)
    with pytest.raises(ImportError, match=r"needs the package baycomp.*\[bayes\]"):
        bayesian_signed_rank([71.0, 72.0], [72.0, 73.0])


@pytest.mark.parametrize(
    ("a", "b", "arguments", "error", "message"),
    [
        ([1.0, 2.0], [1.0], {}, ValueError, "equally long"),
        ([1.0], [2.0], {}, ValueError, "at least 2 datasets"),
        ([1.0, np.nan], [1.0, 2.0], {}, ValueError, "missing or infinite"),
        (["x", "y"], [1.0, 2.0], {}, TypeError, "must be numbers"),
        (pd.Series([1.0, 2.0]), pd.Series([1.0, 2.0], index=[0, 7]), {}, ValueError, "one of a"),
        ([1.0, 2.0], [2.0, 3.0], {"rope": -1.0}, ValueError, "rope must be"),
        ([1.0, 2.0], [2.0, 3.0], {"rope": np.nan}, ValueError, "rope must be"),
        ([71.0, 72.0], [72.0, 73.0], {"n_samples": 0}, ValueError, "n_samples must be"),
        ([0.9, 0.8], [0.5, 0.4], {"rope": 1.0}, ValueError, "covers differences of 100 points"),
        ([1.2, 0.8], [0.5, 0.4], {}, ValueError, "may not be accuracies"),
    ],
)
def test_bad_input_is_named_with_or_without_baycomp(a, b, arguments, error, message):
    with pytest.raises(error, match=message):
        bayesian_signed_rank(a, b, **arguments)
