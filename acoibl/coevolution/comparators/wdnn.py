"""WDNN: one weight for each training instance, set to the value of most right answers."""

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import Interval

from acoibl.coevolution.comparators.base import PrototypeClassifier
from acoibl.coevolution.comparators.problem import Learned, Problem
from acoibl.kernels.prototypes import row_weights

_COLUMNS = ("sweep", "accuracy", "n_changed", "n_prototypes")


class WDNNClassifier(PrototypeClassifier):
    """1-NN with a learned weight for each instance (WDNN).

    A query is answered by the instance of the largest ``weight / distance``.
    The weights start at 1. Each in turn is set to the value at which most
    training rows are answered right by another row, all other weights fixed:
    the number of right answers jumps at finitely many values only, which are
    all tried. A weight of 0 removes the instance; it is taken where no other
    value is better. Sweeps over the rows follow until one changes nothing.

    Parameters
    ----------
    max_sweeps : int, default=100
        Most sweeps.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    sample_indices_ : ndarray of int64, shape (n_prototypes,)
        Rows of positive weight.
    sample_weights_ : ndarray of float64, shape (n_prototypes,)
        Their weights, the largest scaled to 1; `multipliers_` holds the inverses.
    reduction_ : float
        Share of the rows that were dropped.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by another row.
    history_ : DataFrame
        Before the first and after each sweep: leave-one-out ``accuracy``,
        ``n_changed`` weights, ``n_prototypes``.

    Notes
    -----
    The article itself was not at hand when this was written, only how others
    describe it. What that leaves open is settled so: rows are visited in their
    order; of several best intervals of a weight the one that it is in is
    kept, else the lowest is taken, at its middle. The last instance is never
    removed.

    References
    ----------
    Jahromi, Parvinnia and John, "A method of learning weighted similarity
    function to improve the performance of nearest neighbor", Information
    Sciences 179 (2009) 2964-2973.

    Examples
    --------
    >>> from acoibl.coevolution.comparators import WDNNClassifier
    >>> X = [[0.0], [0.1], [0.2], [0.8], [0.9], [1.0]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> clf = WDNNClassifier().fit(X, y)
    >>> clf.predict([[0.3], [0.7]]).tolist(), clf.loo_accuracy_
    (['low', 'high'], 1.0)
    """

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        "max_sweeps": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        max_sweeps: int = 100,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
    ):
        self.max_sweeps = max_sweeps
        self.missing = missing
        self.categorical_features = categorical_features

    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        n, classes = problem.n_rows, problem.classes
        rows = problem.queries, problem.training, problem.weights(np.ones(problem.n_features))
        w = np.ones(n)
        answers = (
            np.empty(n, dtype=np.int64),
            np.empty(n),
            np.empty(n, dtype=np.int64),
            np.empty(n),
        )
        row_weights.find_answers(*rows, w, answers)
        lines = []
        n_changed = n
        for sweep in range(self.max_sweeps + 1):
            if sweep:
                n_changed = row_weights.weigh_in_turn(*rows, classes, w, answers)
            answered = answers[0] >= 0
            hits = (classes[answers[0][answered]] == classes[answered]).sum()
            lines.append((sweep, hits / n, n_changed if sweep else 0, int((w > 0).sum())))
            if n_changed == 0:
                break
        kept = np.flatnonzero(w)
        weights = w[kept] / w[kept].max()
        return Learned(
            rows=kept,
            multipliers=1.0 / weights,
            feature_weights=np.ones(problem.n_features),
            facts={
                "history_": pd.DataFrame(lines, columns=list(_COLUMNS)),
                "sample_weights_": weights,
            },
        )

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        return {
            "history_": pd.DataFrame(columns=list(_COLUMNS)),
            "sample_weights_": np.ones(problem.n_rows),
        }
