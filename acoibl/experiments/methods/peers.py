"""The classifiers that a user of scikit-learn would pick instead, on the same folds.

Every peer has its library's defaults, is trained on the rows that the colonies are trained on, and
is blind to the test part: categories, medians, ranges and, for the neighbours, k are taken from
the training part, within the search for k from each inner training part.
"""

from collections.abc import Callable, Mapping
from typing import Any

import joblib
import numpy as np
import pandas as pd
import sklearn
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NeighborhoodComponentsAnalysis
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder
from threadpoolctl import threadpool_limits

from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.outcomes import Clock, outcome, share_right
from acoibl.experiments.protocol import Profile, cap_rows, folds
from acoibl.lazy.bases import BASES

INNER_FOLDS = 5
"""Inner folds of the search for k: scikit-learn's default."""

NCA_ROWS = 3000
"""Most training rows that the metric is learnt from: its memory grows with their square (0.25 GB
at 3,000, 0.8 GB at 5,000). Of the paper's data only mushrooms and nursery have more."""


def peers(profile: Profile) -> list[Algorithm]:
    """Four peers, from the nearest relative of k-NN to boosted trees.

    ``knn``: grid search over k and the votes, after imputation, scaling and one-hot encoding.
    ``nca``: the same with a linear map before it, inside the search. ``forest`` after the same
    encoding. ``boosting``: categories and missing values as they are; with a class of two rows
    among thousands (nursery) its defaults are unsteady, and left so.

    Only the forest runs once for every seed. k-NN draws nothing, nor does NCA, which starts from
    the identity. Boosting draws only where a training part has more than 10,000 rows (nursery).
    """
    votes = ["uniform", "distance"]
    search = {"grid": list(BASES["knn"].grid), "votes": votes, "inner_folds": INNER_FOLDS}
    # Costs: processor time on 36 datasets beside that of `plain`.
    metric = {"init": "identity", "max_iter": 50, "max_rows": NCA_ROWS}
    return [
        _peer("knn", search, cost=300.0),
        _peer("nca", {**search, "metric": metric}, cost=1200.0),
        _peer("forest", {"n_estimators": 100}, cost=50.0, stochastic=True),
        _peer("boosting", {"max_iter": 100}, cost=60.0),
    ]


