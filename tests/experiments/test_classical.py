import json

import numpy as np
import pytest

from acoibl.datasets import load
from acoibl.experiments import PROFILES, Split, folds
from acoibl.experiments.methods import classical as module
from acoibl.experiments.methods.classical import CLASSICAL, classical
from acoibl.lazy import KNNClassifier

SMOKE = {item.parameters["method"]: item for item in classical(PROFILES["smoke"])}
PAPER = {item.parameters["method"]: item for item in classical(PROFILES["paper"])}
TIMES = ("seconds", "cpu_seconds")


def split_of(name, fold=0, seed=0):
    data = load(name)
    train, test = folds(data.y, 5)[fold]
    return Split(data.X, data.y, train, test, np.random.SeedSequence(seed))


def evaluate(item, split):
    (row,) = item.evaluate(split, item.parameters)
    json.dumps(row)
    return {key: value for key, value in row.items() if key not in TIMES}


def test_names_and_parameters():
    assert [item.name for item in PAPER.values()] == [f"comparator-{name}" for name in CLASSICAL]
    for name, item in PAPER.items():
        assert json.loads(json.dumps(item.parameters)) == item.parameters
        searches = name in ("ssma", "tabu", "gocbr")
        assert item.stochastic == searches
        assert item.parameters["settings"].get("max_evaluations") == (10_000 if searches else None)
        assert "random_state" not in item.parameters["settings"]


@pytest.mark.parametrize("name", CLASSICAL)
@pytest.mark.parametrize("dataset", ["iris", "hay", "hepatitis"])
def test_each_gives_one_complete_line(name, dataset):
    split = split_of(dataset)
    row = evaluate(SMOKE[name], split)
    assert row == evaluate(SMOKE[name], split)
    assert row["variant"] == "comparator"
    assert len(row["predictions"]) == len(split.y_test)
    assert row["accuracy"] > (0.85 if dataset == "iris" else 0.4)
    assert np.isfinite(row["log_loss"])
    assert 0 < row["loo_accuracy"] <= 1
    if name in ("ssma", "wdnn", "gocbr"):
        assert row["reduction"] > 0.3
    else:
        assert row["reduction"] == 0


def test_the_plain_rule_is_the_plain_classifier():
    split = split_of("iris", fold=2)
    plain = KNNClassifier(1, ties="strict").fit(split.X_train, split.y_train)
    row = evaluate(SMOKE["1nn"], split)
    assert row["accuracy"] == plain.score(split.X_test, split.y_test)


def test_searches_follow_the_seed():
    rows = [evaluate(SMOKE["ssma"], split_of("hepatitis", seed=seed)) for seed in (0, 1)]
    assert rows[0] != rows[1]


def test_budgets():
    for name in ("ssma", "tabu", "gocbr"):
        assert evaluate(SMOKE[name], split_of("iris"))["n_evaluations"] in (200, 201)
        make = module._make
        small, large = (make(PAPER[name].parameters, n).max_evaluations for n in (1400, 2000))
        assert small == 10_000
        assert large == (10_000 if name == "ssma" else 5_000)
        assert make(PAPER[name].parameters, 10**6).max_evaluations in (200, 10_000)
