"""The weighing parts of CIW-NN alone: feature weights, or class weights."""

from collections.abc import Callable
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from acoibl._sklearn import Interval, StrOptions
from acoibl.coevolution.fitness import NearestNeighbourFitness
from acoibl.coevolution.one_population import OnePopulation
from acoibl.coevolution.steady_state import SteadyStateGA


class SSGAFeatureWeighter(OnePopulation):
    """Nearest neighbour with feature weights found by a steady-state genetic algorithm.

    Weights are judged by leave-one-out accuracy over the training rows.

    Parameters
    ----------
    max_evaluations, population_size
        As for `CHCSelector`.
    mutation : float, default=0.05
        Chance of a vector of weights to be mutated.
    missing, categorical_features, random_state, callback, time_limit
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
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
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
        **OnePopulation._parameter_constraints,
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
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.mutation = mutation
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> SteadyStateGA:
        return SteadyStateGA(
            fitness.features, fitness.n_features, mutation_probability=self.mutation, **common
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [np.ones(fitness.n_rows, dtype=bool), x, fitness.neutral()]


class SSGAClassWeighter(OnePopulation):
    """Nearest neighbour with a weight for the rows of each class, found by a genetic algorithm.

    Weights are judged by leave-one-out accuracy over the training rows.

    Parameters
    ----------
    max_evaluations, population_size, mutation
        As for `SSGAFeatureWeighter`.
    iw_scale : {"nearer", "direct"}, default="nearer"
        How class weights become multipliers, see `CIWNNClassifier`.
    missing, categorical_features, random_state, callback, time_limit
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
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
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
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.mutation = mutation
        self.iw_scale = iw_scale
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

    @property
    def _iw_scale(self) -> str:
        return self.iw_scale

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> SteadyStateGA:
        return SteadyStateGA(
            fitness.classes, fitness.n_classes, mutation_probability=self.mutation, **common
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [np.ones(fitness.n_rows, dtype=bool), np.ones(fitness.n_features), x]
