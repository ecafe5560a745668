"""Reading a table from a file: ARFF, KEEL or CSV, plain or packed."""

import difflib
import io
import re
import warnings
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from acoibl.datasets.arff import KEYWORDS, data_line, parse_arff
from acoibl.datasets.arff_tokens import without_comment
from acoibl.datasets.columns import Table, categorical
from acoibl.datasets.csv_table import parse_csv
from acoibl.datasets.errors import DataFileError, DataFileWarning
from acoibl.datasets.unpacking import open_unpacked

_LINE_END = re.compile(r"\r\n|\n|\r")
_CTRL_Z = re.compile(r"\x1a\s*$")


def read_table(
    path: str | Path,
    target: str | None = None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    missing_values: str | Iterable[str] = (),
) -> tuple[pd.DataFrame, pd.Series]:
    r"""Features and class of an ARFF, KEEL or CSV file, plain or packed.

    ARFF (with dense or sparse rows) and KEEL's ``.dat`` are known by their name
    (``.arff``) or first word; anything else is read as CSV. In ARFF the header says
    what a column is; in CSV a column is numeric if all its values are numbers.
    Missing is an unquoted ``?`` in ARFF, in KEEL also ``<null>``; in CSV also an
    empty cell, ``NA``, ``N/A``, ``n/a``, ``NaN``, and among numbers NaN in any
    spelling. Names and categories are kept letter for letter. Files may be
    packed with gzip, bzip2 or xz, or be the only one in a ZIP archive.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.
    target : str or None, default=None
        Name of the class column; None takes the one of KEEL's ``@outputs``, else
        the last one. A class of whole numbers becomes categories ``"0"``, ``"1"``, ...
    header : bool or None, default=None
        Whether the first line of a CSV file holds the column names. None: it must,
        and the file is refused if that line looks like data, or could be. False
        names the columns ``column1``, ``column2``, ...
    delimiter : str or None, default=None
        The character between the cells of a CSV file. None takes the one of
        ``, ; tab |`` that gives all lines the same number of cells.
    missing_values : str or iterable of str, default=()
        Texts that mean missing beside those above, such as ``"NULL"``.

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
        row; if it cannot be told whether it has a header, or what its delimiter
        is; if most values of a column have decimal commas or marks between the
        thousands. It names the file, the line, what is wrong and what to do.

    Warns
    -----
    DataFileWarning
        If most values of a column of categories are numbers (``check_file`` lists
        the less likely cases too).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.csv"
    >>> _ = path.write_text("size,colour,class\n1,red,yes\n2,blue,no\n")
    >>> X, y = read_table(path)
    >>> X.shape, y.name, y.cat.categories.tolist()
    ((2, 2), 'class', ['no', 'yes'])
    """
    table = read_frame(path, header=header, delimiter=delimiter, missing_values=missing_values)
    X, y = split_class(table, target, path)
    for doubt in table.doubts:
        if doubt.strong and doubt.column != y.name:
            warnings.warn(f"{path}: {doubt.text}", DataFileWarning, stacklevel=2)
    return X, y


def read_frame(
    path: str | Path,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
    missing_values: str | Iterable[str] = (),
) -> Table:
    """Whole table of a file, before a class is chosen.

    Parameters
    ----------
    path, header, delimiter, missing_values
        See ``read_table``.

    Returns
    -------
    Table
        The table, with what is doubtful in it.

    Raises
    ------
    DataFileError
        See ``read_table``.
    """
    missing = {missing_values} if isinstance(missing_values, str) else set(missing_values)
    if not all(isinstance(value, str) for value in missing):
        raise TypeError(
            f"missing_values must be texts, as the file has them; got {missing_values!r}"
        )
    if delimiter is not None and (not isinstance(delimiter, str) or len(delimiter) != 1):
        raise ValueError(f"delimiter must be one character, got {delimiter!r}")
    text, name = read_text(path)
    lines = _LINE_END.split(text)
    if lines and lines[-1] == "":
        lines.pop()
    if not text.strip():
        raise DataFileError(path, "the file is empty")
    first = next((n for n, s in enumerate(lines) if s.strip() and not s.strip().startswith("%")), 0)
    if name.lower().endswith(".arff") or lines[first].strip().lower().startswith(KEYWORDS):
        return parse_arff(lines, path, missing_values=missing)
    return parse_csv(
        _LINE_END.sub("\n", text),
        path,
        header=header,
        delimiter=delimiter,
        missing_values=missing,
    )


def check_head(path: str | Path) -> None:
    """Check the beginning of an ARFF file, for a list that must not cost reading them all.

    Parameters
    ----------
    path : str or pathlib.Path
        An ARFF file, plain or packed.

    Raises
    ------
    DataFileError
        If the file is empty, no text, or its header or first row cannot be read. What comes
        after the first row is not looked at.
    """
    lines, in_data = [], False
    try:
        with (
            open_unpacked(path) as (file, _),
            io.TextIOWrapper(file, encoding=_encoding(file.peek(2))) as text,
        ):
            for line in text:
                lines.append(line.rstrip("\n"))
                begun = data_line(line)
                if begun or (in_data and without_comment(line)):
                    break
                in_data = in_data or begun is not None
    except (DataFileError, UnicodeDecodeError) as error:
        problem = error.problem if isinstance(error, DataFileError) else error
        raise DataFileError(path, f"cannot read its beginning: {problem}") from None
    if not lines:
        raise DataFileError(path, "the file is empty")
    parse_arff(lines, path)


def read_text(path: str | Path) -> tuple[str, str]:
    """Text of a file: unpacked, decoded as UTF-8 (or by its byte-order mark).

    Parameters
    ----------
    path : str or pathlib.Path
        The file.

    Returns
    -------
    text : str
        Without byte-order mark, and without the Ctrl-Z by which DOS ends a file.
    name : str
        Name of the file inside its packing.

    Raises
    ------
    DataFileError
        If the file cannot be opened, is damaged, or is no text.
    """
    with open_unpacked(path) as (file, name):
        raw = file.read()
    encoding = _encoding(raw)
    if encoding != "utf-16" and b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise DataFileError(path, "a zero byte: this is no text file", line)
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataFileError(
            path,
            f"byte {raw[error.start]:#04x} is not {encoding.removesuffix('-sig').upper()} text: "
            "save the file as UTF-8",
            line,
        ) from None
    return _CTRL_Z.sub("", text), name


def _encoding(begin: bytes) -> str:
    return "utf-16" if begin[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"


def split_class(
    table: Table, target: str | None, path: str | Path
) -> tuple[pd.DataFrame, pd.Series]:
    """Features and class of a table.

    Parameters
    ----------
    table : Table
        All columns.
    target : str or None
        Name of the class column; None takes the table's, else the last one.
    path : str or pathlib.Path
        File, for the error messages.

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
    frame, lines = table.frame, table.lines
    names = [str(name) for name in frame.columns]
    if target is None:
        target = table.target or names[-1]
    if target not in names:
        close = difflib.get_close_matches(target, names, n=3)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"it has {names[:8]}"
        raise DataFileError(path, f"no column {target!r} for the class; {hint}")
    if len(names) == 1:
        raise DataFileError(path, f"one column only ({target!r}): no features beside the class")
    X, y = frame.drop(columns=target), frame[target]
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
