"""One evaluator for many candidates: the kernel is chosen once, by cost, and never by result.

* ``direct``: the sum of Eq. 11, feature by feature; handles everything and is
  what the others must agree with.
* ``product``: squared distances as a matrix product with a bounded error;
  what the bound leaves open is measured directly.
* ``patterns``: counts of mismatch patterns, for few categorical features.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext

import numpy as np
from threadpoolctl import threadpool_limits

from acoibl.kernels.conventions import NOBODY
from acoibl.kernels.lazy import patterns
from acoibl.kernels.lazy.direct import in_blocks, predict_codes
from acoibl.kernels.lazy.product import BYTES_PER_CELL, ProductBuilder, count_columns
from acoibl.kernels.lazy.product_votes import vote_gaussian, vote_nearest, vote_within
from acoibl.kernels.training import (
    DNN,
    GKE,
    KNN,
    Queries,
    Rule,
    Training,
    Weights,
    make_queries,
)

KERNELS = ("direct", "product", "patterns")

_ROUND_ROWS = 128
"""Queries per thread that are classified at least before an evaluation asks to keep on."""

_BLOCK_BYTES = 400_000
"""A block of distances that stays in the second-level cache between the product and the votes."""

_MAX_ROUNDS = 16
"""After how many rounds at most an evaluation asks whether to keep on."""

_MAX_PRODUCT_BYTES = 1_000_000_000
"""Memory that the preparation of a product may take, see `BYTES_PER_CELL`."""

_QUERY_BLOCK = 8192
"""Queries that all candidates classify before the next ones: bounds the memory."""

_FEW_PAIRS = 300_000
"""Fewer distances than this take less time than limiting the threads of BLAS does."""


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
    n_uses : int, default=1000
        How many candidates are to be expected; decides whether a costly
        preparation pays.

    Attributes
    ----------
    kernel : str
        The kernel in use.

    Raises
    ------
    ValueError
        If a kernel is asked for that cannot handle the rule or the data.
    """

    def __init__(
        self,
        queries: Queries,
        training: Training,
        rule: Rule,
        kernel: str = "auto",
        n_uses: int = 1000,
    ):
        self._queries, self._training, self._rule = queries, training, rule
        self._everyone = np.arange(len(queries.own))
        able = able_kernels(queries, training, rule)
        if kernel != "auto" and kernel not in able:
            raise ValueError(f"kernel {kernel!r} cannot handle this problem; able: {able}")
        if kernel == "auto":
            kernel = _cheapest(able, queries, training, rule, n_uses)
        self.kernel = kernel
        if self.kernel != "direct" and rule.kind == DNN:
            self._prior = _prior_classes(queries, training)
        if self.kernel == "product":
            self._builder = ProductBuilder(queries, training)
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
        self,
        weights: Weights,
        parameters: Sequence[float] | np.ndarray,
        n_threads: int = 1,
        order: np.ndarray | None = None,
        keep_on: Callable[[np.ndarray, np.ndarray], bool] | None = None,
    ) -> np.ndarray | None:
        """Class of every query for every value of the key parameter.

        Parameters
        ----------
        weights : Weights
            Class-based feature weights.
        parameters : array-like of float, shape (n_parameters,)
            Values of k, of the radius, or of the bandwidth.
        n_threads : int, default=1
            Threads that share the queries; the result does not depend on it.
        order : ndarray of int64, shape (n_queries,), optional
            Order in which the queries are classified; the result does not
            depend on it.
        keep_on : callable, optional
            ``keep_on(which, codes)`` is told the classes of the queries
            `which` after each round, codes of shape (n_parameters, n_which);
            False ends the evaluation. ``patterns`` does all queries in one
            round.

        Returns
        -------
        ndarray of int64, shape (n_parameters, n_queries), or None
            Class codes; None if `keep_on` ended the evaluation.
        """
        parameters = np.array(parameters, dtype=np.float64).reshape(-1)
        n_queries = len(self._queries.own)
        out = np.empty((len(parameters), n_queries), dtype=np.int64)
        if order is None:
            order = self._everyone
        if self.kernel == "product":
            product = self._builder.weigh(weights)
        rounds = [order]
        if keep_on is not None and self.kernel != "patterns":
            size = max(_ROUND_ROWS * n_threads, n_queries // _MAX_ROUNDS)
            rounds = [order[start : start + size] for start in range(0, n_queries, size)]
        for which in rounds:
            if self.kernel == "direct":
                self._by_direct(which, weights, parameters, n_threads, out)
            elif self.kernel == "product":
                self._by_product(product, which, weights, parameters, n_threads, out)
            else:
                self._by_patterns(weights, parameters, n_threads, out)
            if self._may_leave_open():
                self._settle(which, weights, parameters, n_threads, out)
            if keep_on is not None and not keep_on(which, out[:, which]):
                return None
        return out

    def _may_leave_open(self) -> bool:
        if self.kernel == "product" and self._rule.kind == KNN:
            return not self._builder.reaches  # else it measures what its error leaves open
        return self.kernel != "direct"

    def _settle(self, which, weights, parameters, n_threads, out):
        """Classify what the fast kernels left open, of the queries `which`."""
        if self._rule.kind == DNN and not self._rule.nearest_outlier:
            for line in out:
                nobody = which[line[which] == NOBODY]
                line[nobody] = self._prior[nobody]
        for p in range(len(parameters)):
            left = which[out[p, which] < 0]
            if len(left):
                self._by_direct(left, weights, parameters[p : p + 1], n_threads, out[p : p + 1])

    def _by_direct(self, which, weights, parameters, n_threads, out):
        queries = self._queries
        if len(which) < len(queries.own):
            queries = Queries(*(array[which] for array in queries))
        else:
            which = slice(None)  # all, in their own order
        out[:, which] = predict_codes(
            queries, self._training, weights, self._rule, parameters, n_threads
        )

    def _by_product(self, product, which, weights, parameters, n_threads, out):
        left, n_rows = self._builder.left, len(self._training.rows)
        size = max(16, _BLOCK_BYTES // (n_rows * left.itemsize))
        in_order, quiet = which is self._everyone, self._builder.reaches

        def block(start: int, stop: int) -> None:
            buffer = np.empty((min(size, stop - start), n_rows), dtype=left.dtype)
            # Where single precision does not reach, queries stay open: no news.
            with nullcontext() if quiet else np.errstate(over="ignore", invalid="ignore"):
                for first in range(start, stop, size):
                    place = slice(first, min(first + size, stop))
                    rows = which[place]
                    part = buffer[: len(rows)]
                    np.matmul(left[place if in_order else rows], product.right, out=part)
                    self._vote(part, product, rows, weights, parameters, out)

        in_blocks(block, len(which), n_threads)

    def _vote(self, part, product, rows, weights, parameters, out):
        vote = {KNN: vote_nearest, DNN: vote_within, GKE: vote_gaussian}[self._rule.kind]
        queries, training = self._queries, self._training
        vote(part, product, rows, queries, training, self._rows, weights, parameters, out)

    def _by_patterns(self, weights, parameters, n_threads, out):
        training, kind = self._training, self._rule.kind
        for p, value in enumerate(parameters):

            def block(start: int, stop: int, p: int = p, value: float = value) -> None:
                patterns.vote_patterns(
                    self._table, weights, training, kind, value, start, stop, out[p]
                )

            in_blocks(block, len(self._table.counts), n_threads)


def classify(
    queries: Queries,
    training: Training,
    rule: Rule,
    candidates: Sequence[tuple[Weights, Sequence[float] | np.ndarray]],
    n_threads: int = 1,
) -> np.ndarray:
    """Class of every query for each candidate, in bounded memory.

    Parameters
    ----------
    queries : Queries
        Rows to classify.
    training : Training
        Rows that vote.
    rule : Rule
        How they vote.
    candidates : sequence of (Weights, array-like of float)
        Weights, and values of the key parameter to use them with.
    n_threads : int, default=1
        Threads that share the queries. The result does not depend on it.

    Returns
    -------
    ndarray of int64, shape (n_values, n_queries)
        Class codes, values in the order of the candidates.
    """
    n_values, n_queries = sum(len(values) for _, values in candidates), len(queries.own)
    out = np.empty((n_values, n_queries), dtype=np.int64)
    # Rows are shared by our threads already; small products start none.
    small = n_values * n_queries * len(training.rows) < _FEW_PAIRS
    with nullcontext() if small else threadpool_limits(1, user_api="blas"):
        for start in range(0, n_queries, _QUERY_BLOCK):
            rows = slice(start, start + _QUERY_BLOCK)
            block = Queries(*(part[rows] for part in queries))
            evaluator = Evaluator(block, training, rule, n_uses=n_values)
            first = 0
            for weights, values in candidates:
                last = first + len(values)
                out[first:last, rows] = evaluator.codes(weights, values, n_threads)
                first = last
    return out


def leave_one_out(
    training: Training,
    weights: Weights,
    rule: Rule,
    parameters: np.ndarray,
    n_threads: int = 1,
) -> np.ndarray:
    """Class of every training row as the other rows see it.

    Parameters
    ----------
    training : Training
        Rows, as from `make_training`.
    weights : Weights
        Class-based feature weights.
    rule : Rule
        How the rows vote.
    parameters : ndarray of float64, shape (n_parameters,)
        Values of the key parameter.
    n_threads : int, default=1
        Threads that share the rows. The result does not depend on it.

    Returns
    -------
    ndarray of int64, shape (n_parameters, n_rows)
        Class codes, rows in the sorted order of `training`.
    """
    queries = make_queries(training.numeric.T, training.codes.T, np.arange(len(training.rows)))
    return classify(queries, training, rule, [(weights, parameters)], n_threads)


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
    if count_columns(training) * (n_rows + n_queries) * BYTES_PER_CELL <= _MAX_PRODUCT_BYTES:
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


def _cheapest(
    able: tuple[str, ...], queries: Queries, training: Training, rule: Rule, n_uses: int
) -> str:
    """Kernel with the lowest estimated cost per query and training row, in nanoseconds."""
    n_rows = len(training.rows)
    numeric, categorical = len(training.numeric), len(training.codes)
    votes = {KNN: 0.5, DNN: 5.0, GKE: 9.0}[rule.kind]
    cost = {"direct": 0.22 * numeric + 0.1 * categorical + votes}
    if "product" in able:
        votes = {KNN: 0.5, DNN: 0.6, GKE: 0.8}[rule.kind]
        cost["product"] = 0.02 * count_columns(training) + votes
    if "patterns" in able:
        entries = min(2 ** len(training.codes) * len(training.class_totals), n_rows**2)
        share = 0.3 if rule.kind == KNN else 1.0  # the scan for k neighbours stops early
        cost["patterns"] = 0.3 * share * entries / n_rows + 3.5 / n_uses  # counting them first
    return min(cost, key=cost.__getitem__)
