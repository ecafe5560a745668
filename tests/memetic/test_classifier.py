"""The descent, the committee and the estimator."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from acoibl.lazy.checks import WeakFitWarning
from acoibl.memetic import MemeticClassifier, ants, committee
from acoibl.memetic.parametrisation import ClassDeviations
from acoibl.memetic.search import descend


def mixed(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.random((n, 3)), columns=["x", "z", "noise"])
    X["c"] = pd.Categorical(rng.choice(list("abcd"), n))
    y = np.where(X["c"] == "a", "odd", np.where(X["x"] + 0.2 * X["z"] > 0.6, "high", "low"))
    return X.mask(rng.random(X.shape) < 0.04), y


def naive_posterior(line, classes, n_classes, prior, member, k, most):
    """Posterior of one query from its distances to all rows (None: left out)."""
    there = sorted((d, c) for d, c in zip(line, classes, strict=True) if d is not None)
    if member == "gke":
        votes = [0.0] * n_classes
        for d, c in there:
            votes[c] += np.exp(-(d - there[0][0]) / 2)
        return np.array(votes) / sum(votes)
    votes, unit = np.array(prior, dtype=float), there[most - 1][0]
    for d, c in there:
        if d <= there[k - 1][0] * (1 + 1e-9):
            near = member == "weighted" and unit > 0
            votes[c] += np.sqrt(unit / max(d, 0.1 * unit)) if near else 1.0
    return votes / votes.sum()


@pytest.mark.parametrize("p", [1, 2])
def test_committee_is_that_of_the_oracle(p):
    X, y = mixed(40)
    clf = MemeticClassifier(n_ants=1, p=p, vectors="class").fit(X, y)
    ant, rows = clf.members_[0], clf._rows[p]
    most, everyone = 30, np.arange(40)
    inside = rows.left_out(everyone)
    inside.weigh(ant.class_weights)
    outside = rows.asked(clf._table.encoder.encode(X))
    outside.weigh(ant.class_weights)
    classes, prior = rows.classes.tolist(), np.bincount(rows.classes) / 40
    lines = [
        [None if k == i else d for k, d in enumerate(line)]
        for i, line in enumerate(inside.distances(slice(0, 40)).tolist())
    ]
    best, total = {}, np.zeros((40, 3))
    for member in committee.MEMBERS:
        found = []
        for k in range(1, (1 if member == "gke" else most) + 1):
            said = [naive_posterior(x, classes, 3, prior, member, k, most) for x in lines]
            loss = -np.mean([np.log(max(s[c], 1e-12)) for s, c in zip(said, classes, strict=True)])
            found.append((loss, k, np.array(said)))
        best[member] = min(found, key=lambda one: one[0])
        total += best[member][2] / 3
    assert ant.neighbours == {m: best[m][1] for m in ("knn", "weighted")}
    assert ant.loss == pytest.approx(-np.log(total[everyone, classes]).mean())
    assert clf.loo_accuracy_ == (total.argmax(axis=1) == classes).mean()
    grid = [
        committee.log_loss(committee.temper(total, t), rows.classes) for t in np.geomspace(1 / 3, 3)
    ]
    assert clf.loo_log_loss_ <= min(grid) + 1e-5
    said = sum(
        np.array([
            naive_posterior(line, classes, 3, prior, m, best[m][1], most)
            for line in outside.distances(slice(0, 40)).tolist()
        ])
        for m in committee.MEMBERS
    )  # fmt: skip
    expected = (said / 3) ** (1 / clf.temperature_)
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(clf.predict_proba(X), expected, atol=1e-6)


def test_equal_distances_vote_together_in_spite_of_rounding():
    distances = np.array([[1e-17, -3e-17, 1.0, 2.0, 2.0 + 1e-14, 5.0]])
    votes = committee.neighbour_votes(distances, np.array([0, 1, 0, 0, 1, 1]), 2, 4, 0.0)
    assert votes[:, 0].tolist() == [[1, 1], [1, 1], [2, 1], [3, 2]]
    twins = np.zeros((1, 3))
    assert committee.neighbour_votes(twins, np.array([0, 0, 1]), 2, 1, 0.5).tolist() == [[[2, 1]]]


def test_weights_and_their_slopes():
    shape = ClassDeviations(2, 3, spread=0.7, class_spread=0.4)
    rng = np.random.default_rng(0)
    parameters, slopes = rng.normal(size=shape.size), rng.normal(size=(2, 3))

    def value(at):
        return (slopes * shape.weights(at)).sum() + shape.penalty(at)[0]

    gradient = shape.pull_back(slopes, shape.weights(parameters)) + shape.penalty(parameters)[1]
    for j in range(shape.size):
        step = np.eye(shape.size)[j] * 1e-6
        slope = (value(parameters + step) - value(parameters - step)) / 2e-6
        assert gradient[j] == pytest.approx(slope, rel=1e-5, abs=1e-7)
    s, b, v = parameters[0], parameters[1:4], parameters[4:].reshape(2, 3)
    np.testing.assert_allclose(shape.weights(parameters), np.exp(s + b + v))
    shared = ClassDeviations(2, 3, class_spread=0.0)
    assert shared.size == 4
    assert (np.ptp(shared.weights(rng.normal(size=4)), axis=0) == 0).all()


def test_descent_goes_down_and_stops_when_asked():
    def bowl(x):
        return float(((x - 1) ** 2 * [1, 10]).sum()), 2 * (x - 1) * [1, 10]

    path = descend(bowl, np.zeros(2), 3)
    assert len(path) == 4
    assert (np.diff([bowl(x)[0] for x in path]) < 0).all()
    np.testing.assert_allclose(descend(bowl, np.zeros(2), 50)[-1], [1, 1], atol=1e-4)
    assert len(descend(bowl, np.zeros(2), 50, lambda: True)) == 2
    assert [x.tolist() for x in descend(bowl, np.zeros(2), 0)] == [[0, 0]]


def test_four_ants_mix_what_can_be_mixed():
    plans = ants.make_plans(8, "mixed", "mixed", "both")
    assert [plan.twin for plan in plans] == [0] * 4 + [1] * 4
    for pair in (("p", "loss"), ("p", "vectors"), ("loss", "vectors")):
        assert len({tuple(getattr(plan, name) for name in pair) for plan in plans[:4]}) == 4
    alone = ants.make_plans(2, "brier", "shared", 1)
    assert [(q.p, q.loss, q.vectors, q.twin) for q in alone] == [
        (1, "brier", "shared", 0),
        (1, "brier", "shared", 1),
    ]


def test_probabilities_are_calibrated_and_sum_to_one():
    X, y = mixed()
    clf = MemeticClassifier().fit(X[:80], y[:80])
    said = clf.predict_proba(X[80:])
    np.testing.assert_allclose(said.sum(axis=1), 1)
    assert (clf.classes_[said.argmax(axis=1)] == clf.predict(X[80:])).all()
    assert clf.score(X[80:], y[80:]) > 0.75
    truth = np.searchsorted(clf.classes_, y[80:])
    assert (
        committee.log_loss(said, truth) < committee.log_loss(np.full((40, 3), 1 / 3), truth) / 1.5
    )
    alone = clf.predict_proba(X[80:81])
    np.testing.assert_allclose(alone[0], said[0], atol=1e-12)


def test_threads_and_blocks_change_nothing(monkeypatch):
    X, y = mixed()
    one = MemeticClassifier(n_ants=6, random_state=0).fit(X, y)
    two = MemeticClassifier(n_ants=6, random_state=0, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    for a, b in zip(one.members_, two.members_, strict=True):
        np.testing.assert_array_equal(a.class_weights, b.class_weights)
    monkeypatch.setattr("acoibl.kernels.measured._BLOCK_BYTES", 1)
    monkeypatch.setattr("acoibl.memetic.ants._QUERIES_AT_ONCE", 7)
    parts = MemeticClassifier(n_ants=6, random_state=0).fit(X, y)
    np.testing.assert_allclose(one.predict_proba(X), parts.predict_proba(X), atol=1e-6)


def test_seeds_matter_for_twins_only():
    X, y = mixed()
    for n_ants, alike in ((4, True), (5, False)):
        seeds = [MemeticClassifier(n_ants=n_ants, random_state=s).fit(X, y) for s in (0, 1, 0)]
        weights = [clf.class_weights_.to_numpy() for clf in seeds]
        np.testing.assert_array_equal(weights[0], weights[2])
        assert (weights[0] == weights[1]).all() == alike


def test_order_of_rows_and_names_of_classes_change_nothing():
    X, y = mixed()
    clf = MemeticClassifier().fit(X, y)
    order = np.random.default_rng(3).permutation(len(y))
    again = MemeticClassifier().fit(X.iloc[order], y[order])
    np.testing.assert_allclose(clf.predict_proba(X), again.predict_proba(X), atol=1e-5)
    renamed = MemeticClassifier().fit(X, np.char.add("x", np.char.replace(y, "odd", "aa")))
    said = renamed.predict_proba(X)[:, [1, 2, 0]]
    np.testing.assert_allclose(clf.predict_proba(X), said, atol=1e-5)


def stripes(n, seed):
    """Rows along the threads of a cloth: each class is narrow in a feature of its own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    thread = rng.integers(0, 6, n) / 6 + 0.01 * rng.standard_normal(n)
    along = rng.random(n)
    return np.column_stack([np.where(y == 0, thread, along), np.where(y == 0, along, thread)]), y


