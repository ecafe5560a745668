"""Feature selectors of the family: MBIW, Simba, SimbaMBIW."""

import warnings
from abc import abstractmethod
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils._param_validation import Interval, RealNotInt, StrOptions
from sklearn.utils.validation import check_is_fitted

from acoibl.lazy.checks import MixedDataSelector, check_training
from acoibl.margins.problem import DATA_CONSTRAINTS, Problem, make_problem
from acoibl.margins.weights import instance_weights, make_generator, simba_weights

_SIZE = [
    Interval(Integral, 1, None, closed="left"),
    Interval(RealNotInt, 0, 1, closed="neither"),
    None,
]


class MarginSelector(MixedDataSelector, BaseEstimator):
    """Base of the selectors; subclasses say what the weights are."""

    _parameter_constraints: ClassVar[dict] = {
        **DATA_CONSTRAINTS,
        "n_features_to_select": _SIZE,
        "threshold": [Interval(Real, None, None, closed="neither"), None],
    }

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "MarginSelector":
        """Learn the weights.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Classes, two or more.

        Returns
        -------
        self
            The fitted selector.

        Raises
        ------
        ValueError
            For input that cannot be read, or one class only.
        """
        X = check_training(self, X, y)
        size = self.n_features_to_select
        if isinstance(size, Integral) and size > self.n_features_in_:
            warnings.warn(
                f"n_features_to_select={size} is more than the {self.n_features_in_} features "
                "there are: all are kept",
                UserWarning,
                stacklevel=2,
            )
        problem = make_problem(X, y, self.scale, self.missing, self.categorical_features)
        weights, instance_weights = self._learn(problem)
        self.feature_weights_ = problem.by_column(weights)
        self.instance_weights_ = instance_weights[problem.places]
        self.ranking_ = np.empty(len(weights), dtype=np.int64)
        self.ranking_[np.argsort(-self.feature_weights_, kind="stable")] = np.arange(
            1, len(weights) + 1
        )
        return self

    @abstractmethod
    def _learn(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Weights of features, in the order of the kernels, and of sorted rows."""

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        d = len(self.ranking_)
        size = self.n_features_to_select
        if size is None:
            size = d if self.threshold is not None else max(1, d // 2)
        elif not isinstance(size, Integral):
            size = max(1, int(size * d))
        chosen = self.ranking_ <= size
        if self.threshold is not None:
            chosen &= self.feature_weights_ >= self.threshold
        return chosen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


class MBIW(MarginSelector):
    """Margin-based instance weights, and the features that they prefer (Han and Yu 2010).

    A row whose margin vector (`acoibl.margins.margin_vectors`) lies far from those of the others
    says something else about the features than most rows do; it gets a small weight (Eq. 2 of
    Prat and Belanche). Features are ranked by the weighted mean of the margin vectors: a Relief
    with one neighbour, in which every row counts by its weight.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Number of features to keep (all, with a warning, if there are fewer), or their share; by
        default half of them, or with a `threshold` all that reach it.
    threshold : float or None, default=None
        Least weight of a feature that is kept. With `n_features_to_select` both must hold.
    scale : bool, default=True
        Scale numeric features to [0, 1] by the extremes of the training rows. The paper does
        not say whether it does.
    missing : {"max", "category"}, default="max"
        A missing value differs by 1 from everything, or is one more category.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`. The paper has numbers only;
        here two categories differ by 0 or 1.

    Attributes
    ----------
    instance_weights_ : ndarray of float64, shape (n_rows,)
        Weights omega of the training rows; they sum to 1. A mean distance of 0 (all margin
        vectors are equal) is replaced by the smallest positive one; if there is none, all
        weights are equal.
    feature_weights_ : ndarray of float64, shape (n_features,)
        Weighted mean of the margin vectors: from -1 to 1 times the largest difference of two
        rows in the feature, which is 1 for scaled features and for categories. Below 0 for a
        feature by which hits are farther than misses.
    ranking_ : ndarray of int64, shape (n_features,)
        Rank of each feature, 1 for the largest weight; of equals the first column is first.
    n_features_in_, feature_names_in_
        Number, and for a DataFrame names, of the columns.

    Notes
    -----
    Of several nearest rows (squared distances at most 1 + 1e-9 times the smallest) the first given
    counts, so that the unit of a table of numbers changes neither ranking nor omega. A row that is
    alone in its class has no hit: its term is 0.

    References
    ----------
    Han and Yu (2010), "A variance reduction framework for stable feature selection", ICDM,
    206-215. Prat and Belanche (2016), "Instance and feature weighted k-nearest-neighbours
    algorithm", ESANN, 605-610, Eq. 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.margins import MBIW
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = MBIW(n_features_to_select=2).fit(X, y)
    >>> selector.get_support().tolist(), float(selector.instance_weights_.sum().round(6))
    ([False, False, True, True], 1.0)
    """

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        threshold: float | None = None,
        scale: bool = True,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
    ):
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.scale = scale
        self.missing = missing
        self.categorical_features = categorical_features

    def _learn(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        vectors = problem.margin_vectors()
        omega = instance_weights(vectors)
        return omega @ vectors, omega


class Simba(MarginSelector):
    """Feature weights that climb the margin, row by row (Gilad-Bachrach et al. 2004).

    The rows are taken in random order. Each looks for its nearest hit and miss under the weights
    so far; features by which the miss is far gain weight, those by which the hit is far lose.

    Parameters
    ----------
    step : float or "1/n", default=1.0
        Size of the steps. ``"1/n"``: one over the number of rows, the mean size of the steps
        that `SimbaMBIW` takes with ``omega_scale="sum_one"``.
    n_features_to_select, threshold, scale, missing, categorical_features
        As for `MBIW`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the order of the rows.

    Attributes
    ----------
    feature_weights_ : ndarray of float64, shape (n_features,)
        Squared weights over the largest of them, from 0 to 1; all 1 should every weight vanish.
    instance_weights_ : ndarray of float64, shape (n_rows,)
        All equal, with sum 1.
    ranking_ : ndarray of int64, shape (n_features,)
        Rank of each feature, 1 for the largest weight; of equals the first column is first.
    n_features_in_, feature_names_in_
        Number, and for a DataFrame names, of the columns.

    Notes
    -----
    Of several nearest rows (squared distances at most 1 + 1e-9 times the smallest) the first given
    counts. A hit or miss at distance 0, or a hit that does not exist, contributes nothing. Steps
    are as long as distances are: with ``scale=False``, numbers in a unit c times smaller give
    what steps c times as long give. Rows in another order, or
    features in another order, with the same draws give the same weights (up to rounding, and
    where no two rows are equally near).

    References
    ----------
    Gilad-Bachrach, Navot and Tishby (2004), "Margin based feature selection - theory and
    algorithms", ICML. Prat and Belanche (2016), Algorithm 1, strategy Normal.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.margins import Simba
    >>> X, y = load_iris(return_X_y=True)
    >>> Simba(random_state=0).fit(X, y).transform(X).shape
    (150, 2)
    """

    _parameter_constraints: ClassVar[dict] = {
        **MarginSelector._parameter_constraints,
        "step": [Interval(Real, 0, None, closed="neither"), StrOptions({"1/n"})],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
    }

    def __init__(
        self,
        *,
        step: float | str = 1.0,
        n_features_to_select: int | float | None = None,
        threshold: float | None = None,
        scale: bool = True,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ):
        self.step = step
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.scale = scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _learn(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        n = problem.n_rows
        step = 1.0 / n if self.step == "1/n" else float(self.step)
        sequence = make_generator(self.random_state).permutation(n)
        weights = simba_weights(problem, sequence, np.full(n, step))
        return weights, np.full(n, 1.0 / n)


class SimbaMBIW(MarginSelector):
    """Simba whose rows come in the order, or by the chance, of their MBIW weights (Algorithm 1).

    Parameters
    ----------
    strategy : {"order", "sample", "normal"}, default="order"
        Which row is next: by decreasing instance weight (nothing is random then); drawn with
        the instance weights as probabilities; or a random permutation, which with steps of 1 is
        unmodified `Simba`.
    omega_scale : {"sum_one", "mean_one"}, default="sum_one"
        The size of a step is the weight omega of its row. ``"sum_one"``: literally, so that all
        steps together are as long as one of Simba's and weights hardly leave 1; ``"mean_one"``:
        omega times the number of rows, steps as long as Simba's. Strategy ``"normal"`` ignores
        it.
    replacement : bool, default=True
        Strategy ``"sample"``: whether a row that was drawn can be drawn again, so that some rows
        are never asked, as "draw an instance from D" says; otherwise each row is drawn once.
    n_features_to_select, threshold, scale, missing, categorical_features
        As for `MBIW`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of ``"sample"`` and ``"normal"``.

    Attributes
    ----------
    instance_weights_ : ndarray of float64, shape (n_rows,)
        Weights omega of the training rows, with sum 1, as from `MBIW`; all equal for
        ``"normal"``.
    feature_weights_ : ndarray of float64, shape (n_features,)
        Squared weights over the largest of them, from 0 to 1; all 1 should every weight vanish.
    ranking_ : ndarray of int64, shape (n_features,)
        Rank of each feature, 1 for the largest weight; of equals the first column is first.
    n_features_in_, feature_names_in_
        Number, and for a DataFrame names, of the columns.

    See Also
    --------
    acoibl.margins.MBIW : The instance weights alone, and what is done about degenerate ones.
    acoibl.margins.Simba : The method that is modified, with notes that hold here too.

    References
    ----------
    Prat and Belanche (2016), "Instance and feature weighted k-nearest-neighbours algorithm",
    ESANN, 605-610, Algorithm 1.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from acoibl.margins import SimbaMBIW
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = SimbaMBIW(n_features_to_select=3).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['alcohol', 'color_intensity', 'proline']
    """

    _parameter_constraints: ClassVar[dict] = {
        **MarginSelector._parameter_constraints,
        "strategy": [StrOptions({"order", "sample", "normal"})],
        "omega_scale": [StrOptions({"sum_one", "mean_one"})],
        "replacement": ["boolean"],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
    }

    def __init__(
        self,
        strategy: str = "order",
        omega_scale: str = "sum_one",
        *,
        replacement: bool = True,
        n_features_to_select: int | float | None = None,
        threshold: float | None = None,
        scale: bool = True,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
    ):
        self.strategy = strategy
        self.omega_scale = omega_scale
        self.replacement = replacement
        self.n_features_to_select = n_features_to_select
        self.threshold = threshold
        self.scale = scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state

    def _learn(self, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        n = problem.n_rows
        if self.strategy == "normal":
            sequence = make_generator(self.random_state).permutation(n)
            return simba_weights(problem, sequence, np.ones(n)), np.full(n, 1.0 / n)
        given = instance_weights(problem.margin_vectors())[problem.places]
        if self.strategy == "order":
            # Nine digits: rounding must not put duplicates in another order than the given one.
            sequence = np.argsort(-np.round(given * n, 9), kind="stable")
        else:
            sequence = make_generator(self.random_state).choice(n, n, self.replacement, p=given)
        steps = given[sequence] * (n if self.omega_scale == "mean_one" else 1.0)
        omega = given[problem.rows.training.rows]
        return simba_weights(problem, sequence, steps), omega
