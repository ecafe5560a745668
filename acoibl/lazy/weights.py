"""Class-based feature weights: checked, ordered, scaled."""

from typing import Any

import numpy as np
import pandas as pd

WEIGHT_SCALES = ("none", "sum_one", "sum_m")


def scale_weights(weights: np.ndarray, scale: str) -> np.ndarray:
    """Scale each class's vector of feature weights.

    Parameters
    ----------
    weights : ndarray of float64, shape (..., n_features)
        Non-negative weights.
    scale : {"none", "sum_one", "sum_m"}
        ``"none"``: as they are; ``"sum_one"``: each vector sums to 1, so that
        no distance between training rows exceeds 1; ``"sum_m"``: to the
        number of features, so that equal weights are all 1.

    Returns
    -------
    ndarray of float64, shape (..., n_features)
        Scaled weights; a vector of zeros stays zero.

    Raises
    ------
    ValueError
        For an unknown scale.

    Examples
    --------
    >>> scale_weights(np.array([[1.0, 3.0], [0.0, 0.0]]), "sum_one").tolist()
    [[0.25, 0.75], [0.0, 0.0]]
    """
    if scale == "none":
        return np.array(weights, dtype=np.float64)
    if scale not in WEIGHT_SCALES:
        raise ValueError(f"weight_scale must be one of {WEIGHT_SCALES}, got {scale!r}")
    total = weights.sum(axis=-1, keepdims=True)
    target = 1.0 if scale == "sum_one" else float(weights.shape[-1])
    return weights / np.where(total > 0, total, 1.0) * target


def check_class_weights(
    weights: Any,
    classes: np.ndarray,
    feature_names: list[str],
    name: str = "class_weights",
) -> np.ndarray:
    """Bring what the user gave into shape (n_classes, n_features).

    Parameters
    ----------
    weights : None, array-like or DataFrame
        None: all 1. An array with one row per class, in the order of
        `classes`, or a single row for all classes (Eq. 3). A DataFrame with
        classes as index and features as columns is put in order.
    classes : ndarray, shape (n_classes,)
        Class labels.
    feature_names : list of str
        Names of the columns.
    name : str, default="class_weights"
        What messages call the weights.

    Returns
    -------
    ndarray of float64, shape (n_classes, n_features)
        Weights.

    Raises
    ------
    ValueError
        For a wrong shape, negative or non-finite weights, or labels that do
        not fit.
    """
    shape = (len(classes), len(feature_names))
    if weights is None:
        return np.ones(shape)
    if isinstance(weights, pd.DataFrame):
        weights = _in_order(weights, classes, feature_names)
    values = np.asarray(weights, dtype=np.float64)
    if values.shape == shape[1:] or values.shape == (1, shape[1]):
        values = np.broadcast_to(values, shape)
    if values.shape != shape:
        raise ValueError(
            f"{name} must have shape (n_classes, n_features) = {shape}, or "
            f"({shape[1]},) for one vector of weights for all classes; got {values.shape}"
        )
    bad = np.argwhere(~np.isfinite(values) | (values < 0))
    if len(bad):
        label, feature = bad[0]
        raise ValueError(
            f"{name} must be finite and not negative; class {str(classes[label])!r}, feature "
            f"{feature_names[feature]!r} has {values[label, feature]}"
        )
    return np.array(values)


def _in_order(weights: pd.DataFrame, classes: np.ndarray, feature_names: list[str]) -> pd.DataFrame:
    rows, columns = [str(c) for c in classes], feature_names
    weights = weights.set_axis([str(i) for i in weights.index], axis=0)
    weights = weights.set_axis([str(c) for c in weights.columns], axis=1)
    missing_rows = sorted(set(rows) - set(weights.index))
    missing_columns = sorted(set(columns) - set(weights.columns))
    if missing_rows or missing_columns:
        raise ValueError(
            f"class_weights lacks the classes {missing_rows} and the features "
            f"{missing_columns}; its index must hold the classes, its columns the features"
        )
    return weights.loc[rows, columns]
