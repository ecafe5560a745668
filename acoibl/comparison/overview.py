"""Everything that a report says about one table of scores, by one call."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from statsmodels.stats.multitest import multipletests

from acoibl.comparison._checks import TIE_DECIMALS, check_rope, check_scores
from acoibl.comparison.bayes import posterior
from acoibl.comparison.critical import CriticalDifference, critical_difference
from acoibl.comparison.ranks import average_ranks, wins
from acoibl.comparison.significance import friedman, holm, wilcoxon


@dataclass(frozen=True)
class Comparison:
    """Outcome of `compare`; every table is tidy and ready for a report.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        The checked scores, columns in their own order.
    control : str
        Algorithm that the others are compared with.
    alpha : float
        Level of the tests.
    summary : DataFrame of shape (n_algorithms, 4)
        Best average rank first: ``average rank``, ``wins`` (shared ones count for all), ``mean``
        and ``median`` of the scores.
    friedman : DataFrame of shape (2, 4)
        Rows "corrected for ties" and "not corrected": ``statistic`` (chi-square), ``df``, ``p``
        and whether it is ``significant``. No row with two algorithms only.
    holm : DataFrame of shape (n_algorithms - 1, 7)
        Control against each other algorithm by rank, smallest p value first: the two ``average
        rank`` columns, ``z`` (positive where the control ranks better), ``p``, the ``threshold``
        of the step, the ``adjusted p`` and whether it is ``significant``.
    wilcoxon : DataFrame of shape (n_pairs, 10)
        Indexed by ``first`` and ``second``: datasets on which the first is ``better``,
        ``equal`` and ``worse``; ``mean difference`` and ``median difference``, first - second;
        ``n`` (pairs that differ), ``z`` and two-sided ``p``; the p value ``adjusted`` for all
        pairs by Holm's procedure and whether that is ``significant``.
    bayes : DataFrame of shape (n_algorithms - 1, 3), or None
        Control against each other algorithm: probabilities that the ``control`` is better by
        more than the rope, that both are equivalent (``rope``), and that the ``other`` is
        better. None where it was not asked for or baycomp is missing.
    rope : float or None
        Width of the rope, in the unit of the scores.
    critical_difference : CriticalDifference
        All pairs by rank, for `acoibl.plotting.plot_critical_difference`.
    """

    scores: pd.DataFrame
    control: str
    alpha: float
    summary: pd.DataFrame
    friedman: pd.DataFrame
    holm: pd.DataFrame
    wilcoxon: pd.DataFrame
    bayes: pd.DataFrame | None
    rope: float | None
    critical_difference: CriticalDifference

    def sentence(self) -> str:
        """Say the outcome in one plain sentence.

        Returns
        -------
        str
            Best-ranked algorithm, Friedman's test, and which algorithms Holm's procedure tells
            apart from the control.
        """
        best = self.summary.index[0]
        parts = [
            f"Over {len(self.scores)} datasets {best} has the best average rank "
            f"({self.summary.loc[best, 'average rank']:.2f} of {len(self.summary)})"
        ]
        if len(self.friedman):
            parts.append(f"Friedman's test gives p = {self.friedman['p'].iloc[0]:.2g}")
        apart = self.holm[self.holm["significant"]]
        told = [
            f"{name} ({'worse' if line['z'] > 0 else 'better'})" for name, line in apart.iterrows()
        ]
        parts.append(
            f"Holm's procedure at {self.alpha:g} tells apart from {self.control}: "
            + (", ".join(told) or "none")
        )
        return "; ".join(parts) + "."


def compare(
    scores: pd.DataFrame,
    control: str | None = None,
    *,
    alpha: float = 0.05,
    rope: float | str | None = "auto",
    method: str = "nemenyi",
    higher_is_better: bool = True,
    random_state: int = 0,
) -> Comparison:
    """Compare algorithms over datasets by everything this package offers.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    control : str, optional
        Column that all others are compared with; by default the one of best average rank (the
        first of equals), which makes the comparison favour it a little.
    alpha : float, default=0.05
        Level of the tests, between 0 and 1.
    rope : float, "auto" or None, default="auto"
        Largest difference that does not matter, in the unit of the scores, for the Bayesian test;
        ``"auto"`` is one point of accuracy, as for `bayesian_signed_rank`. None leaves that test
        out; it is left out too where baycomp is not installed.
    method : {"nemenyi", "holm"}, default="nemenyi"
        How `critical_difference` tests.
    higher_is_better : bool, default=True
        Whether the best score is the largest one or the smallest one.
    random_state : int, default=0
        Seed of the Bayesian test.

    Returns
    -------
    Comparison
        ``summary``, ``friedman``, ``holm``, ``wilcoxon``, ``bayes`` and
        ``critical_difference``, and ``sentence()``.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If `control` is no column, `alpha`, `rope` or `method` is not allowed or `rope` does not fit
        the scores, a score is missing, a name stands twice, or there are fewer than two datasets
        or algorithms.

    Examples
    --------
    >>> from acoibl.comparison import compare, published
    >>> result = compare(published("table3_knn"), rope=None)
    >>> print(result.sentence())
    Over 36 datasets ens_aco_knn has the best average rank (1.65 of 3); Friedman's test gives
    p = 0.022; Holm's procedure at 0.05 tells apart from ens_aco_knn: knn_k12 (worse), aco_knn
    (worse).
    >>> result.wilcoxon[["better", "equal", "worse"]].to_numpy().tolist()
    [[2, 19, 15], [19, 1, 16], [24, 0, 12]]
    """
    table = check_scores(scores, min_datasets=2)
    width = None if rope is None else check_rope(rope, table)
    ranks = average_ranks(table, higher_is_better=higher_is_better)
    summary = pd.DataFrame(
        {
            "average rank": ranks,
            "wins": wins(table, higher_is_better=higher_is_better),
            "mean": table.mean(),
            "median": table.median(),
        }
    ).sort_values("average rank", kind="stable")
    summary.index.name = "algorithm"
    control = summary.index[0] if control is None else control
    steps = holm(table, control, alpha, higher_is_better=higher_is_better)
    return Comparison(
        scores=table,
        control=control,
        alpha=alpha,
        summary=summary,
        friedman=_friedman_table(table, alpha),
        holm=_holm_table(steps, ranks, control),
        wilcoxon=_wilcoxon_table(table if higher_is_better else -table, alpha, higher_is_better),
        bayes=_bayes_table(table if higher_is_better else -table, control, width, random_state),
        rope=width,
        critical_difference=critical_difference(
            table, alpha, method=method, higher_is_better=higher_is_better
        ),
    )


def _friedman_table(table: pd.DataFrame, alpha: float) -> pd.DataFrame:
    lines = {}
    if table.shape[1] > 2:
        for name, correct in (("corrected for ties", True), ("not corrected", False)):
            test = friedman(table, correct)
            lines[name] = {
                "statistic": test.statistic,
                "df": test.df,
                "p": test.pvalue,
                "significant": bool(test.pvalue < alpha),
            }
    columns = ["statistic", "df", "p", "significant"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=columns).rename_axis("Friedman")


def _holm_table(steps: pd.DataFrame, ranks: pd.Series, control: str) -> pd.DataFrame:
    names = {"pvalue": "p", "adjusted": "adjusted p"}
    result = steps.rename(columns=names).rename_axis("algorithm")
    result.insert(0, "average rank", ranks[result.index])
    result.insert(1, "control's average rank", ranks[control])
    return result


def _wilcoxon_table(gains: pd.DataFrame, alpha: float, higher_is_better: bool) -> pd.DataFrame:
    """Pairs of columns of `gains`, of which the larger one is the better one."""
    sign = 1 if higher_is_better else -1
    lines = {}
    for first, second in combinations(gains.columns, 2):
        gain = (gains[first] - gains[second]).round(TIE_DECIMALS)
        test = wilcoxon(gains[first], gains[second])
        lines[first, second] = {
            "better": int((gain > 0).sum()),
            "equal": int((gain == 0).sum()),
            "worse": int((gain < 0).sum()),
            "mean difference": sign * gain.mean(),
            "median difference": sign * gain.median(),
            "n": test.n,
            "z": test.statistic,
            "p": test.pvalue,
        }
    result = pd.DataFrame.from_dict(lines, orient="index")
    result.index = pd.MultiIndex.from_tuples(list(lines), names=["first", "second"])
    rejected, adjusted, *_ = multipletests(result["p"].to_numpy(), alpha, method="holm")
    return result.assign(**{"adjusted p": adjusted, "significant": np.asarray(rejected)})


def _bayes_table(
    gains: pd.DataFrame, control: str, rope: float | None, random_state: int
) -> pd.DataFrame | None:
    if rope is None:
        return None
    lines = {}
    for other in gains.columns.drop(control):
        pairs = pd.DataFrame({"a": gains[control], "b": gains[other]})
        try:
            lines[other] = posterior(pairs, rope, random_state=random_state)
        except ImportError:
            return None
    result = pd.DataFrame.from_dict(lines, orient="index", columns=["control", "rope", "other"])
    return result.rename_axis("algorithm")
