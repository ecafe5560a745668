"""The parts of CIW-NN alone: selection of rows, feature weights, or class weights."""

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from acoibl.coevolution.chc import CHC
from acoibl.coevolution.fitness import NearestNeighbourFitness, multipliers
from acoibl.coevolution.populations import Evolution, make_generator
from acoibl.coevolution.prediction import NearestReference
from acoibl.coevolution.steady_state import SteadyStateGA
from acoibl.lazy.checks import MixedDataMixin


class _OnePopulation(NearestReference, MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Base: one population, the other two parts neutral."""

    _parameter_constraints: ClassVar[dict] = {
        "max_evaluations": [Interval(Integral, 1, None, closed="left")],
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "missing": [StrOptions({"max", "category", "ignore"})],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
        "callback": [callable, None],
    }
    _alpha = 0.5
    _iw_scale = "nearer"

    @abstractmethod
    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> Evolution:
        """The population to run."""

    @abstractmethod
    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        """Selection, feature weights and class weights of an individual."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "_OnePopulation":
        """Search on the training rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        ValueError
            For input that cannot be read; the message names the parameter or
            the column.
        """
        data = self._read(X, y, self.missing)
        fitness = NearestNeighbourFitness(
            self._table,
            self._codes,
            len(self.classes_),
            alpha=self._alpha,
            iw_scale=self._iw_scale,
        )
        population = self._population(
            fitness,
            {
                "population_size": self.population_size,
                "max_evaluations": self.max_evaluations,
                "vectorized": True,
                "random_state": make_generator(self.random_state),
                "callback": self.callback,
            },
        )
        result = population.run()
        mask, weights, class_weights = self._parts(result.x, fitness)
        fitness.fix(mask, weights, class_weights)
        self.loo_accuracy_ = fitness.accuracy()
        self.best_fitness_ = result.fun
        self.history_ = result.history
        self.n_evaluations_ = result.nfev
        self.sample_indices_ = np.flatnonzero(mask)
        self.reduction_ = 1.0 - len(self.sample_indices_) / len(mask)
        factors = multipliers(class_weights, self._iw_scale)
        if np.ptp(class_weights) == 0:
            factors = np.ones(len(factors))
        self._keep_references(X, data, self.sample_indices_, weights, factors)
        return self


class CHCSelector(_OnePopulation):
    """Nearest neighbour on training rows selected by CHC (evolutionary instance selection).

    A selection is judged by the leave-one-out accuracy of the nearest selected
    row over all training rows, and by how many rows it leaves out.

    Parameters
    ----------
    max_evaluations : int, default=10000
        Evaluations, initial population included.
    population_size : int, default=50
        Individuals.
    alpha : float, default=0.5
        Weight of accuracy against reduction.
    prob_0_to_1, prob_1 : float, default=0.25
        Chance that crossover sets a bit, and share of rows in the initial
        selections.
    missing : {"max", "category", "ignore"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    callback : callable, optional
        Called after every generation with the last line of the history (a
        dict); a true value ends the search.

    Attributes
    ----------
    sample_indices_ : ndarray of int64, shape (n_selected,)
        Positions of the selected rows in the training table, ascending.
    reduction_ : float
        Share of the training rows that are left out.
    loo_accuracy_, best_fitness_ : float
        Leave-one-out accuracy over all training rows, and fitness.
    history_ : DataFrame
        One line per generation, see `CHC`.
    n_evaluations_ : int
        Evaluations.
    classes_, estimator_, feature_weights_, class_multipliers_, class_weights_
        As for `CIWNNClassifier`; all weights are 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Cano, Herrera and Lozano, "Using evolutionary algorithms as instance
    selection for data reduction in KDD: an experimental study", IEEE
    Transactions on Evolutionary Computation 7 (2003) 561-575.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.coevolution import CHCSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = CHCSelector(max_evaluations=3000, random_state=0).fit(X, y)
    >>> bool(clf.reduction_ > 0.9), bool(clf.loo_accuracy_ > 0.9)
    (True, True)
    """

    _parameter_constraints: ClassVar[dict] = {
        **_OnePopulation._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "prob_0_to_1": [Interval(Real, 0, 1, closed="both")],
        "prob_1": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 50,
        alpha: float = 0.5,
        prob_0_to_1: float = 0.25,
        prob_1: float = 0.25,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.alpha = alpha
        self.prob_0_to_1 = prob_0_to_1
        self.prob_1 = prob_1
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback

    @property
    def _alpha(self) -> float:
        return self.alpha

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Search, and return the selected rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Training rows.
        y : array-like, shape (n_rows,)
            Class labels.

        Returns
        -------
        X : DataFrame or ndarray, shape (n_selected, n_features)
            Selected rows.
        y : Series or ndarray, shape (n_selected,)
            Their labels.
        """
        self.fit(X, y)
        rows = self.sample_indices_
        return (
            X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows],
            y.iloc[rows] if isinstance(y, pd.Series) else np.asarray(y)[rows],
        )

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> CHC:
        return CHC(
            fitness.selections,
            fitness.n_rows,
            prob_0_to_1=self.prob_0_to_1,
            prob_1=self.prob_1,
            pass_parents=True,
            **common,
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [x, np.ones(fitness.n_features), fitness.neutral()]


class SSGAFeatureWeighter(_OnePopulation):
    """Nearest neighbour with feature weights found by a steady-state genetic algorithm.

    Weights are judged by leave-one-out accuracy over the training rows.

    Parameters
    ----------
    max_evaluations, population_size
        As for `CHCSelector`.
    mutation : float, default=0.05
        Chance of a vector of weights to be mutated.
    missing, categorical_features, random_state, callback
        As for `CHCSelector`.

    Attributes
    ----------
    feature_weights_ : Series, shape (n_features,)
        Feature weights in [0, 1].
    loo_accuracy_, best_fitness_ : float
        Leave-one-out accuracy.
    history_ : DataFrame
        One line per step, see `SteadyStateGA`.
    n_evaluations_ : int
        Evaluations.
    classes_, estimator_, sample_indices_, reduction_, class_multipliers_, class_weights_
        As for `CIWNNClassifier`; all rows are kept, all multipliers are 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Derrac, Triguero, Garcia and Herrera (2012), see `CIWNNClassifier`: its
    population of feature weights.

    Examples
    --------
    >>> import numpy as np
    >>> from acoibl.coevolution import SSGAFeatureWeighter
    >>> X = np.random.default_rng(0).random((60, 3))
    >>> y = X[:, 1] > 0.5
    >>> clf = SSGAFeatureWeighter(max_evaluations=800, random_state=0).fit(X, y)
    >>> int(clf.feature_weights_.to_numpy().argmax()), bool(clf.loo_accuracy_ > 0.95)
    (1, True)
    """

    _parameter_constraints: ClassVar[dict] = {
        **_OnePopulation._parameter_constraints,
        "mutation": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 50,
        mutation: float = 0.05,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.mutation = mutation
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> SteadyStateGA:
        return SteadyStateGA(
            fitness.features, fitness.n_features, mutation_probability=self.mutation, **common
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [np.ones(fitness.n_rows, dtype=bool), x, fitness.neutral()]


class SSGAClassWeighter(_OnePopulation):
    """Nearest neighbour with a weight for the rows of each class, found by a genetic algorithm.

    Weights are judged by leave-one-out accuracy over the training rows.

    Parameters
    ----------
    max_evaluations, population_size, mutation
        As for `SSGAFeatureWeighter`.
    iw_scale : {"nearer", "direct"}, default="nearer"
        How class weights become multipliers, see `CIWNNClassifier`.
    missing, categorical_features, random_state, callback
        As for `CHCSelector`.

    Attributes
    ----------
    class_multipliers_ : Series, shape (n_classes,)
        Multipliers of the distances to the rows of each class.
    loo_accuracy_, best_fitness_ : float
        Leave-one-out accuracy.
    history_ : DataFrame
        One line per step, see `SteadyStateGA`.
    n_evaluations_ : int
        Evaluations.
    classes_, estimator_, sample_indices_, reduction_, feature_weights_, class_weights_
        As for `CIWNNClassifier`; all rows are kept, all feature weights are 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    References
    ----------
    Derrac, Triguero, Garcia and Herrera (2012), see `CIWNNClassifier`: its
    population of instance weights.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from acoibl.coevolution import SSGAClassWeighter
    >>> X, y = load_wine(return_X_y=True)
    >>> clf = SSGAClassWeighter(max_evaluations=500, random_state=0).fit(X, y)
    >>> clf.class_multipliers_.shape, bool(clf.loo_accuracy_ > 0.95)
    ((3,), True)
    """

    _parameter_constraints: ClassVar[dict] = {
        **SSGAFeatureWeighter._parameter_constraints,
        "iw_scale": [StrOptions({"nearer", "direct"})],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 50,
        mutation: float = 0.05,
        iw_scale: str = "nearer",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.mutation = mutation
        self.iw_scale = iw_scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback

    @property
    def _iw_scale(self) -> str:
        return self.iw_scale

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> SteadyStateGA:
        return SteadyStateGA(
            fitness.classes, fitness.n_classes, mutation_probability=self.mutation, **common
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [np.ones(fitness.n_rows, dtype=bool), np.ones(fitness.n_features), x]
