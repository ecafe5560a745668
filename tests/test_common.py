"""The scikit-learn contract, with nothing expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl import ACOIBLClassifier, DNNClassifier, GKEClassifier, KNNClassifier
from acoibl.coevolution import (
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
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
from acoibl.colony import WeakFitWarning

COLONY = {"archive_size": 5, "max_iter": 10, "random_state": 0}

ESTIMATORS = [
    KNNClassifier(),
    KNNClassifier(n_neighbors=3, ties="strict", missing="ignore", weight_scale="sum_one"),
    DNNClassifier(radius=0.3),
    DNNClassifier(radius=0.1, outlier="nearest", missing="category"),
    GKEClassifier(bandwidth=0.1),
    ACOIBLClassifier("knn", **COLONY),
    ACOIBLClassifier("knn", preset="paper", patience=20, random_state=0),
    ACOIBLClassifier("dnn", weight_scale="sum_m", **COLONY),
    ACOIBLClassifier("gke", ensemble=False, **COLONY),
    CIWNNClassifier(max_evaluations=300, random_state=0),
    CIWNNClassifier(preset="keel", max_evaluations=300, random_state=0),
    CHCSelector(max_evaluations=200, random_state=0),
    SSGAFeatureWeighter(max_evaluations=200, random_state=0),
    SSGAClassWeighter(max_evaluations=200, random_state=0),
    SSMAClassifier(max_evaluations=300, random_state=0),
    WDNNClassifier(max_sweeps=5),
    GradientWeightsClassifier(max_sweeps=20),
    GradientWeightsClassifier("class", step=0.01, max_sweeps=20),
    ReliefFClassifier(n_neighbors=3, missing="category"),
    MutualInformationClassifier(random_state=0),
    TabuSearchClassifier(max_evaluations=200, random_state=0),
    GOCBRClassifier(max_evaluations=200, random_state=0),
]


# The checks fit on labels drawn at random: the warning is right, and not the point here.
@pytest.mark.filterwarnings(f"ignore::{WeakFitWarning.__module__}.{WeakFitWarning.__name__}")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
