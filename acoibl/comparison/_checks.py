"""The one check of a table of scores that every comparison starts with."""

import numpy as np
import pandas as pd

# Scores are means over folds: two equal ones may differ in the last bits when they were summed
# in another order. Nine decimals are far finer than any accuracy can be measured.
TIE_DECIMALS = 9


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
        If it is too small, names an algorithm or a dataset twice, or a score is missing or
        infinite.
    """
    if not isinstance(scores, pd.DataFrame):
        raise TypeError(
            "scores must be a DataFrame with one row a dataset and one column an algorithm, "
            f"not {type(scores).__name__}"
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
