"""What a run found on the test part, as one stored result: scores and predictions.

Every algorithm of every experiment makes its results with `outcome`, so that a table can compare
any two of them by any score, and each test row can be looked at later.
"""

import string
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from acoibl.experiments.algorithm import Split

SCORES = ("accuracy", "balanced_accuracy", "log_loss", "brier", "calibration_error")
"""Scores of the test part, in the order of the columns of a table of results."""

_LETTERS = string.digits + string.ascii_letters
_BINS = 10


def outcome(
    split: Split, predicted: Any, probabilities: Any = None, classes: Any = None
) -> dict[str, Any]:
    """Score predictions of the test part, and keep them.

    Parameters
    ----------
    split : Split
        Training and test part.
    predicted : array-like, shape (n_test,)
        Predicted class of each test row.
    probabilities : array-like, shape (n_test, n_columns), optional
        Probability of each class; rows sum to 1.
    classes : array-like, shape (n_columns,), optional
        Class of each column of `probabilities`, such as the `classes_` of a classifier; all
        classes of the dataset, sorted, by default. A class without a column has probability 0.

    Returns
    -------
    dict
        ``accuracy``; ``balanced_accuracy``, the mean recall over the classes of the test part;
        ``log_loss``, in nats, probabilities clipped as scikit-learn does; ``brier``, the sum over
        the classes of squared errors of the probabilities, averaged over rows (Brier 1950: 0 is
        best, 2 worst); ``calibration_error``, see `calibration_error`; NaN for the last three
        without probabilities. Of a fold also ``predictions``: see `encode_predictions`.

    Raises
    ------
    ValueError
        If a predicted class is none of the dataset's, or shapes do not fit.

    References
    ----------
    Brier (1950), "Verification of forecasts expressed in terms of probability", Monthly Weather
    Review 78.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from acoibl.experiments import Split
    >>> X, y = pd.DataFrame({"x": [0.0, 1.0]}), pd.Series(["a", "b"], dtype="category")
    >>> split = Split(X, y, np.arange(2), np.arange(2), np.random.SeedSequence(0))
    >>> found = outcome(split, ["a", "a"], [[0.75, 0.25], [0.5, 0.5]])
    >>> found["accuracy"], round(found["log_loss"], 3), found["brier"], found["predictions"]
    (0.5, 0.49, 0.3125, '00')
    """
    labels = class_labels(split.y_train, split.y_test)
    actual, guess = _codes(split.y_test, labels), _codes(predicted, labels)
    if len(guess) != len(actual):
        raise ValueError(f"{len(guess)} predictions for {len(actual)} test rows")
    right = actual == guess
    recalls = [float(right[actual == code].mean()) for code in np.unique(actual)]
    found = {
        "accuracy": float(right.mean()),
        "balanced_accuracy": float(np.mean(recalls)),
        **dict.fromkeys(SCORES[2:], float("nan")),
    }
    if probabilities is not None:
        shares = _spread(probabilities, labels if classes is None else classes, labels)
        if len(shares) != len(actual):
            raise ValueError(f"probabilities of {len(shares)} rows for {len(actual)} test rows")
        truth = np.eye(len(labels))[actual]
        found |= {
            "log_loss": float(log_loss(actual, shares, labels=np.arange(len(labels)))),
            "brier": float(((shares - truth) ** 2).sum(axis=1).mean()),
            "calibration_error": calibration_error(right, shares.max(axis=1)),
        }
        # Eight digits: more would only fill the store.
        found |= {name: round(found[name], 8) for name in SCORES[2:]}
    # Of other rows than the fold's nobody could say which they are.
    return {**found, "predictions": _text(guess)} if split.is_fold else found


