"""ACO_R-IBL: a multi-archive ant colony that tunes a lazy classifier (Sections 5-7)."""

from acoibl.colony.classifier import ACOIBLClassifier
from acoibl.colony.ensemble import majority
from acoibl.colony.settings import PRESETS
from acoibl.lazy.checks import WeakFitWarning

__all__ = ["PRESETS", "ACOIBLClassifier", "WeakFitWarning", "majority"]
