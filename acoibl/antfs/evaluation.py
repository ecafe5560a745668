"""Accuracy of feature subsets, by the votes of `acoibl.KNNClassifier`."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length, validate_data

from acoibl.antfs.inputs import has_test_part, known_codes, read_subset
from acoibl.encoding import EncodedData, MixedEncoder, as_names
from acoibl.kernels.conventions import ALL_SEEN
from acoibl.kernels.subset_search import (
    COMPLETE,
    FARTHEST,
    GAPS,
    NOMINAL,
    SubsetProblem,
    best_candidate,
    best_subset,
    count_errors,
    first_better,
    make_distance_table,
    predict_subset,
)
from acoibl.lazy.checks import check_columns, encode_classes
from acoibl.tables import as_table

SCALES = ("range", "none")


class SubsetEvaluator:
    """k-NN accuracy of any subset of the features.

    With a subset S it answers as ``KNNClassifier(n_neighbors).fit(X[S], y).score(X_test[S],
    y_test)`` does, from a table of distances that grows with the subset; without a test part the
    training rows classify each other.

    Parameters
    ----------
    X, y : table of shape (n_rows, n_features), array-like of shape (n_rows,)
        Training rows; numeric and categorical features, missing values allowed.
    X_test, y_test : optional
        Queries, with the columns of `X` in the same order. By default the training rows themselves
        are asked, as `parts` says.
    n_neighbors : int, default=5
        Number of neighbours k.
    parts : array-like of int, shape (n_rows,), optional
        Part of each training row in a cross-validation: it does not see the rows of its own part.
        By default every row is a part of its own (leave-one-out). Only without a test part.
    scale : {"range", "none"}, default="range"
        Divide numeric features by the range of the training rows, or take them as they are.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Classes of the training rows.
    n_features, n_queries : int
        Their numbers.
    encoder : MixedEncoder
        Fitted on the training rows.
    training : EncodedData
        The training rows, encoded.
    codes : ndarray of int64, shape (n_rows,)
        Their classes, as positions in `classes_`.

    Raises
    ------
    ValueError
        For input that cannot be read (the message names the column), a test part with other
        columns or without any class of the training rows, or unscaled numbers so far apart that
        their squared differences overflow.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.antfs import SubsetEvaluator
    >>> X, y = load_iris(return_X_y=True)
    >>> judge = SubsetEvaluator(X, y)
    >>> [round(judge.accuracy(subset), 3) for subset in ([0, 1], [2, 3])]
    [0.78, 0.967]
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        X_test: Any = None,
        y_test: Any = None,
        *,
        n_neighbors: int = 5,
        parts: Any = None,
        scale: str = "range",
        missing: str = "max",
        categorical_features: Any = "from_dtype",
    ):
        if scale not in SCALES:
            raise ValueError(f"scale must be 'range' or 'none', got {scale!r}")
        if missing not in ("max", "category"):
            raise ValueError(f"missing must be 'max' or 'category', got {missing!r}")
        if isinstance(n_neighbors, bool) or int(n_neighbors) != n_neighbors or n_neighbors < 1:
            raise ValueError(f"n_neighbors must be a positive integer, got {n_neighbors!r}")
        tested = has_test_part(X_test, y_test)
        X = as_table(X)
        self.encoder = MixedEncoder(categorical_features=categorical_features, missing=missing)
        self.training = self.encoder.fit(X).transform(X)
        validate_data(self.encoder, X, skip_check_array=True)  # names that are text, as estimators
        self.classes_, self.codes = encode_classes(y)
        check_consistent_length(self.training.numeric, self.codes)
        order = np.argsort(self.codes, kind="stable")
        if tested:
            X_test = check_columns(self.encoder, X_test)
        asked = self.encoder.transform(X_test) if tested else self.training
        units = np.ones(asked.numeric.shape[1]) if scale == "range" else self._units(asked)
        columns = _feature_rows(self.training, units)[:, order]
        if not tested:
            parts = _check_parts(parts, len(order))
            queries, query_classes, query_parts = columns, self.codes[order], parts[order]
        else:
            if parts is not None:
                raise ValueError("parts make no sense beside a test part")
            queries = _feature_rows(asked, units)
            query_classes = known_codes(y_test, self.classes_)
            check_consistent_length(asked.numeric, query_classes)
            parts = np.zeros(len(order), dtype=np.int64)
            query_parts = np.full(len(query_classes), ALL_SEEN)
        self.query_rows = np.arange(len(query_classes)) if tested else order
        self.n_features, self.n_queries = len(columns), len(query_classes)
        kinds = np.where(np.isnan(columns).any(axis=1), GAPS, COMPLETE)
        kinds[self.training.categorical_features] = NOMINAL
        self.problem = SubsetProblem(
            columns=np.ascontiguousarray(columns),
            kinds=kinds,
            classes=self.codes[order],
            parts=parts[order],
            queries=np.ascontiguousarray(queries),
            query_classes=query_classes,
            query_parts=query_parts,
            n_classes=len(self.classes_),
            n_neighbors=min(int(n_neighbors), len(order)),
        )
        self._table = make_distance_table(self.problem)
        self._path: tuple[int, ...] = ()

    def copy(self) -> "SubsetEvaluator":
        """Evaluator of the same rows with a table of its own, for another thread.

        Returns
        -------
        SubsetEvaluator
            It shares the rows.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._table, twin._path = make_distance_table(self.problem), ()
        return twin

    def accuracy(self, features: Any) -> float:
        """Share of queries that are classified right.

        Parameters
        ----------
        features : sequence of int, or mask of bool of shape (n_features,)
            Positions of the features; at least one.

        Returns
        -------
        float
            Between 0 and 1.
        """
        return 1.0 - self.errors(features) / self.n_queries

    def errors(self, features: Any) -> int:
        """Number of queries that are classified wrongly.

        Parameters
        ----------
        features : sequence of int, or mask of bool of shape (n_features,)
            Positions of the features; at least one.

        Returns
        -------
        int
            From 0 to the number of queries.

        Raises
        ------
        ValueError
            For no feature, one that there is not, one named twice, or a mask of another length.
        """
        features = read_subset(features, self.n_features)
        return count_errors(
            self.problem, self._table, self._along(features[:-1]), features[-1], self.n_queries + 1
        )

    def predict(self, features: Any) -> np.ndarray:
        """Class of every query.

        Parameters
        ----------
        features : sequence of int, or mask of bool of shape (n_features,)
            Positions of the features; at least one.

        Returns
        -------
        ndarray, shape (n_queries,)
            Classes, in the order of the rows.
        """
        found = np.empty(self.n_queries, dtype=np.int64)
        path = self._along(read_subset(features, self.n_features))
        predict_subset(self.problem, self._table, path, found)
        out = np.empty_like(found)
        out[self.query_rows] = found
        return self.classes_[out]

    def first_better(
        self, features: Sequence[int], candidates: np.ndarray, known: np.ndarray, limit: int
    ) -> int:
        """Position of the first candidate that, beside `features`, errs less than `limit`.

        Parameters
        ----------
        features : sequence of int
            The present subset.
        candidates : ndarray of int64
            Features to try, in this order.
        known : ndarray of int32, shape (n_features,)
            Errors of each feature beside this subset, -1 where unknown; filled in. `limit` stands
            for `limit` and more, so it must be the same at every call.
        limit : int
            Errors to be undercut.

        Returns
        -------
        int
            Position, or the number of candidates if there is none.
        """
        path = self._along(features)
        return first_better(self.problem, self._table, path, candidates, known, limit)

    def best_candidate(
        self, features: Sequence[int], candidates: np.ndarray, limit: int
    ) -> tuple[int, int, int]:
        """Candidate that, beside `features`, errs least.

        Parameters
        ----------
        features : sequence of int
            The present subset.
        candidates : ndarray of int64
            Features to try.
        limit : int
            Errors that it must not exceed.

        Returns
        -------
        errors : int
            Its errors; ``limit + 1`` if there is none.
        position : int
            Position of the first of the best among the candidates; -1 if there is none.
        ties : int
            How many are as good.
        """
        path = self._along(features)
        found = best_candidate(self.problem, self._table, path, candidates, limit)
        return tuple(int(value) for value in found)

    def best_subset(self, subsets: np.ndarray) -> tuple[int, int, int]:
        """Subset of several that errs least.

        Parameters
        ----------
        subsets : ndarray of int64, shape (n_subsets, size)
            One subset a row.

        Returns
        -------
        errors : int
            Its errors.
        position : int
            Row of the first of the best.
        ties : int
            How many are as good.

        Raises
        ------
        ValueError
            For no subset, empty ones, or a feature that there is not.
        """
        if np.ndim(subsets) != 2 or not np.size(subsets):
            raise ValueError(f"subsets are rows of features; got shape {np.shape(subsets)}")
        if subsets.min() < 0 or subsets.max() >= self.n_features:
            raise ValueError(
                f"features go from 0 to {self.n_features - 1}; got {subsets.min()} to "
                f"{subsets.max()}"
            )
        found = best_subset(self.problem, self._table, subsets, self.n_queries)
        self._path = ()
        self._table.depths[:] = -1
        return tuple(int(value) for value in found)

    def _along(self, features: Sequence[int]) -> np.ndarray:
        """Subset whose distances the table is to hold; lines of another one are forgotten."""
        path = tuple(int(feature) for feature in features)
        if path[: len(self._path)] != self._path:
            self._table.depths[:] = -1
        self._path = path
        return np.array(path, dtype=np.int64)

    def _units(self, queries: EncodedData) -> np.ndarray:
        """What gives scaled numbers their unit back; the origin does not matter to differences."""
        with np.errstate(over="ignore"):  # refused below
            spread = self.encoder.data_max_ - self.encoder.data_min_
            units = np.where(spread > 0, spread, 1.0)
            rows = np.concatenate([self.training.numeric, queries.numeric])
            widest = units * (np.fmax.reduce(rows) - np.fmin.reduce(rows))  # NaN: no value at all
            squares = np.nan_to_num(widest, posinf=np.inf) ** 2
            total = squares.sum()
        if total > FARTHEST:
            place = int(squares.argmax())
            column = self.training.numeric_features[place]
            names = as_names(
                getattr(self.encoder, "feature_names_in_", None), self.encoder.n_features_in_
            )
            raise ValueError(
                f"the numbers of column {names[column]!r} are up to {widest[place]:.3g} apart, too "
                "far for sums of squared differences with scale='none'; divide them by a "
                "constant, or set scale='range'"
            )
        return units


def _feature_rows(data: EncodedData, units: np.ndarray) -> np.ndarray:
    """Features as rows, in the order of the table's columns."""
    out = np.empty((len(data.numeric_features) + len(data.categorical_features), len(data)))
    out[data.numeric_features] = (data.numeric * units).T
    out[data.categorical_features] = np.where(data.codes == -1, np.nan, data.codes).T
    return out


