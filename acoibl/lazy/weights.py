"""Class-based feature weights: checked, ordered, scaled."""

from typing import Any

import numpy as np
import pandas as pd

from acoibl.tables import unmasked

_LARGEST = 1e100
"""Larger weights could make a squared distance overflow."""

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
        classes as index and features as columns, or a Series with features as
        index, is put in order.
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
        For a wrong shape, negative, huge or non-finite weights, or labels that
        do not fit.
    """
    shape = (len(classes), len(feature_names))
    if weights is None:
        return np.ones(shape)
    if isinstance(weights, pd.DataFrame):
        rows = label_positions(weights.index, classes.tolist(), f"{name}: its index", "class")
        columns = label_positions(weights.columns, feature_names, f"{name}: its columns", "feature")
        weights = weights.iloc[rows, columns]
    elif isinstance(weights, pd.Series):
        weights = weights.iloc[
            label_positions(weights.index, feature_names, f"{name}: its index", "feature")
        ]
    try:
        values = np.asarray(unmasked(weights), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from error
    if values.shape == shape[1:] or values.shape == (1, shape[1]):
        values = np.broadcast_to(values, shape)
    if values.shape != shape:
        raise ValueError(
            f"{name} must have shape (n_classes, n_features) = {shape}, or "
            f"({shape[1]},) for one vector of weights for all classes; got {values.shape}"
        )
    bad = np.argwhere(~(values <= _LARGEST) | (values < 0))
    if len(bad):
        label, feature = bad[0]
        raise ValueError(
            f"{name} must be finite and not negative (at most {_LARGEST:g}); class "
            f"{str(classes[label])!r}, feature {feature_names[feature]!r} has "
            f"{values[label, feature]}"
        )
    return np.array(values)


def label_positions(
    labels: pd.Index, wanted: list, where: str, what: str, *, exact: bool = False
) -> list[int]:
    """Where each wanted label stands; 1 is found as 1.0, and anything by its text.

    Parameters
    ----------
    labels : Index
        Labels that the user gave.
    wanted : list
        Labels in the order in which they are needed.
    where, what : str
        What messages call the labels, and one of the things that they name.
    exact : bool, default=False
        Whether labels that are not wanted, or are there twice, are refused.

    Returns
    -------
    list of int
        A position in `labels` for each of `wanted`.

    Raises
    ------
    ValueError
        If a wanted label lacks, or for other labels than `exact` allows.
    """
    by_label = {label: i for i, label in enumerate(labels)}
    by_text = {str(label): i for i, label in enumerate(labels)}
    places = [by_label.get(label, by_text.get(str(label))) for label in wanted]
    lacking = [str(label) for label, place in zip(wanted, places, strict=True) if place is None]
    if lacking:
        raise ValueError(f"{where} must hold every {what}; it lacks {lacking}")
    if exact and len(labels) > len(wanted):
        others = [str(label) for i, label in enumerate(labels) if i not in set(places)]
        raise ValueError(
            f"{where} must hold every {what} once and nothing else; take away {others}"
        )
    return places
