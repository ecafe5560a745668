"""The three lazy classifiers of Section 6, with class-based feature weights."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from acoibl import kernels
from acoibl._sklearn import Interval, StrOptions
from acoibl.lazy.base import LazyClassifier


class KNNClassifier(LazyClassifier):
    """k nearest neighbours with class-based feature weights (Section 6.1).

    Each training row is seen through the feature weights of its own class
    (Eq. 11). The majority of the `n_neighbors` nearest rows decides; a tie
    goes to the tied class that owns the nearest row.

    Parameters
    ----------
    n_neighbors : int, default=12
        Number of neighbours k; clipped to the number of training rows.
    ties : {"include", "strict"}, default="include"
        ``"include"``: every row at the k-th smallest distance votes, so that
        the answer never depends on the order of the rows; ``"strict"``:
        exactly k rows, by distance, then position.
    class_weights : None, array-like or DataFrame, default=None
        Feature weights, shape (n_classes, n_features) in the order of
        `classes_` and of the columns; shape (n_features,) for one vector for
        all classes (Eq. 3); None: all 1 (Eq. 1).
    weight_scale : {"none", "sum_one", "sum_m"}, default="none"
        Scale each class's weights to sum to 1, to the number of features, or
        leave them.
    missing : {"max", "category", "ignore"}, default="max"
        A missing value differs by 1 from everything; is one more category
        (numeric features: as "max"); or takes its feature out of the distance,
        which is then rescaled.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    n_jobs : int or None, default=None
        Threads for prediction; results do not depend on it.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        The weights that the distance uses.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Salama, Abdelbar et al., "Instance-based classification with Ant Colony
    Optimization", Sections 5 and 6.1.

    Examples
    --------
    >>> from acoibl import KNNClassifier
    >>> X = [[0.0], [0.2], [0.9], [1.0]]
    >>> clf = KNNClassifier(n_neighbors=1).fit(X, ["low", "low", "high", "high"])
    >>> clf.predict([[0.1], [0.8]]).tolist()
    ['low', 'high']
    """

    _parameter_constraints: ClassVar[dict] = {
        **LazyClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "ties": [StrOptions({"include", "strict"})],
    }

    def __init__(
        self,
        n_neighbors: int = 12,
        *,
        ties: str = "include",
        class_weights: Any = None,
        weight_scale: str = "none",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ):
        self.n_neighbors = n_neighbors
        self.ties = ties
        self.class_weights = class_weights
        self.weight_scale = weight_scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    @property
    def _key_parameter(self) -> float:
        return float(self.n_neighbors)

    _parameter_rule = "numbers of neighbours are whole numbers from 1 on"

    def _allowed(self, values: np.ndarray) -> np.ndarray:
        return (values >= 1) & (values == np.floor(values))

    def _rule(self) -> kernels.Rule:
        return kernels.Rule(kernels.KNN, self.ties == "include", False, self.missing == "ignore")


class DNNClassifier(LazyClassifier):
    """Distance-based nearest neighbours with class-based feature weights (Section 6.2).

    All training rows within `radius` vote with weight 1/d. If some of them
    are at distance 0, only those vote (the limit of 1/d).

    Parameters
    ----------
    radius : float, default=0.45
        Largest distance of a row that votes, in the units of the weighted
        distance (each numeric feature scaled to [0, 1]).
    outlier : {"prior", "nearest"}, default="prior"
        Who answers when nobody is within the radius: the training majority,
        or the nearest row.
    class_weights, weight_scale, missing, categorical_features, n_jobs
        As for `KNNClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        The weights that the distance uses.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Salama, Abdelbar et al., "Instance-based classification with Ant Colony
    Optimization", Sections 5 and 6.2.

    Examples
    --------
    >>> from acoibl import DNNClassifier
    >>> X = [[0.0], [0.2], [0.9], [1.0]]
    >>> clf = DNNClassifier(radius=0.15).fit(X, ["low", "low", "high", "high"])
    >>> clf.predict([[0.1], [0.8]]).tolist()
    ['low', 'high']
    """

    _parameter_constraints: ClassVar[dict] = {
        **LazyClassifier._parameter_constraints,
        "radius": [Interval(Real, 0, None, closed="left")],
        "outlier": [StrOptions({"prior", "nearest"})],
    }

    def __init__(
        self,
        radius: float = 0.45,
        *,
        outlier: str = "prior",
        class_weights: Any = None,
        weight_scale: str = "none",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ):
        self.radius = radius
        self.outlier = outlier
        self.class_weights = class_weights
        self.weight_scale = weight_scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    @property
    def _key_parameter(self) -> float:
        return float(self.radius)

    _parameter_rule = "a radius is not negative"

    def _allowed(self, values: np.ndarray) -> np.ndarray:
        return values >= 0

    def _rule(self) -> kernels.Rule:
        return kernels.Rule(kernels.DNN, True, self.outlier == "nearest", self.missing == "ignore")

    def _answers_by_prior(self, distances: np.ndarray) -> np.ndarray:
        if self.outlier == "nearest":
            return super()._answers_by_prior(distances)
        return (distances**2).min(axis=1) > self.radius**2 * kernels.BEYOND


class GKEClassifier(LazyClassifier):
    """Gaussian kernel estimator with class-based feature weights (Section 6.3).

    Every training row votes with the Gaussian of its distance.

    Parameters
    ----------
    bandwidth : float, default=0.4
        Standard deviation sigma of the Gaussian, in the units of the weighted
        distance.
    class_weights, weight_scale, missing, categorical_features, n_jobs
        As for `KNNClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        The weights that the distance uses.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Salama, Abdelbar et al., "Instance-based classification with Ant Colony
    Optimization", Sections 5 and 6.3, Eq. 7.

    Examples
    --------
    >>> from acoibl import GKEClassifier
    >>> X = [[0.0], [0.2], [0.9], [1.0]]
    >>> clf = GKEClassifier(bandwidth=0.1).fit(X, ["low", "low", "high", "high"])
    >>> clf.predict_proba([[0.55]]).round(2).tolist()
    [[0.5, 0.5]]
    """

    _parameter_constraints: ClassVar[dict] = {
        **LazyClassifier._parameter_constraints,
        "bandwidth": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        bandwidth: float = 0.4,
        *,
        class_weights: Any = None,
        weight_scale: str = "none",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ):
        self.bandwidth = bandwidth
        self.class_weights = class_weights
        self.weight_scale = weight_scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    @property
    def _key_parameter(self) -> float:
        return float(self.bandwidth)

    _parameter_rule = "a bandwidth is positive"

    def _allowed(self, values: np.ndarray) -> np.ndarray:
        return values > 0

    def _rule(self) -> kernels.Rule:
        return kernels.Rule(kernels.GKE, True, False, self.missing == "ignore")
