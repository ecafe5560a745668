"""Friedman, Holm and Wilcoxon: the paper's printed tests, oracles, bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from acoibl.comparison import friedman, holm, published, wilcoxon


def digits(value, figures):
    return float(f"{value:.{figures}g}")


@pytest.mark.parametrize(
    ("name", "statistic", "pvalue"),
    [("table3_knn", 6.60, 0.0369), ("table4_dnn", 5.18, 0.0750), ("table5_gke", 24.68, 4.4e-6)],
)
def test_friedman_without_tie_correction_is_what_the_paper_prints(name, statistic, pvalue):
    result = friedman(published(name), tie_correction=False)
    assert round(result.statistic, 2) == statistic
    assert (digits(result.pvalue, 2) if pvalue < 1e-3 else round(result.pvalue, 4)) == pvalue
    assert result.df == 2


@pytest.mark.parametrize(
    ("name", "statistic", "pvalue"),
    [("table3_knn", 7.66, 0.0217), ("table4_dnn", 5.92, 0.0518), ("table5_gke", 30.38, 2.5e-7)],
)
def test_friedman_with_tie_correction(name, statistic, pvalue):
    result = friedman(published(name))
    assert round(result.statistic, 2) == statistic
    assert digits(result.pvalue, 3 if pvalue > 1e-3 else 2) == pvalue


def test_friedman_over_the_seven_algorithms_of_table_9():
    table = published("table9_all")
    plain, corrected = friedman(table, tie_correction=False), friedman(table)
    assert (round(plain.statistic, 2), round(plain.pvalue, 2), plain.df) == (7.28, 0.30, 6)
    assert (round(corrected.statistic, 2), round(corrected.pvalue, 2)) == (7.72, 0.26)


def test_friedman_ways_agree_when_nothing_ties():
    scores = pd.DataFrame(np.random.default_rng(1).normal(size=(20, 4)))
    assert friedman(scores).statistic == pytest.approx(friedman(scores, False).statistic)


def test_friedman_of_indistinguishable_algorithms():
    scores = pd.DataFrame(1.0, index=range(5), columns=list("abc"))
    for tie_correction in (True, False):
        assert friedman(scores, tie_correction) == (0.0, 1.0, 2)


@pytest.mark.parametrize(
    ("name", "control", "alpha", "printed"),
    [
        (
            "table3_knn",
            "ens_aco_knn",
            0.05,
            {"knn_k12": (0.0184, 0.025, True), "aco_knn": (0.0392, 0.05, True)},
        ),
        (
            "table4_dnn",
            "ens_aco_dnn",
            0.10,
            {"dnn_d0.45": (0.0251, 0.05, True), "aco_dnn": (0.1407, 0.1, False)},
        ),
        (
            "table5_gke",
            "ens_aco_gke",
            0.05,
            {"gke_s0.40": (3.2e-6, 0.025, True), "aco_gke": (0.4094, 0.05, False)},
        ),
    ],
)
def test_holm_gives_tables_6_to_8(name, control, alpha, printed):
    result = holm(published(name), control, alpha)
    assert result.columns.to_list() == ["z", "pvalue", "threshold", "adjusted", "significant"]
    assert result.index.to_list() == list(printed)
    for algorithm, (pvalue, threshold, significant) in printed.items():
        row = result.loc[algorithm]
        assert (digits(row["pvalue"], 2) if pvalue < 1e-3 else round(row["pvalue"], 4)) == pvalue
        assert row["threshold"] == pytest.approx(threshold)
        assert bool(row["significant"]) is significant
        assert row["z"] > 0  # the control has the best rank


def test_holm_stops_at_the_first_step_that_is_not_rejected():
    scores = published("table9_all")
    result = holm(scores, "ens_aco_knn", alpha=0.05)
    raw_below = result["pvalue"] <= result["threshold"]
    assert (result["significant"] == raw_below.cummin()).all()
    assert (result["significant"] == (result["adjusted"] <= 0.05)).all()
    assert result["adjusted"].is_monotonic_increasing
    assert (result["adjusted"] >= result["pvalue"]).all()


def test_holm_direction():
    errors = pd.DataFrame({"a": [1.0] * 8, "b": [2.0] * 8, "c": [3.0] * 8})
    assert (holm(errors, "a", higher_is_better=False)["z"] > 0).all()
    assert (holm(errors, "a")["z"] < 0).all()
    # z = (3 - 1) / sqrt(3 * 4 / (6 * 8)) = 4
    assert holm(errors, "a", higher_is_better=False).loc["c", "z"] == pytest.approx(4.0)


def test_wilcoxon_gives_table_10():
    table = published("table9_all")
    result = wilcoxon(table["ens_aco_knn"], table["ciw_nn"], alternative="greater")
    assert (result.n, round(result.statistic, 2)) == (35, -2.05)
    # The printed 0.0202 belongs to z rounded to -2.05; the unrounded z, -2.0474, gives 0.0203.
    assert round(stats.norm.cdf(round(result.statistic, 2)), 4) == 0.0202
    assert round(result.pvalue, 4) == 0.0203


def test_wilcoxon_sides_add_up():
    table = published("table9_all")
    a, b = table["ens_aco_knn"], table["ciw_nn"]
    two, greater, less = (wilcoxon(a, b, side) for side in ("two-sided", "greater", "less"))
    assert two.pvalue == pytest.approx(2 * greater.pvalue)
    assert less.pvalue == pytest.approx(1 - greater.pvalue)
    assert two.statistic == pytest.approx(greater.statistic) == pytest.approx(less.statistic)
    assert wilcoxon(b, a, "less") == pytest.approx(greater)


def test_wilcoxon_z_by_hand():
    # Differences 1, 2, 3, -4 and a zero: rank sums 6 and 4, mean 5, variance 4*5*9/24 = 7.5.
    result = wilcoxon([1, 2, 3, 0, 7], [0, 0, 0, 4, 7])
    assert result.n == 4
    assert result.statistic == pytest.approx(-1 / np.sqrt(7.5))
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(1 / np.sqrt(7.5)))


def test_wilcoxon_matches_by_label_and_not_by_place():
    a = pd.Series([1.0, 2.0, 5.0], index=["x", "y", "z"])
    b = pd.Series([4.0, 0.5, 1.5], index=["z", "x", "y"])
    assert wilcoxon(a, b) == wilcoxon([1.0, 2.0, 5.0], [0.5, 1.5, 4.0])


def test_wilcoxon_without_any_difference():
    assert wilcoxon([1.0, 2.0], [1.0, 2.0]) == (0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1.0, 2.0], [1.0], "equally long"),
        ([1.0], [2.0], "at least 2 datasets"),
        ([1.0, np.nan], [1.0, 2.0], "missing or infinite"),
        (pd.Series([1.0, 2.0], index=["p", "q"]), pd.Series([1.0, 2.0], index=["p", "r"]), "q"),
        (pd.Series([1.0, 2.0], index=["p", "p"]), pd.Series([1.0], index=["p"]), "two scores"),
    ],
)
def test_wilcoxon_bad_input(a, b, message):
    with pytest.raises(ValueError, match=message):
        wilcoxon(a, b)


def test_unknown_names_and_small_tables():
    table = published("table3_knn")
    with pytest.raises(ValueError, match=r"unknown control 'knn'.*knn_k12"):
        holm(table, "knn")
    with pytest.raises(ValueError, match="alpha must lie"):
        holm(table, "knn_k12", alpha=1.5)
    with pytest.raises(ValueError, match="alternative must be"):
        wilcoxon(table["knn_k12"], table["aco_knn"], "more")
    with pytest.raises(ValueError, match="at least 3 algorithms"):
        friedman(table.iloc[:, :2])
    with pytest.raises(ValueError, match="at least 2 datasets"):
        friedman(table.iloc[:1])
    with pytest.raises(ValueError, match="at least 2 datasets"):
        holm(table.iloc[:1], "knn_k12")
