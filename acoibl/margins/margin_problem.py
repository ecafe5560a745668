"""Training rows as the kernels of margins read them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from acoibl._sklearn import StrOptions
from acoibl.encoding import EncodedData, MixedEncoder
from acoibl.kernels import margins as kernels
from acoibl.lazy.rows import TrainingTable

DATA_CONSTRAINTS: dict = {
    "scale": ["boolean"],
    "missing": [StrOptions({"max", "category"})],
    "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
}
"""Parameters of every estimator here that read a table."""


class MarginEncoder(MixedEncoder):
    """A `MixedEncoder` that need not scale: numbers are then only moved, the least to 0."""

    def __init__(self, *, categorical_features: Any, missing: str, scale: bool):
        super().__init__(categorical_features=categorical_features, missing=missing)
        self.scale = scale

    def encode(self, X: Any) -> EncodedData:
        """Encode rows."""
        data = super().encode(X)
        if self.scale:
            return data
        width = np.nan_to_num(self.data_max_ - self.data_min_)
        return EncodedData(
            data.numeric * width, data.codes, data.numeric_features, data.categorical_features
        )


@dataclass(frozen=True)
class MarginProblem:
    """Encoded training rows of two classes or more."""

    table: TrainingTable

    @cached_property
    def rows(self) -> kernels.MarginRows:
        """Rows sorted by class."""
        return margin_rows(self.table)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.table)

    @property
    def places(self) -> np.ndarray:
        """Sorted row of each given row, shape (n_rows,)."""
        return self.rows.training.positions

    def margin_vectors(self) -> np.ndarray:
        """Margin vectors by sorted row and in the features' order of the kernels, all weights 1."""
        hits, misses = kernels.nearest_pairs(self.rows, np.ones(self.table.n_features))
        return kernels.margin_vectors(self.rows, hits, misses)


def make_problem(
    X: Any, y: Any, scale: bool, missing: str, categorical_features: Any, estimator: Any = None
) -> MarginProblem:
    """Read a table with its classes, for an estimator that gets the number of its columns."""
    encoder = MarginEncoder(categorical_features=categorical_features, missing=missing, scale=scale)
    table = TrainingTable.read(estimator, X, y, encoder)
    if len(table.classes) < 2:
        raise ValueError(
            f"margins need rows of at least 2 classes, got 1 class: {str(table.classes[0])!r}"
        )
    return MarginProblem(table)


def margin_rows(table: TrainingTable) -> kernels.MarginRows:
    """Rows as the kernels of margins read them."""
    return kernels.make_rows(table.data.numeric, table.data.codes, table.codes, len(table.classes))
