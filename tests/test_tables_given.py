"""What users give as tables: every estimator reads the same rows the same way, or says why not."""

import datetime
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from acoibl import ACOIBLClassifier, DNNClassifier, GKEClassifier, KNNClassifier, MixedEncoder
from acoibl.antfs import AntFeatureSelector, SubsetEvaluator, class_separability, forward_selection
from acoibl.categories import CategoryWarning
from acoibl.coevolution import (
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
    WeakFitWarning,
)
from acoibl.coevolution.comparators import (
    GOCBRClassifier,
    GradientWeightsClassifier,
    MutualInformationClassifier,
    ReliefFClassifier,
    SSMAClassifier,
    TabuSearchClassifier,
    WDNNClassifier,
)
from acoibl.distance import class_based_distances, heterogeneous_distances
from acoibl.margins import (
    MBIW,
    DoublyWeightedKNN,
    Simba,
    SimbaMBIW,
    hypothesis_margin,
    margin_vectors,
)

SMALL = {"max_evaluations": 200, "random_state": 0}
CLASSIFIERS = [
    KNNClassifier(1),
    DNNClassifier(0.3),
    GKEClassifier(0.2),
    ACOIBLClassifier(archive_size=3, max_iter=3, random_state=0),
    CIWNNClassifier(population_size=10, **SMALL),
    CIWNNClassifier(preset="keel", population_size=10, **SMALL),
    CHCSelector(**SMALL),
    SSGAFeatureWeighter(**SMALL),
    SSGAClassWeighter(**SMALL),
    SSMAClassifier(**SMALL),
    WDNNClassifier(max_sweeps=5),
    GradientWeightsClassifier(max_sweeps=5),
    ReliefFClassifier(),
    MutualInformationClassifier(random_state=0),
    TabuSearchClassifier(**SMALL),
    GOCBRClassifier(**SMALL),
    DoublyWeightedKNN(3),
]
SELECTORS = [
    MBIW(),
    Simba(random_state=0),
    SimbaMBIW(),
    AntFeatureSelector(2, n_generations=2, random_state=0),
]

pytestmark = pytest.mark.filterwarnings(
    f"ignore::{WeakFitWarning.__module__}.{WeakFitWarning.__name__}"
)


def name(value):
    return type(value).__name__


