"""Evolutionary instance selection and weighting around the nearest neighbour."""

from acoibl.coevolution.chc import CHC
from acoibl.coevolution.steady_state import SteadyStateGA

__all__ = ["CHC", "SteadyStateGA"]
