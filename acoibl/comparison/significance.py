"""Rank tests over many datasets: Friedman, Holm's post-hoc comparison, Wilcoxon."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

from acoibl.comparison._checks import TIE_DECIMALS, check_alpha, check_pairs, check_scores
from acoibl.comparison.ranks import average_ranks


class FriedmanResult(NamedTuple):
    """Outcome of `friedman`.

    Parameters
    ----------
    statistic : float
        Chi-square.
    pvalue : float
        Probability of a larger chi-square when the algorithms do not differ.
    df : int
        Degrees of freedom.
    """

    statistic: float
    pvalue: float
    df: int


class WilcoxonResult(NamedTuple):
    """Outcome of `wilcoxon`.

    Parameters
    ----------
    statistic : float
        z of the smaller of the two rank sums, hence never positive.
    pvalue : float
        p value of the chosen alternative.
    n : int
        Number of pairs that differ.
    """

    statistic: float
    pvalue: float
    n: int


def friedman(scores: pd.DataFrame, tie_correction: bool = True) -> FriedmanResult:
    r"""Test whether all algorithms have the same average rank.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm. The direction does not matter.
    tie_correction : bool, default=True
        Divide the statistic by its correction for tied ranks, as SciPy does. False gives the
        plain formula that the paper's printed statistics follow; it is conservative when
        scores tie.

    Returns
    -------
    FriedmanResult
        ``statistic`` (chi-square), ``pvalue`` and ``df`` = n_algorithms - 1.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If a score is missing, a name stands twice, or there are fewer than two datasets or
        three algorithms.

    See Also
    --------
    holm : Which algorithms differ from a control.
    wilcoxon : Comparison of two algorithms.

    Notes
    -----
    With N datasets, k algorithms and average ranks :math:`R_j` the plain statistic is
    :math:`\frac{12N}{k(k+1)} \left(\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right)`
    (J. Demsar, Journal of Machine Learning Research 7 (2006), 1-30).

    Examples
    --------
    >>> from acoibl.comparison import friedman, published
    >>> result = friedman(published("table3_knn"), tie_correction=False)
    >>> f"{result.statistic:.2f} {result.pvalue:.4f} {result.df}"
    '6.60 0.0369 2'
    """
    table = check_scores(scores, min_datasets=2, min_algorithms=3)
    n_datasets, n_algorithms = table.shape
    df = n_algorithms - 1
    if table.eq(table.iloc[:, 0], axis=0).all(axis=None):  # the correction for ties would be 0/0
        return FriedmanResult(0.0, 1.0, df)
    if tie_correction:
        statistic, pvalue = stats.friedmanchisquare(*(table[name] for name in table))
        return FriedmanResult(float(statistic), float(pvalue), df)
    squares = float((average_ranks(table) ** 2).sum())
    spread = squares - n_algorithms * (n_algorithms + 1) ** 2 / 4
    statistic = 12 * n_datasets / (n_algorithms * (n_algorithms + 1)) * spread
    return FriedmanResult(statistic, float(stats.chi2.sf(statistic, df)), df)


def holm(
    scores: pd.DataFrame, control: str, alpha: float = 0.05, *, higher_is_better: bool = True
) -> pd.DataFrame:
    r"""Compare every algorithm with a control by average rank, Holm's step-down procedure.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    control : str
        Column that all others are compared with, usually the best-ranked one.
    alpha : float, default=0.05
        Family-wise error rate, between 0 and 1.
    higher_is_better : bool, default=True
        Whether the best score is the largest one or the smallest one.

    Returns
    -------
    DataFrame of shape (n_algorithms - 1, 5)
        One row a compared algorithm, smallest p value first. ``z`` is positive where the
        control has the better rank; ``pvalue`` is the raw two-sided one; ``threshold`` is the
        level of the step, alpha / m, alpha / (m - 1), ..., alpha; ``adjusted`` is Holm's
        adjusted p value; ``significant`` says whether the step-down procedure rejects.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If `control` is no column, `alpha` is not between 0 and 1, a score is missing, a name
        stands twice, or there are fewer than two datasets or algorithms.

    See Also
    --------
    friedman : The omnibus test that is done first.

    Notes
    -----
    :math:`z = (R_i - R_{control}) / \sqrt{k(k+1) / (6N)}` with N datasets and k algorithms.
    Tables 6-8 of "Instance-based classification with Ant Colony Optimization" print the raw p
    value beside the threshold of its step.

    Examples
    --------
    >>> from acoibl.comparison import holm, published
    >>> holm(published("table3_knn"), "ens_aco_knn")[["pvalue", "threshold"]].round(4)
             pvalue  threshold
    knn_k12  0.0184      0.025
    aco_knn  0.0392      0.050
    """
    table = check_scores(scores, min_datasets=2)
    if control not in table.columns:
        raise ValueError(f"unknown control {control!r}; the algorithms are {list(table.columns)}")
    check_alpha(alpha)
    n_datasets, n_algorithms = table.shape
    ranks = average_ranks(table, higher_is_better=higher_is_better)
    error = np.sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))
    z = (ranks.drop(control) - ranks[control]) / error
    steps = pd.DataFrame({"z": z, "pvalue": 2 * stats.norm.sf(z.abs())})
    steps = steps.sort_values("pvalue", kind="stable")
    steps["threshold"] = alpha / np.arange(len(steps), 0, -1)
    rejected, adjusted, *_ = multipletests(steps["pvalue"].to_numpy(), alpha, method="holm")
    steps["adjusted"] = adjusted
    steps["significant"] = rejected
    return steps


def wilcoxon(a: pd.Series, b: pd.Series, alternative: str = "two-sided") -> WilcoxonResult:
    """Wilcoxon signed-ranks test of two algorithms over datasets.

    Pairs without a difference are dropped, and the p value comes from the normal approximation
    without a continuity correction, as in the paper; below some ten pairs that is rough.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of the two algorithms on the same datasets. Two Series are matched by label.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater" asks whether `a` is larger than `b`.

    Returns
    -------
    WilcoxonResult
        ``statistic``: z of the smaller of the two rank sums, hence never positive;
        ``pvalue``; ``n``, the number of pairs that differ. With no such pair: 0.0, 1.0, 0.

    Raises
    ------
    ValueError
        If `alternative` is unknown, a score is missing, the lengths or labels differ, or there
        are fewer than two datasets.

    See Also
    --------
    friedman : Comparison of three or more algorithms.

    Notes
    -----
    Table 10 of "Instance-based classification with Ant Colony Optimization" prints z = -2.05 and
    p = 0.0202, the p value of z rounded to two decimals; unrounded it is 0.0203.

    Examples
    --------
    >>> from acoibl.comparison import published, wilcoxon
    >>> table = published("table9_all")
    >>> result = wilcoxon(table["ens_aco_knn"], table["ciw_nn"], alternative="greater")
    >>> f"{result.n} {result.statistic:.2f} {result.pvalue:.4f}"
    '35 -2.05 0.0203'
    """
    alternatives = ("two-sided", "greater", "less")
    if alternative not in alternatives:
        raise ValueError(f"alternative must be one of {alternatives}, not {alternative!r}")
    pairs = check_pairs(a, b, min_datasets=2)
    # Rounded once more: equal differences must tie although 80.2 - 80.1 != 70.2 - 70.1 in binary.
    difference = (pairs["a"] - pairs["b"]).round(TIE_DECIMALS).to_numpy()
    n = int(np.count_nonzero(difference))
    if n == 0:
        return WilcoxonResult(0.0, 1.0, 0)
    result = stats.wilcoxon(
        difference,
        zero_method="wilcox",
        correction=False,
        alternative=alternative,
        method="approx",
    )
    return WilcoxonResult(-abs(float(result.zstatistic)), float(result.pvalue), n)
