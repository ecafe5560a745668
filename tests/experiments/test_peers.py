import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder
from threadpoolctl import threadpool_info

from acoibl.datasets import load
from acoibl.experiments import PROFILES, Split, cap_rows, folds, get_profile, run
from acoibl.experiments.methods import peers as module
from acoibl.experiments.methods.peers import CappedNCA, as_numbers, inner_folds, peers

PEERS = {peer.name.removeprefix("peer-"): peer for peer in peers(PROFILES["paper"])}
EVERY = pytest.mark.parametrize("name", PEERS)
TIMES = ("seconds", "cpu_seconds")


def split_of(X, y, n_folds=4, fold=0, seed=0):
    X, y = X.reset_index(drop=True), pd.Series(y).reset_index(drop=True)
    train, test = folds(y, n_folds)[fold]
    return Split(X, y, train, test, np.random.SeedSequence(seed))


def real(name, **settings):
    data = load(name)
    return split_of(data.X, data.y, **settings)


def with_parts(split, **parts):
    """The same split with another training or test part than its dataset has."""
    changed = replace(split)
    vars(changed).update(parts)  # where the properties keep what they have taken
    return changed


def evaluate(name, split):
    """Results of a peer with a short grid, and its predictions as text."""
    parameters = dict(PEERS[name].parameters)
    if "grid" in parameters:
        parameters["grid"] = [1, 4, 9]
    (row,) = PEERS[name].evaluate(split, parameters)
    json.dumps(row)
    return {key: value for key, value in row.items() if key not in TIMES}


def assert_finite(row):
    for score in ("accuracy", "balanced_accuracy", "log_loss", "brier", "calibration_error"):
        assert np.isfinite(row[score]), score


def mixed(n_rows=80):
    """Columns of every kind, of which ``yes`` alone decides the class."""
    generator = np.random.default_rng(0)
    yes = generator.random(n_rows) < 0.5
    sizes = ["small", "medium", "large"]
    X = pd.DataFrame(
        {
            "yes": yes,
            "noise": generator.random(n_rows) / 10,
            "constant": 7.0,
            "empty": np.nan,
            "size": pd.Categorical(generator.choice(sizes, n_rows), sizes, ordered=True),
            "same": pd.Categorical(["one"] * n_rows),
            "never": pd.Categorical([None] * n_rows, ["a", "b"]),
            "count": pd.array(generator.integers(0, 9, n_rows), dtype="Int64"),
        }
    )
    X.loc[::9, ["noise", "size", "count"]] = None
    return X, pd.Series(np.where(yes, "y", "n"), dtype="category")


def test_what_is_run():
    assert list(PEERS) == ["knn", "nca", "forest", "boosting"]
    assert [name for name, peer in PEERS.items() if peer.stochastic] == ["forest"]
    for peer in PEERS.values():
        assert json.loads(json.dumps(peer.parameters)) == peer.parameters
    assert PEERS["knn"].parameters["grid"] == list(range(1, 22))


@EVERY
@pytest.mark.parametrize("dataset", ["iris", "wine", "zoo"])
def test_it_beats_the_majority_by_far(name, dataset):
    split = real(dataset)
    row = evaluate(name, split)
    assert_finite(row)
    majority = np.mean(split.y_test == split.y_train.mode()[0])
    assert row["accuracy"] > majority + 0.4
    assert row["train_accuracy"] > majority + 0.4


@EVERY
def test_the_seed_matters_to_stochastic_peers_only(name):
    split = real("pop", n_folds=3)
    row = evaluate(name, split)
    assert row == evaluate(name, split)
    other = evaluate(name, replace(split, seed=np.random.SeedSequence(1)))
    assert (row == other) != PEERS[name].stochastic


