"""The rows, weights and rules that benchmarks share."""

from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from acoibl import MixedEncoder, kernels
from acoibl.datasets import load, read_table
from acoibl.datasets.errors import DatasetUnavailableError

RULES = {
    "knn": kernels.Rule(kernels.KNN, True, False, False),
    "dnn": kernels.Rule(kernels.DNN, True, False, False),
    "gke": kernels.Rule(kernels.GKE, True, False, False),
}
PARAMETERS = {"knn": 12, "dnn": 0.45, "gke": 0.4}
"""The best settings of the plain classifiers, as published."""

data_folder: Path | None = None
"""Where files of datasets lie that are not carried (``--data``)."""


def uniform(n: int, m: int, c: int, seed: int = 0) -> tuple[kernels.Training, np.ndarray]:
    """n rows of m uniform numeric features in c classes of about the same size."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, m))
    y = rng.permutation(np.arange(n) % c)
    return kernels.make_training(X, np.empty((n, 0), dtype=np.int32), y, c), X


def real(name: str, fold: bool = False) -> tuple[kernels.Training, np.ndarray] | None:
    """Rows of a dataset, all or the training part of the first of ten folds; None without it.

    The second item is the table as one block of floats, categories as their codes.
    """
    table = _table(name)
    if table is None:
        return None
    X, y = table
    codes = y.astype("category").cat.codes.to_numpy()
    if fold:
        rows = training_rows(codes)
        X, codes = X.iloc[rows], codes[rows]
    data = MixedEncoder().fit(X).encode(X)
    training = kernels.make_training(data.numeric, data.codes, codes, codes.max() + 1)
    return training, np.hstack([np.nan_to_num(data.numeric), data.codes]).astype(np.float64)


def training_rows(y: np.ndarray) -> np.ndarray:
    """Training part of the first of ten stratified folds, whatever the size of the classes."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # classes smaller than the number of folds
        return next(StratifiedKFold(10, shuffle=True, random_state=0).split(y, y))[0]


def candidates(
    training: kernels.Training, base: str, n: int = 8, seed: int = 1
) -> list[kernels.Weights]:
    """Random weights in [0, 1]; for d-NN and GKE each class's sum to 1, so that rows do vote."""
    n_numeric, n_features = len(training.numeric), len(training.numeric) + len(training.codes)
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(n):
        weights = rng.random((len(training.class_totals), n_features))
        if base != "knn":
            weights /= weights.sum(axis=1, keepdims=True)
        columns = np.arange(n_features)
        out.append(kernels.split_weights(weights, columns[:n_numeric], columns[n_numeric:]))
    return out


def evaluation(evaluator: kernels.Evaluator, training, base: str, n_threads: int = 1):
    """A call that evaluates the next of a few candidates each time."""
    weights, turn = candidates(training, base), 0

    def call():
        nonlocal turn
        turn += 1
        return evaluator.codes(weights[turn % len(weights)], [PARAMETERS[base]], n_threads)

    return call


def check_agreement(evaluators: dict[str, kernels.Evaluator], training, base: str) -> None:
    """Raise unless all kernels name the same classes: a fast wrong kernel wins nothing."""
    weights = candidates(training, base, 1)[0]
    answers = {
        name: evaluator.codes(weights, [PARAMETERS[base]]) for name, evaluator in evaluators.items()
    }
    reference = next(iter(answers.values()))
    for name, answer in answers.items():
        if not np.array_equal(answer, reference):
            raise AssertionError(f"kernel {name} disagrees for {base}")


def _table(name: str):
    if data_folder is not None and (file := data_folder / f"{name}.arff").is_file():
        return read_table(file)
    try:
        dataset = load(name, download=False)
    except DatasetUnavailableError:
        return None
    return dataset.X, dataset.y
