"""One text form per table, and its SHA-256, whatever file the table came from."""

import hashlib
import json

import numpy as np
import pandas as pd

from acoibl.datasets.columns import categorical


def canonical_lines(X: pd.DataFrame, y: pd.Series) -> list[str]:
    """Canonical text of a table: one line of columns, then one line a row.

    Each line is a JSON array without spaces (ASCII only). The first holds
    ``[name, kind]`` for every column, kind being ``"numeric"`` or
    ``"category"``, with the class last; a row holds the shortest decimal text
    that gives the same double back (Python's ``repr``; minus zero counts as
    zero) for a number, the text of a category, and ``null`` where a value is
    missing. Nothing else enters: not the file format, not the order in which
    categories are declared nor values that are declared and do not occur, not
    the index, not the version of pandas. The order of the columns and of the
    rows does.

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_features)
        Numeric and ``category`` columns.
    y : pandas.Series of shape (n_rows,)
        The class.

    Returns
    -------
    list of str
        ``n_rows + 1`` lines.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [1.0, np.nan]})
    >>> canonical_lines(X, pd.Series(["u", "v"], name="class", dtype="category"))
    ['[["a","numeric"],["class","category"]]', '["1.0","u"]', '[null,"v"]']
    """
    header, cells = [], []
    for column in [*(X.iloc[:, j] for j in range(X.shape[1])), y]:
        if isinstance(column.dtype, pd.CategoricalDtype):
            header.append([str(column.name), "category"])
            cells.append(_texts(column))
        else:
            # Adding 0.0 turns -0.0 into 0.0.
            numbers = (column.to_numpy(dtype=np.float64, na_value=np.nan) + 0.0).tolist()
            header.append([str(column.name), "numeric"])
            cells.append([None if number != number else repr(number) for number in numbers])
    rows = ([*row] for row in zip(*cells, strict=True))
    return [json.dumps(line, separators=(",", ":")) for line in [header, *rows]]


def table_checksum(X: pd.DataFrame, y: pd.Series) -> str:
    """SHA-256 of the canonical text (lines joined and ended by a line feed).

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_features)
        Numeric and ``category`` columns.
    y : pandas.Series of shape (n_rows,)
        The class.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> X = pd.DataFrame({"a": [1.0, np.nan]})
    >>> table_checksum(X, pd.Series(["u", "v"], name="class", dtype="category"))[:12]
    'fd1fce98d8bf'
    """
    text = "".join(line + "\n" for line in canonical_lines(X, y))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def tidy_table(X: pd.DataFrame, y: pd.Series, order: str = "file") -> tuple:
    """Table with its categories and rows in a fixed order, whatever a file declares.

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_features)
        Numeric and ``category`` columns.
    y : pandas.Series of shape (n_rows,)
        The class.
    order : {"file", "sorted"}, default="file"
        Whether rows stay in place or are sorted by their canonical text.

    Returns
    -------
    X : pandas.DataFrame of shape (n_rows, n_features)
        The same, the categories of a column being those that occur, sorted.
    y : pandas.Series of shape (n_rows,)
        Likewise.

    Examples
    --------
    >>> y = pd.Series(pd.Categorical(["b", "a"], categories=["c", "b", "a"]), name="class")
    >>> _, y = tidy_table(pd.DataFrame({"x": [2.0, 1.0]}), y, "sorted")
    >>> y.tolist(), y.cat.categories.tolist()
    (['a', 'b'], ['a', 'b'])
    """
    if order == "sorted":
        rows = canonical_lines(X, y)[1:]
        places = sorted(range(len(rows)), key=rows.__getitem__)
        X = X.iloc[places].reset_index(drop=True)
        y = y.iloc[places].reset_index(drop=True)
    columns = {name: _tidy_column(X[name]) for name in X.columns}
    return pd.DataFrame(columns), _tidy_column(y)


def _tidy_column(column: pd.Series) -> pd.Series:
    if not isinstance(column.dtype, pd.CategoricalDtype):
        return column
    return categorical(_texts(column), name=column.name)


def _texts(column: pd.Series) -> list[str | None]:
    values = [*(str(value) for value in column.cat.categories), None]  # code -1: missing
    return [values[code] for code in column.cat.codes]
