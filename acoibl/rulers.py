"""Rulers: how far two values of one feature are apart.

Every ruler is a Euclidean embedding. A feature becomes one or more columns that share the weight
of the feature, each with a fixed factor:

``(difference of a feature)^2 = sum over its columns of factor * (difference of the column)^2``

so that whatever measures weighted squared distances can use any ruler. The factors of a feature
sum to 1, and a column with a missing value differs by 1 from everything: so does the feature.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import betaln, gammaln

from acoibl import kernels
from acoibl.encoding import EncodedData

NUMERIC_RULERS = ("minmax", "rank", "both", "standard")
CATEGORICAL_RULERS = ("mismatch", "vdm", "both")

_MISSING, _UNSEEN = -1, -2

_STANDARD_DEVIATIONS = 4.0
"""Standard deviations that count as a difference of 1 (Wilson and Martinez, HVDM)."""

_SMOOTHING_RANGE = (-2.0, 5.0)
"""Powers of ten between which the smoothing is looked for."""


@dataclass(frozen=True)
class _Categories:
    """What training says about one categorical feature."""

    counts: np.ndarray  # (n_categories, n_classes)
    prior: np.ndarray  # (n_classes,)
    smoothing: float

    def frequencies(self) -> np.ndarray:
        """Smoothed class frequencies of each category, (n_categories, n_classes)."""
        return _smooth(self.counts, self.prior, self.smoothing)

    def of_codes(self, codes: np.ndarray, classes: np.ndarray | None) -> np.ndarray:
        """Frequencies of the category of each row, without the row's own label if `classes`."""
        known = codes >= 0
        counts = np.zeros((len(codes), len(self.prior)))
        counts[known] = self.counts[codes[known]]
        if classes is not None:
            rows = np.flatnonzero(known)
            counts[rows, classes[rows]] -= 1.0
        return _smooth(counts, self.prior, self.smoothing)


