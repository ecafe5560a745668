import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score

from acoibl import KNNClassifier
from acoibl.coevolution import (
    PRESETS,
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
    WeakFitWarning,
)
from acoibl.coevolution.cooperation import Cooperation
from tests.coevolution import naive_ciw as naive
from tests.lazy.test_classifiers import mixed

SMALL = {"max_evaluations": 1500, "population_size": 10, "random_state": 1}
READINGS = list(PRESETS)


def as_naive(clf):
    """The fitted rows and parts as the oracle wants them."""
    columns = clf._references.columns
    rows = [[None if np.isnan(x) else x for x in row] for row in columns.T]
    mask = np.isin(np.arange(len(rows)), clf.sample_indices_)
    return rows, clf._codes, clf._references.categorical, mask


@pytest.mark.parametrize("preset", READINGS)
@pytest.mark.parametrize("missing", [None, "ignore", "category"])
def test_the_result_is_what_the_oracle_says(preset, missing):
    X, y = mixed(60)
    clf = CIWNNClassifier(preset=preset, missing=missing, **SMALL).fit(X, y)
    rows, classes, categorical, mask = as_naive(clf)
    w, m = clf.feature_weights_.to_numpy(), clf.class_multipliers_.to_numpy()
    rule = "ignore" if missing == "ignore" else "max"
    assert clf.loo_accuracy_ == naive.accuracy(rows, classes, categorical, mask, w, m, rule)
    assert clf.reduction_ == 1 - len(clf.sample_indices_) / 60
    # A new row is nobody's own: all selected rows may answer.
    queries = clf._lay_out(clf._table.encoder.encode(X)).columns
    answers = []
    for query in queries.T:
        x = [None if np.isnan(value) else value for value in query]
        reach = [
            naive.distance(x, rows[r], categorical, w, m[classes[r]], rule) if mask[r] else np.inf
            for r in range(60)
        ]
        answers.append(classes[int(np.argmin(reach))])
    assert (clf.predict_selected(X) == clf.classes_[answers]).all()
    expected = clf.predict_selected(X) if preset == "paper" else clf.predict_all(X)
    assert (clf.predict(X) == expected).all()
    np.testing.assert_array_equal(clf.predict_proba(X).argmax(axis=1), clf.predict(X) == "yes")


@pytest.mark.parametrize("preset", READINGS)
def test_it_is_a_class_weighted_lazy_classifier(preset):
    X, y = load_wine(return_X_y=True, as_frame=True)
    clf = CIWNNClassifier(preset=preset, nominal="overlap", **SMALL).fit(X, y)
    assert (clf.estimator_.predict(X) == clf.predict(X)).all()
    expected = np.outer(clf.class_multipliers_**2, clf.feature_weights_)
    np.testing.assert_allclose(clf.class_weights_, expected)
    by_hand = KNNClassifier(1, ties="strict", class_weights=clf.class_weights_).fit(X, y)
    assert (by_hand.predict(X) == clf.predict_all(X)).all()
    explained = clf.explain(X.iloc[:2], max_neighbors=3)
    neighbours = explained[explained["part"] == "neighbour"]
    assert len(neighbours) == 2
    chosen = X.index[clf.sample_indices_] if preset == "paper" else X.index
    assert set(neighbours["item"]) <= set(chosen)
    distances, rows = clf.estimator_.kneighbors(X.iloc[:2], 1)
    assert (distances[:, 0] == neighbours["distance"]).all()
    assert (rows[:, 0] == neighbours["item"]).all()


def test_better_than_plain_and_smaller():
    """The point of it all, on data with two idle columns."""
    rng = np.random.default_rng(0)
    X = rng.random((200, 4))
    y = (X[:, 0] > 0.5).astype(int) + (X[:, 1] > 0.6)
    new = rng.random((500, 4))
    truth = (new[:, 0] > 0.5).astype(int) + (new[:, 1] > 0.6)
    clf = CIWNNClassifier(random_state=0).fit(X, y)
    plain = KNNClassifier(1, ties="strict").fit(X, y)
    assert clf.reduction_ > 0.85
    assert (clf.predict_all(new) == truth).mean() > (plain.predict(new) == truth).mean() + 0.02
    assert clf.feature_weights_.iloc[:2].min() > clf.feature_weights_.iloc[2:].max()


