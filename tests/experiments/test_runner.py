import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from acoibl import ACOIBLClassifier, GKEClassifier, KNNClassifier
from acoibl.datasets import load
from acoibl.experiments import (
    PROFILES,
    Algorithm,
    RunError,
    Store,
    UnknownNameError,
    folds,
    get_profile,
    run,
)
from acoibl.experiments.methods.colonies import colony, plain
from acoibl.experiments.protocol import seed_sequence
from acoibl.experiments.running.units import Task, configuration
from acoibl.lazy.bases import BASES

TINY = get_profile("smoke", max_iter=4, selection=("pop", "zoo"))
TIMES = ["seconds", "cpu_seconds", "unit_seconds"]


def count(split, parameters):
    """Algorithm of the tests: counts its calls in a file."""
    path = Path(parameters["file"])
    path.write_text("x" * (calls(path) + 1))
    if parameters.get("stop") == calls(path):
        raise KeyboardInterrupt
    if parameters.get("fail") is not None and len(split.X_test) == parameters["fail"]:
        raise ArithmeticError("no luck")
    draw = np.random.default_rng(split.seed).random()
    return [{"variant": "only", "accuracy": draw, "key_parameter": 1}]


def counting(path, **parameters):
    return Algorithm("counting", "knn", count, {"file": str(path), **parameters}, stochastic=True)


def calls(path):
    return len(path.read_text()) if path.is_file() else 0


def test_grids_are_those_of_the_paper():
    assert BASES["knn"].grid == tuple(range(1, 22))
    assert BASES["dnn"].grid[:3] == (0.01, 0.05, 0.1)
    assert (len(BASES["dnn"].grid), BASES["dnn"].grid[-1]) == (21, 1.0)
    assert (len(BASES["gke"].grid), BASES["gke"].grid[0], BASES["gke"].grid[-1]) == (19, 0.01, 0.6)
    np.testing.assert_allclose(BASES["gke"].grid[1:4], [0.0333, 0.0667, 0.1], atol=1e-4)


def test_results_equal_the_estimators_by_hand(tmp_path):
    rows = run([plain("knn"), plain("gke"), colony("knn", "paper", TINY)], TINY, jobs=1,
               datasets=["zoo"], store=tmp_path)  # fmt: skip
    data = load("zoo")
    train, test = folds(data.y, 2)[1]
    X, y = data.X.iloc[train], data.y.iloc[train]
    actual = np.asarray(data.y.iloc[test])

    def row(**wanted):
        chosen = rows[rows["fold"] == 1]
        for column, value in wanted.items():
            chosen = chosen[chosen[column] == value]
        assert len(chosen) == 1
        return chosen.iloc[0]

    knn = KNNClassifier(5).fit(X, y)
    found = row(base="knn", variant="plain", weight_scale="none", key_parameter=5)
    assert found["accuracy"] == np.mean(knn.predict(data.X.iloc[test]) == actual)
    assert found["loo_accuracy"] == np.mean(knn.loo_predict() == np.asarray(y))
    gke = GKEClassifier(0.1, weight_scale="sum_one").fit(X, y)
    found = row(base="gke", variant="plain", weight_scale="sum_one", key_parameter=0.1)
    assert found["accuracy"] == np.mean(gke.predict(data.X.iloc[test]) == actual)

    aco = ACOIBLClassifier(
        "knn", preset="paper", max_iter=4, random_state=seed_sequence("zoo", 1, 0, "knn")
    ).fit(X, y)
    for variant, predict in (("basic", aco.predict_basic), ("ensemble", aco.predict_ensemble)):
        found = row(preset="paper", variant=variant)
        assert found["accuracy"] == np.mean(predict(data.X.iloc[test]) == actual)
        assert found["loo_accuracy"] == aco.loo_accuracy_
        assert found["n_evaluations"] == aco.n_evaluations_


def test_tuned_is_the_first_best_by_leave_one_out(tmp_path):
    rows = run([plain("knn")], TINY, jobs=1, datasets=["pop"], store=tmp_path)
    for _, part in rows.groupby("fold"):
        grid, tuned = part[part["variant"] == "plain"], part[part["variant"] == "tuned"].iloc[0]
        best = grid[grid["loo_accuracy"] == grid["loo_accuracy"].max()].iloc[0]
        assert tuned["key_parameter"] == best["key_parameter"]
        assert tuned["weight_scale"] == best["weight_scale"]
        assert tuned["accuracy"] == best["accuracy"]
    # The scale of equal weights cannot change which rows are the k nearest.
    table = rows[rows["variant"] == "plain"].pivot_table(
        index=["fold", "key_parameter"], columns="weight_scale", values="accuracy"
    )
    assert (table["none"] == table["sum_m"]).all()


def test_balanced_accuracy_goes_over_the_classes_of_the_test_part(tmp_path):
    rows = run([plain("knn")], TINY, jobs=1, datasets=["pop"], store=tmp_path)
    assert rows["balanced_accuracy"].between(0, 1).all()
    assert (rows["balanced_accuracy"] < rows["accuracy"]).any()  # pop is unbalanced


