"""What a user gives, read: groups, seeds, splits."""

from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from acoibl.antfs.criteria import CRITERIA, Criterion
from acoibl.lazy.checks import encode_classes


def read_groups(groups: Any) -> tuple[list[str], list[Criterion]]:
    """Names and criteria of the groups of ants.

    Parameters
    ----------
    groups : sequence of str or callable
        As for `acoibl.antfs.AntFeatureSelector`.

    Returns
    -------
    names : list of str
        Name of each group.
    criteria : list of callable
        Its criterion.

    Raises
    ------
    ValueError
        For no group, an unknown name, or two groups of one name.
    """
    names, criteria = [], []
    if isinstance(groups, str):
        groups = (groups,)
    for group in groups:
        if isinstance(group, str) and group in CRITERIA:
            names.append(group)
            criteria.append(CRITERIA[group])
        elif callable(group):
            names.append(getattr(group, "__name__", type(group).__name__))
            criteria.append(group)
        else:
            raise ValueError(
                f"groups holds {group!r}; a group is one of {sorted(CRITERIA)} or a function "
                "criterion(fitness, last) -> priority"
            )
    if not names or len(set(names)) < len(names):
        raise ValueError(f"groups must be one or more, each of another name; got {names}")
    return names, criteria


def seed_sequence(state: Any) -> np.random.SeedSequence:
    """Sequence of an estimator's `random_state`.

    Parameters
    ----------
    state : int, SeedSequence, Generator, RandomState or None
        What the user gave; a Generator or RandomState is drawn from.

    Returns
    -------
    numpy.random.SeedSequence
        To be given to `child_seed` only, so that a sequence of the user's stays as it is.
    """
    if isinstance(state, np.random.SeedSequence):
        return state
    if isinstance(state, np.random.Generator):
        return np.random.SeedSequence(int(state.integers(2**63)))
    if isinstance(state, np.random.RandomState):
        return np.random.SeedSequence(int(state.randint(np.iinfo(np.int32).max)))
    return np.random.SeedSequence(None if state is None else int(state))


def child_seed(sequence: np.random.SeedSequence, key: int) -> np.random.SeedSequence:
    """Stream of its own for one purpose; what the user gave is not changed by it.

    Parameters
    ----------
    sequence : SeedSequence
        Source.
    key : int
        Number of the purpose.

    Returns
    -------
    numpy.random.SeedSequence
        The same for the same key.
    """
    return np.random.SeedSequence(sequence.entropy, spawn_key=(*sequence.spawn_key, key))


def split_rows(y: Any, share: float, state: int) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows; stratified if every class and part is large enough.

    Parameters
    ----------
    y : array-like, shape (n_rows,)
        Classes.
    share : float
        Share of the rows that go into the test part.
    state : int
        Seed.

    Returns
    -------
    train, test : ndarray of int64
        Positions, ascending.

    Raises
    ------
    ValueError
        If one of the parts would be empty.
    """
    codes = encode_classes(y)[1]
    n_test = int(np.ceil(share * len(codes)))
    if not 1 <= n_test < len(codes):
        raise ValueError(
            f"{share:g} of {len(codes)} rows leaves no row for one of the two parts; with "
            f"n_samples={len(codes)} another share or more rows are needed"
        )
    counts = np.bincount(codes)
    enough = counts.min() >= 2 and min(n_test, len(codes) - n_test) >= len(counts)
    train, test = train_test_split(
        np.arange(len(codes)),
        test_size=n_test,
        stratify=codes if enough else None,
        random_state=state,
    )
    return np.sort(train), np.sort(test)
