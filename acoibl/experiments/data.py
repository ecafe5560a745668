"""A dataset as experiments use it: its rows after the cap, and their folds."""

from functools import lru_cache
from typing import Any

import pandas as pd

from acoibl.experiments.protocol import cap_rows, folds

FOLDS = ("stratified", "groups")
"""Ways of folding: by row; or by group, so that all rows of a person are in one fold."""


def load_dataset(name: str) -> Any:
    """Dataset of the catalogue, kept in memory.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    Dataset
        As `acoibl.datasets.load` gives it.
    """
    return _load(name)


def checksum_of(name: str) -> str:
    """Checksum that the table of a dataset has wherever it loads.

    Stored results can be read by it on a machine that does not have the data.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    str
        As `Dataset.checksum`.
    """
    from acoibl.datasets.catalogue import find_entry

    return find_entry(name).sha256


def rows_of(name: str, max_rows: int | None) -> tuple[pd.DataFrame, pd.Series, str]:
    """Features, classes and checksum of a dataset after the cap of its rows.

    Parameters
    ----------
    name : str
        Name of the dataset.
    max_rows : int or None
        Cap.

    Returns
    -------
    X : DataFrame
        Features.
    y : Series
        Classes.
    checksum : str
        Of the whole dataset.
    """
    dataset = _load(name)
    rows = cap_rows(dataset.y, max_rows, name)
    return dataset.X.iloc[rows], dataset.y.iloc[rows], dataset.checksum


def folds_of(name: str, n_folds: int, max_rows: int | None, way: str = "stratified") -> list:
    """Training and test rows of each fold, among the rows that the cap leaves.

    Parameters
    ----------
    name : str
        Name of the dataset.
    n_folds : int
        Number of folds.
    max_rows : int or None
        Cap.
    way : {"stratified", "groups"}, default="stratified"
        Way of folding.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        As `acoibl.experiments.folds` gives them.

    Raises
    ------
    ValueError
        If the dataset has no groups.
    """
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
