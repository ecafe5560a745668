"""What a command is about: the units of an experiment that were chosen, and their store."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from acoibl.experiments.algorithm import Algorithm
from acoibl.experiments.data import FOLDS
from acoibl.experiments.folders import results_folder
from acoibl.experiments.protocol import Profile, UnknownNameError, get_profile, unknown
from acoibl.experiments.registry import EXPERIMENTS
from acoibl.experiments.running.units import Task, configuration, make_tasks
from acoibl.experiments.store import Store


@dataclass(frozen=True)
class Plan:
    """Chosen units of an experiment, by dataset and algorithm.

    `configs` has the configuration of each `Task.key`; `paired` is that of the `Experiment`.
    """

    title: str
    profile: Profile
    tasks: tuple[Task, ...]
    configs: Mapping[tuple[str, str], dict[str, Any]]
    store: Store
    paired: bool = True


def make_plan(
    experiment: str | Sequence[Algorithm],
    profile: str | Profile,
    *,
    datasets: Iterable[str] | None = None,
    algorithms: Iterable[str] | None = None,
    seeds: Iterable[int] | None = None,
    folds: str = "stratified",
    store: str | Path | Store | None = None,
) -> Plan:
    """Choose the units of an experiment; the arguments are those of `run`.

    Raises UnknownNameError for an unknown name, or a way of folding that a dataset cannot have, and
    ValueError for an empty choice or a seed that is none.
    """
    profile = get_profile(profile)
    chosen = choose_algorithms(get_algorithms(experiment, profile), algorithms)
    if folds not in FOLDS:
        raise UnknownNameError(unknown("way of folding", folds, FOLDS))
    names = check_datasets(
        _default_datasets(experiment, profile, folds) if datasets is None else datasets
    )
    if folds == "groups":
        _check_groups(names)
    tasks = tuple(make_tasks(names, chosen, profile, seeds=_check_seeds(seeds), way=folds))
    first = {task.key: task for task in reversed(tasks)}
    return Plan(
        _title(experiment, profile, folds),
        profile,
        tasks,
        {key: configuration(task) for key, task in reversed(first.items())},
        store if isinstance(store, Store) else Store(store or results_folder(profile.name)),
        EXPERIMENTS[experiment].paired if isinstance(experiment, str) else True,
    )


def get_algorithms(experiment: str | Sequence[Algorithm], profile: Profile) -> list[Algorithm]:
    """Algorithms of an experiment, given by its name or as a list of them."""
    if isinstance(experiment, str):
        if experiment not in EXPERIMENTS:
            raise UnknownNameError(unknown("experiment", experiment, EXPERIMENTS))
        return EXPERIMENTS[experiment].algorithms(profile)
    algorithms = list(experiment)
    if len({algorithm.name for algorithm in algorithms}) < len(algorithms):
        raise ValueError("two algorithms have the same name")
    return algorithms


def choose_algorithms(
    algorithms: Iterable[Algorithm], patterns: Iterable[str] | None
) -> list[Algorithm]:
    """Choose algorithms by names or patterns with ``*`` and ``?``, None for all; in their order."""
    algorithms = list(algorithms)
    if patterns is None:
        return algorithms
    patterns = (patterns,) if isinstance(patterns, str) else tuple(patterns)
    names = [algorithm.name for algorithm in algorithms]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise UnknownNameError(unknown("algorithm", pattern, names))
    return [a for a in algorithms if any(fnmatchcase(a.name, pattern) for pattern in patterns)]


def check_datasets(names: Iterable[str]) -> tuple[str, ...]:
    """Check names of datasets before anything runs: one unknown, or none at all, is an error."""
    from acoibl.datasets import list_datasets

    names = (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))
    known = list_datasets()
    for name in names:
        if name not in known:
            raise UnknownNameError(unknown("dataset", name, known))
    if not names:
        raise ValueError("no dataset to run on")
    return names


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read a choice of seeds.

    Parameters
    ----------
    text : str
        Numbers and ranges, such as ``0-2`` or ``0,3,5-9``.

    Returns
    -------
    tuple of int
        The seeds, ascending.

    Raises
    ------
    UnknownNameError
        If it cannot be read.

    Examples
    --------
    >>> parse_seeds("0-2,5")
    (0, 1, 2, 5)
    """
    seeds: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?", part)
        if match is None:
            raise UnknownNameError(f"cannot read seeds {text!r}; write for example 0-2 or 0,3,5-9")
        low, high = int(match[1]), int(match[2] or match[1])
        if low > high:
            raise UnknownNameError(f"seeds {part.strip()!r} go backwards")
        seeds.update(range(low, high + 1))
    return tuple(sorted(seeds))


def _check_seeds(seeds: Iterable[int] | None) -> tuple[int, ...] | None:
    if seeds is None:
        return None
    seeds = tuple(dict.fromkeys(seeds))
    for seed in seeds:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise ValueError(f"a seed is a whole number from 0, not {seed!r}")
    if not seeds:
        raise ValueError("no seed to run with")
    return seeds


def _default_datasets(experiment: Any, profile: Profile, folds: str) -> tuple[str, ...]:
    if folds == "stratified":
        named = isinstance(experiment, str)
        return tuple(EXPERIMENTS[experiment].datasets(profile) if named else profile.datasets)
    from acoibl.datasets import list_datasets

    grouped = list_datasets(grouped=True)
    # A profile that has none of them runs on all of them: the choice was explicit.
    return tuple(name for name in profile.datasets if name in grouped) or tuple(grouped)


def _check_groups(names: tuple[str, ...]) -> None:
    from acoibl.datasets import list_datasets

    grouped = list_datasets(grouped=True)
    for name in names:
        if name not in grouped:
            raise UnknownNameError(
                f"the rows of {name!r} have no groups to fold by; those of {', '.join(grouped)} do"
            )


def _title(experiment: str | Sequence[Algorithm], profile: Profile, folds: str) -> str:
    name = EXPERIMENTS[experiment].heading if isinstance(experiment, str) else "Experiment"
    return f"{name}, {profile.name}" + (", folds by group" if folds == "groups" else "")
