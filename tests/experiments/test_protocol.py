import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from acoibl.experiments import PROFILES, UnknownNameError, cap_rows, folds, get_profile
from acoibl.experiments.protocol import seed_sequence


def test_folds_are_those_of_scikit_learn():
    y = np.array(["b", "a", "c"] * 20 + ["b"] * 7 + ["c"] * 2)
    expected = StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)
    for (train, test), (train_here, test_here) in zip(expected, folds(y, 10), strict=True):
        np.testing.assert_array_equal(train, train_here)
        np.testing.assert_array_equal(test, test_here)


def test_folds_equal_scikit_learn_where_it_only_warns():
    y = np.array(["big"] * 30 + ["small"] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = [
            test for _, test in StratifiedKFold(10, shuffle=True, random_state=0).split(y, y)
        ]
    for test, (_, test_here) in zip(expected, folds(y, 10), strict=True):
        np.testing.assert_array_equal(test, test_here)


@pytest.mark.parametrize("sizes", [[1] * 10, [3, 3, 3, 1], [2, 9], [1, 40], [30]])
def test_small_classes_are_spread_as_far_as_they_go(sizes):
    y = np.repeat(np.arange(len(sizes)), sizes)
    parts = folds(y, 10)
    tests = np.concatenate([test for _, test in parts])
    np.testing.assert_array_equal(np.sort(tests), np.arange(len(y)))  # each row tested once
    for label, size in enumerate(sizes):
        counts = [np.count_nonzero(y[test] == label) for _, test in parts]
        assert max(counts) - min(counts) <= 1
        assert np.count_nonzero(counts) == min(size, 10)
    for train, test in parts:
        assert len(test)
        assert not np.intersect1d(train, test).size
        assert len(train) + len(test) == len(y)


def test_folds_need_a_row_each():
    with pytest.raises(ValueError, match="5 rows cannot be split into 10 folds"):
        folds(["a"] * 5, 10)


def test_cap_keeps_shares_and_every_class():
    y = np.array(["big"] * 9000 + ["middle"] * 990 + ["pair"] * 2 + ["lone"])
    rows = cap_rows(y, 1000, "x")
    kept = {label: int((y[rows] == label).sum()) for label in np.unique(y)}
    assert len(rows) == 1000
    assert (kept["pair"], kept["lone"]) == (2, 1)
    assert abs(kept["big"] - 900) <= 2
    assert abs(kept["middle"] - 99) <= 2


def test_cap_is_the_same_every_time_and_differs_by_dataset():
    y = ["a", "b"] * 500
    np.testing.assert_array_equal(cap_rows(y, 100, "x"), cap_rows(y, 100, "x"))
    assert not np.array_equal(cap_rows(y, 100, "x"), cap_rows(y, 100, "y"))
    np.testing.assert_array_equal(cap_rows(y, None), np.arange(1000))
    np.testing.assert_array_equal(cap_rows(y, 1000), np.arange(1000))


def test_cap_below_two_rows_a_class_keeps_two():
    rows = cap_rows(np.repeat(np.arange(20), 5), 10)
    assert len(rows) == 40


@pytest.mark.parametrize("max_rows", [37, 100, 101])
def test_cap_is_kept_exactly(max_rows):
    y = np.repeat(np.arange(7), [3, 11, 50, 51, 52, 1, 200])
    assert len(cap_rows(y, max_rows)) == max_rows


def test_seeds_depend_on_names_alone():
    state = seed_sequence("iris", 3, 2, "knn").generate_state(4).tolist()
    assert state == seed_sequence("iris", 3, 2, "knn").generate_state(4).tolist()
    others = [("wine", 3, 2, "knn"), ("iris", 2, 2, "knn"), ("iris", 3, 3, "knn")]
    others += [("iris", 3, 2, "dnn"), ("iris3", 0, 2, "knn")]
    states = {tuple(seed_sequence(*names).generate_state(4)) for names in others}
    assert len(states) == len(others)
    assert tuple(state) not in states


def test_seeds_are_the_same_in_another_process():
    code = (
        "from acoibl.experiments.protocol import seed_sequence as s;"
        "print(*s('iris', 3, 2, 'knn').generate_state(2))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    expected = seed_sequence("iris", 3, 2, "knn").generate_state(2)
    assert [int(word) for word in answer.stdout.split()] == expected.tolist()


def test_profiles(monkeypatch, tmp_path):
    assert len(PROFILES["paper"].datasets) == 36
    assert PROFILES["paper"].n_folds * len(PROFILES["paper"].seeds) == 100
    quick = get_profile("quick", n_folds=3).datasets  # not cached by another test
    assert len(quick) >= 20
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    assert get_profile("quick", n_folds=3).datasets == quick
    with pytest.raises(UnknownNameError, match="did you mean 'quick'"):
        get_profile("quik")


def test_describe_says_what_a_profile_is():
    words = " ".join(PROFILES["quick"].describe().values())
    assert "1000" in words
    assert "quick" in words


def test_folds_by_group_keep_each_group_together():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(30), rng.integers(2, 8, 30))
    y = (groups % 3 == 0).astype(int)  # a class by person, as with patients and healthy ones
    parts = folds(y, 5, groups=groups)
    tests = np.concatenate([test for _, test in parts])
    np.testing.assert_array_equal(np.sort(tests), np.arange(len(y)))
    for train, test in parts:
        assert not np.intersect1d(groups[train], groups[test]).size
        assert len(np.unique(y[test])) == 2  # stratified
    again = folds(y, 5, groups=groups)
    assert all((a[1] == b[1]).all() for a, b in zip(parts, again, strict=True))


def test_folds_need_a_group_each():
    with pytest.raises(ValueError, match="2 groups cannot be split into 3 folds"):
        folds(["a", "b"] * 3, 3, groups=[1, 1, 1, 2, 2, 2])
