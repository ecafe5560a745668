import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

from acoibl import DNNClassifier, GKEClassifier, KNNClassifier
from acoibl.categories import CategoryWarning
from acoibl.lazy.weights import scale_weights
from tests import naive

LAZY = [
    KNNClassifier(n_neighbors=3),
    KNNClassifier(n_neighbors=3, ties="strict"),
    DNNClassifier(radius=0.4),
    DNNClassifier(radius=0.05, outlier="nearest"),
    GKEClassifier(bandwidth=0.1),
]


def mixed(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.integers(0, 5, n) / 4.0,
            "b": rng.normal(size=n),
            "c": pd.Categorical(rng.choice(["x", "y", "z"], n)),
            "d": rng.choice(["p", "q"], n),
        }
    )
    y = np.where((X["c"] == "x") ^ (X["b"] > 0), "yes", "no")
    X.loc[rng.choice(n, 6, replace=False), "b"] = np.nan
    X.loc[rng.choice(n, 6, replace=False), "c"] = None
    return X, y


def test_peer_library_on_continuous_data():
    """Without ties of distance, k-NN is scikit-learn's (odd k, two classes: no vote ties)."""
    rng = np.random.default_rng(1)
    X, y = rng.random((200, 5)), rng.integers(0, 2, 200)
    X[0], X[1] = 0, 1  # the extremes: scaling changes nothing
    queries = rng.random((100, 5))
    for k in (1, 3, 7):
        peer = KNeighborsClassifier(k).fit(X, y)
        ours = KNNClassifier(k).fit(X, y)
        assert (ours.predict(queries) == peer.predict(queries)).all()
        np.testing.assert_allclose(
            ours.predict_proba(queries), peer.predict_proba(queries), atol=1e-8
        )
        ours_d, ours_i = ours.kneighbors(queries, 4)
        peer_d, peer_i = peer.kneighbors(queries, 4)
        np.testing.assert_allclose(ours_d, peer_d)
        assert (ours_i == peer_i).all()
        np.testing.assert_array_equal(
            ours.kneighbors_graph(queries).toarray(), peer.kneighbors_graph(queries).toarray()
        )
        assert (ours.kneighbors()[1] == peer.kneighbors()[1]).all()


@pytest.mark.parametrize("far", [1e3, 1e5, 1e9])
def test_one_far_row_does_not_blur_the_others(far):
    """It squeezes the scaled others together, but neighbours are who is nearer, not how near."""
    rng = np.random.default_rng(2)
    X, y = rng.random((200, 3)), rng.integers(0, 2, 200)
    X[0], queries = far, rng.random((50, 3))
    scaled = MinMaxScaler().fit(X)
    for k in (1, 5):
        peer = KNeighborsClassifier(k).fit(scaled.transform(X), y)
        ours = KNNClassifier(k).fit(X, y)
        assert (ours.predict(queries) == peer.predict(scaled.transform(queries))).all()
        assert (
            ours.kneighbors(queries, k)[1] == peer.kneighbors(scaled.transform(queries))[1]
        ).all()
        left_out = cross_val_predict(peer, scaled.transform(X), y, cv=LeaveOneOut())
        # All rows are equally far from the far one, up to rounding: who is nearest to it is open.
        assert (ours.loo_predict()[1:] == left_out[1:]).all()


@pytest.mark.parametrize("clf", LAZY)
def test_loo_predict_is_leave_one_out(clf):
    """Each extreme stands in four rows, so that scaling is the same whichever row is left out."""
    X, y = mixed()
    X = X.assign(b=X["b"].rank(pct=True), a=X["a"])
    extremes = pd.DataFrame({"a": [0, 1, 0, 1], "b": [0, 1, 0, 1], "c": "x", "d": "p"})
    X, y = pd.concat([extremes, X], ignore_index=True), np.concatenate([["yes"] * 4, y])
    expected = cross_val_predict(clf, X, y, cv=LeaveOneOut())
    assert (clf.fit(X, y).loo_predict() == expected).all()


