"""Ant feature selection around the nearest neighbours."""

from acoibl.antfs.criteria import CRITERIA, Criterion, furthest, nearest
from acoibl.antfs.evaluation import SubsetEvaluator
from acoibl.antfs.filters import mutual_information_scores, relieff_scores
from acoibl.antfs.rivals import exhaustive_search, forward_selection, random_subsets
from acoibl.antfs.selector import AntFeatureSelector
from acoibl.antfs.separability import class_separability

__all__ = [
    "CRITERIA",
    "AntFeatureSelector",
    "Criterion",
    "SubsetEvaluator",
    "class_separability",
    "exhaustive_search",
    "forward_selection",
    "furthest",
    "mutual_information_scores",
    "nearest",
    "random_subsets",
    "relieff_scores",
]
