"""Random splits with the part sizes of the ants' paper, and how its data can be read."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from acoibl.experiments.algorithm import Split, as_block

N_FEATURES: Mapping[str, int] = {"heart-c": 13, "breast-w": 30, "thyroid": 21, "srbct": 2308}
"""The paper's heart disease, WDBC, thyroid and SRBCT, and how many features they have."""

DATASETS = tuple(N_FEATURES)

TEST_PARTS: Mapping[int, tuple[int, int]] = {
    13: (46, 303),
    21: (1200, 7200),
    30: (146, 569),
    2308: (20, 83),
}
"""Test rows of all rows, by number of features (Section 5); a quarter for other tables."""


def random_split(fold: Split, parameters: Mapping[str, Any]) -> list[Split]:
    """Random split of the whole table into parts of the paper's sizes, not stratified.

    None of a table that cannot have two classes, where the parameters ask for them.
    """
    X, y = fold.X, fold.y
    if parameters["two_classes"]:
        if set(map(str, y.unique())) != set("01234"):
            return []
        y = (y.astype(str) != "0").map({False: "absent", True: "present"}).astype("category")
    if parameters["numbers"]:
        X = X.apply(_as_numbers)
    test, whole = parameters["test_parts"].get(str(X.shape[1]), (1, 4))
    n_test = min(max(1, round(len(X) * test / whole)), len(X) - 2)
    rows = np.random.default_rng(child(fold.seed, 0)).permutation(len(X))
    return [fold.again(np.sort(rows[n_test:]), np.sort(rows[:n_test]), X=as_block(X), y=y)]


def reading_rules(reading: str) -> dict[str, Any]:
    """Parameters of an algorithm that say how the table is read and split."""
    return {
        "preset": reading,
        "scale": "none" if reading == "raw" else "range",
        "numbers": reading == "raw",
        "two_classes": reading == "two",
        "test_parts": {str(features): list(part) for features, part in TEST_PARTS.items()},
    }


def child(seed: np.random.SeedSequence, key: int) -> np.random.SeedSequence:
    """Source of randomness for one purpose within a unit; key 0 draws the split."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, key))


def _as_numbers(column: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    numbers = pd.to_numeric(column.astype(object), errors="coerce").astype(float)
    return numbers if numbers.isna().sum() == column.isna().sum() else column
