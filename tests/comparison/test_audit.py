"""Denominators and common differences: brute force, published figures, bad input."""

from fractions import Fraction

import pandas as pd
import pytest

from acoibl.comparison import common_differences, fitting_counts, published


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_fitting_counts_by_brute_force(decimals):
    half = Fraction(1, 2 * 10**decimals)
    for percent in ("0", "12.5", "33.3", "66.67", "97.95", "100"):
        shown = round(Fraction(percent), decimals)
        expected = {
            n
            for n in range(1, 60)
            for k in range(n + 1)
            if abs(Fraction(100 * k, n) - shown) <= half
        }
        found = fitting_counts(float(shown), range(1, 60), decimals=decimals)
        assert set(found.index) == expected
        assert all(abs(100 * k / n - float(shown)) <= float(half) + 1e-9 for n, k in found.items())


@pytest.mark.parametrize(
    ("percent", "fraction"),
    [
        (96.77, (30, 31)),
        (93.75, (30, 32)),
        (96.88, (31, 32)),
        (94.12, (32, 34)),
        (93.10, (27, 29)),
        (84.62, (22, 26)),
    ],
)
def test_heart_figures_of_the_feature_selection_paper(percent, fraction):
    counts = fitting_counts(percent, range(1, 60))
    assert counts[fraction[1]] == fraction[0]
    assert 46 not in counts.index


def test_other_figures_of_the_feature_selection_paper():
    wdbc = [93.84, 94.52, 95.21, 95.89, 96.58, 97.26, 97.95, 93.15]
    assert all(146 in fitting_counts(value, [146]).index for value in wdbc)
    thyroid = [97.00, 97.92, 98.25, 98.33, 98.50]
    assert all(1200 in fitting_counts(value, [1200]).index for value in thyroid)
    assert fitting_counts(93.15, [1200]).empty


def test_fitting_counts_bad_input():
    with pytest.raises(ValueError, match="between 0 and 100"):
        fitting_counts(101, [10])
    with pytest.raises(ValueError, match="between 0 and 100"):
        fitting_counts(float("nan"), [10])
    with pytest.raises(ValueError, match="at least 1"):
        fitting_counts(50, [0, 10])
    assert fitting_counts(50, []).empty


def test_plain_gke_of_table_5_stands_out():
    columns = [published(name) for name in ("table3_knn", "table4_dnn", "table5_gke")]
    found = common_differences(pd.concat(columns, axis=1))
    assert len(found) == 36
    assert found.loc[("knn_k12", "gke_s0.40")].to_list() == [7.40, 35]
    equal = found[found["difference"] == 0]["datasets"]
    assert equal[("aco_knn", "ens_aco_knn")] == 19
    assert equal[("aco_dnn", "ens_aco_dnn")] == 17
    assert equal[("aco_gke", "ens_aco_gke")] == 27
    pairs = [("knn_k12", "gke_s0.40"), *equal[equal > 16].index]
    assert found.drop(pairs)["datasets"].max() <= 4


def test_common_differences_take_the_smallest_of_equals():
    scores = pd.DataFrame({"a": [1.0, 2.0, 9.0, 9.0], "b": [1.5, 2.5, 5.0, 5.0]})
    assert common_differences(scores).loc[("a", "b")].to_list() == [-0.5, 2]


def test_common_differences_of_shares_are_those_of_percent():
    percent = published("table5_gke")
    in_percent, of_shares = common_differences(percent), common_differences(percent / 100)
    assert of_shares["datasets"].to_list() == in_percent["datasets"].to_list()
    assert (100 * of_shares["difference"]).round(2).to_list() == in_percent["difference"].to_list()


def test_common_differences_bad_input():
    with pytest.raises(ValueError, match="at least 2 algorithms"):
        common_differences(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(TypeError, match="must be a DataFrame"):
        common_differences([[1.0, 2.0]])
