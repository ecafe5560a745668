"""The co-evolution of selections, feature weights and class weights (CIW-NN)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from acoibl.coevolution.chc import CHC
from acoibl.coevolution.fitness import NearestNeighbourFitness
from acoibl.coevolution.populations import Stop
from acoibl.coevolution.steady_state import SteadyStateGA


@dataclass(frozen=True)
class CooperationSettings:
    """Settings of one run; see `CIWNNClassifier` for what they mean."""

    population_size: int
    max_evaluations: int
    prob_0_to_1: float
    prob_1: float
    mutation: float
    epoch_fw: int
    epoch_iw: int
    reading: dict[str, Any]
    time_limit: float | None = None


class Cooperation:
    """Three populations that judge their individuals by the best of the other two.

    Parameters
    ----------
    fitness : NearestNeighbourFitness
        Judge of triples.
    settings : CooperationSettings
        Budget and operators.
    rng : numpy.random.Generator
        Source of all randomness.

    Attributes
    ----------
    selections : CHC
        Population of instance selections.
    features, classes : SteadyStateGA
        Populations of feature weights and of class weights.
    best : list of ndarray
        Best selection, feature weights and class weights.
    best_fitness : list of float
        Fitness of each when it was recorded, with the collaborators of its day.
    """

    def __init__(
        self,
        fitness: NearestNeighbourFitness,
        settings: CooperationSettings,
        rng: np.random.Generator,
    ):
        self.fitness = fitness
        self.settings = settings
        reading = settings.reading
        self.strict = reading["budget"] == "strict"
        common = {
            "population_size": settings.population_size,
            "vectorized": True,
            "random_state": rng,
        }
        weights = {
            "crossover_pool": reading["crossover_pool"],
            "mutation_probability": settings.mutation,
            "mutation_unit": reading["mutation_unit"],
            "gene_probability": None
            if reading["gene_probability"] == "one"
            else reading["gene_probability"],
            "keep_history": False,
            **common,
        }
        self.selections = CHC(
            fitness.selections,
            fitness.n_rows,
            prob_0_to_1=settings.prob_0_to_1,
            prob_1=settings.prob_1,
            restart=reading["restart"],
            idle_generations=reading["idle_generations"],
            prefer=reading["survivors"],
            keep_unmated=reading["survivors"] == "offspring",
            exact_ones=reading["initial_ones"] == "exact",
            fast_threshold=reading["fast_threshold"],
            pass_parents=True,
            **common,
        )
        self.features = SteadyStateGA(fitness.features, fitness.n_features, **weights)
        self.classes = SteadyStateGA(fitness.classes, fitness.n_classes, **weights)
        self.n_evaluations = 0
        self.n_cycles = 0
        self._lines: list[dict] = []

    @property
    def populations(self) -> tuple[CHC, SteadyStateGA, SteadyStateGA]:
        """The three populations: selections, feature weights, class weights."""
        return self.selections, self.features, self.classes

    def run(self, callback: Callable[[dict], Any] | None = None) -> str:
        """Run until the budget is used up.

        Parameters
        ----------
        callback : callable, optional
            Called after every cycle with the last line of the history; a true
            value ends the run.

        Returns
        -------
        {"max_evaluations", "callback", "time_limit"}
            Why the run ended.
        """
        stop = Stop(callback, self.settings.time_limit)
        if self.settings.time_limit is not None:
            for population in self.populations:
                population.is_late = stop.is_late
        self._start()
        done = stop(None)
        while not done and self.n_evaluations < self.settings.max_evaluations:
            self._cycle(stop)
            done = stop(self._lines[-1])
        return stop.reason

    @property
    def history(self) -> pd.DataFrame:
        """One line after the initial populations and after each cycle.

        Columns ``cycle``, ``evaluation``, ``fitness_selection``, ``fitness_features``,
        ``fitness_classes`` (of the best individual of each population, as it was judged in its
        day), ``reduction`` (of the best selection), ``joint_accuracy`` (the three best together:
        the search never sees it, and it does not count as an evaluation), ``threshold``,
        ``n_mated``, ``restarted`` (of the selections).
        """
        return pd.DataFrame(self._lines)

    def _start(self) -> None:
        """Judge the initial populations with neutral collaborators, and sort them."""
        everything = np.ones(self.fitness.n_rows, dtype=bool)
        self.fitness.fix(everything, np.ones(self.fitness.n_features), self.fitness.neutral())
        drawn = [population.draw() for population in self.populations]
        n_judged = 0
        for population, genes in zip(self.populations, drawn, strict=True):
            fitness, n = population._measure(genes)
            population.take(genes, fitness)
            n_judged += n
        self.best = [population.best for population in self.populations]
        # The program that the reading "keel" follows replaces all three after the first cycle.
        self.best_fitness = [float(np.finfo(float).tiny)] * 3
        if self.strict:
            self.n_evaluations = n_judged
        self._joint_of: list[bytes] = []
        self._record()

    def _cycle(self, stop: Stop) -> None:
        self._epoch(self.selections, 1, stop)
        self._epoch(self.features, self.settings.epoch_fw, stop)
        self._epoch(self.classes, self.settings.epoch_iw, stop)
        changed = [False] * 3
        for i, population in enumerate(self.populations):
            if population.fitness[0] > self.best_fitness[i]:
                changed[i] = bool((population.population[0] != self.best[i]).any())
                self.best[i] = population.best
                self.best_fitness[i] = float(population.fitness[0])
        if self.settings.reading["refresh_best"]:
            self._refresh(changed)
        self.n_cycles += 1
        self._record()

    def _epoch(self, population: CHC | SteadyStateGA, length: int, stop: Stop) -> None:
        """Spend `length` evaluations on a population of weights, a generation on the selections."""
        self.fitness.fix(*self.best)
        total = self.settings.max_evaluations
        own_clock = self.settings.reading["mutation_clock"] == "epoch"
        spent = 0
        while spent < length:
            left = total - self.n_evaluations if self.strict else None
            if left == 0 or stop.is_late():
                return
            if population is self.selections:
                made, spent = population.step(left), length
            else:
                clock = (spent, length) if own_clock else (self.n_evaluations, total)
                made = population.step(left, clock)
                spent += made
            self.n_evaluations += made

    def _refresh(self, changed: list[bool]) -> None:
        """Judge each best again whose collaborators changed, in its population too."""
        for i, population in enumerate(self.populations):
            if not any(changed[k] for k in range(3) if k != i):
                continue
            if self.strict and self.n_evaluations >= self.settings.max_evaluations:
                return
            self.fitness.fix(*self.best)
            value = float(population.evaluate(self.best[i][None])[0]) if i else self._judge_best()
            self.n_evaluations += 1
            self.best_fitness[i] = value
            same = (population.population == self.best[i]).all(axis=1)
            population.fitness[same] = value
            order = np.argsort(-population.fitness, kind="stable")
            population.population = population.population[order]
            population.fitness = population.fitness[order]

    def _judge_best(self) -> float:
        return float(self.selections.evaluate(self.best[0][None], None)[0])

    def _record(self) -> None:
        parts = [part.tobytes() for part in self.best]
        if parts != self._joint_of:
            self.fitness.fix(*self.best)
            self._joint_of, self._joint = parts, self.fitness.accuracy()
        last = self.selections._lines[-1]
        self._lines.append(
            {
                "cycle": self.n_cycles,
                "evaluation": self.n_evaluations,
                "fitness_selection": float(self.selections.fitness[0]),
                "fitness_features": float(self.features.fitness[0]),
                "fitness_classes": float(self.classes.fitness[0]),
                "reduction": 1.0 - float(np.count_nonzero(self.best[0])) / self.fitness.n_rows,
                "joint_accuracy": self._joint,
                "threshold": last["threshold"],
                "n_mated": last["n_mated"],
                "restarted": last["restarted"],
            }
        )