@pytest.mark.slow
def test_results_do_not_depend_on_jobs(tmp_path):
    algorithms = [plain("dnn"), colony("dnn", "default", TINY), colony("knn", "paper", TINY)]
    one = run(algorithms, TINY, jobs=1, store=tmp_path / "one")
    two = run(algorithms, TINY, jobs=2, store=tmp_path / "two")
    pd.testing.assert_frame_equal(one.drop(columns=TIMES), two.drop(columns=TIMES))
    again = run(algorithms, TINY, jobs=2, store=tmp_path / "two")
    pd.testing.assert_frame_equal(two, again)


def test_a_finished_unit_is_never_run_again(tmp_path):
    file, store = tmp_path / "calls", tmp_path / "store"
    first = run([counting(file)], TINY, jobs=1, store=store)
    assert calls(file) == 4  # two datasets, two folds
    pd.testing.assert_frame_equal(first, run([counting(file)], TINY, jobs=1, store=store))
    assert calls(file) == 4
    more = get_profile(TINY, seeds=(0, 1))
    run([counting(file)], more, jobs=1, store=store)
    assert calls(file) == 8  # only the new seed
    run([counting(file)], TINY, jobs=1, store=store, fresh=True)
    assert calls(file) == 12


@pytest.mark.parametrize("change", [{"n_folds": 3}, {"max_rows": 80}])
def test_another_protocol_does_not_mix(tmp_path, change):
    file = tmp_path / "calls"
    run([counting(file)], TINY, jobs=1, datasets=["zoo"], store=tmp_path / "store")
    other = get_profile(TINY, **change)
    rows = run([counting(file)], other, jobs=1, datasets=["zoo"], store=tmp_path / "store")
    assert calls(file) == 2 + len(rows)


def test_the_reading_of_a_preset_is_part_of_the_key(monkeypatch):
    def key():
        return configuration(Task("zoo", colony("knn", "paper", TINY), 0, 0, 2, None))

    before = key()
    monkeypatch.setitem(
        __import__("acoibl.colony", fromlist=["PRESETS"]).PRESETS["paper"], "patience", 51
    )
    assert key() != before


def test_an_interruption_leaves_what_was_finished(tmp_path):
    file, store = tmp_path / "calls", tmp_path / "store"
    with pytest.raises(KeyboardInterrupt):
        run([counting(file, stop=3)], TINY, jobs=1, store=store)
    stored = list(store.glob("*/*.json.gz"))
    assert stored
    rows = run([counting(file, stop=3)], TINY, jobs=1, store=store)
    assert calls(file) == 3 + 2  # two were finished before, the third stopped, two to go
    assert len(rows) == 4


def test_a_unit_that_fails_does_not_stop_the_others(tmp_path):
    file, store = tmp_path / "calls", tmp_path / "store"
    with pytest.raises(RunError, match=r"1 of 4 units failed.*counting on zoo.*no luck"):
        run([counting(file, fail=50)], TINY, jobs=1, store=store)
    assert calls(file) == 4
    with pytest.raises(RunError, match="1 of 1 units"):
        run([counting(file, fail=50)], TINY, jobs=1, store=store)
    assert calls(file) == 5


def test_a_broken_shard_is_computed_again(tmp_path):
    file, store = tmp_path / "calls", tmp_path / "store"
    first = run([counting(file)], TINY, jobs=1, store=store)
    shard = next(store.glob("zoo/*.json.gz"))
    shard.write_bytes(shard.read_bytes()[:-9])
    second = run([counting(file)], TINY, jobs=1, store=Store(store))
    assert calls(file) == 6
    pd.testing.assert_frame_equal(first.drop(columns=TIMES), second.drop(columns=TIMES))


def test_randomness_differs_by_fold_and_dataset(tmp_path):
    rows = run([counting(tmp_path / "calls")], TINY, jobs=1, store=tmp_path / "store")
    assert rows["accuracy"].is_unique


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "smoke"), "unknown experiment 'x'"),
        (("a", "smokes"), "did you mean 'smoke'"),
    ],
)
def test_unknown_names(tmp_path, arguments, message):
    with pytest.raises(UnknownNameError, match=message):
        run(*arguments, store=tmp_path)
    with pytest.raises(UnknownNameError, match="did you mean 'iris'"):
        run("a", "smoke", datasets=["irs"], store=tmp_path)
    with pytest.raises(ValueError, match="jobs"):
        run("a", "smoke", datasets=["iris"], jobs=0, store=tmp_path)


def test_a_run_removes_what_a_killed_one_left(tmp_path):
    left = tmp_path / "store" / "pop" / ".abcd_123.tmp"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    os.utime(left, (0, 0))
    run([counting(tmp_path / "calls")], TINY, datasets=["pop"], jobs=1, store=tmp_path / "store")
    assert not left.exists()


def test_progress_lines(tmp_path, capsys):
    run([counting(tmp_path / "calls")], TINY, jobs=1, store=tmp_path / "s", progress="lines")
    assert "4/4 units" in capsys.readouterr().err
    run([counting(tmp_path / "calls")], TINY, jobs=1, store=tmp_path / "t", progress=False)
    assert capsys.readouterr().err == ""


def test_every_profile_has_both_presets_in_experiment_b():
    from acoibl.experiments import EXPERIMENTS

    names = [algorithm.name for algorithm in EXPERIMENTS["b"].algorithms(PROFILES["quick"])]
    assert len(names) == len(set(names)) == 9
    assert {"plain-gke", "aco-dnn-paper", "aco-dnn-default"} <= set(names)
