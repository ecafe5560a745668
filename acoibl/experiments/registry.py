"""The experiments: which algorithms each of them compares."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

from acoibl.colony import PRESETS
from acoibl.experiments.algorithms import BASES, Algorithm, colony, plain
from acoibl.experiments.protocol import Profile

READINGS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    "paper": {
        "weight_scale": ("sum_one", "sum_m"),
        "ties": ("strict",),
        "outlier": ("nearest",),
        "archive_quality": ("accuracy", "class_f1"),
        "solution": ("best_candidate",),
        "patience": (200,),
    },
    "default": {
        "weight_scale": ("none", "sum_m"),
        "ties": ("strict",),
        "outlier": ("nearest",),
    },
}
"""Other values of single settings of the colonies, by the preset that they change."""

CIWNN_READINGS: Mapping[str, Mapping[str, Any]] = {
    "paper": {
        "refresh_best": True,
        "fast_threshold": True,
        "crossover_pool": "chain",
        "iw_scale": "direct",
    },
    "keel": {"refresh_best": True, "fast_threshold": True, "crossover_pool": "parents"},
}
"""The same for CIW-NN. Whether new rows are compared with all training rows needs no run of its
own: every run answers both ways."""

_ONLY = {"ties": "knn", "outlier": "dnn"}  # a setting that one base alone has


def experiment_a(profile: Profile) -> list[Algorithm]:
    """Experiment A: the plain classifiers on their grids.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        One for each base.
    """
    return [plain(base) for base in BASES]


def experiment_b(profile: Profile) -> list[Algorithm]:
    """Experiment B: the colonies in both presets, beside plain and tuned classifiers.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        Those of Experiment A, then six colonies.
    """
    return [*experiment_a(profile), *_colonies(profile)]


def experiment_c(profile: Profile) -> list[Algorithm]:
    """Experiment C: the colonies, basic and ensemble, beside CIW-NN.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        The colonies of Experiment B, whose stored results serve both, then CIW-NN in both of its
        presets.
    """
    return [*_colonies(profile), *_ciwnn(profile)]


def coevolution(profile: Profile) -> list[Algorithm]:
    """The comparison of CIW-NN's own paper.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        CIW-NN in both of its presets, its parts alone, then the classical methods.
    """
    from acoibl.experiments.coevolution import PARTS, part
    from acoibl.experiments.comparators import comparators

    parts = [part(name, profile) for name in PARTS]
    return [*_ciwnn(profile), *parts, *comparators(profile)]


def readings(profile: Profile) -> list[Algorithm]:
    """Colonies, and CIW-NN, that read one point of their paper otherwise than a preset does.

    Parameters
    ----------
    profile : Profile
        Size of the run.

    Returns
    -------
    list of Algorithm
        The presets as they are, then with one setting changed (`READINGS`, `CIWNN_READINGS`), each
        with the first seed of the profile only.
    """
    algorithms = _colonies(profile)
    for preset, settings in READINGS.items():
        for base in BASES:
            for name, values in settings.items():
                if _ONLY.get(name, base) == base:
                    algorithms += [
                        colony(base, preset, profile, **{name: value})
                        for value in values
                        # One factor for all weights cannot change who the k nearest are.
                        if (base, value) != ("knn", "sum_m")
                    ]
    algorithms += _ciwnn(profile)
    for preset, changes in CIWNN_READINGS.items():
        algorithms += [_ciwnn_reading(preset, profile, name, changes[name]) for name in changes]
    return [replace(algorithm, max_seeds=1) for algorithm in algorithms]


def own_datasets(experiment: Any, profile: Profile) -> list[str]:
    """Datasets that an experiment runs on by default.

    Parameters
    ----------
    experiment : str or list of Algorithm
        Name of an experiment, or algorithms.
    profile : Profile
        Size of the run.

    Returns
    -------
    list of str
        Those of the profile, but for the experiments of other papers, which have their own.
    """
    if experiment == "stability":
        from acoibl.experiments.stability_tables import problem_datasets

        return problem_datasets(profile)
    if experiment == "antfs":
        from acoibl.experiments.antfs import default_datasets

        return list(default_datasets(profile))
    return list(profile.datasets)


def _imported(name: str, profile: Profile) -> list[Algorithm]:
    """Algorithms of the module that has the experiment's name: who does not run it needs none."""
    return getattr(import_module(f"acoibl.experiments.{name}"), name)(profile)


EXPERIMENTS: dict[str, Callable[[Profile], list[Algorithm]]] = {
    "a": experiment_a,
    "b": experiment_b,
    "c": experiment_c,
    "coevolution": coevolution,
    "readings": readings,
    **{name: partial(_imported, name) for name in ("peers", "stability", "antfs")},
}
"""List of algorithms of each experiment, as a function of the profile."""


def _colonies(profile: Profile) -> list[Algorithm]:
    return [colony(base, preset, profile) for base in BASES for preset in PRESETS]


def _ciwnn(profile: Profile) -> list[Algorithm]:
    from acoibl.experiments.coevolution import ciwnn  # who runs no co-evolution needs none

    return [ciwnn(preset, profile) for preset in ("keel", "paper")]


def _ciwnn_reading(preset: str, profile: Profile, setting: str, value: Any) -> Algorithm:
    from acoibl.experiments.coevolution import ciwnn

    return ciwnn(preset, profile, **{setting: value})
