"""The scikit-learn contract of readings that tests/test_common.py leaves out."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl.coevolution import CHCSelector, CIWNNClassifier, SSGAClassWeighter

SMALL = {"population_size": 6, "max_evaluations": 150, "random_state": 0}


@parametrize_with_checks(
    [
        CIWNNClassifier(missing="ignore", refresh_best=True, fast_threshold=True, **SMALL),
        CHCSelector(missing="ignore", **SMALL),
        SSGAClassWeighter(missing="category", iw_scale="direct", **SMALL),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
