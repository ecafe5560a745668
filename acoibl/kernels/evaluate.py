"""One evaluator for many candidates: the kernel is chosen once, by cost, and never by result.

* ``direct``: the sum of Eq. 11, feature by feature; handles everything and is
  what the others must agree with.
* ``product``: squared distances as a matrix product with a bounded error;
  what the bound leaves open is measured directly.
* ``patterns``: counts of mismatch patterns, for few categorical features.
"""

from collections.abc import Sequence

import numpy as np

from acoibl.kernels import filtered, patterns
from acoibl.kernels.expansion import ProductBuilder, count_columns
from acoibl.kernels.predict import in_blocks, predict_codes
from acoibl.kernels.training import (
    DNN,
    GKE,
    KNN,
    NOBODY,
    OPEN,
    Queries,
    Rule,
    Training,
    Weights,
    make_queries,
)

KERNELS = ("direct", "product", "patterns")

_BLOCK_ROWS = 128
_MAX_PRODUCT_BYTES = 1_000_000_000


class Evaluator:
    """Classify the same queries from the same training rows for many candidates.

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows that vote.
    rule : Rule
        How they vote.
    kernel : {"auto", "direct", "product", "patterns"}, default="auto"
        Which kernel to use; ``"auto"`` takes the one that should be fastest.
        All give the same classes.

    Attributes
    ----------
    kernel : str
        The kernel in use.

    Raises
    ------
    ValueError
        If a kernel is asked for that cannot handle the rule or the data.
    """

    def __init__(self, queries: Queries, training: Training, rule: Rule, kernel: str = "auto"):
        self._queries, self._training, self._rule = queries, training, rule
        able = able_kernels(queries, training, rule)
        if kernel != "auto" and kernel not in able:
            raise ValueError(f"kernel {kernel!r} cannot handle this problem; able: {able}")
        self.kernel = _cheapest(able, queries, training, rule) if kernel == "auto" else kernel
        if self.kernel != "direct" and rule.kind == DNN:
            self._prior = _prior_classes(queries, training)
        if self.kernel == "product":
            dtype = np.float32 if rule.kind == KNN else np.float64
            self._builder = ProductBuilder(queries, training, dtype)
            self._rows = make_queries(training.numeric.T, training.codes.T)
        elif self.kernel == "patterns":
            self._table = patterns.count_patterns(queries, training)

    @classmethod
    def leave_one_out(cls, training: Training, rule: Rule, kernel: str = "auto") -> "Evaluator":
        """Evaluator in which every training row is a query that does not see itself.

        Parameters
        ----------
        training : Training
            The rows.
        rule : Rule
            How they vote.
        kernel : str, default="auto"
            Which kernel to use.

        Returns
        -------
        Evaluator
            Its classes come in the sorted order of `training`.
        """
        rows = np.arange(len(training.rows))
        queries = make_queries(training.numeric.T, training.codes.T, rows)
        return cls(queries, training, rule, kernel)

    def codes(
        self, weights: Weights, parameters: Sequence[float] | np.ndarray, n_threads: int = 1
    ) -> np.ndarray:
        """Class of every query for every value of the key parameter.

        Parameters
        ----------
        weights : Weights
            Class-based feature weights.
        parameters : array-like of float, shape (n_parameters,)
            Values of k, of the radius, or of the bandwidth.
        n_threads : int, default=1
            Threads that share the queries; the result does not depend on it.

        Returns
        -------
        ndarray of int64, shape (n_parameters, n_queries)
            Class codes.
        """
        parameters = np.array(parameters, dtype=np.float64).reshape(-1)
        if self.kernel == "direct":
            return self._direct(self._queries, weights, parameters, n_threads)
        out = np.full((len(parameters), len(self._queries.own)), OPEN, dtype=np.int64)
        if self.kernel == "product":
            self._by_product(weights, parameters, n_threads, out)
        else:
            self._by_patterns(weights, parameters, n_threads, out)
        if self._rule.kind == DNN and not self._rule.nearest_outlier:
            nobody = out == NOBODY
            out[nobody] = np.broadcast_to(self._prior, out.shape)[nobody]
        for p, value in enumerate(parameters):
            left_open = np.flatnonzero(out[p] < 0)
            if len(left_open):
                part = Queries(*(array[left_open] for array in self._queries))
                out[p, left_open] = self._direct(part, weights, [value], n_threads)[0]
        return out

    def _direct(self, queries, weights, parameters, n_threads):
        return predict_codes(queries, self._training, weights, self._rule, parameters, n_threads)

    def _by_product(self, weights, parameters, n_threads, out):
        product = self._builder.weigh(weights)
        left, n_rows = self._builder.left, len(self._training.rows)

        def block(start: int, stop: int) -> None:
            buffer = np.empty((_BLOCK_ROWS, n_rows), dtype=left.dtype)
            for first in range(start, stop, _BLOCK_ROWS):
                part = buffer[: min(_BLOCK_ROWS, stop - first)]
                np.matmul(left[first : first + len(part)], product.right, out=part)
                self._vote(part, product, first, weights, parameters, out)

        in_blocks(block, out.shape[1], n_threads)

    def _vote(self, part, product, first, weights, parameters, out):
        queries, training = self._queries, self._training
        if self._rule.kind == KNN:
            filtered.vote_nearest(
                part, product, first, queries, training, self._rows, weights, parameters, out
            )
        elif self._rule.kind == DNN:
            filtered.vote_within(part, product, first, queries, training, parameters, out)
        else:
            filtered.vote_gaussian(part, product, first, queries, training, parameters, out)

    def _by_patterns(self, weights, parameters, n_threads, out):
        training, kind = self._training, self._rule.kind
        seen = len(training.rows) - (1 if self._queries.own.max(initial=-1) >= 0 else 0)
        for p, value in enumerate(parameters):
            parameter = min(value, seen) if kind == KNN else value

            def block(start: int, stop: int, p: int = p, parameter: float = parameter) -> None:
                patterns.vote_patterns(
                    self._table, weights, training, kind, parameter, start, stop, out[p]
                )

            in_blocks(block, len(self._table.counts), n_threads)


