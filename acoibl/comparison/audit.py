"""Two questions to a printed table: which counts fit a percentage, which columns move together."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pandas as pd

from acoibl.comparison._checks import are_shares, check_scores


def fitting_counts(percent: float, sizes: Iterable[int], *, decimals: int = 2) -> pd.Series:
    """Numbers of rows of which a printed percentage can be a share.

    A share of n rows is a fraction k/n. Printed to a few decimals it does not fit every n, so
    an accuracy tells something about the size of the test part it was measured on.

    Parameters
    ----------
    percent : float
        Percentage as printed, between 0 and 100; a share of 1 must be multiplied by 100.
    sizes : iterable of int
        Numbers of rows n to try, each at least 1.
    decimals : int, default=2
        Decimals to which the percentage was rounded (97 printed among numbers with two decimals
        is 97.00).

    Returns
    -------
    Series of int
        The count k, indexed by each n for which 100 k/n rounds to `percent` (a half may have
        been rounded up or down). Where several counts fit, the one nearest.

    Raises
    ------
    ValueError
        If `percent` is outside 0 to 100, or a size is less than 1.

    Examples
    --------
    >>> from acoibl.comparison import fitting_counts
    >>> fitting_counts(96.77, range(25, 65)).to_dict()
    {31: 30, 62: 60}
    """
    rows = np.asarray(list(sizes), dtype=np.int64)
    if not 0 <= percent <= 100:
        raise ValueError(f"percent must lie between 0 and 100, not {percent!r}")
    if (rows < 1).any():
        raise ValueError(f"every size must be at least 1, not {rows.min()}")
    counts = np.rint(percent / 100 * rows).astype(np.int64)
    fits = np.abs(100 * counts / rows - percent) <= 0.5 * 10.0**-decimals + 1e-9
    return pd.Series(counts[fits], index=pd.Index(rows[fits], name="rows"), name="count")


def common_differences(scores: pd.DataFrame, *, decimals: int | None = None) -> pd.DataFrame:
    """For each pair of columns the difference that occurs most often.

    Columns that were measured independently differ by another amount on each dataset.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    decimals : int, optional
        Decimals to which the differences are rounded; by default a hundredth of a point of
        accuracy: 4 if all scores lie between 0 and 1, else 2.

    Returns
    -------
    DataFrame of shape (n_pairs, 2)
        Indexed by ``first`` and ``second``: the ``difference`` first - second that occurs most
        often (of several the smallest one), and the number of ``datasets`` on which it does.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If a score is missing, a name stands twice, or there is no dataset or only one algorithm.

    Examples
    --------
    >>> import pandas as pd
    >>> from acoibl.comparison import common_differences
    >>> common_differences(pd.DataFrame({"a": [80.0, 90.0, 70.0], "b": [79.5, 89.5, 71.0]}))
                  difference  datasets
    first second
    a     b              0.5         2
    """
    table = check_scores(scores)
    if decimals is None:
        decimals = 4 if are_shares(table) else 2
    lines = {}
    for first, second in combinations(table.columns, 2):
        counts = (table[first] - table[second]).round(decimals).add(0.0).value_counts()
        most = counts.index[counts == counts.max()].min()
        lines[first, second] = {"difference": float(most), "datasets": int(counts[most])}
    result = pd.DataFrame.from_dict(lines, orient="index")
    result.index = pd.MultiIndex.from_tuples(list(lines), names=["first", "second"])
    return result