def stratified_parts(codes: np.ndarray, n_parts: int, random_state: Any) -> np.ndarray:
    """Parts of a stratified cross-validation.

    Parameters
    ----------
    codes : ndarray of int64, shape (n_rows,)
        Classes.
    n_parts : int
        Number of parts.
    random_state : int, RandomState or None
        Seed of the shuffle.

    Returns
    -------
    ndarray of int64, shape (n_rows,)
        Part of each row.

    Raises
    ------
    ValueError
        If there are fewer rows than parts.
    """
    if n_parts > len(codes):
        raise ValueError(f"{len(codes)} rows cannot be split into {n_parts} parts")
    # Rows of one more class at the end keep scikit-learn content with classes of few rows.
    padded = np.concatenate([codes, np.full(n_parts, codes.max() + 1)])
    splitter = StratifiedKFold(n_parts, shuffle=True, random_state=check_random_state(random_state))
    parts = np.empty(len(padded), dtype=np.int64)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        for part, (_, rows) in enumerate(splitter.split(padded, padded)):
            parts[rows] = part
    return parts[: len(codes)]


def _check_parts(parts: Any, n_rows: int) -> np.ndarray:
    parts = np.arange(n_rows) if parts is None else np.asarray(parts, dtype=np.int64)
    if parts.shape != (n_rows,) or (parts < 0).any():
        raise ValueError(f"parts must be {n_rows} whole numbers from 0, one a training row")
    if len(np.unique(parts)) < 2:
        raise ValueError(
            "training rows that classify each other need 2 parts or more: with n_samples=1 or a "
            "single part nobody is left to vote"
        )
    return parts
