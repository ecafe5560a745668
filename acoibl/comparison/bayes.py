"""Bayesian signed-rank test: the probability that an algorithm is better, or as good."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from acoibl.comparison._checks import TIE_DECIMALS, check_pairs, check_rope


class BayesianResult(NamedTuple):
    """Outcome of `bayesian_signed_rank`; the three probabilities add up to 1.

    Parameters
    ----------
    left : float
        Probability that the first algorithm is better by more than the rope.
    rope : float
        Probability that the two are practically equivalent.
    right : float
        Probability that the second algorithm is better by more than the rope.
    """

    left: float
    rope: float
    right: float


def bayesian_signed_rank(
    a: pd.Series,
    b: pd.Series,
    rope: float | str = "auto",
    *,
    n_samples: int = 50_000,
    random_state: int = 0,
) -> BayesianResult:
    """Bayesian counterpart of Wilcoxon's signed-ranks test, with a region of equivalence.

    A p value says how surprising the scores would be if the algorithms did not differ. This
    test says how probable it is, given the scores, that one is better by more than `rope`, or
    that the difference is too small to matter. It needs the package baycomp, an extra.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        Scores of the two algorithms on the same datasets; larger is better. Two Series are
        matched by label.
    rope : float or "auto", default="auto"
        Largest difference that does not matter, in the unit of the scores. ``"auto"`` is one point
        of accuracy: 0.01 if all scores lie between 0 and 1, and 1.0 for percent. With 0 there is
        no such region.
    n_samples : int, default=50_000
        Samples of the posterior distribution; the probabilities are exact to about
        ``0.5 / sqrt(n_samples)``.
    random_state : int, default=0
        Seed of the samples.

    Returns
    -------
    BayesianResult
        ``left`` (`a` is better), ``rope`` and ``right`` (`b` is better).

    Raises
    ------
    ImportError
        If baycomp is not installed.
    TypeError
        If a score is no number.
    ValueError
        If `rope` is negative, no finite number, or half of all that scores between 0 and 1 can
        differ by; if it is ``"auto"`` and the scores look like neither shares nor percent; if
        `n_samples` is not positive, a score is missing, the lengths or labels differ, or there are
        fewer than two datasets.

    See Also
    --------
    wilcoxon : The test of significance for the same question.

    Notes
    -----
    A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri: A Bayesian Wilcoxon signed-rank
    test based on the Dirichlet process (ICML 2014); A. Benavoli, G. Corani, J. Demsar,
    M. Zaffalon: Time for a change (Journal of Machine Learning Research 18 (2017), 1-36). The
    prior is baycomp's: half an observation that the two are equal.

    Examples
    --------
    >>> from acoibl.comparison import bayesian_signed_rank, published
    >>> table = published("table9_all")
    >>> result = bayesian_signed_rank(table["ens_aco_knn"], table["ciw_nn"])  # doctest: +SKIP
    >>> [round(probability, 2) for probability in result]  # doctest: +SKIP
    [0.98, 0.0, 0.02]
    """
    pairs = check_pairs(a, b, min_datasets=2)
    return posterior(pairs, check_rope(rope, pairs), n_samples, random_state)


def posterior(
    pairs: pd.DataFrame, rope: float, n_samples: int = 50_000, random_state: int = 0
) -> BayesianResult:
    """`bayesian_signed_rank` of two columns of checked scores, by a checked rope."""
    if n_samples < 1:
        raise ValueError(f"n_samples must be at least 1, not {n_samples!r}")
    try:
        from baycomp import SignedRankTest
    except ModuleNotFoundError as error:
        raise ImportError(
            "the Bayesian signed-rank test needs the package baycomp; install the extra: "
            "pip install '.[bayes]' in the project's folder, or pip install 'acoibl[bayes]'"
        ) from error
    # In whole units of the last decimal, sums of differences are exact, and so is whether one
    # lies on the edge of the rope.
    unit = 10.0**TIE_DECIMALS
    units, width = (pairs * unit).round(), float(np.round(rope * unit))
    sampled = SignedRankTest(
        units["a"].to_numpy(),
        units["b"].to_numpy(),
        width,
        nsamples=n_samples,
        random_state=random_state,
    )
    if width == 0:
        left, right = sampled.probs(with_rope=False)
        return BayesianResult(float(left), 0.0, float(right))
    return BayesianResult(*(float(probability) for probability in sampled.probs()))