@pytest.mark.parametrize("preset", READINGS)
def test_budgets(preset):
    X, y = load_iris(return_X_y=True)
    clf = CIWNNClassifier(preset=preset, max_evaluations=1000, random_state=0).fit(X, y)
    steps = clf.history_["evaluation"].diff().dropna()
    if preset == "paper":
        assert clf.n_evaluations_ == 1000
        assert clf.history_["evaluation"].iloc[0] == 150
    else:
        assert 1000 <= clf.n_evaluations_ < 1000 + 80 + 50 + 49
        assert clf.history_["evaluation"].iloc[0] == 0
        assert (steps >= 80).all()
    assert clf.n_cycles_ == len(steps)
    assert clf.stopped_ == "max_evaluations"
    assert clf.history_[["fitness_features", "fitness_classes"]].iloc[-1].between(0, 1).all()


def test_a_budget_below_the_initial_populations_is_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=r"max_evaluations=100 .*population_size = 150: raise"):
        CIWNNClassifier(max_evaluations=100).fit(X, y)
    clf = CIWNNClassifier(max_evaluations=150, random_state=0).fit(X, y)
    assert (clf.n_evaluations_, clf.n_selection_evaluations_) == (150, 0)


def test_selections_are_counted_after_the_initial_ones():
    X, y = load_iris(return_X_y=True)
    clf = CIWNNClassifier(max_evaluations=2000, random_state=0).fit(X, y)
    assert clf.n_selection_evaluations_ > 0
    cycles = clf.history_["evaluation"].diff().iloc[1:-1]  # the last is cut short
    assert abs(clf.n_selection_evaluations_ - (cycles - 80).sum()) <= 80


@pytest.mark.parametrize(("length", "spent"), [(1, 8), (8, 8), (9, 16)])
def test_epochs_of_weights_are_whole_steps(length, spent):
    X, y = load_iris(return_X_y=True)
    clf = CIWNNClassifier(
        epoch_fw=length, epoch_iw=length, max_evaluations=400, random_state=0
    ).fit(X, y)
    assert clf.history_["evaluation"].diff().iloc[:-1].min() == 2 * spent


def test_evaluations_are_counted_as_they_are_made(monkeypatch):
    X, y = load_iris(return_X_y=True)
    made = []
    for name in ("selections", "features", "classes"):
        from acoibl.coevolution.fitness import NearestNeighbourFitness as Fitness

        real = getattr(Fitness, name)
        monkeypatch.setattr(
            Fitness,
            name,
            lambda self, genes, *rest, real=real: (
                made.append(len(genes)) or real(self, genes, *rest)
            ),
        )
    for changes in ({}, {"refresh_best": True}, {"fast_threshold": True, "restart": "redraw"}):
        made.clear()
        clf = CIWNNClassifier(random_state=0, max_evaluations=3000, **changes).fit(X, y)
        # The joint accuracy of the record is judged as feature weights, one at a time, and free.
        assert clf.n_evaluations_ == 3000
        free = sum(size == 1 for size in made)
        assert 3000 <= sum(made) <= 3000 + free


def test_seeds_decide_and_are_left_alone():
    X, y = load_iris(return_X_y=True)
    sequence = np.random.SeedSequence(3)
    first = CIWNNClassifier(random_state=sequence, max_evaluations=600).fit(X, y)
    again = CIWNNClassifier(random_state=sequence, max_evaluations=600).fit(X, y)
    other = CIWNNClassifier(random_state=4, max_evaluations=600).fit(X, y)
    pd.testing.assert_frame_equal(first.history_, again.history_)
    assert not first.history_.equals(other.history_)
    assert (first.sample_indices_ == again.sample_indices_).all()


