"""The estimator: a lazy classifier tuned by an ant colony."""

import time
import warnings
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from threadpoolctl import threadpool_limits

from acoibl.colony.evaluation import LeaveOneOut
from acoibl.colony.prediction import ColonyPredictions, split_weights
from acoibl.colony.search import (
    Floors,
    SearchResult,
    SearchSettings,
    history_table,
    round_neighbours,
    search,
)
from acoibl.colony.settings import PRESETS, check_range
from acoibl.lazy import DNNClassifier, GKEClassifier, KNNClassifier
from acoibl.lazy.base import LazyClassifier
from acoibl.lazy.checks import (
    DATA_CONSTRAINTS,
    MixedDataMixin,
    WeakFitWarning,
    check_training,
    count_threads,
    encode_classes,
)
from acoibl.lazy.weights import WEIGHT_SCALES, scale_weights

_KEY_PARAMETERS = {"knn": "n_neighbors", "dnn": "radius", "gke": "bandwidth"}


class ACOIBLClassifier(ColonyPredictions, MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Lazy classifier whose class-based feature weights an ant colony learns (ACO_R-IBL).

    A multi-archive ACO_R searches the key parameter (k, radius or bandwidth)
    and one vector of feature weights for each class, judged by leave-one-out
    over the training rows. The best solution makes the basic classifier; all
    solutions of the final archives make an ensemble.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}, default="knn"
        Lazy classifier to tune: `KNNClassifier`, `DNNClassifier` or
        `GKEClassifier`.
    preset : {"default", "paper"}, default="default"
        Reading of the algorithm (`acoibl.colony.PRESETS`): it gives the value
        of every parameter that is left at None.
    archive_quality : {"class_recall", "accuracy", "class_f1"}, optional
        What the archive of a class's weights goes by: the recall of that
        class (Eq. 15), the accuracy of the whole candidate (Eq. 14), or the
        F1 of that class.
    solution : {"assembled", "best_candidate"}, optional
        What is returned: the tops of all archives put together (Algorithm 1,
        line 28), or the best candidate that was evaluated as a whole.
    weight_scale : {"none", "sum_one", "sum_m"}, optional
        How weights are scaled before the distance uses them.
    ties : {"include", "strict"}, optional
        k-NN: whether all rows at the k-th distance vote.
    outlier : {"prior", "nearest"}, optional
        d-NN: who answers when nobody is within the radius.
    missing : {"max", "category", "ignore"}, optional
        What a missing value means, see `KNNClassifier`.
    patience : int, optional
        I_max: iterations without a better best accuracy before the search ends.
    ensemble : bool, default=True
        Whether `predict` asks the whole colony or the basic classifier.
    archive_size : int, default=25
        R: solutions in each archive, and members of the ensemble.
    n_ants : int, default=1
        m: candidates per iteration.
    max_iter : int, default=10000
        t_max: most iterations after the R initial evaluations.
    q : float, default=0.25
        Locality of the search; small values follow the best solutions only.
    xi : float, default=0.85
        Width of the search; larger values converge more slowly.
    parameter_range : tuple of float, optional
        Range of the key parameter; (1, 21), (0.01, 1) or (0.01, 0.5) by
        default (Table 1), k at most the number of training rows less 1.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    n_jobs : int or None, default=None
        Threads that share an evaluation; results do not depend on it.
    verbose : int, default=0
        Print the best accuracy every `verbose` hundred iterations.
    callback : callable, optional
        Called after every iteration with the last line of the history (a
        dict); a true value ends the search.
    time_limit : float, optional
        Seconds after which no further evaluation begins; one candidate always
        is evaluated. The result then depends on the speed of the machine.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        Weights of the basic classifier as the distance uses them.
    key_parameter_ : int or float
        k, radius or bandwidth of the basic classifier.
    estimator_ : KNNClassifier, DNNClassifier or GKEClassifier
        The basic classifier.
    members_ : list of (int or float, ndarray)
        Key parameter and scaled weights of each member of the ensemble, best first; fewer than
        `archive_size` if `time_limit` ended the search before.
    archives_ : list of acoibl.acor.Archive
        A_0 (key parameter) and A_1 ... A_C (weights of each class); a place that `time_limit`
        left empty has quality -inf.
    candidates_ : acoibl.acor.Archive
        The best whole candidates.
    history_ : DataFrame
        Accuracy in A_0 after the initial archive and after each iteration.
    n_iter_, n_evaluations_ : int
        Iterations, and evaluated candidates.
    stopped_ : {"patience", "max_iter", "time_limit", "callback"}
        Why the search ended.
    loo_accuracy_ : float
        Leave-one-out accuracy of the basic classifier on the training rows.
    kernel_ : {"direct", "product", "patterns"}
        Kernel that evaluated the candidates; all give the same result.
    settings_ : dict
        The values in use after the preset filled the gaps.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    Warns
    -----
    WeakFitWarning
        If leave-one-out accuracy is no better than the share of the largest class.

    References
    ----------
    Salama, Abdelbar et al., "Instance-based classification with Ant Colony
    Optimization", Algorithm 1 and Sections 5-7.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl import ACOIBLClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = ACOIBLClassifier(max_iter=20, random_state=0).fit(X, y)
    >>> bool(clf.loo_accuracy_ > 0.95), clf.class_weights_.shape
    (True, (3, 4))
    """

    _parameter_constraints: ClassVar[dict] = {
        **DATA_CONSTRAINTS,
        "base": [StrOptions(set(_KEY_PARAMETERS))],
        "preset": [StrOptions(set(PRESETS))],
        "archive_quality": [StrOptions({"class_recall", "accuracy", "class_f1"}), None],
        "solution": [StrOptions({"assembled", "best_candidate"}), None],
        "weight_scale": [StrOptions(set(WEIGHT_SCALES)), None],
        "ties": [StrOptions({"include", "strict"}), None],
        "outlier": [StrOptions({"prior", "nearest"}), None],
        "missing": [StrOptions({"max", "category", "ignore"}), None],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "ensemble": ["boolean"],
        "archive_size": [Interval(Integral, 2, None, closed="left")],
        "n_ants": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "q": [Interval(Real, 0, None, closed="neither")],
        "xi": [Interval(Real, 0, None, closed="neither")],
        "parameter_range": ["array-like", None],
        "random_state": [
            "random_state",
            np.random.Generator,
            np.random.SeedSequence,
        ],
        "verbose": ["verbose"],
        "callback": [callable, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        base: str = "knn",
        *,
        preset: str = "default",
        archive_quality: str | None = None,
        solution: str | None = None,
        weight_scale: str | None = None,
        ties: str | None = None,
        outlier: str | None = None,
        missing: str | None = None,
        patience: int | None = None,
        ensemble: bool = True,
        archive_size: int = 25,
        n_ants: int = 1,
        max_iter: int = 10_000,
        q: float = 0.25,
        xi: float = 0.85,
        parameter_range: tuple[float, float] | None = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.base = base
        self.preset = preset
        self.archive_quality = archive_quality
        self.solution = solution
        self.weight_scale = weight_scale
        self.ties = ties
        self.outlier = outlier
        self.missing = missing
        self.patience = patience
        self.ensemble = ensemble
        self.archive_size = archive_size
        self.n_ants = n_ants
        self.max_iter = max_iter
        self.q = q
        self.xi = xi
        self.parameter_range = parameter_range
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "ACOIBLClassifier":
        """Search weights and key parameter on the training rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels of at least two classes.

        Returns
        -------
        ACOIBLClassifier
            Itself.

        Raises
        ------
        ValueError
            For fewer than two classes, or input that cannot be read; the
            message names the parameter or the column.
        """
        end = np.inf if self.time_limit is None else time.monotonic() + self.time_limit
        X = check_training(self, X, y)
        self.settings_ = {
            name: value if getattr(self, name) is None else getattr(self, name)
            for name, value in PRESETS[self.preset].items()
        }
        self.classes_, _ = encode_classes(y)
        low, high = check_range(self.base, self.parameter_range)
        lazy = self._lazy_classifier().fit(X, y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"the training rows hold one class only ({str(self.classes_[0])!r}); "
                "weights for each class need at least 2 classes"
            )
        training = lazy._training
        if self.base == "knn":
            high = min(high, len(training.rows) - 1)
            low = min(low, high)
        settings = SearchSettings(
            archive_size=self.archive_size,
            n_ants=self.n_ants,
            q=self.q,
            xi=self.xi,
            max_iter=self.max_iter,
            patience=self.settings_["patience"],
            end=end,
        )
        # The kernels share rows among `n_jobs` threads; BLAS must not multiply them.
        evaluate = self._evaluator(lazy)
        with threadpool_limits(1, user_api="blas"):
            result = search(
                evaluate,
                len(self.classes_),
                self.n_features_in_,
                (low, high),
                settings,
                self._generator(),
                self._report,
            )
            # Parts of different candidates have not been evaluated together yet.
            assembled = result.member(0, self.settings_["solution"])
            self.loo_accuracy_ = result.accuracy_of(*assembled)
            if self.loo_accuracy_ is None:
                self.loo_accuracy_, _ = evaluate(*assembled, None)
        self._keep(result, lazy)
        return self

    def _keep(self, result: SearchResult, lazy: LazyClassifier) -> None:
        self.archives_ = [result.parameters, *result.class_weights]
        self.candidates_ = result.candidates
        self.history_ = history_table(result)
        self.n_iter_ = result.n_iter
        self.n_evaluations_ = result.n_evaluations
        self.stopped_ = result.stopped
        self.members_ = [
            self._decode(*result.member(rank, self.settings_["solution"]), len(lazy._given_rows))
            for rank in range(result.n_filled)
        ]
        self.key_parameter_, weights = self.members_[0]
        setattr(lazy, _KEY_PARAMETERS[self.base], self.key_parameter_)
        self.class_weights_ = pd.DataFrame(
            weights, index=lazy.class_weights_.index, columns=lazy.class_weights_.columns
        )
        lazy.class_weights = lazy.class_weights_ = self.class_weights_
        lazy._weights = split_weights(weights, lazy)
        self.estimator_ = lazy
        majority_share = float(lazy._training.class_totals.max() / len(lazy._training.rows))
        if self.loo_accuracy_ <= majority_share:
            warnings.warn(
                f"leave-one-out accuracy {self.loo_accuracy_:.3f} of the basic classifier is no "
                f"better than the share of the largest class, {majority_share:.3f}: the features "
                f"may not tell the classes apart, or this reading (preset={self.preset!r}) may "
                "not suit the data",
                WeakFitWarning,
                stacklevel=4,
            )

    def _evaluator(self, lazy: LazyClassifier):
        training = lazy._training
        leave_one_out = LeaveOneOut(
            training,
            lazy._rule(),
            self.settings_["archive_quality"],
            count_threads(self.n_jobs),
        )
        self.kernel_ = leave_one_out.kernel
        n_rows = len(training.rows)

        def evaluate(parameter: float, weights: np.ndarray, floors: Floors | None):
            value, scaled = self._decode(parameter, weights, n_rows)
            return leave_one_out(value, split_weights(scaled, lazy), floors)

        return evaluate

    def _decode(
        self, parameter: float, weights: np.ndarray, n_rows: int
    ) -> tuple[float, np.ndarray]:
        value = round_neighbours(parameter, n_rows) if self.base == "knn" else parameter
        return value, scale_weights(weights, self.settings_["weight_scale"])

    def _lazy_classifier(self) -> LazyClassifier:
        common = {
            "weight_scale": self.settings_["weight_scale"],
            "missing": self.settings_["missing"],
            "categorical_features": self.categorical_features,
            "n_jobs": self.n_jobs,
        }
        if self.base == "knn":
            return KNNClassifier(ties=self.settings_["ties"], **common)
        if self.base == "dnn":
            return DNNClassifier(outlier=self.settings_["outlier"], **common)
        return GKEClassifier(**common)

    def _generator(self) -> np.random.Generator:
        state = self.random_state
        if isinstance(state, np.random.RandomState):
            state = state.randint(np.iinfo(np.int32).max)
        if isinstance(state, np.random.SeedSequence):
            # A copy: spawning or drawing must not change what the user holds.
            state = np.random.SeedSequence(state.entropy, spawn_key=state.spawn_key)
        return np.random.default_rng(state)

    def _report(self, line: dict) -> Any:
        if self.verbose and line["iteration"] % (100 * int(self.verbose)) == 0:
            print(
                f"[{type(self).__name__}] iteration {line['iteration']}: "
                f"best leave-one-out accuracy {line['best_accuracy']:.4f}"
            )
        return self.callback(line) if self.callback is not None else False
