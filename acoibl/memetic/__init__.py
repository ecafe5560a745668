"""A memetic colony: few ants that descend, and a committee that answers."""

from acoibl.memetic.classifier import MemeticClassifier

__all__ = ["MemeticClassifier"]
