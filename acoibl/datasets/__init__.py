"""The papers' datasets by name, and a reader for files of your own."""

from acoibl.datasets.checking import check_file
from acoibl.datasets.errors import (
    ChecksumError,
    DataFileError,
    DataFileWarning,
    DatasetUnavailableError,
)
from acoibl.datasets.loading import Dataset, describe, list_datasets, load
from acoibl.datasets.reading import read_table

__all__ = [
    "ChecksumError",
    "DataFileError",
    "DataFileWarning",
    "Dataset",
    "DatasetUnavailableError",
    "check_file",
    "describe",
    "list_datasets",
    "load",
    "read_table",
]
