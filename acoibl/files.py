"""Files that are there as a whole or not at all, and names that every system can store."""

import contextlib
import os
import re
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_LEFTOVER = re.compile(r"\.[a-z0-9_]{8}\.tmp")
_DAY = 86_400  # seconds; a write takes far less, even of another machine with another clock
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


@contextlib.contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Another path to write to, whose file takes the place of this one when all is written.

    Parameters
    ----------
    path : Path
        The file; its folder is made.

    Yields
    ------
    Path
        An empty file beside it.

    Raises
    ------
    OSError
        If it cannot be written; what was there before stays.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(Path(folder) / "a.txt") as temporary:
    ...         _ = temporary.write_text("all of it")
    ...     (Path(folder) / "a.txt").read_text()
    'all of it'
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # mkstemp's 0600 would hide a report from a web server
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file that is there as a whole or not at all.

    Parameters
    ----------
    path : Path
        The file; its folder is made.
    content : str or bytes
        Text is written as UTF-8.

    Raises
    ------
    OSError
        If it cannot be written; what was there before stays.
    """
    with atomic_file(path) as temporary:
        temporary.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of `atomic_file` that nothing will complete.

    Parameters
    ----------
    folder : Path
        A folder; it and its own folders are searched for files older than a day.
    """
    for path in (*folder.glob(".*.tmp"), *folder.glob("*/.*.tmp")):
        with contextlib.suppress(OSError):  # gone already, or not ours to remove
            age = time.time() - path.stat().st_mtime
            if _LEFTOVER.fullmatch(path.name) and age > _DAY and path.is_file():
                path.unlink()


def is_reserved(name: str) -> bool:
    """Whether Windows keeps a name for a device, so that no file can have it.

    Parameters
    ----------
    name : str
        Name of a file, with or without an ending.

    Returns
    -------
    bool
        True for ``con``, ``nul.csv``, ``COM1`` and the like.

    Examples
    --------
    >>> is_reserved("nul.csv"), is_reserved("null")
    (True, False)
    """
    return _RESERVED.fullmatch(name) is not None


def check_file_name(name: str) -> str:
    """Check that a name is a plain file name.

    Parameters
    ----------
    name : str
        Such as the name of a dataset.

    Returns
    -------
    str
        The name.

    Raises
    ------
    ValueError
        If it has characters of a path, begins with a point, or is kept by Windows.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*", name):
        raise ValueError(f"{name!r} cannot be the name of a file: use letters, digits and - _ . +")
    if is_reserved(name):
        raise ValueError(f"{name!r} cannot be the name of a file: Windows keeps that name")
    return name