@EVERY
def test_nothing_leaks_from_the_test_part(name):
    split = real("zoo")
    predictions = evaluate(name, split)["predictions"]
    shuffled = split.y_test.sample(frac=1, random_state=0).set_axis(split.y_test.index)
    assert evaluate(name, with_parts(split, y_test=shuffled))["predictions"] == predictions
    half = replace(split, test=split.test[10:])
    assert evaluate(name, half)["predictions"] == predictions[10:]


@pytest.mark.parametrize("dataset", ["pop", "wine"])
def test_knn_is_the_plain_grid_search(dataset):
    split = real(dataset, n_folds=3)
    categorical = make_pipeline(
        SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")
    )
    encoder = make_column_transformer(
        (categorical, split.X_train.select_dtypes("category").columns),
        (MinMaxScaler(), split.X_train.select_dtypes("number").columns),
    )
    search = GridSearchCV(
        make_pipeline(encoder, KNeighborsClassifier()),
        {
            "kneighborsclassifier__n_neighbors": [1, 4, 9],
            "kneighborsclassifier__weights": ["uniform", "distance"],
        },
        cv=folds(split.y_train, 5),
    )
    y = np.asarray(split.y_train)
    search.fit(split.X_train.astype(dict.fromkeys(encoder.transformers[0][2], object)), y)
    row = evaluate("knn", split)
    assert row["inner_accuracy"] == search.best_score_
    assert row["key_parameter"] == search.best_params_["kneighborsclassifier__n_neighbors"]
    assert row["votes"] == search.best_params_["kneighborsclassifier__weights"]
    assert row["n_evaluations"] == 6
    assert row["accuracy"] == search.score(split.X_test, np.asarray(split.y_test))


def test_nca_learns_which_feature_matters():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.random((120, 12)))
    split = split_of(X, (X[0] > 0.5).astype(int).astype("category"))
    knn, nca = evaluate("knn", split), evaluate("nca", split)
    assert nca["accuracy"] >= knn["accuracy"] + 0.1
    assert nca["stopped"] == "converged"
    assert 0 < nca["n_iter"] < 50


def test_nca_says_that_its_iterations_ran_out():
    parameters = {**PEERS["nca"].parameters, "grid": [1], "votes": ["uniform"]}
    for most, stopped in ((2, "max_iter"), (500, "converged")):
        parameters["metric"] = {**parameters["metric"], "max_iter": most}
        (row,) = PEERS["nca"].evaluate(real("iris"), parameters)
        assert row["stopped"] == stopped
        assert (row["n_iter"] == most) == (stopped == "max_iter")


def test_nca_learns_from_a_sample_of_many_rows():
    split = real("iris")
    X, y = split.X_train.to_numpy(), np.asarray(split.y_train)
    rows = cap_rows(y, 40)
    assert len(rows) == 40
    expected = NeighborhoodComponentsAnalysis(init="identity").fit(X[rows], y[rows])
    np.testing.assert_array_equal(
        CappedNCA(max_rows=40).fit(X, y).transform(X), X @ expected.components_.T
    )


@EVERY
@pytest.mark.parametrize("sizes", [(30, 1, 1, 2), (2, 2, 2), (1, 1, 1, 1)])
def test_tiny_classes(name, sizes):
    y = np.repeat(list("abcd")[: len(sizes)], sizes)
    X = pd.DataFrame({"x": np.arange(len(y)) % 5.0, "c": pd.Categorical(y == "a")})
    y = pd.Series(y, dtype="category")
    test = np.arange(0, len(y), 2)
    split = Split(X, y, np.arange(len(y)), test, np.random.SeedSequence(0))
    assert_finite(evaluate(name, split))


@EVERY
def test_a_training_part_of_one_class(name):
    X, y = mixed()
    split = split_of(X, y)
    one = split.y_train == "y"
    row = evaluate(name, replace(split, train=split.train[one]))
    assert_finite(row)
    assert row["accuracy"] == np.mean(split.y_test == "y")


