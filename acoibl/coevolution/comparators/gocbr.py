"""GOCBR: feature weights and instances chosen together by a genetic algorithm."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from acoibl.coevolution.comparators.base import PrototypeClassifier
from acoibl.coevolution.comparators.problem import Learned, Problem
from acoibl.coevolution.comparators.record import SEARCH_CONSTRAINTS, Record
from acoibl.kernels import genetic
from acoibl.kernels.prototypes import feature_blocks

_COLUMNS = ("evaluation", "best", "mean", "reduction")


class GOCBRClassifier(PrototypeClassifier):
    """1-NN whose feature weights and instances one genetic algorithm chooses (GOCBR).

    A chromosome holds the weight of each feature as a binary number, and one
    bit for each training row that says whether it may answer. Its fitness is
    the leave-one-out accuracy over all training rows. Each generation keeps
    its best individual and is filled up with children of parents that won a
    tournament of two.

    Parameters
    ----------
    max_evaluations : int, default=10000
        Budget, the initial population included.
    population_size : int, default=100
        Individuals.
    weight_bits : int, default=14
        Bits of a weight: steps of 1 / (2^bits - 1) from 0 to 1.
    crossover_rate : float, default=0.7
        Chance that two parents exchange each of their bits with probability
        1/2; otherwise their children begin as copies.
    mutation_rate : float, default=0.1
        Chance that a child is mutated: one bit of its weights and one of its
        rows flip.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    callback : callable, optional
        Called after every generation with the last line of the history (a dict);
        a true value ends the search.
    time_limit : float, optional
        Seconds after which no further evaluation begins; one always is made. The
        result then depends on the speed of the machine.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    feature_weights_ : Series, shape (n_features,)
        Weights inside the root of the distance.
    sample_indices_ : ndarray of int64, shape (n_prototypes,)
        Rows that answer.
    reduction_ : float
        Share of the rows that were dropped.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by another row.
    history_ : DataFrame
        After each generation: ``evaluation``, ``best`` and ``mean`` fitness,
        ``reduction`` of the best.
    n_evaluations_ : int
        Evaluations spent.
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
    class_weights_, multipliers_
        The same weights for every class; multiplier 1.

    Notes
    -----
    Of the articles only abstracts were at hand when this was written: the
    operators are the usual ones for such a chromosome. The article measures
    fitness on a part of the rows held back; here leave-one-out takes its
    place, as for the other methods of this package.

    References
    ----------
    Ahn and Kim, "Global optimization of case-based reasoning for breast
    cytology diagnosis", Expert Systems with Applications 36 (2009) 724-734.
    Ahn, Kim and Han, "A case-based reasoning system with the two-dimensional
    reduction technique for customer classification", Expert Systems with
    Applications 32 (2007) 1011-1019.

    Examples
    --------
    >>> from acoibl.coevolution.comparators import GOCBRClassifier
    >>> X = [[0.0, 0.3], [0.3, 0.9], [0.2, 0.1], [0.7, 0.2], [0.9, 0.8], [1.0, 0.4]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> GOCBRClassifier(max_evaluations=500, random_state=0).fit(X, y).loo_accuracy_
    1.0
    """

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        **SEARCH_CONSTRAINTS,
        "population_size": [Interval(Integral, 2, None, closed="left")],
        "weight_bits": [Interval(Integral, 1, 50, closed="both")],
        "crossover_rate": [Interval(Real, 0, 1, closed="both")],
        "mutation_rate": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        population_size: int = 100,
        weight_bits: int = 14,
        crossover_rate: float = 0.7,
        mutation_rate: float = 0.1,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.population_size = population_size
        self.weight_bits = weight_bits
        self.crossover_rate = crossover_rate
        self.mutation_rate = mutation_rate
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        record = Record(_COLUMNS, self.callback, self.time_limit)
        self._known: dict[bytes, float] = {}
        self._blocks = feature_blocks.make_blocks(problem.data.numeric, problem.data.codes)
        n_weight_bits = self.weight_bits * problem.n_features
        size = min(self.population_size, self.max_evaluations)
        population = rng.random((size, n_weight_bits + problem.n_rows)) < 0.5
        fitness, spent = self._evaluate(population, problem, record)
        while True:
            best = int(fitness.argmax())
            reduction = float(1.0 - population[best, n_weight_bits:].mean())
            goes_on = record.add(spent, float(fitness[best]), float(fitness.mean()), reduction)
            n = min(size - 1, self.max_evaluations - spent)
            if n <= 0 or not goes_on:
                break
            children = self._breed(population, fitness, n, n_weight_bits, rng)
            found, n = self._evaluate(children, problem, record)
            spent += n
            population = np.concatenate([population[best : best + 1], children])
            fitness = np.concatenate([fitness[best : best + 1], found])
        del self._known, self._blocks
        best = int(fitness.argmax())
        weights, kept = self._decode(population[best], problem)
        rows = np.flatnonzero(kept)
        feature_weights = problem.in_given_order(weights)
        return Learned(
            rows=rows,
            multipliers=np.ones(len(rows)),
            feature_weights=feature_weights,
            facts=record.facts(spent),
        )

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        return Record(_COLUMNS).facts(0)

    def _breed(
        self,
        population: np.ndarray,
        fitness: np.ndarray,
        n: int,
        n_weight_bits: int,
        rng: np.random.Generator,
    ) -> np.ndarray:
        """Make n children."""
        children = np.empty((n + n % 2, population.shape[1]), dtype=bool)
        for i in range(0, n, 2):
            first = population[genetic.tournament(fitness, rng.random(2))]
            second = population[genetic.tournament(fitness, rng.random(2))]
            swap = np.zeros(len(first), dtype=bool)
            if rng.random() < self.crossover_rate:
                swap = rng.random(len(first)) < 0.5
            children[i] = np.where(swap, second, first)
            children[i + 1] = np.where(swap, first, second)
        for child in children:
            if rng.random() < self.mutation_rate:
                child[rng.integers(n_weight_bits)] ^= True
                child[rng.integers(n_weight_bits, len(child))] ^= True
        return children[:n]

    def _decode(self, chromosome: np.ndarray, problem: Problem) -> tuple[np.ndarray, np.ndarray]:
        """Weights in the order of the kernels, and which rows are kept."""
        n = self.weight_bits * problem.n_features
        digits = chromosome[:n].reshape(problem.n_features, self.weight_bits)
        values = digits @ (2.0 ** np.arange(self.weight_bits))
        return values / (2.0**self.weight_bits - 1.0), chromosome[n:]

    def _evaluate(
        self, population: np.ndarray, problem: Problem, record: Record
    ) -> tuple[np.ndarray, int]:
        """Leave-one-out accuracy, -1 without time for it, and how many there was time for.

        That of a known chromosome is looked up.
        """
        out = np.full(len(population), -1.0)
        for i, chromosome in enumerate(population):
            if i and record.is_late():
                return out, i
            key = np.packbits(chromosome).tobytes()
            if key not in self._known:
                self._known[key] = self._accuracy(chromosome, problem)
            out[i] = self._known[key]
        return out, len(population)

    def _accuracy(self, chromosome: np.ndarray, problem: Problem) -> float:
        weights, kept = self._decode(chromosome, problem)
        if not kept.any():
            return -1.0  # never the answer
        hits = np.empty(1, dtype=np.int64)
        none = np.empty(0, dtype=np.int64)
        feature_blocks.hits_of_variants(
            self._blocks, problem.classes, kept, weights, none, np.empty(0), hits
        )
        return hits[0] / problem.n_rows