@pytest.mark.parametrize("clf", LAZY)
def test_grid_is_one_by_one(clf):
    X, y = mixed()
    name = {KNNClassifier: "n_neighbors", DNNClassifier: "radius", GKEClassifier: "bandwidth"}[
        type(clf)
    ]
    values = [1, 2, 5, 9, 50] if name == "n_neighbors" else [0.01, 0.1, 0.5, 1.0]
    clf.fit(X, y)
    grid, loo = clf.predict_grid(X, values), clf.loo_predict(values)
    for i, value in enumerate(values):
        alone = type(clf)(**{**clf.get_params(), name: value}).fit(X, y)
        assert (alone.predict(X) == grid[i]).all()
        assert (alone.loo_predict() == loo[i]).all()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_row_order_labels_and_threads_change_nothing(data):
    clf = data.draw(st.sampled_from([LAZY[0], LAZY[2], LAZY[3], LAZY[4]]))
    X, y = mixed(seed=data.draw(st.integers(0, 5)))
    before = clf.fit(X, y).predict(X)
    order = np.array(data.draw(st.permutations(range(len(y)))))
    assert (clf.fit(X.iloc[order], y[order]).predict(X) == before).all()
    renamed = pd.Series(y).map({"no": "A", "yes": "B"}).to_numpy()
    back = pd.Series(clf.fit(X, renamed).predict(X)).map({"A": "no", "B": "yes"})
    assert (back == before).all()
    threaded = type(clf)(**{**clf.get_params(), "n_jobs": 2}).fit(X, y)
    assert (threaded.predict(X) == before).all()


@pytest.mark.parametrize("clf", LAZY)
def test_sample_weight_is_repetition(clf):
    X, y = mixed()
    weights = np.random.default_rng(4).integers(0, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weights)
    a = clf.fit(X, y, sample_weight=weights).predict_proba(X)
    b = clf.fit(X.iloc[repeated], y[repeated]).predict_proba(X)
    if getattr(clf, "ties", "") != "strict":  # repetitions take other places in the row order
        np.testing.assert_allclose(a, b, atol=1e-12)


@pytest.mark.parametrize("clf", LAZY)
def test_probabilities_agree_with_predictions(clf):
    X, y = mixed()
    clf.fit(X, y)
    proba = clf.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (clf.classes_[proba.argmax(axis=1)] == clf.predict(X)).all()


def test_dnn_outliers():
    X, y = [[0.0], [0.1], [1.0]], ["a", "a", "b"]
    far = [[0.7]]
    assert DNNClassifier(radius=0.01).fit(X, y).predict(far)[0] == "a"
    np.testing.assert_allclose(
        DNNClassifier(radius=0.01).fit(X, y).predict_proba(far), [[2 / 3, 1 / 3]]
    )
    assert DNNClassifier(radius=0.01, outlier="nearest").fit(X, y).predict(far)[0] == "b"


def test_tiny_bandwidth_is_nearest_neighbour():
    X, y = load_wine(return_X_y=True)
    gke = GKEClassifier(bandwidth=1e-8).fit(X, y)
    one = KNNClassifier(n_neighbors=1).fit(X, y)
    assert (gke.loo_predict() == one.loo_predict()).all()


def test_class_weights_against_the_oracle():
    X, y = load_iris(return_X_y=True)
    X = MinMaxScaler().fit_transform(X)[::5]
    y = y[::5]
    weights = np.random.default_rng(2).random((3, 4))
    clf = KNNClassifier(5, class_weights=weights, weight_scale="sum_one").fit(X, y)
    scaled_again = MinMaxScaler().fit_transform(X)
    expected = naive.leave_one_out(
        "knn",
        scaled_again.tolist(),
        y.tolist(),
        scale_weights(weights, "sum_one").tolist(),
        [False] * 4,
        5,
    )
    assert clf.loo_predict().tolist() == expected
    np.testing.assert_allclose(clf.class_weights_.sum(axis=1), 1)
    again = KNNClassifier(5, class_weights=clf.class_weights_).fit(X, y)
    assert again.loo_predict().tolist() == expected


def test_zero_weights_of_a_class_stay_zero():
    weights = np.array([[0.0, 0.0], [1.0, 3.0]])
    for scale in ("none", "sum_one", "sum_m"):
        assert scale_weights(weights, scale)[0].tolist() == [0.0, 0.0]
    assert scale_weights(weights, "sum_m")[1].tolist() == [0.5, 1.5]


def test_pipelines_searches_and_pickles():
    X, y = mixed(60)
    pipe = make_pipeline(FunctionTransformer(), KNNClassifier())
    assert cross_val_score(pipe, X, y, cv=3, n_jobs=2).mean() > 0.5
    search = GridSearchCV(
        KNNClassifier(), {"n_neighbors": [1, 5], "missing": ["max", "ignore"]}, cv=3
    ).fit(X, y)
    assert search.best_score_ > 0.5
    clf = GKEClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(clf))
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


