"""One call for all: its tables are those of the single functions, and of the paper's text."""

import sys

import numpy as np
import pandas as pd
import pytest

from acoibl.comparison import (
    average_ranks,
    bayesian_signed_rank,
    compare,
    critical_difference,
    friedman,
    holm,
    published,
    wilcoxon,
    wins,
)


def test_tables_are_those_of_the_single_functions():
    scores = published("table9_all")
    result = compare(scores, "ciw_nn", rope=None)
    summary = result.summary
    assert summary["average rank"].is_monotonic_increasing
    pd.testing.assert_series_equal(
        summary["average rank"][scores.columns], average_ranks(scores), check_names=False
    )
    pd.testing.assert_series_equal(summary["wins"][scores.columns], wins(scores), check_names=False)
    for row, correct in (("corrected for ties", True), ("not corrected", False)):
        test = friedman(scores, correct)
        assert result.friedman.loc[row, ["statistic", "p", "df"]].to_list() == list(test)
    steps = holm(scores, "ciw_nn")
    assert result.holm.index.to_list() == steps.index.to_list()
    for ours, theirs in {"z": "z", "p": "pvalue", "adjusted p": "adjusted"}.items():
        pd.testing.assert_series_equal(
            result.holm[ours], steps[theirs], check_names=False, check_index=True
        )
    assert len(result.wilcoxon) == 21
    for (first, second), line in result.wilcoxon.iterrows():
        test = wilcoxon(scores[first], scores[second])
        assert (line["z"], line["p"], line["n"]) == test
        assert line["better"] + line["worse"] == test.n
        assert line["better"] + line["equal"] + line["worse"] == 36
        assert line["mean difference"] == pytest.approx((scores[first] - scores[second]).mean())
        assert line["adjusted p"] >= line["p"]
    assert result.bayes is None
    assert result.critical_difference.cliques == critical_difference(scores).cliques


# Sections 9.1.2 and 9.1.3: "better in 15 datasets, and worse in only 2, with 19 ties", ...
@pytest.mark.parametrize(
    ("table", "ensemble", "basic", "plain", "printed", "best"),
    [
        ("table3_knn", "ens_aco_knn", "aco_knn", "knn_k12", (15, 19, 2), 25),
        ("table4_dnn", "ens_aco_dnn", "aco_dnn", "dnn_d0.45", (14, 17, 5), 25),
        ("table5_gke", "ens_aco_gke", "aco_gke", "gke_s0.40", (8, 27, 1), 30),
    ],
)
def test_counts_in_the_papers_text(table, ensemble, basic, plain, printed, best):
    scores = published(table)
    result = compare(scores[[ensemble, basic, plain]], rope=None)
    assert result.control == ensemble
    line = result.wilcoxon.loc[(ensemble, basic)]
    assert (line["better"], line["equal"], line["worse"]) == printed
    # "The highest accuracy was obtained by one of the two versions"; shared with plain once.
    assert (scores[[ensemble, basic]].max(axis=1) >= scores[plain]).sum() == best


def test_counts_for_ciw_nn_in_the_papers_text():
    line = compare(published("table9_all"), rope=None).wilcoxon.loc[("ens_aco_knn", "ciw_nn")]
    assert (line["better"], line["equal"], line["worse"], line["n"]) == (21, 1, 14, 35)
    assert round(line["z"], 2) == -2.05


def test_bayes_is_the_control_against_each_other():
    pytest.importorskip("baycomp", reason="baycomp is not installed (the extra 'bayes')")
    scores = published("table3_knn")
    result = compare(scores, "ens_aco_knn", rope=2.0, random_state=5)
    assert result.bayes.columns.to_list() == ["control", "rope", "other"]
    for other, line in result.bayes.iterrows():
        expected = bayesian_signed_rank(
            scores["ens_aco_knn"], scores[other], rope=2.0, random_state=5
        )
        assert tuple(line) == expected
    # With errors instead of accuracies the same algorithm is better.
    errors = compare(100 - scores, "ens_aco_knn", rope=2.0, random_state=5, higher_is_better=False)
    np.testing.assert_allclose(errors.bayes, result.bayes, atol=0.01)


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_shares_have_the_rope_of_percent(higher_is_better):
    pytest.importorskip("baycomp", reason="baycomp is not installed (the extra 'bayes')")
    percent = published("table3_knn")
    if not higher_is_better:
        percent = 100 - percent
    in_percent = compare(percent, higher_is_better=higher_is_better)
    shares = compare(percent / 100, higher_is_better=higher_is_better)
    assert (in_percent.rope, shares.rope) == (1.0, 0.01)
    pd.testing.assert_frame_equal(in_percent.bayes, shares.bayes)
    assert shares.bayes["control"].max() > 0.5


