import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, brier_score_loss, log_loss

from acoibl import ACOIBLClassifier
from acoibl.datasets import load
from acoibl.experiments import (
    Algorithm,
    Split,
    decode_predictions,
    get_profile,
    outcome,
    run,
)
from acoibl.experiments.data import folds_of
from acoibl.experiments.methods.colonies import colony, evaluate_colony, evaluate_plain, plain
from acoibl.experiments.outcomes import calibration_error, class_labels, encode_predictions
from acoibl.experiments.running.results import COLUMNS

TINY = get_profile("smoke", max_iter=4, selection=("pop", "zoo"))
LABELS = ["a", "b", "c"]


def split_of(actual, train=LABELS, labels=LABELS):
    y = pd.Series(pd.Categorical([*train, *actual], categories=labels))
    rows = np.arange(len(y))
    parts = rows[: len(train)], rows[len(train) :]
    return Split(pd.DataFrame({"x": rows}), y, *parts, np.random.SeedSequence(0))


@pytest.fixture
def guess():
    rng = np.random.default_rng(0)
    actual = rng.choice(LABELS, 60, p=[0.6, 0.3, 0.1])
    shares = rng.dirichlet([1, 1, 1], 60)
    shares[0] = [0, 1, 0]  # certain, and wrong for all but "b"
    return actual, shares, np.array(LABELS)[shares.argmax(axis=1)]