def able_kernels(queries: Queries, training: Training, rule: Rule) -> tuple[str, ...]:
    """Kernels that can handle a problem.

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows that vote.
    rule : Rule
        How they vote.

    Returns
    -------
    tuple of str
        Always with ``"direct"``.
    """
    plain = not rule.ignore_missing and rule.include_ties and len(training.row_weights) == 0
    if not plain or len(training.rows) < 2:
        return ("direct",)
    able = ["direct"]
    n_rows, n_queries, n_features = len(training.rows), len(queries.own), len(training.codes)
    if count_columns(training) * (n_rows + n_queries) * 12 <= _MAX_PRODUCT_BYTES:
        able.append("product")
    n_classes = len(training.class_totals)
    if (
        len(training.numeric) == 0
        and n_features <= patterns.MAX_FEATURES
        and patterns.pattern_bytes(n_features, n_classes, n_queries, n_rows) <= patterns.MAX_BYTES
    ):
        able.append("patterns")
    return tuple(able)


def _prior_classes(queries: Queries, training: Training) -> np.ndarray:
    """Largest class of the rows that each query sees."""
    totals = np.repeat(training.class_totals[np.newaxis], len(queries.own), axis=0)
    left_out = np.flatnonzero(queries.own >= 0)
    totals[left_out, training.classes[queries.own[left_out]]] -= 1.0
    return totals.argmax(axis=1)


def _cheapest(able: tuple[str, ...], queries: Queries, training: Training, rule: Rule) -> str:
    """Kernel with the lowest estimated cost per query and training row, in nanoseconds."""
    n_rows = len(training.rows)
    n_features = len(training.numeric) + len(training.codes)
    cost = {"direct": 0.25 * n_features + (5.0 if rule.kind == GKE else 0.6)}
    if "product" in able:
        per_column = 0.02 if rule.kind == KNN else 0.04
        cost["product"] = per_column * count_columns(training) + (2.0 if rule.kind == GKE else 0.6)
    if "patterns" in able:
        entries = min(2 ** len(training.codes) * len(training.class_totals), n_rows**2)
        share = 0.3 if rule.kind == KNN else 1.0  # the scan for k neighbours stops early
        cost["patterns"] = 0.3 * share * entries / n_rows
    return min(cost, key=cost.__getitem__)
