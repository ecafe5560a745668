import numpy as np
import pandas as pd
import pytest

from acoibl import MixedEncoder
from acoibl.categories import CategoryWarning


def table():
    return pd.DataFrame(
        {
            "size": [2.0, 4.0, np.nan, 6.0],
            "colour": pd.Categorical(["red", "blue", None, "red"]),
            "text": ["a", "b", "a", None],
            "flag": [True, False, True, True],
            "constant": [7, 7, 7, 7],
        }
    )


def test_kinds_scaling_and_codes():
    encoder = MixedEncoder().fit(table())
    assert encoder.is_categorical_.tolist() == [False, True, True, True, False]
    data = encoder.transform(table())
    np.testing.assert_array_equal(data.numeric[:, 0], [0, 0.5, np.nan, 1])
    np.testing.assert_array_equal(data.numeric[:, 1], 0)
    assert data.codes.tolist() == [[1, 0, 1], [0, 1, 0], [-1, 0, 1], [1, -1, 1]]
    assert data.numeric_features.tolist() == [0, 4]
    assert data.categorical_features.tolist() == [1, 2, 3]
    assert len(data) == 4


def test_new_rows_leave_the_unit_interval_and_meet_unseen_categories():
    encoder = MixedEncoder().fit(table())
    new = table().assign(size=8.0, colour="green", constant=100)
    with pytest.warns(CategoryWarning, match="column 'colour' .'green'; not 'blue', 'red'."):
        data = encoder.transform(new)
    assert data.numeric[0].tolist() == [1.5, 0.0]
    assert (data.codes[:, 0] == -2).all()


def test_missing_as_a_category():
    data = MixedEncoder(missing="category").fit(table()).transform(table())
    assert data.codes[:, 0].tolist() == [1, 0, 2, 1]
    assert np.isnan(data.numeric[2, 0])


@pytest.mark.parametrize("chosen", [[1, 2], [False, True, True, False, False], ["colour", "text"]])
def test_categorical_features_by_position_mask_and_name(chosen):
    encoder = MixedEncoder(categorical_features=chosen).fit(table())
    assert encoder.is_categorical_.tolist() == [False, True, True, False, False]


def test_object_array_tells_text_from_numbers():
    rows = np.array([["a", 1.0], ["b", None]], dtype=object)
    encoder = MixedEncoder().fit(rows)
    assert encoder.is_categorical_.tolist() == [True, False]
    assert np.isnan(encoder.transform(rows).numeric[1, 0])


def test_extreme_ranges_stay_finite():
    data = MixedEncoder().fit([[-1.7e308], [1.7e308]]).transform([[0.0], [1.7e308]])
    np.testing.assert_allclose(data.numeric.ravel(), [0.5, 1.0])


def test_all_missing_columns():
    rows = pd.DataFrame({"n": [np.nan, np.nan], "c": pd.Categorical([None, None])})
    data = MixedEncoder().fit(rows).transform(rows)
    assert np.isnan(data.numeric).all()
    assert (data.codes == -1).all()


def test_nullable_dtypes():
    rows = pd.DataFrame({"n": pd.array([1, None, 3], dtype="Int64")})
    rows["b"] = pd.array([True, None, False], dtype="boolean")
    data = MixedEncoder().fit(rows).transform(rows)
    np.testing.assert_array_equal(data.numeric.ravel(), [0, np.nan, 1])
    assert data.codes.ravel().tolist() == [1, -1, 0]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, r"duplicate column names: \['a'\]"),
        (pd.DataFrame({"a": [1.0, np.inf]}), {}, "column 'a' is infinite in row 1"),
        ([[1.0, 2.0], [3.0, -np.inf]], {}, "column 1 is infinite in row 1"),
        (pd.DataFrame({"d": pd.to_datetime(["2026-01-01"])}), {}, "column 'd' holds dates"),
        (pd.DataFrame({"z": [1 + 2j]}), {}, "column 'z' has dtype complex"),
        (pd.DataFrame({"t": ["x"]}), {"categorical_features": None}, "column 't' is numeric but"),
        (pd.DataFrame({"a": [1]}), {"categorical_features": ["b"]}, r"does not have: \['b'\]"),
        (pd.DataFrame({"a": [1]}), {"categorical_features": [3]}, "position 3"),
        (pd.DataFrame({"a": [1]}), {"categorical_features": [True, False]}, "mask must have shape"),
        (pd.DataFrame({"a": [1]}), {"categorical_features": "auto"}, "must be 'from_dtype'"),
        (pd.DataFrame({"a": [1]}), {"missing": "mean"}, "missing must be"),
        (pd.DataFrame(index=[0]), {}, "0 feature"),
        (pd.DataFrame({"a": []}), {}, "0 sample"),
    ],
)
def test_bad_input_names_the_column(rows, options, message):
    with pytest.raises(ValueError, match=message):
        MixedEncoder(**options).fit(rows)


def test_values_that_cannot_be_categories():
    rows = pd.DataFrame({"a": [["list"], ["of lists"]]})
    with pytest.raises(TypeError, match="column 'a'"):
        MixedEncoder(categorical_features=["a"]).fit(rows)


def test_another_number_of_columns():
    with pytest.raises(ValueError, match="X has 1 features, but MixedEncoder is expecting 5"):
        MixedEncoder().fit(table()).transform(table()[["size"]])


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int8])
def test_tables_of_plain_numbers_are_read_as_column_by_column(kind):
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.integers(0, 9, (30, 5)).astype(kind), columns=list("abcde"))
    if kind is not np.int8:
        table.iloc[3, 2] = np.nan
    slow = MixedEncoder().fit(table.astype(object)).transform(table.astype(object))
    for given in (table, table.to_numpy()):
        fast = MixedEncoder().fit(given).transform(given)
        np.testing.assert_array_equal(fast.numeric, slow.numeric)
        assert fast.numeric.flags.c_contiguous
        assert fast.codes.shape == (30, 0)


def test_an_infinite_value_in_a_plain_table_is_named():
    table = pd.DataFrame({"a": [0.0, 1.0], "b": [np.inf, 1.0]})
    with pytest.raises(ValueError, match="column 'b' is infinite in row 0"):
        MixedEncoder().fit(table)


def test_numbers_at_prediction_where_training_had_categories():
    encoder = MixedEncoder().fit(pd.DataFrame({"a": ["x", "y"], "b": [0.0, 2.0]}))
    with pytest.warns(CategoryWarning, match="column 'a' .1.0; not 'x', 'y'."):
        data = encoder.transform(pd.DataFrame({"a": [1.0], "b": [1.0]}))
    assert data.numeric.tolist() == [[0.5]]
    assert data.codes.tolist() == [[-2]]
