import numpy as np
import pytest

from acoibl.coevolution import CHC, SteadyStateGA
from acoibl.kernels import genetic


def ones(x):
    return float(x.sum())


def traps(x):
    """Deceptive: in each group of four, fewer ones are better, save that all four are best."""
    counts = x.reshape(-1, 4).sum(axis=1)
    return float(np.where(counts == 4, 4, 3 - counts).sum())


def test_one_max_is_solved_long_before_the_budget():
    result = CHC(ones, 60, prob_0_to_1=1.0, random_state=1).run()
    reached = result.history.loc[result.history["best"] == 60, "evaluation"].iloc[0]
    assert reached < 3000
    assert result.x.all()
    assert result.fun == 60


def test_deceptive_traps_need_the_restarts():
    """Climbing alone ends at no ones at all (fitness 24); CHC gets past it."""
    result = CHC(traps, 32, prob_0_to_1=1.0, prob_1=0.5, random_state=0).run()
    assert result.fun > 28
    assert result.history["restarted"].sum() >= 1


def test_fewer_ones_need_no_push():
    """With few chances for a 1, a neutral function ends with few ones."""
    result = CHC(lambda x: 0.0, 100, prefer="offspring", max_evaluations=4000, random_state=0).run()
    assert result.population.mean() < 0.1


@pytest.mark.parametrize("budget", [1, 30, 50, 51, 53, 200, 1001])
@pytest.mark.parametrize("n_genes", [1, 3, 12])
def test_the_budget_is_used_and_never_exceeded(budget, n_genes):
    calls = []

    def counted(x):
        calls.append(x.shape)
        return ones(x)

    result = CHC(counted, n_genes, max_evaluations=budget, random_state=0).run()
    assert result.nfev == len(calls) == budget
    assert set(calls) == {(n_genes,)}
    assert result.history["evaluation"].is_monotonic_increasing
    assert result.history["best"].is_monotonic_increasing


def test_vectorized_is_the_same_run_and_parents_are_near():
    seen = []

    def many(X, parents):
        if parents is not None:
            assert parents.shape == X.shape
            seen.append((parents != X).sum(axis=1))
        return X.sum(axis=1)

    one = CHC(ones, 40, random_state=3, max_evaluations=2000).run()
    other = CHC(
        many, 40, random_state=3, max_evaluations=2000, vectorized=True, pass_parents=True
    ).run()
    np.testing.assert_array_equal(one.population, other.population)
    assert one.history.equals(other.history)
    assert max(map(max, seen)) < 30


def test_seeds_decide():
    runs = [CHC(traps, 20, random_state=seed, max_evaluations=500).run() for seed in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0].population, runs[1].population)
    assert (runs[0].population != runs[2].population).any()


def test_nobody_mates_until_the_threshold_has_fallen():
    """A quarter of ones: half the distances are some 0.19 n, below n / 4."""
    search = CHC(ones, 400, random_state=0).start()
    assert [search.step() for _ in range(5)] == [0] * 5
    assert search.threshold == 95
    fast = CHC(ones, 400, random_state=0, fast_threshold=True).start()
    assert fast.step() >= 2
    assert fast.threshold < 90


def test_only_distant_parents_mate():
    population = np.zeros((4, 8), dtype=bool)
    population[1, :4] = True
    population[2, :5] = True
    order = np.random.default_rng(0).permutation(4)
    halves = genetic.half_distances(population, order)
    for p, half in enumerate(halves):
        a, b = population[order[2 * p]], population[order[2 * p + 1]]
        assert half == (a != b).sum() // 2
    children, parents = np.empty((4, 8), dtype=bool), np.empty(4, dtype=np.int64)
    n = genetic.cross_pairs(
        population,
        order,
        np.array([2, 1]),
        1,
        1.0,
        True,
        np.random.default_rng(0),
        children,
        parents,
    )
    assert n == 2
    assert parents[:2].tolist() == order[:2].tolist()


