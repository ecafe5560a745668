"""Feature weights that need no search: ReliefF and mutual information."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from acoibl._sklearn import Interval
from acoibl.kernels.relieff import relieff
from acoibl.lazy.rows import TrainingTable
from acoibl.prototypes.base import PrototypeClassifier
from acoibl.prototypes.history import SEARCH_CONSTRAINTS
from acoibl.prototypes.learning import Learned, keep_all


class _FilterClassifier(PrototypeClassifier):
    """k-NN whose feature weights are scores, cut at 0 and scaled to a largest of 1."""

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    @property
    def _n_voters(self) -> int:
        return self.n_neighbors

    def _score(self, table: TrainingTable, rng: np.random.Generator) -> np.ndarray:
        """Scores (n_features,) in the order of the kernels."""
        raise NotImplementedError

    def _learn(self, table: TrainingTable, rng: np.random.Generator) -> Learned:
        scores = table.by_column(self._score(table, rng))
        weights = np.maximum(scores, 0.0)
        largest = weights.max()
        weights = weights / largest if largest > 0 else np.ones_like(weights)
        return keep_all(table, weights, {"feature_scores_": scores})

    def _nothing_learned(self, table: TrainingTable) -> dict[str, Any]:
        return {"feature_scores_": np.zeros(table.n_features)}


class ReliefFClassifier(_FilterClassifier):
    """k-NN with ReliefF scores as feature weights.

    The score of a feature is its mean difference between a row and its
    nearest rows of other classes, each class weighed by its prior among the
    others, less the mean difference to the nearest rows of the own class.
    Neighbours are found by the sum of all differences; those at the same
    distance as the last share its place. Negative scores become
    the weight 0; if no score is positive all weights are 1.

    Parameters
    ----------
    n_neighbors : int, default=1
        Neighbours that vote; ties go to the class of the nearest.
    relief_neighbors : int, default=10
        Neighbours of each class that a score averages over; fewer where a
        class has fewer rows.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`. In ReliefF's
        own treatment a missing value differs by a conditional probability.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    feature_scores_ : ndarray of float64, shape (n_features,)
        ReliefF scores, from -1 to 1.
    feature_weights_ : Series, shape (n_features,)
        Weights inside the root of the distance.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by others.
    class_weights_, sample_indices_, multipliers_, reduction_
        The same weights for every class; all rows answer, with multiplier 1.

    References
    ----------
    Kononenko, "Estimating attributes: analysis and extensions of RELIEF",
    ECML 1994, 171-182. Robnik-Šikonja and Kononenko, "Theoretical and
    empirical analysis of ReliefF and RReliefF", Machine Learning 53 (2003)
    23-69, Fig. 2.

    Examples
    --------
    >>> from acoibl.prototypes import ReliefFClassifier
    >>> X = [[0.0, 0.3], [0.1, 0.9], [0.2, 0.1], [0.8, 0.2], [0.9, 0.8], [1.0, 0.4]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> ReliefFClassifier().fit(X, y).feature_weights_.round(2).tolist()
    [1.0, 0.0]
    """

    _parameter_constraints: ClassVar[dict] = {
        **_FilterClassifier._parameter_constraints,
        "relief_neighbors": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_neighbors: int = 1,
        *,
        relief_neighbors: int = 10,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
    ):
        self.n_neighbors = n_neighbors
        self.relief_neighbors = relief_neighbors
        self.missing = missing
        self.categorical_features = categorical_features

    def _score(self, table: TrainingTable, rng: np.random.Generator) -> np.ndarray:
        scores = np.empty(table.n_features)
        k = min(self.relief_neighbors, len(table))
        relieff(table.own_queries, table.training, k, scores)
        return scores


class MutualInformationClassifier(_FilterClassifier):
    """k-NN with the mutual information of feature and class as feature weights.

    Mutual information is estimated by scikit-learn's `mutual_info_classif`:
    from counts for a categorical feature, from nearest neighbours for a
    numeric one. Where values are missing it is that of the rows with a value,
    times their share. If it is 0 for all features all weights are 1.

    Parameters
    ----------
    n_neighbors : int, default=1
        Neighbours that vote; ties go to the class of the nearest.
    information_neighbors : int, default=3
        Neighbours in the estimate for a numeric feature.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the little noise that separates equal numeric values.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    feature_scores_ : ndarray of float64, shape (n_features,)
        Mutual information in nats.
    feature_weights_ : Series, shape (n_features,)
        Weights inside the root of the distance.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by others.
    class_weights_, sample_indices_, multipliers_, reduction_
        The same weights for every class; all rows answer, with multiplier 1.

    References
    ----------
    Wettschereck, Aha and Mohri, "A review and empirical evaluation of feature
    weighting methods for a class of lazy learning algorithms", Artificial
    Intelligence Review 11 (1997) 273-314. Ross, "Mutual information between
    discrete and continuous data sets", PLoS ONE 9 (2014) e87357.

    Examples
    --------
    >>> from acoibl.prototypes import MutualInformationClassifier
    >>> X = [["a", "u"], ["a", "v"], ["a", "u"], ["b", "v"], ["b", "u"], ["b", "v"]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> clf = MutualInformationClassifier(random_state=0).fit(X, y)
    >>> clf.feature_weights_.round(2).tolist()
    [1.0, 0.08]
    """

    _parameter_constraints: ClassVar[dict] = {
        **_FilterClassifier._parameter_constraints,
        "information_neighbors": [Interval(Integral, 1, None, closed="left")],
        "random_state": SEARCH_CONSTRAINTS["random_state"],
    }

    def __init__(
        self,
        n_neighbors: int = 1,
        *,
        information_neighbors: int = 3,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.information_neighbors = information_neighbors
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _score(self, table: TrainingTable, rng: np.random.Generator) -> np.ndarray:
        data = table.data
        seed = int(rng.integers(np.iinfo(np.int32).max))
        numeric = [(column, ~np.isnan(column), False) for column in data.numeric.T]
        categorical = [(column, column >= 0, True) for column in data.codes.T]
        scores = [
            self._information(column, present, is_discrete, table.codes, seed)
            for column, present, is_discrete in (*numeric, *categorical)
        ]
        return np.array(scores)

    def _information(
        self,
        column: np.ndarray,
        present: np.ndarray,
        is_discrete: bool,
        classes: np.ndarray,
        seed: int,
    ) -> float:
        """Mutual information of one feature and the class, in nats."""
        values, labels = column[present], classes[present]
        if not is_discrete:
            # Rows that are alone in their class are left out; without any other it fails.
            with_others = np.bincount(labels, minlength=1)[labels] > 1
            if len(np.unique(labels[with_others])) < 2:
                return 0.0
        if len(values) == 0 or (values == values[0]).all():
            return 0.0
        information = mutual_info_classif(
            values[:, np.newaxis],
            labels,
            discrete_features=is_discrete,
            n_neighbors=self.information_neighbors,
            random_state=seed,
        )
        return float(information[0]) * present.mean()
