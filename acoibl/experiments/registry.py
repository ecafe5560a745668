"""The experiments: which algorithms each of them compares, on which data, and its tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from acoibl.colony import PRESETS
from acoibl.experiments.algorithm import Algorithm
from acoibl.experiments.methods.ants import ant_datasets, antfs
from acoibl.experiments.methods.ciwnn import PARTS, ciwnn, part
from acoibl.experiments.methods.classical import classical
from acoibl.experiments.methods.colonies import colony, plain
from acoibl.experiments.methods.peers import peers
from acoibl.experiments.methods.ranking_problems import ranking_datasets
from acoibl.experiments.methods.rankings import stability
from acoibl.experiments.protocol import Profile
from acoibl.experiments.tables import ants as ant_tables
from acoibl.experiments.tables import ciwnn as ciwnn_tables
from acoibl.experiments.tables import experiment_b, experiment_c, rankings
from acoibl.experiments.tables.coverage import coverage_table, effort_table
from acoibl.experiments.tables.readings import readings_table
from acoibl.experiments.tables.scores import algorithm_scores
from acoibl.lazy.bases import BASES

COLONY_READINGS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
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


def _datasets_of_profile(profile: Profile) -> Sequence[str]:
    return profile.datasets


@dataclass(frozen=True)
class Experiment:
    """What one experiment is made of.

    How its algorithms split the data is said by each of them (`Algorithm.splits`), as results of
    one algorithm serve several experiments.

    Parameters
    ----------
    name : str
        What ``acoibl run`` calls it.
    title : str
        What it is, in a few words.
    algorithms : callable
        ``algorithms(profile) -> list of Algorithm``: what it compares.
    tables : callable
        ``tables(rows) -> dict of str to DataFrame``: its tables, from the results of
        `acoibl.experiments.run`.
    datasets : callable
        ``datasets(profile) -> sequence of str``: what it runs on when no datasets are named;
        those of the profile by default.
    paired : bool
        Whether its tables compare all algorithms on the same folds, so that of a run that is not
        finished only datasets count that are complete. Else every stored unit counts.

    Attributes
    ----------
    heading : str
        The name as a heading.

    Examples
    --------
    >>> EXPERIMENTS["a"].heading, EXPERIMENTS["stability"].heading
    ('Experiment A', 'Stability')
    """

    name: str
    title: str
    algorithms: Callable[[Profile], list[Algorithm]]
    tables: Callable[[pd.DataFrame], dict[str, pd.DataFrame]]
    datasets: Callable[[Profile], Sequence[str]] = _datasets_of_profile
    paired: bool = True

    @property
    def heading(self) -> str:
        """The name as a heading."""
        return f"Experiment {self.name.upper()}" if len(self.name) == 1 else self.name.capitalize()


def _experiment_a(profile: Profile) -> list[Algorithm]:
    return [plain(base) for base in BASES]


def _experiment_b(profile: Profile) -> list[Algorithm]:
    return [*_experiment_a(profile), *_colonies(profile)]


def _experiment_c(profile: Profile) -> list[Algorithm]:
    """The colonies of Experiment B, whose stored results serve both, then CIW-NN."""
    return [*_colonies(profile), *_ciwnn(profile)]


def _coevolution(profile: Profile) -> list[Algorithm]:
    parts = [part(name, profile) for name in PARTS]
    return [*_ciwnn(profile), *parts, *classical(profile)]


def _readings(profile: Profile) -> list[Algorithm]:
    """The presets as they are, then with one setting changed, with the first seed only."""
    algorithms = _colonies(profile)
    for preset, settings in COLONY_READINGS.items():
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
        algorithms += [ciwnn(preset, profile, **{name: changes[name]}) for name in changes]
    return [replace(algorithm, max_seeds=1) for algorithm in algorithms]


def _colonies(profile: Profile) -> list[Algorithm]:
    return [colony(base, preset, profile) for base in BASES for preset in PRESETS]


def _ciwnn(profile: Profile) -> list[Algorithm]:
    return [ciwnn(preset, profile) for preset in ("keel", "paper")]


def _with_coverage(
    tables: Callable[[pd.DataFrame], dict[str, pd.DataFrame]],
) -> Callable[[pd.DataFrame], dict[str, pd.DataFrame]]:
    """Tables, and those that every experiment has."""

    def all_tables(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
        return {"coverage": coverage_table(rows), **tables(rows), "effort": effort_table(rows)}

    return all_tables


def _scores(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {"scores": algorithm_scores(rows)}


def _readings_tables(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {"readings": readings_table(rows), "ciwnn": ciwnn_tables.ciwnn_settings_table(rows)}


EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        experiment.name: replace(experiment, tables=_with_coverage(experiment.tables))
        for experiment in (
            Experiment(
                "a", "plain classifiers on their grids", _experiment_a, experiment_b.tables_of_a
            ),
            Experiment(
                "b",
                "the colonies in both presets, beside plain and tuned classifiers",
                _experiment_b,
                experiment_b.tables_of_b,
            ),
            Experiment("c", "the colonies beside CIW-NN", _experiment_c, experiment_c.tables_of_c),
            Experiment(
                "coevolution",
                "CIW-NN beside its parts and the classical methods of its own paper",
                _coevolution,
                ciwnn_tables.tables_of_coevolution,
            ),
            Experiment("peers", "classifiers that a user would pick", peers, _scores),
            Experiment(
                "readings",
                "colonies and CIW-NN that read one point of their paper otherwise",
                _readings,
                _readings_tables,
            ),
            Experiment(
                "stability",
                "SimbaMBIW's feature rankings beside those of other selectors",
                stability,
                rankings.tables_of_stability,
                ranking_datasets,
            ),
            Experiment(
                "antfs",
                "ant feature selection beside other ways to choose features",
                antfs,
                ant_tables.tables_of_antfs,
                ant_datasets,
                paired=False,
            ),
        )
    }
)
"""All experiments, by name. Another one is another entry here."""


def owners(profile: Profile) -> dict[str, str]:
    """Experiment that the stored results of an algorithm are packed with: the first that has it."""
    found: dict[str, str] = {}
    for name, experiment in EXPERIMENTS.items():
        for algorithm in experiment.algorithms(profile):
            found.setdefault(algorithm.name, name)
    return found
