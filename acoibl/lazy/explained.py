"""Explanations of a classifier that learnt the weights of a lazy one."""

from typing import Any

import pandas as pd
from sklearn.utils.validation import check_is_fitted


class ExplainedByEstimator:
    """Explanations from `estimator_`, a fitted lazy classifier with the learnt weights."""

    def explain(self, X: Any, max_neighbors: int = 20) -> pd.DataFrame:
        """Who voted, and what counted, for each query, as `estimator_` sees it.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Queries, best a few.
        max_neighbors : int, default=20
            Most neighbours listed per query.

        Returns
        -------
        DataFrame
            As from `acoibl.KNNClassifier.explain`. ``predicted`` is the answer of
            `estimator_`; an ensemble may outvote it.

        Raises
        ------
        ValueError
            If no training row answers, since none was selected.
        """
        check_is_fitted(self)
        self._check_explainable()
        return self.estimator_.explain(X, max_neighbors=max_neighbors)

    def plot_class_weights(self, ax: Any = None) -> Any:
        """Stacked bars of the weights that the distance uses, for each class (Figs 8-10).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
            The drawing.
        """
        check_is_fitted(self)
        return self.estimator_.plot_class_weights(ax=ax)

    def _check_explainable(self) -> None:
        """Raise if there is nobody to name."""