def rows(n=60, seed=0, *, gaps=True):
    """Rows of a number, a text of digits and letters, and a truth value, which tell classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    number = np.round(y + rng.normal(0, 0.4, n), 2).astype(object)
    if gaps:
        number[:2] = None
    code = np.where(rng.random(n) < 0.8, np.array(["1", "x"])[y], "2").astype(object)
    flag = (y ^ (rng.random(n) < 0.2)).astype(bool).astype(object)
    X = np.empty((n, 3), dtype=object)
    X[:, 0], X[:, 1], X[:, 2] = number, code, flag
    return X, np.array(["no", "yes"])[y]


def frame(X):
    out = pd.DataFrame({"number": X[:, 0].astype(float)})
    return out.assign(code=X[:, 1], flag=X[:, 2].astype(bool))


def facts(estimator, X):
    """What a fitted estimator says of rows."""
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X)
    weights = getattr(estimator, "feature_weights_", getattr(estimator, "best_score_", None))
    return np.append(weights, estimator.get_support())


# --- what a value says --------------------------------------------------------------------------


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=name)
@pytest.mark.parametrize("other", [int, float, np.int8, "Int64", "category", object])
def test_codes_that_come_as_numbers_are_those_that_came_as_text(clf, other):
    X, y = rows()
    train = frame(X)[["code", "number"]]
    clf = clone(clf).fit(train, y)
    text = train[train["code"] != "x"]
    number = text.assign(code=text["code"].astype(int).astype(other))
    np.testing.assert_array_equal(facts(clf, number), facts(clf, text))


TEXTS = ["1", "2", "x"]


@pytest.mark.parametrize(
    ("training", "given", "codes"),
    [
        (TEXTS, [1, 2], [0, 1]),
        (TEXTS, [1.0, np.nan], [0, -1]),
        (TEXTS, np.array([2, 1], dtype=np.uint8), [1, 0]),
        (TEXTS, pd.array([2, None], dtype="Int64"), [1, -1]),
        (TEXTS, pd.Categorical([2, 1]), [1, 0]),
        (TEXTS, pd.Series([np.int64(1), 2.0, "x"], dtype=object), [0, 1, 2]),
        (TEXTS, [Decimal("1.0"), Decimal(2)], [0, 1]),
        (TEXTS, pd.Series(["1", "2"], dtype="string"), [0, 1]),
        (TEXTS, [b"x", b"1"], [2, 0]),
        (["01", "02", "10"], [1, 2, 10], [0, 1, 2]),
        (["0.1", "0.25", "x"], np.array([0.1, 0.25], dtype=np.float32), [0, 1]),
        (["1e3", "x", "y"], [1000], [0]),
        (["12345678901234567", "12345678901234568"], [12345678901234568], [1]),
        ([b"red", b"blue"], ["red", "blue"], [1, 0]),
        (["True", "False"], [True, False], [1, 0]),
        (["true", "false", "?"], [True, False], [2, 1]),
        ([True, False], ["TRUE", "False"], [1, 0]),
        ([True, False], [1, 0.0], [1, 0]),
        (pd.Categorical([1, 2]), ["2", "1.0"], [1, 0]),
        (pd.Categorical([1.5, 2.0]), ["1.5", "2"], [0, 1]),
        (pd.Categorical([datetime.date(2026, 1, 2)]), ["2026-01-02"], [0]),
        (pd.cut([0.5, 1.5], [0, 1, 2]), ["(1, 2]", "(0, 1]"], [1, 0]),
        # Read in pieces: what is there as text and as a number is one category.
        (pd.Series(["1", 1, 2, "x", 2.0], dtype=object), ["x", 1, "1", 2, "2"], [2, 0, 0, 1, 1]),
        # Two texts differ as soon as one letter does.
        (["1", "01", "x"], ["1", "01", "x"], [1, 0, 2]),
        (["1", "2"], ["1", "1.0", " 2"], [0, -2, -2]),
        (["True", "x"], ["True", "true"], [0, -2]),
        # What merely counts alike is not the same.
        (["1", "2", "x"], [3, 1], [-2, 0]),
    ],
)
def test_values_are_matched_by_what_they_say(training, given, codes):
    encoder = MixedEncoder(categorical_features=["z"]).fit(pd.DataFrame({"z": training}))
    found = encoder.transform(pd.DataFrame({"z": given}))
    assert found.codes.ravel().tolist() == codes
    assert found.codes.dtype == np.int32


@pytest.mark.parametrize(
    ("training", "given", "message"),
    [
        (["1", "01", "x"], [1], "column 'z' holds 1 .int.*any of the categories '01', '1'"),
        (["1", "1.0"], [1.0], "column 'z' holds 1.0 .float.*'1', '1.0'"),
        (["true", "TRUE", "no"], [True], "column 'z' holds True .bool.*'TRUE', 'true'"),
    ],
)
def test_a_value_that_may_mean_several_categories_is_refused(training, given, message):
    encoder = MixedEncoder().fit(pd.DataFrame({"z": training}))
    with pytest.raises(ValueError, match=message):
        encoder.transform(pd.DataFrame({"z": given}))
    with pytest.raises(ValueError, match=message):
        MixedEncoder().fit(pd.DataFrame({"z": pd.Series([*training, *given], dtype=object)}))


@pytest.mark.parametrize("clf", CLASSIFIERS, ids=name)
def test_a_column_of_which_no_value_is_known_is_warned_of(clf):
    X, y = rows()
    train = frame(X)
    clf = clone(clf).fit(train, y)
    with pytest.warns(CategoryWarning, match=r"column 'code' \('A', 'B'; not '1', '2', 'x'\)"):
        clf.predict(train.iloc[:2].assign(code=["A", "B"]))
    with warnings.catch_warnings():  # some are known, or none is there
        warnings.simplefilter("error")
        clf.predict(train.iloc[:2].assign(code=["A", "1"]))
        clf.predict(train.iloc[:2].assign(code=[None, None]))


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2", "3", "NULL"],
        ["1,5", "2,5", "1.234,56", "k.A."],
        ["5 %", "7 %", "11.5 %"],
        ["$ 1,200", "$ 7", "\u22125", "-"],
        ["\u22121.5", "2", "3.25", "#N/A"],
        [b"1", b"2", b"3"],
    ],
)
def test_text_that_is_mostly_numbers_is_warned_of(values):
    column = pd.Series(values, dtype=object)
    with pytest.warns(CategoryWarning, match="column 'z' holds text.*look like numbers"):
        KNNClassifier(1).fit(pd.DataFrame({"z": column}), np.arange(len(values)))
    with warnings.catch_warnings():  # who says that they are categories means it
        warnings.simplefilter("error")
        MixedEncoder().fit(pd.DataFrame({"z": column.astype("category")}))
        MixedEncoder(categorical_features=["z"]).fit(pd.DataFrame({"z": column}))


@pytest.mark.parametrize(
    "values",
    [
        ["1", "2", "x"],
        ["007", "008", "010"],
        ["1.2.3", "1.2.4", "2.0.0"],
        ["2026-01-01", "2026-01-02", "2026-01-03"],
        ["a", "b", "c", "1", "2"],
        [".", "-", "%", "$"],
        [True, False, None],
    ],
)
def test_other_text_is_not(values):
    MixedEncoder().fit(pd.DataFrame({"z": pd.Series(values, dtype=object)}))


# --- kinds of table -----------------------------------------------------------------------------


def as_list(X):
    return X.tolist()


def as_tuples(X):
    return tuple(map(tuple, X.tolist()))


def as_masked(X):
    hidden = pd.isna(X)
    seen = X.copy()
    seen[hidden] = 99.0  # what stands behind a mask
    return np.ma.array(seen, mask=hidden)


def as_masked_rows(X):
    return list(as_masked(X))


def as_polars(X):
    return pytest.importorskip("polars").from_pandas(as_arrow(X).to_pandas())


def as_arrow(X):
    pa = pytest.importorskip("pyarrow")
    table = frame(X)
    columns = {key: pa.array(table[key], from_pandas=True) for key in table}
    return pa.table({**columns, "code": columns["code"].dictionary_encode()})


def as_arrow_dtypes(X):
    return as_arrow(X).to_pandas(types_mapper=pd.ArrowDtype)


def as_polars_categories(X):
    pl = pytest.importorskip("polars")
    return as_polars(X).with_columns(pl.col("code").cast(pl.Enum(["x", "2", "1"])))


READINGS = [
    as_list,
    as_tuples,
    as_masked,
    as_masked_rows,
    as_arrow,
    as_arrow_dtypes,
    as_polars,
    as_polars_categories,
]


@pytest.mark.parametrize("given", READINGS)
@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *SELECTORS], ids=name)
def test_every_kind_of_table_is_read_as_an_array_of_objects(estimator, given):
    X, y = rows(gaps=given not in (as_polars, as_polars_categories))  # they know NaN as a number
    ordinal = getattr(estimator, "preset", "") == "keel" and given is as_polars_categories
    if ordinal:
        estimator = clone(estimator).set_params(nominal="overlap")
    expected = clone(estimator).fit(X, y)
    found = clone(estimator).fit(given(X), y)
    np.testing.assert_array_equal(facts(found, given(X)), facts(expected, X))


@pytest.mark.parametrize("given", READINGS)
def test_functions_read_every_kind_of_table(given):
    X, y = rows(30, gaps=given not in (as_polars, as_polars_categories))
    for function in (
        lambda table: heterogeneous_distances(table),
        lambda table: class_based_distances(table, table, y, np.ones(3)),
        lambda table: class_separability(table, y),
        lambda table: hypothesis_margin(table, y),
        lambda table: margin_vectors(table, y),
        lambda table: forward_selection(SubsetEvaluator(table, y, table, y), 3)["accuracy"],
    ):
        np.testing.assert_array_equal(function(given(X)), function(X))


def test_the_example_of_a_list_of_mixed_rows():
    train = [[1.0, "a"], [2.0, "a"], [10.0, "a"], [11.0, "a"]]
    clf = KNNClassifier(1).fit(train, [0, 0, 1, 1], sample_weight=[1, 0, 1, 1])
    assert clf.predict([[10.4, "a"]]).tolist() == [1]
    assert clf._encoder.is_categorical_.tolist() == [False, True]
    assert clf.explain([[10.4, "a"]])["value"].dropna().tolist() == [10.4, "a"]
    kept, _ = CHCSelector(**SMALL).fit_resample(train * 5, [0, 0, 1, 1] * 5)
    assert {type(value) for value in kept[:, 0]} == {float}


def test_rows_of_unequal_length_are_named():
    with pytest.raises(ValueError, match="row 1 of X has 2 values, but row 0 has 3"):
        KNNClassifier(1).fit([[1, 2, "a"], [1, "b"]], [0, 1])


def test_a_list_of_classes_of_several_types_is_refused():
    with pytest.raises(TypeError, match="several types"):
        KNNClassifier(1).fit([[0.0], [1.0]], [1, "a"])


def test_masked_classes_are_missing():
    y = np.ma.array([0, 1, 1], mask=[False, True, False])
    with pytest.raises(ValueError, match="the class of row 1 is missing"):
        KNNClassifier(1).fit([[0.0], [1.0], [2.0]], y)


def test_masked_weights_are_no_weights():
    X, y = [[0.0], [1.0]], [0, 1]
    hidden = np.ma.array([1.0], mask=[True])
    with pytest.raises(ValueError, match="class_weights must be finite"):
        KNNClassifier(1, class_weights=hidden).fit(X, y)
    with pytest.raises(ValueError, match="feature_weights must be finite"):
        DoublyWeightedKNN(1, feature_weights=hidden).fit(X, y)
    with pytest.raises(ValueError, match="NaN"):
        KNNClassifier(1).fit(X, y, sample_weight=np.ma.array([1.0, 1.0], mask=[True, False]))


@pytest.mark.parametrize("kind", [np.int16, np.float32, np.float64])
def test_masks_of_numbers(kind):
    given = np.ma.array([[0, 5], [7, 10]], mask=[[False, False], [True, False]], dtype=kind)
    data = MixedEncoder().fit(given).transform(given)
    np.testing.assert_array_equal(data.numeric, [[0, 0], [np.nan, 1]])


def test_selectors_give_back_what_they_got():
    X, y = rows(gaps=False)
    for selector in SELECTORS:
        chosen = clone(selector).fit(X, y)
        expected = X[:, chosen.get_support()]
        assert chosen.transform(X.tolist()).tolist() == expected.tolist()
        table = frame(X)
        shown = clone(selector).set_output(transform="pandas").fit_transform(table, y)
        pd.testing.assert_frame_equal(shown, table[shown.columns])
        assert shown.columns.tolist() == table.columns[chosen.get_support()].tolist()


def test_arrow_dictionaries_of_numbers_are_categories_in_their_order():
    pa = pytest.importorskip("pyarrow")
    values = pa.array([30, 10, None, 10]).dictionary_encode()
    table = pd.DataFrame({"z": pd.Series(values, dtype=pd.ArrowDtype(values.type))})
    encoder = MixedEncoder().fit(table)
    assert encoder.is_categorical_.tolist() == [True]
    assert encoder.transform(table).codes.ravel().tolist() == [1, 0, -1, 0]
    assert encoder.categories_[0].tolist() == [10, 30]
    assert isinstance(table.dtypes["z"], pd.ArrowDtype)  # the user's table stays as it is


@pytest.mark.parametrize("kind", ["string", "large_string", "binary", "bool_"])
def test_other_arrow_types_of_categories(kind):
    pa = pytest.importorskip("pyarrow")
    values = {"binary": [b"a", b"b", None], "bool_": [False, True, None]}.get(
        kind, ["a", "b", None]
    )
    dtype = pd.ArrowDtype(getattr(pa, kind)())
    table = pd.DataFrame({"z": pd.Series(pa.array(values, dtype.pyarrow_dtype), dtype=dtype)})
    assert MixedEncoder().fit(table).transform(table).codes.ravel().tolist() == [0, 1, -1]


# --- names of rows and columns ------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, *SELECTORS], ids=name)
def test_rows_and_columns_may_have_several_levels_of_names(estimator):
    X, y = rows()
    plain = frame(X)
    expected = facts(clone(estimator).fit(plain, y), plain)
    several = plain.set_index(pd.MultiIndex.from_product([range(6), range(10)]))
    found = clone(estimator).fit(several, pd.Series(y, index=several.index))
    np.testing.assert_array_equal(facts(found, several), expected)
    if hasattr(found, "explain"):
        told = found.explain(several.iloc[[13]])
        assert set(told["query"]) == {several.index[13]}
        assert set(told.loc[told["part"] == "neighbour", "item"]) <= set(several.index)
    columns = plain.set_axis(pd.MultiIndex.from_product([["a"], plain.columns]), axis=1)
    np.testing.assert_array_equal(facts(clone(estimator).fit(columns, y), columns), expected)


def test_columns_with_several_levels_of_names_can_be_chosen():
    table = pd.DataFrame([[1, 2], [3, 4]], columns=pd.MultiIndex.from_product([["a"], ["b", "c"]]))
    encoder = MixedEncoder(categorical_features=[("a", "c")]).fit(table)
    assert encoder.is_categorical_.tolist() == [False, True]
    assert encoder.feature_names_in_.tolist() == [("a", "b"), ("a", "c")]


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table[["number", "flag", "code"]],
        lambda table: table.rename(columns={"code": "Code"}),
    ],
)
def test_the_encoder_checks_names(change):
    table = frame(rows()[0])
    encoder = MixedEncoder().fit(table)
    with pytest.raises(ValueError, match="feature names should match those that were passed"):
        encoder.transform(change(table))
    given = encoder.transform(table.to_numpy())  # an array has no names
    np.testing.assert_array_equal(given.codes, encoder.transform(table).codes)
    with pytest.raises(ValueError, match="feature names should match"):
        heterogeneous_distances(change(table), table)


@pytest.mark.parametrize("estimator", [MixedEncoder(), *CLASSIFIERS], ids=name)
def test_numbered_columns_in_another_order_are_refused(estimator):
    X, y = rows()
    table = frame(X).set_axis([0, 1, 2], axis=1)
    estimator = clone(estimator).fit(table, y)
    use = estimator.predict if hasattr(estimator, "predict") else estimator.transform
    with pytest.raises(ValueError, match="feature names should match"):
        use(table[[0, 2, 1]])
    use(table.set_axis([5, 6, 7], axis=1))  # other numbers are no names


# --- what depends on the classes and on the order of categories ---------------------------------


@pytest.mark.parametrize("options", [{}, {"evaluation": "holdout"}, {"validation": 0.3}])
def test_ants_need_two_classes(options):
    X, _ = rows()
    with pytest.raises(ValueError, match="hold 1 class only: 'a'"):
        AntFeatureSelector(random_state=0, **options).fit(X, ["a"] * len(X))


def test_ants_need_two_classes_in_the_part_that_they_see():
    X, _ = rows(12)
    with pytest.raises(ValueError, match="hold 1 class only: '0'"):
        AntFeatureSelector(evaluation="holdout", test_size=0.5, random_state=4).fit(
            X, [1, *[0] * 11]
        )


@pytest.mark.parametrize("ordered", [True, False])
def test_ordinal_goes_by_the_order_of_the_category_dtype(ordered):
    levels = ["low", "middle", "high"]
    dtype = pd.CategoricalDtype(levels, ordered=ordered)
    table = pd.DataFrame({"size": pd.Series(["low", "high"] * 20, dtype=dtype)})
    y = ["small", "large"] * 20
    clf = CIWNNClassifier(preset="keel", population_size=10, **SMALL).fit(table, y)
    new = pd.DataFrame({"size": pd.Series(levels)})  # the order is that of training
    assert clf._encoder.transform(new).numeric.ravel().tolist() == [0.0, 0.5, 1.0]
    text = CIWNNClassifier(preset="keel", population_size=10, **SMALL).fit(table.astype(object), y)
    seen = text._encoder.transform(pd.DataFrame({"size": ["low", "high"]}))
    assert seen.numeric.ravel().tolist() == [1.0, 0.0]
