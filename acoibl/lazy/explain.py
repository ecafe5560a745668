"""Explanations: who voted for a query, and which features counted (Section 9.2)."""

from typing import Any

import numpy as np
import pandas as pd

COLUMNS = [
    "query",
    "predicted",
    "part",
    "rank",
    "item",
    "class",
    "distance",
    "weight",
    "share",
    "value",
]


def explain_rows(
    X: Any,
    *,
    predicted: np.ndarray,
    votes: np.ndarray,
    distances: np.ndarray,
    rows: np.ndarray,
    row_classes: np.ndarray,
    class_weights: pd.DataFrame,
    max_neighbors: int,
) -> pd.DataFrame:
    """Lay out votes and weights as a table."""
    if isinstance(max_neighbors, bool) or not isinstance(max_neighbors, int | np.integer):
        raise ValueError(f"max_neighbors must be a whole number, got {max_neighbors!r}")
    if max_neighbors < 0:
        raise ValueError(f"max_neighbors must not be negative, got {max_neighbors}")
    if isinstance(X, pd.DataFrame):
        labels, values = list(X.index), X.astype(object).to_numpy()
    else:
        values = np.asarray(X, dtype=object)
        labels = list(range(len(values)))
    by_class = dict(zip(class_weights.index.tolist(), class_weights.to_numpy(), strict=True))
    tables = []
    for i, label in enumerate(labels):
        neighbours = _neighbours(votes[i], distances[i], rows, row_classes, max_neighbors)
        weights = by_class[predicted[i].item() if hasattr(predicted[i], "item") else predicted[i]]
        features = _features(weights, values[i], class_weights.columns)
        for part in (neighbours, features):
            part.insert(0, "query", [label] * len(part))
            part.insert(1, "predicted", [predicted[i]] * len(part))
            tables.append(part)
    out = pd.DataFrame(
        [row for table in tables for row in table.to_dict("records")], columns=COLUMNS
    )
    # Whole numbers as classes must not become 1.0 for sharing a column with gaps.
    listed = [label for table in tables for label in table.get("class", [None] * len(table))]
    return out.assign(**{"class": pd.Series(listed, dtype=object)})


def _neighbours(votes, distances, rows, row_classes, max_neighbors) -> pd.DataFrame:
    voting = np.flatnonzero(votes > 0)
    order = voting[np.lexsort((voting, distances[voting], -votes[voting]))][:max_neighbors]
    total = votes.sum()
    return pd.DataFrame(
        {
            "part": "neighbour",
            "rank": np.arange(1, len(order) + 1),
            "item": rows[order],
            "class": row_classes[order].astype(object),
            "distance": distances[order],
            "share": votes[order] / total if total > 0 else 0.0,
        }
    )


def _features(weights, values, names) -> pd.DataFrame:
    order = np.argsort(-weights, kind="stable")
    total = weights.sum()
    return pd.DataFrame(
        {
            "part": "feature",
            "rank": np.arange(1, len(order) + 1),
            "item": np.asarray(names, dtype=object)[order],
            "weight": weights[order],
            "share": weights[order] / total if total > 0 else 0.0,
            "value": values[order],
        }
    )
