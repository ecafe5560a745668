"""ACO_R: ant colony optimisation in continuous domains (Socha and Dorigo, 2008)."""

from acoibl.acor.archive import Archive, rank_weights, round_half_away
from acoibl.acor.minimize import minimize

__all__ = ["Archive", "minimize", "rank_weights", "round_half_away"]
