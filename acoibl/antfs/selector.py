"""The estimator: features selected by groups of ants for a nearest-neighbour classifier."""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, _fit_context
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from acoibl.antfs.colony import Colony, ColonySettings, run_colonies
from acoibl.antfs.criteria import Criterion
from acoibl.antfs.evaluation import SCALES, SubsetEvaluator, stratified_parts
from acoibl.antfs.inputs import (
    check_classes,
    child_seed,
    has_test_part,
    read_groups,
    seed_sequence,
    split_rows,
)
from acoibl.antfs.separability import separability_of
from acoibl.antfs.stopping import Stop
from acoibl.encoding import MixedEncoder, as_names
from acoibl.lazy.checks import MixedDataSelector, check_training, count_threads, encode_classes

_SPLIT_KEY = 0  # of the draw of an inner split; the runs have their largest size, from 1


class AntFeatureSelector(MixedDataSelector, BaseEstimator):
    """Select features by ant colony optimization around k-NN.

    Each ant starts with a random feature and takes further ones as long as
    they improve the accuracy of k-NN, in the order of its group's criterion:
    a fitness of pheromone and class separability nearest to, or furthest
    from, that of the feature taken last. Taking a feature raises its
    pheromone (Eq. 4); at the end of a generation the best subset of each
    group draws the pheromone of its features towards its accuracy (Eq. 5).

    Parameters
    ----------
    max_size : int, default=7
        Largest number of features.
    min_size : int, default=2
        There is one run for each largest size from `min_size` to `max_size`. The
        result may have fewer features still, if fewer are as good.
    groups : {"nearest", "furthest"}, callable or sequence, default=("nearest", "furthest")
        Criterion of each group of ants: a name, or a function of your own,
        ``criterion(fitness, last) -> priority``, see `acoibl.antfs.Criterion`.
    n_ants : int, default=3
        Ants in each group.
    n_generations : int, default=100
        Generations of each run.
    alpha, beta : float, default=1.0, 0.9
        Exponents of pheromone and class separability in the fitness (Eq. 1).
    rho : float, default=0.9
        Rate of the update at the end of a generation (Eq. 5).
    z : float, default=0.4
        Rate of the update of a taken feature (Eq. 4).
    initial_pheromone : float, default=0.1
        Pheromone of every feature at the start. The paper does not state it;
        it has to be small for its updates to be increases.
    n_neighbors : int, default=5
        k of the k-NN that judges subsets; rows as near as the k-th vote, too.
    evaluation : {"nested", "holdout"}, default="nested"
        What the search sees. ``"nested"``: the rows given to `fit`, see
        `validation`. ``"holdout"``, the paper's protocol: the accuracy on a
        test part guides the search, so that it says too much about new data.
    validation : "loo", int or float, default="loo"
        With ``evaluation="nested"``: leave-one-out, a stratified
        cross-validation of so many parts, or one stratified split that leaves
        this share of the rows for validation (much faster from some ten
        thousand rows on).
    test_size : float, default=0.15
        With ``evaluation="holdout"`` and no test part given to `fit`: share of
        the rows that become it.
    scale : {"range", "none"}, default="range"
        Divide numeric features by their range in training, or not.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed. The run for a size does not depend on which other sizes are run.
    n_jobs : int or None, default=None
        Threads that share the sizes, each with a table of distances of its
        own (up to 0.5 GB). The result does not depend on it, unless a callback or
        the time limit ends the search: then other runs have gone less far.
    verbose : int, default=0
        Print a line every `verbose` ten generations.
    callback : callable, optional
        Called after every generation with its lines of the history (a list of
        dicts, one a group); a true value ends the search.
    time_limit : float, optional
        Seconds after which no further ant begins; one of each group always
        does. The result then depends on the speed of the machine.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
        The selected features: the most accurate subset, of equals the
        smallest, then the one of the smallest run and the first group.
    best_features_ : tuple of int
        Their positions, in the order in which they were taken.
    best_score_ : float
        Accuracy that the search saw of them.
    best_subsets_ : DataFrame
        The best subset of each ``max_size`` (run), ``group`` and ``size``:
        its ``accuracy``, ``features`` (positions, in the order in which they
        were taken), their ``names``, and the ``generation`` that found it.
    history_ : DataFrame
        One line for each run, generation and group: ``accuracy``, ``size`` and
        ``features`` of the generation's best subset, ``best_accuracy`` so far,
        ``evaluations`` (subsets judged in this run so far).
    pheromone_ : DataFrame
        Pheromone at the end, one line for each run and group, one column for
        each feature.
    pheromone_history_ : ndarray of float64, shape (n_generations + 1, n_groups, n_features)
        Pheromone before the first and after each generation of the last run.
    class_separability_ : Series, shape (n_features,)
        Heuristic of each feature, over the training rows of the search.
    n_evaluations_ : int
        Subsets that the ants judged, the same one again counted again.
    n_subsets_ : int
        Subsets judged anew; the others were looked up.
    test_indices_ : ndarray of int64
        Rows of `fit` that were split off to guide the search.
    stopped_ : {"n_generations", "callback", "time_limit"}
        Why the search ended.
    n_features_in_, feature_names_in_
        Number and names of the columns, as in scikit-learn.

    Notes
    -----
    Mixed tables keep their types through a `Pipeline` after
    ``set_output(transform="pandas")``; else `transform` gives an array, as in
    scikit-learn.

    References
    ----------
    El Houby, Yassin and Omran, "A hybrid approach from Ant Colony Optimization
    and k-nearest neighbor for classifying datasets using selected features",
    Informatica 41 (2017) 495-506.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from acoibl import KNNClassifier
    >>> from acoibl.antfs import AntFeatureSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> ants = AntFeatureSelector(max_size=4, n_generations=20, random_state=0)
    >>> model = make_pipeline(ants, KNNClassifier(5)).fit(X, y)
    >>> len(model[0].get_feature_names_out()), round(model[0].best_score_, 2)
    (4, 0.97)
    """

    _parameter_constraints: ClassVar[dict] = {
        "max_size": [Interval(Integral, 1, None, closed="left")],
        "min_size": [Interval(Integral, 1, None, closed="left")],
        "groups": ["array-like", str, callable],
        "n_ants": [Interval(Integral, 1, None, closed="left")],
        "n_generations": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "beta": [Interval(Real, 0, None, closed="left")],
        "rho": [Interval(Real, 0, 1, closed="both")],
        "z": [Interval(Real, 0, 1, closed="both")],
        "initial_pheromone": [Interval(Real, 0, None, closed="neither")],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "evaluation": [StrOptions({"nested", "holdout"})],
        "validation": [
            StrOptions({"loo"}),
            Interval(Integral, 2, None, closed="left"),
            Interval(Real, 0, 1, closed="neither"),
        ],
        "test_size": [Interval(Real, 0, 1, closed="neither")],
        "scale": [StrOptions(set(SCALES))],
        "missing": [StrOptions({"max", "category"})],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
        "callback": [callable, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        max_size: int = 7,
        *,
        min_size: int = 2,
        groups: str | Criterion | Sequence[str | Criterion] = ("nearest", "furthest"),
        n_ants: int = 3,
        n_generations: int = 100,
        alpha: float = 1.0,
        beta: float = 0.9,
        rho: float = 0.9,
        z: float = 0.4,
        initial_pheromone: float = 0.1,
        n_neighbors: int = 5,
        evaluation: str = "nested",
        validation: str | int | float = "loo",
        test_size: float = 0.15,
        scale: str = "range",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callback: Callable[[list[dict]], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.max_size = max_size
        self.min_size = min_size
        self.groups = groups
        self.n_ants = n_ants
        self.n_generations = n_generations
        self.alpha = alpha
        self.beta = beta
        self.rho = rho
        self.z = z
        self.initial_pheromone = initial_pheromone
        self.n_neighbors = n_neighbors
        self.evaluation = evaluation
        self.validation = validation
        self.test_size = test_size
        self.scale = scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any, *, X_test: Any = None, y_test: Any = None
    ) -> "AntFeatureSelector":
        """Search for the features.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Classes.
        X_test, y_test : optional
            With ``evaluation="holdout"``, the test part whose accuracy guides
            the search; with the columns of `X` in the same order.

        Returns
        -------
        self
            The fitted selector.

        Raises
        ------
        ValueError
            For input that cannot be read, rows of one class, `max_size` below `min_size`,
            groups that are none, or a test part where none is used or of other columns.
        """
        if self.max_size < self.min_size:
            raise ValueError(
                f"max_size={self.max_size} is smaller than min_size={self.min_size}; there would "
                "be nothing to run"
            )
        names, criteria = read_groups(self.groups)
        stop = Stop(names, self.callback, self.time_limit, self.verbose)
        X = check_training(self, X, y)
        sequence = seed_sequence(self.random_state)
        judge = self._judge(X, y, X_test, y_test, child_seed(sequence, _SPLIT_KEY))
        check_classes(judge.classes_)
        heuristic = separability_of(judge.training, judge.codes, len(judge.classes_))
        n_features = judge.n_features
        sizes = range(min(self.min_size, n_features), min(self.max_size, n_features) + 1)
        settings = ColonySettings(
            self.alpha, self.beta, self.rho, self.z, self.initial_pheromone,
            self.n_generations, self.n_ants,
        )  # fmt: skip
        colonies, self.n_subsets_ = run_colonies(
            judge,
            heuristic,
            sizes,
            criteria,
            settings,
            {size: child_seed(sequence, size) for size in sizes},
            stop,
            count_threads(self.n_jobs),
        )
        self.stopped_ = stop.reason
        self._keep(colonies, names, judge, heuristic)
        return self

    def _judge(
        self, X: Any, y: Any, X_test: Any, y_test: Any, seed: np.random.SeedSequence
    ) -> SubsetEvaluator:
        """Evaluator of what the search may see."""
        rules = {
            "n_neighbors": self.n_neighbors,
            "scale": self.scale,
            "missing": self.missing,
            "categorical_features": self.categorical_features,
        }
        self.test_indices_ = np.empty(0, dtype=np.int64)
        given = has_test_part(X_test, y_test)
        if given and self.evaluation != "holdout":
            raise ValueError(
                "evaluation='nested' keeps the test part out of the search; leave X_test out, or "
                "set evaluation='holdout' to let it guide the search as in the paper"
            )
        if given:
            return SubsetEvaluator(X, y, X_test, y_test, **rules)
        state = int(seed.generate_state(1)[0])
        if self.evaluation == "nested":
            if self.validation == "loo":
                return SubsetEvaluator(X, y, **rules)
            if self.validation >= 2:
                parts = stratified_parts(encode_classes(y)[1], int(self.validation), state)
                return SubsetEvaluator(X, y, parts=parts, **rules)
        # What cannot be read is refused as a whole, before rows of it are chosen.
        MixedEncoder(categorical_features=self.categorical_features, missing=self.missing).fit(X)
        share = self.test_size if self.evaluation == "holdout" else self.validation
        train, test = split_rows(y, share, state)
        self.test_indices_ = test
        X, y = X if hasattr(X, "columns") else np.asarray(X), np.asarray(y)
        check_consistent_length(X, y)
        return SubsetEvaluator(
            _safe_indexing(X, train), y[train], _safe_indexing(X, test), y[test], **rules
        )

    def _keep(
        self,
        colonies: list[Colony],
        names: list[str],
        judge: SubsetEvaluator,
        heuristic: np.ndarray,
    ) -> None:
        features = as_names(getattr(self, "feature_names_in_", None), judge.n_features)
        lines = [
            {
                "max_size": colony.max_size,
                "group": names[group],
                "size": len(found.features),
                "accuracy": 1.0 - found.errors / judge.n_queries,
                "features": found.features,
                "names": tuple(features[place] for place in found.features),
                "generation": found.generation,
            }
            for colony in colonies
            for group, found in colony.found()
        ]
        best = min(lines, key=lambda line: (-line["accuracy"], line["size"]))  # the first of equals
        self.best_features_ = best["features"]
        self.best_score_ = best["accuracy"]
        self.support_ = np.zeros(judge.n_features, dtype=bool)
        self.support_[list(self.best_features_)] = True
        self.best_subsets_ = pd.DataFrame(lines)
        self.history_ = pd.DataFrame([line for colony in colonies for line in colony.history])
        last = colonies[-1]
        done = [1 + max(line["generation"] for line in colony.history) for colony in colonies]
        self.pheromone_history_ = last.pheromone[: done[-1]]
        self.pheromone_ = pd.DataFrame(
            np.concatenate(
                [colony.pheromone[n - 1] for colony, n in zip(colonies, done, strict=True)]
            ),
            index=pd.MultiIndex.from_product(
                [[colony.max_size for colony in colonies], names], names=["max_size", "group"]
            ),
            columns=features,
        )
        self.class_separability_ = pd.Series(heuristic, index=features)
        self.n_evaluations_ = sum(colony.n_evaluations for colony in colonies)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