def test_explain_lists_voters_and_weights():
    X, y = mixed()
    weights = np.array([[0.1, 0.2, 0.6, 0.1], [0.4, 0.3, 0.2, 0.1]])
    clf = KNNClassifier(3, class_weights=weights).fit(X, y)
    table = clf.explain(X.iloc[[4]])
    voters = table[table["part"] == "neighbour"]
    features = table[table["part"] == "feature"]
    assert voters["item"].iloc[0] == 4
    assert voters["distance"].iloc[0] == 0
    assert voters["share"].sum() == pytest.approx(1)
    assert set(voters["item"][:3]) == set(clf.kneighbors(X.iloc[[4]], 3)[1][0])
    label = list(clf.classes_).index(table["predicted"].iloc[0])
    assert features["item"].tolist()[0] == X.columns[weights[label].argmax()]
    assert features["share"].is_monotonic_decreasing
    assert features["share"].sum() == pytest.approx(1)


@pytest.mark.parametrize("unit", [1.0, 1e-4])
def test_explain_when_nobody_votes(unit):
    rows = [[0.0], [0.1 * unit], [1.0]]
    table = DNNClassifier(radius=0.01 * unit).fit(rows, [0, 0, 1]).explain([[0.07 * unit]])
    assert (table["part"] == "feature").all()


def test_plot_class_weights_draws_one_bar_per_class():
    X, y = mixed()
    ax = KNNClassifier().fit(X, y).plot_class_weights()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no", "yes"] or [
        label.get_text() for label in ax.get_yticklabels()
    ] == ["no", "yes"]
    import matplotlib.pyplot as plt

    plt.close(ax.figure)


def test_one_class_is_predicted():
    assert KNNClassifier().fit([[1.0], [2.0]], ["only", "only"]).predict([[9.0]])[0] == "only"


def test_constant_and_all_missing_features_change_nothing():
    X, y = mixed()
    more = X.assign(constant=3.0, empty=np.nan)
    for clf in LAZY[:1] + LAZY[4:]:
        before = clf.fit(X, y).predict(X)
        assert (clf.fit(more, y).predict(more) == before).all()


def test_queries_with_unseen_categories_and_only_gaps():
    X, y = mixed()
    strange = X.iloc[[0]].assign(c="never seen", d=None, a=np.nan, b=np.nan)
    for clf in LAZY:
        with pytest.warns(CategoryWarning, match="column 'c'"):
            assert clf.fit(X, y).predict(strange)[0] in ("yes", "no")


@pytest.mark.parametrize(
    ("clf", "message"),
    [
        (KNNClassifier(0), "n_neighbors"),
        (KNNClassifier(ties="some"), "ties"),
        (DNNClassifier(-1.0), "radius"),
        (GKEClassifier(0.0), "bandwidth"),
        (KNNClassifier(missing="mean"), "missing"),
        (KNNClassifier(weight_scale="max"), "weight_scale"),
        (KNNClassifier(class_weights=np.ones((3, 4))), "class_weights must have shape"),
        (KNNClassifier(class_weights=-np.ones((2, 4))), "class 'no', feature 'a'"),
        (
            KNNClassifier(class_weights=pd.DataFrame([[1.0]], index=["no"], columns=["a"])),
            r"its index must hold every class; it lacks \['yes'\]",
        ),
    ],
)
def test_bad_parameters_are_named(clf, message):
    X, y = mixed()
    with pytest.raises(ValueError, match=message):
        clf.fit(X, y)


def test_bad_tables_are_named():
    X, y = mixed()
    clf = KNNClassifier().fit(X, y)
    with pytest.raises(ValueError, match="the class of row 1 is missing"):
        KNNClassifier().fit(X.iloc[:2], ["a", None])
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(X.rename(columns={"a": "A"}))
    with pytest.raises(ValueError, match="n_neighbors = 99"):
        clf.kneighbors(X, 99)
    with pytest.raises(ValueError, match="positive integer"):
        clf.kneighbors(X, 0)
    with pytest.raises(ValueError, match="at least 2 training rows"):
        KNNClassifier().fit([[1.0]], ["a"]).loo_predict()
    with pytest.raises(ValueError, match=r"0 for every row|non-zero"):
        KNNClassifier().fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match="Reshape your data"):
        KNNClassifier().fit([[1.0], [2.0]], [0, 1]).predict([1.0])
    with pytest.raises(ValueError, match="mode"):
        clf.kneighbors_graph(mode="weights")


