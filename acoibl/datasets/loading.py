"""Loading a dataset by name, from the first source that has it."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from acoibl.datasets.bundled import BUNDLED, from_scikit_learn
from acoibl.datasets.canonical import table_checksum, tidy_table
from acoibl.datasets.catalogue import Entry, find_entry, read_catalogue
from acoibl.datasets.download import cached_file, download_table
from acoibl.datasets.errors import ChecksumError, DataFileError, DatasetUnavailableError
from acoibl.datasets.generators import GENERATED, generate
from acoibl.datasets.reading import check_head, read_table
from acoibl.paths import shared_folder

DATA_VARIABLE = "ACOIBL_DATA"
_SUFFIXES = (".arff", ".arff.gz", ".arff.bz2", ".arff.xz", ".arff.zip")
_READY = ("yes", "file found")  # against "file damaged" and "no"


@dataclass(frozen=True)
class Dataset:
    """A table with its class, and where it comes from.

    Attributes
    ----------
    name : str
        The paper's name for it.
    X : pandas.DataFrame of shape (n_rows, n_features)
        ``float64`` columns and ``category`` columns with text categories.
    y : pandas.Series of shape (n_rows,)
        The class, of dtype ``category``.
    source : {"folder", "carried", "scikit-learn", "generated", "download"}
        Which source gave it.
    provenance : str
        The same in a sentence: the file, or how it was made.
    citation, licence, note : str
        From the catalogue; the note tells where the public data differ from the
        paper's table.
    checksum : str
        SHA-256 of the canonical table.
    paper : dict of str to int or None
        The figures of the paper's Table 2: instances, classes, features_total,
        features_numeric, features_categorical.
    title : str
        The dataset's full name.
    groups : pandas.Series of shape (n_rows,) or None
        Where rows belong together: the name of each row's group, such as the
        person that was recorded. No feature.
    """

    name: str
    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    source: str
    provenance: str
    citation: str = field(repr=False)
    licence: str = field(repr=False)
    note: str = field(repr=False)
    checksum: str
    paper: dict[str, int] | None = field(default=None, repr=False)
    title: str = ""
    groups: pd.Series | None = field(default=None, repr=False)


def load(name: str, *, check: bool = True, download: bool = True) -> Dataset:
    """Dataset of the catalogue by name.

    It comes from the first of: the folder that the environment variable
    ``ACOIBL_DATA`` names (``<name>.arff``, plain or packed, ``.arff.gz``); the files
    carried with the project; scikit-learn; generation from its definition; a
    download, kept in a cache folder. Every source gives the same canonical
    table, rows and columns in the same order, which the checksum proves; so
    folds and results do not depend on the source. Rows are in the order of the
    original file, except where the note says otherwise (``order = "sorted"``
    in the catalogue). The categories of a column are those that occur, sorted.

    Parameters
    ----------
    name : str
        One of ``list_datasets()``.
    check : bool, default=True
        Whether a table with another checksum is an error. False takes it as it
        is, for a file of your own under a known name.
    download : bool, default=True
        Whether a download may be tried when no other source has it.

    Returns
    -------
    Dataset
        The table with citation and provenance.

    Raises
    ------
    ValueError
        If the catalogue has no such dataset; the message names the closest.
    ChecksumError
        If the source gives another table than the catalogue describes.
    DatasetUnavailableError
        If no source has it; the message says what was tried and what to do.
    DataFileError
        If a file cannot be read.

    Examples
    --------
    >>> data = load("car")
    >>> data.X.shape, data.y.nunique()
    ((1728, 6), 4)
    """
    entry = find_entry(name)
    source, place = locate(entry)
    if source in ("folder", "carried"):
        X, y = read_table(place)
        provenance = str(place)
    elif source == "scikit-learn":
        X, y = from_scikit_learn(name)
        provenance = "scikit-learn, with the UCI's names and values"
    elif source == "generated":
        X, y = generate(name)
        provenance = "generated from its definition"
    elif entry.download and download:
        X, y, place = download_table(entry)
        provenance = f"{entry.download['url']}, kept as {place}"
    else:
        raise DatasetUnavailableError(_how_to_get(entry))
    X, y = tidy_table(X, y, entry.order)
    checksum = table_checksum(X, y)
    if check and checksum != entry.sha256:
        raise ChecksumError(_mismatch(entry, X, y, checksum, source, provenance))
    return Dataset(
        name=name,
        X=X,
        y=y,
        source=source,
        provenance=provenance,
        citation=entry.citation,
        licence=entry.licence,
        note=entry.note,
        checksum=checksum,
        paper=None if entry.paper is None else dict(entry.paper),
        title=entry.title,
        groups=_groups(entry) if checksum == entry.sha256 else None,
    )


def list_datasets(
    *,
    paper: bool | None = None,
    ready: bool | None = None,
    carried: bool | None = None,
    grouped: bool | None = None,
) -> list[str]:
    """Names of the catalogue's datasets, those of the paper's Table 2 first.

    Parameters
    ----------
    paper : bool or None, default=None
        True for the 36 of Table 2, False for the others, None for all.
    ready : bool or None, default=None
        True for those that need no download here: what comes with the
        installation, finished downloads, and files of ``ACOIBL_DATA`` whose
        header can be read. Whether the content of such a file is right is seen
        by ``load`` only, which reads and checks all of it. False for the rest.
    carried : bool or None, default=None
        True for those that come with the installation (a file of the project,
        scikit-learn, or generated), whatever ``ACOIBL_DATA`` says, False for the
        rest.
    grouped : bool or None, default=None
        True for those with groups of rows that belong together, False for the
        rest.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> len(list_datasets(paper=True))
    36
    """
    out = []
    for name, entry in read_catalogue().items():
        if paper not in (None, entry.paper is not None):
            continue
        if carried not in (None, _carried_source(name) is not None):
            continue
        if grouped not in (None, entry.groups is not None):
            continue
        if ready is None or ready == (_state(entry) in _READY):
            out.append(name)
    return out


def describe() -> pd.DataFrame:
    """The catalogue as a table, one row a dataset.

    Returns
    -------
    pandas.DataFrame
        Indexed by name, with columns rows, classes, numeric, categorical,
        missing (cells), paper (whether it is in the paper's Table 2), source
        (where ``load`` would take it from), ready (see ``list_datasets``),
        state (why: "yes" for what comes with the installation; "file found" or
        "file damaged" for a file of ``ACOIBL_DATA`` or a finished download, of
        which only the beginning was looked at; "no"), title and note.

    Examples
    --------
    >>> describe().loc[["car"], ["rows", "classes", "numeric", "categorical"]]
             rows  classes  numeric  categorical
    dataset
    car      1728        4        0            6
    """
    rows = []
    for name, entry in read_catalogue().items():
        state = _state(entry)
        row = {
            "dataset": name,
            "rows": entry.rows,
            "classes": entry.classes,
            "numeric": entry.numeric,
            "categorical": entry.categorical,
            "missing": entry.missing,
            "paper": entry.paper is not None,
            "source": locate(entry)[0],
            "ready": state in _READY,
            "state": state,
            "title": entry.title,
            "note": entry.note,
        }
        rows.append(row)
    return pd.DataFrame(rows).set_index("dataset")


def locate(entry: Entry) -> tuple[str, Path | None]:
    """Where ``load`` would take a dataset from.

    Parameters
    ----------
    entry : Entry
        A dataset of the catalogue.

    Returns
    -------
    source : {"folder", "carried", "scikit-learn", "generated", "download", "none"}
        The first source that has it.
    place : pathlib.Path or None
        The file, where it is one.

    Raises
    ------
    DatasetUnavailableError
        If ``ACOIBL_DATA`` names no folder.
    """
    folder = os.environ.get(DATA_VARIABLE)
    if folder:
        if not Path(folder).is_dir():
            raise DatasetUnavailableError(
                f"the environment variable {DATA_VARIABLE} names {folder!r}, which is no folder; "
                "correct it or unset it"
            )
        found = _in_folder(Path(folder), entry.name)
        if found is not None:
            return "folder", found
    source = _carried_source(entry.name)
    if source is not None:
        return source, _in_folder(shared_folder("data"), entry.name)
    return ("download" if entry.download else "none"), None


def _groups(entry: Entry) -> pd.Series | None:
    """Group of each row; the checksum has shown that the rows are in the file's order."""
    if entry.groups is None:
        return None
    names = [name for name, size in entry.groups.items() for _ in range(size)]
    return pd.Series(names, name="group", dtype="category")


def _carried_source(name: str) -> str | None:
    if _in_folder(shared_folder("data"), name) is not None:
        return "carried"
    if name in BUNDLED:
        return "scikit-learn"
    return "generated" if name in GENERATED else None


def _state(entry: Entry) -> str:
    """Whether it is here, as far as can be told without reading all of it."""
    source, place = locate(entry)
    if source == "folder":
        try:
            check_head(place)
        except DataFileError:
            return "file damaged"
        return "file found"
    if source in ("download", "none"):
        cached = cached_file(entry)
        if cached is None:
            return "no"
        return "file found" if cached.stat().st_size else "file damaged"
    return "yes"


def _in_folder(folder: Path, name: str) -> Path | None:
    for suffix in _SUFFIXES:
        if (folder / (name + suffix)).is_file():
            return folder / (name + suffix)
    return None


def _mismatch(entry: Entry, X, y, checksum: str, source: str, provenance: str) -> str:
    seen = (len(X), X.shape[1], y.nunique())
    expected = (entry.rows, entry.numeric + entry.categorical, entry.classes)
    shape = "rows, features and classes agree, so names, values or the order of rows differ"
    if seen != expected:
        shape = "it has {} rows, {} features and {} classes instead of {}, {} and {}".format(
            *seen, *expected
        )
    advice = {
        "folder": "Correct the file or take it away",
        "carried": "The installation is damaged: install acoibl again",
        "download": "The address gives another version, or the kept file was changed: delete it to "
        f"download it anew, or put the right file into the folder that {DATA_VARIABLE} names",
    }.get(source, "Report this with your version of scikit-learn")
    return (
        f"{provenance}: this is not the table {entry.name!r} of the catalogue ({shape}). "
        f"SHA-256 of the canonical table: {checksum}, expected {entry.sha256}. {advice}; "
        f"load({entry.name!r}, check=False) takes it as it is."
    )


def _how_to_get(entry: Entry) -> str:
    where = f" (the original is described at {entry.page})" if entry.page else ""
    return (
        f"the dataset {entry.name!r} is not carried with acoibl, and no download is known or "
        f"allowed{where}. Put {entry.name}.arff, with the class last, into a folder and name that "
        f"folder in the environment variable {DATA_VARIABLE}."
    )
