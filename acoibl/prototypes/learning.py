"""What a method has learned from training rows."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from acoibl.lazy.rows import TrainingTable


@dataclass(frozen=True)
class Learned:
    """What a method found.

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
    table: TrainingTable, feature_weights: np.ndarray | float = 1.0, facts: dict | None = None
) -> Learned:
    """Let all rows answer, with multiplier 1."""
    return Learned(
        rows=np.arange(len(table)),
        multipliers=np.ones(len(table)),
        feature_weights=np.broadcast_to(
            np.asarray(feature_weights, dtype=np.float64), (table.n_features,)
        ),
        facts=facts or {},
    )
