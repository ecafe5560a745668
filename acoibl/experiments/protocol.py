"""What the paper prescribes: datasets, folds, seeds and budgets (Section 8)."""

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

ENTROPY = 20_240_229
"""Entropy of every `numpy.random.SeedSequence`; what is drawn differs by its spawn key."""

MOST_NAMES = 12
"""Names that a message lists; of more than these the most similar."""


class UnknownNameError(ValueError):
    """A name that stands for nothing here, or a value that does not fit its name."""


@dataclass(frozen=True)
class Profile:
    """How large a run is.

    Parameters
    ----------
    name : str
        Name, also of the folder of its report.
    n_folds : int
        Folds of the stratified cross-validation.
    seeds : tuple of int
        Numbers of the repeated runs of stochastic algorithms on each fold.
    max_rows : int or None
        Largest number of rows of a dataset; larger ones are cut down, keeping the shares of the
        classes.
    max_iter : int
        Most iterations of a colony.
    selection : tuple of str or {"offline", "paper"}
        Names of datasets, or which of the paper's 36: those that need no network, or all.
    order : {"longest", "datasets"}, default="longest"
        What runs first: the longest units, so that no core waits at the end; or dataset by
        dataset from the cheapest, so that a run of many hours completes most of them early.
    campaign : bool, default=False
        Whether it takes hours: a report then shows what is stored, and computes only when asked.

    Attributes
    ----------
    datasets : tuple of str
        The names that `selection` means.

    Examples
    --------
    >>> PROFILES["paper"].n_folds, len(PROFILES["paper"].seeds)
    (10, 10)
    """

    name: str
    n_folds: int
    seeds: tuple[int, ...]
    max_rows: int | None
    max_iter: int
    selection: tuple[str, ...] | str
    order: str = "longest"
    campaign: bool = False

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""
        if not isinstance(self.selection, str):
            return tuple(self.selection)
        from acoibl.datasets import list_datasets

        # "Offline" must not depend on ACOIBL_DATA: the same command, the same datasets.
        carried = True if self.selection == "offline" else None
        return tuple(list_datasets(paper=True, carried=carried))

    def describe(self) -> dict[str, str]:
        """Say the settings in words, for the page of the report.

        Returns
        -------
        dict of str to str
            One entry a setting.
        """
        return {
            "profile": self.name,
            "folds": f"{self.n_folds}, stratified, shuffled with seed 0, the same for all",
            "seeds per fold": f"{len(self.seeds)} ({', '.join(map(str, self.seeds))})",
            "row cap": "none" if self.max_rows is None else f"{self.max_rows}, stratified",
            "iterations of a colony": f"at most {self.max_iter}",
            "datasets": f"{len(self.datasets)}",
        }


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("smoke", 2, (0,), 150, 30, ("hay", "iris", "pop", "zoo")),
            Profile("quick", 3, (0,), 1000, 1000, "offline"),
            Profile("paper", 10, tuple(range(10)), None, 10_000, "paper", "datasets", True),
        )
    }
)
"""``"smoke"`` for tests, ``"quick"`` for the first look, ``"paper"`` for the reproduction."""


def get_profile(profile: str | Profile, **changes: Any) -> Profile:
    """Profile of that name, perhaps with other settings.

    Parameters
    ----------
    profile : str or Profile
        Name, or a profile.
    **changes : object
        Fields of `Profile` to replace.

    Returns
    -------
    Profile
        The profile.

    Raises
    ------
    UnknownNameError
        For an unknown name; the message suggests the nearest one.

    Examples
    --------
    >>> get_profile("smoke", n_folds=3).n_folds
    3
    """
    if isinstance(profile, str):
        if profile not in PROFILES:
            raise UnknownNameError(unknown("profile", profile, PROFILES))
        profile = PROFILES[profile]
    return replace(profile, **changes)