def test_bests_freeze_unless_refreshed():
    """Fitness with all rows as references is hardly reached with a tenth of them."""
    X, y = load_wine(return_X_y=True)
    frozen = CIWNNClassifier(random_state=0, max_evaluations=4000).fit(X, y)
    fresh = CIWNNClassifier(random_state=0, max_evaluations=4000, refresh_best=True).fit(X, y)
    assert frozen.history_["fitness_features"].is_monotonic_increasing
    assert frozen.best_fitness_["features"] > frozen.loo_accuracy_
    assert not fresh.history_["fitness_features"].is_monotonic_increasing
    gap = fresh.best_fitness_["features"] - fresh.loo_accuracy_
    assert gap < frozen.best_fitness_["features"] - frozen.loo_accuracy_


def test_selections_wait_for_the_threshold():
    rng = np.random.default_rng(0)
    X, y = rng.random((600, 2)), rng.integers(0, 2, 600)
    slow = CIWNNClassifier(max_evaluations=2500, random_state=0).fit(X, y)
    fast = CIWNNClassifier(max_evaluations=2500, fast_threshold=True, random_state=0).fit(X, y)
    assert (slow.history_["n_mated"] > 0).idxmax() > 15
    assert (fast.history_["n_mated"] > 0).idxmax() == 1
    assert fast.reduction_ > slow.reduction_


def test_flat_columns_and_odd_classes():
    X = pd.DataFrame({"a": [0.0, 0.1, 0.9, 1.0, 0.5, 0.45], "flat": 7.0, "none": np.nan})
    y = ["p", "p", "q", "q", "r", "r"]
    for preset in READINGS:
        clf = CIWNNClassifier(preset=preset, **SMALL).fit(X, y)
        assert np.isfinite(clf.class_weights_.to_numpy()).all()
        assert set(clf.predict_all(X)) <= {"p", "q", "r"}
        assert clf.predict_all(X).shape == (6,)
        lonely = CIWNNClassifier(preset=preset, **SMALL).fit(X, ["p", "p", "q", "q", "q", "z"])
        assert lonely.loo_accuracy_ <= 5 / 6
        copies = CIWNNClassifier(preset=preset, **SMALL).fit(np.zeros((6, 2)), y)
        assert copies.loo_accuracy_ <= 0.5
        two = CIWNNClassifier(preset=preset, **SMALL).fit([[0.0], [1.0]], [0, 1])
        assert two.predict([[0.9]])[0] in (0, 1)


def test_keels_view_of_a_table():
    X = pd.DataFrame(
        {
            "size": [1.0, 2.0, np.nan, 5.0],
            "colour": pd.Categorical(["b", "a", None, "c"], categories=["b", "c", "a", "d"]),
        }
    )
    clf = CIWNNClassifier(preset="keel", max_evaluations=100, random_state=0)
    clf.fit(X, [0, 1, 0, 1])
    # A missing number is a raw 0, here below the least value; a missing category the first one.
    np.testing.assert_allclose(clf._references.columns[0], [0, 0.25, -0.25, 1])
    np.testing.assert_allclose(clf._references.columns[1], [0, 2 / 3, 0, 1 / 3])
    new = pd.DataFrame({"size": [9.0, -3.0], "colour": ["d", "unseen"]})
    seen = clf._table.encoder.encode(new).numeric
    np.testing.assert_allclose(seen, [[1, 1], [0, np.nan]])
    clf.set_params(bounds=[[0.0, np.nan], [10.0, np.nan]]).fit(X, [0, 1, 0, 1])
    np.testing.assert_allclose(clf._references.columns[0], [0.1, 0.2, 0, 0.5])
    named = pd.DataFrame({"colour": [np.nan, np.nan], "size": [0.0, 10.0]})
    clf.set_params(bounds=named).fit(X, [0, 1, 0, 1])
    np.testing.assert_allclose(clf._references.columns[0], [0.1, 0.2, 0, 0.5])
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        clf.set_params(bounds=[0, 1]).fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"columns that the rows do not have: \['Size'\]"):
        clf.set_params(bounds=pd.DataFrame({"Size": [0.0, 1.0]})).fit(X, [0, 1, 0, 1])
    some = clf.set_params(bounds=pd.DataFrame({"size": [0.0, 10.0]})).fit(X, [0, 1, 0, 1])
    np.testing.assert_allclose(some._references.columns[0], [0.1, 0.2, 0, 0.5])
    with pytest.raises(ValueError, match="least values first"):
        clf.set_params(bounds=[[1, 1], [0, 2]]).fit(X, [0, 1, 0, 1])


