"""Ants: each descends by its own reading of the rows, and answers with its weights."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from acoibl.encoding import EncodedData
from acoibl.kernels.measured import each_block
from acoibl.kernels.objective import Objective
from acoibl.memetic.committee import (
    MAX_NEIGHBOURS,
    Voters,
    log_loss,
    posteriors_by_neighbours,
    row_shares,
)
from acoibl.memetic.parametrisation import ClassDeviations
from acoibl.memetic.problem import MeasuredRows
from acoibl.memetic.search import Fitness, best_scale, descend

_POWERS = (2, 2, 1, 1)
_LOSSES = ("log_loss", "brier", "brier", "log_loss")
_VECTORS = ("shared", "class", "shared", "class")

_SCALE_QUERIES = 250
"""Rows by which the first bandwidth is chosen; what follows moves it."""

_JITTER = 0.3
"""Standard deviation of the log weights from which the twin of an earlier ant starts."""

_QUERIES_AT_ONCE = 2_000


@dataclass(frozen=True)
class Plan:
    """How an ant reads the rows.

    Parameters
    ----------
    p : {1, 2}
        Power of the differences.
    loss : {"log_loss", "brier", "margin"}
        What it minimises.
    vectors : {"shared", "class"}
        One vector of weights for all classes, or deviations of each class from it.
    twin : int
        Number of earlier ants with the same plan.
    """

    p: int
    loss: str
    vectors: str
    twin: int = 0


@dataclass(frozen=True)
class Settings:
    """What all ants share.

    Parameters
    ----------
    steps : int
        Steps of descent.
    spread, class_spread : float
        Standard deviations of the priors.
    members : tuple of {"gke", "knn", "weighted"}
        Who answers with the weights.
    shared : ndarray of float64, shape (n_features,)
        Log weights at the start.
    queries : ndarray of int64, shape (n_queries,)
        Training rows, sorted by class, by which weights are judged.
    """

    steps: int
    spread: float
    class_spread: float
    members: tuple[str, ...]
    shared: np.ndarray
    queries: np.ndarray


@dataclass(frozen=True)
class Ant:
    """An ant after its descent.

    Parameters
    ----------
    plan : Plan
        How it reads the rows.
    class_weights : ndarray of float64, shape (n_classes, n_features)
        Its weights; their scale is the bandwidth.
    log_scale : float
        The part of the logarithm of the weights that is the same for all.
    neighbours : dict
        Number of neighbours of the members "knn" and "weighted".
    loss : float
        Leave-one-out log loss of the mean posterior of its members, not calibrated.
    n_steps, n_gradients : int
        Steps taken, and evaluations of the gradient.
    """

    plan: Plan
    class_weights: np.ndarray
    log_scale: float
    neighbours: dict[str, int]
    loss: float
    n_steps: int
    n_gradients: int


def make_plans(n_ants: int, fitness: str, vectors: str, p: int | str) -> list[Plan]:
    """Plans that differ as much as the parameters allow.

    Parameters
    ----------
    n_ants : int
        Number of ants.
    fitness : {"mixed", "log_loss", "brier", "margin"}
        What they minimise; ``"mixed"``: log loss and Brier score.
    vectors : {"mixed", "shared", "class"}
        Shared vectors, deviations of classes, or both kinds.
    p : {1, 2, "both"}
        Power of the differences.

    Returns
    -------
    list of Plan
        One for each ant; of four, with everything mixed, any two values meet at most once.

    Examples
    --------
    >>> [(plan.p, plan.loss, plan.vectors) for plan in make_plans(2, "mixed", "mixed", "both")]
    [(2, 'log_loss', 'shared'), (2, 'brier', 'class')]
    """
    powers = itertools.cycle(_POWERS if p == "both" else [p])
    losses = itertools.cycle(_LOSSES if fitness == "mixed" else [fitness])
    kinds = itertools.cycle(_VECTORS if vectors == "mixed" else [vectors])
    plans: list[Plan] = []
    for _ in range(n_ants):
        power, loss, kind = next(powers), next(losses), next(kinds)
        same = [plan for plan in plans if (plan.p, plan.loss, plan.vectors) == (power, loss, kind)]
        plans.append(Plan(int(power), loss, kind, len(same)))
    return plans


def send(
    plan: Plan,
    rows: MeasuredRows,
    settings: Settings,
    noise: np.random.Generator,
    is_over: Callable[[], bool],
) -> tuple[Ant, np.ndarray]:
    """Let an ant descend.

    Parameters
    ----------
    plan : Plan
        Its plan.
    rows : MeasuredRows
        Training rows, measured with the power of the plan.
    settings : Settings
        What all ants share.
    noise : Generator
        Where twins start.
    is_over : callable
        Asked after every step; a true answer ends the descent.

    Returns
    -------
    ant : Ant
        The ant.
    posteriors : ndarray of float64, shape (n_queries, n_classes)
        What it says of `settings.queries`, leaving each out.
    """
    n, n_classes = len(rows.classes), len(rows.starts) - 1
    class_spread = settings.class_spread if plan.vectors == "class" else 0.0
    shape = ClassDeviations(n_classes, len(settings.shared), settings.spread, class_spread)
    few = settings.queries[evenly(len(settings.queries), _SCALE_QUERIES)]
    even = shape.weights(shape.start(0.0, settings.shared))
    guess = Objective(rows.left_out(few), rows.classes[few], loss=plan.loss)
    start = shape.start(best_scale(guess, even), settings.shared)
    if plan.twin:
        start[1:] += _JITTER * noise.standard_normal(len(start) - 1)

    distances, targets = rows.left_out(settings.queries), rows.classes[settings.queries]
    objective = Objective(distances, targets, loss=plan.loss)
    fitness = Fitness(objective, shape, n)
    path = descend(fitness.value_and_gradient, start, settings.steps, is_over)
    weights = shape.weights(path[-1])

    found = posteriors_by_neighbours(distances, weights, _voters(rows), settings.members)
    best = {member: int(np.argmin(log_loss(said, targets))) for member, said in found.items()}
    said = np.mean([found[member][best[member]] for member in settings.members], axis=0)
    ant = Ant(
        plan=plan,
        class_weights=weights,
        log_scale=float(path[-1][0]),
        neighbours={member: best[member] + 1 for member in settings.members if member != "gke"},
        loss=float(log_loss(said, targets)),
        n_steps=len(path) - 1,
        n_gradients=fitness.n_gradients,
    )
    return ant, said


def ask(ant: Ant, rows: MeasuredRows, data: EncodedData, members: tuple[str, ...]) -> np.ndarray:
    """Mean posterior of the members with the weights of an ant.

    Parameters
    ----------
    ant : Ant
        The ant.
    rows : MeasuredRows
        Training rows, measured with its power.
    data : EncodedData
        Queries.
    members : tuple of {"gke", "knn", "weighted"}
        Who answers.

    Returns
    -------
    ndarray of float64, shape (n_queries, n_classes)
        Shares that sum to 1.
    """
    out = np.zeros((len(data), len(rows.starts) - 1))
    voters = _voters(rows)
    for start in range(0, len(data), _QUERIES_AT_ONCE):
        part = slice(start, start + _QUERIES_AT_ONCE)
        distances = rows.asked(_part(data, part))
        found = posteriors_by_neighbours(distances, ant.class_weights, voters, members)
        for member, said in found.items():
            out[part] += said[ant.neighbours.get(member, 1) - 1]
    return out / len(members)


def show(
    ant: Ant, rows: MeasuredRows, data: EncodedData, members: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Which rows an ant's answer comes from.

    Parameters
    ----------
    ant, rows, data, members
        As for `ask`.

    Returns
    -------
    shares, distances : ndarray of float64, shape (n_queries, n_rows)
        What each row contributes to the mean posterior, and how far it is; in the order in which
        the rows were given.
    """
    shares, distances = (np.empty((len(data), len(rows.classes))) for _ in range(2))
    for queries, block in each_block(rows.asked(data), ant.class_weights):
        distances[queries] = block
        shares[queries] = row_shares(block, _voters(rows), ant.neighbours, members)
    back = np.argsort(rows.order)
    return shares[:, back], np.maximum(distances[:, back], 0.0)


def evenly(n: int, most: int) -> np.ndarray:
    """Positions of at most `most` of n things, evenly spaced.

    Parameters
    ----------
    n, most : int
        Numbers.

    Returns
    -------
    ndarray of int64, shape (min(n, most),)
        Ascending positions.

    Examples
    --------
    >>> evenly(10, 4).tolist()
    [0, 2, 5, 7]
    """
    m = min(n, most)
    return np.arange(m) * n // m


def _part(data: EncodedData, part: slice) -> EncodedData:
    return EncodedData(
        data.numeric[part], data.codes[part], data.numeric_features, data.categorical_features
    )


def _voters(rows: MeasuredRows) -> Voters:
    n = len(rows.classes)
    prior = np.diff(rows.starts) / n
    return Voters(rows.classes, rows.starts, prior, max(1, min(MAX_NEIGHBOURS, n - 2)))
