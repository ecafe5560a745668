"""The comparators as classifiers: what they learn, seeds, mixed and degenerate data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from acoibl import KNNClassifier
from acoibl.prototypes import (
    GOCBRClassifier,
    GradientWeightsClassifier,
    MutualInformationClassifier,
    ReliefFClassifier,
    SSMAClassifier,
    TabuSearchClassifier,
    WDNNClassifier,
)

ALL = {
    "ssma": SSMAClassifier(max_evaluations=400, random_state=0),
    "wdnn": WDNNClassifier(),
    "cw": GradientWeightsClassifier("class"),
    "pw": GradientWeightsClassifier("prototype"),
    "cpw": GradientWeightsClassifier(),
    "relieff": ReliefFClassifier(),
    "mi": MutualInformationClassifier(random_state=0),
    "tabu": TabuSearchClassifier(max_evaluations=400, random_state=0),
    "gocbr": GOCBRClassifier(max_evaluations=600, population_size=30, random_state=0),
}
WEIGHS_FEATURES = ["cw", "cpw", "relieff", "mi", "tabu", "gocbr"]
SELECTS_ROWS = ["ssma", "wdnn", "gocbr"]
STOCHASTIC = ["ssma", "tabu", "gocbr"]

every = pytest.mark.parametrize("name", ALL)


def two_classes(n=80, n_noise=5, seed=0):
    """One feature that tells the classes apart, and noise that hides it."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = np.column_stack([y + rng.normal(0, 0.2, n), rng.random((n, n_noise))])
    return X, y


def mixed(n=90, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.random(n)
    size[rng.random(n) < 0.2] = np.nan
    hue = pd.Series(rng.choice(["red", "green", "blue"], n)).where(rng.random(n) > 0.1)
    X = pd.DataFrame({"hue": hue.astype("category"), "size": size, "noise": rng.random(n)})
    y = np.where(hue == "red", "warm", np.where(np.nan_to_num(size) > 0.5, "large", "other"))
    return X, y


def attributes(fitted):
    return {
        name: value
        for name, value in vars(fitted).items()
        if name.endswith("_") and not name.startswith("_")
    }


def assert_finite(fitted):
    assert np.isfinite(fitted.class_weights_.to_numpy()).all()
    assert (fitted.class_weights_.to_numpy() >= 0).all()
    assert np.isfinite(fitted.multipliers_).all()
    assert (fitted.multipliers_ > 0).all()
    assert 0 <= fitted.loo_accuracy_ <= 1
    assert 0 <= fitted.reduction_ < 1
    assert len(fitted.sample_indices_) == len(set(fitted.sample_indices_.tolist())) > 0


@pytest.mark.parametrize("name", WEIGHS_FEATURES)
def test_noise_weighs_little(name):
    X, y = two_classes()
    fitted = clone(ALL[name]).fit(X, y)
    weights = fitted.class_weights_.to_numpy()
    assert (weights[:, 0] > 2 * weights[:, 1:].mean(axis=1)).all()
    plain = KNNClassifier(1, ties="strict").fit(X, y)
    X_new, y_new = two_classes(200, seed=1)
    assert fitted.score(X_new, y_new) > plain.score(X_new, y_new)


@pytest.mark.parametrize("name", SELECTS_ROWS)
def test_a_mislabelled_row_is_dropped(name):
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(0, 0.3, (30, 2)), rng.normal(2, 0.3, (30, 2))])
    y = np.repeat([0, 1], 30)
    y[7] = 1
    fitted = clone(ALL[name]).fit(X, y)
    assert 7 not in fitted.sample_indices_
    assert fitted.predict(X)[7] == 0
    assert fitted.reduction_ > 0.3


@pytest.mark.parametrize("kind", ["prototype", "class_and_prototype"])
def test_a_mislabelled_row_is_pushed_away(kind):
    rng = np.random.default_rng(3)
    X = rng.normal(0, 0.3, (40, 2))
    X[:10] += 3
    y = np.repeat([1, 0], [10, 30])
    y[20] = 1
    fitted = GradientWeightsClassifier(kind).fit(X, y)
    assert fitted.multipliers_.argmax() == 20
    assert fitted.history_["loss"].min() < fitted.history_["loss"].iloc[0]


