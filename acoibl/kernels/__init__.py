"""Numba kernels: arrays in, arrays out.

Everything that costs time in the package happens here: squared distances
between one query and all training rows, the votes of the three lazy
classifiers, leave-one-out. The estimators translate tables into
`Queries` and a `Training` set and call `classify`, `predict_votes`,
`leave_one_out` or `nearest_rows`.
"""

from acoibl.kernels.distances import squared_distance_matrix
from acoibl.kernels.evaluate import KERNELS, Evaluator, able_kernels, classify, leave_one_out
from acoibl.kernels.neighbours import nearest_rows
from acoibl.kernels.predict import predict_codes, predict_votes, row_votes
from acoibl.kernels.training import (
    BEYOND,
    DNN,
    EQUAL,
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
