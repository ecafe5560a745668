"""Training rows as the kernels of margins read them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from acoibl._sklearn import StrOptions
from acoibl.encoding import EncodedData, MixedEncoder
from acoibl.kernels import margins as kernels
from acoibl.lazy.checks import encode_classes

DATA_CONSTRAINTS: dict = {
    "scale": ["boolean"],
    "missing": [StrOptions({"max", "category"})],
    "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
}
"""Parameters of every estimator here that read a table."""


@dataclass(frozen=True)
class MarginProblem:
    """Encoded training rows.

    Parameters
    ----------
    encoder : MixedEncoder
        What encoded them.
    scale : bool
        Whether numeric features are scaled to [0, 1].
    classes : ndarray, shape (n_classes,)
        Labels.
    rows : MarginRows
        Rows sorted by class.
    order : ndarray of int, shape (n_features,)
        Column of the table that each feature of the kernels is.
    """

    encoder: MixedEncoder
    scale: bool
    classes: np.ndarray
    rows: kernels.MarginRows
    order: np.ndarray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.rows.numeric)

    @property
    def places(self) -> np.ndarray:
        """Sorted row of each given row, shape (n_rows,)."""
        return self.rows.training.positions

    def by_column(self, values: np.ndarray) -> np.ndarray:
        """Bring values (..., n_features) from the order of the kernels into that of the table."""
        out = np.empty_like(values)
        out[..., self.order] = values
        return out

    def margin_vectors(self) -> np.ndarray:
        """Margin vectors by sorted row and in the features' order of the kernels, all weights 1."""
        hits, misses = kernels.nearest_pairs(self.rows, np.ones(len(self.order)))
        return kernels.margin_vectors(self.rows, hits, misses)


def make_problem(
    X: Any, y: Any, scale: bool, missing: str, categorical_features: Any
) -> MarginProblem:
    """Encode a table with its classes.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_features)
        Features.
    y : array-like, shape (n_rows,)
        Classes, two or more.
    scale : bool
        Whether numeric features are scaled to [0, 1].
    missing : {"max", "category"}
        What a missing value means.
    categorical_features : "from_dtype", None or array-like
        See `acoibl.MixedEncoder`.

    Returns
    -------
    MarginProblem
        The encoded rows.

    Raises
    ------
    ValueError
        If there is only one class: margins are distances between classes.
    """
    classes, codes = encode_classes(y)
    encoder = MixedEncoder(categorical_features=categorical_features, missing=missing).fit(X)
    data = encode(encoder, X, scale)
    check_consistent_length(data.numeric, codes)
    if len(classes) < 2:
        raise ValueError(
            f"margins need rows of at least 2 classes, got 1 class: {str(classes[0])!r}"
        )
    return MarginProblem(
        encoder,
        scale,
        classes,
        kernels.make_rows(data.numeric, data.codes, codes, len(classes)),
        np.concatenate([data.numeric_features, data.categorical_features]),
    )


def encode(encoder: MixedEncoder, X: Any, scale: bool) -> EncodedData:
    """Encode rows, with numeric features scaled by the extremes of the training rows or not.

    Parameters
    ----------
    encoder : MixedEncoder
        Fitted on the training rows.
    X : DataFrame or array-like, shape (n_rows, n_features)
        Rows.
    scale : bool
        Whether to scale; without it a feature is only moved, so that its least value is 0.

    Returns
    -------
    EncodedData
        Encoded rows.
    """
    data = encoder.transform(X)
    if scale:
        return data
    width = np.nan_to_num(encoder.data_max_ - encoder.data_min_)
    return EncodedData(
        data.numeric * width, data.codes, data.numeric_features, data.categorical_features
    )
