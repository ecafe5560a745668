"""k-NN with weights of features in the distance and of instances in the vote (Algorithm 2)."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context, clone
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_consistent_length

from acoibl.encoding import MixedEncoder, as_names
from acoibl.kernels import margins as kernels
from acoibl.kernels.training import make_queries
from acoibl.lazy.checks import MixedDataMixin, check_columns, check_training, encode_classes
from acoibl.lazy.votes import favour_winners
from acoibl.margins.margin import check_weights
from acoibl.margins.problem import DATA_CONSTRAINTS, encode
from acoibl.margins.selectors import SimbaMBIW
from acoibl.margins.weights import distance_weights


class DoublyWeightedKNN(MixedDataMixin, ClassifierMixin, BaseEstimator):
    """k nearest neighbours, features weighted in the distance, instances in the vote.

    Parameters
    ----------
    n_neighbors : int, default=5
        Number of neighbours k; clipped to the number of training rows.
    ties : {"include", "strict"}, default="include"
        ``"include"``: every row at the k-th smallest distance votes; ``"strict"``: exactly k
        rows, by distance, then position.
    selector : estimator or None, default=None
        Where both weights come from: a clone of it is fitted and asked for
        ``feature_weights_`` (and ``instance_weights_``, all equal if it has none). None:
        `SimbaMBIW` with the same way of reading data. Not used when `feature_weights`, or
        weights of instances in `fit`, are given. Negative feature weights, as `MBIW` gives to
        features by which hits are farther than misses, count as 0 (a distance squares its
        weights), and all are divided by the largest; they are all 1 if none is positive.
    feature_weights : array-like or Series, shape (n_features,), default=None
        Weights w of the distance ``sqrt(sum_j w_j**2 * diff_j**2)``. A Series with the features
        as index is put in order.
    scale : bool, default=True
        Scale numeric features to [0, 1] by the extremes of the training rows. Without it the
        unit of a table of numbers changes no prediction, but it changes the steps, and so the
        weights, that Simba learns (see the notes of `Simba`).
    missing : {"max", "category"}, default="max"
        A missing value differs by 1 from everything, or is one more category.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`. Two categories differ by 0 or 1.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the `SimbaMBIW` of ``selector=None``; it draws nothing with its default strategy.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    feature_weights_ : ndarray of float64, shape (n_features,)
        Weights w of the distance.
    instance_weights_ : ndarray of float64, shape (n_rows,)
        Weights omega of the votes.
    selector_ : estimator
        The fitted selector, where one was used.
    n_features_in_, feature_names_in_
        Number, and for a DataFrame names, of the columns.

    Notes
    -----
    The paper sorts the distances "in descending order"; the nearest are meant. Squared distances
    are equal if their ratio is at most 1 + 1e-9. A tie of votes goes to the tied class that owns
    the nearest row, then to the smaller one.

    References
    ----------
    Prat and Belanche (2016), "Instance and feature weighted k-nearest-neighbours algorithm",
    ESANN, 605-610, Algorithm 2.

    Examples
    --------
    >>> from acoibl.margins import DoublyWeightedKNN
    >>> X = [[0.0, 0.3], [0.1, 0.9], [0.8, 0.2], [1.0, 0.8]]
    >>> clf = DoublyWeightedKNN(3, feature_weights=[1.0, 0.0])
    >>> clf.fit(X, ["a", "a", "b", "b"]).predict([[0.3, 0.0]]).tolist()
    ['a']
    >>> clf.fit(X, ["a", "a", "b", "b"], instance_weights=[1, 1, 9, 1]).predict([[0.3, 0.0]])[0]
    np.str_('b')
    """

    _parameter_constraints: ClassVar[dict] = {
        **DATA_CONSTRAINTS,
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "ties": [StrOptions({"include", "strict"})],
        "selector": [HasMethods(["fit", "get_params"]), None],
        "feature_weights": ["array-like", None],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        ties: str = "include",
        selector: Any = None,
        feature_weights: Any = None,
        scale: bool = True,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ):
        self.n_neighbors = n_neighbors
        self.ties = ties
        self.selector = selector
        self.feature_weights = feature_weights
        self.scale = scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, instance_weights: Any = None) -> "DoublyWeightedKNN":
        """Learn the weights, unless they are given, and store the training rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels.
        instance_weights : array-like, shape (n_rows,), optional
            Weights omega of the votes, not negative. Given these or `feature_weights`, nothing
            is learned, and the others are all 1. They are no sample weights: a row of weight 2
            votes twice, but is one neighbour.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        ValueError
            For input that cannot be read, or weights that do not fit.
        TypeError
            For a selector without `feature_weights_`.
        """
        X = check_training(self, X, y)
        self.classes_, codes = encode_classes(y)
        self._encoder = MixedEncoder(
            categorical_features=self.categorical_features, missing=self.missing
        ).fit(X)
        data = encode(self._encoder, X, self.scale)
        check_consistent_length(data.numeric, codes)
        n, d = len(codes), self.n_features_in_
        weights, omega = np.ones(d), np.ones(n)
        given = self.feature_weights is not None or instance_weights is not None
        if self.feature_weights is not None:
            names = self._names()
            weights = check_weights(self.feature_weights, d, "feature_weights", names=names)
        if instance_weights is not None:
            omega = check_weights(instance_weights, n, "instance_weights", negative=False)
        if hasattr(self, "selector_"):
            del self.selector_
        if not given and len(self.classes_) > 1:  # one class has no margins, and no need of any
            self.selector_ = self._make_selector().fit(X, y)
            weights, omega = self._learned_weights(n)
        self.feature_weights_, self.instance_weights_ = weights, omega
        self._order = np.concatenate([data.numeric_features, data.categorical_features])
        self._rows = kernels.make_rows(data.numeric, data.codes, codes, len(self.classes_))
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict classes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        return self._votes(X)[1]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the votes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Normalised votes, in the order of `classes_`. The winner of a tie gets 1e-9 more; if
            no voter has any weight it gets everything.
        """
        votes, labels = self._votes(X)
        winners = np.searchsorted(self.classes_, labels)
        silent = votes.sum(axis=1) == 0
        votes[silent, winners[silent]] = 1.0
        return favour_winners(votes / votes.sum(axis=1, keepdims=True), winners)

    def _votes(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        X = check_columns(self, X)
        data = encode(self._encoder, X, self.scale)
        votes, winners = kernels.weighted_votes(
            make_queries(data.numeric, data.codes),
            self._rows,
            self.feature_weights_[self._order],
            self.instance_weights_[self._rows.training.rows],
            self.n_neighbors,
            self.ties == "strict",
        )
        return votes, self.classes_[winners]

    def _names(self) -> list[str]:
        return as_names(getattr(self._encoder, "feature_names_in_", None), self.n_features_in_)

    def _learned_weights(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """Weights of features and of the n rows that the fitted selector has found."""
        selector, called = self.selector_, type(self.selector_).__name__
        if not hasattr(selector, "feature_weights_"):
            raise TypeError(
                f"selector must have feature_weights_ once it is fitted, as SimbaMBIW has; "
                f"{called} has none"
            )
        scores = check_weights(
            selector.feature_weights_,
            self.n_features_in_,
            f"selector: feature_weights_ of {called}",
            names=self._names(),
        )
        omega = check_weights(
            getattr(selector, "instance_weights_", np.ones(n)),
            n,
            f"selector: instance_weights_ of {called}",
            negative=False,
        )
        return distance_weights(scores), omega

    def _make_selector(self) -> Any:
        if self.selector is not None:
            return clone(self.selector)
        return SimbaMBIW(
            scale=self.scale,
            missing=self.missing,
            categorical_features=self.categorical_features,
            random_state=self.random_state,
        )
