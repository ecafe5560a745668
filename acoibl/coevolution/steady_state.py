"""A steady-state genetic algorithm for real vectors, with multiple descendants."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from acoibl.acor.archive import check_box
from acoibl.coevolution.populations import Evolution, check_count, check_probability
from acoibl.kernels import genetic


class SteadyStateGA(Evolution):
    """Maximise a function of a real vector by a steady-state genetic algorithm.

    A step chooses two parents by binary tournament, crosses them several times
    by BLX-alpha (2BLX0.3-4BLX0.5-2BLX0.7: eight children), mutates a few, and
    puts the best two children in the place of the two worst individuals.

    Parameters
    ----------
    fitness : callable
        ``fitness(x) -> float``, x of float64, shape (n_genes,); or,
        `vectorized`, ``fitness(X) -> array (n,)`` for X of shape (n, n_genes).
        NaN is worst.
    n_genes : int
        Number of variables.
    bounds : tuple of float or array-like, shape (n_genes, 2), default=(0, 1)
        Lower and upper bound, for all variables or for each.
    population_size : int, default=50
        Individuals, at least 2.
    max_evaluations : int, default=10000
        Budget of `run`, initial population included; never exceeded.
    alphas : sequence of float, default=(0.3, 0.5, 0.5, 0.7)
        Width of each crossover; each makes two children.
    crossover_pool : {"parents", "chain"}, default="parents"
        ``"parents"``: every crossover is of the two parents, and the best two
        of all children survive. ``"chain"``, as in the software KEEL: from the
        second on the first parent meets the second child of the crossover
        before; survivors are the best of the first children, and the second
        child of the last crossover, whatever its fitness.
    mutation_probability : float, default=0.05
        Chance that a child is mutated.
    mutation_unit : {"child", "pair"}, default="child"
        Whether that is drawn for each child, or for both children of a crossover.
    gene_probability : float, optional
        Chance of each gene of a mutated child to change; by default exactly
        one gene does, chosen uniformly.
    mutation_shape : float, default=5
        b of the non-uniform mutation: how fast its steps shrink with time.
    horizon : int, optional
        Evaluations after which the clock of the mutation begins anew; by
        default it runs once, to `max_evaluations`.
    vectorized : bool, default=False
        Whether `fitness` takes many individuals at once.
    keep_history : bool, default=True
        Whether to keep the history, which costs a little time.
    random_state : int, SeedSequence, Generator or None, default=None
        Seed, as for `numpy.random.default_rng`.
    callback : callable, optional
        Called after every step of `run` with the last line of the history (a
        dict); a true value ends the run.

    Attributes
    ----------
    population : ndarray of float64, shape (population_size, n_genes)
        Individuals, best first.
    fitness : ndarray of float64, shape (population_size,)
        Their fitness.
    n_evaluations, n_steps : int
        Evaluations and steps so far.
    history : DataFrame
        One line per step: ``step``, ``evaluation``, ``best``, ``mean``.

    References
    ----------
    Herrera, Lozano and Sanchez, "A taxonomy for the crossover operator for
    real-coded genetic algorithms", International Journal of Intelligent Systems
    18 (2003) 309-338. Sanchez, Lozano, Villar and Herrera, "Hybrid crossover
    operators with multiple descendents for real-coded genetic algorithms",
    International Journal of Intelligent Systems 24 (2009) 540-567.

    Examples
    --------
    >>> from acoibl.coevolution import SteadyStateGA
    >>> result = SteadyStateGA(lambda x: -((x - 0.3) ** 2).sum(), 5, random_state=0).run()
    >>> result.x.round(2).tolist(), result.nfev
    ([0.3, 0.3, 0.3, 0.3, 0.3], 10000)
    """

    def __init__(
        self,
        fitness: Callable[..., Any],
        n_genes: int,
        *,
        bounds: Any = (0.0, 1.0),
        population_size: int = 50,
        max_evaluations: int = 10_000,
        alphas: Sequence[float] = (0.3, 0.5, 0.5, 0.7),
        crossover_pool: str = "parents",
        mutation_probability: float = 0.05,
        mutation_unit: str = "child",
        gene_probability: float | None = None,
        mutation_shape: float = 5.0,
        horizon: int | None = None,
        vectorized: bool = False,
        keep_history: bool = True,
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
    ):
        super().__init__(
            fitness,
            n_genes,
            population_size=population_size,
            max_evaluations=max_evaluations,
            vectorized=vectorized,
            keep_history=keep_history,
            random_state=random_state,
            callback=callback,
        )
        self.alphas = np.array(alphas, dtype=np.float64).reshape(-1)
        if not len(self.alphas) or not ((self.alphas >= 0) & (self.alphas < np.inf)).all():
            raise ValueError(
                f"alphas must be one or more finite numbers of at least 0, got {alphas}"
            )
        self.lower, self.upper = _bounds(bounds, self.n_genes, 1 + 2 * self.alphas.max())
        if crossover_pool not in ("parents", "chain"):
            raise ValueError(f"crossover_pool must be 'parents' or 'chain', got {crossover_pool!r}")
        if mutation_unit not in ("child", "pair"):
            raise ValueError(f"mutation_unit must be 'child' or 'pair', got {mutation_unit!r}")
        self.crossover_pool = crossover_pool
        self.mutation_probability = check_probability("mutation_probability", mutation_probability)
        self.mutation_unit = mutation_unit
        self.gene_probability = (
            -1.0
            if gene_probability is None
            else check_probability("gene_probability", gene_probability)
        )
        if not 0 <= mutation_shape < np.inf:
            raise ValueError(
                f"mutation_shape must be a finite number of at least 0, got {mutation_shape}"
            )
        self.mutation_shape = float(mutation_shape)
        self.horizon = None if horizon is None else check_count("horizon", horizon, 1)
        self._children = np.empty((2 * len(self.alphas), self.n_genes))
        self._at_once = len(self._children)  # judged together they cost far less
        self._n_draws = genetic.count_draws(len(self.alphas), self.n_genes)
        self._stages = 2.0 * np.arange(len(self.alphas))

    def start(self) -> "SteadyStateGA":
        """Draw and evaluate the initial population.

        Returns
        -------
        SteadyStateGA
            Itself.
        """
        genes = self.draw()
        fitness = np.full(len(genes), -np.inf)
        n = min(len(genes), self.max_evaluations)
        fitness[:n] = self.evaluate(genes[:n])
        return self.take(genes, fitness)

    def draw(self) -> np.ndarray:
        """Draw an initial population, uniform within the bounds, without evaluating it.

        Returns
        -------
        ndarray of float64, shape (population_size, n_genes)
            Individuals.
        """
        shares = self.rng.random((self.population_size, self.n_genes))
        return self.lower + (self.upper - self.lower) * shares

    def take(self, genes: np.ndarray, fitness: np.ndarray) -> "SteadyStateGA":
        """Start from a population whose fitness is known.

        Parameters
        ----------
        genes : ndarray of float64, shape (population_size, n_genes)
            Individuals.
        fitness : ndarray of float64, shape (population_size,)
            Their fitness.

        Returns
        -------
        SteadyStateGA
            Itself.
        """
        self._settle(np.array(genes, dtype=np.float64), np.array(fitness, dtype=np.float64))
        self._record()
        return self

    def step(self, n_left: int | None = None, clock: tuple[float, float] | None = None) -> int:
        """Make the children of one pair of parents, and replace the two worst individuals.

        Parameters
        ----------
        n_left : int, optional
            Most evaluations; further children are not evaluated and cannot survive.
        clock : tuple of float, optional
            Evaluations over, and their total, on a clock other than this population's own.

        Returns
        -------
        int
            Evaluations made: one for each child.
        """
        self._check_started()
        if clock is None:
            total = self.horizon or self.max_evaluations
            clock = (self.n_evaluations % total if self.horizon else self.n_evaluations, total)
        times = np.minimum((clock[0] + self._stages) / clock[1], 1.0)
        children = self._children
        genetic.breed(
            self.population,
            self.fitness,
            self.lower,
            self.upper,
            self.alphas,
            self.crossover_pool == "chain",
            self.mutation_probability,
            self.mutation_unit == "pair",
            self.gene_probability,
            times,
            self.mutation_shape,
            self.rng.random(self._n_draws),
            children,
        )
        if n_left is not None:
            children = children[:n_left]
        before = self.n_evaluations
        fitness = self.evaluate(children)
        genetic.replace_worst(
            self.population, self.fitness, children, fitness, self.crossover_pool == "chain"
        )
        self.n_steps += 1
        self._record()
        return self.n_evaluations - before


def _bounds(bounds: Any, n_genes: int, widening: float) -> tuple[np.ndarray, np.ndarray]:
    values = np.asarray(bounds, dtype=np.float64)
    if values.shape == (2,):
        values = np.tile(values, (n_genes, 1))
    if values.shape != (n_genes, 2):
        raise ValueError(
            f"bounds must be (low, high), or one such pair for each of the {n_genes} variables, "
            f"got shape {values.shape}"
        )
    lower, upper = values[:, 0].copy(), values[:, 1].copy()
    check_box(lower, upper, widening)
    return lower, upper
