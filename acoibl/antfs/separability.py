"""How well a feature alone separates the classes: the heuristic of the ants."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from acoibl.encoding import EncodedData, MixedEncoder
from acoibl.lazy.checks import encode_classes
from acoibl.tables import as_table

LEAST_SHARE = 1e-12
"""Least share of all variation that the variation within the classes is taken for."""


def class_separability(X: Any, y: Any, *, categorical_features: Any = "from_dtype") -> np.ndarray:
    """Class separability CS = SB / SW of every feature (Eq. 6-10).

    SB is the sum over the classes of the squared distance of the class mean to the mean of all
    rows (Eq. 7, each class counts once, whatever its size); SW is the sum over all rows of the
    squared distance to the mean of the own class (Eq. 8).

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_features)
        Numeric and categorical features. Missing values are left out of the feature's means.
    y : array-like, shape (n_rows,)
        Classes.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        From 0; it does not depend on the unit of a feature.

    Raises
    ------
    ValueError
        For input that cannot be read; the message names the column.

    Notes
    -----
    Two points that the source leaves open. A categorical feature counts as one column of 0 and 1
    for each of its categories, which are added up; with two categories this is the separability
    of the one column. Where SW is 0, it is taken as 1e-12 of the variation of all rows: a feature
    that is constant in each class, but not in all, is far better than any other, yet not
    infinitely so. A constant feature has 0.

    References
    ----------
    El Houby, Yassin and Omran, "A hybrid approach from Ant Colony Optimization and k-nearest
    neighbor for classifying datasets using selected features", Informatica 41 (2017) 495-506.

    Examples
    --------
    >>> from acoibl.antfs import class_separability
    >>> X = [[1.0, 1.0], [3.0, 2.0], [7.0, 1.0], [9.0, 2.0]]
    >>> class_separability(X, ["a", "a", "b", "b"]).tolist()
    [4.5, 0.0]
    """
    classes, codes = encode_classes(y)
    X = as_table(X)
    data = MixedEncoder(categorical_features=categorical_features).fit(X).transform(X)
    check_consistent_length(data.numeric, codes)
    return separability_of(data, codes, len(classes))


def separability_of(data: EncodedData, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Class separability of encoded features.

    Parameters
    ----------
    data : EncodedData
        Rows.
    codes : ndarray of int64, shape (n_rows,)
        Class of each row.
    n_classes : int
        Number of classes.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        In the order of the columns of the table.
    """
    out = np.zeros(len(data.numeric_features) + len(data.categorical_features))
    out[data.numeric_features] = _ratio(*_variation(data.numeric, codes, n_classes))
    for column, place in zip(data.codes.T, data.categorical_features, strict=True):
        indicators = (column[:, None] == np.unique(column[column >= 0])).astype(np.float64)
        indicators[column < 0] = np.nan
        parts = [part.sum(keepdims=True) for part in _variation(indicators, codes, n_classes)]
        out[place] = _ratio(*parts)[0]
    return out


def _variation(
    values: np.ndarray, codes: np.ndarray, n_classes: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Variation between classes, within classes, and of all rows, of each column."""
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    # From the mean: the squares of numbers far from 0 would drown their differences.
    counts = present.sum(axis=0)
    filled = np.where(present, filled - filled.sum(axis=0) / np.maximum(counts, 1), 0.0)
    between, within = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    for label in range(n_classes):
        own, there = filled[codes == label], present[codes == label]
        n_own = there.sum(axis=0)
        mean = own.sum(axis=0) / np.maximum(n_own, 1)
        between += np.where(n_own > 0, mean**2, 0.0)
        within += (np.where(there, own - mean, 0.0) ** 2).sum(axis=0)
    return between, within, (filled**2).sum(axis=0)


def _ratio(between: np.ndarray, within: np.ndarray, total: np.ndarray) -> np.ndarray:
    # Rounding leaves a constant feature a variation of some 1e-32 of its square, not 0.
    between = np.where(total > 1e-24, between, 0.0)
    return between / np.maximum(within, np.maximum(LEAST_SHARE * total, 1e-300))
