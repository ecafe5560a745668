"""Average ranks and wins, the last two rows of the paper's tables."""

import pandas as pd

from acoibl.comparison._checks import check_scores


def average_ranks(scores: pd.DataFrame, *, higher_is_better: bool = True) -> pd.Series:
    """Mean over the datasets of each algorithm's rank, 1 for the best.

    Tied algorithms share the mean of the ranks they span. Scores that agree to nine decimals
    are tied.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm, for example accuracies in percent.
    higher_is_better : bool, default=True
        Whether the best score is the largest one (accuracy) or the smallest one (error, loss).

    Returns
    -------
    Series of shape (n_algorithms,)
        Average rank of each column, in the order of the columns.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If a score is missing, a name stands twice, or there is no dataset or only one algorithm.

    See Also
    --------
    wins : Number of datasets on which an algorithm is the best.
    friedman : Test whether the average ranks differ.

    Notes
    -----
    Section 9.1.1 of "Instance-based classification with Ant Colony Optimization".

    Examples
    --------
    >>> from acoibl.comparison import average_ranks, published
    >>> average_ranks(published("table3_knn")).round(2).to_dict()
    {'aco_knn': 2.14, 'ens_aco_knn': 1.65, 'knn_k12': 2.21}
    """
    return _ranks(check_scores(scores), higher_is_better).mean(axis=0).rename("average rank")


def wins(scores: pd.DataFrame, *, higher_is_better: bool = True) -> pd.Series:
    """Count the datasets on which each algorithm has the best score.

    Every algorithm that shares the best score of a dataset wins it, so the counts may add up to
    more than the number of datasets. This is how the paper counts.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    higher_is_better : bool, default=True
        Whether the best score is the largest one or the smallest one.

    Returns
    -------
    Series of int, shape (n_algorithms,)
        Wins of each column, in the order of the columns.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If a score is missing, a name stands twice, or there is no dataset or only one algorithm.

    See Also
    --------
    average_ranks : Uses the whole order, not the first place alone.

    Notes
    -----
    Row "#wins" of Tables 3-5 and 9 of "Instance-based classification with Ant Colony
    Optimization".

    Examples
    --------
    >>> from acoibl.comparison import published, wins
    >>> wins(published("table3_knn")).to_dict()
    {'aco_knn': 14, 'ens_aco_knn': 24, 'knn_k12': 11}
    """
    table = check_scores(scores)
    best = table.max(axis=1) if higher_is_better else table.min(axis=1)
    return table.eq(best, axis=0).sum(axis=0).rename("wins")


def _ranks(table: pd.DataFrame, higher_is_better: bool = True) -> pd.DataFrame:
    """Rank of each algorithm on each dataset of a checked table, ties averaged."""
    return table.rank(axis=1, ascending=not higher_is_better, method="average")
