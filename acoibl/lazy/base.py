"""What the three lazy classifiers share: everything but the vote."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
)

from acoibl import kernels
from acoibl.encoding import MixedEncoder, as_names
from acoibl.lazy.checks import (
    DATA_CONSTRAINTS,
    MixedDataMixin,
    check_columns,
    check_training,
    count_threads,
    encode_classes,
)
from acoibl.lazy.explain import explain_rows
from acoibl.lazy.votes import favour_winners
from acoibl.lazy.weights import check_class_weights, scale_weights
from acoibl.tables import as_table, row_labels, unmasked


class LazyClassifier(MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Base of the lazy classifiers; subclasses say how neighbours vote."""

    _parameter_constraints: ClassVar[dict] = {
        **DATA_CONSTRAINTS,
        "class_weights": ["array-like", None],
    }

    @property
    @abstractmethod
    def _key_parameter(self) -> float:
        """Value of k, radius or bandwidth."""

    _parameter_rule: ClassVar[str]

    @abstractmethod
    def _allowed(self, values: np.ndarray) -> np.ndarray:
        """Which values the key parameter can take."""

    @abstractmethod
    def _rule(self) -> kernels.Rule:
        """How neighbours vote."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LazyClassifier":
        """Store the training rows.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels.
        sample_weight : array-like, shape (n_rows,), optional
            A row of weight w counts as w repetitions of it, in k as in the
            votes; rows of weight 0 are dropped before anything is scaled.

        Returns
        -------
        self
            The fitted classifier.

        Raises
        ------
        ValueError
            For input that cannot be read; the message names the parameter or
            the column.
        """
        X = check_training(self, X, y)
        self.classes_, codes = encode_classes(y)
        encoder = MixedEncoder(categorical_features=self.categorical_features, missing=self.missing)
        rows, n_given = None, len(codes)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(
                unmasked(sample_weight), np.empty((len(codes), 1)), ensure_non_negative=True
            )
            if sample_weight.max() > 1e100:
                raise ValueError("sample_weight must not exceed 1e100")
            rows = np.flatnonzero(sample_weight > 0)
            if not len(rows):
                raise ValueError("sample_weight is 0 for every row")
            if len(rows) < len(codes):
                X = X.iloc[rows] if isinstance(X, pd.DataFrame) else np.asarray(X)[rows]
                self.classes_, codes = encode_classes(np.asarray(y)[rows])
            sample_weight = sample_weight[rows]
        self._encoder = encoder.fit(X)
        data = self._encoder.transform(X)
        check_consistent_length(data.numeric, codes)
        names = as_names(getattr(self, "feature_names_in_", None), self.n_features_in_)
        weights = check_class_weights(self.class_weights, self.classes_, names)
        self._store(data, codes, scale_weights(weights, self.weight_scale), sample_weight, rows)
        self._n_given = n_given
        self._row_labels = row_labels(X, self._given_rows)
        return self

    def _store(self, data, codes, weights, sample_weight=None, rows=None):
        """Keep encoded rows and scaled weights (n_classes, n_features)."""
        names = as_names(getattr(self, "feature_names_in_", None), self.n_features_in_)
        self.class_weights_ = pd.DataFrame(weights, index=self.classes_, columns=names)
        self._training = kernels.make_training(
            data.numeric, data.codes, codes, len(self.classes_), sample_weight
        )
        self._given_rows = np.arange(len(codes)) if rows is None else rows
        self._n_given = len(codes)
        self._weights = kernels.split_weights(
            weights, data.numeric_features, data.categorical_features
        )

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
        return self.predict_grid(X, [self._key_parameter])[0]

    def predict_grid(self, X: Any, parameters: Any) -> np.ndarray:
        """Predict classes for several values of the key parameter in one pass.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.
        parameters : array-like, shape (n_parameters,)
            Values of `n_neighbors`, `radius` or `bandwidth`.

        Returns
        -------
        ndarray, shape (n_parameters, n_queries)
            Class labels.

        Raises
        ------
        ValueError
            If a value could not be given to the constructor.
        """
        parameters = self._check_parameters(parameters)
        queries = self._queries(X)
        codes = kernels.classify(
            queries,
            self._training,
            self._rule(),
            [(self._weights, parameters)],
            count_threads(self.n_jobs),
        )
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the votes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Normalised votes, in the order of `classes_`; class shares of the
            training rows where nobody votes. The winner of a tie gets 1e-9
            more, so that the largest share is the predicted class.
        """
        votes, winners = kernels.predict_votes(
            self._queries(X),
            self._training,
            self._weights,
            self._rule(),
            self._key_parameter,
            count_threads(self.n_jobs),
        )
        return favour_winners(votes, winners)

    def loo_predict(self, parameters: Any = None) -> np.ndarray:
        """Predict every training row from the others.

        Parameters
        ----------
        parameters : array-like, shape (n_parameters,), optional
            Values of the key parameter; the classifier's own by default.

        Returns
        -------
        ndarray, shape (n_rows,) or (n_parameters, n_rows)
            Class labels, in the order of the training rows (without those of
            weight 0). A weighted row is left out with its whole weight.

        Raises
        ------
        ValueError
            If there is only one training row, or a value could not be given to
            the constructor.
        """
        check_is_fitted(self)
        if len(self._training.rows) < 2:
            raise ValueError("leave-one-out needs at least 2 training rows")
        values = self._check_parameters([self._key_parameter] if parameters is None else parameters)
        codes = kernels.leave_one_out(
            self._training, self._weights, self._rule(), values, count_threads(self.n_jobs)
        )
        labels = self.classes_[codes[:, self._training.positions]]
        return labels[0] if parameters is None else labels

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Nearest training rows, each seen through the weights of its own class.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features), optional
            Queries; by default the training rows, each without itself.
        n_neighbors : int, optional
            Number of neighbours; the classifier's own k by default (5 if it has none).
        return_distance : bool, default=True
            Whether to return the distances too.

        Returns
        -------
        distances : ndarray of float64, shape (n_queries, n_neighbors)
            Class-weighted distances (Eq. 11), ascending.
        rows : ndarray of int64, shape (n_queries, n_neighbors)
            Positions in the table given to `fit`; equal distances in row order.

        Raises
        ------
        ValueError
            If there are fewer rows than neighbours asked for.
        """
        check_is_fitted(self)
        k = getattr(self, "n_neighbors", 5) if n_neighbors is None else n_neighbors
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
            raise ValueError(f"n_neighbors must be a positive integer, got {k!r}")
        available = len(self._training.rows) - (X is None)
        if k > available:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {available} (a training row does not count for itself)"
            )
        if X is None:
            training = self._training
            queries = kernels.make_queries(
                training.numeric.T[training.positions],
                training.codes.T[training.positions],
                training.positions,
            )
        else:
            queries = self._queries(X)
        distances, rows = kernels.nearest_rows(
            queries, self._training, self._weights, self._rule().ignore_missing, k
        )
        rows = self._given_rows[rows]
        return (distances, rows) if return_distance else rows

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> csr_matrix:
        """Sparse graph of the nearest training rows.

        Parameters
        ----------
        X, n_neighbors
            As for `kneighbors`.
        mode : {"connectivity", "distance"}, default="connectivity"
            What an edge holds: 1, or the distance.

        Returns
        -------
        scipy.sparse.csr_matrix, shape (n_queries, n_rows)
            One edge from each query to each of its neighbours.
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(f"mode must be 'connectivity' or 'distance', got {mode!r}")
        distances, rows = self.kneighbors(X, n_neighbors)
        values = np.ones(rows.size) if mode == "connectivity" else distances.ravel()
        starts = np.arange(0, rows.size + 1, rows.shape[1])
        return csr_matrix((values, rows.ravel(), starts), shape=(len(rows), self._n_given))

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
            One line per voting neighbour (``part == "neighbour"``: index label
            of the training row, or its position if `fit` got no DataFrame, its
            class, distance, share of the votes) and one per feature
            (``part == "feature"``: name, weight for the predicted class and
            its share, the query's value), both in decreasing order of share.
        """
        X = as_table(X)
        queries = self._queries(X)
        votes, distances = kernels.row_votes(
            queries, self._training, self._weights, self._rule(), self._key_parameter
        )
        prior = self._answers_by_prior(distances)
        votes[prior] = 0.0
        return explain_rows(
            X,
            predicted=self.predict(X),
            votes=votes,
            distances=distances,
            rows=self._row_labels[self._training.rows],
            row_classes=self.classes_[self._training.classes],
            class_weights=self.class_weights_,
            max_neighbors=max_neighbors,
        )

    def _answers_by_prior(self, distances: np.ndarray) -> np.ndarray:
        """Which queries nobody voted for (only d-NN has them)."""
        return np.zeros(len(distances), dtype=bool)

    def plot_class_weights(self, ax: Any = None) -> Any:
        """Stacked bars of the class-based feature weights (as in the paper's Figs 8-10).

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

    def _check_parameters(self, parameters: Any) -> np.ndarray:
        values = np.asarray(parameters)
        if values.ndim != 1 or values.size == 0 or values.dtype.kind not in "iuf":
            raise ValueError(
                f"parameters must be a list of one or more numbers, got {parameters!r}"
            )
        values = values.astype(np.float64)
        bad = values[~(np.isfinite(values) & self._allowed(values))]
        if len(bad):
            raise ValueError(f"parameters holds {bad[0]:g}: {self._parameter_rule}")
        return values

    def _queries(self, X: Any) -> kernels.Queries:
        X = check_columns(self, X)
        data = self._encoder.transform(X)
        return kernels.make_queries(data.numeric, data.codes)
