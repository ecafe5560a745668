import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import nan_euclidean_distances

from acoibl.distance import class_based_distances, heterogeneous_distances


def test_numeric_distances_are_scipys():
    rng = np.random.default_rng(0)
    X, Y, w = rng.normal(size=(7, 4)), rng.normal(size=(5, 4)), rng.random(4)
    got = heterogeneous_distances(X, Y, feature_weights=w, scale=False)
    np.testing.assert_allclose(got, cdist(X, Y, "minkowski", p=2, w=w), rtol=1e-12)


def test_categorical_distances_are_the_square_root_of_hamming():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (9, 5))
    got = heterogeneous_distances(pd.DataFrame(codes).astype("category"))
    np.testing.assert_allclose(got, np.sqrt(5 * cdist(codes, codes, "hamming")), atol=1e-12)


def test_ignored_missing_values_are_nan_euclidean():
    rng = np.random.default_rng(2)
    X = np.where(rng.random((8, 5)) < 0.3, np.nan, rng.normal(size=(8, 5)))
    X[:, 0] = rng.normal(size=8)  # every pair shares a value
    got = heterogeneous_distances(X, missing="ignore", scale=False)
    np.testing.assert_allclose(got, nan_euclidean_distances(X, X), atol=1e-7)


def test_scaling_uses_the_rows_measured_to():
    got = heterogeneous_distances([[20.0]], [[0.0], [10.0]])
    assert got.tolist() == [[2.0, 1.0]]


def test_each_row_is_seen_through_its_own_class():
    rows, labels = [[0.0, 0.0], [1.0, 1.0]], ["a", "b"]
    weights = pd.DataFrame([[0.0, 0.25], [1.0, 0.0]], index=["b", "a"], columns=["x0", "x1"])
    assert class_based_distances(rows, rows, labels, weights).tolist() == [[0, 0.5], [1, 0]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], r"feature_weights must have shape .* \(2,\)"),
        ([1.0, -1.0], "feature_weights must be finite and not negative"),
        ([1.0, np.nan], "feature_weights must be finite and not negative"),
    ],
)
def test_bad_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        heterogeneous_distances([[0.0, 1.0]], feature_weights=weights)


def test_labels_of_another_length():
    with pytest.raises(ValueError, match="Y has 2 rows but y has 1 labels"):
        class_based_distances([[0.0]], [[0.0], [1.0]], ["a"], [[1.0]])
