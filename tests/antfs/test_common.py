"""The scikit-learn contract of the ants, with nothing expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl.antfs import AntFeatureSelector

SMALL = {"max_size": 3, "n_generations": 2, "random_state": 0}


@parametrize_with_checks(
    [
        AntFeatureSelector(**SMALL),
        AntFeatureSelector(evaluation="holdout", test_size=0.3, missing="category", **SMALL),
        AntFeatureSelector(validation=0.4, scale="none", n_jobs=2, **SMALL),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
