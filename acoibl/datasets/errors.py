"""What can go wrong with data, each with its own exception."""

from pathlib import Path


class DataFileError(ValueError):
    """A data file that cannot be read: which file, which line, what is wrong.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.
    problem : str
        What is wrong with it, in one sentence.
    line : int or None, default=None
        Line number from 1; None when the whole file is meant.

    Attributes
    ----------
    path, problem, line
        As given.
    """

    def __init__(self, path: str | Path, problem: str, line: int | None = None):
        self.path, self.problem, self.line = str(path), problem, line
        super().__init__(self.path, problem, line)

    def __str__(self):
        where = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{where}: {self.problem}"


class DataFileWarning(UserWarning):
    """A column of a data file that is probably not what it was read as."""


class ChecksumError(ValueError):
    """A table that is not the one the catalogue describes."""


class DatasetUnavailableError(RuntimeError):
    """A dataset of the catalogue that no source on this machine holds."""