def test_a_rope_that_covers_every_difference_is_refused():
    shares = pd.DataFrame({"a": [0.9, 0.92, 0.88], "b": [0.5, 0.52, 0.48]})
    for rope in (1.0, 0.5):
        with pytest.raises(ValueError, match=r"one point is rope=0\.01"):
            compare(shares, rope=rope)
    for scores in (3 * shares, -shares, 200 * shares):  # log-losses, say, or seconds
        with pytest.raises(ValueError, match="may not be accuracies; give rope="):
            compare(scores)
        assert compare(scores, rope=None).rope is None
    with pytest.raises(ValueError, match="or 'auto', not 'wide'"):
        compare(shares, rope="wide")


def test_columns_of_several_levels_are_refused():
    scores = published("table3_knn")
    scores.columns = pd.MultiIndex.from_product([["accuracy"], scores.columns])
    for function in (compare, average_ranks, wins, friedman, critical_difference):
        with pytest.raises(ValueError, match="2 levels, but an algorithm needs one name"):
            function(scores)
    assert compare(scores["accuracy"], rope=None).control == "ens_aco_knn"


def test_datasets_may_have_several_levels():
    scores = published("table3_knn")
    flat = compare(scores, rope=None)
    scores.index = pd.MultiIndex.from_product([scores.index, [0]])
    deep = compare(scores, rope=None)
    for name in ("summary", "friedman", "holm", "wilcoxon"):
        pd.testing.assert_frame_equal(getattr(flat, name), getattr(deep, name))


def test_without_baycomp_the_rest_is_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "baycomp", None)
    result = compare(published("table3_knn"))
    assert result.bayes is None
    assert len(result.holm) == 2


def test_errors_count_the_other_way_round():
    scores = published("table4_dnn")
    here = compare(scores, rope=None)
    there = compare(100 - scores, rope=None, higher_is_better=False)
    for name in ("friedman", "holm"):
        pd.testing.assert_frame_equal(getattr(here, name), getattr(there, name))
    same = ["better", "equal", "worse", "n", "z", "p", "adjusted p", "significant"]
    pd.testing.assert_frame_equal(here.wilcoxon[same], there.wilcoxon[same])
    moved = ["mean difference", "median difference"]
    pd.testing.assert_frame_equal(here.wilcoxon[moved], -there.wilcoxon[moved])
    assert here.critical_difference.cliques == there.critical_difference.cliques


def test_two_algorithms_have_no_omnibus_test():
    scores = published("table9_all")[["ens_aco_knn", "ciw_nn"]]
    result = compare(scores, rope=None)
    assert result.friedman.empty
    assert result.friedman.columns.to_list() == ["statistic", "df", "p", "significant"]
    assert len(result.holm) == len(result.wilcoxon) == 1
    assert result.sentence() == (
        "Over 36 datasets ens_aco_knn has the best average rank (1.40 of 2); Holm's procedure at "
        "0.05 tells apart from ens_aco_knn: none."
    )


def test_sentence_says_in_which_direction():
    text = compare(published("table5_gke"), "gke_s0.40", rope=None).sentence()
    assert "apart from gke_s0.40: ens_aco_gke (better), aco_gke (better)." in text


def test_bad_input_is_named():
    scores = published("table3_knn")
    with pytest.raises(ValueError, match="unknown control 'knn'"):
        compare(scores, "knn")
    with pytest.raises(ValueError, match="at least 2 algorithms"):
        compare(scores[["knn_k12"]])
    with pytest.raises(ValueError, match="at least 2 datasets"):
        compare(scores.iloc[:1])
    with pytest.raises(ValueError, match=r"missing or infinite.*dropna"):
        compare(scores.replace(94.20, np.nan))
    with pytest.raises(TypeError, match="must be numbers"):
        compare(scores.astype({"knn_k12": str}))
    with pytest.raises(ValueError, match="dataset twice"):
        compare(pd.concat([scores, scores]))
    with pytest.raises(ValueError, match="alpha must lie"):
        compare(scores, alpha=2)
    with pytest.raises(ValueError, match="'nemenyi' or 'holm'"):
        compare(scores, method="t", rope=None)
