"""The estimator CIW-NN: instance selection, feature and class weights found together."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from acoibl.coevolution.cooperation import Cooperation, CooperationSettings
from acoibl.coevolution.fitness import NearestNeighbourFitness, multipliers
from acoibl.coevolution.populations import make_generator
from acoibl.coevolution.prediction import NearestReference
from acoibl.coevolution.settings import PRESETS
from acoibl.encoding import EncodedData
from acoibl.lazy.checks import MixedDataMixin


class CIWNNClassifier(NearestReference, MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Nearest neighbour with rows, feature weights and class weights found by co-evolution.

    Three populations, of selections of training rows (CHC), of feature
    weights and of class weights (a steady-state genetic algorithm each), take
    turns. An individual is judged together with the best of the other two:
    by leave-one-out accuracy of the nearest selected row over all training
    rows, and a selection also by how much it leaves out.

    Parameters
    ----------
    preset : {"paper", "keel"}, default="paper"
        Reading of the algorithm (`acoibl.coevolution.PRESETS`): what its
        authors describe, or what their program in the software KEEL does. It
        gives the value of every parameter from `test_uses_selection` on that
        is left at None.
    max_evaluations : int, default=10000
        Evaluations of all three populations together.
    population_size : int, default=50
        Individuals in each population.
    alpha : float, default=0.5
        Weight of accuracy against reduction in the fitness of a selection.
    prob_0_to_1, prob_1 : float, default=0.25
        Chance that crossover sets a bit of a selection, and share of rows in
        the initial selections.
    mutation : float, default=0.05
        Chance of a vector of weights to be mutated.
    epoch_fw, epoch_iw : int, default=40
        Evaluations that feature weights and class weights get in each cycle,
        in whole steps of 8 (1 to 8: one step), which only the end of a strict
        budget cuts short; the selections get one generation.
    test_uses_selection : bool, optional
        Whether new rows are compared with the selected training rows only.
        KEEL's program compares them with all.
    refresh_best : bool, optional
        Whether the three best are judged again, which costs evaluations, when
        one of their collaborators changed. Otherwise an individual keeps the
        fitness of its day.
    fast_threshold : bool, optional
        Whether the threshold of the selections falls within a generation until
        a pair can mate, instead of by 1 per cycle.
    crossover_pool : {"parents", "chain"}, optional
        Whom the crossovers of a step mate, see `SteadyStateGA`.
    iw_scale : {"nearer", "direct"}, optional
        How class weights v become multipliers of distances: 0.2 + 0.8 (1 - v),
        or v (Eq. 4).
    nominal : {"overlap", "ordinal"}, optional
        Categories differ by 0 or 1 (Eq. 2), or (preset "keel") by their places in the order of
        the categories, scaled to [0, 1]. It is that of a category dtype, which
        ``X[name].astype(pandas.CategoricalDtype(["x", "b", "o"]))`` sets, else that of the text,
        and it matters: tic-tac-toe has accuracy 0.96 in this order, 0.77 in the alphabet's.
    missing : {"max", "category", "ignore", "zero"}, optional
        A missing value differs by 1 from everything; is one more category;
        takes its feature out of the distance; or is a raw 0 and the first
        category.
    clip : bool, optional
        Whether values beyond the bounds of a feature are set to them.
    initial_ones : {"random", "exact"}, optional
        Each bit of the initial selections is 1 with probability `prob_1`, or
        each has ``floor(prob_1 * n_rows) + 1`` ones.
    survivors : {"parents", "offspring"}, optional
        Who of equal selections survives; with "offspring" copies of those that
        did not mate count as offspring.
    restart : {"flip", "redraw"}, optional
        What a restart does to 35 % of the bits of the best selection.
    idle_generations : int, optional
        Generations at threshold 0 without a new selection before a restart.
    mutation_unit : {"child", "pair"}, optional
        Whether mutation is drawn for each child, or for two at once.
    gene_probability : float or "one", optional
        Chance of each gene of a mutated vector, or exactly one gene.
    mutation_clock : {"budget", "epoch"}, optional
        The time that lets mutations shrink: share of all evaluations, or of
        those of the epoch.
    budget : {"strict", "cycle"}, optional
        ``"strict"``: `max_evaluations` includes the initial populations and is
        never exceeded; ``"cycle"``: these are not counted, and the last cycle
        is finished.
    bounds : None or array-like, shape (2, n_features), default=None
        Least and largest value of numeric columns, if not those of the training
        rows; NaN for the latter. A DataFrame is put in the order of the
        columns; those that it does not have get the latter.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    verbose : int, default=0
        Print a line every `verbose` ten cycles.
    callback : callable, optional
        Called after every cycle with the last line of the history (a dict); a
        true value ends the search.
    time_limit : float, optional
        Seconds after which no further evaluations begin (of weights 8 together; each population
        has some). The result then depends on the speed of the machine.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    sample_indices_ : ndarray of int64, shape (n_selected,)
        Positions of the selected rows in the training table, ascending.
    feature_weights_ : Series, shape (n_features,)
        Feature weights w.
    class_multipliers_ : Series, shape (n_classes,)
        Multipliers m of the distances to the rows of each class.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        The same as class-based feature weights: ``m[c] ** 2 * w[j]``.
    reduction_ : float
        Share of the training rows that are left out.
    loo_accuracy_ : float
        Leave-one-out accuracy of the three parts together over all training rows.
    best_fitness_ : dict of str to float
        Fitness of the three parts as they were judged in their day.
    history_ : DataFrame
        One line per cycle, see `acoibl.coevolution.Cooperation.history`.
    n_cycles_, n_evaluations_ : int
        Cycles, and evaluations that the budget counts.
    n_selection_evaluations_ : int
        Evaluations of selections after the initial populations. The initial
        selections are not in it, though a strict budget counts them.
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
    estimator_ : KNNClassifier
        The result as a lazy classifier, for explanations. Where two distances
        differ by a share of 1e-9 it may answer otherwise.
    settings_ : dict
        The values in use after the preset filled the gaps.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Derrac, Triguero, Garcia and Herrera, "Integrating instance selection,
    instance weighting, and feature weighting for nearest neighbor classifiers
    by coevolutionary algorithms", IEEE Transactions on Systems, Man, and
    Cybernetics B 42 (2012) 1383-1397. Salama, Abdelbar et al.,
    "Instance-based classification with Ant Colony Optimization", Sections 3
    and 8.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.coevolution import CIWNNClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = CIWNNClassifier(max_evaluations=2000, random_state=0).fit(X, y)
    >>> bool(clf.reduction_ > 0.7), clf.class_multipliers_.shape, clf.n_evaluations_
    (True, (3,), 2000)
    """

    _parameter_constraints: ClassVar[dict] = {
        "preset": [StrOptions(set(PRESETS))],
        "max_evaluations": [Interval(Integral, 1, None, closed="left")],
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "prob_0_to_1": [Interval(Real, 0, 1, closed="both")],
        "prob_1": [Interval(Real, 0, 1, closed="both")],
        "mutation": [Interval(Real, 0, 1, closed="both")],
        "epoch_fw": [Interval(Integral, 1, None, closed="left")],
        "epoch_iw": [Interval(Integral, 1, None, closed="left")],
        "test_uses_selection": ["boolean", None],
        "refresh_best": ["boolean", None],
        "fast_threshold": ["boolean", None],
        "crossover_pool": [StrOptions({"parents", "chain"}), None],
        "iw_scale": [StrOptions({"nearer", "direct"}), None],
        "nominal": [StrOptions({"overlap", "ordinal"}), None],
        "missing": [StrOptions({"max", "category", "ignore", "zero"}), None],
        "clip": ["boolean", None],
        "initial_ones": [StrOptions({"random", "exact"}), None],
        "survivors": [StrOptions({"parents", "offspring"}), None],
        "restart": [StrOptions({"flip", "redraw"}), None],
        "idle_generations": [Interval(Integral, 0, None, closed="left"), None],
        "mutation_unit": [StrOptions({"child", "pair"}), None],
        "gene_probability": [Interval(Real, 0, 1, closed="both"), StrOptions({"one"}), None],
        "mutation_clock": [StrOptions({"budget", "epoch"}), None],
        "budget": [StrOptions({"strict", "cycle"}), None],
        "bounds": ["array-like", None],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
        "verbose": ["verbose"],
        "callback": [callable, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
    }

    def __init__(
        self,
        *,
        preset: str = "paper",
        max_evaluations: int = 10_000,
        population_size: int = 50,
        alpha: float = 0.5,
        prob_0_to_1: float = 0.25,
        prob_1: float = 0.25,
        mutation: float = 0.05,
        epoch_fw: int = 40,
        epoch_iw: int = 40,
        test_uses_selection: bool | None = None,
        refresh_best: bool | None = None,
        fast_threshold: bool | None = None,
        crossover_pool: str | None = None,
        iw_scale: str | None = None,
        nominal: str | None = None,
        missing: str | None = None,
        clip: bool | None = None,
        initial_ones: str | None = None,
        survivors: str | None = None,
        restart: str | None = None,
        idle_generations: int | None = None,
        mutation_unit: str | None = None,
        gene_probability: Any = None,
        mutation_clock: str | None = None,
        budget: str | None = None,
        bounds: Any = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        verbose: int = 0,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.preset = preset
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.alpha = alpha
        self.prob_0_to_1 = prob_0_to_1
        self.prob_1 = prob_1
        self.mutation = mutation
        self.epoch_fw = epoch_fw
        self.epoch_iw = epoch_iw
        self.test_uses_selection = test_uses_selection
        self.refresh_best = refresh_best
        self.fast_threshold = fast_threshold
        self.crossover_pool = crossover_pool
        self.iw_scale = iw_scale
        self.nominal = nominal
        self.missing = missing
        self.clip = clip
        self.initial_ones = initial_ones
        self.survivors = survivors
        self.restart = restart
        self.idle_generations = idle_generations
        self.mutation_unit = mutation_unit
        self.gene_probability = gene_probability
        self.mutation_clock = mutation_clock
        self.budget = budget
        self.bounds = bounds
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.time_limit = time_limit

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "CIWNNClassifier":
        """Search rows, feature weights and class weights on the training rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels of at least two classes.

        Returns
        -------
        CIWNNClassifier
            Itself.

        Raises
        ------
        ValueError
            For fewer than two classes, a budget smaller than the initial
            populations, or input that cannot be read; the message names the
            parameter or the column.

        Warns
        -----
        WeakFitWarning
            If no row was selected.
        """
        self.settings_ = {
            name: value if getattr(self, name) is None else getattr(self, name)
            for name, value in PRESETS[self.preset].items()
        }
        reading = self.settings_
        data = self._read(
            X, y, reading["missing"], reading["nominal"], self.bounds, reading["clip"]
        )
        if len(self.classes_) < 2:
            raise ValueError(
                f"the training rows hold one class only ({str(self.classes_[0])!r}); "
                "a weight for each class needs at least 2 classes"
            )
        if reading["budget"] == "strict" and self.max_evaluations < 3 * self.population_size:
            raise ValueError(
                f"max_evaluations={self.max_evaluations} is less than the initial populations "
                f"cost, 3 * population_size = {3 * self.population_size}: raise the former or "
                "lower the latter"
            )
        fitness = NearestNeighbourFitness(
            self._table,
            self._codes,
            len(self.classes_),
            alpha=self.alpha,
            iw_scale=reading["iw_scale"],
        )
        cooperation = Cooperation(fitness, self._run_settings(), make_generator(self.random_state))
        self.stopped_ = cooperation.run(self._report)
        self._keep(cooperation, data)
        self._warn_of_empty_selection()
        return self

    def predict_selected(self, X: Any) -> np.ndarray:
        """Predict classes from the selected training rows only.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        return self._predict_from(X, "sample_indices_")

    def predict_all(self, X: Any) -> np.ndarray:
        """Predict classes from all training rows, weighted all the same.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        return self._predict_from(X, None)

    def _run_settings(self) -> CooperationSettings:
        return CooperationSettings(
            population_size=self.population_size,
            max_evaluations=self.max_evaluations,
            prob_0_to_1=self.prob_0_to_1,
            prob_1=self.prob_1,
            mutation=self.mutation,
            epoch_fw=self.epoch_fw,
            epoch_iw=self.epoch_iw,
            reading=self.settings_,
            time_limit=self.time_limit,
        )

    def _keep(self, cooperation: Cooperation, data: EncodedData) -> None:
        mask, weights, class_weights = cooperation.best
        n_rows = len(mask)
        self.sample_indices_ = np.flatnonzero(mask)
        self.reduction_ = 1.0 - len(self.sample_indices_) / n_rows
        self.history_ = cooperation.history
        self.loo_accuracy_ = float(self.history_["joint_accuracy"].iloc[-1])
        names = ("selection", "features", "classes")
        self.best_fitness_ = dict(zip(names, cooperation.best_fitness, strict=True))
        self.n_cycles_ = cooperation.n_cycles
        self.n_evaluations_ = cooperation.n_evaluations
        self.n_selection_evaluations_ = cooperation.selections.n_evaluations
        rows = self.sample_indices_
        if not self.settings_["test_uses_selection"]:
            rows = np.arange(n_rows)
        factors = multipliers(class_weights, self.settings_["iw_scale"])
        self._keep_references(data, rows, weights, factors)

    def _report(self, line: dict) -> Any:
        if self.verbose and line["cycle"] % (10 * int(self.verbose)) == 0:
            print(
                f"[{type(self).__name__}] cycle {line['cycle']}: "
                f"joint leave-one-out accuracy {line['joint_accuracy']:.4f}, "
                f"reduction {line['reduction']:.4f}"
            )
        return self.callback(line) if self.callback is not None else False