@pytest.mark.parametrize("name", ["ssma", "tabu", "gocbr", "wdnn"])
def test_what_the_search_says_is_what_the_classifier_does(name):
    X, y = mixed()
    fitted = clone(ALL[name]).fit(X, y)
    last = fitted.history_.iloc[-1]
    claimed = {"tabu": "best", "gocbr": "best"}.get(name, "accuracy")
    assert last[claimed] == pytest.approx(fitted.loo_accuracy_)
    if "n_evaluations_" in vars(fitted):
        limit = fitted.max_evaluations
        assert limit <= fitted.n_evaluations_ <= limit + (1 if name == "ssma" else 0)
    climbing = {"wdnn": "accuracy"}.get(name, "best")
    assert fitted.history_[climbing].is_monotonic_increasing
    if name == "ssma":
        assert last["reduction"] == pytest.approx(fitted.reduction_)
        assert last["best"] == pytest.approx(0.5 * (last["accuracy"] + last["reduction"]))


@every
def test_loo_accuracy_is_that_of_a_full_repetition(name):
    """Each row, predicted by the fitted rule without itself as a prototype."""
    X, y = mixed(50)
    fitted = clone(ALL[name]).fit(X, y)
    right = 0
    for i in range(len(X)):
        rows = fitted.kneighbors(X.iloc[[i]], min(2, len(fitted.sample_indices_)), False)[0]
        others = rows[rows != i]
        right += len(others) > 0 and y[others[0]] == y[i]
    assert fitted.loo_accuracy_ == pytest.approx(right / len(X))


def squeezed(kind):
    """Rows of which one, or a long tail, squeezes the others together."""
    rng = np.random.default_rng(0)
    X = rng.random((60, 4))
    y = (X[:, 1] + 0.2 * rng.normal(size=60) > 0.5).astype(int)
    if kind == "long tail":
        return np.exp(3 * rng.normal(size=X.shape)) * X, y
    X[0] = kind
    return X, y


@pytest.mark.parametrize("kind", [1.0, 1e4, 1e5, 1e8, "long tail"])
@pytest.mark.parametrize("name", STOCHASTIC)
def test_the_search_and_its_result_see_the_same_neighbours(name, kind):
    """Also where all squared distances but a few are below any fixed tolerance."""
    X, y = squeezed(kind)
    fitted = clone(ALL[name]).fit(X, y)
    claimed = fitted.history_["accuracy" if name == "ssma" else "best"].iloc[-1]
    assert fitted.loo_accuracy_ == pytest.approx(claimed)
    if kind != "long tail":
        near = clone(ALL[name]).fit(*squeezed(1.0))
        assert abs(fitted.loo_accuracy_ - near.loo_accuracy_) < 0.1


@pytest.mark.parametrize("kind", [1.0, 1e4, 1e6, "long tail"])
def test_neighbours_ascend_and_begin_with_the_nearest(kind):
    X, y = squeezed(kind)
    fitted = ReliefFClassifier(5).fit(X, y)
    queries = np.concatenate([X, X + 0.01])
    distances, rows = fitted.kneighbors(queries, 20)
    assert (np.diff(distances, axis=1) >= 0).all()
    assert (rows[:60, 0] == np.arange(60)).all()
    assert (distances[:60, 0] == 0).all()
    for k in (1, 2, 7):
        fewer, same = fitted.kneighbors(queries, k)
        assert (same == rows[:, :k]).all()
        assert (fewer == distances[:, :k]).all()
    if kind != "long tail":
        near = ReliefFClassifier(5).fit(*squeezed(1.0))
        assert abs(fitted.loo_accuracy_ - near.loo_accuracy_) < 0.1


