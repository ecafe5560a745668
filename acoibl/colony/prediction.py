"""What a fitted colony answers: predictions, vote shares, explanations."""

from typing import Any

import numpy as np

from acoibl import kernels
from acoibl.colony.ensemble import majority
from acoibl.lazy.base import LazyClassifier
from acoibl.lazy.checks import check_columns, count_threads
from acoibl.lazy.explained import ExplainedByEstimator
from acoibl.lazy.votes import favour_winners


def split_weights(weights: np.ndarray, lazy: LazyClassifier) -> kernels.Weights:
    """Split weights by kind of feature, as the kernels want them.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_classes, n_features)
        Scaled class-based feature weights.
    lazy : LazyClassifier
        A fitted classifier, which knows the kinds.

    Returns
    -------
    kernels.Weights
        Two blocks.
    """
    is_categorical = lazy._encoder.is_categorical_
    return kernels.split_weights(
        weights, np.flatnonzero(~is_categorical), np.flatnonzero(is_categorical)
    )


class ColonyPredictions(ExplainedByEstimator):
    """Answers of a fitted `ACOIBLClassifier`."""

    def predict(self, X: Any) -> np.ndarray:
        """Predict classes, by the ensemble or by the basic classifier (`ensemble`).

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        return self.predict_ensemble(X) if self.ensemble else self.predict_basic(X)

    def predict_basic(self, X: Any) -> np.ndarray:
        """Predict classes by the basic classifier.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        check_columns(self, X)
        return self.estimator_.predict(X)

    def predict_ensemble(self, X: Any) -> np.ndarray:
        """Predict classes by majority vote of the members.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        winners, _ = majority(self._member_codes(X), len(self.classes_))
        return self.classes_[winners]

    def predict_members(self, X: Any) -> np.ndarray:
        """Predict classes by each member alone.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_members, n_queries)
            Class labels, best-ranked member first.
        """
        return self.classes_[self._member_codes(X)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Vote shares of the members, or of the basic classifier's neighbours.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Shares in the order of `classes_`; the winner of a tie gets 1e-9 more.
        """
        if not self.ensemble:
            check_columns(self, X)
            return self.estimator_.predict_proba(X)
        winners, shares = majority(self._member_codes(X), len(self.classes_))
        return favour_winners(shares, winners)

    def _member_codes(self, X: Any) -> np.ndarray:
        check_columns(self, X)
        lazy = self.estimator_
        members = [(split_weights(weights, lazy), [value]) for value, weights in self.members_]
        return kernels.classify(
            lazy._queries(X), lazy._training, lazy._rule(), members, count_threads(self.n_jobs)
        )
