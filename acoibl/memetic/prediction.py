"""What a fitted memetic colony answers: posteriors, predictions, explanations."""

from typing import Any

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from acoibl.encoding import EncodedData
from acoibl.lazy.checks import check_columns, count_threads
from acoibl.lazy.rows import TrainingTable
from acoibl.memetic.ants import Ant, ask, show
from acoibl.memetic.committee import temper
from acoibl.memetic.problem import MeasuredRows
from acoibl.tables import as_table


class MemeticPredictions:
    """Answers of a fitted `MemeticClassifier`."""

    n_jobs: int | None
    classes_: np.ndarray
    class_weights_: pd.DataFrame
    members_: list[Ant]
    settings_: dict[str, Any]
    temperature_: float
    _table: TrainingTable
    _rows: dict[int, MeasuredRows]

    def predict(self, X: Any) -> np.ndarray:
        """Predict classes: the largest posterior, the first of equal ones.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray, shape (n_queries,)
            Class labels.
        """
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated probabilities: the mean posterior of all ants and members, tempered.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Probabilities that sum to 1, in the order of `classes_`.
        """
        data = self._queries(X)
        with threadpool_limits(1, user_api="blas"):
            runner = Parallel(n_jobs=count_threads(self.n_jobs), prefer="threads")
            said = runner(
                delayed(ask)(ant, self._rows[ant.plan.p], data, self.settings_["members"])
                for ant in self.members_
            )
        return temper(np.mean(said, axis=0), self.temperature_)

    def explain(self, X: Any, max_neighbors: int = 20) -> pd.DataFrame:
        """Who voted, and what counted, for each query.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Queries, best a few.
        max_neighbors : int, default=20
            Most neighbours listed per query, those with the largest votes first.

        Returns
        -------
        DataFrame
            As from `acoibl.KNNClassifier.explain`. The share of a row is what it contributes to
            the mean posterior of all ants and members; ``distance`` is the mean over the ants
            of the distance d whose vote in the Gaussian kernel is exp(-d / 2); weights are those of
            `class_weights_`.
        """
        X = as_table(X)
        data = self._queries(X)
        with threadpool_limits(1, user_api="blas"):
            shown = [
                show(ant, self._rows[ant.plan.p], data, self.settings_["members"])
                for ant in self.members_
            ]
        return self._table.explain(
            X,
            predicted=self.predict(X),
            votes=np.mean([shares for shares, _ in shown], axis=0),
            distances=np.mean([distances for _, distances in shown], axis=0),
            class_weights=self.class_weights_,
            max_neighbors=max_neighbors,
        )

    def plot_class_weights(self, ax: Any = None) -> Any:
        """Stacked bars of `class_weights_` (as in the paper's Figs 8-10).

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
            The drawing.
        """
        from acoibl.plotting import plot_class_weights  # who only predicts needs no matplotlib

        check_is_fitted(self)
        return plot_class_weights(self.class_weights_, ax=ax)

    def _queries(self, X: Any) -> EncodedData:
        X = check_columns(self, X)
        return self._table.encoder.encode(X)