def test_inner_folds_keep_classes_apart_as_far_as_rows_go():
    y = np.repeat([0, 1, 2, 3], [20, 1, 2, 5])
    parts = inner_folds(y, 5)
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(28))
    for train, test in parts:
        assert np.bincount(y[test], minlength=4)[[0, 3]].tolist() == [4, 1]
        assert max(np.bincount(y[test], minlength=4)[[1, 2]]) <= 1
        assert not set(train) & set(test)


@EVERY
def test_columns_of_every_kind(name):
    X, y = mixed()
    row = evaluate(name, split_of(X, y))
    assert_finite(row)
    assert row["accuracy"] == 1


@EVERY
def test_values_that_training_has_not_seen(name):
    X, y = mixed()
    split = split_of(X, y)
    test = split.X_test.copy()
    test["size"] = pd.Categorical(["huge"] * len(test))
    test["never"] = pd.Categorical(["a"] * len(test))
    test["empty"] = 3.0
    test["constant"] = np.nan
    test["noise"] = 1.0
    assert_finite(evaluate(name, with_parts(split, X_test=test)))
    nothing = pd.DataFrame(np.nan, test.index, test.columns)
    assert_finite(evaluate(name, with_parts(split, X_test=nothing)))


@EVERY
def test_no_value_at_all_gives_the_majority(name):
    X = pd.DataFrame({"a": [np.nan] * 40, "b": pd.Categorical([None] * 40)})
    split = split_of(X, pd.Series(["n", "y", "y", "y"] * 10, dtype="category"))
    row = evaluate(name, split)
    assert_finite(row)
    assert row["accuracy"] == np.mean(split.y_test == "y")


def test_codes_follow_the_training_part():
    ordered = pd.CategoricalDtype(["low", "high"], ordered=True)
    train = pd.DataFrame({"o": pd.Series(["high", None, "high"], dtype=ordered), "i": [1, 2, 3]})
    test = pd.DataFrame({"o": pd.Series(["low", "high", None], dtype=ordered), "i": [4, 5, 6]})
    left, right, is_categorical = as_numbers(train, test)
    np.testing.assert_array_equal(left, [[0, 1], [np.nan, 2], [0, 3]])
    np.testing.assert_array_equal(right, [[-1, 4], [0, 5], [np.nan, 6]])
    assert is_categorical.tolist() == [True, False]


def test_boosting_of_many_rows_and_many_categories():
    """It sets validation rows aside then, which fails for a class of one row."""
    generator = np.random.default_rng(0)
    name = generator.integers(0, 300, 10_100)
    y = np.where(name < 150, "a", "b").astype(object)
    y[-1] = "c"
    X = pd.DataFrame({"name": pd.Categorical(name.astype(str))})
    y = pd.Series(y, dtype="category")
    split = Split(X, y, np.arange(len(y)), np.arange(len(y))[-200:], np.random.SeedSequence(0))
    row = evaluate("boosting", split)
    assert_finite(row)
    assert row["accuracy"] > 0.8  # 255 of the 300 names are told apart
    assert row["predictions"][-1] != "2"  # the class of one row is left out


def test_one_thread(monkeypatch):
    seen = []

    def fit(X, y, *rest):
        seen.extend(library["num_threads"] for library in threadpool_info())
        return KNeighborsClassifier().fit(np.nan_to_num(X), y), {}

    monkeypatch.setattr(module, "_FITS", {"knn": fit})
    evaluate("knn", real("iris"))
    assert set(seen) == {1}


def test_the_runner_takes_them(tmp_path):
    profile = get_profile("smoke", seeds=(0, 1))
    chosen = [peer for peer in peers(profile) if peer.name in ("peer-forest", "peer-boosting")]
    rows = run(chosen, profile, datasets=["pop"], jobs=1, store=tmp_path, progress=False)
    assert rows.groupby("algorithm").size().to_dict() == {"peer-boosting": 2, "peer-forest": 4}
    assert set(rows["variant"]) == {"peer"}
    assert rows["log_loss"].notna().all()
