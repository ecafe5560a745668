import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from acoibl.coevolution import CHCSelector, CIWNNClassifier
from acoibl.experiments import PROFILES, Split
from acoibl.experiments.methods.ciwnn import PARTS, ciwnn, part
from tests.lazy.test_classifiers import mixed

PROFILE = replace(PROFILES["smoke"], max_iter=400)


def split():
    X, y = mixed(80)
    y = pd.Series(y, dtype="category")
    return Split(X, y, np.arange(60), np.arange(60, 80), np.random.SeedSequence(1))


@pytest.mark.parametrize("preset", ["paper", "keel"])
def test_both_answers_come_from_one_fit(preset):
    algorithm = ciwnn(preset, PROFILE)
    json.dumps(dict(algorithm.parameters))
    rows = algorithm.evaluate(split(), algorithm.parameters)
    assert [row["variant"] for row in rows] == ["selected", "all"]
    X, y = mixed(80)
    bounds = [[0, X["b"].min(), np.nan, np.nan], [1, X["b"].max(), np.nan, np.nan]]
    clf = CIWNNClassifier(
        preset=preset,
        max_evaluations=400,
        bounds=bounds if preset == "keel" else None,
        random_state=np.random.SeedSequence(1),
    ).fit(X[:60], y[:60])
    for row, predicted in zip(
        rows, (clf.predict_selected(X[60:]), clf.predict_all(X[60:])), strict=True
    ):
        assert row["accuracy"] == np.mean(predicted == y[60:])
        assert row["reduction"] == clf.reduction_
        assert row["n_evaluations"] == clf.n_evaluations_
        json.dumps(row)
    assert 0 <= rows[0]["selection_evaluations"] < rows[0]["n_evaluations"]


def test_changes_are_named():
    algorithm = ciwnn("paper", PROFILE, fast_threshold=True)
    assert algorithm.name == "ciwnn-paper-fast_threshold-True"
    assert algorithm.parameters["settings"]["fast_threshold"] is True
    assert algorithm.parameters["preset"] == "paper-fast_threshold-True"


@pytest.mark.parametrize("name", list(PARTS))
def test_parts(name):
    algorithm = part(name, PROFILE)
    (row,) = algorithm.evaluate(split(), algorithm.parameters)
    assert row["n_evaluations"] == 400
    assert (row["reduction"] > 0) == (name == "is-chc")
    assert 0 <= row["accuracy"] <= 1


def test_the_selector_says_its_settings_and_the_others_keep_their_names():
    assert part("fw-ssga", PROFILE).parameters == {"preset": "fw-ssga", "max_evaluations": 400}
    settings = part("is-chc", PROFILE).parameters["settings"]
    own = {"max_evaluations", "categorical_features", "random_state", "callback", "time_limit"}
    assert settings.keys() | own == CHCSelector().get_params().keys()
    assert CHCSelector(**settings).get_params() == CHCSelector().get_params()
    json.dumps(settings)
