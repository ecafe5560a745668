"""A dataset as experiments use it: its rows after the cap, and their folds."""

from functools import lru_cache
from typing import Any

import pandas as pd

from acoibl.experiments.protocol import cap_rows, folds

FOLDS = ("stratified", "groups")
"""Ways of folding: by row; or by group, so that all rows of a person are in one fold."""


def load_dataset(name: str) -> Any:
    """Dataset of the catalogue, kept in memory."""
    return _load(name)


def checksum_of(name: str) -> str:
    """Checksum that a dataset has wherever it loads; no data are needed to know it."""
    from acoibl.datasets.catalogue import find_entry

    return find_entry(name).sha256


def rows_of(name: str, max_rows: int | None) -> tuple[pd.DataFrame, pd.Series, str]:
    """Features, classes and checksum of a dataset after the cap of its rows."""
    dataset = _load(name)
    rows = cap_rows(dataset.y, max_rows, name)
    return dataset.X.iloc[rows], dataset.y.iloc[rows], dataset.checksum


def folds_of(name: str, n_folds: int, max_rows: int | None, way: str = "stratified") -> list:
    """Training and test rows of each fold, among the rows that the cap leaves."""
    dataset = _load(name)
    rows = cap_rows(dataset.y, max_rows, name)
    if way == "stratified":
        return folds(dataset.y.iloc[rows], n_folds)
    if dataset.groups is None:
        raise ValueError(f"the dataset {name!r} has no groups to fold by")
    return folds(dataset.y.iloc[rows], n_folds, groups=dataset.groups.iloc[rows])


@lru_cache(maxsize=64)
def _load(name: str) -> Any:
    from acoibl.datasets import load

    return load(name)


@lru_cache(maxsize=256)
def shape_of(name: str, max_rows: int | None) -> tuple[int, int]:
    """Rows, after the cap, and features of a dataset."""
    X, _, _ = rows_of(name, max_rows)
    return X.shape