def test_equal_neighbours_come_in_the_order_of_the_rows():
    """The same three differences in another order: their squares add up otherwise, but equal."""
    parts = np.array([[0.3, 0.5, 0.7], [0.7, 0.5, 0.3], [0.5, 0.7, 0.3]])
    assert len({a * a + b * b + c * c for a, b, c in parts.tolist()}) > 1
    X = np.concatenate([np.ones((1, 3)), parts, np.zeros((1, 3))])
    fitted = SSMAClassifier(max_evaluations=1).fit(X, np.zeros(5))
    distances, rows = fitted.kneighbors(np.zeros((1, 3)), 5)
    assert rows.tolist() == [[4, 1, 2, 3, 0]]
    assert (np.diff(distances) >= 0).all()


@every
def test_same_seed_same_result(name):
    X, y = mixed()
    first, second = (clone(ALL[name]).fit(X, y) for _ in range(2))
    for key, value in attributes(first).items():
        other = attributes(second)[key]
        if isinstance(value, pd.DataFrame | pd.Series):
            assert value.equals(other), key
        else:
            assert np.array_equal(value, other), key


@pytest.mark.parametrize("name", STOCHASTIC)
def test_seeds(name):
    X, y = mixed()
    seed = np.random.SeedSequence(5)
    first = clone(ALL[name]).set_params(random_state=seed).fit(X, y)
    again = clone(ALL[name]).set_params(random_state=seed).fit(X, y)
    other = clone(ALL[name]).set_params(random_state=6).fit(X, y)
    assert first.history_.equals(again.history_)
    assert not first.history_.equals(other.history_)


@pytest.mark.parametrize("name", STOCHASTIC)
def test_a_search_can_be_stopped(name):
    X, y = mixed()
    lines = []

    def stop_at_third(line):
        lines.append(line)
        return len(lines) == 3

    fitted = clone(ALL[name]).set_params(callback=stop_at_third).fit(X, y)
    assert fitted.stopped_ == "callback"
    assert len(fitted.history_) == 4  # the start, and three steps
    assert lines[-1] == fitted.history_.iloc[-1].to_dict()
    fitted.set_params(callback=None, time_limit=1e-9).fit(X, y)
    assert fitted.stopped_ == "time_limit"
    assert len(fitted.history_) == 1
    assert clone(ALL[name]).fit(X, y).stopped_ == "max_evaluations"


@pytest.mark.parametrize("budget", [1, 2, 3, 40, 600])
def test_ssma_spends_less_than_one_evaluation_more(budget):
    X, y = two_classes()
    fitted = SSMAClassifier(max_evaluations=budget, random_state=0).fit(X, y)
    assert max(budget, 2) <= fitted.n_evaluations_ < max(budget, 2) + 1


@every
@pytest.mark.parametrize("missing", ["max", "category"])
def test_mixed_data_with_gaps(name, missing):
    X, y = mixed()
    fitted = clone(ALL[name]).set_params(missing=missing).fit(X, y)
    assert_finite(fitted)
    assert fitted.score(X, y) > 0.6
    new = X.iloc[:4].copy()
    new["hue"] = pd.Series(["purple", None, "red", "red"], dtype="category", index=new.index)
    shares = fitted.predict_proba(new)
    assert np.array_equal(shares.sum(axis=1), np.ones(4))
    assert list(fitted.class_weights_.columns) == ["hue", "size", "noise"]


def degenerate():
    rng = np.random.default_rng(0)
    X, y = rng.random((24, 3)), np.repeat([0, 1, 2], 8)
    yield "a constant column", np.column_stack([X, np.ones(24)]), y
    yield "constant columns only", np.ones((24, 2)), y
    yield "a column without values", np.column_stack([X, np.full(24, np.nan)]), y
    yield "no values", np.full((24, 2), np.nan), y
    yield "a class of one row", X, np.array([*y[:-1], 3])
    yield "classes of one row", X[:3], np.array([0, 1, 2])
    yield "two rows", X[:2], np.array([0, 1])
    yield "duplicates of other classes", np.tile(X[:8], (3, 1)), y
    yield "all rows equal", np.tile(X[:1], (24, 1)), y
    yield "one class", X, np.zeros(24, dtype=int)
    yield "one row", X[:1], np.array([0])
    yield "one column", X[:, :1], y
    huge = X.copy()
    huge[0] *= 1e200
    yield "a far row", huge, y
    yield "a class listed in groups", np.repeat(X[:12], 2, axis=0), np.repeat(y[::2], 2)


