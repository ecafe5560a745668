"""The estimator: class weights by descent, and the soft vote of lazy classifiers with them."""

import time
import warnings
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin
from threadpoolctl import threadpool_limits

from acoibl._seeds import RANDOM_STATE, make_generator
from acoibl._sklearn import Interval, Options, StrOptions, fit_context
from acoibl.encoding import MixedEncoder
from acoibl.lazy.checks import (
    DATA_CONSTRAINTS,
    MixedDataMixin,
    WeakFitWarning,
    count_threads,
)
from acoibl.lazy.rows import TrainingTable
from acoibl.memetic.ants import Ant, Settings, evenly, make_plans, send
from acoibl.memetic.committee import MEMBERS, best_temperature, log_loss, temper
from acoibl.memetic.prediction import MemeticPredictions
from acoibl.memetic.problem import MeasuredRows
from acoibl.memetic.starts import STARTS, log_weights
from acoibl.rulers import CATEGORICAL_RULERS, NUMERIC_RULERS, FeatureRulers


class MemeticClassifier(MemeticPredictions, MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Lazy classifiers with class-based feature weights that ants learn by descent.

    Each ant descends a few steps on a smooth leave-one-out loss of the Gaussian kernel's posterior,
    from equal weights with the best bandwidth. The ants differ in what they minimise and how they
    measure. The answer is the mean of the posteriors of three lazy classifiers with the weights of
    each ant; one temperature, found by leave-one-out, makes it calibrated.

    Parameters
    ----------
    n_ants : int, default=4
        Number of ants. Each power, fitness and kind of vectors that "both" or "mixed" allows is
        given to as many; an ant that would equal an earlier one starts from log weights drawn at
        random around the start (standard deviation 0.3).
    steps : int, default=6
        Steps of L-BFGS of each ant: daemon actions in the terms of ant colony optimization. Their
        small number keeps from overfitting.
    fitness : {"mixed", "log_loss", "brier", "margin"}, default="mixed"
        What an ant minimises over the training rows, each left out: minus the log posterior of the
        true class, the Brier score, or a soft hinge of the margin to the other classes. The
        posterior is mixed with 2 % of the prior. ``"mixed"``: log loss for half of the ants, the
        Brier score for the others.
    vectors : {"mixed", "shared", "class"}, default="mixed"
        One vector of weights for all classes, or deviations of each class from it, which is the
        class-based weighting of Salama and Abdelbar; or half of the ants each.
    numeric : {"minmax", "rank", "both", "standard"}, default="both"
        How far numbers are apart, see `acoibl.rulers.FeatureRulers`.
    categorical : {"mismatch", "vdm", "both"}, default="both"
        How far categories are apart: 0 or 1, by the classes they go with (value difference metric
        of Stanfill and Waltz), or a mixture with 20 % of the former. The frequencies leave out
        the row's own label where the row is left out.
    smoothing : "counts" or float, default=1.0
        m of the m-estimate of the class frequencies of a category; ``"counts"`` finds one for each
        feature.
    p : {1, 2, "both"}, default="both"
        Differences of features count as they are or squared; ``"both"``: half of the ants each.
    spread : float, default=1.0
        Standard deviation of the normal prior of log weights.
    class_spread : float, default=0.5
        That of the deviations of classes.
    members : sequence of {"gke", "knn", "weighted"}, default=("gke", "knn", "weighted")
        Whose posteriors are averaged: Gaussian kernel, k-NN, k-NN with votes 1 / distance. k, from
        1 to 30, has the lowest leave-one-out log loss for each ant.
    start : {"uniform", "mutual_information"}, default="uniform"
        Weights from which ants start: all equal, or by mutual information with the class.
    max_queries : int or None, default=2000
        Most training rows, evenly spaced within the classes, that are left out to judge weights;
        all rows vote all the same. None: all rows.
    missing : {"max", "category"}, default="max"
        What a missing value means: a difference of 1 from everything, or, of a categorical feature,
        one more category.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed; without effect unless some ants are twins of others.
    n_jobs : int or None, default=None
        Threads that share the ants; results do not depend on it.
    time_limit : float, optional
        Seconds after which no further ant and no further step begins; one ant takes one step. The
        result then depends on the speed of the machine.
    verbose : int, default=0
        Print a line for each ant.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        Geometric mean of the ants' weights, without the bandwidth: 1 is a weight that no ant
        changed.
    members_ : list of acoibl.memetic.ants.Ant
        The ants: plan, weights (whose scale is the bandwidth), numbers of neighbours, loss, effort.
    loo_log_loss_, loo_accuracy_ : float
        Of the whole committee on the training rows (at most `max_queries` of them), leave-one-out;
        the log loss after calibration.
    temperature_ : float
        By whose inverse posteriors are raised: below 1 where they were too cautious.
    stopped_ : {"steps", "time_limit"}
        Why the search ended.
    settings_ : dict
        What was derived from parameters and data: ``plans``, ``members``, ``n_queries``.
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
    Salama, Abdelbar et al., "Instance-based classification with Ant Colony Optimization":
    class-based weights and lazy classifiers. Stanfill and Waltz (1986), "Toward memory-based
    reasoning": the value difference metric. Guo et al. (2017), "On calibration of modern neural
    networks": temperature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.memetic import MemeticClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = MemeticClassifier().fit(X, y)
    >>> bool(clf.loo_accuracy_ > 0.94), clf.class_weights_.shape
    (True, (3, 4))
    """

    _parameter_constraints: ClassVar[dict] = {
        "n_ants": [Interval(Integral, 1, None, closed="left")],
        "steps": [Interval(Integral, 0, None, closed="left")],
        "fitness": [StrOptions({"mixed", "log_loss", "brier", "margin"})],
        "vectors": [StrOptions({"mixed", "shared", "class"})],
        "numeric": [StrOptions(set(NUMERIC_RULERS))],
        "categorical": [StrOptions(set(CATEGORICAL_RULERS))],
        "smoothing": [StrOptions({"counts"}), Interval(Real, 0, None, closed="left")],
        "p": [Options(Integral, {1, 2}), StrOptions({"both"})],
        "spread": [Interval(Real, 0, None, closed="neither")],
        "class_spread": [Interval(Real, 0, None, closed="neither")],
        "members": [list, tuple],
        "start": [StrOptions(set(STARTS))],
        "max_queries": [Interval(Integral, 2, None, closed="left"), None],
        "missing": [StrOptions({"max", "category"})],
        "categorical_features": DATA_CONSTRAINTS["categorical_features"],
        "random_state": RANDOM_STATE,
        "n_jobs": DATA_CONSTRAINTS["n_jobs"],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        n_ants: int = 4,
        steps: int = 6,
        fitness: str = "mixed",
        vectors: str = "mixed",
        numeric: str = "both",
        categorical: str = "both",
        smoothing: str | float = 1.0,
        p: int | str = "both",
        spread: float = 1.0,
        class_spread: float = 0.5,
        members: Sequence[str] = MEMBERS,
        start: str = "uniform",
        max_queries: int | None = 2000,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ):
        self.n_ants = n_ants
        self.steps = steps
        self.fitness = fitness
        self.vectors = vectors
        self.numeric = numeric
        self.categorical = categorical
        self.smoothing = smoothing
        self.p = p
        self.spread = spread
        self.class_spread = class_spread
        self.members = members
        self.start = start
        self.max_queries = max_queries
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "MemeticClassifier":
        """Send the ants.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels of at least two classes.

        Returns
        -------
        MemeticClassifier
            Itself.

        Raises
        ------
        ValueError
            For fewer than two classes, or input that cannot be read; the message names the
            parameter or the column.
        """
        end = np.inf if self.time_limit is None else time.monotonic() + self.time_limit
        members = self._check_members()
        encoder = MixedEncoder(categorical_features=self.categorical_features, missing=self.missing)
        self._table = table = TrainingTable.read(self, X, y, encoder)
        self.classes_, data, codes = table.classes, table.data, table.codes
        n, n_classes = len(codes), len(self.classes_)
        if n_classes < 2:
            raise ValueError(
                f"the training rows hold one class only ({str(self.classes_[0])!r}); "
                "weights for each class need at least 2 classes"
            )
        plans = make_plans(self.n_ants, self.fitness, self.vectors, self.p)
        self._rows = {
            p: MeasuredRows(data, codes, n_classes, self._rulers(p).fit(data, codes, n_classes))
            for p in sorted({plan.p for plan in plans})
        }
        queries = evenly(n, n if self.max_queries is None else self.max_queries)
        settings = Settings(
            steps=self.steps,
            spread=self.spread,
            class_spread=self.class_spread,
            members=members,
            shared=log_weights(self.start, data, codes),
            queries=queries,
        )
        self.settings_ = {"plans": plans, "members": members, "n_queries": len(queries)}
        seeds = make_generator(self.random_state).integers(2**63, size=len(plans))

        def is_over() -> bool:
            return time.monotonic() >= end

        def go(i: int) -> tuple[Ant, np.ndarray] | None:
            if i and is_over():
                return None
            noise = np.random.default_rng(seeds[i])
            ant, said = send(plans[i], self._rows[plans[i].p], settings, noise, is_over)
            if self.verbose:
                print(f"[{type(self).__name__}] ant {i + 1}, {ant.plan}: loss {ant.loss:.4f}")
            return ant, said

        # Threads share the ants; BLAS must not multiply them, nor round otherwise with several.
        with threadpool_limits(1, user_api="blas"):
            runner = Parallel(n_jobs=count_threads(self.n_jobs), prefer="threads")
            sent = [found for found in runner(map(delayed(go), range(len(plans)))) if found]
        self.members_ = [ant for ant, _ in sent]
        taken = len(sent) < len(plans) or any(ant.n_steps < self.steps for ant in self.members_)
        self.stopped_ = "time_limit" if taken and is_over() else "steps"
        targets = self._rows[plans[0].p].classes[queries]
        self._judge(np.mean([said for _, said in sent], axis=0), targets)
        logs = [np.log(ant.class_weights) - ant.log_scale for ant in self.members_]
        self.class_weights_ = table.weights_table(np.exp(np.mean(logs, axis=0)))
        return self

    def _judge(self, posteriors: np.ndarray, targets: np.ndarray) -> None:
        """Calibrate, and measure what leave-one-out says of the committee."""
        self.temperature_ = best_temperature(posteriors, targets)
        posteriors = temper(posteriors, self.temperature_)
        self.loo_log_loss_ = float(log_loss(posteriors, targets))
        self.loo_accuracy_ = float((posteriors.argmax(axis=1) == targets).mean())
        majority = float(np.bincount(targets).max() / len(targets))
        if self.loo_accuracy_ <= majority:
            warnings.warn(
                f"leave-one-out accuracy {self.loo_accuracy_:.3f} is no better than the share of "
                f"the largest class, {majority:.3f}: the features may not tell the classes apart",
                WeakFitWarning,
                stacklevel=4,
            )

    def _rulers(self, p: int) -> FeatureRulers:
        return FeatureRulers(self.numeric, self.categorical, smoothing=self.smoothing, p=p)

    def _check_members(self) -> tuple[str, ...]:
        members = tuple(self.members)
        if not members or len(set(members)) < len(members) or not set(members) <= set(MEMBERS):
            raise ValueError(
                f"members must name some of {MEMBERS}, each once, got {self.members!r}"
            )
        return members
