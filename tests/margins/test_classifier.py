"""The doubly weighted k-NN against Algorithm 2 and the plain one."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_wine
from sklearn.feature_selection import SelectKBest

from acoibl import KNNClassifier, MixedEncoder
from acoibl.margins import MBIW, DoublyWeightedKNN, Simba, SimbaMBIW, hypothesis_margin
from acoibl.margins.weights import distance_weights
from tests.lazy.test_classifiers import mixed
from tests.margins import naive_margins as naive

FACTORS = [2.0**-40, 2.0**30, 1e-6, 1e6]

X_WINE, Y_WINE = load_wine(return_X_y=True)


@pytest.mark.parametrize("k", [1, 5, 500])
@pytest.mark.parametrize("coarse", [False, True])
def test_algorithm_2(k, coarse):
    X, y = mixed(80)
    if coarse:
        X["b"] = X["b"].round()
    train, test = X[:60], X[60:]
    rng = np.random.default_rng(0)
    w, omega = rng.random(4), rng.random(60)
    clf = DoublyWeightedKNN(k, feature_weights=w).fit(train, y[:60], instance_weights=omega)
    encoder = MixedEncoder().fit(train)
    encoded = [encoder.encode(part) for part in (train, test)]
    rows, queries = (list(zip(e.numeric.tolist(), e.codes.tolist(), strict=True)) for e in encoded)
    # -2, a category unseen in training, differs from all, as it does from -1
    order = np.concatenate([encoded[0].numeric_features, encoded[0].categorical_features])
    expected = [
        naive.doubly_weighted_knn(rows, y[:60].tolist(), omega, w[order], query, k)
        for query in queries
    ]
    assert clf.predict(test).tolist() == expected
    shares = clf.predict_proba(test)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (clf.classes_[shares.argmax(axis=1)] == expected).all()


@pytest.mark.parametrize("ties", ["include", "strict"])
def test_equal_weights_are_plain_knn(ties):
    X, y = mixed(80)
    X["b"] = X["b"].round()  # ties
    plain = KNNClassifier(5, ties=ties).fit(X[:60], y[:60])
    ours = DoublyWeightedKNN(5, ties=ties, feature_weights=np.ones(4)).fit(X[:60], y[:60])
    assert (ours.predict(X) == plain.predict(X)).all()
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X), atol=1e-8)
    w = np.array([0.2, 1.0, 0.7, 0.0])
    plain = KNNClassifier(5, ties=ties, class_weights=w**2).fit(X[:60], y[:60])
    ours = DoublyWeightedKNN(5, ties=ties, feature_weights=w).fit(X[:60], y[:60])
    assert (ours.predict(X) == plain.predict(X)).all()


def test_weights_come_from_the_selector():
    default = DoublyWeightedKNN().fit(X_WINE, Y_WINE)
    selector = SimbaMBIW().fit(X_WINE, Y_WINE)
    assert (default.feature_weights_ == selector.feature_weights_).all()
    assert (default.instance_weights_ == selector.instance_weights_).all()
    other = DoublyWeightedKNN(selector=Simba(random_state=0)).fit(X_WINE, Y_WINE)
    assert not np.allclose(other.feature_weights_, default.feature_weights_)
    assert np.ptp(other.instance_weights_) == 0
    fixed = DoublyWeightedKNN(feature_weights=selector.feature_weights_).fit(
        X_WINE, Y_WINE, instance_weights=selector.instance_weights_
    )
    assert (fixed.predict_proba(X_WINE) == default.predict_proba(X_WINE)).all()
    assert not hasattr(fixed, "selector_")


def test_scaling_of_instance_weights_changes_nothing():
    omega = MBIW().fit(X_WINE, Y_WINE).instance_weights_
    a, b = (
        DoublyWeightedKNN().fit(X_WINE, Y_WINE, instance_weights=factor * omega)
        for factor in (1, 1000)
    )
    np.testing.assert_allclose(a.predict_proba(X_WINE), b.predict_proba(X_WINE))


def test_voters_without_weight():
    X, y = [[0.0], [0.1], [1.0]], ["a", "a", "b"]
    clf = DoublyWeightedKNN(2).fit(X, y, instance_weights=[0, 0, 1])
    assert clf.predict([[0.0]])[0] == "a"  # the nearest row's class
    assert clf.predict_proba([[0.0], [0.9]])[:, 1].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("parameters", "omega", "message"),
    [
        ({"feature_weights": [1.0]}, None, "feature_weights must have shape"),
        ({"feature_weights": [np.inf] * 13}, None, "finite"),
        ({}, [1.0], "instance_weights must have shape"),
        ({"feature_weights": list("abcdefghijklm")}, None, "feature_weights must hold numbers"),
        ({}, [1.0] * 177 + [-1.0], r"instance_weights must not be negative; number 177.* is -1"),
        ({"n_neighbors": 0}, None, "n_neighbors"),
    ],
)
def test_wrong_input(parameters, omega, message):
    with pytest.raises(ValueError, match=message):
        DoublyWeightedKNN(**parameters).fit(X_WINE, Y_WINE, instance_weights=omega)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("ties", ["include", "strict"])
def test_the_unit_changes_no_prediction(factor, coarse, ties):
    rng = np.random.default_rng(1)
    X = rng.random((80, 4))
    y = (X[:, 2] > 0.5).astype(int)
    if coarse:  # ties of distances and of votes
        X, y = np.round(3 * X) / 3, rng.integers(0, 3, 80)
    w = np.array([1.0, 0.5, 2.0, 0.25])

    def shares(unit, **parameters):
        clf = DoublyWeightedKNN(4, ties=ties, scale=False, **parameters)
        return clf.fit(X[:50] * unit, y[:50]).predict_proba(X[50:] * unit)

    for parameters in ({"feature_weights": w}, {"selector": MBIW(scale=False)}):
        np.testing.assert_allclose(
            shares(factor, **parameters), shares(1.0, **parameters), atol=1e-12
        )
    expected = shares(1.0, feature_weights=w)
    np.testing.assert_allclose(shares(1.0, feature_weights=w * factor), expected, atol=1e-12)


def test_small_units_do_not_cost_accuracy():
    X = np.random.default_rng(1).random((80, 4))
    y = (X[:, 2] > 0.5).astype(int)
    for factor in (1.0, 1e-6):
        Z = X * factor
        clf = DoublyWeightedKNN(3, scale=False).fit(Z[:50], y[:50])
        assert clf.score(Z[50:], y[50:]) > 0.8


def test_a_wide_feature_does_not_hide_a_narrow_one():
    """Rows that are as near by the wide feature are told apart by the narrow one."""
    X = np.array([[0.0, 0.1], [0.0, 0.9], [1e9, 0.5], [1e9, 0.6]])
    clf = DoublyWeightedKNN(1, scale=False, feature_weights=[1, 1]).fit(X, list("abcc"))
    assert clf.predict([[0.0, 0.2], [0.0, 0.8]]).tolist() == ["a", "b"]


def test_named_feature_weights():
    """Weights with the features as index are put in order, and must be these features."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    X = pd.DataFrame({"a": rng.random(60), "b": y + 0.1 * rng.random(60)})
    named = pd.Series([1.0, 0.0], index=["b", "a"])
    clf = DoublyWeightedKNN(feature_weights=named).fit(X, y)
    assert clf.feature_weights_.tolist() == [0, 1]
    assert clf.score(X, y) == 1
    margins = hypothesis_margin(X, y, named)
    assert (margins == hypothesis_margin(X, y, [0, 1])).all()
    for index, message in (
        (["b", "c"], r"feature_weights: its index must hold every feature; it lacks \['a'\]"),
        (["b", "a", "c"], r"feature_weights: its index .* nothing else; take away \['c'\]"),
        (["b", "a", "b"], r"nothing else; take away \['b'\]"),
    ):
        weights = pd.Series(1.0, index=index)
        with pytest.raises(ValueError, match=message):
            DoublyWeightedKNN(feature_weights=weights).fit(X, y)
        with pytest.raises(ValueError, match=message):
            hypothesis_margin(X, y, weights)


