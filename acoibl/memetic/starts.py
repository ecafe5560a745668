"""Log weights from which ants start."""

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from acoibl.encoding import EncodedData

STARTS = ("uniform", "mutual_information")

_LEAST = 0.05
"""Nats added to the mutual information of every feature: its estimate is no surer than that."""


def log_weights(start: str, data: EncodedData, classes: np.ndarray) -> np.ndarray:
    """Log weights of the features, the same for all classes.

    Parameters
    ----------
    start : {"uniform", "mutual_information"}
        Zeros, or half the log of the mutual information of each feature with the class, less its
        mean.
    data : EncodedData
        Training rows.
    classes : ndarray of int64, shape (n_rows,)
        Class codes.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        The log weights.
    """
    out = np.zeros(len(data.numeric_features) + len(data.categorical_features))
    if start == "uniform":
        return out
    missing_apart = np.where(np.isnan(data.numeric), -1.0, data.numeric)
    for block, places in (
        (missing_apart, data.numeric_features),
        (data.codes, data.categorical_features),
    ):
        if len(places):
            out[places] = mutual_info_classif(
                block, classes, discrete_features=block is data.codes, random_state=0
            )
    logs = 0.5 * np.log(out + _LEAST)
    return logs - logs.mean()