def test_deviations_of_classes_pay_where_classes_differ():
    X, y = stripes(600, 0)
    X_test, y_test = stripes(2000, 1)
    ant = {"n_ants": 1, "p": 2, "fitness": "log_loss", "numeric": "minmax", "class_spread": 2.0}
    right = {
        vectors: MemeticClassifier(**ant, vectors=vectors).fit(X, y).score(X_test, y_test)
        for vectors in ("shared", "class")
    }
    assert right["class"] > right["shared"] + 0.03
    weights = MemeticClassifier(vectors="class").fit(X, y).class_weights_.to_numpy()
    assert weights[0, 0] > weights[0, 1]
    assert weights[1, 1] > weights[1, 0]


def test_descent_finds_the_rule_of_monks():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(1, 4, (300, 6)).astype(str), columns=list("abcdef"))
    X = X.astype("category")
    y = ((X["a"] == X["b"]) | (X["e"] == "1")).to_numpy().astype(int)
    still = MemeticClassifier(steps=0).fit(X[:200], y[:200])
    moved = MemeticClassifier().fit(X[:200], y[:200])
    assert moved.score(X[200:], y[200:]) > still.score(X[200:], y[200:])
    shown = moved.class_weights_.mean()
    assert shown[["a", "b", "e"]].min() > shown[["c", "d", "f"]].max()


