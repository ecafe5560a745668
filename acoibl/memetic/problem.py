"""Training rows, measured by rulers, that leave themselves out or answer queries."""

import numpy as np

from acoibl.encoding import EncodedData
from acoibl.kernels.measured import AbsoluteDistances, Distances, Measured, SquaredDistances
from acoibl.rulers import FeatureRulers


class MeasuredRows:
    """Training rows sorted by class.

    Parameters
    ----------
    data : EncodedData
        Training rows.
    classes : ndarray of int, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.
    rulers : FeatureRulers
        Fitted rulers.
    dtype : data-type, default=float64
        Precision of matrix products.

    Attributes
    ----------
    order : ndarray of int64, shape (n_rows,)
        Position of each sorted row among the given ones.
    classes : ndarray of int64, shape (n_rows,)
        Classes of the sorted rows.
    starts : ndarray of int64, shape (n_classes + 1,)
        Where each class begins.
    """

    def __init__(
        self,
        data: EncodedData,
        classes: np.ndarray,
        n_classes: int,
        rulers: FeatureRulers,
        dtype: type = np.float64,
    ):
        self.order = np.argsort(classes, kind="stable")
        self.classes = np.ascontiguousarray(classes[self.order], dtype=np.int64)
        self.starts = np.searchsorted(self.classes, np.arange(n_classes + 1)).astype(np.int64)
        self.rulers, self._dtype = rulers, dtype
        self._columns = rulers.columns(data)[self.order]
        self._codes = data.codes[self.order]

    def left_out(self, queries: np.ndarray) -> Distances:
        """Distances of training rows that see neither themselves nor their own label.

        Parameters
        ----------
        queries : ndarray of int64, shape (n_queries,)
            Sorted rows.

        Returns
        -------
        SquaredDistances or AbsoluteDistances
            From them to all rows.
        """
        tables = self.rulers.tables(self._codes[queries], self.classes[queries])
        return self._measure(self._columns[queries], tables, queries.astype(np.int64))

    def asked(self, data: EncodedData) -> Distances:
        """Distances of new rows.

        Parameters
        ----------
        data : EncodedData
            Queries.

        Returns
        -------
        SquaredDistances or AbsoluteDistances
            From them to all rows.
        """
        tables = self.rulers.tables(data.codes)
        own = np.full(len(data), -1, dtype=np.int64)
        return self._measure(self.rulers.columns(data), tables, own)

    def _measure(self, columns: np.ndarray, tables: list[np.ndarray], own: np.ndarray) -> Distances:
        rulers = self.rulers
        measured = Measured(
            queries=columns,
            rows=self._columns,
            column_features=rulers.column_features_,
            column_factors=rulers.column_factors_,
            tables=tables,
            codes=self._codes,
            table_features=rulers.categorical_features_,
            starts=self.starts,
            own=own,
            n_features=rulers.n_features_,
        )
        if rulers.p == 1:
            return AbsoluteDistances(measured)
        return SquaredDistances(measured, self._dtype)
