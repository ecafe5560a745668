"""Instance-based learning tuned by swarms."""

from acoibl.colony import ACOIBLClassifier
from acoibl.encoding import MixedEncoder
from acoibl.lazy import DNNClassifier, GKEClassifier, KNNClassifier

__version__ = "0.1.0"

__all__ = [
    "ACOIBLClassifier",
    "DNNClassifier",
    "GKEClassifier",
    "KNNClassifier",
    "MixedEncoder",
    "__version__",
]