def test_few_queries_judge_and_all_rows_vote():
    X, y = mixed(400)
    clf = MemeticClassifier(max_queries=100).fit(X, y)
    assert clf.settings_["n_queries"] == 100
    assert clf.explain(X.iloc[:1], max_neighbors=500)["part"].eq("neighbour").sum() == 400
    whole = MemeticClassifier(max_queries=None).fit(X, y)
    assert (clf.predict(X) == whole.predict(X)).mean() > 0.9


def test_explanation_names_what_the_answer_is_made_of():
    X, y = mixed()
    X.index = [f"row {i}" for i in range(len(X))]
    clf = MemeticClassifier().fit(X, y)
    shown = clf.explain(X.iloc[:5], max_neighbors=1000)
    neighbours = shown[shown["part"] == "neighbour"]
    assert set(neighbours["item"]) <= set(X.index)
    labels = dict(zip(X.index, y, strict=True))
    assert (neighbours["class"] == neighbours["item"].map(labels)).all()
    said = neighbours.pivot_table(index="query", columns="class", values="share", aggfunc="sum")
    for query, row in said.iterrows():
        assert row.sum() == pytest.approx(1)
        assert row.idxmax() == clf.predict(X.loc[[query]])[0]
    first = neighbours.groupby("query").first()["item"]
    assert (first == first.index).mean() > 0.9  # a training row is its own nearest
    assert (shown[shown["part"] == "feature"].groupby("query").size() == 4).all()
    assert clf.plot_class_weights().get_figure() is not None


def test_twins_and_columns_without_values():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([np.vstack([X, X]), np.full(300, np.nan), np.full(300, 2.0)])
    clf = MemeticClassifier().fit(X, np.concatenate([y, y]))
    assert clf.score(X[:150], y) > 0.98  # a twin is left
    assert np.isfinite(clf.predict_proba(np.full((2, 6), 1e300))).all()
    assert np.isfinite(clf.predict_proba(np.full((2, 6), np.nan))).all()


def test_time_limit_leaves_one_ant(monkeypatch):
    X, y = mixed()
    clf = MemeticClassifier(time_limit=1e-9).fit(X, y)
    assert (clf.stopped_, len(clf.members_), clf.members_[0].n_steps) == ("time_limit", 1, 1)
    assert clf.predict(X).shape == (120,)
    assert MemeticClassifier(time_limit=1e9, steps=1).fit(X, y).stopped_ == "steps"


def test_errors_and_warnings():
    X, y = mixed()
    for wrong in ([], ["knn", "knn"], ["svm"]):
        with pytest.raises(ValueError, match="members must name"):
            MemeticClassifier(members=wrong).fit(X, y)
    with pytest.raises(ValueError, match="one class only"):
        MemeticClassifier().fit(X, ["a"] * 120)
    noise = np.random.default_rng(0)
    with pytest.warns(WeakFitWarning, match="no better"):
        MemeticClassifier().fit(noise.random((60, 3)), np.arange(60) % 6 == 0)
