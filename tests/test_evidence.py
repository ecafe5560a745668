"""What the reading of the paper rests on, measured again on real data."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from acoibl import KNNClassifier
from acoibl.datasets import DatasetUnavailableError, load

# Plain 12-NN with ties included, stratified 10-fold: accuracy in % when the ruling was made.
# With exactly 12 neighbours these datasets fall to 89.0, 91.5, 92.0 and 81.9.
INCLUDED = {"ttt": 98.12, "chess": 95.53, "car": 93.63, "balance": 85.28}


@pytest.mark.parametrize("name", INCLUDED)
def test_ties_included_reach_the_published_level(name):
    try:
        data = load(name)
    except DatasetUnavailableError as error:
        pytest.skip(str(error))
    y = np.asarray(data.y)
    accuracies = []
    for seed in range(5):
        right = 0
        for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(data.X, y):
            clf = KNNClassifier(12).fit(data.X.iloc[train], y[train])
            right += (clf.predict(data.X.iloc[test]) == y[test]).sum()
        accuracies.append(100 * right / len(y))
    assert np.mean(accuracies) == pytest.approx(INCLUDED[name], abs=1.0)
