"""Evolutionary instance selection and weighting around the nearest neighbour (CIW-NN)."""

from acoibl.coevolution.chc import CHC
from acoibl.coevolution.classifier import CIWNNClassifier
from acoibl.coevolution.relatives import SSGAClassWeighter, SSGAFeatureWeighter
from acoibl.coevolution.selector import CHCSelector
from acoibl.coevolution.settings import PRESETS
from acoibl.coevolution.steady_state import SteadyStateGA
from acoibl.lazy.checks import WeakFitWarning

__all__ = [
    "CHC",
    "PRESETS",
    "CHCSelector",
    "CIWNNClassifier",
    "SSGAClassWeighter",
    "SSGAFeatureWeighter",
    "SteadyStateGA",
    "WeakFitWarning",
]
