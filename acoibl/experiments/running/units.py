"""The unit of work: one algorithm on one fold of one dataset with one seed."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from threadpoolctl import threadpool_limits

from acoibl import __version__
from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.data import checksum_of, folds_of, rows_of, shape_of
from acoibl.experiments.protocol import ENTROPY, Profile, seed_sequence

PROTOCOL = 2
"""Raised when every result would be another one, so that old ones do not mix; where only those of
one algorithm change, its revision is raised."""


@dataclass(frozen=True)
class Task:
    """A unit of work: one algorithm on one fold of one dataset with one seed."""

    dataset: str
    algorithm: Algorithm
    fold: int
    seed: int
    n_folds: int
    max_rows: int | None
    folds: str = "stratified"

    @property
    def key(self) -> tuple[str, str]:
        """Dataset and name of the algorithm: what a configuration is kept under in one run."""
        return self.dataset, self.algorithm.name

    @property
    def unit(self) -> tuple[int, int]:
        """Fold and seed."""
        return self.fold, self.seed

    @property
    def title(self) -> str:
        """What it is, in words."""
        return f"{self.algorithm.name} on {self.dataset}, fold {self.fold}, seed {self.seed}"

    @property
    def cost(self) -> float:
        """Rough cost, to tell long units from short ones."""
        rows, columns = shape_of(self.dataset, self.max_rows)
        # Measured: small data cost by the row, large data by the pair of rows.
        return (rows * columns**0.5 + rows**2 * columns / 20_000) * self.algorithm.cost


def make_tasks(
    names: Iterable[str],
    algorithms: Iterable[Algorithm],
    profile: Profile,
    *,
    seeds: Iterable[int] | None = None,
    way: str = "stratified",
) -> Iterator[Task]:
    """All units of a run.

    An algorithm that is not stochastic runs for the first seed of the profile, whatever is asked
    for; one with a largest number of seeds takes only those among the profile's first.
    """
    algorithms = list(algorithms)
    wanted = tuple(profile.seeds if seeds is None else seeds)
    for name in names:
        for algorithm in algorithms:
            n_folds = min(profile.n_folds, algorithm.max_folds or profile.n_folds)
            for seed in _seeds(algorithm, name, profile, wanted):
                for fold in range(n_folds):
                    yield Task(name, algorithm, fold, seed, profile.n_folds, profile.max_rows, way)


def configuration(task: Task) -> dict[str, Any]:
    """All that a unit's result depends on, but its fold and seed, in JSON's types."""
    revised = {"revision": task.algorithm.revision} if task.algorithm.revision else {}
    return {
        "protocol": PROTOCOL,
        **revised,
        "dataset": task.dataset,
        "checksum": checksum_of(task.dataset),
        "max_rows": task.max_rows,
        "folds": task.folds,
        "n_folds": task.n_folds,
        "fold_seed": 0,
        "entropy": ENTROPY,
        "algorithm": task.algorithm.name,
        "base": task.algorithm.base,
        "parameters": dict(task.algorithm.parameters),
    }


def evaluate(task: Task) -> list[dict[str, Any]]:
    """Do one unit of work; what is not known is left out of its results."""
    begun = time.perf_counter()
    X, y, _ = rows_of(task.dataset, task.max_rows)
    parts = folds_of(task.dataset, task.n_folds, task.max_rows, task.folds)
    train, test = parts[task.fold]
    seed = seed_sequence(task.dataset, task.fold, task.seed, task.algorithm.base)
    fold = Split(X, y, train, test, seed)
    # One thread a unit, wherever it runs: units share the cores, and seconds can be compared.
    with threadpool_limits(1):
        rows = task.algorithm.results(fold)
    common = {
        "n_train": len(train),
        "n_test": len(test),
        "version": __version__,
        "unit_seconds": round(time.perf_counter() - begun, 4),
    }
    return [{**_known(row), **common} for row in rows]


def _seeds(
    algorithm: Algorithm, dataset: str, profile: Profile, wanted: tuple[int, ...]
) -> tuple[int, ...]:
    if not algorithm.stochastic:
        return profile.seeds[:1]
    most = algorithm.max_seeds_on.get(dataset, algorithm.max_seeds)
    if most is None:
        return wanted
    return tuple(seed for seed in wanted if seed in profile.seeds[:most])


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in row.items()
        if value is not None and not (isinstance(value, float) and value != value)
    }
