"""All pairs of algorithms at once: which ones a rank test cannot tell apart."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from statsmodels.stats.multitest import multipletests

from acoibl.comparison._checks import TIE_DECIMALS, check_alpha, check_scores
from acoibl.comparison.ranks import average_ranks


class CriticalDifference(NamedTuple):
    """Outcome of `critical_difference`.

    Parameters
    ----------
    ranks : Series of shape (n_algorithms,)
        Average ranks, best first.
    difference : float or None
        Smallest difference of two average ranks that is significant; None for ``"holm"``, whose
        level depends on the data.
    cliques : list of list
        Groups of algorithms, best first, that the test does not tell apart, as large as they can
        be and at least two algorithms each: the bars of the diagram.
    pvalues : DataFrame of shape (n_algorithms, n_algorithms)
        p value of each pair, adjusted for all pairs; 1 on the diagonal.
    alpha : float
        Level of the test.
    method : str
        ``"nemenyi"`` or ``"holm"``.
    n_datasets : int
        Number of datasets.
    """

    ranks: pd.Series
    difference: float | None
    cliques: list[list]
    pvalues: pd.DataFrame
    alpha: float
    method: str
    n_datasets: int


def critical_difference(
    scores: pd.DataFrame,
    alpha: float = 0.05,
    *,
    method: str = "nemenyi",
    higher_is_better: bool = True,
) -> CriticalDifference:
    r"""Compare all pairs of algorithms by average rank.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_algorithms)
        One row a dataset, one column an algorithm.
    alpha : float, default=0.05
        Family-wise error rate over all pairs, between 0 and 1.
    method : {"nemenyi", "holm"}, default="nemenyi"
        ``"nemenyi"`` is Nemenyi's test, with one critical difference for all pairs. ``"holm"``
        tests each pair by its z, as `holm` does, and corrects for the number of pairs step by
        step, which finds at least what Bonferroni's correction finds.
    higher_is_better : bool, default=True
        Whether the best score is the largest one or the smallest one.

    Returns
    -------
    CriticalDifference
        ``ranks``, ``difference``, ``cliques`` and ``pvalues``, ready for
        `acoibl.plotting.plot_critical_difference`.

    Raises
    ------
    TypeError
        If `scores` is no DataFrame of numbers.
    ValueError
        If `method` is unknown, `alpha` is not between 0 and 1, a score is missing, a name stands
        twice, or there are fewer than two datasets or algorithms.

    See Also
    --------
    holm : Comparison with one control, which asks fewer questions and finds more.
    friedman : The omnibus test that is done first.

    Notes
    -----
    :math:`CD = q_\alpha \sqrt{k(k+1) / (6N)}` for k algorithms on N datasets, with
    :math:`q_\alpha` the studentised range's quantile divided by :math:`\sqrt{2}`
    (J. Demsar, Journal of Machine Learning Research 7 (2006), 1-30). The outcome of a pair
    depends on which other algorithms take part; `compare` gives Wilcoxon's test of each pair
    too, which does not.

    Examples
    --------
    >>> from acoibl.comparison import critical_difference, published
    >>> result = critical_difference(published("table3_knn"))
    >>> round(result.difference, 3)
    0.552
    >>> result.cliques
    [['ens_aco_knn', 'aco_knn'], ['aco_knn', 'knn_k12']]
    """
    if method not in ("nemenyi", "holm"):
        raise ValueError(f"method must be 'nemenyi' or 'holm', not {method!r}")
    check_alpha(alpha)
    table = check_scores(scores, min_datasets=2)
    n_datasets, k = table.shape
    ranks = average_ranks(table, higher_is_better=higher_is_better)
    ranks = ranks.sort_values(kind="stable")
    error = np.sqrt(k * (k + 1) / (6 * n_datasets))
    first, second = np.triu_indices(k, 1)
    # Rounded: equal differences of averages must have equal p values.
    z = (np.subtract.outer(*[ranks.to_numpy()] * 2)[second, first] / error).round(TIE_DECIMALS)
    if method == "nemenyi":
        q = stats.studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2)
        difference = float(q * error)
        pairs = stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
        rejected = z >= q
    else:
        difference = None
        rejected, pairs, *_ = multipletests(2 * stats.norm.sf(z), alpha, method="holm")
    pvalues, apart = np.ones((k, k)), np.zeros((k, k), dtype=bool)
    pvalues[first, second] = pvalues[second, first] = pairs
    apart[first, second] = rejected
    frame = pd.DataFrame(pvalues, index=ranks.index, columns=ranks.index)
    cliques = [list(ranks.index[low:high]) for low, high in _runs(apart)]
    return CriticalDifference(ranks, difference, cliques, frame, alpha, method, n_datasets)


def _runs(apart: np.ndarray) -> list[tuple[int, int]]:
    """Maximal runs of neighbours in rank of which no two are told apart.

    Both tests reject the larger of two differences if they reject the smaller one, so a run is
    known by its ends.
    """
    runs: list[tuple[int, int]] = []
    k = len(apart)
    for low in range(k):
        high = low + 1
        while high < k and not apart[low, high]:
            high += 1
        if high - low > 1 and (not runs or high > runs[-1][1]):
            runs.append((low, high))
    return runs
