import json

import numpy as np
import pandas as pd
import pytest

from acoibl.datasets import load
from acoibl.experiments import (
    Algorithm,
    RunError,
    UnknownNameError,
    get_profile,
    outcome,
    run,
    tables,
)
from acoibl.experiments.methods.colonies import plain
from acoibl.experiments.running.export import ExportError, export, predictions_table
from acoibl.experiments.running.plan import make_plan
from acoibl.experiments.running.progress import reporter, say_time
from acoibl.experiments.running.status import failed_units, say_status, status_table

SIZE = get_profile("smoke", selection=("pop", "zoo"), max_rows=80)


def lottery(split, parameters):
    """Algorithm of the tests: draws classes, or fails on a fold of so many rows."""
    if len(split.X_test) == parameters.get("fail"):
        raise ArithmeticError("no luck")
    labels = np.asarray(split.y_train.cat.categories)
    draw = np.random.default_rng(split.seed)
    draws = {name: draw.choice(labels, len(split.y_test)) for name in ("first", "second")}
    return [
        {"variant": name, "key_parameter": 1, **outcome(split, predicted)}
        for name, predicted in draws.items()
    ]


def algorithms(**parameters):
    return [plain("knn"), Algorithm("lottery", "none", lottery, parameters, stochastic=True)]


def test_standing_counts_what_is_done_missing_and_failed(tmp_path):
    plan = make_plan(algorithms(), SIZE, seeds=[0, 1], store=tmp_path)
    table = status_table(plan)
    assert table[["units", "done", "missing", "failed"]].sum().tolist() == [12, 0, 12, 0]
    assert table["seconds left"].isna().all()
    assert "time left is not known" in say_status(table)[-1]
    run(algorithms(), SIZE, datasets=["pop"], jobs=1, store=tmp_path, progress=False)
    table = status_table(plan)
    assert table.loc[("pop", "lottery"), ["done", "missing"]].tolist() == [2, 2]
    assert table.loc[("pop", "plain-knn"), ["done", "missing"]].tolist() == [2, 0]
    assert table.loc[("zoo", "lottery"), ["done", "missing"]].tolist() == [0, 4]
    assert table.loc[("zoo", "lottery"), "seconds left"] > 0
    assert table.loc[("pop", "plain-knn"), "seconds left"] == 0
    by_dataset, by_algorithm, words = say_status(table, jobs=2)
    assert words.startswith("4 of 12 units are done, 8 missing, 0 failed; about ")
    assert words.endswith("on 2.")
    assert "pop" in by_dataset
    assert "lottery" in by_algorithm
    assert len(say_status(table, full=True)[0].splitlines()) == 1 + 4


def test_failed_units_are_remembered_shown_and_tried_again(tmp_path):
    chosen = algorithms(fail=40)[1:]  # both folds of pop have 40 rows
    with pytest.raises(RunError, match="no luck"):
        run(chosen, SIZE, datasets=["pop"], jobs=1, store=tmp_path, progress=False)
    plan = make_plan(chosen, SIZE, datasets=["pop"], store=tmp_path)
    assert status_table(plan)[["done", "missing", "failed"]].sum().tolist() == [0, 0, 2]
    failed = failed_units(plan)
    assert failed[["fold", "seed"]].to_numpy().tolist() == [[0, 0], [1, 0]]
    assert failed["error"].str.contains("ArithmeticError: no luck").all()
    assert "test_status.py" in failed["error"][0]  # and where
    key = ("pop", "lottery")
    plan.store.save(plan.configs[key], (0, 0), [{"variant": "only", "accuracy": 1.0}])
    assert failed_units(plan)["fold"].tolist() == [1]
    assert len(list(tmp_path.glob("pop/*.failed.json"))) == 1
    plan.store.clear(plan.configs[key])
    assert not list(tmp_path.glob("pop/*"))


def test_a_broken_note_of_a_failure_is_no_obstacle(tmp_path):
    plan = make_plan(algorithms(), SIZE, datasets=["pop"], store=tmp_path)
    config = plan.configs["pop", "lottery"]
    plan.store.save_failure(config, (0, 0), "odd")
    plan.store.save_failure(config, (1, 0), "odd")
    path = next(tmp_path.glob("pop/*-f0-s0.failed.json"))
    path.write_text(json.dumps({"fold": 0}))
    assert plan.store.failures(config) == {(1, 0): "odd"}