class FeatureRulers:
    """Measure the features of encoded rows.

    Parameters
    ----------
    numeric : {"minmax", "rank", "both", "standard"}, default="both"
        How numeric values differ. ``"minmax"``: by the share of the range of the training rows
        that lies between them; ``"rank"``: by the share of the training rows that lies between
        them (mid-ranks, so that equal values share one rank); ``"both"``: the mean of the two
        squares; ``"standard"``: in units of four standard deviations.
    categorical : {"mismatch", "vdm", "both"}, default="both"
        How categories differ. ``"mismatch"``: by 1; ``"vdm"``: as the class frequencies among
        the training rows of each category do, half the sum of their squared differences (value
        difference metric); ``"both"``: a mixture of the two squares.
    mismatch_share : float, default=0.2
        Share of the mismatch in ``"both"``.
    smoothing : "counts" or float, default="counts"
        m of the m-estimate of the class frequencies of a category: m rows with the class
        frequencies of all rows are added to it. ``"counts"`` finds m for each feature, where the
        counts of its categories are likeliest (Dirichlet-multinomial): a feature whose categories
        hardly differ, or hold few rows each, is smoothed until they are alike.
    p : {1, 2}, default=2
        Power that `tables` measures with: 2 for squares as said above, 1 for absolute
        differences in their place. Columns are the same for both.

    Attributes
    ----------
    n_features_ : int
        Number of features.
    column_features_ : ndarray of int64, shape (n_columns,)
        Feature that each column of `columns` measures.
    column_factors_ : ndarray of float64, shape (n_columns,)
        Factor of each column.
    numeric_features_, categorical_features_ : ndarray of int64
        Positions of the two kinds of feature.
    smoothing_ : ndarray of float64, shape (n_categorical,)
        Smoothing m of each categorical feature.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from acoibl import MixedEncoder
    >>> from acoibl.rulers import FeatureRulers
    >>> X = pd.DataFrame({"size": [0.0, 1.0, 9.0, 10.0], "hue": ["red", "red", "blue", "red"]})
    >>> data = MixedEncoder().fit(X).encode(X)
    >>> rulers = FeatureRulers().fit(data, np.array([0, 0, 1, 1]), 2)
    >>> rulers.columns(data).round(3).tolist()  # share of the range, share of the rows
    [[0.0, 0.125], [0.1, 0.375], [0.9, 0.625], [1.0, 0.875]]
    >>> rulers.column_factors_.tolist()
    [0.5, 0.5]
    """

    def __init__(
        self,
        numeric: str = "both",
        categorical: str = "both",
        *,
        mismatch_share: float = 0.2,
        smoothing: str | float = "counts",
        p: int = 2,
    ):
        if numeric not in NUMERIC_RULERS:
            raise ValueError(f"numeric must be one of {NUMERIC_RULERS}, got {numeric!r}")
        if categorical not in CATEGORICAL_RULERS:
            raise ValueError(
                f"categorical must be one of {CATEGORICAL_RULERS}, got {categorical!r}"
            )
        if not 0 <= mismatch_share <= 1:
            raise ValueError(f"mismatch_share must lie between 0 and 1, got {mismatch_share!r}")
        if smoothing != "counts" and not (
            isinstance(smoothing, int | float | np.number) and 0 <= smoothing < np.inf
        ):
            raise ValueError(f"smoothing must be 'counts' or a number from 0 on, got {smoothing!r}")
        if p not in (1, 2):
            raise ValueError(f"p must be 1 or 2, got {p!r}")
        self.numeric = numeric
        self.categorical = categorical
        self.mismatch_share = mismatch_share
        self.smoothing = smoothing
        self.p = p

    def fit(self, data: EncodedData, classes: np.ndarray, n_classes: int) -> "FeatureRulers":
        """Learn ranks, scales and class frequencies.

        Parameters
        ----------
        data : EncodedData
            Training rows.
        classes : ndarray of int, shape (n_rows,)
            Class codes.
        n_classes : int
            Number of classes.

        Returns
        -------
        FeatureRulers
            Itself.
        """
        self.numeric_features_ = data.numeric_features
        self.categorical_features_ = data.categorical_features
        self.n_features_ = len(data.numeric_features) + len(data.categorical_features)
        self._scales = [_Scale.of(column) for column in data.numeric.T]
        self._categories = [
            _count(codes, classes, n_classes, self.smoothing) for codes in data.codes.T
        ]
        self.smoothing_ = np.array([c.smoothing for c in self._categories])
        n_columns = 2 if self.numeric == "both" else 1
        self.column_features_ = np.repeat(data.numeric_features, n_columns)
        self.column_factors_ = np.full(len(self.column_features_), 1.0 / n_columns)
        return self

    def columns(self, data: EncodedData) -> np.ndarray:
        """Columns of the numeric features.

        Parameters
        ----------
        data : EncodedData
            Rows.

        Returns
        -------
        ndarray of float64, shape (n_rows, n_columns)
            NaN where missing. Columns as in `column_features_`.
        """
        out = []
        for scale, values in zip(self._scales, data.numeric.T, strict=True):
            if self.numeric in ("minmax", "both"):
                out.append(values)
            if self.numeric in ("rank", "both"):
                out.append(scale.ranks_of(values))
            if self.numeric == "standard":
                out.append(scale.standard(values))
        return np.column_stack(out) if out else np.empty((len(data), 0))

    def tables(self, codes: np.ndarray, own_classes: np.ndarray | None = None) -> list[np.ndarray]:
        """Differences of categories, raised to the power p, from each row to each category.

        Parameters
        ----------
        codes : ndarray of int, shape (n_rows, n_categorical)
            Category codes of the rows; -1 missing, -2 unseen.
        own_classes : ndarray of int, shape (n_rows,), optional
            Class codes of rows that are training rows and are to be measured as if they were
            not: the frequencies of a row's category are taken without the row's own label. It
            differs by 0 from its own category all the same.

        Returns
        -------
        list of ndarray of float64, shape (n_rows, n_categories + 1)
            One for each categorical feature; the last column is the difference from a missing
            value, 1.
        """
        share = {"mismatch": 1.0, "vdm": 0.0, "both": self.mismatch_share}[self.categorical]
        out = []
        for column, known in zip(codes.T, self._categories, strict=True):
            n = len(known.counts)
            table = np.full((len(column), n + 1), share)
            if share < 1.0:
                to = known.frequencies()
                of = known.of_codes(column, own_classes)
                gaps = of[:, np.newaxis, :] - to
                sums = (gaps * gaps if self.p == 2 else np.abs(gaps)).sum(axis=2)
                table[:, :n] += (1.0 - share) * sums / 2.0
            there = np.flatnonzero(column >= 0)
            table[there, column[there]] = 0.0
            table[column == _MISSING] = 1.0
            table[:, n] = 1.0
            out.append(table)
        return out

    def embed(self, data: EncodedData) -> EncodedData:
        """Rows as the kernels of the lazy classifiers read them (p = 2).

        Parameters
        ----------
        data : EncodedData
            Rows.

        Returns
        -------
        EncodedData
            Columns of the numeric features, then a column for each class of each categorical
            feature with a value difference metric, and the codes where a mismatch counts.
            Weights for them come from `spread`.
        """
        blocks = [self.columns(data)]
        scale = np.sqrt(len(self._categories[0].prior) / 2.0) if self._categories else 1.0
        if self.categorical != "mismatch":
            for column, known in zip(data.codes.T, self._categories, strict=True):
                block = known.of_codes(column, None) * scale
                block[column == _MISSING] = np.nan
                blocks.append(block)
        numeric = np.hstack(blocks)
        codes = data.codes if self.categorical != "vdm" else data.codes[:, :0]
        return EncodedData(
            numeric=numeric,
            codes=codes,
            numeric_features=np.arange(numeric.shape[1]),
            categorical_features=numeric.shape[1] + np.arange(codes.shape[1]),
        )

    def spread(self, class_weights: np.ndarray) -> kernels.Weights:
        """Weights of features as weights of the columns of `embed`.

        Parameters
        ----------
        class_weights : ndarray of float64, shape (n_classes, n_features)
            Weights of the features.

        Returns
        -------
        kernels.Weights
            Weights of the columns, times their factors.
        """
        numeric = class_weights[:, self.column_features_] * self.column_factors_
        categorical = class_weights[:, self.categorical_features_]
        share = {"mismatch": 1.0, "vdm": 0.0, "both": self.mismatch_share}[self.categorical]
        if share < 1.0 and self._categories:
            n_classes = len(self._categories[0].prior)
            spread = np.repeat(categorical * ((1.0 - share) / n_classes), n_classes, axis=1)
            numeric = np.hstack([numeric, spread])
        if share == 0.0:
            categorical = categorical[:, :0]
        return kernels.Weights(
            numeric=np.array(numeric, dtype=np.float64, order="C"),
            categorical=np.array(categorical * share, dtype=np.float64, order="C"),
        )


