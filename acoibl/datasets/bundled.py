"""The three datasets that scikit-learn carries: iris, wine, breast-w (WDBC)."""

import pandas as pd

from acoibl.datasets.columns import categorical

BUNDLED = ("breast-w", "iris", "wine")


def from_scikit_learn(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Table of one of them, cell for cell that of the UCI's file.

    Names of columns and classes are the UCI's. scikit-learn corrected three
    cells of iris to Fisher's article (rows 35 and 38, counted from 1); here
    they are put back to the UCI's values, since the papers used that file.

    Parameters
    ----------
    name : {"breast-w", "iris", "wine"}
        The dataset.

    Returns
    -------
    X : pandas.DataFrame
        ``float64`` columns.
    y : pandas.Series
        The class.

    Examples
    --------
    >>> X, y = from_scikit_learn("iris")
    >>> X.iloc[37].tolist(), y.iloc[37]
    ([4.9, 3.1, 1.5, 0.1], 'Iris-setosa')
    """
    from sklearn import datasets as sklearn_datasets  # slow to import: only where it is needed

    loader, classes = {
        "iris": (
            sklearn_datasets.load_iris,
            ("Iris-setosa", "Iris-versicolor", "Iris-virginica"),
        ),
        "wine": (sklearn_datasets.load_wine, ("1", "2", "3")),
        "breast-w": (sklearn_datasets.load_breast_cancer, ("malignant", "benign")),
    }[name]
    bunch = loader()
    X = pd.DataFrame(bunch.data, columns=[_rename(name, column) for column in bunch.feature_names])
    if name == "iris":
        X.iloc[34, 3], X.iloc[37, 1:3] = 0.1, [3.1, 1.5]
    return X, categorical([classes[code] for code in bunch.target], name="class")


def _rename(name: str, column: str) -> str:
    if name == "iris":
        return column.removesuffix(" (cm)").replace(" ", "")
    if name == "wine":
        return "OD280/OD315_of_diluted_wines" if column[:2] == "od" else column.capitalize()
    return column.replace(" ", "_")