def test_scikit_learns_tools_take_it():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = CIWNNClassifier(max_evaluations=300, random_state=0)
    assert cross_val_score(clf, X, y, cv=2).mean() > 0.8
    search = GridSearchCV(clf, {"alpha": [0.3, 0.7]}, cv=2).fit(X, y)
    assert search.best_params_["alpha"] in (0.3, 0.7)
    fitted = clone(clf).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    assert (copy.predict(X) == fitted.predict(X)).all()
    assert list(fitted.feature_weights_.index) == list(X.columns)
    assert fitted.class_multipliers_.index.tolist() == [0, 1, 2]


def test_stops_and_reports(capsys):
    X, y = load_iris(return_X_y=True)
    clf = CIWNNClassifier(callback=lambda line: line["cycle"] >= 10, verbose=1, random_state=0).fit(
        X, y
    )
    assert (clf.n_cycles_, clf.stopped_) == (10, "callback")
    assert "cycle 10: joint leave-one-out accuracy" in capsys.readouterr().out
    assert CIWNNClassifier(time_limit=1e-9, random_state=0).fit(X, y).stopped_ == "time_limit"


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="one class only"):
        CIWNNClassifier().fit([[0.0], [1.0]], ["a", "a"])


def test_readings_differ_in_every_setting_or_are_said_to_agree():
    assert PRESETS["paper"].keys() == PRESETS["keel"].keys()
    same = {k for k in PRESETS["paper"] if PRESETS["paper"][k] == PRESETS["keel"][k]}
    assert same == {"refresh_best", "fast_threshold", "iw_scale"}
    unset = CIWNNClassifier().get_params()
    assert all(unset[name] is None for name in PRESETS["paper"])


def test_the_selector_keeps_few_rows_that_answer_for_all():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = CHCSelector(random_state=0)
    kept, labels = clf.fit_resample(X, y)
    assert len(kept) == len(labels) == len(clf.sample_indices_) < 15
    assert (kept.index == X.index[clf.sample_indices_]).all()
    assert clf.best_fitness_ == pytest.approx(0.5 * clf.loo_accuracy_ + 0.5 * clf.reduction_)
    assert clf.loo_accuracy_ > 0.95
    assert (clf.class_weights_ == 1).all(axis=None)
    rows, as_array = clf.fit_resample(X.to_numpy(), y.to_numpy())
    assert isinstance(rows, np.ndarray)
    assert len(rows) == len(as_array) == len(kept)
    by_hand = KNNClassifier(1, ties="strict").fit(kept, labels)
    assert clf.n_evaluations_ == 10_000
    assert by_hand.classes_.tolist() == clf.classes_.tolist()


def test_the_selector_is_the_one_that_ciw_nn_was_compared_with():
    """Defaults of the authors' program; those of CIW-NN's own selections are others."""
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 3)), rng.integers(0, 2, 400)
    clf = CHCSelector(max_evaluations=6000, random_state=0).fit(X, y)
    history = clf.history_
    assert abs(history["mean_ones"].iloc[0] - 0.5) < 0.02
    assert history["threshold"].iloc[0] in (99, 100)
    row = history["restarted"].idxmax()
    assert history["restarted"].any()
    assert history["threshold"].iloc[row] == int(0.35 * 0.65 * 400)
    assert history["threshold"].iloc[row - 1] == 0
    kept = 1 - clf.reduction_  # at the end; not many more at the first restart
    assert history["mean_ones"].iloc[row] < 0.65 * 0.3 + 0.35 * 0.05
    assert history["mean_ones"].iloc[row] > 0.35 * 0.05 * 0.9
    assert kept < 0.3
    own = CHCSelector(
        max_evaluations=3000,
        prob_1=0.25,
        exact_half=True,
        prefer="parents",
        restart="flip",
        restart_threshold=0.25,
        idle_generations=3,
        random_state=0,
    ).fit(X, y)
    assert abs(own.history_["mean_ones"].iloc[0] - 0.25) < 0.02


