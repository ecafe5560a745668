"""The classical methods that CIW-NN was compared with, each as a classifier.

All of them learn which training rows answer, how far each of these is, or how
much each feature counts, and let the nearest row answer.
"""

from acoibl.prototypes.filters import MutualInformationClassifier, ReliefFClassifier
from acoibl.prototypes.gocbr import GOCBRClassifier
from acoibl.prototypes.gradient import GradientWeightsClassifier
from acoibl.prototypes.ssma import SSMAClassifier
from acoibl.prototypes.tabu import TabuSearchClassifier
from acoibl.prototypes.wdnn import WDNNClassifier

__all__ = [
    "GOCBRClassifier",
    "GradientWeightsClassifier",
    "MutualInformationClassifier",
    "ReliefFClassifier",
    "SSMAClassifier",
    "TabuSearchClassifier",
    "WDNNClassifier",
]
