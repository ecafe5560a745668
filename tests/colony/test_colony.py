import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, cross_val_score

from acoibl import ACOIBLClassifier, KNNClassifier, kernels
from acoibl.colony import PRESETS, WeakFitWarning, classifier, evaluation
from acoibl.colony.ensemble import majority
from acoibl.colony.search import round_neighbours
from acoibl.colony.settings import qualities
from tests import naive
from tests.lazy.test_classifiers import mixed

# The literal reading of the paper often earns the warning; it has a test of its own.
pytestmark = pytest.mark.filterwarnings("ignore:leave-one-out accuracy")

SMALL = {"archive_size": 8, "max_iter": 40, "random_state": 1}
BASES = ["knn", "dnn", "gke"]


@pytest.mark.parametrize("base", BASES)
def test_accuracy_archives_hold_whole_candidates(base):
    """Archives that go by accuracy take the same candidates: both solutions coincide."""
    X, y = mixed(60)
    assembled = ACOIBLClassifier(
        base, archive_quality="accuracy", solution="assembled", **SMALL
    ).fit(X, y)
    whole = ACOIBLClassifier(
        base, archive_quality="accuracy", solution="best_candidate", **SMALL
    ).fit(X, y)
    assert assembled.key_parameter_ == whole.key_parameter_
    pd.testing.assert_frame_equal(assembled.class_weights_, whole.class_weights_)
    for (p, w), (q, v) in zip(assembled.members_, whole.members_, strict=True):
        assert p == q
        np.testing.assert_array_equal(w, v)
    assert whole.loo_accuracy_ == whole.history_["best_accuracy"].iloc[-1]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("preset", list(PRESETS))
def test_results_do_not_depend_on_threads_or_row_order(base, preset):
    X, y = mixed(60)
    first = ACOIBLClassifier(base, preset=preset, **SMALL).fit(X, y)
    again = ACOIBLClassifier(base, preset=preset, n_jobs=2, **SMALL).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = ACOIBLClassifier(base, preset=preset, **SMALL).fit(X.iloc[order], y[order])
    for other in (again, shuffled):
        pd.testing.assert_frame_equal(first.history_, other.history_)
        pd.testing.assert_frame_equal(first.class_weights_, other.class_weights_)
        assert (first.predict(X) == other.predict(X)).all()
        np.testing.assert_array_equal(first.predict_proba(X), other.predict_proba(X))


def test_relabelling_changes_only_the_labels():
    X, y = mixed(60)
    names = {"no": "a", "yes": "b"}
    first = ACOIBLClassifier(**SMALL).fit(X, y)
    other = ACOIBLClassifier(**SMALL).fit(X, pd.Series(y).map(names))
    assert (pd.Series(first.predict(X)).map(names) == other.predict(X)).all()
    assert first.loo_accuracy_ == other.loo_accuracy_


def test_the_basic_classifier_can_be_built_by_hand():
    X, y = mixed(60)
    clf = ACOIBLClassifier(weight_scale="sum_one", **SMALL).fit(X, y)
    by_hand = KNNClassifier(clf.key_parameter_, class_weights=clf.class_weights_).fit(X, y)
    assert (clf.predict_basic(X) == by_hand.predict(X)).all()
    assert clf.loo_accuracy_ == np.mean(by_hand.loo_predict() == y)
    np.testing.assert_allclose(clf.class_weights_.sum(axis=1), 1)


def test_members_vote():
    X, y = mixed(60)
    clf = ACOIBLClassifier(**SMALL).fit(X, y)
    by_hand = [KNNClassifier(k, class_weights=w).fit(X, y).predict(X) for k, w in clf.members_]
    assert (clf.predict_members(X) == by_hand).all()
    codes = np.searchsorted(clf.classes_, by_hand)
    winners, shares = majority(codes, 2)
    assert (clf.predict(X) == clf.classes_[winners]).all()
    np.testing.assert_allclose(clf.predict_proba(X), shares, atol=1e-8)
    basic = clone(clf).set_params(ensemble=False).fit(X, y)
    assert (basic.predict(X) == clf.predict_basic(X)).all()
    assert (clf.predict_basic(X) == by_hand[0]).all()


def test_majority_ties_go_to_the_best_ranked_member():
    codes = np.array([[2, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0], [0, 2, 2]])
    winners, shares = majority(codes, 3)
    # Query 0: classes 0 and 1 tie, the best member voted 2: the second decides.
    assert winners.tolist() == [1, 0, 1]
    np.testing.assert_allclose(shares.sum(axis=1), 1)


