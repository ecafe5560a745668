"""The readings of the algorithm, by name.

The paper leaves several points open, and its literal text has a flaw: an
archive of class weights that goes by the recall of that class alone drives
every class to small weights, and tops of archives that were never evaluated
together make a poor classifier. Every choice is therefore a parameter, and a
preset is a named set of choices.
"""

from typing import Any

import numpy as np

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {
        "archive_quality": "class_recall",
        "solution": "assembled",
        "weight_scale": "none",
        "ties": "include",
        "outlier": "prior",
        "missing": "max",
        "patience": 50,
    },
    "default": {
        "archive_quality": "class_f1",
        "solution": "best_candidate",
        "weight_scale": "sum_one",
        "ties": "include",
        "outlier": "prior",
        "missing": "max",
        "patience": 200,
    },
}
"""Values that parameters left at None take.

``"paper"`` is the literal text (Algorithm 1, Eq. 15, line 28). ``"default"``
is the reading with the best average rank among 18 that were compared inside
the training part of the first of ten folds of the paper's datasets, without
the rows of its test part; these rows are test rows of the other folds
(``python benchmarks/choose_default.py``, results in ``reports/presets``;
notebook 6, Section 6.4, measures what that means): the
archive of a class's weights goes by the F1 of that class, each class's
weights are scaled to sum to 1, and the best candidate that was evaluated as a
whole is returned.
"""

PARAMETER_RANGES: dict[str, tuple[float, float]] = {
    "knn": (1, 21),
    "dnn": (0.01, 1.0),
    "gke": (0.01, 0.5),
}
"""Range of k, radius and bandwidth in the search (Table 1)."""


def qualities(
    kind: str, hits: np.ndarray, claims: np.ndarray, sizes: np.ndarray
) -> tuple[float, np.ndarray]:
    """Accuracy of a candidate, and the quality of each class's weights.

    Parameters
    ----------
    kind : {"class_recall", "accuracy", "class_f1"}
        What an archive of class weights goes by. ``"class_recall"`` is Eq. 15.
    hits : ndarray of int64, shape (n_classes,)
        Rows of each class that are classified correctly.
    claims : ndarray of int64, shape (n_classes,)
        Rows that are classified as each class, rightly or wrongly.
    sizes : ndarray of int64, shape (n_classes,)
        Rows of each class.

    Returns
    -------
    accuracy : float
        Eq. 14.
    per_class : ndarray of float64, shape (n_classes,)
        Quality Q^l of the weights of each class. A class with one training
        row can never be right in leave-one-out and goes by accuracy.

    Examples
    --------
    >>> import numpy as np
    >>> hits, claims, sizes = np.array([2, 1]), np.array([3, 1]), np.array([2, 2])
    >>> accuracy, recall = qualities("class_recall", hits, claims, sizes)
    >>> accuracy, recall.tolist()
    (0.75, [1.0, 0.5])
    """
    accuracy = float(hits.sum() / sizes.sum())
    if kind == "accuracy":
        return accuracy, np.full(len(sizes), accuracy)
    if kind == "class_recall":
        scores = hits / np.maximum(sizes, 1)
    else:
        scores = 2 * hits / np.maximum(sizes + claims, 1)
    return accuracy, np.where(sizes <= 1, accuracy, scores)


def check_range(base: str, given: Any) -> tuple[float, float]:
    """Range of the key parameter.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}
        The lazy classifier.
    given : array-like of shape (2,) or None
        What the user gave; None: that of Table 1.

    Returns
    -------
    low, high : float
        Least and largest value.

    Raises
    ------
    ValueError
        If it is no range, or holds what the classifier does not allow.
    """
    if given is None:
        return PARAMETER_RANGES[base]
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    least = 1 if base == "knn" else 0
    if values.shape != (2,) or not np.isfinite(values).all():
        raise ValueError(f"parameter_range must be two finite numbers, got {given!r}")
    low, high = (float(value) for value in values)
    if low > high or low < least or (base == "gke" and low <= 0):
        raise ValueError(
            f"parameter_range must be (low, high) with low <= high and low "
            f"{'>' if base == 'gke' else '>='} {least}, got {given!r}"
        )
    return low, high
