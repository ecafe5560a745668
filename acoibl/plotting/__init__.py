"""Drawing helpers that estimators, notebooks and reports share.

Every function draws into `ax`, or into a new pyplot figure when `ax` is None, and returns the
Axes. Nothing global changes on import; `set_style` is for scripts and notebooks to call.
"""

from acoibl.plotting.classifiers import plot_class_weights, plot_convergence, plot_decision_map
from acoibl.plotting.comparison import plot_critical_difference
from acoibl.plotting.paper import plot_rank_curve, plot_selection_ratio, plot_weight_vs_distance
from acoibl.plotting.style import PALETTE, STYLE, escape, set_style

__all__ = [
    "PALETTE",
    "STYLE",
    "escape",
    "plot_class_weights",
    "plot_convergence",
    "plot_critical_difference",
    "plot_decision_map",
    "plot_rank_curve",
    "plot_selection_ratio",
    "plot_weight_vs_distance",
    "set_style",
]
