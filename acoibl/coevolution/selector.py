"""The selection of rows alone, by CHC."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import Interval, StrOptions

from acoibl.coevolution.chc import CHC
from acoibl.coevolution.fitness import NearestNeighbourFitness
from acoibl.coevolution.one_population import OnePopulation
from acoibl.tables import as_table


class CHCSelector(OnePopulation):
    """Nearest neighbour on training rows selected by CHC (evolutionary instance selection, IS-CHC).

    A selection is judged by the leave-one-out accuracy of the nearest selected
    row over all training rows, and by how many rows it leaves out. The
    defaults are those of the authors' program in the software KEEL, with which
    CIW-NN was compared; CIW-NN's own population of selections differs.

    Parameters
    ----------
    max_evaluations : int, default=10000
        Evaluations, initial population included.
    population_size : int, default=50
        Individuals.
    alpha : float, default=0.5
        Weight of accuracy against reduction.
    prob_0_to_1 : float, default=0.25
        Chance that crossover sets a bit.
    prob_1 : float, default=0.5
        Share of rows in the initial selections.
    exact_half : bool, default=False
        Whether crossover exchanges half of the differing bits, or each of them
        with probability 1/2.
    prefer : {"offspring", "parents"}, default="offspring"
        Who survives among equals.
    restart : {"redraw", "flip"}, default="redraw"
        What a restart does to the bits of the best selection that it touches.
    restart_rate : float, default=0.35
        Share of bits that a restart touches.
    restart_ones : float, default=0.05
        Chance of a 1 that is drawn anew.
    restart_threshold : float, optional
        Threshold of the distance between parents after a restart, as a share
        of the rows; by default ``restart_rate * (1 - restart_rate)``. It starts
        at a quarter.
    idle_generations : int, default=1
        Generations without a new selection at threshold 0 before a restart.
    missing : {"max", "category", "ignore"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    callback : callable, optional
        Called after every generation with the last line of the history (a
        dict); a true value ends the search.
    time_limit : float, optional
        Seconds after which no further evaluation begins; one always is made. The result
        then depends on the speed of the machine.

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
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
    classes_, estimator_, feature_weights_, class_multipliers_, class_weights_
        As for `CIWNNClassifier`; all weights are 1.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of object
        Column names, when fitted on a DataFrame.

    Notes
    -----
    Oddities of the program are not repeated: there no row at distance 0
    answers, be it another one; a selection of no row has the full reduction,
    here it is the worst; the initial population is not counted.

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
        **OnePopulation._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="both")],
        "prob_0_to_1": [Interval(Real, 0, 1, closed="both")],
        "prob_1": [Interval(Real, 0, 1, closed="both")],
        "exact_half": ["boolean"],
        "prefer": [StrOptions({"offspring", "parents"})],
        "restart": [StrOptions({"redraw", "flip"})],
        "restart_rate": [Interval(Real, 0, 1, closed="both")],
        "restart_ones": [Interval(Real, 0, 1, closed="both")],
        "restart_threshold": [Interval(Real, 0, 1, closed="both"), None],
        "idle_generations": [Interval(Integral, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 50,
        alpha: float = 0.5,
        prob_0_to_1: float = 0.25,
        prob_1: float = 0.5,
        exact_half: bool = False,
        prefer: str = "offspring",
        restart: str = "redraw",
        restart_rate: float = 0.35,
        restart_ones: float = 0.05,
        restart_threshold: float | None = None,
        idle_generations: int = 1,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.alpha = alpha
        self.prob_0_to_1 = prob_0_to_1
        self.prob_1 = prob_1
        self.exact_half = exact_half
        self.prefer = prefer
        self.restart = restart
        self.restart_rate = restart_rate
        self.restart_ones = restart_ones
        self.restart_threshold = restart_threshold
        self.idle_generations = idle_generations
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

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
        X = as_table(X)
        rows = self.fit(X, y).sample_indices_
        return (
            X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows],
            y.iloc[rows] if isinstance(y, pd.Series) else np.asarray(y)[rows],
        )

    def _population(self, fitness: NearestNeighbourFitness, common: dict) -> CHC:
        threshold, rate = self.restart_threshold, self.restart_rate
        return CHC(
            fitness.selections,
            fitness.n_rows,
            prob_0_to_1=self.prob_0_to_1,
            prob_1=self.prob_1,
            exact_half=self.exact_half,
            prefer=self.prefer,
            restart=self.restart,
            restart_rate=rate,
            restart_ones=self.restart_ones,
            restart_threshold=rate * (1.0 - rate) if threshold is None else threshold,
            idle_generations=self.idle_generations,
            pass_parents=True,
            **common,
        )

    def _parts(self, x: np.ndarray, fitness: NearestNeighbourFitness) -> list[np.ndarray]:
        return [x, np.ones(fitness.n_features), fitness.neutral()]
