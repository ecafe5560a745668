"""Time limits hold from the first evaluation on. The clock here counts evaluations."""

from types import SimpleNamespace

import numpy as np
import pytest

from acoibl import ACOIBLClassifier
from acoibl.antfs import AntFeatureSelector
from acoibl.antfs.colony import Colony
from acoibl.coevolution import (
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
    WeakFitWarning,
)
from acoibl.coevolution.comparators import GOCBRClassifier, SSMAClassifier, TabuSearchClassifier
from acoibl.coevolution.comparators.ssma import _Search
from acoibl.coevolution.comparators.tabu import _Judge
from acoibl.coevolution.fitness import NearestNeighbourFitness
from acoibl.colony.evaluation import LeaveOneOut

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{WeakFitWarning.__module__}.{WeakFitWarning.__name__}"
)


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by 1 with every evaluation of a candidate."""
    state = SimpleNamespace(now=0)
    fake = SimpleNamespace(monotonic=lambda: state.now)
    for module in ("colony.search", "colony.classifier", "coevolution.populations"):
        monkeypatch.setattr(f"acoibl.{module}.time", fake)
    monkeypatch.setattr("acoibl.antfs.stopping.time", fake)

    def count(owner, name, n=lambda *given: 1):
        method = getattr(owner, name)

        def counted(self, *given, **more):
            state.now += n(*given)
            return method(self, *given, **more)

        monkeypatch.setattr(owner, name, counted)

    count(LeaveOneOut, "__call__")
    for part in ("selections", "features", "classes"):
        count(NearestNeighbourFitness, part, lambda genes, *known: len(genes))
    count(_Search, "_evaluate")
    count(GOCBRClassifier, "_accuracy")
    count(_Judge, "__call__", lambda weights, *trials: len(trials[0]) if trials else 1)
    count(Colony, "_walk")
    return state


def rows(n=60):
    rng = np.random.default_rng(0)
    X = rng.random((n, 4))
    return X, (X[:, 0] + 0.3 * rng.random(n) > 0.6).astype(int)


@pytest.mark.parametrize("solution", ["assembled", "best_candidate"])
@pytest.mark.parametrize("limit", [1, 7, 24])
def test_the_colony_stops_among_its_first_candidates(clock, limit, solution):
    X, y = rows()
    clf = ACOIBLClassifier(time_limit=limit, solution=solution, random_state=0).fit(X, y)
    assert (clf.stopped_, clf.n_iter_, clf.n_evaluations_) == ("time_limit", 0, limit)
    # The parts of different candidates, put together, cost one more.
    assert clock.now - limit <= (solution == "assembled" and limit > 1)
    assert len(clf.members_) == limit
    assert clf.predict_members(X).shape == (limit, 60)
    for archive in [*clf.archives_, clf.candidates_]:
        assert np.isfinite(archive.qualities).sum() == limit
        assert (np.diff(archive.qualities[:limit]) <= 0).all()
    assert np.isfinite(clf.history_.to_numpy()).all()
    # The same candidates as those with which a search without limit begins.
    endless = ACOIBLClassifier(archive_size=max(limit, 2), max_iter=1, random_state=0).fit(X, y)
    if limit > 1:
        first = endless.history_.iloc[0]
        assert clf.history_.iloc[0].to_dict() == first.to_dict()
    assert set(clf.predict(X)) <= {0, 1}


def test_a_limit_of_no_time_leaves_one_candidate(clock):
    X, y = rows()
    clf = ACOIBLClassifier(time_limit=1e-9, random_state=0).fit(X, y)
    assert (clf.n_evaluations_, len(clf.members_), clock.now) == (1, 1, 1)
    assert clf.loo_accuracy_ == clf.candidates_.qualities[0]


def test_the_colony_stops_between_ants(clock):
    X, y = rows()
    clf = ACOIBLClassifier(archive_size=5, n_ants=10, time_limit=18, random_state=0).fit(X, y)
    assert (clf.stopped_, clf.n_iter_, clf.n_evaluations_) == ("time_limit", 2, 18)
    assert len(clf.members_) == 5


@pytest.mark.parametrize("preset", ["paper", "keel"])
@pytest.mark.parametrize("limit", [1e-9, 20, 55])
def test_ciw_nn_stops_among_its_first_individuals(clock, preset, limit):
    X, y = rows()
    clf = CIWNNClassifier(preset=preset, time_limit=limit, random_state=0).fit(X, y)
    assert (clf.stopped_, clf.n_cycles_) == ("time_limit", 0)
    # Weights are judged 8 at once, and each of the three populations has some; then the accuracy.
    assert clock.now <= max(limit, 1) + 8 + 8 + 1
    assert 0 < clf.n_evaluations_ <= clock.now or preset == "keel"
    assert np.isfinite(list(clf.best_fitness_.values())).all()
    assert clf.predict(X).shape == (60,)


def test_ciw_nn_stops_within_a_cycle(clock):
    X, y = rows()
    clf = CIWNNClassifier(time_limit=170, random_state=0).fit(X, y)
    assert (clf.stopped_, clf.n_cycles_) == ("time_limit", 1)
    assert 150 < clf.n_evaluations_ < 190


@pytest.mark.parametrize(
    ("estimator", "at_once"),
    [
        (CHCSelector, 1),
        (SSGAFeatureWeighter, 8),
        (SSGAClassWeighter, 8),
        (SSMAClassifier, 1),
        (GOCBRClassifier, 1),
        (TabuSearchClassifier, 2),
    ],
)
def test_searches_stop_among_their_first_individuals(clock, estimator, at_once):
    X, y = rows()
    clf = estimator(time_limit=10, random_state=0).fit(X, y)
    assert clf.stopped_ == "time_limit"
    assert clock.now <= 10 + 3 * at_once
    assert 0 < clf.n_evaluations_ <= clock.now
    assert clf.score(X, y) > 0


def test_ants_stop_one_by_one(clock):
    X, y = rows()
    ants = AntFeatureSelector(3, n_ants=4, time_limit=3, random_state=0).fit(X, y)
    assert (ants.stopped_, len(ants.history_)) == ("time_limit", 2)  # a line a group
    assert clock.now == 4  # three of the first group, and one of the other
    assert ants.support_.any()
