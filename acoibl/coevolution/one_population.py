"""What the parts of CIW-NN share when they work alone."""

from abc import abstractmethod
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from acoibl.coevolution.fitness import NearestNeighbourFitness, multipliers
from acoibl.coevolution.populations import Evolution, Stop, make_generator
from acoibl.coevolution.prediction import NearestReference
from acoibl.lazy.checks import MixedDataMixin


class OnePopulation(NearestReference, MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Base: one population, the other two parts neutral."""

    _parameter_constraints: ClassVar[dict] = {
        "max_evaluations": [Interval(Integral, 1, None, closed="left")],
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "missing": [StrOptions({"max", "category", "ignore"})],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
        "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
        "callback": [callable, None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
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
    def fit(self, X: Any, y: Any) -> "OnePopulation":
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

        Warns
        -----
        WeakFitWarning
            If no row was selected.
        """
        stop = Stop(self.callback, self.time_limit)
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
                "callback": stop,
            },
        )
        if self.time_limit is not None:
            population.is_late = stop.is_late
        result = population.run()
        mask, weights, class_weights = self._parts(result.x, fitness)
        fitness.fix(mask, weights, class_weights)
        self.loo_accuracy_ = fitness.accuracy()
        self.best_fitness_ = result.fun
        self.history_ = result.history
        self.n_evaluations_ = result.nfev
        self.stopped_ = stop.reason
        self.sample_indices_ = np.flatnonzero(mask)
        self.reduction_ = 1.0 - len(self.sample_indices_) / len(mask)
        factors = multipliers(class_weights, self._iw_scale)
        if np.ptp(class_weights) == 0:
            factors = np.ones(len(factors))
        self._keep_references(data, self.sample_indices_, weights, factors)
        self._warn_of_empty_selection()
        return self
