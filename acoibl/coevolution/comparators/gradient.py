"""PW, CW and CPW: weights of instances and classes learned by gradient descent."""

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import Interval, StrOptions

from acoibl import kernels
from acoibl.coevolution.comparators.base import PrototypeClassifier
from acoibl.coevolution.comparators.problem import Learned, Problem
from acoibl.kernels.prototypes import gradient

_COLUMNS = ("sweep", "loss")
_LEAST = 1e-3

STEPS = (0.1, 0.01, 0.001)
"""Steps that are tried by default."""


class GradientWeightsClassifier(PrototypeClassifier):
    """1-NN with prototype and class weights learned by gradient descent (PW, CW, CPW).

    The distance of x to instance y of class c is ``v_y * sqrt(sum_j c_j^2
    phi_j(x, y)^2)``. The weights descend a smoothed leave-one-out error: the
    mean over the training rows of ``1 / (1 + exp(beta * (1 - r)))``, r being
    the distance to the nearest row of the own class over that to the nearest
    row of another. Each sweep finds both neighbours of every row with the
    weights of the sweep before, adds up the gradient, and takes one step.

    Parameters
    ----------
    weights : {"class_and_prototype", "class", "prototype"}, default="class_and_prototype"
        What is learned: one weight for each class and feature and one for
        each instance (CPW), only the former (CW), or only the latter (PW).
    beta : float, default=8.0
        Slope of the sigmoid.
    step : float or None, default=None
        Step of the weights of classes and of instances; by default each of
        0.1, 0.01 and 0.001 is tried and that of the least smoothed error kept.
    tolerance : float, default=0.001
        The descent ends when the smoothed error changes by no more.
    max_sweeps : int, default=1000
        Most sweeps.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    class_weights_ : DataFrame, shape (n_classes, n_features)
        The squares c^2, which are the weights inside the root; 1 for PW.
    multipliers_ : ndarray of float64, shape (n_rows,)
        The weights v of the instances; 1 for CW.
    sample_indices_, reduction_
        All rows answer: the reduction is 0.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by another row.
    step_ : float
        Step that was kept.
    history_ : DataFrame
        Smoothed error (``loss``) before each sweep. The weights of the least are kept.

    Notes
    -----
    `beta`, `tolerance` and the smallest step are those of the software KEEL,
    with which alone the descent ends at once on some data. KEEL's gradient
    differs: it subtracts the squared distance where this one divides by it,
    and c is not squared in its distance.

    Weights are kept at 0.001 or above: only their squares count, so a step
    past 0 would turn back. A row at distance 0 of another class, where the
    error is flat, and a row without a second one in its class make no step.

    References
    ----------
    Paredes and Vidal, "Learning weighted metrics to minimize nearest-neighbor
    classification error", IEEE Transactions on Pattern Analysis and Machine
    Intelligence 28 (2006) 1100-1110.

    Examples
    --------
    >>> from acoibl.coevolution.comparators import GradientWeightsClassifier
    >>> X = [[0.0, 0.3], [0.1, 0.9], [0.2, 0.1], [0.8, 0.2], [0.9, 0.8], [1.0, 0.4]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> clf = GradientWeightsClassifier("class", step=0.1).fit(X, y)
    >>> bool((clf.class_weights_["x0"] > clf.class_weights_["x1"]).all())
    True
    """

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        "weights": [StrOptions({"class_and_prototype", "class", "prototype"})],
        "beta": [Interval(Real, 0, None, closed="neither")],
        "step": [Interval(Real, 0, None, closed="neither"), None],
        "tolerance": [Interval(Real, 0, None, closed="left")],
        "max_sweeps": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        weights: str = "class_and_prototype",
        *,
        beta: float = 8.0,
        step: float | None = None,
        tolerance: float = 0.001,
        max_sweeps: int = 1000,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
    ):
        self.weights = weights
        self.beta = beta
        self.step = step
        self.tolerance = tolerance
        self.max_sweeps = max_sweeps
        self.missing = missing
        self.categorical_features = categorical_features

    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        descents = [self._descend(problem, step) for step in ([self.step] if self.step else STEPS)]
        step, losses, c, v = min(descents, key=lambda descent: min(descent[1]))
        return Learned(
            rows=np.arange(problem.n_rows),
            multipliers=v[problem.training.positions],
            feature_weights=problem.in_given_order(c**2),
            facts={"history_": _history(losses), "step_": step},
        )

    def _descend(
        self, problem: Problem, step: float
    ) -> tuple[float, list[float], np.ndarray, np.ndarray]:
        """Step, losses of all sweeps, and the weights of the least one."""
        training = problem.training
        n_numeric, n_categorical = len(training.numeric), len(training.codes)
        c = np.ones((problem.n_classes, problem.n_features))  # numeric features first
        v = np.ones(problem.n_rows)  # rows sorted by class
        by_row = np.empty(problem.n_rows)
        by_numeric = np.empty((problem.n_classes, n_numeric))
        by_category = np.empty((problem.n_classes, n_categorical))
        losses: list[float] = []
        best, best_c, best_v = np.inf, c, v
        for _ in range(self.max_sweeps + 1):
            squares = kernels.Weights(
                np.ascontiguousarray(c[:, :n_numeric] ** 2),
                np.ascontiguousarray(c[:, n_numeric:] ** 2),
            )
            loss = gradient.error_gradient(
                problem.queries,
                training,
                squares,
                v,
                float(self.beta),
                by_row,
                by_numeric,
                by_category,
            )
            if loss < best:
                best, best_c, best_v = loss, c, v
            losses.append(loss)
            if len(losses) > 1 and abs(losses[-1] - losses[-2]) <= self.tolerance:
                break
            # The kernel derives by the logarithm: d/dw = (d/dlog w) / w.
            if self.weights != "prototype":
                c = np.maximum(c - step * np.hstack([by_numeric, by_category]) / c, _LEAST)
            if self.weights != "class":
                v = np.maximum(v - step * by_row / v, _LEAST)
        return step, losses, best_c, best_v

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        return {"history_": _history([]), "step_": 0.0}


def _history(losses: list[float]) -> pd.DataFrame:
    return pd.DataFrame(enumerate(losses), columns=list(_COLUMNS))
