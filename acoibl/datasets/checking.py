"""What a user's data file holds, in words: the answer of ``acoibl datasets --check FILE``."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from acoibl.datasets.reading import read_frame, split_class

_SHOWN = 40  # columns listed one by one
_WIDTH = 44  # characters of a name or of a list of values


def check_file(
    path: str | Path,
    target: str | None = None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    missing_values: str | Iterable[str] = (),
) -> str:
    r"""Read a data file and say what it holds and what looks odd.

    Parameters
    ----------
    path : str or pathlib.Path
        An ARFF, KEEL or CSV file.
    target, header, delimiter, missing_values
        See ``read_table``.

    Returns
    -------
    str
        Several lines: size, the format and how it was understood, classes with
        their rows, the columns with kind, missing cells and values, then notes on
        constant and all-missing columns, rows that repeat, columns that look like
        identifiers, and for each column that may be meant otherwise what was made
        of it and why.

    Raises
    ------
    DataFileError
        If the file cannot be read; it names the line and what is wrong.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.csv"
    >>> _ = path.write_text("size,same,class\n1,a,yes\n2,a,no\n,a,no\n")
    >>> first, rest = check_file(path).split("\n", 1)
    >>> first.split("tiny.csv: ")[1]
    "3 rows, 2 features (1 numeric, 1 categorical), class 'class'"
    >>> print(rest)
    format: CSV, delimiter ',', the first line is the header
    classes (2): no 2, yes 1
    missing: 1 cell in 1 column
    columns:
      size  numeric   1 missing  1 to 2
      same  category  0 missing  1 value: a
    notes:
      constant column: same
      class with a single row: yes (never both learnt and tested)
    """
    table = read_frame(path, header=header, delimiter=delimiter, missing_values=missing_values)
    X, y = split_class(table, target, path)
    parts = [*_size(X, y, path, table.form), "columns:", *_columns(X)]
    notes = _notes(X, y, [doubt.text for doubt in table.doubts if doubt.column != y.name])
    if notes:
        parts += ["notes:", *(f"  {note}" for note in notes)]
    return "\n".join(parts)


def summarise(X: pd.DataFrame) -> pd.DataFrame:
    """One row a column: its kind, missing cells, distinct values and range.

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_features)
        Numeric and ``category`` columns.

    Returns
    -------
    pandas.DataFrame
        Indexed by column name, with columns kind, missing, distinct, values.

    Examples
    --------
    >>> summarise(pd.DataFrame({"a": [1.0, 2.5]})).loc["a"].astype(str).tolist()
    ['numeric', '0', '2', '1 to 2.5']
    """
    rows = []
    for name in X.columns:
        column = X[name]
        present = column.dropna()
        if isinstance(column.dtype, pd.CategoricalDtype):
            kind, used = "category", list(present.cat.remove_unused_categories().cat.categories)
            count = f"{len(used)} value{'' if len(used) == 1 else 's'}"
            values = f"{count}: {', '.join(map(str, used))}"
            distinct = len(used)
        else:
            kind, distinct = "numeric", present.nunique()
            values = f"{present.min():.6g} to {present.max():.6g}"
        values = values if distinct else "no value at all"
        rows.append((kind, int(column.isna().sum()), int(distinct), _short(values, 60)))
    index = pd.Index(X.columns, name="column")
    return pd.DataFrame(rows, columns=["kind", "missing", "distinct", "values"], index=index)


def _size(X: pd.DataFrame, y: pd.Series, path: str | Path, form: str) -> list[str]:
    numeric = sum(not isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes)
    counts = y.value_counts()
    counts = counts[counts > 0].sort_index()
    missing = X.isna().sum()
    cells, columns = int(missing.sum()), int((missing > 0).sum())
    return [
        f"{path}: {_count(len(X), 'row')}, {_count(X.shape[1], 'feature')} ({numeric} numeric, "
        f"{X.shape[1] - numeric} categorical), class {y.name!r}",
        f"format: {form}",
        f"classes ({len(counts)}): " + ", ".join(f"{name} {n}" for name, n in counts.items()),
        f"missing: {_count(cells, 'cell')} in {_count(columns, 'column')}"
        if cells
        else "missing: none",
    ]


def _columns(X: pd.DataFrame) -> list[str]:
    facts = summarise(X.iloc[:, :_SHOWN])
    names = [_short(str(name), _WIDTH) for name in facts.index]
    width = max(map(len, names))
    digits = len(str(facts["missing"].max()))
    out = [
        f"  {name:{width}}  {row.kind:8}  {row.missing:{digits}} missing  {row.values}"
        for name, row in zip(names, facts.itertuples(index=False), strict=True)
    ]
    if X.shape[1] > _SHOWN:
        out.append(f"  ... and {X.shape[1] - _SHOWN} more")
    return out


def _notes(X: pd.DataFrame, y: pd.Series, doubts: list[str]) -> list[str]:
    facts = summarise(X)
    notes = []
    for text, wanted in (
        ("column without any value", facts["distinct"] == 0),
        ("constant column", facts["distinct"] == 1),
        (
            "as many values as rows, perhaps an identifier",
            (facts["distinct"] == len(X)) & (facts["kind"] == "category") & (len(X) > 10),
        ),
    ):
        if wanted.any():
            notes.append(f"{text}: {_short(', '.join(map(str, facts.index[wanted])), 200)}")
    notes += doubts
    counts = y.value_counts()
    if (counts > 0).sum() == 1:
        notes.append("there is one class only: the colony needs at least two classes")
    if (counts == 1).any():
        names = _short(", ".join(map(str, counts.index[counts == 1])), 200)
        notes.append(f"class with a single row: {names} (never both learnt and tested)")
    features = pd.util.hash_pandas_object(pd.DataFrame(_codes(X)), index=False)
    repeats = int(pd.DataFrame({"x": features, "y": y.astype(str)}).duplicated().sum())
    if repeats:
        notes.append(f"rows that repeat an earlier row exactly: {repeats}")
    classes = y.astype(str).groupby(features.to_numpy()).transform("nunique")
    if (classes > 1).any():
        n = int((classes > 1).sum())
        notes.append(f"rows with the same features as a row of another class: {n}")
    return notes


def _codes(X: pd.DataFrame) -> dict:
    """Columns as numbers, for telling which rows are equal."""
    return {
        name: X[name].cat.codes if isinstance(X[name].dtype, pd.CategoricalDtype) else X[name]
        for name in X.columns
    }


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}{'' if n == 1 else 's'}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."
