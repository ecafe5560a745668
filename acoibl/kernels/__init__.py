"""Numba kernels: arrays in, arrays out.

Everything that costs time in the package happens here, a folder for each family of methods:
`lazy` (votes of all training rows), `margins`, `coevolution` (the nearest of some selected rows),
`prototypes`; `subset_search` serves ant feature selection. The modules beside them are shared:
`conventions` (ties, marks), `training` (how rows are laid out), `distances`, `nearest`, `votes`,
`genetic`. The lazy classifiers translate tables into `Queries` and a `Training` set and call
`classify`, `predict_votes`, `leave_one_out` or `nearest_rows`.
"""

from acoibl.kernels.conventions import BEYOND, EQUAL
from acoibl.kernels.distances import squared_distance_matrix
from acoibl.kernels.lazy.direct import predict_codes, predict_votes, row_votes
from acoibl.kernels.lazy.evaluator import (
    KERNELS,
    Evaluator,
    able_kernels,
    classify,
    leave_one_out,
)
from acoibl.kernels.lazy.neighbours import nearest_rows
from acoibl.kernels.training import (
    DNN,
    GKE,
    KNN,
    Queries,
    Rule,
    Training,
    Weights,
    make_queries,
    make_training,
    split_weights,
)

__all__ = [
    "BEYOND",
    "DNN",
    "EQUAL",
    "GKE",
    "KERNELS",
    "KNN",
    "Evaluator",
    "Queries",
    "Rule",
    "Training",
    "Weights",
    "able_kernels",
    "classify",
    "leave_one_out",
    "make_queries",
    "make_training",
    "nearest_rows",
    "predict_codes",
    "predict_votes",
    "row_votes",
    "split_weights",
    "squared_distance_matrix",
]
