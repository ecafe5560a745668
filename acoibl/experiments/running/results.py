"""Stored results as one table."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from acoibl.experiments.data import checksum_of
from acoibl.experiments.outcomes import SCORES
from acoibl.experiments.running.units import Task, configuration
from acoibl.experiments.store import Store

COLUMNS = (
    *("dataset", "algorithm", "base", "preset", "variant", "weight_scale", "key_parameter"),
    *("folds", "fold", "seed", *SCORES, "train_accuracy", "loo_accuracy", "kernel", "n_iter"),
    *("n_evaluations", "stopped", "seconds", "cpu_seconds", "unit_seconds", "n_train", "n_test"),
    *("predictions", "checksum", "version"),
)
"""Columns of a table of results."""

_FLOATS = (
    *("key_parameter", *SCORES, "train_accuracy", "loo_accuracy"),
    *("seconds", "cpu_seconds", "unit_seconds"),
)
_COUNTS = ("n_iter", "n_evaluations")


def collect(
    tasks: Iterable[Task], store: Store, configs: Mapping[tuple[str, str], Any] | None = None
) -> pd.DataFrame:
    """Table of the stored results of some units; those that are not stored are left out.

    One row a result, with `COLUMNS`, then one column for each other fact that an algorithm has
    stored; rows in the order of the units.
    """
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    others: dict[str, dict[int, Any]] = {}
    units: dict[Any, Any] = {}
    last = None
    for task in tasks:
        if task.key != last:  # one configuration at a time: all at once would fill the memory
            last = task.key
            units = store.load(configuration(task) if configs is None else configs[task.key])
            common = {
                "dataset": task.dataset,
                "algorithm": task.algorithm.name,
                "base": task.algorithm.base,
                "preset": task.algorithm.parameters.get("preset", ""),
                "folds": task.folds,
                "checksum": checksum_of(task.dataset),
            }
        for row in units.get(task.unit, ()):
            line = {**common, "fold": task.fold, "seed": task.seed, **row}
            for name in line.keys() - columns.keys():
                others.setdefault(name, {})[len(columns["fold"])] = line[name]
            for name, values in columns.items():
                values.append(line.get(name))
    for name in _FLOATS:
        columns[name] = np.array([np.nan if v is None else v for v in columns[name]], dtype=float)
    table = pd.DataFrame(columns)
    for name in _COUNTS:
        table[name] = table[name].astype("Int64")
    for name in sorted(others):
        table[name] = pd.Series(others[name]).reindex(table.index)
    return table
