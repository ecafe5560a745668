"""Comparison of classifiers over many datasets: ranks, wins, rank tests, and audits of tables."""

from acoibl.comparison.audit import common_differences, fitting_counts
from acoibl.comparison.bayes import BayesianResult, bayesian_signed_rank
from acoibl.comparison.critical import CriticalDifference, critical_difference
from acoibl.comparison.overview import Comparison, compare
from acoibl.comparison.published_tables import published
from acoibl.comparison.ranks import average_ranks, wins
from acoibl.comparison.significance import (
    FriedmanResult,
    WilcoxonResult,
    friedman,
    holm,
    wilcoxon,
)
from acoibl.names import PUBLISHED_TITLES

__all__ = [
    "PUBLISHED_TITLES",
    "BayesianResult",
    "Comparison",
    "CriticalDifference",
    "FriedmanResult",
    "WilcoxonResult",
    "average_ranks",
    "bayesian_signed_rank",
    "common_differences",
    "compare",
    "critical_difference",
    "fitting_counts",
    "friedman",
    "holm",
    "published",
    "wilcoxon",
    "wins",
]
