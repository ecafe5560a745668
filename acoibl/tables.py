"""What a user gave as a table, brought to a DataFrame or an array without losing anything.

NumPy alone would turn a list of numbers and text into text, and forget which cells are masked.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd


def as_table(X: Any) -> Any:
    """Bring a table to the form in which everything here reads it.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_features)
        What the user gave.

    Returns
    -------
    DataFrame or array-like
        A pandas DataFrame for tables of polars and Arrow, with dictionary columns as categories;
        an array of objects for a list of rows with text or truth values among the numbers; an
        array with NaN or None for what a masked array hides; anything else as it is.

    Raises
    ------
    ImportError
        If converting the table needs a package that is not there.
    ValueError
        For a list of rows of unequal length.

    Examples
    --------
    >>> from acoibl.tables import as_table
    >>> as_table([[1.5, "red"], [2.5, "blue"]]).tolist()
    [[1.5, 'red'], [2.5, 'blue']]
    """
    if hasattr(X, "to_pandas"):  # polars, pyarrow
        try:
            X = X.to_pandas()
        except ModuleNotFoundError as error:
            raise ImportError(
                f"a {type(X).__module__} table needs the package {error.name!r} to be read; "
                "install it, or pass a pandas DataFrame"
            ) from error
    if isinstance(X, pd.DataFrame):
        return _with_dictionaries_read(X)
    if isinstance(X, list | tuple):
        return _from_rows(X)
    return unmasked(X)


def unmasked(values: Any) -> Any:
    """Write missing values where a masked array hides what it holds.

    Parameters
    ----------
    values : object
        A masked array, or anything else.

    Returns
    -------
    object
        An array with NaN (numbers) or None in the masked places; anything else as it is.
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    mask, data = np.ma.getmaskarray(values), np.asarray(values.data)
    if not mask.any() or data.dtype.kind in "cV":  # the latter are refused anyway
        return data
    if data.dtype.kind == "f":
        return np.where(mask, np.array(np.nan, dtype=data.dtype), data)
    if data.dtype.kind in "iu":
        return np.where(mask, np.nan, data)
    data = data.astype(object)
    data[mask] = None
    return data


def row_labels(X: Any, positions: np.ndarray) -> np.ndarray:
    """How the user names the rows of a table.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_features)
        Table.
    positions : ndarray of int64, shape (n_rows,)
        What to call the rows of a table without an index.

    Returns
    -------
    ndarray of object, shape (n_rows,)
        Labels of the index, which are tuples if it has several levels, or the positions.
    """
    index = X.index if isinstance(X, pd.DataFrame) else pd.Index(positions)
    return index.to_numpy(dtype=object)


def as_labels(labels: Iterable) -> np.ndarray:
    """Array of labels, in which a tuple is one label.

    Parameters
    ----------
    labels : iterable
        Labels.

    Returns
    -------
    ndarray of object, shape (n,)
        The labels.
    """
    labels = list(labels)
    out = np.empty(len(labels), dtype=object)
    for i, label in enumerate(labels):
        out[i] = label
    return out


def _with_dictionaries_read(X: pd.DataFrame) -> pd.DataFrame:
    """The same, with Arrow's dictionary columns as what pandas calls categories."""
    places = [
        place
        for place, dtype in enumerate(X.dtypes)
        if isinstance(dtype, pd.ArrowDtype) and hasattr(dtype.pyarrow_dtype, "index_type")
    ]
    if places:
        X = X.copy(deep=False)
    for place in places:
        X.isetitem(place, X.iloc[:, place].array.__arrow_array__().to_pandas().array)
    return X


def _from_rows(rows: Sequence) -> Any:
    if any(isinstance(row, np.ma.MaskedArray) for row in rows):
        return unmasked(np.ma.stack(rows))  # noqa: PD013 (NumPy's)
    try:
        array = np.asarray(rows)
    except ValueError as error:
        lengths = [len(row) if hasattr(row, "__len__") else -1 for row in rows]
        other = next((i for i, n in enumerate(lengths) if n != lengths[0]), None)
        if other is None or min(lengths) < 0:
            raise
        raise ValueError(
            f"row {other} of X has {lengths[other]} values, but row 0 has {lengths[0]}"
        ) from error
    if array.ndim == 2 and array.dtype.kind in "USiuf" and _is_mixed(rows, array.dtype.kind):
        return np.array(rows, dtype=object)
    return array


def _is_mixed(rows: Sequence, kind: str) -> bool:
    """Whether NumPy has turned some cells of rows into another type."""
    alien = (bool, np.bool_) if kind in "iuf" else None
    for row in rows:
        if isinstance(row, np.ndarray) and row.dtype.kind == kind:
            continue
        for cell in row:
            if isinstance(cell, alien) if alien else not isinstance(cell, str | bytes):
                return True
    return False