def test_qualities():
    hits, claims, sizes = np.array([2, 1, 1]), np.array([3, 2, 1]), np.array([3, 2, 1])
    accuracy, recall = qualities("class_recall", hits, claims, sizes)
    assert accuracy == 4 / 6
    # Class 2 has one row: it goes by accuracy.
    np.testing.assert_allclose(recall, [2 / 3, 1 / 2, 4 / 6])
    _, f1 = qualities("class_f1", hits, claims, sizes)
    np.testing.assert_allclose(f1, [2 * 2 / (3 + 3), 2 * 1 / (2 + 2), 4 / 6])
    assert qualities("accuracy", hits, claims, sizes)[1].tolist() == [4 / 6] * 3


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("quality", ["accuracy", "class_recall", "class_f1"])
def test_early_rejection_and_kernels_leave_the_archives_alone(base, quality, monkeypatch):
    """Same archives, history and evaluations, to the last bit."""
    rng = np.random.default_rng(3)
    X, y = mixed(400, seed=3)
    X, y = X.iloc[:400], np.where(rng.random(400) < 0.2, "third", y)
    options = {"archive_quality": quality, "archive_size": 6, "max_iter": 40, "random_state": 0}
    reference = None
    for kernel in ("auto", "direct", "product"):
        for reject in (False, True):
            shares = []

            class Forced(evaluation.LeaveOneOut):
                def __init__(self, *arguments):
                    super().__init__(*arguments, kernel=kernel, reject_early=reject)  # noqa: B023
                    shares.append(self)  # noqa: B023

            monkeypatch.setattr(classifier, "LeaveOneOut", Forced)
            clf = ACOIBLClassifier(base, **options).fit(X, y)
            reference = reference or clf
            pd.testing.assert_frame_equal(clf.history_, reference.history_)
            for archive, expected in zip(clf.archives_, reference.archives_, strict=True):
                np.testing.assert_array_equal(archive.solutions, expected.solutions)
                np.testing.assert_array_equal(archive.qualities, expected.qualities)
            if quality == "accuracy" and reject:
                assert shares[0].rows_classified < shares[0].rows_asked


@pytest.mark.parametrize(("value", "n", "k"), [(2.5, 99, 3), (0.2, 99, 1), (30, 10, 9), (5, 1, 1)])
def test_rounding_of_k(value, n, k):
    assert round_neighbours(value, n) == k


def test_presets_fill_gaps_and_explicit_values_win():
    X, y = mixed()
    clf = ACOIBLClassifier(preset="paper", patience=3, **SMALL).fit(X, y)
    assert clf.settings_ == {**PRESETS["paper"], "patience": 3}


def test_history_counts_and_reasons_to_stop():
    X, y = load_iris(return_X_y=True)
    clf = ACOIBLClassifier(patience=5, random_state=0).fit(X, y)
    assert clf.stopped_ == "patience"
    assert clf.n_evaluations_ == 25 + clf.n_iter_ == clf.history_["n_evaluations"].iloc[-1]
    assert clf.history_["best_accuracy"].is_monotonic_increasing
    assert clf.history_["worst_accuracy"].is_monotonic_increasing
    assert (clf.history_["best_accuracy"].iloc[-6:] == clf.history_["best_accuracy"].iloc[-1]).all()
    assert ACOIBLClassifier(max_iter=2, random_state=0).fit(X, y).stopped_ == "max_iter"
    seen = []
    stopped = ACOIBLClassifier(
        callback=lambda line: seen.append(line["iteration"]) or len(seen) == 4, random_state=0
    ).fit(X, y)
    assert (stopped.stopped_, seen) == ("callback", [1, 2, 3, 4])
    limited = ACOIBLClassifier(time_limit=1e-9, random_state=0).fit(X, y)
    assert (limited.stopped_, limited.n_iter_) == ("time_limit", 0)


