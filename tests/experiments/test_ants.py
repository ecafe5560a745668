"""The experiment on ant feature selection: splits, results, tables, and the published figures."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from acoibl.antfs import SubsetEvaluator
from acoibl.comparison import fitting_counts, published
from acoibl.datasets import list_datasets, load
from acoibl.experiments import PROFILES, Split, get_profile, run
from acoibl.experiments.methods.ant_splits import N_FEATURES, random_split
from acoibl.experiments.methods.ants import (
    ant_datasets,
    antfs,
    ants,
    peers,
    published_subsets,
)
from acoibl.experiments.tables.ants import (
    ant_results,
    corrected_interval,
    frequency_table,
    optimism_table,
    peers_table,
    reduction_table,
    size_table,
)

SMOKE = get_profile("smoke", max_iter=10, max_rows=100)


def table(n=303, m=13, n_classes=5, seed=0):
    rng = np.random.default_rng(seed)
    y = pd.Series([str(c) for c in rng.integers(0, n_classes, n)], dtype="category")
    X = pd.DataFrame(rng.random((n, m)) + y.astype(int).to_numpy()[:, None] * rng.random(m) / 3)
    return X, y


def fold(X, y, number=0, seed=1):
    test = np.arange(len(y)) % 5 == number
    return Split(X, y, np.flatnonzero(~test), np.flatnonzero(test), np.random.SeedSequence(seed))


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    store = tmp_path_factory.mktemp("store")
    choice = ["antfs-holdout", "antfs-nested", "antfs-rivals", "antfs-*-raw"]
    names = ["s-heart", "iris"]
    return ant_results(
        run("antfs", SMOKE, datasets=names, algorithms=choice, jobs=1, store=store, progress=False)
    )


def test_algorithms_have_names_and_parameters_of_their_own():
    algorithms = antfs(PROFILES["paper"])
    assert len({a.name for a in algorithms}) == len(algorithms)
    texts = {json.dumps(dict(a.parameters), sort_keys=True) for a in algorithms}
    assert len(texts) == len(algorithms)
    assert {a.base for a in algorithms} == {"antfs"}  # one base: one split for all of a unit
    assert all(a.stochastic for a in algorithms)
    assert ants("holdout", PROFILES["paper"]).parameters["n_generations"] == 100
    assert ant_datasets(PROFILES["paper"]) == tuple(N_FEATURES)
    assert set(ant_datasets(SMOKE)) <= set(list_datasets(carried=True))


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        ((303, 13), (257, 46)),
        ((569, 30), (423, 146)),
        ((7200, 21), (6000, 1200)),
        ((83, 2308), (63, 20)),
        ((270, 13), (229, 41)),
        ((100, 4), (75, 25)),
    ],
)
def test_parts_have_the_sizes_of_the_paper(shape, sizes):
    X, y = pd.DataFrame(np.zeros(shape)), pd.Series(np.arange(shape[0]) % 3)
    (split,) = random_split(fold(X, y), ants("nested", SMOKE).parameters)
    assert (len(split.y_train), len(split.y_test)) == sizes


def test_the_split_depends_on_the_seed_and_not_on_the_fold():
    X, y = table()
    parameters = ants("nested", SMOKE).parameters
    first, same, other = (
        random_split(fold(X, y, number, seed), parameters)[0]
        for number, seed in ((0, 1), (3, 1), (0, 2))
    )
    assert first.y_test.index.tolist() == same.y_test.index.tolist()
    assert first.y_test.index.tolist() != other.y_test.index.tolist()
    assert sorted([*first.y_test.index, *first.y_train.index]) == list(range(303))
    np.testing.assert_array_equal(first.X_test, X.loc[first.y_test.index])
    (peer,) = random_split(fold(X, y, 2, 1), peers(SMOKE).parameters)
    assert peer.y_test.index.tolist() == first.y_test.index.tolist()


def test_two_classes_are_only_of_heart_disease():
    X, y = table()
    parameters = ants("nested", SMOKE, reading="two").parameters
    (split,) = random_split(fold(X, y), parameters)
    assert split.y_train.cat.categories.tolist() == ["absent", "present"]
    known = y.loc[split.y_train.index].astype(str) != "0"
    assert ((split.y_train == "present") == known).all()
    algorithm = ants("nested", SMOKE, reading="two")
    assert algorithm.results(fold(*table(n_classes=3))) == []


def test_raw_takes_categories_as_numbers_and_scales_nothing():
    X, y = table(n_classes=2)
    mixed = X.assign(code=pd.Categorical((X[0] > 0.5).map({True: "7", False: "3"})))
    parameters = peers(SMOKE, reading="raw").parameters
    assert parameters["scale"] == "none"
    (split,) = random_split(fold(mixed, y), parameters)
    assert set(np.unique(split.X_train[:, -1])) == {3.0, 7.0}
    text = mixed.assign(code=pd.Categorical((X[0] > 0.5).map({True: "a", False: "b"})))
    assert random_split(fold(text, y), parameters)[0].X_train["code"].dtype == "category"


def test_results_are_what_they_say(rows):
    assert len(rows.groupby(["dataset", "algorithm", "split"])) == 2 * 2 * 6
    heart = rows[rows["dataset"] == "s-heart"]
    guided = heart[(heart["algorithm"] == "antfs-holdout") & heart["guide_accuracy"].notna()]
    np.testing.assert_allclose(guided["accuracy"], guided["guide_accuracy"])
    assert (guided["features"].map(len) == guided["n_selected"]).all()
    best = heart[heart["method"] == "exhaustive-holdout"].set_index(["split", "size"])["accuracy"]
    for method in ("size", "random", "forward-holdout"):
        found = heart[heart["algorithm"].isin(["antfs-holdout", "antfs-rivals"])]
        found = found[found["method"] == method].set_index(["split", "size"])["accuracy"]
        assert (found <= best.reindex(found.index) + 1e-12).all(), method
    inner = heart[heart["method"] == "exhaustive"].set_index(["split", "size"])["guide_accuracy"]
    own = heart[(heart["algorithm"] == "antfs-nested") & (heart["method"] == "size")]
    own = own.set_index(["split", "size"])["guide_accuracy"]
    assert (own <= inner.reindex(own.index) + 1e-12).all()


def test_a_result_can_be_computed_again():
    data = load("s-heart")
    split = fold(data.X, data.y)
    algorithm = ants("nested", SMOKE)
    row = algorithm.results(split)[0]
    (parts,) = random_split(split, algorithm.parameters)
    judge = SubsetEvaluator(parts.X_train, parts.y_train, parts.X_test, parts.y_test)
    assert judge.accuracy([feature - 1 for feature in row["features"]]) == row["accuracy"]
    json.dumps(row)
    assert algorithm.results(split)[0]["features"] == row["features"]


def test_tables_of_a_run(rows):
    for name in ("s-heart", "iris"):
        sizes = size_table(rows, name)
        assert (sizes["holdout"] <= sizes["best possible"].fillna(100) + 1e-9).all()
        assert (sizes["holdout 5 %"] <= sizes["holdout 95 %"]).all()
        compared = peers_table(rows, name)
        assert {"ants", "random subsets", "ReliefF", "all features"} <= set(compared)
    often = frequency_table(rows, "s-heart")
    best = rows[(rows["dataset"] == "s-heart") & (rows["variant"] == "best")]
    best = best[best["algorithm"] == "antfs-nested"]
    assert often["nested"].sum() == pytest.approx(100 * best["n_selected"].mean())
    assert reduction_table(rows).loc["s-heart", "features"] == 13
    optimism = optimism_table(rows, ["", "-raw"])
    assert optimism.index.tolist() == [
        (name, reading) for name in ("s-heart", "iris") for reading in ("scaled", "raw")
    ]
    np.testing.assert_allclose(optimism["gap"], optimism["holdout"] - optimism["nested"])


def test_tables_of_half_a_run(rows):
    half = rows[rows["algorithm"] == "antfs-holdout"]
    assert "best possible" not in size_table(half, "iris")
    assert peers_table(half, "iris").empty
    assert reduction_table(half).empty
    assert optimism_table(half).empty
    assert size_table(rows, "iris", "-k3").empty
    assert set(frequency_table(half, "heart-c")) == {"published subsets"}


def test_optimism_is_paired_and_its_interval_knows_the_overlap():
    lines = []
    pairs = [(0.9, 0.8), (0.95, 0.8), (0.9, 0.9), (0.85, 0.8), (0.9, 0.7)]
    for number, (high, low) in enumerate(pairs):
        for evaluation, accuracy in (("holdout", high), ("nested", low)):
            lines.append(
                {
                    "dataset": "heart-c", "algorithm": f"antfs-{evaluation}", "variant": "best",
                    "method": "best", "split": str(number), "accuracy": accuracy,
                    "guide_accuracy": 0.9, "split_rows": [257, 46],
                }
            )  # fmt: skip
    lines.append({**lines[0], "split": "9"})  # no nested result yet: does not count
    line = optimism_table(pd.DataFrame(lines)).loc[("heart-c", "scaled")]
    gaps = np.array([10.0, 15.0, 0.0, 5.0, 20.0])
    half = 2.776445 * math.sqrt((1 / 5 + 46 / 257) * gaps.var(ddof=1))
    assert line["splits"] == 5
    assert line["gap"] == pytest.approx(gaps.mean())
    assert (line["low"], line["high"]) == pytest.approx((gaps.mean() - half, gaps.mean() + half))
    few = optimism_table(pd.DataFrame(lines[:8])).loc[("heart-c", "scaled")]  # four splits
    assert few["gap"] == pytest.approx(gaps[:4].mean())
    assert few[["low", "high"]].isna().all()
    assert all(math.isnan(end) for end in corrected_interval([1.0], 10, 5))


def test_published_subsets_are_typed_as_printed():
    subsets = published("antfs_subsets")
    assert set(subsets.index) == set(N_FEATURES)
    for name, line in subsets.iterrows():
        features = [int(place) for place in line["features"].split()]
        assert len(set(features)) == line["size"]
        assert max(features) <= N_FEATURES[name]
    sizes = published("antfs_datasets")
    for name, line in sizes.iterrows():
        exact = 100 * (1 - line["reduced"] / line["features"])
        assert line["reduction"] == math.floor(100 * exact) / 100  # printed cut, not rounded
        assert sum(line[["n_train", "n_test"]]) in (load_rows(name), 569)
        fits = [
            len(fitting_counts(accuracy, [line["n_test"]])) > 0
            for accuracy in subsets[subsets.index == name]["accuracy"].unique()
        ]
        assert all(fits) if name != "heart-c" else not any(fits)
        best = subsets[(subsets.index == name) & (subsets["size"] == line["reduced"])]
        assert set(best["accuracy"]) == {line["accuracy_reduced"]}
    assert [len(s) for s in published_subsets()["2308"]] == [2, 2, 3, 4]
    for _, line in published("antfs_generations").iterrows():
        assert len(line["features"].split()) == line["size"]
        assert len(fitting_counts(line["accuracy"], [146])) == 1


def load_rows(name):
    return {"heart-c": 303, "breast-w": 569, "thyroid": 7200, "srbct": 83}[name]
