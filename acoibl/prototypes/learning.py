"""Training rows as a comparator gets them, and what it gives back."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from acoibl import kernels
from acoibl.encoding import EncodedData


@dataclass(frozen=True)
class PrototypeProblem:
    """Training rows as the kernels read them.

    Parameters
    ----------
    data : EncodedData
        The rows.
    classes : ndarray of int64, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.
    training : Training
        The same rows, sorted by class.
    queries : Queries
        The same rows as queries, each with its own place in `training`.
    """

    data: EncodedData
    classes: np.ndarray
    n_classes: int
    training: kernels.Training
    queries: kernels.Queries

    @classmethod
    def of(cls, data: EncodedData, classes: np.ndarray, n_classes: int) -> "PrototypeProblem":
        """Lay out encoded rows."""
        training = kernels.make_training(data.numeric, data.codes, classes, n_classes)
        queries = kernels.make_queries(data.numeric, data.codes, training.positions)
        return cls(data, classes, n_classes, training, queries)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.classes)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.feature_order)

    @property
    def feature_order(self) -> np.ndarray:
        """Columns of the table in the order of the kernels: numeric, then categorical."""
        return np.concatenate([self.data.numeric_features, self.data.categorical_features])

    def in_given_order(self, by_kind: np.ndarray) -> np.ndarray:
        """Reorder values of features (..., n_features) from the kernels' order to the table's."""
        out = np.empty_like(by_kind)
        out[..., self.feature_order] = by_kind
        return out

    def weights(self, feature_weights: np.ndarray) -> kernels.Weights:
        """Split weights, (n_features,) or (n_classes, n_features), for the kernels."""
        shape = (self.n_classes, self.n_features)
        return kernels.split_weights(
            np.broadcast_to(feature_weights, shape),
            self.data.numeric_features,
            self.data.categorical_features,
        )


@dataclass(frozen=True)
class Learned:
    """What a comparator found.

    Parameters
    ----------
    rows : ndarray of int64, shape (n_prototypes,)
        Rows that answer.
    multipliers : ndarray of float64, shape (n_prototypes,)
        Factor of the distance to each of them.
    feature_weights : ndarray of float64, shape (n_features,) or (n_classes, n_features)
        Weights inside the root of the distance.
    facts : dict
        Further fitted attributes, by name.
    """

    rows: np.ndarray
    multipliers: np.ndarray
    feature_weights: np.ndarray
    facts: dict[str, Any] = field(default_factory=dict)


def keep_all(
    problem: PrototypeProblem, feature_weights: np.ndarray | float = 1.0, facts: dict | None = None
) -> Learned:
    """Let all rows answer, with multiplier 1.

    Parameters
    ----------
    problem : PrototypeProblem
        Training rows.
    feature_weights : float or ndarray of float64, shape (n_features,), default=1.0
        Weights inside the root of the distance.
    facts : dict, optional
        Further fitted attributes, by name.

    Returns
    -------
    Learned
        All rows.
    """
    return Learned(
        rows=np.arange(problem.n_rows),
        multipliers=np.ones(problem.n_rows),
        feature_weights=np.broadcast_to(
            np.asarray(feature_weights, dtype=np.float64), (problem.n_features,)
        ),
        facts=facts or {},
    )