def test_coverage_names_datasets_with_fewer_seeds():
    units = [("iris", 0), ("iris", 1), ("nursery", 0)]
    rows = pd.DataFrame(
        {"algorithm": "a", "dataset": name, "seed": seed, "fold": fold}
        for name, seed in units for fold in (0, 1)
    )  # fmt: skip
    assert tables.coverage_table(rows).loc["a"].tolist() == [2, 2, 6, "1 to 2", "nursery"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stored")
    rows = run(algorithms(), SIZE, jobs=1, store=folder, progress=False)
    return rows, make_plan(algorithms(), SIZE, store=folder)


def test_predictions_are_decoded_row_by_row(stored):
    rows, _ = stored
    table = predictions_table(rows[rows["algorithm"] == "lottery"], SIZE)
    keys = ["dataset", "variant", "fold"]
    for (name, variant, fold), part in table.groupby(keys):
        actual = np.asarray(load(name).y.astype(str))
        assert (actual[part["row"]] == part["actual"]).all()
        chosen = (rows[keys] == [name, variant, fold]).all(axis=1)
        share = (part["actual"] == part["predicted"]).mean()
        assert share == pytest.approx(rows.loc[chosen, "accuracy"].item())
    # The folds of a dataset test each of the rows that the cap leaves once.
    for (name, _), part in table.groupby(["dataset", "variant"]):
        assert part["row"].is_unique
        assert len(part) == min(80, len(load(name).y))
    with pytest.raises(ValueError, match="not of the profile 'paper'"):
        predictions_table(rows, "paper")


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_export_gives_back_what_was_found(stored, tmp_path, ending):
    rows, plan = stored
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    read = pd.read_parquet if ending == ".parquet" else pd.read_csv
    (path, count), (second, lines) = export(plan, tmp_path / f"out{ending}", predictions=True)
    found = read(path)
    assert len(found) == count == len(rows)
    for name in ("accuracy", "key_parameter", "log_loss", "seconds"):
        np.testing.assert_array_equal(found[name].astype(float), rows[name])
    assert found["checksum"].tolist() == rows["checksum"].tolist()
    assert second.name == f"out_predictions{ending}"
    each = read(second)
    assert len(each) == lines == rows["n_test"].sum()
    assert (each["actual"].astype(str) == each["predicted"].astype(str)).mean() == pytest.approx(
        np.average(rows["accuracy"], weights=rows["n_test"])
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([path.name, second.name])


def test_export_takes_what_is_there(tmp_path, stored):
    _, plan = stored
    more = make_plan(algorithms(), SIZE, seeds=[0, 1], store=plan.store)
    (_, count), = export(more, tmp_path / "out.csv")  # fmt: skip
    assert count == len(stored[0])


def test_export_says_what_is_wrong(stored, tmp_path, monkeypatch):
    _, plan = stored
    with pytest.raises(UnknownNameError, match=r"must end in \.csv"):
        export(plan, tmp_path / "out.xlsx")
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot write"):
        export(plan, tmp_path / "file" / "out.csv")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"acoibl\[export\]"):
        export(plan, tmp_path / "out.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_log_of_hours_has_a_line_a_minute_at_most(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr("acoibl.experiments.running.progress.time.monotonic", lambda: now[0])
    step, close = reporter("lines", [1.0] * 5000, "Test")
    for _ in range(5000):
        now[0] += 4.0  # five and a half hours in all
        step(1.0)
    close()
    lines = capsys.readouterr().err.splitlines()
    assert 4 * 60 < len(lines) < 5.6 * 60 + 30
    assert lines[0] == "Test: 3/5000 units, 12 s, 15.0 a min, about 5 h 33 min left"
    assert lines[-1] == "Test: 5000/5000 units, 5 h 33 min, 15.0 a min, about 0 s left"


def test_a_bar_has_rate_and_time_left(capsys):
    step, close = reporter("bar", [1.0, 3.0], "Test")
    step(1.0)
    step(3.0)
    close()
    text = capsys.readouterr().err
    assert "100%" in text
    assert " a s, about 0 s left" in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (99.4, "99 s"), (100, "2 min"), (3600, "1 h 00 min"),
                          (47 * 3600, "47 h 00 min"), (49 * 3600, "2 d 01 h")],
)  # fmt: skip
def test_times_are_said_in_the_unit_that_fits(seconds, text):
    assert say_time(seconds) == text


def test_without_computing_only_whole_runs_of_whole_datasets_come_back(tmp_path):
    chosen = algorithms()
    options = {"jobs": 1, "store": tmp_path, "progress": False}
    with pytest.raises(RunError, match="nothing complete is stored"):
        run(chosen, SIZE, **options, compute=False)
    run(chosen, SIZE, datasets=["pop"], seeds=[0, 1], **options)
    run(chosen, SIZE, datasets=["zoo"], algorithms=["plain-knn"], **options)
    wider = get_profile(SIZE, seeds=(0, 1, 2))
    rows = run(chosen, wider, **options, compute=False)
    assert set(rows["dataset"]) == {"pop"}  # the lottery lacks on zoo
    assert set(rows["seed"]) == {0, 1}
    assert tables.coverage_table(rows).loc["lottery"].tolist() == [1, 2, 4, "2", ""]
    campaign = get_profile(wider, campaign=True)
    pd.testing.assert_frame_equal(run(chosen, campaign, **options, compute=None), rows)
    everything = run(chosen, wider, **options, compute=None)
    assert set(everything["dataset"]) == {"pop", "zoo"}


def test_stored_results_need_no_data(tmp_path, monkeypatch):
    options = {"jobs": 1, "store": tmp_path, "progress": False}
    rows = run(algorithms(), SIZE, **options)

    def gone(name, **_):
        raise AssertionError(f"{name} was loaded")

    monkeypatch.setattr("acoibl.datasets.load", gone)
    monkeypatch.setattr("acoibl.experiments.data._load", gone)
    pd.testing.assert_frame_equal(run(algorithms(), SIZE, **options, compute=False), rows)


def test_export_leaves_out_what_has_no_predictions(tmp_path):
    plan = make_plan("stability", "smoke", datasets=["zoo"], store=tmp_path / "store")
    run("stability", "smoke", datasets=["zoo"], algorithms=["stability-random"], jobs=1,
        store=plan.store, progress=False)  # fmt: skip
    files = export(plan, tmp_path / "table.csv", predictions=True)
    assert [count for _, count in files] == [4, 0]
    assert pd.read_csv(files[1][0]).columns[-1] == "predicted"
