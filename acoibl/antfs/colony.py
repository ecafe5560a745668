"""Groups of ants that grow feature subsets: one run for one largest size.

Features are numbered by decreasing class separability here, and so is every tie broken: the same
features are found wherever their columns stand in the table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from acoibl.antfs.criteria import Criterion
from acoibl.antfs.evaluation import SubsetEvaluator
from acoibl.antfs.stopping import Stop
from acoibl.kernels.conventions import UNKNOWN

Line = dict[str, Any]

_WIDE = 256
"""Features above which it is worth the time to remember only those that were judged."""


@dataclass(frozen=True)
class ColonySettings:
    """What Table 2 of the paper sets, and the pheromone that all begins with.

    Parameters
    ----------
    alpha, beta : float
        Exponents of pheromone and class separability (Eq. 1).
    rho : float
        Rate of the update at the end of a generation (Eq. 5).
    z : float
        Rate of the update of a feature when it is taken (Eq. 4).
    initial_pheromone : float
        Pheromone of every feature at the start.
    n_generations, n_ants : int
        Generations; ants in each group.
    """

    alpha: float
    beta: float
    rho: float
    z: float
    initial_pheromone: float
    n_generations: int
    n_ants: int


@dataclass
class Found:
    """A subset that an ant went through.

    Parameters
    ----------
    features : tuple of int
        In the order in which they were taken.
    errors : int
        Queries that it gets wrong.
    generation : int
        When it was found first.
    """

    features: tuple[int, ...]
    errors: int
    generation: int


@dataclass
class Memory:
    """What is known of subsets: for each one the errors with one feature more.

    Parameters
    ----------
    n_features : int
        Number of features.
    known : dict of frozenset to ndarray of int32
        Errors of each feature beside the subset; of a wide table the features that were judged
        and their errors, shape (2, n_judged), which are few: an ant takes the first that improves.
    dead_ends : set of frozenset
        Subsets that no feature improves.
    """

    n_features: int
    known: dict[frozenset, np.ndarray] = field(default_factory=dict)
    dead_ends: set[frozenset] = field(default_factory=set)

    def of(self, subset: frozenset) -> np.ndarray:
        """Errors beside a subset, see `SubsetEvaluator.first_better`; `keep` what is added."""
        kept = self.known.get(subset)
        if kept is not None and self.n_features <= _WIDE:
            return kept
        errors = np.full(self.n_features, UNKNOWN, dtype=np.int32)
        if kept is not None:
            errors[kept[0]] = kept[1]
        return errors

    def keep(self, subset: frozenset, errors: np.ndarray) -> None:
        """Remember the errors beside a subset."""
        if self.n_features > _WIDE:
            features = np.flatnonzero(errors != UNKNOWN)
            errors = np.stack([features, errors[features]]).astype(np.int32)
        self.known[subset] = errors

    def close(self, subset: frozenset) -> None:
        """Remember that no feature improves a subset; how many errors each has is forgotten."""
        self.dead_ends.add(subset)
        self.known.pop(subset, None)

    def add(self, other: "Memory") -> None:
        """Learn what another one knows."""
        for subset in other.dead_ends:
            self.close(subset)
        for subset in other.known:
            if subset not in self.dead_ends:
                self.keep(subset, np.maximum(self.of(subset), other.of(subset)))

    def count(self) -> int:
        """Pairs of a subset and a candidate beside it that were judged."""
        closed = sum(self.n_features - len(subset) for subset in self.dead_ends)
        return closed + sum(int((self.of(subset) != UNKNOWN).sum()) for subset in self.known)


class Colony:
    """A run of all groups with one largest size of the subsets.

    Parameters
    ----------
    judge : SubsetEvaluator
        Gives the errors of a subset; its features are numbered as in the table.
    heuristic : ndarray of float64, shape (n_features,)
        Class separability, in the order of the table.
    max_size : int
        Largest size of a subset.
    criteria : sequence of callable
        Criterion of each group, see `acoibl.antfs.criteria.Criterion`.
    settings : ColonySettings
        Parameters.
    rng : numpy.random.Generator
        Draws the features that ants start with.
    memory : Memory
        What earlier runs with the same judge have learnt.
    is_late : callable
        Says whether the time is over: then no ant begins but the first of a group.

    Attributes
    ----------
    max_size : int
        As given.
    best : list of dict of int to Found
        For each group the best subset of each size.
    history : list of dict
        One line a generation and group.
    pheromone : ndarray of float64, shape (n_generations + 1, n_groups, n_features)
        Pheromone before the first and after each generation, in the order of the table.
    n_evaluations : int
        Subsets that were judged, again or for the first time.
    """

    def __init__(
        self,
        judge: SubsetEvaluator,
        heuristic: np.ndarray,
        max_size: int,
        criteria: Sequence[Criterion],
        settings: ColonySettings,
        rng: np.random.Generator,
        memory: Memory,
        is_late: Callable[[], bool] = lambda: False,
    ):
        self._is_late = is_late
        self._judge, self.max_size, self._rng, self._memory = judge, max_size, rng, memory
        self._criteria, self._settings = criteria, settings
        self._order = np.argsort(-heuristic, kind="stable")
        self._attraction = heuristic[self._order] ** settings.beta
        n_features = len(heuristic)
        self._tau = np.full((len(criteria), n_features), settings.initial_pheromone)
        self.pheromone = np.empty((settings.n_generations + 1, *self._tau.shape))
        self.best: list[dict[int, Found]] = [{} for _ in criteria]
        self.history: list[Line] = []
        self.n_evaluations = 0
        self._generation = 0
        self._keep_pheromone()

    def step(self) -> list[Line]:
        """One generation of all groups.

        Returns
        -------
        list of dict
            Its lines of the history.
        """
        self._generation += 1
        lines = []
        n_features = len(self._order)
        n_ants = min(self._settings.n_ants, n_features)
        # All groups draw before any ant walks: a group more at the end changes no other.
        starts = [
            self._rng.choice(n_features, n_ants, replace=False) for _ in range(len(self._criteria))
        ]
        for group in range(len(self._criteria)):
            ants = []
            for start in starts[group]:
                if not (ants and self._is_late()):
                    ants.append(self._walk(group, int(start)))
            best = min(ants, key=lambda found: (found.errors, len(found.features)))
            accuracy = 1.0 - best.errors / self._judge.n_queries
            tau, rho = self._tau[group], self._settings.rho
            ranks = list(best.features)
            tau[ranks] = (1.0 - rho) * tau[ranks] + rho * accuracy  # Eq. 5
            lines.append(
                {
                    "max_size": self.max_size,
                    "generation": self._generation,
                    "group": group,
                    "accuracy": accuracy,
                    "size": len(best.features),
                    "features": self._named(best.features),
                    "best_accuracy": 1.0
                    - min(found.errors for found in self.best[group].values())
                    / self._judge.n_queries,
                    "evaluations": self.n_evaluations,
                }
            )
        self._keep_pheromone()
        self.history += lines
        return lines

    def found(self) -> list[tuple[int, Found]]:
        """Best subset of each group and size, features numbered as in the table.

        Returns
        -------
        list of (int, Found)
            Number of the group, subset; by group, then size.
        """
        return [
            (group, Found(self._named(found.features), found.errors, found.generation))
            for group, by_size in enumerate(self.best)
            for _, found in sorted(by_size.items())
        ]

    def _walk(self, group: int, start: int) -> Found:
        """One ant: forward selection in the order of its group's criterion."""
        tau = self._tau[group]
        path, errors = [start], self._errors_alone(start)
        self._take(group, path, errors, tau)
        while len(path) < self.max_size and errors > 0:
            step = self._next(group, path, errors, tau)
            if step is None:
                break
            errors = step[1]
            path.append(step[0])
            self._take(group, path, errors, tau)
        return Found(tuple(path), errors, self._generation)

    def _next(
        self, group: int, path: list[int], errors: int, tau: np.ndarray
    ) -> tuple[int, int] | None:
        """First candidate that improves, and its errors; None if none does."""
        subset = frozenset(path)
        n_left = len(tau) - len(path)
        if subset in self._memory.dead_ends or not n_left:
            self.n_evaluations += n_left
            return None
        fitness = tau**self._settings.alpha * self._attraction
        priority = np.asarray(self._criteria[group](fitness, path[-1]), dtype=np.float64)
        if priority.shape != tau.shape or np.isnan(priority).any():
            raise ValueError(
                f"a criterion must give {len(tau)} priorities that are numbers, one a feature; "
                f"that of group {group + 1} gave {priority!r}"
            )
        free = np.ones(len(tau), dtype=bool)
        free[path] = False
        candidates = np.argsort(priority, kind="stable")
        candidates = candidates[free[candidates]]
        known = self._memory.of(subset)
        place = self._judge.first_better(self._order[path], self._order[candidates], known, errors)
        self.n_evaluations += min(place + 1, n_left)
        if place == n_left:
            self._memory.close(subset)
            return None
        self._memory.keep(subset, known)
        chosen = int(candidates[place])
        return chosen, int(known[self._order[chosen]])

    def _errors_alone(self, start: int) -> int:
        known = self._memory.of(frozenset())
        feature = self._order[start : start + 1]
        self._judge.first_better([], feature, known, self._judge.n_queries + 1)
        self._memory.keep(frozenset(), known)
        self.n_evaluations += 1
        return int(known[feature[0]])

    def _take(self, group: int, path: list[int], errors: int, tau: np.ndarray) -> None:
        """Mark the feature taken last (Eq. 4), and remember the subset if none is better."""
        tau[path[-1]] = (1.0 - self._settings.z) * tau[path[-1]] + self._settings.z
        best = self.best[group].get(len(path))
        if best is None or errors < best.errors:
            self.best[group][len(path)] = Found(tuple(path), errors, self._generation)

    def _named(self, ranks: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(self._order[rank]) for rank in ranks)

    def _keep_pheromone(self) -> None:
        self.pheromone[self._generation][:, self._order] = self._tau