def calibration_error(right: Any, confidence: Any) -> float:
    """Expected calibration error of the predicted class.

    The rows are put into ten bins of equal width by their confidence, (0, 0.1], (0.1, 0.2], ...;
    the error is the distance between the share of right answers and the mean confidence of a
    bin, averaged over the bins by their number of rows.

    Parameters
    ----------
    right : array-like of bool, shape (n_rows,)
        Whether the predicted class is right.
    confidence : array-like of float, shape (n_rows,)
        Probability of the predicted class.

    Returns
    -------
    float
        Between 0 (what is said with 80 % is right in 80 %) and 1.

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), "Obtaining well calibrated probabilities using Bayesian
    binning", AAAI; Guo, Pleiss, Sun and Weinberger (2017), "On calibration of modern neural
    networks", ICML, Eq. 3.

    Examples
    --------
    >>> round(calibration_error([True, True, False, False], [0.95, 0.95, 0.75, 0.55]), 3)
    0.35
    """
    right, confidence = np.asarray(right, dtype=float), np.asarray(confidence, dtype=float)
    # Six digits: the last bits of a share such as 0.3 must not decide its bin.
    bins = np.clip(np.ceil(np.round(confidence, 6) * _BINS).astype(int) - 1, 0, _BINS - 1)
    gaps = np.bincount(bins, right - confidence, minlength=_BINS)
    return float(np.abs(gaps).sum() / len(right))


def class_labels(*parts: pd.Series) -> list[Any]:
    """Classes of a dataset, sorted, whether or not they occur in these parts of it.

    Of a category column its categories, whose order is that of `acoibl.datasets.load`.
    """
    if isinstance(parts[0].dtype, pd.CategoricalDtype):
        return parts[0].cat.categories.tolist()
    return sorted({value for part in parts for value in np.asarray(part).tolist()})


def encode_predictions(predicted: Any, labels: Sequence[Any]) -> str:
    """Write predicted classes as one character a row, their position in `labels`.

    ``0`` to ``9``, then ``a`` to ``z`` for 10 to 35 and ``A`` to ``Z`` for 36 to 61; beyond that
    the character of code 256 plus position.
    """
    return _text(_codes(predicted, labels))


def decode_predictions(text: str, labels: Sequence[Any]) -> np.ndarray:
    """Read predictions that `encode_predictions` wrote.

    Parameters
    ----------
    text : str
        One character a row.
    labels : sequence
        All classes, sorted.

    Returns
    -------
    ndarray of object, shape (n_rows,)
        Classes.

    Examples
    --------
    >>> decode_predictions("010", ["no", "yes"]).tolist()
    ['no', 'yes', 'no']
    """
    position = {letter: code for code, letter in enumerate(_LETTERS)}
    codes = [position.get(letter, ord(letter) - 256) for letter in text]
    return np.array(labels, dtype=object)[codes]


def share_right(predicted: Any, actual: Any) -> float:
    """Accuracy, as for ``train_accuracy``: that of the training part."""
    return float((np.asarray(predicted) == np.asarray(actual)).mean())


class Clock:
    """Measures what a result reports as its time."""

    def __init__(self):
        self._begun = time.perf_counter(), time.process_time()

    def read(self, share: int = 1) -> dict[str, float]:
        """Time since the clock was made.

        Parameters
        ----------
        share : int, default=1
            Number of results that share the time equally.

        Returns
        -------
        dict
            ``seconds`` (of the wall) and ``cpu_seconds`` (of all threads of this process).
        """
        now = time.perf_counter(), time.process_time()
        spent = (
            round((end - begin) / share, 6) for begin, end in zip(self._begun, now, strict=True)
        )
        return dict(zip(("seconds", "cpu_seconds"), spent, strict=True))


def _codes(values: Any, labels: Sequence[Any]) -> np.ndarray:
    position = {label: code for code, label in enumerate(labels)}
    try:
        return np.array([position[value] for value in np.asarray(values).tolist()], dtype=np.int64)
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is no class of the dataset: {labels}") from None


def _text(codes: np.ndarray) -> str:
    return "".join(
        _LETTERS[code] if code < len(_LETTERS) else chr(256 + code) for code in codes.tolist()
    )


def _spread(probabilities: Any, columns: Any, labels: Sequence[Any]) -> np.ndarray:
    """Probabilities with one column for each class of the dataset; rows sum to 1."""
    given = np.asarray(probabilities, dtype=np.float64)
    places = _codes(columns, labels)
    if given.ndim != 2 or given.shape[1] != len(places):
        raise ValueError(f"probabilities of shape {given.shape} for {len(places)} classes")
    shares = np.zeros((len(given), len(labels)))
    shares[:, places] = given
    return shares / shares.sum(axis=1, keepdims=True)
