import numpy as np
import pandas as pd
import pytest

from acoibl.comparison import average_ranks, published, wins
from acoibl.experiments import tables
from acoibl.lazy.bases import BASES

SHORT = {"basic": "aco_knn", "ensemble": "ens_aco_knn", "plain": "knn_k12"}


def line(dataset, variant, accuracy, fold=0, **more):
    return {
        "dataset": dataset,
        "base": "knn",
        "preset": "",
        "variant": variant,
        "weight_scale": "none",
        "key_parameter": 12,
        "fold": fold,
        "seed": 0,
        "algorithm": "plain-knn",
        "accuracy": accuracy,
        "balanced_accuracy": accuracy / 2,
        "n_iter": pd.NA,
        "n_evaluations": 1,
        "seconds": 3600.0,
        "cpu_seconds": 0.5,
        "n_test": 50,
        **more,
    }


@pytest.fixture(scope="module")
def paper_rows():
    """Results that are what the paper prints: every table must then agree with it."""
    lines = []
    for dataset, scores in published("table3_knn").iterrows():
        for fold, shift in enumerate((-0.001, 0.001)):
            share = {variant: scores[name] / 100 + shift for variant, name in SHORT.items()}
            for setting in (11, 12):
                worse = 0.002 * (12 - setting)
                lines.append(line(dataset, "plain", share["plain"] - worse, fold,
                                  key_parameter=setting))  # fmt: skip
            lines.append(line(dataset, "tuned", share["plain"], fold))
            for variant in ("basic", "ensemble"):
                lines.append(line(dataset, variant, share[variant], fold, preset="paper",
                                  algorithm="aco-knn-paper"))  # fmt: skip
    return pd.DataFrame(lines)


def test_rank_by_setting_and_best_setting(paper_rows):
    ranks = tables.rank_by_setting(paper_rows, "knn")
    assert ranks.index.tolist() == [11, 12]
    assert ranks["average rank"].tolist() == [2.0, 1.0]
    assert ranks["wins"].tolist() == [0, 36]
    assert tables.best_setting(paper_rows, "knn") == 12


def test_the_smaller_of_equal_settings_is_the_best():
    rows = pd.DataFrame(
        [line("iris", "plain", 0.9, key_parameter=k) for k in (3, 1, 2)]
        + [line("wine", "plain", 0.1 + 0.2 * (k == 5), key_parameter=k) for k in (3, 1, 2)]
    )
    assert tables.best_setting(rows, "knn") == 1


def test_as_many_correct_rows_are_a_tie_in_folds_of_unequal_size():
    right = {"basic": (9, 10, 7), "ensemble": (10, 8, 8), "plain": (8, 9, 9), "tuned": (10, 9, 7)}
    sizes = (11, 10, 9)
    rows = pd.DataFrame(
        line("iris", variant, count / size, fold, n_test=size, seed=seed,
             preset="paper" if variant in ("basic", "ensemble") else "")
        for variant, counts in right.items()
        for seed in (0, 1)
        for fold, (count, size) in enumerate(zip(counts, sizes, strict=True))
    )  # fmt: skip
    scores = tables.measured(rows, "knn", "paper", setting=12)
    means = rows.groupby("variant")["accuracy"].mean()
    assert means["basic"] != pytest.approx(means["ensemble"], abs=1e-6)  # as the paper averages
    assert scores.loc["iris"].tolist() == [86.666666667] * 4
    assert wins(scores).tolist() == [1, 1, 1, 1]
    assert average_ranks(scores).tolist() == [2.5] * 4
    balanced = tables.measured(rows, "knn", "paper", setting=12, metric="balanced_accuracy")
    folds = [count / size / 2 for count, size in zip(right["basic"], sizes, strict=True)]
    assert balanced.loc["iris", "basic"] == pytest.approx(100 * np.mean(folds))


def test_accuracy_is_pooled_over_folds_and_averaged_over_seeds():
    counts = [(0, 0, 1.0, 30), (0, 1, 0.0, 10), (1, 0, 0.5, 30), (1, 1, 0.5, 10)]
    rows = pd.DataFrame(
        line("iris", "plain", share, fold, seed=seed, n_test=size)
        for seed, fold, share, size in counts
    )
    assert tables.plain_scores(rows, "knn").loc["iris", 12] == 62.5  # of 75 and 50


