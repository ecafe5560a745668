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
        "archive_quality": "accuracy",
        "solution": "best_candidate",
        "weight_scale": "none",
        "ties": "include",
        "outlier": "prior",
        "missing": "max",
        "patience": 50,
    },
}
"""Values that parameters left at None take.

``"paper"`` is the literal text (Algorithm 1, Eq. 15, line 28). ``"default"``
judges every archive by the accuracy of the whole candidate and returns the
best candidate that was evaluated as a whole.
"""

PARAMETER_RANGES: dict[str, tuple[float, float]] = {
    "knn": (1, 21),
    "dnn": (0.01, 1.0),
    "gke": (0.01, 0.5),
}
"""Range of k, radius and bandwidth in the search (Table 1)."""


def qualities(
    kind: str, predicted: np.ndarray, actual: np.ndarray, n_classes: int
) -> tuple[float, np.ndarray]:
    """Accuracy of a candidate, and the quality of each class's weights.

    Parameters
    ----------
    kind : {"class_recall", "accuracy", "class_f1"}
        What an archive of class weights goes by. ``"class_recall"`` is Eq. 15.
    predicted, actual : ndarray of int64, shape (n_rows,)
        Class codes.
    n_classes : int
        Number of classes.

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
    >>> accuracy, recall = qualities(
    ...     "class_recall", np.array([0, 0, 1, 0]), np.array([0, 0, 1, 1]), 2)
    >>> accuracy, recall.tolist()
    (0.75, [1.0, 0.5])
    """
    right = predicted == actual
    accuracy = float(np.count_nonzero(right)) / len(actual)
    if kind == "accuracy":
        return accuracy, np.full(n_classes, accuracy)
    hits = np.bincount(actual[right], minlength=n_classes)
    sizes = np.bincount(actual, minlength=n_classes)
    if kind == "class_recall":
        scores = hits / np.maximum(sizes, 1)
    else:
        claimed = np.bincount(predicted, minlength=n_classes)
        scores = 2 * hits / np.maximum(sizes + claimed, 1)
    return accuracy, np.where(sizes <= 1, accuracy, scores)