@pytest.mark.parametrize("prob", [0.0, 0.25, 1.0])
def test_hux_exchanges_half_and_sets_few(prob):
    rng = np.random.default_rng(0)
    set_bits = []
    for _ in range(300):
        a, b = rng.random(31) < 0.5, rng.random(31) < 0.5
        x, y = a.copy(), b.copy()
        genetic.hux(x, y, prob, rng)
        half = (a != b).sum() // 2
        np.testing.assert_array_equal(x[a == b], a[a == b])
        np.testing.assert_array_equal(y[a == b], b[a == b])
        changed = (x != a) | (y != b)
        assert changed.sum() == half
        # Where something changed, the 1 has gone, and stands in the other chromosome or nowhere.
        assert not (x & a & ~b & changed).any()
        assert not (y & b & ~a & changed).any()
        set_bits.append(((x | y) & changed).sum() / max(half, 1))
    assert abs(np.mean(set_bits) - prob) < 0.03


def test_a_coin_for_each_place_exchanges_half_on_average():
    rng, counts, came = np.random.default_rng(0), [], 0
    for _ in range(2000):
        a, b = np.arange(40) % 4 < 2, np.arange(40) % 2 == 0
        x, y = a.copy(), b.copy()
        genetic.hux_by_coin(a, b, 0.25, rng)
        changed = (x != a) | (y != b)
        assert not changed[x == y].any()
        assert not (x & a & changed).any(), "the 1 has gone"
        counts.append(changed.sum())
        came += ((a | b) & changed).sum()
    assert abs(np.mean(counts) - 10) < 0.3  # 20 places differ
    assert abs(np.std(counts) - np.sqrt(5)) < 0.2
    assert abs(came / np.sum(counts) - 0.25) < 0.02


def test_half_of_the_places_is_drawn_without_preference():
    rng, hits = np.random.default_rng(0), np.zeros(10)
    for _ in range(4000):
        a, b = np.ones(10, dtype=bool), np.zeros(10, dtype=bool)
        genetic.hux(a, b, 1.0, rng)
        hits += b
    assert np.abs(hits / 4000 - 0.5).max() < 0.03


@pytest.mark.parametrize(("redraw", "down", "up"), [(True, 0.2625, 0.0875), (False, 0.35, 0.35)])
def test_a_restart_keeps_the_best_and_disturbs_the_rest(redraw, down, up):
    best = np.arange(4000) % 2 == 0
    population = np.tile(best, (50, 1))
    population[1:] = False
    genetic.scatter(population, 0.35, redraw, 0.25, np.random.default_rng(0))
    np.testing.assert_array_equal(population[0], best)
    copies = population[1:]
    assert abs((~copies[:, best]).mean() - down) < 0.005
    assert abs(copies[:, ~best].mean() - up) < 0.005


def test_a_restart_comes_at_threshold_zero_and_resets_it():
    at_once = CHC(ones, 20, idle_generations=0, random_state=0, max_evaluations=3000).run().history
    row = at_once["restarted"].idxmax()
    assert at_once["threshold"].iloc[row - 1] == 1
    assert at_once["threshold"].iloc[row] == 5
    assert at_once["evaluation"].diff().iloc[row] >= 49
    later = CHC(ones, 20, idle_generations=3, random_state=0, max_evaluations=3000).run().history
    row = later["restarted"].idxmax()
    assert (later["threshold"].iloc[row - 3 : row] == 0).all()


def test_what_a_restart_draws_and_the_threshold_after_it():
    settings = {"restart": "redraw", "prob_1": 0.5, "random_state": 0, "max_evaluations": 4000}
    search = CHC(
        lambda x: -float(x.sum()),
        200,
        restart_ones=0.8,
        restart_rate=0.5,
        restart_threshold=0.1,
        idle_generations=1,
        prefer="offspring",
        exact_half=False,
        **settings,
    )
    history = search.run().history
    row = history["restarted"].idxmax()
    assert search.n_restarts > 0
    assert history["threshold"].iloc[row] == 20
    assert history["threshold"].iloc[row - 1] == 0, "idle once at 0: as if below 0"
    # The best has no ones by then: of the other 49 half of the bits are drawn.
    best = -history["best"].iloc[row] / 200
    expected = (best + 49 * (0.5 * best + 0.5 * 0.8)) / 50
    assert abs(history["mean_ones"].iloc[row] - expected) < 0.02
    same = CHC(ones, 200, restart_ones=0.25, restart_threshold=0.25, **settings).run()
    assert same.history.equals(CHC(ones, 200, **settings).run().history), "the defaults"


