import numpy as np
import pandas as pd
import pytest

from acoibl.comparison import average_ranks
from acoibl.datasets import list_datasets, load
from acoibl.experiments import Algorithm, get_profile, outcome, run, tables
from acoibl.experiments.data import folds_of


def line(dataset, variant, accuracy, seed=0, fold=0, **more):
    return {
        "dataset": dataset, "algorithm": "aco-knn-paper", "base": "knn", "preset": "paper",
        "variant": variant, "weight_scale": "none", "key_parameter": 12.0, "fold": fold,
        "seed": seed, "accuracy": accuracy, "balanced_accuracy": accuracy / 2,
        "log_loss": 1 - accuracy, "n_test": 10, **more,
    }  # fmt: skip


def test_algorithm_scores_name_variants_only_where_there_are_several():
    rows = pd.DataFrame(
        [line(name, variant, share)
         for name, shares in {"iris": (0.9, 0.8), "zoo": (0.7, 0.9)}.items()
         for variant, share in zip(("basic", "ensemble"), shares, strict=True)]
        + [line(name, variant, 0.85, algorithm="plain-knn", preset="")
           for name in ("iris", "zoo") for variant in ("plain", "tuned")]
    )  # fmt: skip
    scores = tables.algorithm_scores(rows)
    assert scores.columns.tolist() == ["aco-knn-paper basic", "aco-knn-paper ensemble", "plain-knn"]
    assert scores.loc["zoo"].tolist() == [70.0, 90.0, 85.0]
    assert average_ranks(scores)["plain-knn"] == 2
    losses = tables.algorithm_scores(rows, metric="log_loss")
    assert losses.loc["iris"].tolist() == pytest.approx([0.1, 0.2, 0.15])  # not percent


def test_means_over_rows_are_pooled_and_others_are_not():
    rows = pd.DataFrame([line("iris", "basic", 1.0, fold=0, n_test=30),
                         line("iris", "basic", 0.0, fold=1, n_test=10)])  # fmt: skip
    assert tables.means_by(rows, "variant").loc["iris", "basic"] == 75
    assert tables.means_by(rows, "variant", "log_loss").loc["iris", "basic"] == 0.25
    assert tables.means_by(rows, "variant", "balanced_accuracy").loc["iris", "basic"] == 25


def test_a_reading_is_compared_on_what_it_shares_with_its_preset():
    rows = pd.DataFrame(
        [line("iris", v, 0.8, seed) for v in ("basic", "ensemble") for seed in (0, 1)]
        + [line("zoo", v, 0.4, seed) for v in ("basic", "ensemble") for seed in (0, 1)]
        + [line("iris", v, 0.9, preset="paper-ties-strict") for v in ("basic", "ensemble")]
        + [line("iris", "basic", 0.0, 1)]  # of a seed that the reading does not have
    )
    table = tables.readings_table(rows)
    strict = table.loc[("k-NN", "paper", "ties-strict")]
    assert strict["datasets"] == 1
    assert strict["basic"] == 90
    assert strict[["basic, difference", "ensemble, difference"]].tolist() == [10, 10]
    assert table.loc[("k-NN", "paper", "as it is"), "datasets"] == 2
    assert (table.xs("as it is", level="reading").filter(like="difference") == 0).all(axis=None)


def test_groups_table_shows_the_plain_classifier_at_the_papers_setting():
    def rows(shift):
        grid = [
            line("parkinsons", "plain", 0.5 + shift + k / 100, algorithm="plain-knn", preset="",
                 key_parameter=float(k), weight_scale=scale)
            for k in (11, 12) for scale in ("none", "sum_one")
        ]  # fmt: skip
        return pd.DataFrame([*grid, line("parkinsons", "basic", 0.9 + shift)])

    table = tables.groups_table(rows(0.0), rows(-0.2))
    assert table.index.get_level_values("classifier").tolist() == [
        "plain-knn plain", "aco-knn-paper basic"
    ]  # fmt: skip
    plain = table.loc[("parkinsons", "plain-knn plain"), "accuracy"]
    assert plain.tolist() == pytest.approx([62, 42, -20])
    assert table["balanced accuracy", "difference"].tolist() == pytest.approx([-10, -10])


