"""Tables for the tests of the ants."""

import numpy as np
import pandas as pd


def mixed(n=60, seed=0, *, missing=True):
    """Numeric and categorical columns, ties, missing values; classes depend on some columns."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = pd.DataFrame(
        {
            "a": y + rng.normal(0, 0.7, n),
            "b": np.round(rng.normal(0, 1, n), 1),
            "c": pd.Categorical(np.array(["x", "y", "z"])[(y + (rng.random(n) < 0.4)) % 3]),
            "d": np.round(y * 0.5 + rng.normal(0, 1, n)),
            "e": pd.Categorical(rng.choice(["u", "v"], n)),
            "f": rng.normal(0, 1, n),
        }
    )
    if missing:
        X.loc[rng.choice(n, 5, replace=False), "b"] = np.nan
        X.loc[rng.choice(n, 4, replace=False), "c"] = np.nan
    return X, np.array(["no", "perhaps", "yes"])[y]


def as_rows(data):
    """Rows of an `EncodedData` for the oracles, and which columns hold codes."""
    n_features = len(data.numeric_features) + len(data.categorical_features)
    rows = [[None] * n_features for _ in range(len(data))]
    for block, places in (
        (data.numeric, data.numeric_features),
        (data.codes, data.categorical_features),
    ):
        for i, line in enumerate(block.tolist()):
            for value, place in zip(line, places, strict=True):
                lacks = value != value or (place in data.categorical_features and value == -1)
                rows[i][place] = None if lacks else value
    nominal = [place in data.categorical_features for place in range(n_features)]
    return rows, nominal