@every
@pytest.mark.parametrize("case", list(degenerate()), ids=lambda case: case[0])
def test_degenerate_data(name, case):
    _, X, y = case
    fitted = clone(ALL[name]).fit(X, y)
    assert_finite(fitted)
    assert set(fitted.predict(X)) <= set(y)
    assert set(fitted.predict(X + 100.0)) <= set(y)


def test_constant_column_weighs_nothing_in_filters():
    X, y = two_classes()
    X = np.column_stack([X, np.ones(len(X))])
    for name in ("relieff", "mi"):
        assert clone(ALL[name]).fit(X, y).feature_weights_.iloc[-1] == 0


@every
def test_explanations(name):
    X, y = mixed(40)
    X.index = [f"row {i}" for i in range(len(X))]
    fitted = clone(ALL[name]).fit(X, y)
    table = fitted.explain(X.iloc[:3])
    distances, rows = fitted.kneighbors(X.iloc[:3])
    neighbours = table[table["part"] == "neighbour"]
    assert neighbours["item"].tolist() == X.index[rows[:, 0]].tolist()
    assert neighbours["class"].tolist() == fitted.predict(X.iloc[:3]).tolist()
    np.testing.assert_allclose(neighbours["distance"], distances[:, 0])
    features = table[(table["part"] == "feature") & (table["query"] == "row 1")]
    assert set(features["item"]) == set(X.columns)


def test_several_neighbours_vote():
    X = [[0.0], [0.1], [0.2], [1.0], [0.12]]
    y = ["a", "b", "a", "b", "b"]
    fitted = ReliefFClassifier(3).fit(X, y)
    assert fitted.predict([[0.11]]).tolist() == ["b"]
    two = fitted.set_params(n_neighbors=2).predict_proba([[0.16], [0.6]])
    assert two.round(6).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert fitted.predict([[0.17], [0.7]]).tolist() == ["a", "b"]  # the nearest breaks the tie


def test_the_order_of_the_columns_does_not_matter_to_what_draws_nothing():
    X, y = mixed()
    for name in ("wdnn", "cw", "pw", "cpw", "relieff"):
        first = clone(ALL[name]).fit(X, y)
        second = clone(ALL[name]).fit(X[["noise", "size", "hue"]], y)
        np.testing.assert_allclose(
            first.class_weights_, second.class_weights_[first.class_weights_.columns]
        )
        np.testing.assert_allclose(first.multipliers_, second.multipliers_)


def test_errors():
    X, y = two_classes(20)
    with pytest.raises(ValueError, match="max_evaluations"):
        SSMAClassifier(max_evaluations=0).fit(X, y)
    with pytest.raises(ValueError, match="missing"):
        WDNNClassifier(missing="ignore").fit(X, y)
    with pytest.raises(ValueError, match="weights"):
        GradientWeightsClassifier("rows").fit(X, y)
    with pytest.raises(ValueError, match="n_neighbors must be from 1 to"):
        WDNNClassifier().fit(X, y).kneighbors(X, 21)


def test_relieff_agrees_with_the_library():
    library = pytest.importorskip("fast_select")
    rng = np.random.default_rng(0)
    X = rng.random((60, 4))
    X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    theirs = library.ReliefF(n_features_to_select=4, n_neighbors=10, discrete_limit=2).fit(X, y)
    ours = ReliefFClassifier(relief_neighbors=10).fit(X, y).feature_scores_
    np.testing.assert_allclose(ours, theirs.feature_importances_, atol=1e-5)
