"""The public distance functions: Eq. 1-3 and 11 of the paper.

A distance here is the square root of a weighted sum of squared differences;
the weight stands inside the sum, outside the square, as in
``scipy.spatial.distance.cdist(..., "minkowski", p=2, w=w)``.
"""

from typing import Any

import numpy as np

from acoibl import kernels
from acoibl.encoding import MixedEncoder, as_names
from acoibl.lazy.checks import encode_classes
from acoibl.lazy.weights import check_class_weights


def heterogeneous_distances(
    X: Any,
    Y: Any = None,
    *,
    feature_weights: Any = None,
    categorical_features: Any = "from_dtype",
    missing: str = "max",
    scale: bool = True,
) -> np.ndarray:
    """Distances between rows of numeric and categorical features (Eq. 1-3).

    ``d(x, y) = sqrt(sum_j w_j phi(x_j, y_j)^2)`` with phi = ``|x_j - y_j|``
    for a numeric feature and 0 or 1 for a categorical one (Eq. 2).

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_queries, n_features)
        Rows.
    Y : DataFrame or array-like, shape (n_rows, n_features), optional
        Rows to measure to; X itself by default.
    feature_weights : array-like of float, shape (n_features,), optional
        Weights w_j (Eq. 3); all 1 by default (Eq. 1).
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    missing : {"max", "category", "ignore"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    scale : bool, default=True
        Whether to scale numeric features to [0, 1] by the extremes of Y.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_rows)
        Distances.

    Raises
    ------
    ValueError
        For weights that do not fit, or input that cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl.distance import heterogeneous_distances
    >>> rows = pd.DataFrame({"size": [0.0, 3.0, 10.0], "colour": ["red", "red", "blue"]})
    >>> heterogeneous_distances(rows).round(3).tolist()
    [[0.0, 0.3, 1.414], [0.3, 0.0, 1.221], [1.414, 1.221, 0.0]]
    """
    rows = X if Y is None else Y
    everyone = np.zeros(len(rows), dtype=np.int64)
    return _distances(
        X,
        rows,
        everyone,
        np.zeros(1),
        feature_weights,
        categorical_features,
        missing,
        scale,
        "feature_weights",
    )


def class_based_distances(
    X: Any,
    Y: Any,
    y: Any,
    class_weights: Any,
    *,
    categorical_features: Any = "from_dtype",
    missing: str = "max",
    scale: bool = True,
) -> np.ndarray:
    """Distances in which every row is seen through the weights of its class (Eq. 11).

    The distance from a query to a row of class l uses the weights of l, so it
    is not symmetric between rows of different classes.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_queries, n_features)
        Queries.
    Y : DataFrame or array-like, shape (n_rows, n_features)
        Labelled rows.
    y : array-like, shape (n_rows,)
        Their classes.
    class_weights : array-like or DataFrame, shape (n_classes, n_features)
        Weights of the features for each class, in sorted order of the classes.
    categorical_features, missing, scale
        As for `heterogeneous_distances`.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_rows)
        Distances.

    Raises
    ------
    ValueError
        For weights that do not fit, or input that cannot be read.

    Examples
    --------
    >>> from acoibl.distance import class_based_distances
    >>> rows, labels = [[0.0, 0.0], [1.0, 1.0]], ["a", "b"]
    >>> weights = [[1.0, 0.0], [0.0, 0.25]]
    >>> class_based_distances(rows, rows, labels, weights).tolist()
    [[0.0, 0.5], [1.0, 0.0]]
    """
    classes, codes = encode_classes(y)
    return _distances(
        X, Y, codes, classes, class_weights, categorical_features, missing, scale, "class_weights"
    )


def _distances(
    X, Y, codes, classes, weights, categorical_features, missing, scale, name
) -> np.ndarray:
    encoder = MixedEncoder(categorical_features=categorical_features, missing=missing).fit(Y)
    if not scale:
        encoder.data_min_ = np.zeros_like(encoder.data_min_)
        encoder.data_max_ = np.ones_like(encoder.data_max_)
    queries, rows = encoder.encode(X), encoder.encode(Y)
    if len(rows) != len(codes):
        raise ValueError(f"Y has {len(rows)} rows but y has {len(codes)} labels")
    names = as_names(getattr(encoder, "feature_names_in_", None), encoder.n_features_in_)
    table = check_class_weights(weights, classes, names, name)
    squared = kernels.squared_distance_matrix(
        kernels.make_queries(queries.numeric, queries.codes),
        kernels.make_training(rows.numeric, rows.codes, codes, len(classes)),
        kernels.split_weights(table, rows.numeric_features, rows.categorical_features),
        missing == "ignore",
    )
    return np.sqrt(squared)
