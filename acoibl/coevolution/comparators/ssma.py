"""SSMA: prototype selection by a steady-state memetic algorithm."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from acoibl.coevolution.comparators.base import PrototypeClassifier
from acoibl.coevolution.comparators.problem import Learned, Problem
from acoibl.coevolution.comparators.record import SEARCH_CONSTRAINTS, Record
from acoibl.kernels import genetic
from acoibl.kernels.prototypes import selection

_COLUMNS = ("evaluation", "best", "accuracy", "reduction", "least_gain")


class SSMAClassifier(PrototypeClassifier):
    """1-NN over prototypes selected by a steady-state memetic algorithm (SSMA).

    A chromosome says which rows are kept; its fitness is ``alpha * accuracy +
    (1 - alpha) * reduction``, the accuracy by leave-one-out over all training
    rows. Each step crosses and mutates two parents. A child that beats the
    worst individual, or any other with probability `local_probability`, goes
    through a local search that drops rows as long as that changes the number
    of right answers by at least a threshold. The threshold rises by 1 when
    `patience` steps brought no gain in accuracy, and falls by 1 when they
    brought none in reduction.

    Parameters
    ----------
    max_evaluations : int, default=10000
        Budget, the initial population included. A trial of the local search
        costs the share of the rows that must look for another neighbour; what
        is begun is finished, so that up to 1 more may be spent. Two
        individuals are judged whatever the budget: the least is 2.
    population_size : int, default=30
        Individuals.
    crossover_rate : float, default=0.5
        Chance that a bit is exchanged.
    mutation_rate : float, default=0.001
        Chance that a bit flips.
    local_probability : float, default=0.0625
        Chance of the local search for a child that is not better than the worst.
    patience : int, default=10
        Steps without gain after which the threshold moves.
    alpha : float, default=0.5
        Weight of accuracy against reduction.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    callback : callable, optional
        Called after every step with the last line of the history (a dict);
        a true value ends the search.
    time_limit : float, optional
        Seconds after which no further step, and none of the initial evaluations but
        the first, begins. The result then depends on the speed of the machine.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    sample_indices_ : ndarray of int64, shape (n_prototypes,)
        Rows that were kept.
    reduction_ : float
        Share of the rows that were dropped.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by another row.
    history_ : DataFrame
        After each step: ``evaluation``, ``best`` (fitness), its ``accuracy``
        and ``reduction``, ``least_gain`` (the threshold).
    n_evaluations_ : float
        Evaluations spent.
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
    class_weights_, feature_weights_, multipliers_
        All 1: this method weighs nothing.

    Notes
    -----
    Parameters are those of the authors' program in the software KEEL. Two of
    its oddities are not repeated: there the last individual never takes part
    in a tournament, and only one of the two rules of the threshold ever acts.

    References
    ----------
    García, Cano and Herrera, "A memetic algorithm for evolutionary prototype
    selection: A scaling up approach", Pattern Recognition 41 (2008) 2693-2709.

    Examples
    --------
    >>> from acoibl.coevolution.comparators import SSMAClassifier
    >>> X = [[0.0], [0.1], [0.2], [0.8], [0.9], [1.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> clf = SSMAClassifier(max_evaluations=200, random_state=0).fit(X, y)
    >>> clf.predict([[0.3], [0.7]]).tolist(), clf.reduction_
    (['low', 'high'], 0.5)
    """

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        **SEARCH_CONSTRAINTS,
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "crossover_rate": [Interval(Real, 0, 1, closed="both")],
        "mutation_rate": [Interval(Real, 0, 1, closed="both")],
        "local_probability": [Interval(Real, 0, 1, closed="both")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 30,
        crossover_rate: float = 0.5,
        mutation_rate: float = 0.001,
        local_probability: float = 0.0625,
        patience: int = 10,
        alpha: float = 0.5,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.local_probability = local_probability
        self.patience = patience
        self.alpha = alpha
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        record = Record(_COLUMNS, self.callback, self.time_limit)
        search = _Search(self, problem, rng, record.is_late)
        while record.add(*search.line()) and search.spent < self.max_evaluations:
            search.step()
        rows = np.flatnonzero(search.population[search.best])
        return Learned(
            rows=rows,
            multipliers=np.ones(len(rows)),
            feature_weights=np.ones(problem.n_features),
            facts=record.facts(search.spent),
        )

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        return Record(_COLUMNS).facts(0.0)


class _Search:
    """State of one run."""

    def __init__(
        self,
        settings: SSMAClassifier,
        problem: Problem,
        rng: np.random.Generator,
        is_late: Callable[[], bool],
    ):
        self.settings, self.rng = settings, rng
        self.classes, self.queries = problem.classes, problem.queries
        ones = problem.weights(np.ones(problem.n_features))
        self.lists = selection.neighbour_lists(problem.queries, problem.training, ones)
        self.nearest = np.empty(problem.n_rows, dtype=np.int64)
        self.spent = 0.0
        self.least_gain = 0
        # Steps without a gain, and the best so far, of accuracy and of reduction.
        self.idle = [0, 0]
        self.records = [-1.0, -1.0]
        size = min(settings.population_size, max(2, settings.max_evaluations))
        self.population = rng.random((size, problem.n_rows)) < 0.5
        self.fitness = np.full(size, -np.inf)
        for i, bits in enumerate(self.population):
            if i and is_late():
                break
            self._revive(bits)
            self.fitness[i] = self._fitness(bits, self._evaluate(bits))

    @property
    def best(self) -> int:
        """Best individual, the first of equals."""
        return int(self.fitness.argmax())

    def line(self) -> tuple:
        """Line of the history."""
        return self.spent, float(self.fitness.max()), *self._best_parts(), self.least_gain

    def step(self) -> None:
        """Make two children and let each replace the worst individual if it is better."""
        settings, rng = self.settings, self.rng
        first = self.population[genetic.tournament(self.fitness, rng.random(2))]
        second = self.population[genetic.tournament(self.fitness, rng.random(2))]
        swap = rng.random(len(first)) < settings.crossover_rate
        for a, b in ((first, second), (second, first)):
            if self.spent >= settings.max_evaluations:
                break
            child = np.where(swap, b, a)
            child ^= rng.random(len(child)) < settings.mutation_rate
            self._revive(child)
            hits = self._evaluate(child)
            promising = self._fitness(child, hits) > self.fitness.min()
            if promising or rng.random() < settings.local_probability:
                hits = self._improve(child, hits)
            fitness = self._fitness(child, hits)
            worst = int(self.fitness.argmin())
            if fitness > self.fitness[worst]:
                self.population[worst], self.fitness[worst] = child, fitness
        self._move_threshold()

    def _revive(self, bits: np.ndarray) -> None:
        if not bits.any():
            bits[self.rng.integers(len(bits))] = True

    def _evaluate(self, bits: np.ndarray) -> int:
        self.spent += 1.0
        return selection.answer_selection(
            bits, self.lists, self.classes, self.queries, self.nearest
        )

    def _improve(self, bits: np.ndarray, hits: int) -> int:
        left = self.settings.max_evaluations - self.spent
        hits, spent = selection.drop_rows(
            bits,
            self.nearest,
            hits,
            self.least_gain,
            left,
            self.lists,
            self.classes,
            self.queries,
            self.rng,
        )
        self.spent += spent
        return hits

    def _fitness(self, bits: np.ndarray, hits: int) -> float:
        n, alpha = len(bits), self.settings.alpha
        return alpha * hits / n + (1 - alpha) * (1 - bits.sum() / n)

    def _best_parts(self) -> tuple[float, float]:
        """Accuracy and reduction of the best individual."""
        alpha, best = self.settings.alpha, self.best
        reduction = 1 - self.population[best].mean()
        if alpha == 0:
            return 0.0, float(reduction)
        return float((self.fitness[best] - (1 - alpha) * reduction) / alpha), float(reduction)

    def _move_threshold(self) -> None:
        for part, (value, move) in enumerate(zip(self._best_parts(), (1, -1), strict=True)):
            if value > self.records[part] + 1e-12:
                self.records[part], self.idle[part] = value, 0
                continue
            self.idle[part] += 1
            if self.idle[part] == self.settings.patience:
                self.idle[part] = 0
                self.least_gain += move
