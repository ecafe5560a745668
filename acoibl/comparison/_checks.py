"""The checks of scores that every comparison starts with."""

import numpy as np
import pandas as pd

# Scores are means over folds: two equal ones may differ in the last bits when they were summed
# in another order. Nine decimals are far finer than any accuracy can be measured.
TIE_DECIMALS = 9

# Below, numbers beyond 1 may be log-losses; in percent, hardly a table has accuracies so low only.
_SURELY_PERCENT = 10.0


def check_scores(
    scores: pd.DataFrame, *, min_datasets: int = 1, min_algorithms: int = 2
) -> pd.DataFrame:
    """Table of scores as float64, rounded so that equal scores are equal.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    min_datasets, min_algorithms : int
        Fewest rows and columns that the caller can work with.

    Returns
    -------
    DataFrame of shape (n_datasets, n_algorithms)
        A copy; `scores` is left as it was.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame or a column is not numeric.
    ValueError
        If it is too small, its columns have several levels, it names an algorithm or a dataset
        twice, or a score is missing or infinite.
    """
    if not isinstance(scores, pd.DataFrame):
        raise TypeError(
            "scores must be a DataFrame with one row a dataset and one column an algorithm, "
            f"not {type(scores).__name__}"
        )
    if scores.columns.nlevels > 1:
        raise ValueError(
            f"the columns of scores have {scores.columns.nlevels} levels, but an algorithm needs "
            "one name; join them, as in scores.columns = scores.columns.map(' '.join), or choose "
            "one, as in scores['accuracy']"
        )
    for axis, labels in (("algorithm", scores.columns), ("dataset", scores.index)):
        if not labels.is_unique:
            twice = list(labels[labels.duplicated()].unique())
            raise ValueError(f"scores name an {axis} twice: {twice}".replace("an dat", "a dat"))
    if scores.shape[1] < min_algorithms:
        raise ValueError(
            f"at least {min_algorithms} algorithms are needed for a comparison, "
            f"scores have {scores.shape[1]}: {list(scores.columns)}"
        )
    if scores.shape[0] < min_datasets:
        raise ValueError(
            f"at least {min_datasets} datasets are needed here, scores have {scores.shape[0]}"
        )
    text = [
        name
        for name, dtype in scores.dtypes.items()
        if not pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype)
    ]
    if text:
        raise TypeError(f"scores must be numbers; these columns are not: {text}")
    values = scores.to_numpy(dtype=np.float64, na_value=np.nan)
    rows, columns = np.nonzero(~np.isfinite(values))
    if rows.size:
        where = f"({scores.index[rows[0]]!r}, {scores.columns[columns[0]]!r})"
        raise ValueError(
            f"{rows.size} score(s) missing or infinite, the first at {where}; "
            "leave such datasets out of the comparison, for example with scores.dropna()"
        )
    return pd.DataFrame(values, index=scores.index, columns=scores.columns).round(TIE_DECIMALS)


def check_pairs(a: pd.Series, b: pd.Series, *, min_datasets: int = 1) -> pd.DataFrame:
    """Scores of two algorithms as a checked table with the columns ``a`` and ``b``.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Two Series are matched by label, anything else by place.
    min_datasets : int
        Fewest pairs that the caller can work with.

    Returns
    -------
    DataFrame of shape (n_datasets, 2)
        As from `check_scores`.

    Raises
    ------
    TypeError
        If a score is no number.
    ValueError
        If the lengths or labels differ, a label stands twice, a score is missing or infinite, or
        there are too few.
    """
    return check_scores(_pairs(a, b), min_datasets=min_datasets)


def check_alpha(alpha: float) -> None:
    """Raise ValueError unless a level of significance lies between 0 and 1."""
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha!r}")


def are_shares(scores: pd.DataFrame) -> bool:
    """Whether all scores lie between 0 and 1, so that a point of accuracy is 0.01."""
    return bool(scores.ge(0).all(axis=None) and scores.le(1).all(axis=None))


def check_rope(rope: float | str, scores: pd.DataFrame) -> float:
    """Width of a rope in the unit of the scores.

    Parameters
    ----------
    rope : float or "auto"
        What the user gave.
    scores : DataFrame
        Checked scores.

    Returns
    -------
    float
        `rope`; for ``"auto"`` one point of accuracy, whether in percent or a share.

    Raises
    ------
    ValueError
        If it is negative, no finite number, as wide as half of all that shares can differ by, or
        ``"auto"`` where the scores are neither shares nor clearly percent.
    """
    shares = are_shares(scores)
    if isinstance(rope, str):
        if rope != "auto":
            raise ValueError(f"rope must be a number of at least 0 or 'auto', not {rope!r}")
        least, most = scores.min(axis=None), scores.max(axis=None)
        if not shares and not (least >= 0 and _SURELY_PERCENT < most <= 100):
            raise ValueError(
                f"the scores lie between {least:g} and {most:g}, so they may not be accuracies; "
                "give rope=, the largest difference that does not matter in their unit, or 0"
            )
        return 0.01 if shares else 1.0
    if not np.isfinite(rope) or rope < 0:
        raise ValueError(f"rope must be a number of at least 0 or 'auto', not {rope!r}")
    if shares and rope >= 0.5:
        raise ValueError(
            f"the scores lie between 0 and 1, where a rope of {rope:g} covers differences of "
            f"{100 * rope:g} points; one point is rope=0.01"
        )
    return float(rope)


def _pairs(a: pd.Series, b: pd.Series) -> pd.DataFrame:
    """Two columns of scores, row by row the same dataset."""
    if isinstance(a, pd.Series) and isinstance(b, pd.Series):
        strangers = list(a.index.symmetric_difference(b.index))
        if strangers:
            raise ValueError(f"these datasets have a score in one of a and b only: {strangers}")
        if not (a.index.is_unique and b.index.is_unique):
            raise ValueError("a or b has two scores for one dataset")
        return pd.DataFrame({"a": a, "b": b.reindex(a.index)})
    first, second = np.asarray(a), np.asarray(b)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            "a and b must be one-dimensional and equally long, "
            f"not of shapes {first.shape} and {second.shape}"
        )
    return pd.DataFrame({"a": first, "b": second})
