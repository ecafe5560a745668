"""What a user gives, read: groups, subsets, test parts, seeds, splits."""

from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from acoibl.antfs.criteria import CRITERIA, Criterion
from acoibl.lazy.checks import encode_classes


def read_groups(groups: Any) -> tuple[list[str], list[Criterion]]:
    """Names and criteria of the groups of ants."""
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
    """Positions of the features of a subset."""
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
    """Whether a test part was given."""
    if (X_test is None) != (y_test is None):
        raise ValueError("X_test and y_test belong together: give both or neither")
    return X_test is not None


def check_classes(classes: np.ndarray) -> None:
    """Check that there is something to tell apart."""
    if len(classes) < 2:
        raise ValueError(
            "features are selected by how well they tell classes apart, and the training rows of "
            f"the search hold 1 class only: {str(classes[0])!r}; if they are a share of yours, "
            "another random_state may bring another class in"
        )


def known_codes(y_test: Any, classes: np.ndarray) -> np.ndarray:
    """Classes of a test part, as positions among those of the training rows; -2 for others."""
    labels, codes = encode_classes(y_test)
    places = {label: place for place, label in enumerate(classes.tolist())}
    found = np.array([places.get(label, -2) for label in labels.tolist()], dtype=np.int64)
    if found.max() < 0:
        raise ValueError(
            f"no class of the test part, {_few(labels)}, is among those of the training rows, "
            f"{_few(classes)}: no answer could be right; name the classes of y and y_test alike"
        )
    return found[codes]


def split_rows(y: Any, share: float, state: int) -> tuple[np.ndarray, np.ndarray]:
    """Training and test rows; stratified if every class and part is large enough."""
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
