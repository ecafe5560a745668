"""Ranks and wins: the paper's printed rows, invariants, bad input."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from acoibl.comparison import average_ranks, published, wins

PRINTED = {
    "table3_knn": ([14, 24, 11], [2.14, 1.65, 2.21]),
    "table4_dnn": ([15, 23, 12], [2.06, 1.71, 2.24]),
    "table5_gke": ([24, 29, 6], [1.76, 1.57, 2.67]),
    "table9_all": ([3, 9, 5, 9, 10, 12, 10], [4.06, 3.39, 4.57, 4.08, 4.00, 3.61, 4.29]),
}


@pytest.mark.parametrize("name", PRINTED)
def test_rows_at_the_foot_of_the_published_tables(name):
    table = published(name)
    printed_wins, printed_ranks = PRINTED[name]
    assert wins(table).to_list() == printed_wins
    assert average_ranks(table).round(2).to_list() == printed_ranks


def test_ranks_match_scipy_row_by_row():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.integers(0, 4, (30, 5)).astype(float), columns=list("abcde"))
    expected = np.mean([rankdata(-row) for row in scores.to_numpy()], axis=0)
    np.testing.assert_allclose(average_ranks(scores), expected)
    np.testing.assert_allclose(average_ranks(-scores, higher_is_better=False), expected)
    assert average_ranks(scores).mean() == pytest.approx(3.0)


def test_order_of_rows_and_columns_does_not_matter():
    table = published("table9_all")
    shuffled = table.sample(frac=1, random_state=0).sample(frac=1, axis=1, random_state=0)
    pd.testing.assert_series_equal(average_ranks(shuffled)[table.columns], average_ranks(table))
    pd.testing.assert_series_equal(wins(shuffled)[table.columns], wins(table))


def test_summation_noise_does_not_break_a_tie():
    scores = pd.DataFrame({"a": [0.1 + 0.2, 0.5], "b": [0.3, 0.5]})
    assert scores["a"][0] != scores["b"][0]
    assert average_ranks(scores).to_list() == [1.5, 1.5]
    assert wins(scores).to_list() == [2, 2]


def test_errors_count_the_other_way_round():
    errors = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert wins(errors, higher_is_better=False).to_list() == [2, 0]


def test_input_is_left_alone_and_integers_and_nullable_columns_are_read():
    scores = pd.DataFrame({"a": pd.array([90, 80], dtype="Int64"), "b": [70, 85]})
    before = scores.copy()
    assert wins(scores).to_list() == [1, 1]
    pd.testing.assert_frame_equal(scores, before)


@pytest.mark.parametrize("function", [average_ranks, wins])
@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([[1.0, 2.0]], TypeError, "must be a DataFrame"),
        (pd.DataFrame({"a": [1.0, 2.0]}), ValueError, "at least 2 algorithms"),
        (pd.DataFrame({"a": [], "b": []}, dtype=float), ValueError, "at least 1 datasets"),
        (pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}), TypeError, r"\['b'\]"),
        (
            pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, np.nan]}, index=["iris", "car"]),
            ValueError,
            r"\('car', 'b'\)",
        ),
        (pd.DataFrame({"a": [np.inf], "b": [1.0]}), ValueError, "missing or infinite"),
        (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), ValueError, r"algorithm twice: \['a'\]"),
        (
            pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]}, index=["car", "car"]),
            ValueError,
            r"name a dataset twice: \['car'\]",
        ),
    ],
)
def test_bad_scores_are_named(function, scores, error, message):
    with pytest.raises(error, match=message):
        function(scores)
