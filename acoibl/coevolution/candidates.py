"""For a fixed selection: the references of each row that some weights can make the nearest."""

import numpy as np

from acoibl.kernels.coevolution import undominated
from acoibl.kernels.coevolution.references import Table

_SAMPLE = 64
_WORTHWHILE = 0.25
"""Largest share of the references for which the lists are faster than all references."""


class CandidateLists:
    """Lists of undominated references, which judge feature weights.

    Parameters
    ----------
    queries, references : ndarray of float64, shapes (n_rows, n_features), (n_selected, n_features)
        Training rows, and the selected ones.
    categorical : ndarray of bool, shape (n_features,)
        Kinds of features.
    labels, reference_labels : ndarray of int64
        Class codes of both.
    starts, members : ndarray
        Lists, as `acoibl.kernels.coevolution.undominated.list_undominated` makes them.
    """

    def __init__(self, queries, references, categorical, labels, reference_labels, starts, members):
        self._of_queries = queries, references, categorical, reference_labels, starts, members
        self._labels = labels

    @classmethod
    def build(cls, table: Table, rows: np.ndarray, labels: np.ndarray) -> "CandidateLists | None":
        """Make the lists, unless they would be long.

        Parameters
        ----------
        table : Table
            Training rows, without `ignore_missing`.
        rows : ndarray of int64, shape (n_selected,)
            Selected rows.
        labels : ndarray of int64, shape (n_rows,)
            Class codes.

        Returns
        -------
        CandidateLists or None
            None if a sample of the rows says that the lists would not be worthwhile.
        """
        queries = np.ascontiguousarray(table.columns.T)
        n_rows, n_classes = len(queries), int(labels.max()) + 1
        references, reference_labels = queries[rows], labels[rows]

        def fill(chosen: np.ndarray, n_members: int) -> tuple[int, np.ndarray, np.ndarray]:
            places = np.full(n_rows, -1)
            places[chosen] = np.arange(len(chosen))
            starts = np.zeros(len(chosen) + 1, dtype=np.int64)
            members = np.empty(n_members, dtype=np.int32)
            total = undominated.list_undominated(
                queries[chosen],
                references,
                table.categorical,
                places[rows],
                reference_labels,
                n_classes,
                starts,
                members,
            )
            return total, starts, members

        sample = np.unique(np.linspace(0, n_rows - 1, _SAMPLE).astype(np.int64))
        total, _, _ = fill(sample, int(_WORTHWHILE * len(sample) * len(rows)))
        if total < 0:
            return None
        # The sample may be lucky: room for twice as many.
        total, starts, members = fill(np.arange(n_rows), 2 * total * n_rows // len(sample) + n_rows)
        if total < 0:
            return None
        return cls(
            queries,
            references,
            table.categorical,
            labels,
            reference_labels,
            starts,
            members[:total].copy(),
        )

    def hits(self, weights: np.ndarray, squared_multipliers: np.ndarray) -> np.ndarray | None:
        """Rightly classified rows for vectors of feature weights.

        Parameters
        ----------
        weights : ndarray of float64, shape (n, n_features)
            Feature weights.
        squared_multipliers : ndarray of float64, shape (n_classes,)
            Squared multipliers.

        Returns
        -------
        ndarray of int64, shape (n,), or None
            None if a weight is so small that the lists might not be exact.
        """
        if weights.min() < undominated.LEAST_WEIGHT:
            return None
        size = undominated.VECTORS
        out = np.empty(len(weights), dtype=np.int64)
        block = np.empty((weights.shape[1], size))
        queries, references, categorical, labels, starts, members = self._of_queries
        for start in range(0, len(weights), size):
            some = weights[start : start + size].T
            block[:, : some.shape[1]] = some
            block[:, some.shape[1] :] = some[:, -1:]
            hits = undominated.hits_of_listed(
                queries,
                references,
                categorical,
                labels,
                starts,
                members,
                block,
                squared_multipliers,
                self._labels,
            )
            out[start : start + size] = hits[: some.shape[1]]
        return out
