"""The scikit-learn contract, with nothing expected to fail."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from acoibl.margins import MBIW, DoublyWeightedKNN, Simba, SimbaMBIW


@parametrize_with_checks(
    [
        MBIW(),
        Simba(step="1/n", random_state=0),
        SimbaMBIW(),
        SimbaMBIW("sample", "mean_one", scale=False, missing="category", random_state=0),
        DoublyWeightedKNN(),
        DoublyWeightedKNN(ties="strict", selector=MBIW()),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