def test_learns_to_ignore_noise():
    """One feature tells the classes, eight do not: the colony must find it."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = np.column_stack([y + rng.normal(0, 0.3, 400), rng.random((400, 8))])
    plain = KNNClassifier().fit(X[:200], y[:200])
    clf = ACOIBLClassifier(random_state=0).fit(X[:200], y[:200])
    assert clf.score(X[200:], y[200:]) > plain.score(X[200:], y[200:]) + 0.03
    shares = clf.class_weights_.div(clf.class_weights_.sum(axis=1), axis=0)
    assert shares.mean().idxmax() == "x0"


@pytest.mark.parametrize("random_state", [3, np.random.SeedSequence(3), np.random.default_rng(3)])
def test_seeds(random_state):
    X, y = load_wine(return_X_y=True)
    small = {"archive_size": 4, "max_iter": 5}
    reference = ACOIBLClassifier(random_state=3, **small).fit(X, y)
    clf = ACOIBLClassifier(random_state=random_state, **small).fit(X, y)
    pd.testing.assert_frame_equal(clf.history_, reference.history_)
    other = ACOIBLClassifier(random_state=np.random.RandomState(0), **small).fit(X, y)
    assert not other.class_weights_.equals(reference.class_weights_)


def test_explain_plot_pickle_and_searches():
    X, y = mixed(60)
    clf = ACOIBLClassifier(**SMALL).fit(X, y)
    table = clf.explain(X.iloc[:2])
    assert set(table["part"]) == {"neighbour", "feature"}
    again = pickle.loads(pickle.dumps(clf))
    assert (again.predict(X) == clf.predict(X)).all()
    assert cross_val_score(ACOIBLClassifier(**SMALL), X, y, cv=3, n_jobs=2).mean() > 0.4
    search = GridSearchCV(ACOIBLClassifier(**SMALL), {"weight_scale": ["none", "sum_one"]}, cv=2)
    assert search.fit(X, y).best_score_ > 0.4


def test_verbose_prints_progress(capsys):
    X, y = load_iris(return_X_y=True)
    ACOIBLClassifier(verbose=1, patience=200, max_iter=100, random_state=0).fit(X, y)
    assert "iteration 100: best leave-one-out accuracy" in capsys.readouterr().out


def test_weak_fits_are_told():
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 2)), np.repeat([0, 1], [38, 2])
    with pytest.warns(WeakFitWarning, match="share of the largest class"):
        ACOIBLClassifier(max_iter=3, random_state=0).fit(X, y)


def test_one_row_per_class():
    with pytest.warns(WeakFitWarning):
        clf = ACOIBLClassifier(max_iter=3, random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    assert clf.predict([[0.1], [0.9]]).tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base": "svm"}, "base"),
        ({"preset": "best"}, "preset"),
        ({"archive_quality": "recall"}, "archive_quality"),
        ({"archive_size": 1}, "archive_size"),
        ({"parameter_range": (5, 2)}, "parameter_range"),
        ({"parameter_range": (0, 5)}, "parameter_range"),
        ({"parameter_range": (1, np.nan)}, "parameter_range"),
        ({"base": "gke", "parameter_range": (0, 1)}, "parameter_range"),
        ({"time_limit": 0}, "time_limit"),
    ],
)
def test_bad_parameters_are_named(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        ACOIBLClassifier(**options).fit(X, y)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="one class only"):
        ACOIBLClassifier().fit([[1.0], [2.0]], ["a", "a"])


@pytest.mark.parametrize("quality", ["accuracy", "class_recall"])
def test_the_search_is_algorithm_1(quality):
    """Same random numbers, same archives as the clear implementation."""
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], y[::3]
    clf = ACOIBLClassifier(
        archive_quality=quality,
        weight_scale="none",
        archive_size=10,
        patience=15,
        max_iter=60,
        random_state=5,
    ).fit(X, y)
    colony = naive.NumpyColony(X, y, quality, size=10, patience=15)
    archives = colony.run(60, np.random.default_rng(5))
    for archive, expected in zip(clf.archives_, archives, strict=True):
        np.testing.assert_allclose(archive.solutions, [s for _, s in expected], atol=1e-12)
        np.testing.assert_allclose(archive.qualities, [q for q, _ in expected], atol=1e-12)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("far", [1e6, 1e45, 1e99, 1e300])
def test_far_queries_get_the_classes_of_the_direct_kernel(base, far):
    """Beyond single (and double) precision the product must give way, without a warning."""
    X, y = load_wine(return_X_y=True)
    clf = ACOIBLClassifier(base, archive_size=4, max_iter=5, random_state=0).fit(X, y)
    queries = X[:20].copy()
    queries[:, 2] = far
    encoded = clf.estimator_._queries(queries)
    for rank, (value, weights) in enumerate(clf.members_):
        direct = kernels.Evaluator(
            encoded, clf.estimator_._training, clf.estimator_.voting_rule(), "direct"
        ).codes(clf._table.split_weights(weights), [value])[0]
        assert (clf.predict_members(queries)[rank] == clf.classes_[direct]).all()