def test_comparison_table_gives_the_papers_last_rows(paper_rows):
    table = tables.comparison_table(paper_rows, "knn", "paper")
    scores = published("table3_knn").rename(columns={v: k for k, v in SHORT.items()})
    here = table["measured"].loc[scores.index, list(SHORT)]
    np.testing.assert_allclose(here, scores[list(SHORT)], atol=1e-9)
    np.testing.assert_allclose(table["difference"].iloc[:36], 0, atol=1e-9)
    for part in ("measured", "published"):
        assert table.loc["average rank", part].dropna().round(2).tolist() == [2.14, 1.65, 2.21]
        assert table.loc["wins", part].dropna().tolist() == [14, 24, 11]
    assert table.loc["wins of four", "published"].isna().all()
    assert set(table.attrs["summary_rows"]) == {
        "mean", "average rank", "wins", "average rank of four", "wins of four"
    }  # fmt: skip


def test_published_ranks_are_those_of_the_same_datasets(paper_rows):
    some = ["car", "iris", "zoo"]
    table = tables.comparison_table(
        paper_rows[paper_rows["dataset"].isin(some)], "knn", "paper", setting=12
    )
    scores = published("table3_knn").loc[some]
    np.testing.assert_allclose(
        table.loc["average rank", "published"].dropna().astype(float), average_ranks(scores)
    )
    assert table.loc["wins", "published"].dropna().tolist() == wins(scores).tolist()


def test_a_dataset_that_the_paper_does_not_have(paper_rows):
    extra = paper_rows[paper_rows["dataset"] == "iris"].assign(dataset="mine")
    rows = pd.concat([paper_rows, extra])
    table = tables.comparison_table(rows, "knn", "paper")
    assert table.loc["mine", "published"].isna().all()
    assert table.loc["mine", "measured"].notna().all()
    assert table.loc["wins", "published"].dropna().tolist() == [14, 24, 11]


def test_significance_table_gives_the_papers_p(paper_rows):
    table = tables.significance_table(paper_rows, "knn", "paper", setting=12)
    # The paper does not correct Friedman's statistic for ties.
    for part, statistic in (("measured", 7.66), ("published", 6.60)):
        assert table.loc[f"{part}: Friedman", "statistic"] == pytest.approx(statistic, abs=0.005)
        against_plain = table.loc[f"{part}: ensemble and plain"]
        assert against_plain["p"] == pytest.approx(0.0184, abs=5e-5)
        assert against_plain["threshold"] == 0.025
        assert against_plain["significant"] == True  # noqa: E712
        assert table.loc[f"{part}: ensemble and basic", "p"] == pytest.approx(0.0392, abs=5e-5)
        own = table.loc[f"{part}: ensemble and plain", "ensemble's average rank"]
        assert round(own, 2) == 1.65
    four = tables.significance_table(paper_rows, "knn", "paper", setting=12, tuned=True)
    assert "measured: ensemble and tuned" in four.index


def test_overview_effort_and_summary(paper_rows):
    overview = tables.overview_table(paper_rows)
    mean = published("table3_knn").mean()
    assert overview.loc["k-NN", "paper: ensemble"] == pytest.approx(mean["ens_aco_knn"])
    balanced = tables.overview_table(paper_rows, metric="balanced_accuracy")
    assert balanced.loc["k-NN", "plain"] == pytest.approx(mean["knn_k12"] / 2)
    effort = tables.effort_table(paper_rows)
    assert effort.loc["aco-knn-paper", "runs"] == 72  # not 144: two variants of one run
    assert effort.loc["plain-knn", "processor seconds"] == 36
    lines = tables.summary_lines(paper_rows)
    assert "k = 12 (paper 12)" in lines[0]
    assert f"{mean['ens_aco_knn']:.1f}" in lines[1]


def test_missing_results_are_named(paper_rows):
    with pytest.raises(ValueError, match="preset 'default'"):
        tables.comparison_table(paper_rows, "knn", "default")
    with pytest.raises(ValueError, match="no results of plain d-NN"):
        tables.rank_by_setting(paper_rows, "dnn")
    with pytest.raises(ValueError, match="k = 13"):
        tables.comparison_table(paper_rows, "knn", "paper", setting=13)


def test_dataset_table_says_what_is_used():
    table = tables.dataset_table("smoke", ["iris", "car"])
    assert table.loc["car", ["rows used", "rows", "rows in the paper"]].tolist() == [
        150,
        1728,
        1728,
    ]
    assert table.loc["iris", ["rows used", "classes", "features"]].tolist() == [150, 3, 4]


def test_settings_table_shows_the_papers_setting(paper_rows):
    table = tables.settings_table(paper_rows)
    assert table["best setting"].tolist() == ["k = 12"]
    assert table["its average rank"].tolist() == [1.0]
    assert 12 in BASES["knn"].grid
