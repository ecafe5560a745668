"""CHC: a binary genetic algorithm of strong selection and strong diversity."""

from collections.abc import Callable
from typing import Any

import numpy as np

from acoibl.coevolution.populations import Evolution, check_count, check_probability
from acoibl.kernels import genetic


class CHC(Evolution):
    """Maximise a function of bits by CHC.

    Elitist survival of the best of parents and offspring; half uniform
    crossover (HUX) that sets a bit with probability `prob_0_to_1` only;
    parents that are too alike do not mate (incest prevention); and instead of
    mutation a restart from the best individual when the search stands still.

    Parameters
    ----------
    fitness : callable
        ``fitness(x) -> float``, x of bool, shape (n_genes,); or, `vectorized`,
        ``fitness(X) -> array (n,)`` for X of shape (n, n_genes). NaN is worst.
    n_genes : int
        Number of bits.
    population_size : int, default=50
        Individuals, at least 2; of an odd number one does not mate in each step.
    max_evaluations : int, default=10000
        Budget of `run`, initial population included; never exceeded.
    prob_0_to_1 : float, default=0.25
        Chance that HUX sets a bit to 1 (1: plain HUX).
    prob_1 : float, default=0.25
        Chance of a 1 in the initial population.
    restart : {"flip", "redraw"}, default="flip"
        Whether a restart flips the bits that it touches, or draws them anew.
    restart_rate : float, default=0.35
        Share of bits that a restart touches.
    restart_ones : float, optional
        Share of 1s that a restart draws (`restart` "redraw"); by default
        `prob_0_to_1`.
    restart_threshold : float, default=0.25
        Threshold after a restart, as a share of `n_genes`, rounded down.
    idle_generations : int, default=3
        Generations without a new individual at threshold 0 before a restart;
        0: restart as soon as the threshold reaches 0.
    prefer : {"parents", "offspring"}, default="parents"
        Who survives among equals.
    keep_unmated : bool, default=False
        Whether copies of individuals that found no mate compete as offspring,
        as in the software KEEL; they then count as new individuals.
    exact_half : bool, default=True
        Whether HUX exchanges half of the differing bits, rounded down, or each
        of them with probability 1/2.
    exact_ones : bool, default=False
        Whether each initial individual has exactly ``floor(prob_1 * n_genes) +
        1`` ones at random places, as in KEEL, instead of `prob_1` for each bit.
    fast_threshold : bool, default=False
        Whether the threshold falls within a generation until a pair can mate,
        instead of by 1 per generation.
    vectorized : bool, default=False
        Whether `fitness` takes many individuals at once.
    pass_parents : bool, default=False
        Whether a vectorized `fitness` gets, as its second argument, the
        individuals that those of the first were made from by changing some
        bits (None for the initial population): it may know their fitness.
    keep_history : bool, default=True
        Whether to keep the history, which costs a little time.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed, as for `numpy.random.default_rng`.
    callback : callable, optional
        Called after every step of `run` with the last line of the history (a
        dict); a true value ends the run.

    Attributes
    ----------
    population : ndarray of bool, shape (population_size, n_genes)
        Individuals, best first.
    fitness : ndarray of float64, shape (population_size,)
        Their fitness.
    threshold : int
        Parents mate if half their Hamming distance exceeds it; starts at n_genes // 4.
    n_evaluations, n_steps, n_restarts : int
        Evaluations, generations and restarts so far.
    history : DataFrame
        One line per generation: ``step``, ``evaluation``, ``best``, ``mean``,
        ``threshold``, ``n_mated`` (pairs of which a child was judged),
        ``restarted``, ``mean_ones``.

    References
    ----------
    Eshelman, "The CHC adaptive search algorithm", Foundations of Genetic
    Algorithms 1 (1991) 265-283. Cano, Herrera and Lozano, "Using evolutionary
    algorithms as instance selection for data reduction in KDD", IEEE
    Transactions on Evolutionary Computation 7 (2003) 561-575.

    Examples
    --------
    >>> from acoibl.coevolution import CHC
    >>> result = CHC(lambda x: x.sum(), 40, prob_0_to_1=1, random_state=0).run()
    >>> int(result.fun), result.nfev
    (40, 10000)
    """

    def __init__(
        self,
        fitness: Callable[..., Any],
        n_genes: int,
        *,
        population_size: int = 50,
        max_evaluations: int = 10_000,
        prob_0_to_1: float = 0.25,
        prob_1: float = 0.25,
        restart: str = "flip",
        restart_rate: float = 0.35,
        restart_ones: float | None = None,
        restart_threshold: float = 0.25,
        idle_generations: int = 3,
        prefer: str = "parents",
        keep_unmated: bool = False,
        exact_half: bool = True,
        exact_ones: bool = False,
        fast_threshold: bool = False,
        vectorized: bool = False,
        pass_parents: bool = False,
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
        if restart not in ("flip", "redraw"):
            raise ValueError(f"restart must be 'flip' or 'redraw', got {restart!r}")
        if prefer not in ("parents", "offspring"):
            raise ValueError(f"prefer must be 'parents' or 'offspring', got {prefer!r}")
        if pass_parents and not vectorized:
            raise ValueError("pass_parents needs a vectorized fitness")
        self.prob_0_to_1 = check_probability("prob_0_to_1", prob_0_to_1)
        self.prob_1 = check_probability("prob_1", prob_1)
        self.restart = restart
        self.restart_rate = check_probability("restart_rate", restart_rate)
        self.restart_ones = (
            self.prob_0_to_1
            if restart_ones is None
            else check_probability("restart_ones", restart_ones)
        )
        self.restart_threshold = check_probability("restart_threshold", restart_threshold)
        self.idle_generations = check_count("idle_generations", idle_generations, 0)
        self.prefer = prefer
        self.keep_unmated = keep_unmated
        self.exact_half = exact_half
        self.exact_ones = exact_ones
        self.fast_threshold = fast_threshold
        self.pass_parents = pass_parents
        self.threshold = self.n_genes // 4
        self.n_restarts = 0
        self._idle = 0
        self._parents = np.empty(self.population_size, dtype=np.int64)
        self._children = np.empty((self.population_size, self.n_genes), dtype=np.bool_)

    def start(self) -> "CHC":
        """Draw and evaluate the initial population.

        Returns
        -------
        CHC
            Itself.
        """
        genes = self.draw()
        fitness = np.full(len(genes), -np.inf)
        n = min(len(genes), self.max_evaluations)
        fitness[:n] = self._judge(genes[:n], None)
        return self.take(genes, fitness)

    def draw(self) -> np.ndarray:
        """Draw an initial population without evaluating it.

        Returns
        -------
        ndarray of bool, shape (population_size, n_genes)
            Individuals.
        """
        shape = (self.population_size, self.n_genes)
        if not self.exact_ones:
            return self.rng.random(shape) < self.prob_1
        genes = np.zeros(shape, dtype=np.bool_)
        n_ones = min(int(self.prob_1 * self.n_genes) + 1, self.n_genes)
        for row in genes:
            row[self.rng.permutation(self.n_genes)[:n_ones]] = True
        return genes

    def take(self, genes: np.ndarray, fitness: np.ndarray) -> "CHC":
        """Start from a population whose fitness is known.

        Parameters
        ----------
        genes : ndarray of bool, shape (population_size, n_genes)
            Individuals.
        fitness : ndarray of float64, shape (population_size,)
            Their fitness.

        Returns
        -------
        CHC
            Itself.
        """
        self._settle(np.array(genes, dtype=np.bool_), np.array(fitness, dtype=np.float64))
        self._note(0, False)
        return self

    def step(self, n_left: int | None = None) -> int:
        """Do one generation.

        Parameters
        ----------
        n_left : int, optional
            Most evaluations; further offspring is not made.

        Returns
        -------
        int
            Evaluations made: two for each pair that mated, and `population_size`
            - 1 more for a restart.
        """
        self._check_started()
        before = self.n_evaluations
        limit = np.inf if n_left is None else n_left
        order = self.rng.permutation(self.population_size)
        halves = genetic.half_distances(self.population, order)
        if self.fast_threshold and halves.max() <= self.threshold:
            self.threshold = max(int(halves.max()) - 1, 0)
        n = 0
        if halves.max() > self.threshold:
            n = genetic.cross_pairs(
                self.population,
                order,
                halves,
                self.threshold,
                self.prob_0_to_1,
                self.exact_half,
                self.rng,
                self._children,
                self._parents,
            )
        n = int(min(n, limit))
        n_mated = -(-n // 2)
        has_news = n > 0 and self._select(n, order, halves)
        restarted = False
        if not has_news:
            self._idle = self._idle + 1 if self.threshold <= 0 else 0
            self.threshold = max(self.threshold - 1, 0)
            restarted = self.threshold == 0 and self._idle >= self.idle_generations
            left = limit - (self.n_evaluations - before)
            if restarted and left > 0:
                self._restart(int(min(left, self.population_size - 1)))
        else:
            self._idle = 0
        self.n_steps += 1
        self._note(n_mated, restarted)
        return self.n_evaluations - before

    def _select(self, n: int, order: np.ndarray, halves: np.ndarray) -> bool:
        """Evaluate n children, keep the best of all; return whether any of them entered."""
        children = self._children[:n]
        fitness = self._judge(children, self._parents[:n])
        if self.keep_unmated:
            alone = self.population[order], self.fitness[order]
            mated = np.flatnonzero(np.repeat(halves > self.threshold, 2))[:n]
            alone[0][mated], alone[1][mated] = children, fitness
            children, fitness = alone
        chosen = np.empty(self.population_size, dtype=np.int64)
        n_new = genetic.merge_elitist(self.fitness, fitness, self.prefer == "offspring", chosen)
        if n_new == 0:
            return False
        self.population = np.concatenate([self.population, children])[chosen]
        self.fitness = np.concatenate([self.fitness, fitness])[chosen]
        return True

    def _restart(self, n: int) -> None:
        """Replace all but the best by disturbed copies of it; evaluate the first n of them."""
        best = self.population[:1].copy()
        genetic.scatter(
            self.population,
            self.restart_rate,
            self.restart == "redraw",
            self.restart_ones,
            self.rng,
        )
        fitness = np.full(self.population_size, -np.inf)
        fitness[0] = self.fitness[0]
        self.population[0] = best[0]
        origin = np.zeros(n, dtype=np.int64)
        fitness[1 : n + 1] = self._judge(self.population[1 : n + 1], origin)
        self._settle(self.population, fitness)
        self.threshold = int(self.restart_threshold * self.n_genes)
        self._idle = 0
        self.n_restarts += 1

    def _judge(self, genes: np.ndarray, parents: np.ndarray | None) -> np.ndarray:
        if not self.pass_parents:
            return self.evaluate(genes)
        return self.evaluate(genes, None if parents is None else self.population[parents])

    def _note(self, n_mated: int, restarted: bool) -> None:
        self._record(
            threshold=self.threshold,
            n_mated=n_mated,
            restarted=restarted,
            mean_ones=float(self.population.mean()),
        )
