"""The doubly weighted k-NN against Algorithm 2 and the plain one."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

from acoibl import KNNClassifier, MixedEncoder
from acoibl.margins import MBIW, DoublyWeightedKNN, Simba, SimbaMBIW
from tests.lazy.test_classifiers import mixed
from tests.margins import naive_margins as naive

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
    encoded = [encoder.transform(part) for part in (train, test)]
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
        ({}, [-1.0] * 178, "negative"),
        ({"n_neighbors": 0}, None, "n_neighbors"),
    ],
)
def test_wrong_input(parameters, omega, message):
    with pytest.raises(ValueError, match=message):
        DoublyWeightedKNN(**parameters).fit(X_WINE, Y_WINE, instance_weights=omega)


def test_one_class():
    clf = DoublyWeightedKNN().fit([[0.0], [1.0]], ["a", "a"])
    assert clf.predict([[0.5]]).tolist() == ["a"]
