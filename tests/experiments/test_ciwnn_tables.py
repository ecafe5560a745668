import numpy as np
import pandas as pd
import pytest

from acoibl.experiments import get_profile, run
from acoibl.experiments.tables.ciwnn import (
    ciwnn_settings_table,
    classical_reduction,
    classical_scores,
    constant_column_table,
    selection_budget_table,
)

SMALL = get_profile("smoke", max_iter=300)


def line(preset, variant, accuracy, dataset="iris", **more):
    return {
        "dataset": dataset, "base": "ciwnn", "preset": preset, "variant": variant, "fold": 0,
        "seed": 0, "accuracy": accuracy, "reduction": 0.9, "selection_evaluations": 10,
        "n_evaluations": 200, "n_train": 100, "n_test": 50, **more,
    }  # fmt: skip


def test_a_setting_is_compared_on_what_it_shares_with_its_preset():
    rows = pd.DataFrame([
        line("keel", "selected", 0.8),
        line("keel", "all", 0.9),
        line("keel", "selected", 0.2, "zoo"),
        line("keel", "all", 0.2, "zoo"),
        line("keel", "selected", 0.1, seed=1),
        line("keel-refresh_best-True", "selected", 0.7, reduction=0.95, selection_evaluations=40),
        line("keel-refresh_best-True", "all", 0.95, reduction=0.95, selection_evaluations=40),
    ])  # fmt: skip
    table = ciwnn_settings_table(rows)
    assert table.index.tolist() == [("keel", "as it is"), ("keel", "refresh_best = True")]
    changed = table.loc[("keel", "refresh_best = True")]
    assert changed["", "datasets"] == 1
    assert changed["accuracy, kept rows", "mean"] == pytest.approx(70)
    assert changed["accuracy, kept rows", "difference"] == pytest.approx(-10)
    assert changed["accuracy, all rows", "difference"] == pytest.approx(5)
    assert changed["reduction", "difference"] == pytest.approx(5)
    assert changed["selections", "judged"] == 40
    assert (table.iloc[0].xs("difference", level=1) == 0).all()


def test_shares_of_evaluations_are_sorted_by_size():
    rows = pd.DataFrame([
        line("keel", "selected", 0.8, "zoo", selection_evaluations=0, n_train=300),
        line("keel", "selected", 0.8),
        line("keel", "all", 0.8),
        line("paper", "selected", 0.8, selection_evaluations=50),
    ])  # fmt: skip
    table = selection_budget_table(rows)
    assert table.index.tolist() == ["iris", "zoo"]
    assert table["training rows"].tolist() == [100, 300]
    assert table["keel"].tolist() == [5, 0]
    assert table["paper"].tolist()[0] == 25
    assert np.isnan(table["paper"].tolist()[1])


def test_one_class_answers_where_a_column_is_constant():
    table = constant_column_table(["iris", "ionosphere"], get_profile("paper"))
    assert table.index.tolist() == ["ionosphere"]  # its second column is 0 everywhere
    assert table.loc["ionosphere", "constant in a training part"] == 1
    assert table.loc["ionosphere", "constant in all rows"] == 1
    # The first row is of the larger class, and stays in the training part or is replaced by
    # the next row, of the other class: one fold of ten.
    assert 55 < table.loc["ionosphere", "accuracy of one class"] < 65


def test_classical_methods_are_compared_on_the_datasets_of_all():
    rows = pd.DataFrame([
        line("keel", "selected", 0.8, algorithm="ciwnn-keel", reduction=0.8),
        line("keel", "all", 0.9, algorithm="ciwnn-keel", reduction=0.8),
        line("keel", "selected", 0.2, "zoo", algorithm="ciwnn-keel", reduction=0.1),
        line("keel", "all", 0.2, "zoo", algorithm="ciwnn-keel", reduction=0.1),
        line("", "comparator", 0.7, algorithm="comparator-tabu", base="comparator", reduction=0.0),
        line("is-chc", "part", 0.6, algorithm="part-is-chc", reduction=0.5),
    ])  # fmt: skip
    scores = classical_scores(rows)
    assert scores.index.tolist() == ["iris"]
    assert scores.loc["iris"].to_dict() == pytest.approx({
        "CIW-NN, keel": 80, "CIW-NN, keel, all rows": 90, "TS/KNN": 70, "rows alone (CHC)": 60,
    })  # fmt: skip
    assert classical_reduction(rows, scores.index).to_dict() == pytest.approx({
        "CIW-NN, keel": 80, "CIW-NN, keel, all rows": 0, "TS/KNN": 0, "rows alone (CHC)": 50,
    })  # fmt: skip


def test_readings_of_ciwnn_run_and_make_a_table(tmp_path):
    rows = run(
        "readings", SMALL, datasets=["iris"], algorithms=["ciwnn-*"], store=tmp_path, jobs=1,
        progress=False,
    )  # fmt: skip
    table = ciwnn_settings_table(rows)
    assert len(table) == 9
    assert table["reduction", "mean"].between(0, 100).all()
    assert (table["selections", "judged"] >= 0).all()
