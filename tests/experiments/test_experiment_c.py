"""Experiment C: the paper's own figures, taken as measured, give the paper's conclusions."""

import pandas as pd
import pytest

from acoibl.comparison import published
from acoibl.experiments.tables import experiment_c
from acoibl.experiments.tables.scores import PAPER_VARIANTS
from acoibl.lazy.bases import BASES

COLUMNS = ["dataset", "base", "preset", "variant", "weight_scale", "key_parameter", "accuracy"]


def as_rows(table, names):
    """Rows of results, one fold and seed, from a table of percentages; names: base, preset, ..."""
    lines = [
        [dataset, *names[column], value / 100]
        for column in table.columns
        if column in names
        for dataset, value in table[column].items()
    ]
    rows = pd.DataFrame(lines, columns=COLUMNS)
    return rows.assign(fold=0, seed=0, n_test=1)


@pytest.fixture(scope="module")
def rows():
    parts = []
    for base, name in (("knn", "table3_knn"), ("dnn", "table4_dnn"), ("gke", "table5_gke")):
        table = published(name).set_axis(PAPER_VARIANTS, axis=1)
        table["worse"] = table["plain"] - 5
        table["tuned"] = table["plain"]
        best = BASES[base].published_best
        names = {
            "basic": (base, "paper", "basic", "none", 3.0),
            "ensemble": (base, "paper", "ensemble", "none", 3.0),
            "plain": (base, "", "plain", "none", best),
            "worse": (base, "", "plain", "none", BASES[base].grid[0]),
            "tuned": (base, "", "tuned", "none", best),
        }
        parts.append(as_rows(table, names))
    rival = {"ciw_nn": ("ciwnn", "paper", "selected", "", 1.0)}
    parts.append(as_rows(published("table9_all"), rival))
    return pd.concat(parts, ignore_index=True)


def test_published_figures_give_the_published_conclusions(rows):
    table = experiment_c.conclusions(rows, "paper")
    verdicts = table["verdict"].to_dict()
    unchecked = [name for name, verdict in verdicts.items() if verdict.startswith("cannot")]
    assert unchecked == ["GKE: the ensemble ranks better than plain (Holm, 0.05)"]
    assert {verdict for name, verdict in verdicts.items() if name not in unchecked} == {"holds"}
    last = table.loc["The ensemble with k-NN is better than CIW-NN (Wilcoxon, one-sided, 0.05)"]
    assert last["published"] == "p = 0.0203"


def test_a_literal_colony_that_is_worse_does_not_hold(rows):
    worse = rows.copy()
    colony = (worse["base"] == "knn") & (worse["variant"] == "ensemble")
    worse.loc[colony, "accuracy"] -= 0.2
    verdicts = experiment_c.conclusions(worse, "paper")["verdict"]
    assert verdicts["k-NN: the ensemble ranks better than plain (Holm, 0.05)"] == "does not hold"
    assert verdicts.iloc[-1] == "does not hold"


def test_table_9_and_10(rows):
    scores = experiment_c.table9_scores(rows, "paper")
    assert scores.shape == (36, 7)
    table = experiment_c.table9(scores)
    # Table 9 prints another figure than Table 5 for ecoli with ACO-GKE.
    differences = experiment_c.table9_differences(scores).drop(index=["mean", "median"])
    assert differences.abs().gt(1e-6).sum().sum() == 1
    assert differences.loc["ecoli", "aco_gke"] == pytest.approx(0.63)
    assert table.loc["wins", "ens_aco_knn"] == table.loc["wins, published", "ens_aco_knn"]
    pair = experiment_c.table10(scores)
    assert pair.loc["measured", ["better", "equal", "worse", "pairs"]].tolist() == [21, 1, 14, 35]
    pd.testing.assert_series_equal(
        pair.loc["measured"], pair.loc["published"], check_names=False, rtol=1e-9
    )


def test_z_says_who_is_better(rows):
    scores = experiment_c.table9_scores(rows, "paper")
    there = experiment_c.table10(scores, "ciw_nn", "ens_aco_knn").loc["measured"]
    here = experiment_c.table10(scores).loc["measured"]
    assert here["z"] == pytest.approx(-2.0474, abs=1e-4) == -there["z"]


def test_missing_results_are_named(rows):
    with pytest.raises(ValueError, match="no results for column 'ciw_nn'"):
        experiment_c.table9_scores(rows[rows["base"] != "ciwnn"], "paper")
    assert len(experiment_c.conclusions(rows[rows["base"] != "ciwnn"], "paper")) == 12
