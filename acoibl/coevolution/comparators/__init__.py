"""The classical methods that CIW-NN was compared with, each as a classifier.

All of them learn which training rows answer, how far each of these is, or how
much each feature counts, and let the nearest row answer.
"""

from acoibl.coevolution.comparators.filters import MutualInformationClassifier, ReliefFClassifier
from acoibl.coevolution.comparators.gocbr import GOCBRClassifier
from acoibl.coevolution.comparators.gradient import GradientWeightsClassifier
from acoibl.coevolution.comparators.ssma import SSMAClassifier
from acoibl.coevolution.comparators.tabu import TabuSearchClassifier
from acoibl.coevolution.comparators.wdnn import WDNNClassifier

__all__ = [
    "GOCBRClassifier",
    "GradientWeightsClassifier",
    "MutualInformationClassifier",
    "ReliefFClassifier",
    "SSMAClassifier",
    "TabuSearchClassifier",
    "WDNNClassifier",
]
