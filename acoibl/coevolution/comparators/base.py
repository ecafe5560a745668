"""What the comparators share: a nearest neighbour rule over learned prototypes."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_consistent_length

from acoibl import kernels
from acoibl.coevolution.classifier import make_generator
from acoibl.coevolution.comparators.problem import Learned, Problem, keep_all
from acoibl.encoding import MixedEncoder, as_names
from acoibl.kernels.nearest import fill_nearest
from acoibl.lazy.checks import MixedDataMixin, check_columns, check_training, encode_classes
from acoibl.lazy.explain import explain_rows
from acoibl.tables import as_table, row_labels

_BLOCK_ENTRIES = 4_000_000


class PrototypeClassifier(MixedDataMixin, ClassifierMixin, BaseEstimator):
    """Base of the comparators: a nearest neighbour rule over learned prototypes.

    The distance of x to prototype r of class c is ``multiplier[r] * sqrt(sum_j
    weight[c, j] * phi_j(x, r)^2)`` with the phi of Eq. 2; the nearest answers.
    Prototypes whose squared distance is within a factor of 1 + 1e-9 of the
    nearest are as near, and the first of them answers; the searches judge by
    the same rule. Subclasses say what is learned.
    """

    _parameter_constraints: ClassVar[dict] = {
        "missing": [StrOptions({"max", "category"})],
        "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
    }

    @abstractmethod
    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        """Learn from at least two rows of at least two classes."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "PrototypeClassifier":
        """Learn prototypes and weights.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_rows, n_features)
            Numeric and categorical features, missing values allowed.
        y : array-like, shape (n_rows,)
            Class labels.

        Returns
        -------
        self
            The fitted classifier. From rows of a single class nothing is
            learned: all of them stay, with weights 1.

        Raises
        ------
        ValueError
            For input that cannot be read; the message names the column.
        """
        X = check_training(self, X, y)
        self.classes_, codes = encode_classes(y)
        encoder = MixedEncoder(categorical_features=self.categorical_features, missing=self.missing)
        self._encoder = encoder.fit(X)
        data = self._encoder.transform(X)
        check_consistent_length(data.numeric, codes)
        problem = Problem.of(data, codes, len(self.classes_))
        if problem.n_classes > 1:
            learned = self._learn(problem, make_generator(getattr(self, "random_state", None)))
        else:
            learned = keep_all(problem, facts=self._nothing_learned(problem))
        self._store(problem, learned)
        labels = row_labels(X, np.arange(problem.n_rows))
        self._row_labels = labels[self.sample_indices_]
        return self

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        """Further fitted attributes where there was nothing to learn."""
        return {}

    def _store(self, problem: Problem, learned: Learned) -> None:
        names = as_names(getattr(self, "feature_names_in_", None), self.n_features_in_)
        self.sample_indices_ = np.array(learned.rows, dtype=np.int64)
        self.multipliers_ = np.array(learned.multipliers, dtype=np.float64)
        table = np.broadcast_to(learned.feature_weights, (problem.n_classes, problem.n_features))
        self.class_weights_ = pd.DataFrame(table.copy(), index=self.classes_, columns=names)
        if np.ndim(learned.feature_weights) == 1:
            self.feature_weights_ = pd.Series(learned.feature_weights, index=names, name="weight")
        self.reduction_ = 1.0 - len(self.sample_indices_) / problem.n_rows
        for name, value in learned.facts.items():
            setattr(self, name, value)
        rows = self.sample_indices_
        self._prototypes = kernels.make_training(
            problem.data.numeric[rows],
            problem.data.codes[rows],
            problem.classes[rows],
            problem.n_classes,
        )
        self._prototype_classes = problem.classes[rows]
        self._weights = problem.weights(learned.feature_weights)
        self._majority = int(np.argmax(np.bincount(problem.classes)))
        self.loo_accuracy_ = self._leave_one_out(problem)

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
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the votes: 1 for the class of the nearest prototype.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Rows to classify.

        Returns
        -------
        ndarray of float64, shape (n_queries, n_classes)
            Shares, in the order of `classes_`. With several neighbours the
            winner of a tie, the class of the nearest of them, gets 1e-9 more.
        """
        return self._vote(self._nearest(self._queries(X), self._n_voters)[1])

    def kneighbors(
        self, X: Any, n_neighbors: int = 1, return_distance: bool = True
    ) -> tuple[np.ndarray, np.ndarray] | np.ndarray:
        """Nearest prototypes.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Queries.
        n_neighbors : int, default=1
            Number of prototypes, at most as many as there are.
        return_distance : bool, default=True
            Whether to return the distances too.

        Returns
        -------
        distances : ndarray of float64, shape (n_queries, n_neighbors)
            Weighted distances, ascending.
        rows : ndarray of int64, shape (n_queries, n_neighbors)
            Positions in the table given to `fit`; of those as near as the nearest
            of the rest (squared, to a factor of 1 + 1e-9) the first row comes first.

        Raises
        ------
        ValueError
            If there are fewer prototypes than asked for.
        """
        queries = self._queries(X)
        if not 1 <= n_neighbors <= len(self.sample_indices_):
            raise ValueError(
                f"n_neighbors must be from 1 to {len(self.sample_indices_)}, the number of "
                f"prototypes, got {n_neighbors}"
            )
        distances, places = self._nearest(queries, n_neighbors)
        rows = self.sample_indices_[places]
        return (distances, rows) if return_distance else rows

    def explain(self, X: Any, max_neighbors: int = 20) -> pd.DataFrame:
        """Who answered, and what counted, for each query.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_queries, n_features)
            Queries, best a few.
        max_neighbors : int, default=20
            Most neighbours listed per query.

        Returns
        -------
        DataFrame
            As from `acoibl.KNNClassifier.explain`; distances include the
            multipliers of the prototypes.
        """
        X = as_table(X)
        queries = self._queries(X)
        distances = np.sqrt(self._squared(queries))
        votes = np.zeros_like(distances)
        _, places = self._nearest(queries, self._n_voters)
        np.put_along_axis(votes, places, 1.0, axis=1)
        return explain_rows(
            X,
            predicted=self.predict(X),
            votes=votes,
            distances=distances,
            rows=self._row_labels,
            row_classes=self.classes_[self._prototype_classes],
            class_weights=self.class_weights_,
            max_neighbors=max_neighbors,
        )

    _n_voters = 1

    def _queries(self, X: Any) -> kernels.Queries:
        X = check_columns(self, X)
        data = self._encoder.transform(X)
        return kernels.make_queries(data.numeric, data.codes)

    def _nearest(
        self, queries: kernels.Queries, k: int, barred: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Distances and places of the k nearest prototypes; place -1 where only `barred` is left.

        `barred` (n_queries,) is a prototype that a query must not see, or -1.
        """
        n = len(queries.own)
        k = min(k, len(self.sample_indices_))
        distances, places = np.empty((n, k)), np.empty((n, k), dtype=np.int64)
        step = max(1, _BLOCK_ENTRIES // len(self.sample_indices_))
        for start in range(0, n, step):
            part = slice(start, start + step)
            squared = self._squared(kernels.Queries(*(array[part] for array in queries)))
            if barred is not None:
                hidden = np.flatnonzero(barred[part] >= 0)
                squared[hidden, barred[part][hidden]] = np.inf
            if k == 1:  # the same, in less time
                limit = squared.min(axis=1, keepdims=True) * kernels.BEYOND
                chosen = (squared <= limit).argmax(axis=1)[:, np.newaxis]
            else:
                chosen = np.empty((len(squared), k), dtype=np.int64)
                fill_nearest(np.ascontiguousarray(squared), chosen)
            found = np.take_along_axis(squared, chosen, axis=1)
            places[part] = np.where(found < np.inf, chosen, -1)
            # Equal ones, in the order of the rows, may differ in their last digits.
            distances[part] = np.sqrt(np.maximum.accumulate(found, axis=1))
        return distances, places

    def _squared(self, queries: kernels.Queries) -> np.ndarray:
        """Squared distances (n_queries, n_prototypes)."""
        squared = kernels.squared_distance_matrix(
            queries, self._prototypes, self._weights, ignore_missing=False
        )
        return squared * self.multipliers_**2

    def _vote(self, places: np.ndarray) -> np.ndarray:
        """Shares of the classes among prototypes (n_queries, k); the majority's for nobody."""
        n, k = places.shape
        votes = np.zeros((n, len(self.classes_)))
        for column in places.T:
            known = np.flatnonzero(column >= 0)
            votes[known, self._prototype_classes[column[known]]] += 1.0
        alone = np.flatnonzero(places[:, 0] < 0)
        votes[alone, self._majority] = 1.0
        if k > 1:  # the class of the nearest prototype among the tied ones
            tied = votes == votes.max(axis=1, keepdims=True)
            waiting = np.full(n, True)
            for column in places.T:
                label = self._prototype_classes[column]
                wins = waiting & (column >= 0) & tied[np.arange(n), label]
                votes[wins, label[wins]] += 1e-9
                waiting &= ~wins
        return votes / votes.sum(axis=1, keepdims=True)

    def _leave_one_out(self, problem: Problem) -> float:
        """Accuracy on the training rows, none of which may answer for itself."""
        barred = np.full(problem.n_rows, -1)
        barred[self.sample_indices_] = np.arange(len(self.sample_indices_))
        places = self._nearest(problem.queries, self._n_voters, barred)[1]
        found = self._vote(places).argmax(axis=1)
        found[places[:, 0] < 0] = -1  # nobody else is left: not right
        return float((found == problem.classes).mean())
