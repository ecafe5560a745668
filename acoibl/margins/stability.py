"""How much selections of features agree: Kuncheva's index, for one size and for all."""

import warnings
from collections.abc import Iterable, Sequence
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import UndefinedMetricWarning

ALL_SELECTED = "undefined: all features are selected, whatever the method"


def kuncheva_index(subsets: Sequence[Any], d: int) -> float:
    """Kuncheva's index of the stability of several selections of equally many features.

    The mean over all pairs of ``(r - k**2 / d) / (k - k**2 / d)`` with r the number of features
    that both selections of a pair have, k their size: 1 if all are the same; 0 is what random
    selections get on average; the least for a pair, -k / (d - k) or more, is never below -1.

    Parameters
    ----------
    subsets : sequence of array-like
        Two or more selections, each as positions of features, or as a mask of shape (d,).
    d : int
        Number of features.

    Returns
    -------
    float
        The index, from -1 to 1. Undefined, and NaN with a warning that says so, if all features
        are selected, or none.

    Raises
    ------
    ValueError
        For fewer than two selections, selections of several sizes, or positions that are no
        feature (names are none), no integer or repeated.

    References
    ----------
    Kuncheva (2007), "A stability index for feature selection", IASTED Artificial Intelligence
    and Applications, 390-395.

    Examples
    --------
    >>> from acoibl.margins import kuncheva_index
    >>> kuncheva_index([[0, 1], [0, 1]], d=4), kuncheva_index([[0, 1], [1, 2]], d=4)
    (1.0, 0.0)
    """
    if not isinstance(d, Integral) or d < 1:
        raise ValueError(f"d, the number of features, must be an integer from 1 on, got {d!r}")
    masks = np.array([_mask(subset, d, f"selection {i}") for i, subset in enumerate(subsets)])
    if len(masks) < 2:
        raise ValueError(f"stability needs at least 2 selections, got {len(masks)}")
    sizes = masks.sum(axis=1)
    if len(set(sizes.tolist())) > 1:
        raise ValueError(
            f"all selections must have the same size, got {sorted(set(sizes.tolist()))}"
        )
    k = int(sizes[0])
    if k in (0, d):
        reason = ALL_SELECTED if k else "undefined: no feature is selected"
        warnings.warn(f"Kuncheva's index is {reason}", UndefinedMetricWarning, stacklevel=2)
        return float("nan")
    common = [int((a & b).sum()) for a, b in combinations(masks, 2)]
    return float(_corrected(np.mean(common), k, d))


def stability_curve(rankings: Any, sizes: Iterable[int] | None = None) -> pd.DataFrame:
    """Kuncheva's index of the best features of several rankings, for each number of them.

    Parameters
    ----------
    rankings : array-like of int, shape (n_runs, d)
        Rank of each feature in each run, 1 for the best, without ties: the ``ranking_`` of
        selectors that were fitted on different rows.
    sizes : iterable of int, optional
        Numbers of features; all from 1 to d by default.

    Returns
    -------
    DataFrame
        Indexed by ``size``: ``kuncheva``, the index (NaN at size d); ``common``, the mean share
        of features that two runs have in common, which chance alone makes size / d; ``note``,
        why an index is NaN.

    Raises
    ------
    ValueError
        For fewer than two rankings, for ranks that are not 1 to d, or a size beyond.

    Examples
    --------
    >>> from acoibl.margins import stability_curve
    >>> stability_curve([[1, 2, 3], [1, 3, 2]])["kuncheva"].tolist()
    [1.0, -0.5, nan]
    """
    common = pairwise_common(rankings)
    d = common.shape[1]
    sizes = list(range(1, d + 1) if sizes is None else sizes)
    wrong = [size for size in sizes if not isinstance(size, Integral) or not 1 <= size <= d]
    if wrong:
        raise ValueError(
            f"sizes must be integers between 1 and {d}, the number of features; got {wrong[0]}"
        )
    sizes = np.array(sizes, dtype=np.int64)
    shared = common[:, sizes - 1].mean(axis=0)
    return pd.DataFrame(
        {
            "kuncheva": _corrected(shared, sizes, d),
            "common": shared / sizes,
            "note": np.where(sizes == d, ALL_SELECTED, ""),
        },
        index=pd.Index(sizes, name="size"),
    )


def run_stability(rankings: Any, share: float = 1.0) -> np.ndarray:
    """Mean agreement of each run with the others, averaged over sizes."""
    common = pairwise_common(rankings)
    d, n = common.shape[1], len(np.asarray(rankings))
    if d == 1:
        return np.full(n, np.nan)
    sizes = np.arange(1, max(2, min(d, int(share * d) + 1)))
    by_pair = _corrected(common[:, : len(sizes)], sizes, d).mean(axis=1)
    out = np.zeros(n)
    for value, (i, j) in zip(by_pair, combinations(range(n), 2), strict=True):
        out[i] += value / (n - 1)
        out[j] += value / (n - 1)
    return out


def pairwise_common(rankings: Any) -> np.ndarray:
    """Number of features that the best of two runs have in common."""
    ranks = np.asarray(rankings)
    if ranks.ndim != 2 or len(ranks) < 2:
        raise ValueError(f"rankings must have shape (2 or more, d), got {ranks.shape}")
    d = ranks.shape[1]
    if not (np.sort(ranks, axis=1) == np.arange(1, d + 1)).all():
        raise ValueError(f"each ranking must hold the ranks 1 to {d}, each once")
    ranks = ranks.astype(np.int64)  # they may have come as 1.0, 2.0, ...
    # A feature is among the best k of both runs from k = its worse rank on.
    return np.array(
        [
            np.cumsum(np.bincount(np.maximum(a, b) - 1, minlength=d))
            for a, b in combinations(ranks, 2)
        ]
    )


def _corrected(common: Any, k: Any, d: int) -> Any:
    """Numerator and denominator times d: whole numbers for a pair, so that 1 is exactly 1."""
    k = np.asarray(k, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(k < d, (common * d - k * k) / (k * d - k * k), np.nan)


def _mask(subset: Any, d: int, called: str) -> np.ndarray:
    if isinstance(subset, set | frozenset):
        subset = list(subset)
    values = np.asarray(subset)
    if values.ndim != 1:
        raise ValueError(f"{called} must be one list, array or set, got shape {values.shape}")
    if values.dtype == bool:
        if values.shape != (d,):
            raise ValueError(
                f"{called} is a mask, which must have shape ({d},), got {values.shape}"
            )
        return values
    mask = np.zeros(d, dtype=bool)
    if not values.size:
        return mask
    positions = f"{called} must hold positions from 0 to {d - 1}"
    if values.dtype.kind not in "iu":
        first = values[:1].tolist()[0]
        raise ValueError(
            f"{positions} as integers, or be a mask; got {type(first).__name__} {first!r}"
        )
    wrong = values[(values < 0) | (values >= d)]
    if len(wrong):
        raise ValueError(f"{positions}, got {wrong[0]}")
    mask[values] = True
    if mask.sum() != values.size:
        if values.shape == (d,) and values.max() <= 1:
            raise ValueError(
                f"{called} looks like a mask of integers; a mask must hold bool values"
            )
        twice = np.flatnonzero(np.bincount(values) > 1)[0]
        raise ValueError(f"{called} holds feature {twice} twice")
    return mask