def run_colonies(
    judge: SubsetEvaluator,
    heuristic: np.ndarray,
    sizes: Sequence[int],
    criteria: Sequence[Criterion],
    settings: ColonySettings,
    seeds: Mapping[int, np.random.SeedSequence],
    stop: Stop,
    n_threads: int = 1,
) -> tuple[list[Colony], int]:
    """A run for each largest size.

    Parameters
    ----------
    judge, heuristic, criteria, settings
        As for `Colony`.
    sizes : sequence of int
        Largest sizes.
    seeds : dict of int to SeedSequence
        Source of randomness of each of them.
    stop : Stop
        Gets the lines of every generation; true ends this run and those that follow.
    n_threads : int, default=1
        Threads that share the sizes. What is found does not depend on it, unless `stop` ends it.

    Returns
    -------
    colonies : list of Colony
        Those that have begun, in the order of the sizes.
    n_subsets : int
        Different subsets and candidates beside them that were judged by all of them.
    """
    n_threads = min(n_threads, len(sizes))
    stopped = Event()

    def run(sizes: Sequence[int], judge: SubsetEvaluator) -> tuple[list[Colony], Memory]:
        memory, colonies = Memory(judge.n_features), []
        for size in sizes:
            if stopped.is_set():
                break
            rng = np.random.default_rng(seeds[size])
            colonies.append(
                Colony(judge, heuristic, size, criteria, settings, rng, memory, stop.is_late)
            )
            for _ in range(settings.n_generations):
                if stop(colonies[-1].step()):
                    stopped.set()
                if stopped.is_set():
                    break
        return colonies, memory

    if n_threads <= 1:
        colonies, memory = run(sizes, judge)
        return colonies, memory.count()
    # Large sizes take longest: they are dealt out first, in turn.
    shares = [list(sizes)[::-1][thread::n_threads] for thread in range(n_threads)]
    done = Parallel(n_threads, prefer="threads")(
        delayed(run)(share, judge.copy()) for share in shares
    )
    memory = done[0][1]
    for _, other in done[1:]:
        memory.add(other)
    colonies = [colony for part, _ in done for colony in part]
    return sorted(colonies, key=lambda colony: colony.max_size), memory.count()
