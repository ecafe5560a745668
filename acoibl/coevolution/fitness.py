"""How good selections, feature weights and class multipliers are: leave-one-out 1-NN."""

import numpy as np

from acoibl.coevolution.candidates import CandidateLists
from acoibl.kernels.coevolution import references, selections
from acoibl.kernels.conventions import NO_ROW, NOT_LISTED

_MATRIX_ROWS = 2000
"""Up to so many rows the distances of all pairs are kept (32 MB)."""

_LIST_LENGTH = 64
"""Neighbours that are listed for each of more rows; few queries have none of them selected."""

_LISTED_PAIRS = 200_000
_LISTED_CALLS = 10
"""For so many pairs of rows and selected rows, a selection that has judged so many sets of feature
weights is likely to judge more: candidate lists are tried."""

_KNOWN = 400
"""Selections whose answers are remembered."""


class NearestNeighbourFitness:
    """Accuracy of the nearest selected row, by leave-one-out over all training rows.

    The distance of a query x to a selected row r of class c is
    ``m(c) * sqrt(sum_j w_j * phi_j(x, r) ** 2)``. A row never answers for
    itself; of equal distances the first row wins; if no row is left the class
    of the first training row is the answer.

    Two of the three parts (rows, feature weights w, class weights v) are fixed
    by `fix`, and the third is judged for many candidates at once by
    `selections`, `features` or `classes`. What does not change from call to
    call is kept.

    Parameters
    ----------
    table : acoibl.kernels.coevolution.references.Table
        Training rows.
    classes : ndarray of int64, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.
    alpha : float, default=0.5
        Weight of accuracy against reduction in the fitness of selections.
    iw_scale : {"nearer", "direct"}, default="nearer"
        How class weights v become multipliers m, see `multipliers`.
    """

    def __init__(
        self,
        table: references.Table,
        classes: np.ndarray,
        n_classes: int,
        *,
        alpha: float = 0.5,
        iw_scale: str = "nearer",
    ):
        self.table = table
        self.labels = np.ascontiguousarray(classes, dtype=np.int64)
        self.n_rows = len(classes)
        self.n_features = len(table.columns)
        self.n_classes = n_classes
        self.alpha = alpha
        self.iw_scale = iw_scale
        self._metric: tuple[np.ndarray, np.ndarray] | None = None
        self._mask: np.ndarray | None = None
        self.fix(np.ones(self.n_rows, dtype=bool), np.ones(self.n_features), self.neutral())

    def neutral(self) -> np.ndarray:
        """Class weights that treat all classes alike.

        Returns
        -------
        ndarray of float64, shape (n_classes,)
            All 0.5.
        """
        return np.full(self.n_classes, 0.5)

    def fix(self, mask: np.ndarray, feature_weights: np.ndarray, class_weights: np.ndarray) -> None:
        """Set the collaborators.

        Parameters
        ----------
        mask : ndarray of bool, shape (n_rows,)
            Selected rows.
        feature_weights : ndarray of float64, shape (n_features,)
            Feature weights w.
        class_weights : ndarray of float64, shape (n_classes,)
            Class weights v.
        """
        metric = feature_weights.tobytes(), class_weights.tobytes()
        if metric != self._metric:
            self._matrix = self._lists = None
            self._known: dict[bytes, np.ndarray] = {}
        if self._metric is None or metric[0] != self._metric[0] or (mask != self._mask).any():
            self._by_class: tuple[np.ndarray, np.ndarray] | None = None
        if self._mask is None or (mask != self._mask).any():
            self._mask = mask.copy()
            self._rows = np.flatnonzero(mask)
            self._references = np.ascontiguousarray(self.table.columns[:, self._rows])
            self._reference_labels = self.labels[self._rows]
            self._candidates: CandidateLists | None = None
            self._n_calls = 0
        self._metric = metric
        self._w = np.array(feature_weights, dtype=np.float64)
        self._m2 = multipliers(np.asarray(class_weights), self.iw_scale) ** 2

    def selections(self, masks: np.ndarray, parents: np.ndarray | None = None) -> np.ndarray:
        """Fitness of selections: ``alpha * accuracy + (1 - alpha) * reduction``.

        Parameters
        ----------
        masks : ndarray of bool, shape (n, n_rows)
            Selections.
        parents : ndarray of bool, shape (n, n_rows), optional
            Selections from which each differs in few rows.

        Returns
        -------
        ndarray of float64, shape (n,)
            Fitness; an empty selection has a reduction of -10000.
        """
        counts = masks.sum(axis=1)
        reduction = np.where(counts > 0, 1 - counts / self.n_rows, -10_000.0)
        return self.alpha * self.accuracies(masks, parents) + (1 - self.alpha) * reduction

    def accuracies(self, masks: np.ndarray, parents: np.ndarray | None = None) -> np.ndarray:
        """Accuracy of selections.

        Parameters
        ----------
        masks, parents
            As for `selections`.

        Returns
        -------
        ndarray of float64, shape (n,)
            Shares of all training rows that are classified rightly.
        """
        answers = np.empty((len(masks), self.n_rows), dtype=np.int64)
        for i, mask in enumerate(masks):
            self._answer(mask, None if parents is None else parents[i], answers[i])
        hits = references.hits_of_answers(answers, self.labels, self.labels, self.labels[0])
        return hits / self.n_rows

    def features(self, weights: np.ndarray) -> np.ndarray:
        """Accuracy of feature weights.

        Parameters
        ----------
        weights : ndarray of float64, shape (n, n_features)
            Vectors of weights.

        Returns
        -------
        ndarray of float64, shape (n,)
            Shares of all training rows that are classified rightly.
        """
        weights = np.ascontiguousarray(weights)
        self._n_calls += 1
        if (
            self._n_calls == _LISTED_CALLS
            and len(self._rows) * self.n_rows >= _LISTED_PAIRS
            and not self.table.ignore_missing
        ):
            self._candidates = CandidateLists.build(self.table, self._rows, self.labels)
        if self._candidates is not None:
            hits = self._candidates.hits(weights, self._m2)
            if hits is not None:
                return hits / self.n_rows
        return self._hits(weights, self._m2) / self.n_rows

    def classes(self, weights: np.ndarray) -> np.ndarray:
        """Accuracy of class weights.

        Parameters
        ----------
        weights : ndarray of float64, shape (n, n_classes)
            Vectors of class weights v.

        Returns
        -------
        ndarray of float64, shape (n,)
            Shares of all training rows that are classified rightly.
        """
        if self._by_class is None:
            distances = np.empty((self.n_classes, self.n_rows))
            answers = np.empty((self.n_classes, self.n_rows), dtype=np.int64)
            references.nearest_by_class(
                *self.table,
                self._references,
                self._rows,
                self._reference_labels,
                self._w[None],
                distances,
                answers,
            )
            self._by_class = distances, answers
        squared = multipliers(weights, self.iw_scale) ** 2
        hits = references.hits_of_multipliers(*self._by_class, squared, self.labels)
        # A multiplier of 0 puts all rows of a class at one distance: which is first is not kept.
        for i in np.flatnonzero((squared == 0).any(axis=1)):
            hits[i] = self._hits(self._w[None], squared[i])[0]
        return hits / self.n_rows

    def accuracy(self) -> float:
        """Accuracy of the three fixed parts together.

        Returns
        -------
        float
            Share of all training rows that are classified rightly.
        """
        return float(self.features(self._w[None])[0])

    def _hits(self, weights: np.ndarray, squared_multipliers: np.ndarray) -> np.ndarray:
        return references.hits_of_weights(
            *self.table,
            self._references,
            self._rows,
            self._reference_labels,
            weights,
            squared_multipliers,
            self.labels,
        )

    def _answer(self, mask: np.ndarray, parent: np.ndarray | None, out: np.ndarray) -> None:
        """Fill `out` (n_rows,) with the nearest selected row of each row, or `NO_ROW`."""
        if self.n_rows > _MATRIX_ROWS:
            self._answer_by_lists(mask, out)
            return
        if self._matrix is None:
            self._matrix = np.empty((self.n_rows, self.n_rows))
            selections.fill_matrix(*self.table, self.labels, self._w[None], self._m2, self._matrix)
        known = None if parent is None else self._known.get(parent.tobytes())
        if known is not None and _is_small_change(parent, mask):
            selections.answer_by_parent(self._matrix, parent, known, mask, out)
        else:
            selections.answer_by_matrix(self._matrix, mask, out)
        if len(self._known) >= _KNOWN:
            for key in list(self._known)[: _KNOWN // 2]:
                del self._known[key]
        self._known[mask.tobytes()] = out.copy()

    def _answer_by_lists(self, mask: np.ndarray, out: np.ndarray) -> None:
        if self._lists is None:
            self._lists = np.empty((self.n_rows, _LIST_LENGTH), dtype=np.int32)
            selections.fill_lists(*self.table, self.labels, self._w[None], self._m2, self._lists)
        selections.answer_by_lists(self._lists, mask, out)
        unlisted = np.flatnonzero(out == NOT_LISTED)
        if len(unlisted):
            rows = np.flatnonzero(mask)
            places = np.full(self.n_rows, -1)
            places[unlisted] = np.arange(len(unlisted))
            found = np.empty((1, len(unlisted)), dtype=np.int64)
            references.nearest_reference(
                *references.take_rows(self.table, unlisted),
                references.take_rows(self.table, rows).columns,
                places[rows],
                self.labels[rows],
                self._w[None],
                self._m2,
                found,
            )
            out[unlisted] = np.where(found[0] >= 0, rows[found[0]], NO_ROW) if len(rows) else NO_ROW


def multipliers(class_weights: np.ndarray, iw_scale: str) -> np.ndarray:
    """Multipliers of the distances to the rows of each class.

    Parameters
    ----------
    class_weights : ndarray of float64, shape (..., n_classes)
        Class weights v in [0, 1].
    iw_scale : {"nearer", "direct"}
        ``"nearer"``, as the authors' program: m = 0.2 + 0.8 (1 - v), a larger
        weight brings a class nearer, and no multiplier is below 0.2;
        ``"direct"``: m = v, as Eq. 4 says.

    Returns
    -------
    ndarray of float64, shape (..., n_classes)
        Multipliers m.

    References
    ----------
    Derrac, Triguero, Garcia and Herrera, "Integrating instance selection,
    instance weighting, and feature weighting for nearest neighbor classifiers
    by coevolutionary algorithms", IEEE Transactions on Systems, Man, and
    Cybernetics B 42 (2012) 1383-1397. Salama, Abdelbar et al.,
    "Instance-based classification with Ant Colony Optimization", Eq. 4.

    Examples
    --------
    >>> multipliers(np.array([0.0, 0.5, 1.0]), "nearer").round(2).tolist()
    [1.0, 0.6, 0.2]
    """
    return 0.2 + 0.8 * (1.0 - class_weights) if iw_scale == "nearer" else class_weights


def _is_small_change(parent: np.ndarray, mask: np.ndarray) -> bool:
    """Whether starting from the parent's answers costs less than half of starting anew."""
    gone = np.count_nonzero(parent & ~mask) / max(np.count_nonzero(parent), 1)
    came = np.count_nonzero(mask & ~parent) / max(np.count_nonzero(mask), 1)
    return gone + came < 0.5
