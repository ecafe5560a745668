"""Margins of rows: nearest hits and misses, margin vectors, the weights that Simba makes, votes."""

from acoibl.kernels.conventions import NO_ROW
from acoibl.kernels.margins.rows import MarginRows, make_rows
from acoibl.kernels.margins.vectors import margin_vectors, mean_distances
from acoibl.kernels.margins.votes import weighted_votes
from acoibl.kernels.margins.walk import margin_pass, nearest_pairs

__all__ = [
    "NO_ROW",
    "MarginRows",
    "make_rows",
    "margin_pass",
    "margin_vectors",
    "mean_distances",
    "nearest_pairs",
    "weighted_votes",
]
