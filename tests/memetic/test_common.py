"""The scikit-learn contract, with nothing expected to fail."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl.lazy.checks import WeakFitWarning
from acoibl.memetic import MemeticClassifier


# The checks fit on labels drawn at random: the warning is right, and not the point here.
@pytest.mark.filterwarnings(f"ignore::{WeakFitWarning.__module__}.{WeakFitWarning.__name__}")
@parametrize_with_checks(
    [
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
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
