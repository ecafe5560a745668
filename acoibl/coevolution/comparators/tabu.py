"""TS/KNN: features selected and weighted by tabu search."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from acoibl.coevolution.comparators.base import PrototypeClassifier
from acoibl.coevolution.comparators.problem import Learned, Problem, keep_all
from acoibl.coevolution.comparators.record import SEARCH_CONSTRAINTS, Record
from acoibl.kernels.prototypes import feature_blocks

_COLUMNS = ("evaluation", "accuracy", "best", "n_features")


class TabuSearchClassifier(PrototypeClassifier):
    """1-NN whose features are selected and weighted by tabu search (TS/KNN).

    A solution says for each feature whether it is used, and with which
    weight. A step tries some neighbours, each of which leaves one feature out
    or takes it in again, or gives it another weight, uniform in (0, 1]. The
    search moves to the neighbour of most leave-one-out hits, better or not,
    of equals to that with the fewest features. A feature that was changed
    is tabu for a while, unless changing it beats the best solution so far.
    The search starts from all features with weight 1, the plain 1-NN.

    Parameters
    ----------
    max_evaluations : int, default=10000
        Budget.
    n_trials : int or None, default=None
        Neighbours tried in each step; by default the square root of the
        number of features, rounded up.
    tenure : int or None, default=None
        Steps for which a changed feature is tabu; by default the same. At
        most the number of features less 1.
    missing : {"max", "category"}, default="max"
        What a missing value means, see `acoibl.KNNClassifier`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, see `acoibl.MixedEncoder`.
    random_state : int, SeedSequence, Generator, RandomState or None, default=None
        Seed of the search.
    callback : callable, optional
        Called after every step with the last line of the history (a dict);
        a true value ends the search.
    time_limit : float, optional
        Seconds after which no further step begins. The result then depends
        on the speed of the machine.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Class labels.
    feature_weights_ : Series, shape (n_features,)
        Weights inside the root of the distance; 0 for a feature left out.
    loo_accuracy_ : float
        Accuracy over the training rows, each answered by another row.
    history_ : DataFrame
        After each step: ``evaluation``, ``accuracy`` and ``n_features`` of
        the present solution, ``best`` accuracy so far.
    n_evaluations_ : int
        Evaluations spent.
    stopped_ : {"max_evaluations", "callback", "time_limit"}
        Why the search ended.
    class_weights_, sample_indices_, multipliers_, reduction_
        The same weights for every class; all rows answer, with multiplier 1.

    Notes
    -----
    A simple reading: the article itself was not at hand when this was written,
    and longer-term memories (intensification and diversification) are left out.

    References
    ----------
    Tahir, Bouridane and Kurugollu, "Simultaneous feature selection and feature
    weighting using hybrid tabu search/K-nearest neighbor classifier", Pattern
    Recognition Letters 28 (2007) 438-446.

    Examples
    --------
    >>> from acoibl.coevolution.comparators import TabuSearchClassifier
    >>> X = [[0.0, 0.3], [0.3, 0.9], [0.2, 0.1], [0.7, 0.2], [0.9, 0.8], [1.0, 0.4]]
    >>> y = ["low", "low", "low", "high", "high", "high"]
    >>> clf = TabuSearchClassifier(max_evaluations=100, random_state=0).fit(X, y)
    >>> bool(clf.feature_weights_["x0"] > clf.feature_weights_["x1"]), clf.loo_accuracy_
    (True, 1.0)
    """

    _parameter_constraints: ClassVar[dict] = {
        **PrototypeClassifier._parameter_constraints,
        **SEARCH_CONSTRAINTS,
        "n_trials": [Interval(Integral, 1, None, closed="left"), None],
        "tenure": [Interval(Integral, 0, None, closed="left"), None],
    }

    def __init__(
        self,
        *,
        max_evaluations: int = 10_000,
        n_trials: int | None = None,
        tenure: int | None = None,
        missing: str = "max",
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.max_evaluations = max_evaluations
        self.n_trials = n_trials
        self.tenure = tenure
        self.missing = missing
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.callback = callback
        self.time_limit = time_limit

    def _learn(self, problem: Problem, rng: np.random.Generator) -> Learned:
        record = Record(_COLUMNS, self.callback, self.time_limit)
        m = problem.n_features
        root = int(np.ceil(np.sqrt(m)))
        n_trials = min(m, root if self.n_trials is None else self.n_trials)
        tenure = min(m - 1, root if self.tenure is None else self.tenure)
        # Everything is in the order of the kernels until the end.
        count = _Judge(problem)
        used, weights = np.ones(m, dtype=bool), np.ones(m)
        free_from = np.zeros(m, dtype=np.int64)  # the step from which a feature is not tabu
        hits = int(count(weights)[0])
        spent, step = 1, 0
        best_hits, best = hits, weights.copy()
        goes_on = record.add(spent, hits / problem.n_rows, hits / problem.n_rows, m)
        while goes_on and spent < self.max_evaluations:
            step += 1
            n = min(n_trials, self.max_evaluations - spent)
            features = rng.permutation(m)[:n]
            drawn = 1.0 - rng.random(n)  # never 0: that would leave the feature out
            toggled = (rng.random(n) < 0.5) | ~used[features]
            if used.sum() == 1:  # the last feature stays
                toggled &= ~used[features]
            present = np.where(used, weights, 0.0)
            new = np.where(toggled, np.where(used[features], 0.0, weights[features]), drawn)
            found = count(present, features, new)
            spent += n
            allowed = (free_from[features] <= step) | (found > best_hits)
            if allowed.any():
                n_used = used.sum() + np.where(toggled, np.where(used[features], -1, 1), 0)
                order = np.lexsort((n_used, -found, ~allowed))
                chosen = order[0]
                j = features[chosen]
                if toggled[chosen]:
                    used[j] = not used[j]
                else:
                    weights[j] = drawn[chosen]
                free_from[j] = step + tenure + 1
                hits = int(found[chosen])
                if hits > best_hits:
                    best_hits, best = hits, np.where(used, weights, 0.0)
            n = problem.n_rows
            goes_on = record.add(spent, hits / n, best_hits / n, int(used.sum()))
        feature_weights = problem.in_given_order(best)
        return keep_all(problem, feature_weights, record.facts(spent))

    def _nothing_learned(self, problem: Problem) -> dict[str, Any]:
        return Record(_COLUMNS).facts(0)


class _Judge:
    """Counts leave-one-out hits of feature weights."""

    def __init__(self, problem: Problem):
        self.blocks = feature_blocks.make_blocks(problem.data.numeric, problem.data.codes)
        self.classes = problem.classes
        self.everybody = np.ones(problem.n_rows, dtype=bool)

    def __call__(
        self, weights: np.ndarray, features: np.ndarray | None = None, values: Any = None
    ) -> np.ndarray:
        """Hits of some weights, or of them with one at a time set to another value."""
        if features is None:
            features, values = np.empty(0, dtype=np.int64), np.empty(0)
        hits = np.empty(max(1, len(features)), dtype=np.int64)
        feature_blocks.hits_of_variants(
            self.blocks, self.classes, self.everybody, weights, features, values, hits
        )
        return hits
