"""What classifiers that keep and weigh training rows answer: the class of the nearest one."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_consistent_length

from acoibl.coevolution.encoding import ReferenceEncoder
from acoibl.encoding import EncodedData, as_names
from acoibl.kernels.coevolution import references
from acoibl.lazy import KNNClassifier
from acoibl.lazy.checks import WeakFitWarning, check_columns, check_training, encode_classes
from acoibl.lazy.explained import ExplainedByEstimator
from acoibl.tables import row_labels


class NearestReference(ExplainedByEstimator):
    """Answers of a classifier whose `fit` calls `_read` and `_keep_references`.

    In its explanations the weight of a feature for a class is the feature's weight times the
    square of the class's multiplier.
    """

    def predict(self, X: Any) -> np.ndarray:
        """Predict classes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        return self._predict_from(X, "_rows")

    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict classes, as probabilities.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            1 for the class of the nearest row, 0 for the others.
        """
        predicted = self.predict(X)
        return (predicted[:, None] == self.classes_).astype(np.float64)

    def _check_explainable(self) -> None:
        if len(self._rows) == 0:
            raise ValueError(
                "no answer can be explained by neighbours: no training row was selected, and "
                f"every row gets the class of the first training row, {self._first_class()}"
            )

    def _first_class(self) -> str:
        return str(self.classes_[self._codes[0]])

    def _warn_of_empty_selection(self) -> None:
        """Warn if no row was selected; to be called by `fit`."""
        if len(self.sample_indices_) == 0:
            warnings.warn(
                "no training row was selected: a selection answers every row with the class of "
                f"the first training row, {self._first_class()}; more evaluations, or a larger "
                "prob_1, may give one that is not empty",
                WeakFitWarning,
                stacklevel=4,
            )

    def _read(
        self,
        X: Any,
        y: Any,
        missing: str,
        nominal: str = "overlap",
        bounds: Any = None,
        clip: bool = False,
    ) -> EncodedData:
        """Check and encode the training rows; keep them as the kernels want them."""
        X = check_training(self, X, y)
        self.classes_, self._codes = encode_classes(y)
        encoder = ReferenceEncoder(self.categorical_features, missing, nominal, bounds, clip)
        self._encoder = encoder.fit(X)
        data = self._encoder.transform(X)
        check_consistent_length(data.numeric, self._codes)
        self._table = self._as_table(data)
        self._row_labels = row_labels(X, np.arange(len(self._codes)))
        return data

    def _as_table(self, data: EncodedData) -> references.Table:
        return references.make_table(
            data.numeric,
            data.codes,
            data.numeric_features,
            data.categorical_features,
            self._encoder.missing == "ignore",
        )

    def _keep_references(
        self,
        data: EncodedData,
        rows: np.ndarray,
        feature_weights: np.ndarray,
        multipliers: np.ndarray,
    ) -> None:
        """Keep which training rows answer, and with which weights."""
        names = as_names(getattr(self, "feature_names_in_", None), self.n_features_in_)
        self._rows = rows
        self._squared_multipliers = multipliers**2
        self.feature_weights_ = pd.Series(feature_weights, index=names, name="weight")
        self.class_multipliers_ = pd.Series(multipliers, index=self.classes_, name="multiplier")
        weights = multipliers[:, None] ** 2 * feature_weights[None, :]
        self.estimator_ = self._lazy_equal(data, weights)
        self.class_weights_ = self.estimator_.class_weights_

    def _lazy_equal(self, data, weights) -> KNNClassifier:
        """Lazy classifier with the same rows and the same distance."""
        rows, codes = self._rows, self._codes
        missing = self._encoder.missing
        lazy = KNNClassifier(1, ties="strict", missing="max" if missing == "zero" else missing)
        lazy.classes_ = self.classes_
        lazy.n_features_in_ = self.n_features_in_
        if hasattr(self, "feature_names_in_"):
            lazy.feature_names_in_ = self.feature_names_in_
        lazy._encoder = self._encoder
        some = EncodedData(
            data.numeric[rows], data.codes[rows], data.numeric_features, data.categorical_features
        )
        lazy._store(some, codes[rows], weights, None, rows)
        lazy._n_given = len(codes)
        lazy._row_labels = self._row_labels[rows]
        lazy.class_weights = lazy.class_weights_
        return lazy

    def _predict_from(self, X: Any, rows_name: str | None) -> np.ndarray:
        """Classes of the nearest of the rows that an attribute names, or of all training rows."""
        X = check_columns(self, X)
        rows = np.arange(len(self._codes)) if rows_name is None else getattr(self, rows_name)
        data = self._encoder.transform(X)
        answers = np.empty((1, len(data)), dtype=np.int64)
        references.nearest_reference(
            *self._as_table(data),
            references.take_rows(self._table, rows).columns,
            np.full(len(rows), -1),
            self._codes[rows],
            self.feature_weights_.to_numpy()[None].copy(),
            self._squared_multipliers,
            answers,
        )
        nearest = np.where(answers[0] >= 0, rows[answers[0]], 0) if len(rows) else answers[0] * 0
        return self.classes_[self._codes[nearest]]
