"""Leave-one-out evaluation of candidates, given up early where nothing can be gained.

A candidate that cannot enter any archive need not be finished (exact early
rejection): rows are classified hardest first, and the evaluation ends when
the candidate would stay out of every archive even if all rows still to come
were right. The archives end up the same to the last bit.
"""

import numpy as np

from acoibl import kernels
from acoibl.colony.settings import qualities

_REORDER_EVERY = 20

_LEAST_ROWS = 256
"""Fewer rows are classified sooner than one can ask whether to go on (`make bench`, rejection)."""


class LeaveOneOut:
    """Evaluate candidates by leave-one-out over the training rows."""

    def __init__(
        self,
        training: kernels.Training,
        rule: kernels.Rule,
        archive_quality: str,
        n_threads: int = 1,
        kernel: str = "auto",
        reject_early: bool = True,
    ):
        self._evaluator = kernels.Evaluator.leave_one_out(training, rule, kernel)
        self.kernel = self._evaluator.kernel
        n_rows = len(training.rows)
        self._classes = training.classes
        self._sizes = np.diff(training.starts)
        self._kind = archive_quality
        self._n_threads = n_threads
        # Few rows are done in one go, and so are patterns: there is nothing to be saved.
        self._reject_early = reject_early and self.kernel != "patterns" and n_rows >= _LEAST_ROWS
        self._misses = np.zeros(n_rows)
        self._seen = np.zeros(n_rows)
        self._order = np.arange(n_rows)
        self._n_evaluations = 0
        self.rows_asked = self.rows_classified = 0

    def __call__(
        self,
        parameter: float,
        weights: kernels.Weights,
        floors: tuple[float, np.ndarray] | None = None,
    ) -> tuple[float, np.ndarray] | None:
        """Accuracy and class qualities of a candidate."""
        n_classes, n_rows = len(self._sizes), len(self._classes)
        hits, claims = np.zeros(n_classes, dtype=np.int64), np.zeros(n_classes, dtype=np.int64)
        rest = self._sizes.copy()
        self.rows_asked += n_rows

        def promising(which: np.ndarray, codes: np.ndarray) -> bool:
            """Count what is known, and look at the best that the rest could bring."""
            nonlocal rest
            predicted, actual = codes[0], self._classes[which]
            right = predicted == actual
            hits[:] += np.bincount(actual[right], minlength=n_classes)
            claims[:] += np.bincount(predicted, minlength=n_classes)
            rest -= np.bincount(actual, minlength=n_classes)
            self._misses[which] += ~right
            self._seen[which] += 1
            self.rows_classified += len(which)
            if floors is None or not rest.any():
                return True
            accuracy, by_class = qualities(self._kind, hits + rest, claims + rest, self._sizes)
            return accuracy > floors[0] or bool((by_class > floors[1]).any())

        if floors is None or not self._reject_early:
            everything = self._evaluator.codes(weights, [parameter], self._n_threads)
            promising(np.arange(n_rows), everything)
        else:
            if self._n_evaluations % _REORDER_EVERY == 0:
                self._order = np.argsort(-self._misses / np.maximum(self._seen, 1), kind="stable")
            finished = self._evaluator.codes(
                weights, [parameter], self._n_threads, self._order, promising
            )
            if finished is None:
                return None
        self._n_evaluations += 1
        return qualities(self._kind, hits, claims, self._sizes)
