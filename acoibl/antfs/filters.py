"""Scores of features that ask no classifier, over the rows of an evaluator."""

from typing import Any

import numpy as np
from sklearn.feature_selection import mutual_info_classif

from acoibl import kernels
from acoibl.antfs.evaluation import SubsetEvaluator
from acoibl.kernels.relieff import relieff


def mutual_information_scores(judge: SubsetEvaluator, random_state: Any = None) -> np.ndarray:
    """Mutual information of each feature with the class, as ``SelectKBest`` would rank it.

    Parameters
    ----------
    judge : SubsetEvaluator
        Its training rows are used; a missing number counts as the middle of the range, a missing
        category as one more.
    random_state : int, RandomState or None, default=None
        Seed of the small noise that scikit-learn's estimate adds to numbers.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        In nats; see `sklearn.feature_selection.mutual_info_classif`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.antfs import SubsetEvaluator, mutual_information_scores
    >>> judge = SubsetEvaluator(*load_iris(return_X_y=True))
    >>> sorted(mutual_information_scores(judge, 0).argsort()[-2:].tolist())
    [2, 3]
    """
    data = judge.training
    values = np.empty((len(data), judge.n_features))
    values[:, data.numeric_features] = np.nan_to_num(data.numeric, nan=0.5)
    values[:, data.categorical_features] = data.codes
    discrete = np.isin(np.arange(judge.n_features), data.categorical_features)
    return mutual_info_classif(
        values, judge.codes, discrete_features=discrete, random_state=random_state
    )


def relieff_scores(judge: SubsetEvaluator, n_neighbors: int = 10) -> np.ndarray:
    """ReliefF scores.

    Parameters
    ----------
    judge : SubsetEvaluator
        Its training rows are used; a missing value differs by 1 from everything.
    n_neighbors : int, default=10
        Neighbours of each class that a score averages over.

    Returns
    -------
    ndarray of float64, shape (n_features,)
        From -1 to 1.

    References
    ----------
    Kononenko, "Estimating attributes: analysis and extensions of RELIEF", ECML 1994.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from acoibl.antfs import SubsetEvaluator, relieff_scores
    >>> judge = SubsetEvaluator(*load_iris(return_X_y=True))
    >>> sorted(relieff_scores(judge).argsort()[-2:].tolist())
    [2, 3]
    """
    data = judge.training
    training = kernels.make_training(data.numeric, data.codes, judge.codes, len(judge.classes_))
    found = np.empty(judge.n_features)
    relieff(kernels.make_queries(data.numeric, data.codes), training, n_neighbors, found)
    scores = np.empty_like(found)
    scores[np.concatenate([data.numeric_features, data.categorical_features])] = found
    return scores
