import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, rosen
from scipy.stats import kstest, norm

from acoibl.acor import Archive, minimize, rank_weights, round_half_away


def sphere(x):
    return float((x**2).sum())


def test_rank_weights_are_gaussian_densities():
    np.testing.assert_allclose(
        rank_weights(25, 0.25), norm.pdf(np.arange(1, 26), loc=1, scale=0.25 * 25)
    )


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), min_size=3, max_size=30))
@settings(deadline=None)  # the first example compiles
def test_insertion_is_a_stable_sort(qualities):
    """R best of everything seen, the older first among equals."""
    archive = Archive(3, [0.0], [100.0])
    archive.fill(np.arange(3.0).reshape(-1, 1), np.array(qualities[:3]))
    for i, quality in enumerate(qualities[3:], 3):
        archive.insert(np.array([float(i)]), quality)
    expected = sorted(range(len(qualities)), key=lambda i: (-qualities[i], i))[:3]
    assert archive.solutions.ravel().tolist() == expected
    assert archive.qualities.tolist() == [qualities[i] for i in expected]


def test_insert_returns_the_rank_and_refuses_equals_of_the_worst():
    archive = Archive(3, [0.0], [1.0])
    archive.fill(np.array([[0.1], [0.2], [0.3]]), np.array([3.0, 2.0, 1.0]))
    assert archive.insert(np.array([0.9]), 1.0) == -1
    assert archive.insert(np.array([0.9]), np.nan) == -1
    assert archive.insert(np.array([0.9]), 2.0) == 2
    assert archive.insert(np.array([0.5]), 9.0) == 0


def test_spread_is_equation_10():
    archive = Archive(3, [0.0, 0.0], [10.0, 10.0], xi=0.85)
    archive.fill(np.array([[1.0, 2.0], [4.0, 2.0], [9.0, 8.0]]), np.array([3.0, 2.0, 1.0]))
    np.testing.assert_allclose(archive.spread(0), [0.85 * (3 + 8) / 2, 0.85 * 6 / 2])


def test_guides_follow_the_weights():
    archive = Archive(10, [0.0], [1.0], q=0.3)
    rng = np.random.default_rng(0)
    counts = np.bincount([archive.guide(rng) for _ in range(20_000)], minlength=10)
    np.testing.assert_allclose(counts / 20_000, archive.weights, atol=0.01)


def test_samples_are_gaussian_around_the_guide_and_clipped():
    archive = Archive(2, [-50.0], [50.0], xi=1.0)
    archive.fill(np.array([[1.0], [3.0]]), np.array([2.0, 1.0]))
    rng = np.random.default_rng(1)
    samples = np.array([archive.sample(rng, guide=1)[0] for _ in range(3000)])
    assert kstest(samples, norm(3.0, 2.0).cdf).pvalue > 0.01
    tight = Archive(2, [0.0], [1.0], xi=5.0)
    tight.fill(np.array([[0.0], [1.0]]), np.array([2.0, 1.0]))
    clipped = np.array([tight.sample(rng)[0] for _ in range(200)])
    assert clipped.min() == 0.0
    assert clipped.max() == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_sphere_and_rosenbrock(seed):
    result = minimize(sphere, [(-5, 5)] * 5, max_iter=4000, random_state=seed)
    assert result.fun < 1e-10
    assert result.nfev == 25 + result.nit
    result = minimize(
        rosen, Bounds([-2, -2], [2, 2]), n_archive=50, max_iter=6000, random_state=seed
    )
    assert result.fun < 1e-3


def test_history_falls_and_ends_at_the_result():
    result = minimize(sphere, [(-5, 5)] * 3, max_iter=200, random_state=0)
    assert (np.diff(result.history) <= 0).all()
    assert result.history[-1] == result.fun == sphere(result.x)
    assert len(result.history) == 201
    assert result.status == 1


def test_ordinal_variables_are_evaluated_as_integers():
    seen = []

    def fun(x):
        seen.append(x.copy())
        return abs(x[0] - 3.2) + (x[1] - 0.5) ** 2

    result = minimize(
        fun, [(0.4, 9.7), (0, 1)], integrality=[True, False], max_iter=500, random_state=0
    )
    first = np.array(seen)[:, 0]
    assert (first == np.round(first)).all()
    assert first.min() >= 1
    assert first.max() <= 9
    assert result.x[0] == 3
    assert result.archive.solutions[0, 0] != 3  # the archive keeps the real value


