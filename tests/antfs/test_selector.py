"""The ants against a literal walk through the pseudo code, and what must not matter to them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline

from acoibl import KNNClassifier
from acoibl.antfs import (
    AntFeatureSelector,
    SubsetEvaluator,
    class_separability,
    exhaustive_search,
    furthest,
)
from acoibl.antfs.colony import Memory
from tests.antfs import naive_ants
from tests.antfs.data import mixed
from tests.antfs.test_evaluation import oracle

SMALL = {"max_size": 4, "n_generations": 8, "random_state": 3}


def wine():
    return load_wine(return_X_y=True, as_frame=True)


@pytest.mark.parametrize("evaluation", ["nested", "holdout"])
@pytest.mark.parametrize("alpha", [1.0, 0.5])
def test_every_step_is_that_of_the_pseudo_code(evaluation, alpha):
    X, y = mixed(48, 4)
    test = {"X_test": X[30:], "y_test": y[30:]} if evaluation == "holdout" else {}
    ants = AntFeatureSelector(
        4, min_size=3, n_generations=6, alpha=alpha, n_neighbors=3, evaluation=evaluation,
        random_state=7,
    ).fit(X[:30], y[:30], **test)  # fmt: skip
    judge = SubsetEvaluator(X[:30], y[:30], **test, n_neighbors=3)
    slow = oracle(judge, 3, **test)
    seen = {}

    def errors_of(subset):
        key = frozenset(subset)
        if key not in seen:
            seen[key] = slow(subset)
        return seen[key]

    for size in (3, 4):
        rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(size,)))
        history, pheromone = naive_ants.colony(
            errors_of, class_separability(X[:30], y[:30]), judge.n_queries, size,
            ["nearest", "furthest"], rng, alpha=alpha, beta=0.9, rho=0.9, z=0.4, tau0=0.1,
            n_generations=6, n_ants=3,
        )  # fmt: skip
        mine = ants.history_[ants.history_["max_size"] == size]
        assert mine["features"].tolist() == [line[3] for line in history]
        assert mine["accuracy"].tolist() == pytest.approx([line[2] for line in history])
        assert mine["group"].tolist() == [line[1] for line in history]
        np.testing.assert_allclose(ants.pheromone_.loc[size].to_numpy(), pheromone, rtol=1e-12)


def test_attributes_agree_with_each_other():
    X, y = wine()
    ants = AntFeatureSelector(**SMALL).fit(X, y)
    judge = SubsetEvaluator(X, y)
    table = ants.best_subsets_
    assert (table["features"].map(len) == table["size"]).all()
    assert [judge.accuracy(s) for s in table["features"]] == table["accuracy"].tolist()
    assert ants.best_score_ == table["accuracy"].max()
    assert ants.support_.sum() == table["size"][table["accuracy"] == ants.best_score_].min()
    assert set(ants.get_support(indices=True)) == set(ants.best_features_)
    assert table["names"][0] == tuple(X.columns[list(table["features"][0])])
    history = ants.history_
    best = history.groupby(["max_size", "group"])["accuracy"].cummax()
    assert history["best_accuracy"].tolist() == best.tolist()
    assert len(history) == 3 * 8 * 2
    assert ants.n_evaluations_ == history.groupby("max_size")["evaluations"].max().sum()
    assert ants.n_subsets_ < ants.n_evaluations_
    assert ants.pheromone_history_.shape == (9, 2, 13)
    np.testing.assert_array_equal(ants.pheromone_history_[-1], ants.pheromone_.loc[4])
    assert (ants.pheromone_history_[0] == 0.1).all()
    # Every step of an ant improves: each prefix of the best is worse than the next.
    scores = [judge.accuracy(ants.best_features_[:n]) for n in range(1, len(ants.best_features_))]
    assert scores == sorted(set(scores))


def test_ants_come_close_to_the_optimum_and_never_above():
    X, y = wine()
    ants = AntFeatureSelector(3, n_generations=30, random_state=0).fit(X, y)
    best = exhaustive_search(SubsetEvaluator(X, y), 3).set_index("size")["accuracy"]
    table = ants.best_subsets_.groupby("size")["accuracy"].max()
    assert (table <= best + 1e-12).all()
    assert table[2] >= best[2] - 0.03


def test_columns_may_stand_anywhere():
    X, y = wine()
    ants = AntFeatureSelector(**SMALL).fit(X, y)
    order = np.random.default_rng(1).permutation(13)
    other = AntFeatureSelector(**SMALL).fit(X.iloc[:, order], y)
    assert other.best_subsets_["names"].tolist() == ants.best_subsets_["names"].tolist()
    pd.testing.assert_frame_equal(other.pheromone_[X.columns], ants.pheromone_)


def test_rows_may_stand_anywhere_and_classes_may_have_other_names():
    X, y = wine()
    ants = AntFeatureSelector(**SMALL).fit(X, y)
    order = np.random.default_rng(1).permutation(len(X))
    other = AntFeatureSelector(**SMALL).fit(X.iloc[order], y.iloc[order])
    assert other.history_["features"].tolist() == ants.history_["features"].tolist()
    named = AntFeatureSelector(**SMALL).fit(X, y.map({0: "b", 1: "c", 2: "d"}))
    assert named.history_["features"].tolist() == ants.history_["features"].tolist()
    scaled = AntFeatureSelector(**SMALL).fit(X * 1000 - 3, y)
    assert scaled.history_["features"].tolist() == ants.history_["features"].tolist()


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_threads_change_nothing(n_jobs):
    X, y = mixed(50)
    alone, shared = (
        AntFeatureSelector(6, n_generations=10, random_state=0, n_jobs=jobs).fit(X, y)
        for jobs in (None, n_jobs)
    )
    pd.testing.assert_frame_equal(alone.history_, shared.history_)
    pd.testing.assert_frame_equal(alone.pheromone_, shared.pheromone_)
    assert alone.n_evaluations_ == shared.n_evaluations_
    assert alone.n_subsets_ == shared.n_subsets_


@pytest.mark.parametrize("n_features", [5, 1000])
def test_memory_of_narrow_and_wide_tables(n_features):
    def errors(*values):
        return np.array(values + (-1,) * (n_features - len(values)), dtype=np.int32)

    empty, pair, dead = frozenset(), frozenset({0, 3}), frozenset({1})
    first, second = Memory(n_features), Memory(n_features)
    first.keep(empty, errors(7, -1, -1, 4))
    second.keep(empty, errors(7, 9))
    second.keep(pair, errors(-1, 2))
    first.keep(dead, errors(3))
    second.close(dead)
    assert first.of(empty).tolist() == errors(7, -1, -1, 4).tolist()
    assert first.of(pair).tolist() == errors().tolist()
    beside_dead = n_features - 1
    assert (first.count(), second.count()) == (3, 3 + beside_dead)
    first.add(second)
    assert first.of(empty).tolist() == errors(7, 9, -1, 4).tolist()
    assert first.of(pair).tolist() == errors(-1, 2).tolist()
    assert first.count() == 3 + 1 + beside_dead
    assert first.known[empty].nbytes <= 24  # three features were judged


def test_a_size_does_not_depend_on_the_others():
    X, y = wine()
    whole = AntFeatureSelector(**SMALL).fit(X, y)
    alone = AntFeatureSelector(**{**SMALL, "max_size": 3}, min_size=3).fit(X, y)
    pd.testing.assert_frame_equal(
        alone.history_, whole.history_.query("max_size == 3").reset_index(drop=True)
    )


def test_random_states():
    X, y = mixed(40)
    sequence = np.random.SeedSequence(5)
    fits = [
        AntFeatureSelector(2, n_generations=3, random_state=state).fit(X, y).history_
        for state in (5, sequence, sequence, np.random.default_rng(5), np.random.default_rng(5))
    ]
    for first, second in ((0, 1), (1, 2), (3, 4)):
        pd.testing.assert_frame_equal(fits[first], fits[second])
    AntFeatureSelector(2, n_generations=1, random_state=np.random.RandomState(0)).fit(X, y)
    AntFeatureSelector(2, n_generations=1).fit(X, y)


def test_a_group_of_your_own():
    X, y = wine()
    calls = []

    def strongest(fitness, last):
        calls.append((len(fitness), last))
        return -fitness

    ants = AntFeatureSelector(
        3, groups=["nearest", strongest], n_generations=4, random_state=0
    ).fit(X, y)
    assert set(ants.history_["group"]) == {"nearest", "strongest"}
    assert calls
    assert all(n == 13 and 0 <= last < 13 for n, last in calls)
    only = AntFeatureSelector(3, groups=["nearest"], n_generations=4, random_state=0).fit(X, y)
    # Both groups draw their starts from one stream: the first generation begins alike.
    first = [a.history_.query("group == 'nearest' and generation == 1") for a in (ants, only)]
    assert first[0]["features"].tolist() == first[1]["features"].tolist()


def test_a_single_group_needs_no_list():
    X, y = wine()
    for alone, name in (("nearest", "nearest"), (furthest, "furthest")):
        short, long = (
            AntFeatureSelector(2, groups=groups, n_generations=2, random_state=0).fit(X, y)
            for groups in (alone, [alone])
        )
        assert set(short.history_["group"]) == {name}
        pd.testing.assert_frame_equal(short.history_, long.history_)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("farthest", "groups holds 'farthest'; a group is one of"),
        (["farthest"], "groups holds 'farthest'; a group is one of"),
        ([], "groups must be one or more"),
        (["nearest", "nearest"], "each of another name"),
        ([lambda fitness, last: fitness[:2]], "must give 13 priorities"),
        ([lambda fitness, last: fitness * np.nan], "priorities that are numbers"),
    ],
)
def test_wrong_groups(groups, message):
    X, y = wine()
    with pytest.raises(ValueError, match=message):
        AntFeatureSelector(groups=groups, n_generations=1).fit(X, y)


def test_the_test_part_is_only_for_holdout():
    X, y = mixed()
    with pytest.raises(ValueError, match="evaluation='nested' keeps the test part out"):
        AntFeatureSelector().fit(X[:40], y[:40], X_test=X[40:], y_test=y[40:])
    with pytest.raises(ValueError, match="belong together"):
        AntFeatureSelector(evaluation="holdout").fit(X[:40], y[:40], X_test=X[40:])
    with pytest.raises(ValueError, match="max_size=2 is smaller than min_size=3"):
        AntFeatureSelector(2, min_size=3).fit(X, y)


@pytest.mark.parametrize(
    "change",
    [
        {"evaluation": "holdout", "test_size": 0.3},
        {"validation": 0.3},
        {"validation": np.float64(0.3)},
        {"validation": np.float32(0.25)},
        {"validation": 4},
        {"validation": np.int16(4)},
    ],
)
def test_inner_splits(change):
    X, y = mixed()
    fits = [AntFeatureSelector(**SMALL, **change).fit(X, y) for _ in range(2)]
    pd.testing.assert_frame_equal(fits[0].history_, fits[1].history_)
    test = fits[0].test_indices_
    if change.get("validation") == 4:
        assert len(test) == 0
        return
    assert len(test) == (15 if change.get("validation") == 0.25 else 18)
    train = np.setdiff1d(np.arange(60), test)
    judge = SubsetEvaluator(X.iloc[train], y[train], X.iloc[test], y[test])
    assert judge.accuracy(fits[0].best_features_) == fits[0].best_score_


def test_transform_keeps_types_in_a_pipeline():
    X, y = mixed(80)
    ants = AntFeatureSelector(**SMALL).set_output(transform="pandas")
    model = make_pipeline(ants, KNNClassifier(5)).fit(X[:60], y[:60])
    chosen = model[0].get_feature_names_out()
    pd.testing.assert_frame_equal(model[0].transform(X), X[[c for c in X if c in chosen]])
    plain = KNNClassifier(5).fit(X[list(chosen)][:60], y[:60])
    assert model.predict(X[60:]).tolist() == plain.predict(X[list(chosen)][60:]).tolist()
    array = make_pipeline(AntFeatureSelector(**SMALL), KNNClassifier(5)).fit(X[:60], y[:60])
    assert array.predict(X[60:]).tolist() == model.predict(X[60:]).tolist()
    again = pickle.loads(pickle.dumps(clone(model[0]).fit(X, y)))
    assert again.transform(X).shape == (80, again.support_.sum())


def test_degenerate_tables():
    one = AntFeatureSelector(random_state=0).fit([[0.0], [1.0], [0.1], [0.9]], [0, 1, 0, 1])
    assert one.best_features_ == (0,)
    constant = np.column_stack([np.ones(12), np.tile([0.0, 1.0], 6), np.zeros(12)])
    ants = AntFeatureSelector(random_state=0).fit(constant, np.tile([0, 1], 6))
    assert (ants.best_features_, ants.best_score_) == ((1,), 1.0)
    nothing = AntFeatureSelector(random_state=0).fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 0])
    assert nothing.support_.sum() == 1
    with pytest.raises(ValueError, match="hold 1 class only: 'a'"):
        AntFeatureSelector().fit(np.arange(6.0)[:, None] ** [1, 2], ["a"] * 6)
    with pytest.raises(ValueError, match="n_samples=1"):
        AntFeatureSelector().fit([[1.0, 2.0]], [0])
    more = AntFeatureSelector(2, n_ants=9, n_generations=2, random_state=0).fit(*mixed(30))
    assert len(more.history_) == 4


def test_callback_time_limit_and_progress(capsys):
    X, y = mixed(40)
    lines = []
    ants = AntFeatureSelector(
        3, n_generations=5, random_state=0, callback=lambda new: lines.extend(new) or len(lines) > 6
    ).fit(X, y)
    assert ants.stopped_ == "callback"
    assert len(ants.history_) == len(lines) == 8
    assert ants.pheromone_history_.shape[0] == 5
    slow = AntFeatureSelector(3, random_state=0, time_limit=1e-9).fit(X, y)
    assert (slow.stopped_, len(slow.history_)) == ("time_limit", 2)
    AntFeatureSelector(2, n_generations=10, random_state=0, verbose=1).fit(X, y)
    assert "up to 2 features, generation 10: accuracy 0." in capsys.readouterr().out