@dataclass(frozen=True)
class _Scale:
    """Distinct training values of a numeric feature, their mid-ranks, mean and deviation."""

    values: np.ndarray
    ranks: np.ndarray
    mean: float
    deviation: float

    @classmethod
    def of(cls, column: np.ndarray) -> "_Scale":
        present = column[~np.isnan(column)]
        values, counts = np.unique(present, return_counts=True)
        ranks = (np.cumsum(counts) - counts / 2.0) / max(len(present), 1)
        mean = float(present.mean()) if len(present) else 0.0
        return cls(values, ranks, mean, float(present.std()) if len(values) > 1 else 0.0)

    def ranks_of(self, column: np.ndarray) -> np.ndarray:
        """Mid-ranks as shares of the rows, between training values by interpolation."""
        if len(self.values) < 2:
            return np.where(np.isnan(column), np.nan, 0.0)
        return np.interp(column, self.values, self.ranks)

    def standard(self, column: np.ndarray) -> np.ndarray:
        """Values in units of four standard deviations from the mean."""
        if self.deviation == 0.0:
            return np.where(np.isnan(column), np.nan, 0.0)
        return (column - self.mean) / (_STANDARD_DEVIATIONS * self.deviation)


def _count(
    codes: np.ndarray, classes: np.ndarray, n_classes: int, smoothing: str | float
) -> _Categories:
    known = codes >= 0
    counts = np.zeros((codes.max(initial=-1) + 1, n_classes))
    np.add.at(counts, (codes[known], classes[known]), 1.0)
    overall = np.bincount(classes, minlength=n_classes) if not known.any() else counts.sum(axis=0)
    prior = overall / overall.sum()
    m = likeliest_smoothing(counts, prior) if smoothing == "counts" else float(smoothing)
    return _Categories(counts, prior, m)


def likeliest_smoothing(counts: np.ndarray, prior: np.ndarray) -> float:
    """Smoothing m under which the class counts of all categories are likeliest.

    The class frequencies of each category are taken as drawn from a Dirichlet distribution with
    parameters ``m * prior``; the counts then follow a Dirichlet-multinomial distribution.

    Parameters
    ----------
    counts : ndarray of float64, shape (n_categories, n_classes)
        Rows of each category and class.
    prior : ndarray of float64, shape (n_classes,)
        Mean class frequencies, that sum to 1.

    Returns
    -------
    float
        m between 0.01 and 100,000: small where categories tell classes apart, large where their
        frequencies differ no more than by chance.

    Examples
    --------
    >>> import numpy as np
    >>> half = np.array([0.5, 0.5])
    >>> round(likeliest_smoothing(np.array([[50.0, 0.0], [0.0, 50.0]]), half), 2)
    0.01
    >>> likeliest_smoothing(np.array([[25.0, 25.0], [25.0, 25.0]]), half) > 10_000
    True
    """
    counts = counts[counts.sum(axis=1) > 0][:, prior > 0]
    prior = prior[prior > 0]
    if len(counts) < 2 or len(prior) < 2:
        return 10.0 ** _SMOOTHING_RANGE[1]

    def surprise(power: float) -> float:
        alpha = 10.0**power * prior
        filled = gammaln(counts + alpha).sum() - len(counts) * gammaln(alpha).sum()
        totals = counts.sum(axis=1)
        # log of Gamma(m) / Gamma(m + n), from the beta function, which is exact for large m too
        return -(filled + (betaln(10.0**power, totals) - gammaln(totals)).sum())

    # The likelihood may have a second, flat maximum: look along the whole range first.
    grid = np.linspace(*_SMOOTHING_RANGE, 29)
    best = grid[int(np.argmin([surprise(power) for power in grid]))]
    step = grid[1] - grid[0]
    low, high = max(best - step, grid[0]), min(best + step, grid[-1])
    found = minimize_scalar(surprise, bounds=(low, high), method="bounded").x
    return float(10.0 ** min((best, found), key=surprise))


def _smooth(counts: np.ndarray, prior: np.ndarray, smoothing: float) -> np.ndarray:
    totals = counts.sum(axis=-1, keepdims=True) + smoothing
    # Without rows and without smoothing nothing is known but the prior.
    return np.where(
        totals > 0, (counts + smoothing * prior) / np.where(totals > 0, totals, 1), prior
    )
