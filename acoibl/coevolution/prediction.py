"""What classifiers that keep and weigh training rows answer: the class of the nearest one."""

import warnings
from typing import Any

import numpy as np
import pandas as pd

from acoibl.coevolution.encoding import ReferenceEncoder
from acoibl.encoding import EncodedData
from acoibl.kernels.coevolution import references
from acoibl.lazy import KNNClassifier
from acoibl.lazy.checks import WeakFitWarning, check_columns
from acoibl.lazy.explained import ExplainedByEstimator
from acoibl.lazy.rows import TrainingTable


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
    ) -> None:
        """Check and encode the training rows; keep them as the kernels want them."""
        encoder = ReferenceEncoder(self.categorical_features, missing, nominal, bounds, clip)
        self._table = TrainingTable.read(self, X, y, encoder)
        self.classes_, self._codes = self._table.classes, self._table.codes
        self._references = self._lay_out(self._table.data)

    def _lay_out(self, data: EncodedData) -> references.Table:
        return references.make_table(
            data.numeric,
            data.codes,
            data.numeric_features,
            data.categorical_features,
            self._table.encoder.missing == "ignore",
        )

    def _keep_references(
        self,
        rows: np.ndarray,
        feature_weights: np.ndarray,
        multipliers: np.ndarray,
    ) -> None:
        """Keep which training rows answer, and with which weights."""
        self._rows = rows
        self._squared_multipliers = multipliers**2
        self.feature_weights_ = pd.Series(feature_weights, index=self._table.names, name="weight")
        self.class_multipliers_ = pd.Series(multipliers, index=self.classes_, name="multiplier")
        missing = self._table.encoder.missing
        self.estimator_ = KNNClassifier.from_table(
            self._table.take(rows),
            multipliers[:, None] ** 2 * feature_weights[None, :],
            n_neighbors=1,
            ties="strict",
            missing="max" if missing == "zero" else missing,
        )
        self.class_weights_ = self.estimator_.class_weights_

    def _predict_from(self, X: Any, rows_name: str | None) -> np.ndarray:
        """Classes of the nearest of the rows that an attribute names, or of all training rows."""
        X = check_columns(self, X)
        rows = np.arange(len(self._codes)) if rows_name is None else getattr(self, rows_name)
        data = self._table.encoder.encode(X)
        answers = np.empty((1, len(data)), dtype=np.int64)
        references.nearest_reference(
            *self._lay_out(data),
            references.take_rows(self._references, rows).columns,
            np.full(len(rows), -1),
            self._codes[rows],
            self.feature_weights_.to_numpy()[None].copy(),
            self._squared_multipliers,
            answers,
        )
        nearest = np.where(answers[0] >= 0, rows[answers[0]], 0) if len(rows) else answers[0] * 0
        return self.classes_[self._codes[nearest]]