def evaluate_peer(split: Split, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Results of one peer.

    Beside what all have: ``n_evaluations``, the settings tried; of the neighbours ``votes`` and
    ``inner_accuracy``; of the metric and of boosting ``n_iter``; ``library``, with its version.
    """
    clock = Clock()
    train, test, is_categorical = as_numbers(split.X_train, split.X_test)
    labels, y = np.unique(np.asarray(split.y_train), return_inverse=True)
    # Worker processes share the cores among themselves; and more threads would round otherwise.
    with threadpool_limits(limits=1):
        # Of one class there is nothing to learn, and boosting would speak of two.
        fit = _FITS[parameters["peer"]] if len(labels) > 1 else _fit_constant
        seed = int(split.seed.generate_state(1)[0])
        model, facts = fit(train, y, is_categorical, seed, parameters)
        times = clock.read()
        predicted, shares = labels[model.predict(test)], model.predict_proba(test)
        train_accuracy = share_right(model.predict(train), y)
    return [
        {
            "variant": "peer",
            "n_evaluations": 1,
            **facts,
            "train_accuracy": train_accuracy,
            **outcome(split, predicted, shares, labels[model.classes_]),
            **times,
            "library": f"scikit-learn {sklearn.__version__}",
        }
    ]


def as_numbers(
    train: pd.DataFrame, test: pd.DataFrame
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns as numbers, where a category is only renamed: what scikit-learn's parts can read.

    Gives training and test rows, and which columns hold categories. A category is its number among
    those of the training part, -1 if unseen there; columns without any value there are left out.
    """
    columns = []
    for position in range(train.shape[1]):
        known, new = train.iloc[:, position], test.iloc[:, position]
        if known.isna().all():
            continue
        is_category = not pd.api.types.is_numeric_dtype(known) or pd.api.types.is_bool_dtype(known)
        if is_category:
            # By text, as any mixture of types has an order then.
            kinds = sorted(known.dropna().astype(object).unique(), key=str)
            known, new = _codes(known, kinds), _codes(new, kinds)
        else:
            known, new = (part.to_numpy(np.float64, na_value=np.nan) for part in (known, new))
        columns.append((known, new, is_category))
    if not columns:  # nothing to tell rows apart by
        return np.zeros((len(train), 1)), np.zeros((len(test), 1)), np.array([False])
    left, right, is_categorical = zip(*columns, strict=True)
    return np.column_stack(left), np.column_stack(right), np.array(is_categorical)


def inner_folds(y: np.ndarray, n_folds: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Inner folds of a search, whatever the sizes of the classes; fewer for fewer rows."""
    return folds(y, min(n_folds, len(y)))


class CappedNCA(TransformerMixin, BaseEstimator):
    """Neighbourhood components analysis that learns from at most `max_rows` rows.

    It starts from the identity, not from linear discriminant analysis, scikit-learn's choice where
    there are more features than classes (of the paper's data: ecoli): collinear features warn then.
    """

    def __init__(self, init: str = "identity", max_iter: int = 50, max_rows: int = NCA_ROWS):
        self.init = init
        self.max_iter = max_iter
        self.max_rows = max_rows

    def fit(self, X: np.ndarray, y: np.ndarray) -> "CappedNCA":
        """Learn the map.

        Parameters
        ----------
        X : ndarray, shape (n_rows, n_features)
            Rows.
        y : ndarray, shape (n_rows,)
            Classes.

        Returns
        -------
        CappedNCA
            Itself.
        """
        rows = cap_rows(y, self.max_rows)
        self.nca_ = NeighborhoodComponentsAnalysis(init=self.init, max_iter=self.max_iter)
        self.nca_.fit(X[rows], y[rows])
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Map rows.

        Parameters
        ----------
        X : ndarray, shape (n_rows, n_features)
            Rows.

        Returns
        -------
        ndarray, shape (n_rows, n_features)
            Mapped rows.
        """
        return self.nca_.transform(X)


def _peer(name: str, parameters: Mapping[str, Any], **settings: Any) -> Algorithm:
    # The base is none of the papers', so that their tables never count a peer.
    return Algorithm(
        f"peer-{name}", "peer", evaluate_peer, {"peer": name, **parameters}, **settings
    )


def _codes(column: pd.Series, kinds: list) -> np.ndarray:
    codes = pd.Index(kinds, dtype=object).get_indexer(pd.Index(column.astype(object)))
    return np.where(column.isna(), np.nan, codes)


def _encoder(is_categorical: np.ndarray) -> ColumnTransformer:
    # keep_empty_features: an inner training part may have no value of a column.
    numeric = make_pipeline(
        SimpleImputer(strategy="median", keep_empty_features=True), MinMaxScaler()
    )
    categorical = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    return ColumnTransformer(
        [
            ("numeric", numeric, np.flatnonzero(~is_categorical)),
            ("categorical", categorical, np.flatnonzero(is_categorical)),
        ]
    )


def _fit_neighbours(
    X: np.ndarray, y: np.ndarray, is_categorical: np.ndarray, seed: int, parameters: Mapping
) -> tuple[Any, dict[str, Any]]:
    before = [_encoder(is_categorical)]
    if "metric" in parameters:
        before.append(CappedNCA(**parameters["metric"]))
    steps = [("before", _Once(make_pipeline(*before), _Shared())), ("vote", KNeighborsClassifier())]
    inner = inner_folds(y, parameters["inner_folds"])
    most = min(len(train) for train, _ in inner)  # rows, hence neighbours, in every search
    grid = {
        "vote__n_neighbors": [k for k in parameters["grid"] if k <= most],
        "vote__weights": parameters["votes"],
    }
    search = GridSearchCV(Pipeline(steps), grid, cv=inner, n_jobs=1, error_score="raise").fit(X, y)
    facts = {
        "key_parameter": search.best_params_["vote__n_neighbors"],
        "votes": search.best_params_["vote__weights"],
        "inner_accuracy": float(search.best_score_),
        "n_evaluations": len(search.cv_results_["params"]),
    }
    if "metric" in parameters:
        # Scikit-learn says nothing when the iterations run out, unless it is asked to be verbose,
        # and counts the start as an iteration.
        n_iter = int(search.best_estimator_["before"].transformer_[-1].nca_.n_iter_) - 1
        spent = n_iter >= parameters["metric"]["max_iter"]
        facts |= {"n_iter": n_iter, "stopped": "max_iter" if spent else "converged"}
    return search, facts


def _fit_forest(
    X: np.ndarray, y: np.ndarray, is_categorical: np.ndarray, seed: int, parameters: Mapping
) -> tuple[Any, dict[str, Any]]:
    forest = RandomForestClassifier(parameters["n_estimators"], n_jobs=1, random_state=seed)
    return make_pipeline(_encoder(is_categorical), forest).fit(X, y), {}


def _fit_boosting(
    X: np.ndarray, y: np.ndarray, is_categorical: np.ndarray, seed: int, parameters: Mapping
) -> tuple[Any, dict[str, Any]]:
    booster = HistGradientBoostingClassifier(
        max_iter=parameters["max_iter"], categorical_features=is_categorical, random_state=seed
    )
    X = _merge_rare(X, is_categorical, booster.max_bins)
    # Beyond 10,000 rows it stops early, by a stratified tenth of the rows that it sets aside, and
    # refuses a class of one row (nursery can have it): such a row is left out.
    if len(y) > 10_000:
        several = np.bincount(y)[y] > 1
        X, y = X[several], y[several]
    booster.fit(X, y)
    return booster, {"n_iter": int(booster.n_iter_)}


def _fit_constant(X: np.ndarray, y: np.ndarray, *rest: Any) -> tuple[Any, dict[str, Any]]:
    return DummyClassifier().fit(X, y), {}


def _merge_rare(X: np.ndarray, is_categorical: np.ndarray, most: int) -> np.ndarray:
    """Training rows where a column of too many categories keeps the frequent ones."""
    X = X.copy()
    for column in np.flatnonzero(is_categorical):
        kinds, counts = np.unique(X[~np.isnan(X[:, column]), column], return_counts=True)
        rare = kinds[np.argsort(-counts, kind="stable")][most:]
        X[np.isin(X[:, column], rare), column] = np.nan
    return X


class _Once(TransformerMixin, BaseEstimator):
    """Does a transformer's work once for the same rows, though a search asks with every k.

    A pipeline's own memory goes through files, or through arguments that differ by version.
    """

    def __init__(self, transformer: Any, shared: "_Shared") -> None:
        self.transformer = transformer
        self.shared = shared

    def fit(self, X: np.ndarray, y: np.ndarray) -> "_Once":
        self.key_ = joblib.hash((X, y))
        if self.key_ not in self.shared:
            self.shared[self.key_] = clone(self.transformer).fit(X, y)
        self.transformer_ = self.shared[self.key_]
        return self

    def transform(self, X: np.ndarray) -> np.ndarray:
        key = self.key_, joblib.hash(X)
        if key not in self.shared:
            self.shared[key] = self.transformer_.transform(X)
        return self.shared[key]


class _Shared(dict):
    """Dictionary that the clones of an estimator have in common."""

    def __deepcopy__(self, memo: dict) -> "_Shared":
        return self


_FITS: Mapping[str, Callable[..., tuple[Any, dict[str, Any]]]] = {
    "knn": _fit_neighbours,
    "nca": _fit_neighbours,
    "forest": _fit_forest,
    "boosting": _fit_boosting,
}