def test_harmful_features_get_no_weight():
    """MBIW's negative weights must not count as much as positive ones."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([y + 0.8 * rng.random(80), rng.random((80, 6))])
    selector = MBIW().fit(X, y)
    scores = selector.feature_weights_
    assert scores.min() < 0 < scores.max()
    clf = DoublyWeightedKNN(selector=MBIW()).fit(X, y)
    np.testing.assert_allclose(clf.feature_weights_, np.maximum(scores, 0) / scores.max())
    assert (clf.instance_weights_ == selector.instance_weights_).all()
    assert (distance_weights(np.array([-1.0, 0.0])) == 1).all()  # nothing to go by


class Learned(BaseEstimator):
    """A selector with weights that were learned elsewhere."""

    def __init__(self, feature=None, instance=None):
        self.feature, self.instance = feature, instance

    def fit(self, X, y):
        if self.feature is not None:
            self.feature_weights_ = self.feature
        if self.instance is not None:
            self.instance_weights_ = self.instance
        return self


@pytest.mark.parametrize(
    ("selector", "error", "message"),
    [
        (SelectKBest(k=2), TypeError, "feature_weights_ once it is fitted.* SelectKBest has none"),
        (Learned(np.ones(12)), ValueError, "feature_weights_ of Learned must have shape"),
        (
            Learned(np.ones(13), -np.ones(178)),
            ValueError,
            "instance_weights_ of Learned .*negative",
        ),
    ],
    ids=["none", "shape", "negative"],
)
def test_wrong_selectors(selector, error, message):
    with pytest.raises(error, match=message):
        DoublyWeightedKNN(selector=selector).fit(X_WINE, Y_WINE)


def test_one_class():
    clf = DoublyWeightedKNN().fit([[0.0], [1.0]], ["a", "a"])
    assert clf.predict([[0.5]]).tolist() == ["a"]
