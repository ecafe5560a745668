import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from acoibl.experiments import PROFILES, Split, run
from acoibl.experiments.methods.ranking_problems import problems, ranking_datasets
from acoibl.experiments.methods.rankings import RANKINGS, random_ranks, ranking, stability
from acoibl.experiments.tables import rankings as tables
from acoibl.margins import DoublyWeightedKNN, Simba, kuncheva_index
from tests.lazy.test_classifiers import mixed

PROFILE = replace(PROFILES["smoke"], n_folds=3)


def split(seed=1, n=80):
    X, y = mixed(n)
    y = pd.Series(y, dtype="category")
    rows = np.arange(n)
    return Split(X, y, rows[: n // 2], rows[n // 2 :], np.random.SeedSequence(seed))


@pytest.mark.parametrize("method", RANKINGS)
def test_a_unit_is_a_repetition(method):
    algorithm = ranking(method)
    json.dumps(dict(algorithm.parameters))
    lines = algorithm.results(split())
    assert [line["variant"] for line in lines] == ["half-1", "half-2"]
    assert not any("predictions" in line for line in lines)  # of halves, not of test parts
    for line in lines:
        json.dumps(line)
        assert sorted(line["ranking"]) == [1, 2, 3, 4]
        assert 0 <= line["inner_error"] <= 1
        assert 0 <= line["least_weight"] <= 1
    again = algorithm.results(split())
    for line, other in zip(lines, again, strict=True):  # times differ, nothing else
        assert {k: v for k, v in line.items() if "seconds" not in k} == {
            k: v for k, v in other.items() if "seconds" not in k
        }


def test_methods_see_the_same_halves_and_units_others(monkeypatch):
    import acoibl.experiments.methods.rankings as module

    seen = {}

    def spy(method, part):
        seen.setdefault(method, []).append(part.train.tolist())
        return np.ones(part.X_train.shape[1]), np.ones(len(part.y_train))

    monkeypatch.setattr(module, "_score", spy)
    for method in ("simba", "relief"):
        ranking(method).results(split())
    assert seen["simba"] == seen["relief"]
    assert sorted(seen["simba"][0] + seen["simba"][1]) == list(range(80))
    ranking("random").results(split(seed=2))
    assert seen["random"] != seen["simba"]


def test_it_is_the_estimators():
    """What is stored is what the estimators give to a user."""
    X, y = mixed(80)
    y = pd.Series(y, dtype="category")
    part = split()
    lines = ranking("simba").results(part)
    halves_seed, draws = (int(word) for word in part.seed.generate_state(2))
    from acoibl.experiments import folds

    for half, (test, train) in enumerate(folds(y, 2, random_state=halves_seed)):
        selector = Simba(random_state=np.random.SeedSequence((draws, half)))
        knn = DoublyWeightedKNN(5, selector=selector).fit(X.iloc[train], y.iloc[train])
        assert lines[half]["accuracy"] == knn.score(X.iloc[test], y.iloc[test])
        assert lines[half]["least_weight"] == knn.feature_weights_.min()
        assert lines[half]["ranking"] == knn.selector_.ranking_.tolist()


def test_equal_scores_are_ranked_at_random():
    rng = np.random.default_rng(0)
    scores = np.array([0.0, 0.0, 1.0, 0.0])
    ranks = np.array([random_ranks(scores, rng) for _ in range(300)])
    assert (ranks[:, 2] == 1).all()
    assert np.abs(ranks.mean(axis=0)[[0, 1, 3]] - 3).max() < 0.2


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    store = tmp_path_factory.mktemp("stability")
    algorithms = stability(PROFILE)
    rows = run(algorithms, PROFILE, datasets=["iris", "hay"], jobs=1, store=store, progress=False)
    return rows, tables.ranking_runs(rows)


def test_stored_rankings_come_back(stored):
    rows, runs = stored
    assert len(runs) == len(rows) == 2 * len(RANKINGS) * 3 * 2
    merged = rows.assign(method=rows["algorithm"].str.removeprefix("stability-")).merge(
        runs, left_on=["dataset", "method", "fold", "variant"],
        right_on=["dataset", "method", "repetition", "half"],
    )  # fmt: skip
    assert len(merged) == len(rows)
    np.testing.assert_allclose(merged["error"], 1 - merged["accuracy"])
    assert (runs.loc[runs["dataset"] == "iris", "ranking"].map(len) == 4).all()


def test_curves_and_means(stored):
    _, runs = stored
    curve = tables.curves(runs, "iris")
    assert list(curve.index) == [1, 2, 3]
    assert list(curve.columns) == list(RANKINGS)
    mine = runs[(runs["dataset"] == "iris") & (runs["method"] == "simba")]["ranking"]
    assert curve.loc[2, "simba"] == pytest.approx(
        kuncheva_index([np.flatnonzero(r <= 2) for r in mine], 4)
    )
    mean = tables.means(runs, "stability")
    assert list(mean.index) == ["iris", "hay"]
    np.testing.assert_allclose(mean.loc["iris"], curve.mean())
    few = tables.means(runs, "stability", share=0.25)
    np.testing.assert_allclose(few.loc["iris"], curve.loc[1])
    errors = tables.means(runs, "error")
    assert errors.loc["iris", "simba"] == pytest.approx(
        runs[(runs["dataset"] == "iris") & (runs["method"] == "simba")]["error"].mean()
    )
    with pytest.raises(ValueError, match="measure must be"):
        tables.means(runs, "speed")


@pytest.mark.parametrize("test", ["wilcoxon", "5x2"])
@pytest.mark.parametrize("measure", tables.MEASURES)
def test_counts(stored, test, measure):
    _, runs = stored
    methods = ["order-sum_one", "random"]
    table = tables.counts(runs, methods, measure=measure, test=test)
    assert (table[["better", "equal", "worse"]].sum(axis=1) == 2).all()
    assert (table["low"] <= table["mean"]).all()
    assert (table["mean"] <= table["high"]).all()
    own = tables.against(runs, "simba", measure=measure, test=test)
    assert (own["verdict"] == "equal").all()
    assert (own["pvalue"] == 1).all()
    with pytest.raises(ValueError, match="test must be"):
        tables.against(runs, "random", test="t")


def test_better_is_less_error_and_more_stability():
    lines = []
    for repetition in range(5):
        for half in ("half-1", "half-2"):
            noise = 0.001 * (2 * repetition + (half == "half-2"))
            lines += [
                ("d", "simba", repetition, half, np.random.default_rng(len(lines)).permutation(20)
                 + 1, 0.3 + noise, 0.3, 0.0, 0.0),
                ("d", "relief", repetition, half, np.arange(1, 21), 0.1 - noise, 0.3, 0.0, 0.0),
            ]  # fmt: skip
    columns = ["dataset", "method", "repetition", "half", "ranking", "error", "inner_error",
               "least_weight", "seconds"]  # fmt: skip
    runs = pd.DataFrame(lines, columns=columns)
    for test in ("wilcoxon", "5x2"):
        for measure in ("stability", "error"):
            table = tables.against(runs, "relief", measure=measure, test=test)
            assert table.loc["d", "verdict"] == "better", (test, measure)
            table = tables.against(runs, "simba", "relief", measure=measure, test=test)
            assert table.loc["d", "verdict"] == "worse"
    assert tables.against(runs, "relief", measure="inner_error").loc["d", "verdict"] == "equal"
    # exact signed ranks of ten differences of one sign
    wilcoxon = tables.against(runs, "relief", measure="error").loc["d", "pvalue"]
    assert wilcoxon == pytest.approx(2 / 2**10)


def test_combined_f_is_alpaydins():
    """Worked with the formula of the paper: sum of squares over twice the sum of variances."""
    gaps = np.array([[0.1, 0.3], [0.2, 0.2], [0.1, 0.1], [0.0, 0.2], [0.3, 0.1]])
    from scipy.stats import f

    variances = ((gaps - gaps.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    expected = f.sf((gaps**2).sum() / (2 * variances.sum()), 10, 5)
    assert tables._combined_f(gaps) == pytest.approx(expected)


def test_agreement(stored):
    _, runs = stored
    table = tables.agreement(runs, "order-sum_one")
    assert list(table.index) == ["iris", "hay"]
    assert table["random"].abs().max() < 0.7
    assert table.loc["iris", "simba-small"] > 0.5
    assert (table.abs() <= 1).all(axis=None)


def test_problems_of_table_1():
    table = problems()
    assert table["kind"].value_counts().to_dict() == {"UCI": 15, "microarray": 6, "NIPS 2003": 5}
    assert table.loc["Madelon", ["d", "C", "N"]].tolist() == [500, 2, 2600]
    assert (table.loc[table["dataset"] == "", "note"] != "").all()  # says how to get it
    assert not table.loc[table["dataset"] == "", "at hand"].any()
    assert set(ranking_datasets("quick")) >= {"pima", "sonar", "satimage"}
    assert ranking_datasets(PROFILES["smoke"]) == ["glass", "sonar"]
