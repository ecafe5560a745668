"""The margin of a row: how much nearer its own class is than the others."""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import validate_params

from acoibl.encoding import as_names
from acoibl.kernels import margins as kernels
from acoibl.lazy.weights import label_positions
from acoibl.margins.problem import DATA_CONSTRAINTS, Problem, make_problem
from acoibl.tables import unmasked


@validate_params(DATA_CONSTRAINTS, prefer_skip_nested_validation=True)
def hypothesis_margin(
    X: Any,
    y: Any,
    feature_weights: Any = None,
    *,
    scale: bool = True,
    missing: str = "max",
    categorical_features: Any = "from_dtype",
) -> np.ndarray:
    """Hypothesis margin of each row for the nearest neighbour (Eq. 1).

    Half of the distance to the nearest row of another class (miss) less that to the nearest row
    of the own class (hit), both among the *other* rows: positive where leave-one-out 1-NN is
    right. Not so for a row that is alone in its class: it has no hit, that distance counts 0, and
    the margin, half of the distance to the miss, is never negative, though 1-NN must be wrong.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_features)
        Features. The paper has numbers only; here the difference of two categories is 0 or 1.
    y : array-like, shape (n_rows,)
        Classes.
    feature_weights : array-like or Series, shape (n_features,), optional
        Weights w of the distance ``sqrt(sum_j w_j**2 * diff_j**2)``; all 1 by default. A Series
        with the features as index is put in order.
    scale : bool, default=True
        Scale numeric features to [0, 1] by the extremes of the rows.
    missing : {"max", "category"}, default="max"
        A missing value differs by 1 from everything, or is one more category.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        Margins, in the unit of the distances.

    Raises
    ------
    ValueError
        For a parameter that is none of the above, one class only, or weights of another shape,
        not finite or of other features.

    References
    ----------
    Crammer, Gilad-Bachrach, Navot and Tishby (2002), "Margin analysis of the LVQ algorithm",
    NIPS 15. Prat and Belanche (2016), "Instance and feature weighted k-nearest-neighbours
    algorithm", ESANN, Eq. 1.

    Examples
    --------
    >>> from acoibl.margins import hypothesis_margin
    >>> hypothesis_margin([[0.0], [0.2], [0.9], [1.0]], ["a", "a", "b", "b"]).round(2).tolist()
    [0.35, 0.25, 0.3, 0.35]
    """
    problem = make_problem(X, y, scale, missing, categorical_features)
    weights = np.ones(len(problem.order))
    if feature_weights is not None:
        names = as_names(getattr(problem.encoder, "feature_names_in_", None), len(weights))
        weights = check_weights(feature_weights, len(weights), "feature_weights", names=names)
        weights = weights[problem.order]
    hits, misses = kernels.nearest_pairs(problem.rows, weights)
    to_miss, to_hit = (_distances(problem, others, weights) for others in (misses, hits))
    return (0.5 * (to_miss - to_hit))[problem.places]


@validate_params(DATA_CONSTRAINTS, prefer_skip_nested_validation=True)
def margin_vectors(
    X: Any,
    y: Any,
    *,
    scale: bool = True,
    missing: str = "max",
    categorical_features: Any = "from_dtype",
) -> np.ndarray:
    """What each feature contributes to the margin of each row.

    Parameters
    ----------
    X, y, scale, missing, categorical_features
        As for `hypothesis_margin`.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)
        ``x'_j = |x_j - miss_j| - |x_j - hit_j|``, with hit and miss under equal weights. Its
        mean over the rows is what Relief with one neighbour scores features by.

    References
    ----------
    Han and Yu (2010), "A variance reduction framework for stable feature selection", ICDM.

    Examples
    --------
    >>> from acoibl.margins import margin_vectors
    >>> X = [[0.0, 0.3], [0.2, 0.9], [0.8, 0.4], [1.0, 0.8]]
    >>> margin_vectors(X, ["a", "a", "b", "b"]).mean(axis=0).round(2).tolist()
    [0.6, -0.67]
    """
    problem = make_problem(X, y, scale, missing, categorical_features)
    return problem.by_column(problem.margin_vectors()[problem.places])


def check_weights(
    weights: Any, n: int, name: str, *, names: list[str] | None = None, negative: bool = True
) -> np.ndarray:
    """Weights as an array of finite numbers.

    Parameters
    ----------
    weights : array-like or Series, shape (n,)
        Weights.
    n : int
        How many there must be.
    name : str
        What messages call them.
    names : list of str, optional
        Names of the features, if it is these that are weighted: a Series is put in their order.
    negative : bool, default=True
        Whether weights may be negative.

    Returns
    -------
    ndarray of float64, shape (n,)
        Weights.

    Raises
    ------
    ValueError
        For what is no number, another shape, numbers beyond 1e100, negative ones, or a Series
        whose index is not the features, each once.
    """
    if names is not None and isinstance(weights, pd.Series):
        where = f"{name}: its index"
        weights = weights.iloc[label_positions(weights.index, names, where, "feature", exact=True)]
    try:
        values = np.asarray(unmasked(weights), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from error
    if values.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {values.shape}")
    if not (np.abs(values) <= 1e100).all():  # NaN compares false
        raise ValueError(f"{name} must be finite, and at most 1e100")
    if not negative and (values < 0).any():
        place = int(values.argmin())
        raise ValueError(
            f"{name} must not be negative; number {place}, counted from 0, is {values[place]:g}"
        )
    return values


def _distances(problem: Problem, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted distances of sorted rows to others; 0 to nobody."""
    nobody = np.full_like(others, kernels.NO_ROW)
    differences = kernels.margin_vectors(problem.rows, nobody, others)
    return np.sqrt((differences**2) @ weights**2)
