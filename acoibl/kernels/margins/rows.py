"""Training rows as the kernels of margins read them."""

from typing import NamedTuple

import numpy as np

from acoibl.kernels.training import Training, make_training


class MarginRows(NamedTuple):
    """Training rows, sorted by class, row by row and feature by feature.

    Attributes
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.
    spans : ndarray of float64, shape (n_numeric,)
        Largest difference of two rows in each numeric feature.
    training : Training
        The same rows feature by feature, and their classes.
    """

    numeric: np.ndarray
    codes: np.ndarray
    spans: np.ndarray
    training: Training

    @property
    def is_plain(self) -> bool:
        """Whether all features are numbers without a missing value."""
        return self.codes.shape[1] == 0 and not self.training.has_missing.any()


def make_rows(
    numeric: np.ndarray,
    codes: np.ndarray,
    classes: np.ndarray,
    n_classes: int,
) -> MarginRows:
    """Sort rows by class.

    Parameters
    ----------
    numeric : ndarray of float64, shape (n_rows, n_numeric)
        Numeric features; NaN where missing.
    codes : ndarray of int32, shape (n_rows, n_categorical)
        Category codes; -1 where missing.
    classes : ndarray of int, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.

    Returns
    -------
    MarginRows
        The sorted rows. In `numeric`, not in `training`, plain numbers are moved so that each
        feature has mean 0, which changes no difference and makes products exact to more digits.
    """
    training = make_training(numeric, codes, classes, n_classes)
    sorted_numeric = np.array(numeric[training.rows], dtype=np.float64, order="C")
    if codes.shape[1] == 0 and not training.has_missing.any() and len(sorted_numeric):
        sorted_numeric -= sorted_numeric.mean(axis=0)
    present = np.where(np.isnan(sorted_numeric), 0.0, sorted_numeric)
    return MarginRows(
        numeric=sorted_numeric,
        codes=np.array(codes[training.rows], dtype=np.int32, order="C"),
        spans=np.ptp(present, axis=0) if len(present) else np.empty(0),
        training=training,
    )
