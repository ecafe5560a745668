"""The multi-archive search (Algorithm 1).

|C| + 1 archives: one of values of the key parameter, one of weight vectors
for each class. An ant samples from each archive independently; the whole
candidate is evaluated once; every part enters its own archive by its own
quality. One more archive keeps whole candidates as they were evaluated; it
guides nobody.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from acoibl.acor import Archive, round_half_away

Floors = tuple[float, np.ndarray]
Evaluate = Callable[[float, np.ndarray, Floors | None], Floors | None]


@dataclass
class SearchResult:
    """What a search leaves behind.

    Parameters
    ----------
    parameters : Archive
        A_0: values of the key parameter, by accuracy.
    class_weights : list of Archive
        A_1 ... A_C: weight vectors of each class, by their own quality.
    candidates : Archive
        Whole candidates (parameter, then the weights class by class), by accuracy.
    n_iter, n_evaluations : int
        Iterations and evaluations made.
    history : list of dict
        State of A_0 after the initial archive and after each iteration.
    stopped : str
        Why the search ended.

    A search that its time limit ends early may leave places of the archives empty: they are the
    last ones, and their quality is -inf.
    """

    parameters: Archive
    class_weights: list[Archive]
    candidates: Archive
    n_iter: int = 0
    n_evaluations: int = 0
    history: list[dict] = field(default_factory=list)
    stopped: str = ""

    @property
    def n_filled(self) -> int:
        """Places of each archive that hold a solution."""
        return min(self.n_evaluations, len(self.parameters.qualities))

    def member(self, rank: int, solution: str) -> tuple[float, np.ndarray]:
        """Classifier of one rank.

        Parameters
        ----------
        rank : int
            Rank from 0, best first.
        solution : {"assembled", "best_candidate"}
            The entries of that rank in every archive put together (line 28),
            or the whole candidate of that rank.

        Returns
        -------
        parameter : float
            Value of the key parameter as it stands in the archive (not rounded).
        weights : ndarray of float64, shape (n_classes, n_features)
            Class-based feature weights, not scaled.
        """
        n_classes = len(self.class_weights)
        if solution == "assembled":
            weights = np.stack([archive.solutions[rank] for archive in self.class_weights])
            return float(self.parameters.solutions[rank, 0]), weights
        whole = self.candidates.solutions[rank]
        return float(whole[0]), whole[1:].reshape(n_classes, -1).copy()

    def accuracy_of(self, parameter: float, weights: np.ndarray) -> float | None:
        """Accuracy of a candidate, if it is one of the best that were evaluated as a whole."""
        whole = np.concatenate([[parameter], weights.ravel()])
        known = (self.candidates.solutions[: self.n_filled] == whole).all(axis=1)
        return float(self.candidates.qualities[known.argmax()]) if known.any() else None

    def record(self) -> None:
        """Add the present state of A_0 to the history."""
        accuracies = self.parameters.qualities[: self.n_filled]
        self.history.append(
            {
                "iteration": self.n_iter,
                "n_evaluations": self.n_evaluations,
                "best_accuracy": accuracies[0],
                "mean_accuracy": accuracies.mean(),
                "worst_accuracy": accuracies[-1],
                "best_parameter": self.parameters.solutions[0, 0],
            }
        )


@dataclass(frozen=True)
class SearchSettings:
    """Parameters of the search (Table 1).

    Parameters
    ----------
    archive_size : int
        R.
    n_ants : int
        m, candidates per iteration.
    q, xi : float
        Locality of the guide, width of the samples.
    max_iter : int
        t_max.
    patience : int
        I_max: iterations without a better best accuracy in A_0.
    end : float
        When, by `time.monotonic`, no further evaluation begins; the first one always does.
    """

    archive_size: int = 25
    n_ants: int = 1
    q: float = 0.25
    xi: float = 0.85
    max_iter: int = 10_000
    patience: int = 50
    end: float = np.inf


def search(
    evaluate: Evaluate,
    n_classes: int,
    n_features: int,
    parameter_range: tuple[float, float],
    settings: SearchSettings,
    rng: np.random.Generator,
    callback: Callable[[dict], object] | None = None,
) -> SearchResult:
    """Search the key parameter and the class-based feature weights.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(parameter, weights, floors) -> (accuracy, quality per class)``
        with weights of shape (n_classes, n_features) in [0, 1]. It may return
        None if it sees that neither exceeds its floor (also a pair; None while
        the archives are not filled).
    n_classes, n_features : int
        Shape of the weights.
    parameter_range : tuple of float
        Smallest and largest value of the key parameter.
    settings : SearchSettings
        Sizes and limits.
    rng : numpy.random.Generator
        The only source of randomness.
    callback : callable, optional
        Called with the last line of the history after every iteration; a true
        value ends the search.

    Returns
    -------
    SearchResult
        The archives, and how they came about.
    """
    size = settings.archive_size
    low, high = parameter_range

    def archive(lower: np.ndarray, upper: np.ndarray) -> Archive:
        return Archive(size, lower, upper, q=settings.q, xi=settings.xi)

    zeros, ones = np.zeros(n_features), np.ones(n_features)
    whole_lower = np.concatenate([[low], np.tile(zeros, n_classes)])
    whole_upper = np.concatenate([[high], np.tile(ones, n_classes)])
    result = SearchResult(
        parameters=archive(np.array([low]), np.array([high])),
        class_weights=[archive(zeros, ones) for _ in range(n_classes)],
        candidates=archive(whole_lower, whole_upper),
    )
    _initialise(result, evaluate, rng, settings.end)
    result.record()
    stale = 0
    result.stopped = "max_iter"
    for iteration in range(1, settings.max_iter + 1):
        if time.monotonic() >= settings.end:
            result.stopped = "time_limit"
            break
        best = result.parameters.qualities[0]
        ants = [_sample(result, rng) for _ in range(settings.n_ants)]
        for ant, (parameter, weights) in enumerate(ants):
            if ant and time.monotonic() >= settings.end:
                break
            result.n_evaluations += 1
            measured = evaluate(float(parameter[0]), weights, _floors(result))
            if measured is not None:
                _insert(result, parameter, weights, *measured)
        result.n_iter = iteration
        result.record()
        stale = 0 if result.parameters.qualities[0] > best else stale + 1
        if callback is not None and callback(result.history[-1]):
            result.stopped = "callback"
            break
        if stale >= settings.patience:
            result.stopped = "patience"
            break
    return result


def round_neighbours(parameter: float, n_rows: int) -> int:
    """Number of neighbours meant by a real k (ACO_MV-o).

    Parameters
    ----------
    parameter : float
        Value from the archive.
    n_rows : int
        Number of training rows n.

    Returns
    -------
    int
        Nearest integer, half away from zero, within [1, n - 1].
    """
    return int(np.clip(round_half_away(parameter), 1, max(1, n_rows - 1)))


def history_table(result: SearchResult) -> pd.DataFrame:
    """History of a search as a table.

    Parameters
    ----------
    result : SearchResult
        A finished search.

    Returns
    -------
    DataFrame
        One line for the initial archive (iteration 0) and one per iteration.
    """
    return pd.DataFrame(result.history)


def _initialise(
    result: SearchResult, evaluate: Evaluate, rng: np.random.Generator, end: float
) -> None:
    """Fill the archives with random candidates, as many as there is time for."""
    parameters, weights, accuracies, by_class = [], [], [], []
    for _ in result.parameters.qualities:
        if parameters and time.monotonic() >= end:
            break
        parameters.append(result.parameters.draw_uniform(rng))
        weights.append(np.stack([a.draw_uniform(rng) for a in result.class_weights]))
        accuracy, class_qualities = evaluate(float(parameters[-1][0]), weights[-1], None)
        accuracies.append(accuracy)
        by_class.append(class_qualities)
    result.n_evaluations = len(parameters)
    _fill(result.parameters, parameters, accuracies)
    for label, archive in enumerate(result.class_weights):
        _fill(archive, [w[label] for w in weights], [quality[label] for quality in by_class])
    whole = [np.concatenate([p, w.ravel()]) for p, w in zip(parameters, weights, strict=True)]
    _fill(result.candidates, whole, accuracies)


def _fill(archive: Archive, solutions: list[np.ndarray], qualities: list[float]) -> None:
    """Fill the first places of an archive."""
    rest = len(archive.qualities) - len(solutions)
    archive.fill(
        np.concatenate([solutions, archive.solutions[:rest]]),
        np.concatenate([qualities, np.full(rest, -np.inf)]),
    )


def _sample(result: SearchResult, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    parameter = result.parameters.sample(rng)
    weights = np.stack([archive.sample(rng) for archive in result.class_weights])
    return parameter, weights


def _floors(result: SearchResult) -> Floors:
    """Qualities that a candidate must exceed to enter any archive."""
    by_class = np.array([archive.qualities[-1] for archive in result.class_weights])
    return result.parameters.qualities[-1], by_class


def _insert(
    result: SearchResult,
    parameter: np.ndarray,
    weights: np.ndarray,
    accuracy: float,
    class_qualities: np.ndarray,
) -> None:
    result.parameters.insert(parameter, accuracy)
    for archive, vector, quality in zip(
        result.class_weights, weights, class_qualities, strict=True
    ):
        archive.insert(vector, float(quality))
    result.candidates.insert(np.concatenate([parameter, weights.ravel()]), accuracy)
