"""Comparison of classifiers over many datasets: ranks, wins and rank tests."""

from acoibl.comparison.published_tables import published
from acoibl.comparison.ranks import average_ranks, wins
from acoibl.comparison.significance import (
    FriedmanResult,
    WilcoxonResult,
    friedman,
    holm,
    wilcoxon,
)

__all__ = [
    "FriedmanResult",
    "WilcoxonResult",
    "average_ranks",
    "friedman",
    "holm",
    "published",
    "wilcoxon",
    "wins",
]