def test_an_empty_selection_is_said_and_answers_with_the_first_class():
    X, y = np.arange(40.0)[:, None], list("babb" * 10)
    with pytest.warns(WeakFitWarning, match="no training row was selected") as caught:
        clf = CHCSelector(max_evaluations=1, prob_1=0, random_state=5).fit(X, y)
    assert caught[0].filename == __file__
    ciw = CIWNNClassifier(prob_1=0, max_evaluations=400, population_size=20, random_state=0)
    with pytest.warns(WeakFitWarning, match="class of the first training row, b") as caught:
        ciw.fit(X, y)
    assert caught[0].filename == __file__
    for empty in (clf, ciw):
        assert len(empty.sample_indices_) == 0
        assert empty.predict(X).tolist() == ["b"] * 40
        assert empty.predict_proba(X)[:, 1].tolist() == [1.0] * 40
        with pytest.raises(ValueError, match="no training row was selected"):
            empty.explain(X)
        with pytest.raises(ValueError, match="n_samples_fit = 0"):
            empty.estimator_.kneighbors(X, 1)
        assert empty.plot_class_weights() is not None


@pytest.mark.parametrize("kind", [CHCSelector, SSGAFeatureWeighter, SSGAClassWeighter])
def test_parts_stop_like_the_whole(kind):
    X, y = load_iris(return_X_y=True)
    assert kind(max_evaluations=200, random_state=0).fit(X, y).stopped_ == "max_evaluations"
    clf = kind(callback=lambda line: line["step"] >= 3, random_state=0).fit(X, y)
    assert (clf.stopped_, len(clf.history_)) == ("callback", 4)
    clf = kind(time_limit=1e-9, random_state=0).fit(X, y)
    assert (clf.stopped_, len(clf.history_)) == ("time_limit", 2)
    with pytest.raises(ValueError, match="time_limit"):
        kind(time_limit=0).fit(X, y)


def test_weighters_judge_by_leave_one_out():
    X, y = load_wine(return_X_y=True)
    for weighter in (SSGAFeatureWeighter, SSGAClassWeighter):
        clf = weighter(max_evaluations=1000, random_state=0).fit(X, y)
        assert clf.best_fitness_ == clf.loo_accuracy_
        assert clf.reduction_ == 0
        by_hand = KNNClassifier(1, ties="strict", class_weights=clf.class_weights_).fit(X, y)
        assert np.mean(by_hand.loo_predict() == y) == pytest.approx(clf.loo_accuracy_)
        plain = KNNClassifier(1, ties="strict").fit(X, y)
        assert clf.loo_accuracy_ >= np.mean(plain.loo_predict() == y)


def test_refreshing_judges_the_bests_with_todays_collaborators():
    X, y = load_wine(return_X_y=True)
    kept = {}

    class Watched(Cooperation):
        def _refresh(self, changed):
            super()._refresh(changed)
            if any(changed):
                self.fitness.fix(*self.best)
                now = self.fitness.accuracy()
                if changed[0] and changed[1]:
                    kept[self.n_cycles] = (self.best_fitness[2], now)

    import acoibl.coevolution.classifier as module

    real, module.Cooperation = module.Cooperation, Watched
    try:
        CIWNNClassifier(refresh_best=True, random_state=0, max_evaluations=2000).fit(X, y)
    finally:
        module.Cooperation = real
    assert kept
    assert all(recorded == now for recorded, now in kept.values())
