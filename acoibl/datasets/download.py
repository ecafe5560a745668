"""Downloading the original files, for datasets that are neither carried nor generated."""

import contextlib
import os
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

from acoibl.datasets.catalogue import Entry
from acoibl.datasets.columns import Column, column_to_series, parse_number
from acoibl.datasets.errors import DataFileError, DatasetUnavailableError
from acoibl.datasets.unpacking import ZIP_DAMAGE
from acoibl.paths import check_writable

CACHE_VARIABLE = "ACOIBL_CACHE"
_SECONDS = 30


def download_table(entry: Entry) -> tuple[pd.DataFrame, pd.Series, Path]:
    """Table of a dataset from its address, downloaded once and kept.

    Parameters
    ----------
    entry : Entry
        A dataset with a ``download`` in the catalogue.

    Returns
    -------
    X : pandas.DataFrame
        The features; the caller checks the checksum.
    y : pandas.Series
        The class.
    file : pathlib.Path
        The kept file.

    Raises
    ------
    DatasetUnavailableError
        If the address cannot be reached, or the folder of downloads cannot be written.
    DataFileError
        If what came is not the file expected; it is taken away again. A kept file
        that cannot be read any more is downloaded anew.
    """
    kept = cached_file(entry)
    if kept is not None:
        try:
            return *_read(kept, entry), kept
        except DataFileError:  # cut off or damaged since: download it anew
            pass
    file = _fetch(entry)
    return *_read(file, entry), file


def cached_file(entry: Entry) -> Path | None:
    """Downloaded file of a dataset, if there is one.

    Parameters
    ----------
    entry : Entry
        A dataset of the catalogue.

    Returns
    -------
    pathlib.Path or None
        The file.
    """
    if not entry.download:
        return None
    file = cache_folder() / _file_name(entry)
    return file if os.path.isfile(file) else None  # Path.is_file() fails in a folder of others


def cache_folder() -> Path:
    """Folder of downloaded files: ``ACOIBL_CACHE``, else the user's cache folder.

    Returns
    -------
    pathlib.Path
        It need not exist.
    """
    pooch = _import_pooch()
    return Path(os.environ.get(CACHE_VARIABLE) or pooch.os_cache("acoibl"))


def parse_original(texts: list[str], entry: Entry, path: str | Path) -> tuple:
    """Table of the original files, by the layout that the catalogue gives.

    Parameters
    ----------
    texts : list of str
        The files, whose rows follow each other.
    entry : Entry
        Its ``download`` holds ``columns`` (names in the file's order; ``#`` ends
        a numeric one, ``-`` begins one to leave out, ``class`` is the class),
        ``separator`` (a text, or ``blank`` for any blanks), ``skip`` (lines of
        header) and ``missing`` (the mark), ``names`` (new names of classes),
        ``lower`` (letters are made small) and ``broken_rows`` (a short line goes
        on in the next one).
    path : str or pathlib.Path
        For the error messages.

    Returns
    -------
    X : pandas.DataFrame
        The features.
    y : pandas.Series
        The class.

    Raises
    ------
    DataFileError
        If a row has another number of values, or a number is none.
    """
    layout = _source(entry)
    separator = None if layout["separator"] == "blank" else layout["separator"]
    specs = layout["columns"].split()
    columns = [
        Column(spec.strip("#-"), "numeric" if spec.endswith("#") else "category") for spec in specs
    ]
    for text in texts:
        begun = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if number <= layout.get("skip", 0) or not line.strip():
                continue
            line = begun + (line.lower() if layout.get("lower") else line).strip()
            cells = [cell.strip() for cell in line.split(separator)]
            begun = line if layout.get("broken_rows") and len(cells) < len(columns) else ""
            if begun:
                continue
            if len(cells) != len(columns):
                raise DataFileError(path, f"{len(cells)} values instead of {len(columns)}", number)
            for column, cell in zip(columns, cells, strict=True):
                if cell == layout.get("missing", "?"):
                    column.cells.append(None)
                elif column.kind == "numeric":
                    column.cells.append(parse_number(cell, column.name, path, number))
                else:
                    # Codes are whole numbers; some files write them as 1.0.
                    column.cells.append(cell.removesuffix(".0"))
    table = {
        column.name: column_to_series(column)
        for spec, column in zip(specs, columns, strict=True)
        if not spec.startswith("-") and column.name != "class"
    }
    label = next(column for column in columns if column.name == "class")
    label.cells = [layout.get("names", {}).get(cell, cell) for cell in label.cells]
    return pd.DataFrame(table), column_to_series(label)


def _source(entry: Entry) -> dict[str, Any]:
    """Address and layout of a dataset that can be downloaded."""
    return entry.download or {}


def _read(file: Path, entry: Entry) -> tuple[pd.DataFrame, pd.Series]:
    try:
        return parse_original(_members(file, entry), entry, file)
    except DataFileError:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
        raise


def _file_name(entry: Entry) -> str:
    return f"{entry.name}-{Path(_source(entry)['url']).name}"


def _import_pooch() -> Any:
    """Import pooch when it is needed, without tqdm's remark on notebooks that lack ipywidgets."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="IProgress not found")
        import pooch
    return pooch


def _fetch(entry: Entry) -> Path:
    pooch = _import_pooch()
    pooch.get_logger().setLevel("WARNING")
    url, folder = _source(entry)["url"], cache_folder()
    try:
        check_writable(folder)
    except OSError as error:
        raise DatasetUnavailableError(
            f"the dataset {entry.name!r} is not carried with acoibl and was not downloaded, "
            f"because the folder of downloads {folder} cannot be written ({error.strerror}). Name "
            f"another folder in the environment variable {CACHE_VARIABLE}."
        ) from None
    try:
        file = pooch.retrieve(
            url,
            known_hash=None,  # the parsed table is checked instead: archives change, values do not
            fname=_file_name(entry),
            path=folder,
            downloader=pooch.HTTPDownloader(timeout=_SECONDS),
        )
    except Exception as error:  # whatever the network layer raises, the user's answer is the same
        raise DatasetUnavailableError(
            f"the dataset {entry.name!r} is not carried with acoibl and could not be downloaded "
            f"from {url} into {folder} ({type(error).__name__}). Offline: put {entry.name}.arff, "
            "with the class last, into a folder and name that folder in the environment variable "
            f"ACOIBL_DATA. The original is described at {entry.page}."
        ) from None
    return Path(file)


def _members(file: Path, entry: Entry) -> list[str]:
    """Texts of the files wanted: members of a zip archive, or the file itself."""
    wanted = _source(entry).get("members", [])
    try:
        if not wanted:
            return [file.read_text("utf-8")]
        with zipfile.ZipFile(file) as archive:
            return [archive.read(member).decode("utf-8") for member in wanted]
    except (KeyError, UnicodeDecodeError, *ZIP_DAMAGE) as error:
        raise DataFileError(file, f"not the archive expected: {error}") from None
