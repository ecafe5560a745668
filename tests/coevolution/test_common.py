"""The scikit-learn contract of CIW-NN and its parts, with nothing expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl.coevolution import (
    CHCSelector,
    CIWNNClassifier,
    SSGAClassWeighter,
    SSGAFeatureWeighter,
)

SMALL = {"population_size": 6, "max_evaluations": 150, "random_state": 0}


@parametrize_with_checks(
    [
        CIWNNClassifier(**SMALL),
        CIWNNClassifier(preset="keel", **SMALL),
        CIWNNClassifier(missing="ignore", refresh_best=True, fast_threshold=True, **SMALL),
        CHCSelector(**SMALL),
        SSGAFeatureWeighter(**SMALL),
        SSGAClassWeighter(missing="category", **SMALL),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