@pytest.mark.parametrize(
    ("clf", "values"),
    [
        (KNNClassifier(), [0]),
        (KNNClassifier(), [-1]),
        (KNNClassifier(), [2.7]),
        (KNNClassifier(), []),
        (KNNClassifier(), [np.inf]),
        (KNNClassifier(), [[1]]),
        (KNNClassifier(), ["1"]),
        (DNNClassifier(), [np.nan]),
        (DNNClassifier(), [-0.1]),
        (GKEClassifier(), [0]),
    ],
)
def test_parameters_of_a_grid_are_checked(clf, values):
    X, y = mixed()
    clf.fit(X, y)
    with pytest.raises(ValueError, match=r"^parameters "):
        clf.predict_grid(X, values)
    with pytest.raises(ValueError, match=r"^parameters "):
        clf.loo_predict(values)


@pytest.mark.parametrize("clf", LAZY)
@pytest.mark.parametrize("far", [1e50, 1e160, 1.7e308])
def test_far_queries_and_tiny_bandwidths_give_probabilities(clf, far):
    X, y = mixed()
    clf.fit(X, y)
    strange = X.iloc[[0, 1]].assign(b=far)
    assert np.isfinite(clf.predict_proba(strange)).all()
    tiny = GKEClassifier(1e-300).fit(X, y).predict_proba(X)
    assert np.isfinite(tiny).all()


def test_explain_keeps_row_labels_and_integer_classes():
    X, y = mixed()
    clf = KNNClassifier(3).fit(X, (y == "yes").astype(int))
    rows = X.iloc[:2].set_axis(pd.MultiIndex.from_arrays([[1, 1], ["a", "b"]]))
    table = clf.explain(rows, max_neighbors=1)
    assert table["query"].unique().tolist() == [(1, "a"), (1, "b")]
    assert isinstance(table["class"].iloc[0], int | np.integer)
    for wrong in (-1, 1.5, True):
        with pytest.raises(ValueError, match="max_neighbors"):
            clf.explain(rows, max_neighbors=wrong)


def test_the_graph_is_as_wide_as_the_table_given():
    X, y = mixed(60)
    weights = np.r_[np.ones(50), np.zeros(10)]
    graph = KNNClassifier(2).fit(X, y, sample_weight=weights).kneighbors_graph(X)
    assert graph.shape == (60, 60)


def test_class_weights_as_a_series_and_with_other_number_types():
    X, y = mixed()
    series = pd.Series({"d": 0.0, "c": 1.0, "b": 2.0, "a": 3.0})
    clf = KNNClassifier(class_weights=series).fit(X, y)
    assert clf.class_weights_.iloc[0].tolist() == [3.0, 2.0, 1.0, 0.0]
    frame = pd.DataFrame(np.ones((2, 4)), index=[1, 0], columns=X.columns)
    KNNClassifier(class_weights=frame).fit(X, (y == "yes").astype(float))
    with pytest.raises(ValueError, match=r"class_weights: its index .* lacks \['a'\]"):
        KNNClassifier(class_weights=series.drop("a")).fit(X, y)
    with pytest.raises(ValueError, match="class_weights must hold numbers"):
        KNNClassifier(class_weights=[["a"] * 4] * 2).fit(X, y)


def test_labels_without_an_order():
    X, _ = mixed()
    with pytest.raises(TypeError, match="several types"):
        KNNClassifier().fit(X.iloc[:3], np.array([1, "a", 1], dtype=object))


def test_explain_names_training_rows_as_the_table_does():
    X, y = mixed()
    named = X.set_axis([f"row {i}" for i in range(len(X))])
    weights = np.r_[0.0, np.ones(len(y) - 1)]
    by_label = KNNClassifier(3).fit(named, y, sample_weight=weights).explain(X.iloc[[4]])
    assert by_label["item"].iloc[0] == "row 4"
    array = np.random.default_rng(0).random((20, 2))
    by_position = KNNClassifier(3).fit(array, [0, 1] * 10, np.r_[0, np.ones(19)])
    assert by_position.explain(array[[7]])["item"].iloc[0] == 7
