"""What a user gives, read: groups, subsets, test parts, seeds, splits."""

from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from acoibl.antfs.criteria import CRITERIA, Criterion
from acoibl.lazy.checks import encode_classes


def read_groups(groups: Any) -> tuple[list[str], list[Criterion]]:
    """Names and criteria of the groups of ants.

    Parameters
    ----------
    groups : sequence of str or callable, or one of them
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
    if isinstance(groups, str) or callable(groups):
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


def read_subset(features: Any, n_features: int) -> list[int]:
    """Positions of the features of a subset.

    Parameters
    ----------
    features : sequence of int, or mask of bool of shape (n_features,)
        What the user gave.
    n_features : int
        Number of features of the table.

    Returns
    -------
    list of int
        In the order given; of a mask ascending.

    Raises
    ------
    ValueError
        For no feature, one that there is not, one named twice, a mask of another length, or what
        is neither positions nor a mask.
    """
    chosen = np.asarray(features if hasattr(features, "dtype") else list(features))
    if chosen.dtype == bool:
        if chosen.shape != (n_features,):
            raise ValueError(
                f"a mask of {n_features} features must have shape ({n_features},), got "
                f"{chosen.shape}"
            )
        chosen = np.flatnonzero(chosen)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
        raise ValueError(
            "a subset is a sequence of positions, which are whole numbers, or a mask of True and "
            f"False; got {features!r}"
        )
    found = [int(place) for place in chosen]
    if not found or len(set(found)) < len(found):
        raise ValueError(f"a subset has one or more features, each once; got {found}")
    if min(found) < 0 or max(found) >= n_features:
        raise ValueError(f"features go from 0 to {n_features - 1}; got {found}")
    return found


def has_test_part(X_test: Any, y_test: Any) -> bool:
    """Whether a test part was given.

    Parameters
    ----------
    X_test, y_test : table, array-like, or None
        What the user gave.

    Returns
    -------
    bool
        True for both, False for neither.

    Raises
    ------
    ValueError
        For one without the other.
    """
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test belong together: give both or neither")
    return X_test is not None


def check_classes(classes: np.ndarray) -> None:
    """Check that there is something to tell apart.

    Parameters
    ----------
    classes : ndarray, shape (n_classes,)
        Classes of the rows that a search may see.

    Raises
    ------
    ValueError
        If it is one class.
    """
    if len(classes) < 2:
        raise ValueError(
            "features are selected by how well they tell classes apart, and the training rows of "
            f"the search hold 1 class only: {str(classes[0])!r}; if they are a share of yours, "
            "another random_state may bring another class in"
        )


def known_codes(y_test: Any, classes: np.ndarray) -> np.ndarray:
    """Classes of a test part, as positions among those of the training rows.

    Parameters
    ----------
    y_test : array-like, shape (n_queries,)
        Classes.
    classes : ndarray, shape (n_classes,)
        Those of the training rows.

    Returns
    -------
    ndarray of int64, shape (n_queries,)
        Positions; -2, which nobody answers, for a class that training lacks.

    Raises
    ------
    ValueError
        If training lacks all of them: then they were most likely written in another way.
    """
    labels, codes = encode_classes(y_test)
    places = {label: place for place, label in enumerate(classes.tolist())}
    found = np.array([places.get(label, -2) for label in labels.tolist()], dtype=np.int64)
    if found.max() < 0:
        raise ValueError(
            f"no class of the test part, {_few(labels)}, is among those of the training rows, "
            f"{_few(classes)}: no answer could be right; name the classes of y and y_test alike"
        )
    return found[codes]


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


def _few(labels: np.ndarray) -> str:
    """Labels as text, ten at most."""
    more = f" and {len(labels) - 10} more" if len(labels) > 10 else ""
    return f"{labels[:10].tolist()}{more}"