def test_scores_are_those_of_scikit_learn(guess):
    actual, shares, predicted = guess
    found = outcome(split_of(actual), predicted, shares)
    assert found["accuracy"] == np.mean(actual == predicted)
    assert found["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(actual, predicted))
    assert found["log_loss"] == pytest.approx(log_loss(actual, shares, labels=LABELS), abs=1e-8)


def test_brier_sums_over_the_classes(guess):
    actual, shares, predicted = guess
    each = [brier_score_loss(actual == label, shares[:, i]) for i, label in enumerate(LABELS)]
    assert outcome(split_of(actual), predicted, shares)["brier"] == pytest.approx(
        sum(each), abs=1e-8
    )


def test_probabilities_in_another_order_of_classes(guess):
    actual, shares, predicted = guess
    ordered = outcome(split_of(actual), predicted, shares)
    assert outcome(split_of(actual), predicted, shares[:, [2, 0, 1]], ["c", "a", "b"]) == ordered


def test_a_class_that_training_lacks_costs_what_scikit_learn_charges():
    actual = ["a", "b", "c"]
    shares = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    found = outcome(split_of(actual, train=["a", "b"]), ["a", "b", "a"], shares, ["a", "b"])
    full = np.column_stack([shares, np.zeros(3)])
    assert found["log_loss"] == pytest.approx(log_loss(actual, full, labels=LABELS), abs=1e-8)
    assert found["log_loss"] > 12  # a third of -log(eps)
    assert found["brier"] == pytest.approx((0.02 + 0.08 + 1.5) / 3)


def test_without_probabilities_there_are_no_scores_of_them(guess):
    actual, _, predicted = guess
    found = outcome(split_of(actual), predicted)
    assert np.isnan([found[name] for name in ("log_loss", "brier", "calibration_error")]).all()


def test_calibration_error_by_hand():
    # Bins: 0.55 and 0.6 (upper edge included) | 0.65 | 1.0.
    confidence = [0.55, 0.6, 0.65, 1.0]
    right = [True, False, False, True]
    expected = (2 * abs(0.5 - 0.575) + 0.65 + 0) / 4
    assert calibration_error(right, confidence) == pytest.approx(expected)


def test_calibration_error_is_small_where_confidence_is_the_chance_and_is_not_elsewhere():
    rng = np.random.default_rng(1)
    confidence = rng.uniform(0.5, 1, 20_000)
    right = rng.random(20_000) < confidence
    assert calibration_error(right, confidence) < 0.02
    assert calibration_error(right, np.full(20_000, 1.0)) == pytest.approx(1 - right.mean())


def test_the_last_bits_of_a_share_do_not_choose_its_bin():
    exact = calibration_error([True, False], [0.5, 0.45])
    assert calibration_error([True, False], [0.5 + 5e-10, 0.45]) == pytest.approx(exact)


@pytest.mark.parametrize("n_labels", [2, 11, 62, 70])
def test_predictions_survive_their_text(n_labels):
    labels = [f"class {number:02}" for number in range(n_labels)]
    predicted = np.random.default_rng(n_labels).choice(labels, 200)
    text = encode_predictions(predicted, labels)
    assert len(text) == 200
    assert decode_predictions(text, labels).tolist() == predicted.tolist()


def test_what_does_not_fit_is_refused(guess):
    actual, shares, predicted = guess
    with pytest.raises(ValueError, match="'d' is no class of the dataset"):
        outcome(split_of(actual), np.where(predicted == "a", "d", predicted))
    with pytest.raises(ValueError, match="59 predictions for 60 test rows"):
        outcome(split_of(actual), predicted[1:])
    with pytest.raises(ValueError, match="shape"):
        outcome(split_of(actual), predicted, shares[:, :2])
    with pytest.raises(ValueError, match="59 rows"):
        outcome(split_of(actual), predicted, shares[1:])


def test_labels_are_those_of_the_whole_dataset():
    data = load("zoo")
    assert class_labels(data.y.iloc[:3]) == data.y.cat.categories.tolist()


@pytest.fixture(scope="module")
def zoo():
    data = load("zoo")
    train, test = folds_of("zoo", 2, None)[0]
    return Split(data.X, data.y, train, test, np.random.SeedSequence(3))


def test_lines_of_a_colony_are_what_the_estimator_answers(zoo):
    settings = colony("knn", "default", TINY).parameters
    basic, ensemble = evaluate_colony(zoo, settings)
    aco = ACOIBLClassifier(max_iter=4, random_state=zoo.seed).fit(zoo.X_train, zoo.y_train)
    for line, predict in ((basic, aco.predict_basic), (ensemble, aco.predict_ensemble)):
        decoded = decode_predictions(line["predictions"], class_labels(zoo.y_test))
        assert decoded.tolist() == predict(zoo.X_test).tolist()
        assert line["train_accuracy"] == np.mean(predict(zoo.X_train) == np.asarray(zoo.y_train))
        assert line["kernel"] == aco.kernel_
    shares = aco.predict_proba(zoo.X_test)
    expected = outcome(zoo, aco.predict_ensemble(zoo.X_test), shares, aco.classes_)
    assert {name: ensemble[name] for name in expected} == expected
    assert basic["log_loss"] != ensemble["log_loss"]


@pytest.mark.parametrize("base", ["knn", "dnn", "gke"])
def test_the_tuned_line_repeats_its_grid_line_and_adds_probabilities(zoo, base):
    *grid, tuned = evaluate_plain(zoo, plain(base).parameters)
    best = max(grid, key=lambda row: row["loo_accuracy"])
    for name in ("accuracy", "balanced_accuracy", "predictions", "train_accuracy"):
        assert tuned[name] == best[name]
    assert np.isnan(best["log_loss"])
    assert tuned["log_loss"] > 0
    assert tuned["seconds"] == pytest.approx(sum(row["seconds"] for row in grid), abs=1e-4)


def test_one_neighbour_knows_its_training_rows(zoo):
    lines = evaluate_plain(zoo, plain("knn").parameters)
    # Rows alike in everything but their class would be wrong; zoo has none.
    assert lines[0]["key_parameter"] == 1
    assert lines[0]["train_accuracy"] == 1
    assert lines[0]["loo_accuracy"] < 1


def test_a_table_has_every_column_and_numbers_where_they_belong(tmp_path):
    rows = run([plain("knn"), colony("knn", "paper", TINY)], TINY, datasets=["zoo"], jobs=1,
               store=tmp_path)  # fmt: skip
    assert rows["predictions"].str.len().eq(rows["n_test"]).all()
    scored = rows[rows["variant"] != "plain"]
    for name in ("log_loss", "brier", "calibration_error", "train_accuracy"):
        assert rows[name].dtype == np.float64
        assert scored[name].notna().all()
    assert rows.loc[rows["variant"] == "plain", "brier"].isna().all()
    assert rows.loc[rows["base"] == "knn", "cpu_seconds"].ge(0).all()
    assert rows.loc[rows["preset"] == "paper", "stopped"].eq("max_iter").all()
    assert rows.loc[rows["preset"] == "", "kernel"].isna().all()
    assert (rows["unit_seconds"] >= rows["seconds"]).all()
    data = load("zoo")
    for fold, (_, test) in enumerate(folds_of("zoo", 2, 150)):
        actual = np.asarray(data.y.iloc[test])
        for line in rows[rows["fold"] == fold].itertuples():
            predicted = decode_predictions(line.predictions, data.y.cat.categories)
            assert np.mean(predicted == actual) == line.accuracy


def with_a_fact(split, parameters):
    """Algorithm of the tests: knows something that no column is meant for."""
    row = {"variant": "only", **outcome(split, split.y_test)}
    return [{**row, "n_selected": len(split.X_train)} if parameters.get("say") else row]


def test_other_facts_of_an_algorithm_become_columns(tmp_path):
    chosen = [Algorithm(name, "none", with_a_fact, {"say": name == "b"}) for name in "ab"]
    rows = run(chosen, TINY, datasets=["zoo"], jobs=1, store=tmp_path)
    assert rows.columns.tolist() == [*COLUMNS, "n_selected"]
    assert rows.loc[rows["algorithm"] == "a", "n_selected"].isna().all()
    said = rows[rows["algorithm"] == "b"]
    assert (said["n_selected"] == said["n_train"]).all()
