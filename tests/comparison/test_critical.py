"""Critical differences: Demsar's worked example, tables and peers, cliques, bad input."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from scipy import stats

from acoibl.comparison import average_ranks, critical_difference, friedman, holm, published

# AUC of four variants of C4.5 on 14 datasets, Table 6 of J. Demsar, JMLR 7 (2006), 1-30. In
# "voting" the two last ones are both printed as 0.975, but are ranked 2 and 3 there.
DEMSAR = pd.DataFrame(
    {
        "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
        "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
        "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975.01, 946],
        "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 975, 970],
    }
).div(1000)


def random_scores(n_datasets, k, seed=0, slope=0.2):
    values = np.random.default_rng(seed).normal(size=(n_datasets, k)) - slope * np.arange(k)
    return pd.DataFrame(values, columns=[f"a{j}" for j in range(k)])


def test_demsars_example():
    strict, lax = critical_difference(DEMSAR), critical_difference(DEMSAR, 0.10)
    assert strict.ranks.round(3).to_dict() == {
        "C4.5+m+cf": 1.964,
        "C4.5+m": 2.000,
        "C4.5+cf": 2.893,
        "C4.5": 3.143,
    }
    assert (round(strict.difference, 2), round(lax.difference, 2)) == (1.25, 1.12)
    assert strict.cliques == [["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]]
    assert lax.cliques == [["C4.5+m+cf", "C4.5+m", "C4.5+cf"], ["C4.5+cf", "C4.5"]]
    assert (strict.n_datasets, strict.alpha, strict.method) == (14, 0.05, "nemenyi")
    # The same example: Friedman and the comparison with a control, Sections 3.2.2 and 3.2.3.
    assert round(friedman(DEMSAR, tie_correction=False).statistic, 2) == 9.28
    assert holm(DEMSAR, "C4.5")["pvalue"].round(3).to_list() == [0.016, 0.019, 0.608]


@pytest.mark.parametrize(
    ("alpha", "row"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_of_demsars_table_5(alpha, row):
    for k, printed in enumerate(row, start=2):
        difference = critical_difference(random_scores(10, k), alpha).difference
        q = difference / np.sqrt(k * (k + 1) / 60)
        assert q == pytest.approx(printed, abs=1e-3)  # some of his last digits are cut off


@pytest.mark.parametrize("k", [2, 3, 7, 14])
def test_pvalues_match_scikit_posthocs(k):
    scores = random_scores(20, k, seed=k)
    ours = critical_difference(scores).pvalues
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(scores)
    assert ours.shape == (k, k)
    pd.testing.assert_frame_equal(
        ours.loc[scores.columns, scores.columns], theirs, atol=1e-8, check_names=False
    )


@pytest.mark.parametrize("method", ["nemenyi", "holm"])
@pytest.mark.parametrize("seed", range(8))
def test_cliques_are_what_the_pvalues_say(method, seed):
    scores = random_scores(25, 9, seed, slope=0.15 * (seed % 4)).round(1)
    result = critical_difference(scores, method=method)
    assert result.ranks.is_monotonic_increasing
    pd.testing.assert_series_equal(result.ranks[scores.columns], average_ranks(scores))
    alike = result.pvalues > 0.05
    for clique in result.cliques:
        assert alike.loc[clique, clique].all(axis=None)
        place = result.ranks.index.get_indexer(clique)
        assert (np.diff(place) == 1).all()
    for first, second in combinations(scores.columns, 2):
        together = any({first, second} <= set(clique) for clique in result.cliques)
        assert together == alike.loc[first, second]
    sets = [set(clique) for clique in result.cliques]
    assert not any(a < b for a in sets for b in sets)


def test_nemenyi_asks_for_the_critical_difference():
    result = critical_difference(random_scores(30, 6, 3))
    gaps = pd.DataFrame(np.abs(np.subtract.outer(*[result.ranks.to_numpy()] * 2)))
    np.testing.assert_array_equal(gaps >= result.difference, result.pvalues <= 0.05)


def test_holm_over_all_pairs_by_hand():
    scores = random_scores(40, 4, 1, slope=0.3)
    result = critical_difference(scores, method="holm")
    ranks, error = average_ranks(scores), np.sqrt(4 * 5 / (6 * 40))
    raw = sorted(
        (2 * stats.norm.sf(abs(ranks[a] - ranks[b]) / error), a, b)
        for a, b in combinations(scores.columns, 2)
    )
    adjusted = 0.0
    for step, (p, a, b) in enumerate(raw):
        adjusted = max(adjusted, min(1.0, p * (len(raw) - step)))
        assert result.pvalues.loc[a, b] == pytest.approx(adjusted)
        assert result.pvalues.loc[b, a] == pytest.approx(adjusted)
    assert result.difference is None
    assert (np.diag(result.pvalues) == 1).all()


def test_published_tables():
    knn = critical_difference(published("table3_knn"))
    assert knn.cliques == [["ens_aco_knn", "aco_knn"], ["aco_knn", "knn_k12"]]
    gke = critical_difference(published("table5_gke"))
    assert gke.cliques == [["ens_aco_gke", "aco_gke"]]
    everything = critical_difference(published("table9_all"))
    assert [len(clique) for clique in everything.cliques] == [7]
    assert everything.difference > np.ptp(everything.ranks)


def test_errors_count_the_other_way_round():
    scores = random_scores(12, 4)
    pd.testing.assert_series_equal(
        critical_difference(-scores, higher_is_better=False).ranks,
        critical_difference(scores).ranks,
    )


def test_algorithms_that_never_differ_form_one_clique():
    scores = pd.DataFrame(1.0, index=range(5), columns=list("abc"))
    for method in ("nemenyi", "holm"):
        result = critical_difference(scores, method=method)
        assert result.cliques == [["a", "b", "c"]]
        assert (result.pvalues == 1).all(axis=None)


@pytest.mark.parametrize(
    ("change", "arguments", "error", "message"),
    [
        (lambda s: s.iloc[:, :1], {}, ValueError, "at least 2 algorithms"),
        (lambda s: s.iloc[:1], {}, ValueError, "at least 2 datasets"),
        (lambda s: s.mask(s == s.iloc[2, 1]), {}, ValueError, r"missing.*\(2, 'a1'\)"),
        (lambda s: s.astype(str), {}, TypeError, "numbers; these columns are not"),
        (lambda s: s.set_axis(["a", "a", "b"], axis=1), {}, ValueError, "algorithm twice"),
        (lambda s: s.to_numpy(), {}, TypeError, "must be a DataFrame"),
        (lambda s: s, {"alpha": 0.0}, ValueError, "alpha must lie"),
        (lambda s: s, {"alpha": float("nan")}, ValueError, "alpha must lie"),
        (lambda s: s, {"method": "tukey"}, ValueError, "'nemenyi' or 'holm'"),
    ],
)
def test_bad_input_is_named(change, arguments, error, message):
    with pytest.raises(error, match=message):
        critical_difference(change(random_scores(6, 3)), **arguments)