def folds(
    y: Any, n_folds: int, *, groups: Any = None, random_state: int = 0
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split rows into stratified folds, however small a class is.

    Parameters
    ----------
    y : array-like, shape (n_rows,)
        Classes.
    n_folds : int
        Number of folds.
    groups : array-like, shape (n_rows,), optional
        Rows of one group, such as the recordings of one person, stay in one fold.
    random_state : int, default=0
        Seed of the shuffle.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        Training and test rows of each fold, as
        ``StratifiedKFold(n_folds, shuffle=True, random_state=0)`` gives them. A class with fewer
        rows than folds has at most one row in a test part. With groups, as
        ``StratifiedGroupKFold`` gives them.

    Raises
    ------
    ValueError
        If there are fewer rows, or groups, than folds.

    Examples
    --------
    >>> [test.tolist() for _, test in folds(["a", "a", "b", "b"], 2)]
    [[1, 2], [0, 3]]
    """
    codes = _codes_by_appearance(y)
    if not 2 <= n_folds <= len(codes):
        raise ValueError(f"{len(codes)} rows cannot be split into {n_folds} folds")
    if groups is not None:
        return _group_folds(codes, np.asarray(groups), n_folds, random_state)
    # A class of n_folds rows at the end, cut off again below, changes nothing for the others and
    # keeps scikit-learn content when every real class is smaller than the number of folds.
    padded = np.concatenate([codes, np.full(n_folds, codes.max() + 1)])
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    rows = np.arange(len(codes))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        tests = [test[test < len(codes)] for _, test in splitter.split(padded, padded)]
    return [(np.setdiff1d(rows, test), test) for test in tests]


def cap_rows(y: Any, max_rows: int | None, name: str = "") -> np.ndarray:
    """Choose rows that keep the shares of the classes.

    Parameters
    ----------
    y : array-like, shape (n_rows,)
        Classes.
    max_rows : int or None
        Number of rows to keep; more only where each class needs its two (or its only one).
    name : str, default=""
        Name of the dataset, which with the number of rows decides the draw.

    Returns
    -------
    ndarray of int
        Positions, ascending; the same ones every time.

    Examples
    --------
    >>> rows = cap_rows(["a"] * 97 + ["b"] * 3, 20)
    >>> len(rows), int((rows >= 97).sum())
    (20, 2)
    """
    codes = _codes_by_appearance(y)
    if max_rows is None or len(codes) <= max_rows:
        return np.arange(len(codes))
    sizes = np.bincount(codes)
    share = sizes * max_rows / len(codes)
    least = np.minimum(2, sizes)
    quota = np.maximum(np.floor(share).astype(int), least)
    for group in np.argsort(-(share - np.floor(share)), kind="stable"):
        if quota.sum() >= max_rows:
            break
        quota[group] += int(quota[group] < sizes[group] and quota[group] < share[group])
    while quota.sum() > max_rows and (quota > least).any():
        quota[np.argmax(quota - least)] -= 1  # pay for what small classes got beyond their share
    generator = np.random.default_rng(_words("cap", name, max_rows))
    chosen = [
        generator.permutation(np.flatnonzero(codes == group))[: quota[group]]
        for group in range(len(sizes))
    ]
    return np.sort(np.concatenate(chosen))


def seed_sequence(dataset: str, fold: int, seed: int, base: str) -> np.random.SeedSequence:
    """Source of randomness of one run: the same for the same names, on every machine.

    It does not depend on the preset of a colony: both readings start alike.
    """
    return np.random.SeedSequence(ENTROPY, spawn_key=_words("run", dataset, fold, seed, base))


def unknown(kind: str, name: str, known: Any) -> str:
    """Say that a name is unknown and which one may have been meant."""
    known = sorted(known)
    close = get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}? There" if close else "there"
    if len(known) > MOST_NAMES:
        near = get_close_matches(str(name), known, n=MOST_NAMES, cutoff=0.0)
        return f"unknown {kind} {name!r}; {hint} are {len(known)}, among them: {', '.join(near)}"
    return f"unknown {kind} {name!r}; {hint} are: {', '.join(known) or 'none'}"


def _group_folds(codes: np.ndarray, groups: np.ndarray, n_folds: int, random_state: int) -> list:
    if len(np.unique(groups)) < n_folds:
        raise ValueError(f"{len(np.unique(groups))} groups cannot be split into {n_folds} folds")
    splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        tests = [test for _, test in splitter.split(codes, codes, groups)]
    rows = np.arange(len(codes))
    return [(np.setdiff1d(rows, test), test) for test in tests]


def _words(*names: Any) -> tuple[int, ...]:
    """Four 32-bit numbers from names (Python's own hash differs between processes)."""
    digest = hashlib.sha256("\x1f".join(map(str, names)).encode()).digest()
    return tuple(np.frombuffer(digest[:16], dtype="<u4").tolist())


def _codes_by_appearance(y: Any) -> np.ndarray:
    _, first, codes = np.unique(np.asarray(y), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes]