def test_same_seed_same_search_and_ants_share_an_archive():
    def run(seed, ants=2):
        return minimize(sphere, [(-1, 1)] * 2, n_ants=ants, max_iter=50, random_state=seed)

    assert run(1).fun == run(1).fun
    assert run(1).fun != run(2).fun
    assert run(1).nfev == 25 + 2 * 50
    sequence = np.random.SeedSequence(7)
    assert run(sequence).fun == run(np.random.SeedSequence(7)).fun


def test_ways_to_stop():
    result = minimize(lambda x: 1.0, [(0, 1)], patience=7, random_state=0)
    assert (result.nit, result.status) == (7, 0)
    result = minimize(sphere, [(0, 1)], callback=lambda state: state.nit == 3, random_state=0)
    assert (result.nit, result.status, result.success) == (3, 2, False)

    def stop(state):
        raise StopIteration

    assert minimize(sphere, [(0, 1)], callback=stop, random_state=0).nit == 1


def test_nan_is_worse_than_everything():
    result = minimize(
        lambda x: np.nan if x[0] < 0 else x[0], [(-1, 1)], max_iter=300, random_state=0
    )
    assert 0 <= result.fun < 1e-3


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_function_without_any_number_is_no_success(value):
    result = minimize(lambda x: value, [(0, 1)], max_iter=5, random_state=0)
    assert (result.status, result.success) == (3, False)
    assert "no number" in result.message
    stopped = minimize(lambda x: value, [(0, 1)], callback=lambda state: True, random_state=0)
    assert stopped.status == 2


def test_bounds_may_be_very_wide():
    result = minimize(lambda x: abs(x[0]), [(-1e306, 1e306)], max_iter=3000, random_state=0)
    assert result.fun < 1e300
    assert result.success


def test_an_archive_takes_nan_for_the_worst_and_refuses_bounds_that_are_none():
    archive = Archive(2, [0.0], [1.0])
    archive.fill(np.array([[0.2], [0.9]]), np.array([np.nan, -3.0]))
    assert archive.solutions.ravel().tolist() == [0.9, 0.2]
    assert archive.insert(np.array([0.5]), -9.0) == 1
    for lower, upper in (([0.0], [np.inf]), ([1.0], [0.0]), ([0.0, 0.0], [1.0])):
        with pytest.raises(ValueError, match="bounds"):
            Archive(2, lower, upper)


def test_given_solutions_enter_the_first_archive():
    result = minimize(sphere, [(-5, 5)] * 2, x0=[0.0, 0.0], max_iter=1, random_state=0)
    assert result.fun == 0.0


@given(st.floats(-1e6, 1e6))
@settings(max_examples=50)
def test_rounding(value):
    rounded = float(round_half_away(np.float64(value)))
    assert rounded == int(rounded)
    assert abs(rounded - value) <= 0.5
    assert float(round_half_away(np.float64(-value))) == -rounded


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bounds": [(0, np.inf)]}, "finite"),
        ({"bounds": [(0, 1), (2, 1)]}, "variable 1"),
        ({"bounds": [1, 2]}, "pairs"),
        ({"n_archive": 1}, "'n_archive' parameter"),
        ({"n_ants": 0}, "'n_ants' parameter"),
        ({"max_iter": 0}, "'max_iter' parameter"),
        ({"max_iter": 2.5}, "'max_iter' parameter"),
        ({"patience": -5}, "'patience' parameter"),
        ({"patience": 0}, "'patience' parameter"),
        ({"q": 0}, "q must be a positive number"),
        ({"q": np.nan}, "q must be a positive number"),
        ({"q": np.inf}, "q must be a positive number"),
        ({"q": 1e-200}, "q must be a positive number"),
        ({"q": 1e308}, "q must be a positive number"),
        ({"xi": 0}, "xi must be a positive number"),
        ({"xi": np.nan}, "xi must be a positive number"),
        ({"xi": np.inf}, "xi must be a positive number"),
        ({"x0": [np.nan]}, "solution 0 has NaN for variable 0"),
        ({"x0": [[0.5], [np.nan]]}, "solution 1 has NaN"),
        ({"bounds": [(np.nan, 1)]}, "finite"),
        ({"bounds": [(0, 1), (-1e308, 1e308)]}, "variable 1 has bounds so far apart"),
        ({"bounds": Bounds([-8e307], [8e307])}, "so far apart"),
        ({"x0": [1.0, 2.0]}, "x0 must hold"),
        ({"bounds": [(0.2, 0.8)], "integrality": True}, "no integer"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        minimize(sphere, **{"bounds": [(0, 1)], **arguments})