def test_pairs_count_as_mated_when_a_child_was_judged():
    search = CHC(ones, 40, prob_1=0.5, random_state=0).start()
    search.threshold = 0
    assert search.step(5) == 5
    assert search.history["n_mated"].iloc[-1] == 3


def test_a_step_needs_a_population():
    with pytest.raises(RuntimeError, match=r"this CHC has no population yet: call start\(\)"):
        CHC(ones, 8).step()


@pytest.mark.parametrize("offspring_first", [False, True])
def test_merging_keeps_the_best_of_both(offspring_first):
    rng = np.random.default_rng(0)
    for _ in range(200):
        old = -np.sort(-rng.integers(0, 6, 8).astype(float))
        new = rng.integers(0, 6, rng.integers(1, 9)).astype(float)
        chosen = np.empty(8, dtype=np.int64)
        n_new = genetic.merge_elitist(old, new, offspring_first, chosen)
        both = np.concatenate([old, new])
        np.testing.assert_array_equal(both[chosen], -np.sort(-both)[:8])
        assert len(set(chosen)) == 8
        assert n_new == (chosen >= 8).sum()
        worst = both[chosen[-1]]
        better = (new > worst).sum()
        if offspring_first:
            assert n_new == min((new >= worst).sum(), 8 - (old > worst).sum())
        else:
            assert n_new == max(better, 8 - (old >= worst).sum())


def test_equals_do_not_enter_unless_offspring_is_preferred():
    parents = CHC(lambda x: 0.0, 40, random_state=0, prob_1=0.5).start()
    before = parents.population.copy()
    while parents.n_evaluations < 60:
        parents.step()
    assert parents.n_restarts == 0
    np.testing.assert_array_equal(parents.population, before)
    offspring = CHC(lambda x: 0.0, 40, random_state=0, prob_1=0.5, prefer="offspring").start()
    while offspring.n_evaluations < 60:
        offspring.step()
    assert (offspring.population != before).any()


def test_copies_of_unmated_individuals_crowd_the_population():
    """As in KEEL: where some pair mates, the others' copies take the places of the worst."""
    settings = {"random_state": 0, "prob_1": 0.5, "prefer": "offspring"}
    search = CHC(ones, 48, keep_unmated=True, **settings).start()
    assert len({row.tobytes() for row in search.population}) == 50
    search.threshold = 12
    while search.step() == 0:
        pass
    assert len({row.tobytes() for row in search.population}) < 45
    assert search.threshold == 12 or search.n_steps > 1


def test_the_first_population():
    search = CHC(ones, 1000, random_state=0)
    assert abs(search.draw().mean() - 0.25) < 0.01
    exact = CHC(ones, 30, exact_ones=True, random_state=0).draw()
    assert set(exact.sum(axis=1)) == {8}
    assert CHC(ones, 1, exact_ones=True, prob_1=1.0, random_state=0).draw().all()


def test_nan_is_worst_and_callback_stops():
    result = CHC(lambda x: np.nan if x[0] else ones(x), 8, random_state=0).run()
    assert not result.x[0]
    stopped = CHC(ones, 8, random_state=0, callback=lambda line: line["step"] >= 3).run()
    assert (stopped.nit, stopped.status, stopped.success) == (3, 2, False)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"restart": "no"}, "restart"),
        ({"prefer": "nobody"}, "prefer"),
        ({"prob_1": 1.5}, "prob_1"),
        ({"population_size": 1}, "population_size"),
        ({"max_evaluations": 0}, "max_evaluations"),
        ({"pass_parents": True}, "vectorized"),
        ({"idle_generations": -3}, "idle_generations"),
        ({"idle_generations": 1.7}, "idle_generations"),
        ({"restart_ones": 2}, "restart_ones"),
        ({"restart_threshold": -0.1}, "restart_threshold"),
    ],
)
def test_wrong_parameters_are_named(wrong, message):
    with pytest.raises(ValueError, match=message):
        CHC(ones, 8, **wrong)
    with pytest.raises(ValueError, match="2 values for 50"):
        CHC(lambda X: np.zeros(2), 8, vectorized=True).start()


@pytest.mark.parametrize("kind", [CHC, SteadyStateGA])
def test_a_fitness_without_any_number_is_no_success(kind):
    result = kind(lambda x: np.nan, 4, max_evaluations=200, random_state=0).run()
    assert (result.status, result.success) == (3, False)
    assert "no fitness" in result.message
