"""From a table to rows as CIW-NN's two readings see them."""

from typing import Any

import numpy as np
import pandas as pd

from acoibl.encoding import EncodedData, MixedEncoder
from acoibl.tables import as_table, unmasked


class ReferenceEncoder:
    """A `MixedEncoder` with the habits of the software KEEL as options.

    Parameters
    ----------
    categorical_features : "from_dtype", None or array-like
        See `MixedEncoder`.
    missing : {"max", "category", "ignore", "zero"}
        ``"zero"``: a missing number is a 0 before scaling, a missing category
        the first one; the others as for `MixedEncoder`.
    nominal : {"overlap", "ordinal"}
        ``"ordinal"``: category number v of n becomes the number v / (n - 1),
        in the order of the column's dtype, or of the text.
    bounds : None or array-like, shape (2, n_features)
        Least and largest value of numeric columns, in the place of those of
        the training rows; NaN, and None for all, keeps the latter.
    clip : bool
        Whether values beyond the bounds are set to them.
    """

    def __init__(self, categorical_features: Any, missing: str, nominal: str, bounds, clip: bool):
        self.missing = missing
        self.nominal = nominal
        self.bounds = bounds
        self.clip = clip
        self._mixed = MixedEncoder(
            categorical_features=categorical_features,
            missing="max" if missing == "zero" else missing,
        )

    def fit(self, X: Any) -> "ReferenceEncoder":
        """Learn kinds, categories and extremes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Training rows.

        Returns
        -------
        ReferenceEncoder
            Itself.
        """
        X = as_table(X)
        self._mixed.fit(X)
        kinds = self._mixed.is_categorical_
        if self.nominal == "ordinal":
            self._mixed.categories_ = [
                _in_header_order(X, place, seen)
                for place, seen in zip(np.flatnonzero(kinds), self._mixed.categories_, strict=True)
            ]
            self.is_categorical_ = np.zeros_like(kinds)
        else:
            self.is_categorical_ = kinds
        if self.bounds is not None:
            low, high = _check_bounds(self.bounds, X, len(kinds))[:, ~kinds]
            self._mixed.data_min_ = np.where(np.isnan(low), self._mixed.data_min_, low)
            self._mixed.data_max_ = np.where(np.isnan(high), self._mixed.data_max_, high)
        return self

    def transform(self, X: Any) -> EncodedData:
        """Encode rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Rows with the columns of the training rows.

        Returns
        -------
        EncodedData
            Numbers and codes; with `nominal` "ordinal" numbers only.
        """
        data = self._mixed.transform(X)
        numeric, codes = data.numeric, data.codes
        if self.clip:
            numeric = np.clip(numeric, 0.0, 1.0)  # NaN stays
        if self.missing == "zero":
            low, high = self._mixed.data_min_, self._mixed.data_max_
            with np.errstate(invalid="ignore", divide="ignore"):
                zero = np.where(high > low, (0.0 - low) / (high - low), 0.0)
            numeric = np.where(np.isnan(numeric), zero, numeric)
            codes = np.where(codes == -1, 0, codes)
        if self.nominal == "overlap":
            return EncodedData(
                numeric, codes.astype(np.int32), data.numeric_features, data.categorical_features
            )
        n_features = len(self.is_categorical_)
        out = np.empty((len(numeric), n_features))
        out[:, data.numeric_features] = numeric
        for j, place in enumerate(data.categorical_features):
            last = len(self._mixed.categories_[j]) - (self.missing != "category")
            out[:, place] = np.where(codes[:, j] < 0, np.nan, codes[:, j] / max(last, 1))
        return EncodedData(
            out,
            np.empty((len(out), 0), dtype=np.int32),
            np.arange(n_features),
            np.arange(0),
        )


def _in_header_order(X: Any, place: int, seen: np.ndarray) -> np.ndarray:
    """All categories that the dtype of a column lists, in its order; else those seen."""
    if isinstance(X, pd.DataFrame) and isinstance(X.dtypes.iloc[place], pd.CategoricalDtype):
        return np.array(X.dtypes.iloc[place].categories, dtype=object)
    return seen


def _check_bounds(bounds: Any, X: Any, n_features: int) -> np.ndarray:
    if isinstance(bounds, pd.DataFrame) and isinstance(X, pd.DataFrame):
        known = set(X.columns)
        unknown = [column for column in bounds.columns if column not in known]
        if unknown:
            raise ValueError(
                f"bounds have columns that the rows do not have: {unknown}; "
                f"the rows have {list(X.columns)}"
            )
        bounds = bounds.reindex(columns=X.columns)
    try:
        values = np.asarray(unmasked(bounds), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"bounds must hold numbers: {error}") from error
    if values.shape != (2, n_features):
        raise ValueError(
            f"bounds must have shape (2, n_features) = (2, {n_features}): least and largest value "
            f"of each column; got {values.shape}"
        )
    if np.isinf(values).any() or (values[0] > values[1]).any():
        raise ValueError("bounds must be finite or NaN, the least values first")
    return values
