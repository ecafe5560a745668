"""Reading a table from a file: ARFF or CSV, plain or gzip."""

import difflib
import gzip
import re
import zlib
from pathlib import Path

import numpy as np
import pandas as pd

from acoibl.datasets.arff import parse_arff
from acoibl.datasets.columns import categorical
from acoibl.datasets.csv_table import parse_csv
from acoibl.datasets.errors import DataFileError

_LINE_END = re.compile(r"\r\n|\n|\r")


def read_table(path: str | Path, target: str | None = None) -> tuple[pd.DataFrame, pd.Series]:
    r"""Features and class of an ARFF or CSV file, plain or gzip.

    ARFF is known by its name (``.arff``, ``.arff.gz``) or by its first word;
    anything else is read as CSV with a header line. In ARFF the header says
    what a column is; in CSV a column is numeric if all its values are numbers.
    Missing is an unquoted ``?`` in ARFF; in CSV also an empty cell, ``NA``,
    ``N/A``, ``n/a`` and ``NaN``. Names and categories are kept letter for letter.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.
    target : str or None, default=None
        Name of the class column; None takes the last one. A class of whole
        numbers becomes categories ``"0"``, ``"1"``, ...

    Returns
    -------
    X : pandas.DataFrame of shape (n_rows, n_features)
        ``float64`` columns and ``category`` columns with text categories.
    y : pandas.Series of shape (n_rows,)
        The class, of dtype ``category``, named after its column.

    Raises
    ------
    DataFileError
        If the file is missing, empty, cut off, of another kind, or wrong in a
        row; it names the file, the line and what is wrong.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.csv"
    >>> _ = path.write_text("size,colour,class\n1,red,yes\n2,blue,no\n")
    >>> X, y = read_table(path)
    >>> X.shape, y.name, y.cat.categories.tolist()
    ((2, 2), 'class', ['no', 'yes'])
    """
    table, lines = read_frame(path)
    return split_class(table, target, path, lines)


def read_frame(path: str | Path) -> tuple[pd.DataFrame, list[int]]:
    """Whole table of a file, before a class is chosen.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.

    Returns
    -------
    table : pandas.DataFrame
        All columns.
    lines : list of int
        Line of each row, from 1.

    Raises
    ------
    DataFileError
        See ``read_table``.
    """
    text = read_text(path)
    lines = _LINE_END.split(text)
    if lines and lines[-1] == "":
        lines.pop()
    if not text.strip():
        raise DataFileError(path, "the file is empty")
    first = next((n for n, s in enumerate(lines) if s.strip() and not s.strip().startswith("%")), 0)
    word = lines[first].strip().lower()
    if ".arff" in Path(path).suffixes or word.startswith(("@relation", "@attribute", "@data")):
        return parse_arff(lines, path)
    return parse_csv(_LINE_END.sub("\n", text), path)


def check_head(path: str | Path) -> None:
    """Check the beginning of an ARFF file, for a list that must not cost reading them all.

    Parameters
    ----------
    path : str or pathlib.Path
        An ARFF file, plain or gzip.

    Raises
    ------
    DataFileError
        If the file is empty, no text, or its header or first row cannot be read. What comes
        after the first row is not looked at.
    """
    lines, in_data = [], False
    try:
        with open(path, "rb") as file:
            begin = file.read(2)
        opener = gzip.open if begin == b"\x1f\x8b" else open
        with opener(path, "rb") as file:
            begin = file.read(2)
        encoding = "utf-16" if begin in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        with opener(path, "rt", encoding=encoding) as file:
            for line in file:
                lines.append(line.rstrip("\n"))
                text = line.strip()
                if in_data and text and not text.startswith("%"):
                    break
                in_data = in_data or text.lower() == "@data"
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataFileError(path, f"cannot read its beginning: {error}") from None
    if not lines:
        raise DataFileError(path, "the file is empty")
    parse_arff(lines, path)


def read_text(path: str | Path) -> str:
    """Text of a file: unpacked if gzip, decoded as UTF-8 (or by its byte-order mark).

    Parameters
    ----------
    path : str or pathlib.Path
        The file.

    Returns
    -------
    str
        The text without byte-order mark.

    Raises
    ------
    DataFileError
        If the file cannot be opened, is a broken gzip, or is no text.
    """
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise DataFileError(path, f"cannot open it: {error.strerror or error}") from None
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (EOFError, OSError, zlib.error) as error:
            raise DataFileError(path, f"a damaged or cut-off gzip file ({error})") from None
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig"
        if b"\0" in raw:
            line = raw[: raw.index(b"\0")].count(b"\n") + 1
            raise DataFileError(path, "a zero byte: this is no text file", line)
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataFileError(
            path,
            f"byte {raw[error.start]:#04x} is not {encoding.removesuffix('-sig').upper()} text: "
            "save the file as UTF-8",
            line,
        ) from None


def split_class(
    table: pd.DataFrame, target: str | None, path: str | Path, lines: list[int]
) -> tuple[pd.DataFrame, pd.Series]:
    """Features and class of a table.

    Parameters
    ----------
    table : pandas.DataFrame
        All columns.
    target : str or None
        Name of the class column; None takes the last one.
    path : str or pathlib.Path
        File, for the error messages.
    lines : list of int
        Line of each row, for the error messages.

    Returns
    -------
    X : pandas.DataFrame
        The features.
    y : pandas.Series
        The class, of dtype ``category``.

    Raises
    ------
    DataFileError
        If there is no such column, no feature beside it, or a class is missing
        or no category.
    """
    names = [str(name) for name in table.columns]
    if target is None:
        target = names[-1]
    if target not in names:
        close = difflib.get_close_matches(target, names, n=3)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"it has {names[:8]}"
        raise DataFileError(path, f"no column {target!r} for the class; {hint}")
    if len(names) == 1:
        raise DataFileError(path, f"one column only ({target!r}): no features beside the class")
    X, y = table.drop(columns=target), table[target]
    missing = np.flatnonzero(y.isna().to_numpy())
    if len(missing):
        raise DataFileError(
            path,
            f"the class {target!r} is missing in {len(missing)} rows; first here",
            lines[missing[0]],
        )
    if not isinstance(y.dtype, pd.CategoricalDtype):
        fractions = np.flatnonzero((y != y.round()).to_numpy())
        if len(fractions):
            raise DataFileError(
                path,
                f"the class {target!r} is a number with decimals ({y.iloc[fractions[0]]}): "
                "name the class column (target), or write categories",
                lines[fractions[0]],
            )
        y = categorical([str(int(value)) for value in y], name=target)
        if all(value.lstrip("-").isdigit() for value in y.cat.categories):
            y = y.cat.reorder_categories(sorted(y.cat.categories, key=int))
    return X, y
