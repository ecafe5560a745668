"""The scikit-learn contract, with nothing expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl import ACOIBLClassifier, DNNClassifier, GKEClassifier, KNNClassifier, MixedEncoder
from acoibl.antfs import AntFeatureSelector
from acoibl.coevolution import (
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
)
from acoibl.colony import WeakFitWarning
from acoibl.margins import MBIW, DoublyWeightedKNN, Simba, SimbaMBIW
from acoibl.memetic import MemeticClassifier
from acoibl.prototypes import (
    GOCBRClassifier,
    GradientWeightsClassifier,
    MutualInformationClassifier,
    ReliefFClassifier,
    SSMAClassifier,
    TabuSearchClassifier,
    WDNNClassifier,
)

ANTS = {"max_size": 3, "n_generations": 2, "random_state": 0}
EVOLUTION = {"population_size": 6, "max_evaluations": 150, "random_state": 0}
COLONY = {"archive_size": 5, "max_iter": 10, "random_state": 0}

ESTIMATORS = [
    MixedEncoder(),
    MixedEncoder(missing="category"),
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
    CIWNNClassifier(missing="ignore", refresh_best=True, fast_threshold=True, **EVOLUTION),
    CHCSelector(missing="ignore", **EVOLUTION),
    SSGAClassWeighter(missing="category", iw_scale="direct", **EVOLUTION),
    AntFeatureSelector(**ANTS),
    AntFeatureSelector(evaluation="holdout", test_size=0.3, missing="category", **ANTS),
    AntFeatureSelector(validation=0.4, scale="none", n_jobs=2, **ANTS),
    MBIW(),
    Simba(step="1/n", random_state=0),
    SimbaMBIW(),
    SimbaMBIW("sample", "mean_one", scale=False, missing="category", random_state=0),
    DoublyWeightedKNN(),
    DoublyWeightedKNN(ties="strict", selector=MBIW()),
    MemeticClassifier(),
    MemeticClassifier(
        n_ants=3,
        steps=2,
        fitness="margin",
        p=1,
        numeric="standard",
        categorical="vdm",
        smoothing="counts",
        start="mutual_information",
        members=["knn"],
        missing="category",
        max_queries=10,
        random_state=0,
    ),
]


# The checks fit on labels drawn at random: the warning is right, and not the point here.
@pytest.mark.filterwarnings(f"ignore::{WeakFitWarning.__module__}.{WeakFitWarning.__name__}")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
