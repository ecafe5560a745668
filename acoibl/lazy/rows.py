"""The one way from a user's table to rows that answer."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length

from acoibl import kernels
from acoibl._sklearn import check_sample_weight
from acoibl.encoding import EncodedData, as_names
from acoibl.lazy.checks import check_training, encode_classes
from acoibl.lazy.explain import explain_rows
from acoibl.tables import as_table, row_labels, unmasked


class TableEncoder(Protocol):
    """What learns from training rows how to encode rows, as `acoibl.MixedEncoder` does."""

    def fit(self, X: Any) -> Any:
        """Learn from training rows; return itself."""

    def encode(self, X: Any) -> EncodedData:
        """Encode rows."""


@dataclass(frozen=True)
class TrainingTable:
    """Training rows as their owner gave them, encoded, with what they are called.

    ``codes`` are the classes as positions in ``classes``, ``rows`` the positions in the table of
    ``n_given`` rows, ``labels`` what its owner calls them; ``feature_names`` is None or text.
    """

    encoder: TableEncoder
    data: EncodedData
    classes: np.ndarray
    codes: np.ndarray
    rows: np.ndarray
    labels: np.ndarray
    n_given: int
    feature_names: np.ndarray | None
    sample_weight: np.ndarray | None = None

    @classmethod
    def read(
        cls, estimator: Any, X: Any, y: Any, encoder: TableEncoder, sample_weight: Any = None
    ) -> "TrainingTable":
        """Check and encode what `fit` got; an estimator gets number and names of the columns.

        Rows of weight 0 are dropped before anything is learned. Without an `estimator` (None)
        the encoder's names of the columns are kept.
        """
        X = as_table(X) if estimator is None else check_training(estimator, X, y)
        classes, codes = encode_classes(y)
        n_given = len(codes)
        rows = np.arange(n_given)
        if sample_weight is not None:
            sample_weight = _read_sample_weight(sample_weight, n_given)
            rows = np.flatnonzero(sample_weight > 0)
            sample_weight = sample_weight[rows]
            if len(rows) < n_given:
                X = X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows]
                classes, codes = encode_classes(np.asarray(y)[rows])
        data = encoder.fit(X).encode(X)
        check_consistent_length(data.numeric, codes)
        named = encoder if estimator is None else estimator
        return cls(
            encoder=encoder,
            data=data,
            classes=classes,
            codes=codes,
            rows=rows,
            labels=row_labels(X, rows),
            n_given=n_given,
            feature_names=getattr(named, "feature_names_in_", None),
            sample_weight=sample_weight,
        )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.codes)

    @property
    def n_features(self) -> int:
        """Number of columns of the table."""
        return len(self.order)

    @property
    def names(self) -> list[str]:
        """Column names for display."""
        return as_names(self.feature_names, self.n_features)

    @property
    def order(self) -> np.ndarray:
        """Columns of the table in the order of the kernels: numeric, then categorical."""
        return np.concatenate([self.data.numeric_features, self.data.categorical_features])

    @cached_property
    def training(self) -> kernels.Training:
        """The rows as the kernels read them, sorted by class."""
        return kernels.make_training(
            self.data.numeric, self.data.codes, self.codes, len(self.classes), self.sample_weight
        )

    @cached_property
    def own_queries(self) -> kernels.Queries:
        """The rows as queries in the given order, each with its own place in `training`."""
        return kernels.make_queries(self.data.numeric, self.data.codes, self.training.positions)

    def queries(self, X: Any) -> kernels.Queries:
        """Rows to classify, as the kernels read them."""
        data = self.encoder.encode(X)
        return kernels.make_queries(data.numeric, data.codes)

    def take(self, places: np.ndarray) -> "TrainingTable":
        """Some of the rows."""
        numeric, codes, *features = (
            self.data.numeric[places],
            self.data.codes[places],
            self.data.numeric_features,
            self.data.categorical_features,
        )
        return replace(
            self,
            data=EncodedData(numeric, codes, *features),
            codes=self.codes[places],
            rows=self.rows[places],
            labels=self.labels[places],
            sample_weight=None if self.sample_weight is None else self.sample_weight[places],
        )

    def by_column(self, by_kind: np.ndarray) -> np.ndarray:
        """Bring values (..., n_features) from the order of the kernels into that of the table."""
        out = np.empty_like(by_kind)
        out[..., self.order] = by_kind
        return out

    def split_weights(self, weights: np.ndarray) -> kernels.Weights:
        """Split weights, (n_features,) or (n_classes, n_features), for the kernels."""
        shape = (len(self.classes), self.n_features)
        return kernels.split_weights(
            np.broadcast_to(weights, shape),
            self.data.numeric_features,
            self.data.categorical_features,
        )

    def weights_table(self, weights: np.ndarray) -> pd.DataFrame:
        """Class-based weights with the names of classes and columns."""
        shape = (len(self.classes), self.n_features)
        return pd.DataFrame(
            np.broadcast_to(weights, shape).copy(), index=self.classes, columns=self.names
        )

    def explain(
        self,
        X: Any,
        predicted: np.ndarray,
        votes: np.ndarray,
        distances: np.ndarray,
        class_weights: pd.DataFrame,
        max_neighbors: int,
        order: np.ndarray | slice = slice(None),
    ) -> pd.DataFrame:
        """Who voted; `order` says which rows the columns of `votes` and `distances` are."""
        return explain_rows(
            X,
            predicted=predicted,
            votes=votes,
            distances=distances,
            rows=self.labels[order],
            row_classes=self.classes[self.codes[order]],
            class_weights=class_weights,
            max_neighbors=max_neighbors,
        )


def _read_sample_weight(given: Any, n_rows: int) -> np.ndarray:
    weight = check_sample_weight(unmasked(given), np.empty((n_rows, 1)), ensure_non_negative=True)
    if weight.max() > 1e100:
        raise ValueError("sample_weight must not exceed 1e100")
    if not (weight > 0).any():
        raise ValueError("sample_weight is 0 for every row")
    return weight