def remember(split, parameters):
    """Algorithm of the tests: the class of the nearest training row by its first feature."""
    gaps = np.abs(np.subtract.outer(split.X_test.iloc[:, 0].to_numpy(),
                                    split.X_train.iloc[:, 0].to_numpy()))  # fmt: skip
    return [{"variant": "only", **outcome(split, np.asarray(split.y_train)[gaps.argmin(axis=1)])}]


def test_folds_by_person_keep_rows_apart_from_those_by_row(tmp_path, monkeypatch):
    """With a dataset made here, since Parkinsons is not carried with the project."""
    from dataclasses import replace

    iris = load("iris")
    twins = pd.Series(np.arange(150) // 2, name="group")
    X = iris.X.assign(**{iris.X.columns[0]: twins * 1.0})  # a person's rows look the same
    y = iris.y.iloc[np.random.default_rng(0).permutation(75).repeat(2) * 2].reset_index(drop=True)
    made = replace(iris, X=X, y=y, groups=twins)
    monkeypatch.setattr("acoibl.experiments.data._load", lambda name: made)
    monkeypatch.setattr("acoibl.experiments.running.plan._check_groups", lambda names: None)
    size = get_profile("paper", selection=("iris",), n_folds=5)
    chosen = [Algorithm("remember", "none", remember)]
    found = {
        way: run(chosen, size, datasets=["iris"], folds=way, jobs=1, store=tmp_path, progress=False)
        for way in ("stratified", "groups")
    }
    assert found["stratified"]["accuracy"].mean() > 0.8  # the twin gives the answer
    assert found["groups"]["accuracy"].mean() < 0.6
    assert set(found["groups"]["folds"]) == {"groups"}
    assert len(list(tmp_path.glob("iris/*.json.gz"))) == 2
    for _, test in folds_of("iris", 5, None, "groups"):
        assert not set(twins[test]) & set(twins[np.setdiff1d(np.arange(150), test)])


def test_persons_of_parkinsons_are_in_the_catalogue():
    from acoibl.datasets.catalogue import find_entry, read_catalogue

    assert list_datasets(grouped=True) == ["parkinsons"]
    assert "parkinsons" not in list_datasets(grouped=False)
    groups = find_entry("parkinsons").groups
    assert (len(groups), sum(groups.values())) == (32, 195)
    assert groups["S21"] == 7
    for entry in read_catalogue().values():
        assert entry.groups is None or (
            sum(entry.groups.values()) == entry.rows and entry.order == "file"
        )
    assert load("iris").groups is None


def test_every_person_of_parkinsons_is_ill_or_healthy():
    if "parkinsons" not in list_datasets(ready=True):
        pytest.skip("needs parkinsons.arff in the folder of ACOIBL_DATA")
    data = load("parkinsons")
    assert data.y.groupby(data.groups, observed=True).nunique().eq(1).all()
    parts = folds_of("parkinsons", 10, None, "groups")
    assert sum(len(set(data.groups.iloc[test])) for _, test in parts) == 32


def test_coverage_counts_what_all_algorithms_have():
    rows = pd.DataFrame(
        [("a", "iris", seed) for seed in range(10)] + [("b", "iris", 0), ("a", "zoo", 0)],
        columns=["algorithm", "dataset", "seed"],
    )
    said = tables.say_coverage(rows, ["iris", "wine", "zoo"])
    assert said == "Run on 1 of 3 datasets (iris), 1 to 10 seeds a fold."
    assert "2 of 3 datasets (without wine)" in tables.say_coverage(
        rows[rows["algorithm"] == "a"], ["iris", "wine", "zoo"]
    )
