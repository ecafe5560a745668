import numpy as np
import pytest

from acoibl.coevolution import SteadyStateGA
from acoibl.kernels import genetic


def sphere(x):
    return -float(((x - 0.3) ** 2).sum())


def rastrigin(x):
    return -float((x**2 - 10 * np.cos(2 * np.pi * x) + 10).sum())


def rosenbrock(x):
    return -float((100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum())


@pytest.mark.parametrize("pool", ["parents", "chain"])
def test_known_problems(pool):
    result = SteadyStateGA(sphere, 10, crossover_pool=pool, random_state=0).run()
    assert result.fun > -1e-2 if pool == "chain" else result.fun > -1e-6
    many = SteadyStateGA(
        rastrigin, 3, bounds=(-5.12, 5.12), crossover_pool=pool, random_state=0
    ).run()
    assert many.fun > -2.5
    valley = SteadyStateGA(rosenbrock, 2, bounds=(-2, 2), crossover_pool=pool, random_state=1).run()
    assert valley.fun > -0.2


def test_an_optimum_on_the_bounds_is_reached():
    result = SteadyStateGA(
        lambda x: x[0] - x[1], 2, bounds=[(-3, 2), (5, 9)], random_state=0, max_evaluations=4000
    ).run()
    np.testing.assert_allclose(result.x, [2, 5], atol=0.01)
    assert (result.population >= [-3, 5]).all()
    assert (result.population <= [2, 9]).all()


@pytest.mark.parametrize("budget", [1, 49, 50, 51, 57, 58, 300])
@pytest.mark.parametrize("pool", ["parents", "chain"])
def test_the_budget_is_used_and_never_exceeded(budget, pool):
    calls = []
    result = SteadyStateGA(
        lambda x: calls.append(1) or sphere(x),
        3,
        max_evaluations=budget,
        crossover_pool=pool,
        random_state=0,
    ).run()
    assert result.nfev == len(calls) == budget
    assert result.history["best"].is_monotonic_increasing


def test_vectorized_is_the_same_run():
    one = SteadyStateGA(sphere, 4, random_state=3, max_evaluations=900).run()
    many = SteadyStateGA(
        lambda X: [sphere(x) for x in X], 4, random_state=3, max_evaluations=900, vectorized=True
    ).run()
    np.testing.assert_array_equal(one.population, many.population)


def breed(pool, n=400, seed=0, **changes):
    rng = np.random.default_rng(seed)
    settings = {
        "alphas": np.array([0.3, 0.5, 0.5, 0.7]),
        "probability": 0.0,
        "as_pair": False,
        "gene_probability": -1.0,
        "times": np.zeros(4),
        "population": np.array([[0.4, 0.2], [0.6, 0.2]]),
        **changes,
    }
    out = np.empty((n, 8, 2))
    for children in out:
        genetic.breed(
            settings["population"],
            np.array([1.0, 1.0]),
            np.zeros(2),
            np.ones(2),
            settings["alphas"],
            pool == "chain",
            settings["probability"],
            settings["as_pair"],
            settings["gene_probability"],
            settings["times"],
            5.0,
            rng.random(genetic.count_draws(4, 2)),
            children,
        )
    return out


def test_blends_fill_the_widened_interval():
    """Half of the couples of two are different; their children reach alpha beyond them."""
    out = breed("parents", n=4000)
    different = out[(out[:, :, 0] != 0.4).any(axis=1) & (out[:, :, 0] != 0.6).any(axis=1)]
    for stage, alpha in enumerate([0.3, 0.5, 0.5, 0.7]):
        genes = different[:, 2 * stage : 2 * stage + 2, 0]
        assert abs(genes.min() - (0.4 - 0.2 * alpha)) < 0.003
        assert abs(genes.max() - (0.6 + 0.2 * alpha)) < 0.003
        assert abs(genes.mean() - 0.5) < 0.01
        assert abs(np.corrcoef(genes.T)[0, 1]) < 0.06, "children draw independently"
    assert (out[..., 1] == 0.2).all()


def test_a_chain_wanders():
    """The last stage of a chain crosses what three stages made: further out than one stage can."""
    chain, parents = breed("chain", n=4000), breed("parents", n=4000)
    assert np.abs(chain[:, 7, 0] - 0.5).max() > np.abs(parents[:, 7, 0] - 0.5).max()
    assert (chain[..., 0] >= 0).all()
    assert (chain[..., 0] <= 1).all()


@pytest.mark.parametrize("as_pair", [True, False])
def test_mutation_happens_as_often_as_said(as_pair):
    genes = np.full((2, 2), 0.5)
    out = breed("parents", n=4000, population=genes, probability=0.05, as_pair=as_pair)
    mutated = (out != 0.5).any(axis=2)
    assert abs(mutated.mean() - 0.05) < 0.008
    assert (out != 0.5).sum(axis=2).max() == 1, "exactly one gene"
    together = (mutated[:, 0::2] & mutated[:, 1::2]).mean() / mutated.mean()
    assert together > 0.99 if as_pair else together < 0.1
    each = breed(
        "parents",
        n=4000,
        population=genes,
        probability=1.0,
        as_pair=as_pair,
        gene_probability=0.01,
    )
    assert abs((each != 0.5).mean() - 0.01) < 0.002


def test_mutations_shrink_with_time_and_stay_within_bounds():
    lower, upper, rng = np.array([-1.0]), np.array([3.0]), np.random.default_rng(0)
    spread = []
    for time in (0.0, 0.5, 0.95, 1.0):
        steps = []
        for _ in range(500):
            x = np.array([1.0])
            genetic.mutate(x, lower, upper, 1.0, time, 5.0, rng.random(5))
            assert -1 <= x[0] <= 3
            steps.append(x[0] - 1)
        spread.append(np.std(steps))
        assert abs(np.mean(np.array(steps) > 0) - 0.5) < 0.1 or time == 1
    assert spread[0] > spread[1] > spread[2] > spread[3] == 0


def test_tournaments_prefer_the_better():
    rng = np.random.default_rng(0)
    wins = np.bincount(
        [genetic.tournament(np.array([3.0, 2.0, 1.0]), rng.random(2)) for _ in range(6000)]
    )
    np.testing.assert_allclose(wins / 6000, [2 / 3, 1 / 3], atol=0.02)
    assert genetic.tournament(np.array([1.0]), rng.random(2)) == 0
    equal = [genetic.tournament(np.zeros(2), rng.random(2)) for _ in range(2000)]
    assert abs(np.mean(equal) - 0.5) < 0.05


@pytest.mark.parametrize("last_second", [False, True])
def test_the_two_worst_go_whatever_comes(last_second):
    rng = np.random.default_rng(0)
    for _ in range(300):
        fitness = -np.sort(-rng.integers(0, 9, 6).astype(float))
        population = np.arange(6.0)[:, None] + np.zeros((6, 2))
        child_fitness = rng.integers(0, 9, 8).astype(float)
        children = 100 + np.arange(8.0)[:, None] + np.zeros((8, 2))
        if last_second:
            expected = [int(2 * np.argmax(child_fitness[0::2])), 7]
        else:
            expected = np.argsort(-child_fitness, kind="stable")[:2].tolist()
        old = list(zip(fitness, population[:, 0], strict=True))
        genetic.replace_worst(population, fitness, children, child_fitness, last_second)
        new = [(child_fitness[i], 100.0 + i) for i in expected]
        whole = sorted([*old[:4], new[1], new[0]], key=lambda pair: -pair[0])
        assert list(zip(fitness, population[:, 0], strict=True)) == whole


def test_few_children_and_small_populations():
    assert genetic.best_two(np.array([1.0]), False) == (0, -1)
    assert genetic.best_two(np.array([1.0]), True) == (0, -1)
    assert genetic.best_two(np.array([1.0, 1.0, 3.0]), False) == (2, 0)
    result = SteadyStateGA(sphere, 2, population_size=2, max_evaluations=100, random_state=0).run()
    assert result.population.shape == (2, 2)


def test_seeds_and_clocks():
    runs = [
        SteadyStateGA(sphere, 3, random_state=seed, max_evaluations=200).run() for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(runs[0].population, runs[1].population)
    assert (runs[0].population != runs[2].population).any()
    late = SteadyStateGA(
        sphere, 3, mutation_probability=1.0, alphas=[0.0], random_state=0, max_evaluations=400
    ).start()
    late.population[:] = 0.5
    late.step(clock=(1000, 1000))
    assert (late.population == 0.5).all(), "no time is left for a mutation"
    late.step(clock=(0, 1000))
    assert (late.population != 0.5).any()


def test_a_step_needs_a_population():
    with pytest.raises(RuntimeError, match=r"call start\(\) before step\(\)"):
        SteadyStateGA(sphere, 3).step()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alphas": []}, "alphas"),
        ({"alphas": [0.5, np.inf]}, "alphas"),
        ({"bounds": (-1e308, 1e308)}, "so far apart"),
        ({"bounds": (-4e307, 4e307)}, "so far apart"),
        ({"crossover_pool": "sea"}, "crossover_pool"),
        ({"mutation_unit": "gene"}, "mutation_unit"),
        ({"mutation_probability": -1}, "mutation_probability"),
        ({"bounds": (1, 0)}, "low <= high"),
        ({"bounds": [(0, 1)]}, "shape"),
        ({"horizon": -5}, "horizon"),
        ({"horizon": 0}, "horizon"),
        ({"horizon": 2.5}, "horizon"),
        ({"mutation_shape": np.nan}, "mutation_shape"),
        ({"mutation_shape": np.inf}, "mutation_shape"),
        ({"mutation_shape": -1}, "mutation_shape"),
    ],
)
def test_wrong_parameters_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        SteadyStateGA(sphere, 3, **wrong)
