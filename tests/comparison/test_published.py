"""The published tables: shapes, numbers, and what an audit of them finds."""

import pandas as pd
import pytest

from acoibl.comparison import published

ACCURACIES = ["table3_knn", "table4_dnn", "table5_gke", "table9_all"]


def test_counts_are_integers():
    table = published("table2_datasets")
    assert table.shape == (36, 5)
    assert all(pd.api.types.is_integer_dtype(dtype) for dtype in table.dtypes)
    assert table.loc[["nursery", "car", "iris"], "instances"].to_list() == [12960, 1728, 150]
    numeric, categorical = table["features_numeric"], table["features_categorical"]
    assert (numeric + categorical == table["features_total"]).all()


@pytest.mark.parametrize("name", ACCURACIES)
def test_accuracies_are_percentages_of_the_same_datasets(name):
    table = published(name)
    assert table.index.equals(published("table2_datasets").index)
    assert ((table > 0) & (table <= 100)).all(axis=None)


def test_table_9_repeats_tables_3_to_5_but_for_one_number():
    all_algorithms = published("table9_all")
    for name in ACCURACIES[:3]:
        shared = published(name).iloc[:, :2]
        differs = shared != all_algorithms[shared.columns]
        assert differs.index[differs.any(axis=1)].to_list() == (
            ["ecoli"] if name == "table5_gke" else []
        )
    gke = [published("table5_gke"), all_algorithms]
    assert [table.loc["ecoli", "aco_gke"] for table in gke] == [70.81, 70.18]


def test_plain_gke_column_is_the_knn_column_shifted():
    shift = (published("table3_knn")["knn_k12"] - published("table5_gke")["gke_s0.40"]).round(2)
    assert (shift == 7.40).sum() == 35
    assert shift["ecoli"] == 6.50


@pytest.mark.parametrize("name", ["table1", "../published/table3_knn", "table3_knn.csv", ""])
def test_unknown_table_lists_the_known_ones(name):
    with pytest.raises(ValueError, match=r"there are .*'table3_knn'"):
        published(name)
