"""Files that are packed: gzip, bzip2, xz, and ZIP archives with one file in them."""

import bz2
import gzip
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from acoibl.datasets.errors import DataFileError

_OPENERS = (
    (re.compile(rb"\x1f\x8b"), "gzip", gzip.open),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "bzip2", bz2.open),  # BZh alone may be text
    (re.compile(rb"\xfd7zXZ\x00"), "xz", lzma.open),
)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PACKED = {".gz", ".bz2", ".xz", ".zip"}
_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError)
# What a damaged, encrypted or unusually packed archive raises.
ZIP_DAMAGE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, *_DAMAGE)


@contextmanager
def open_unpacked(path: str | Path) -> Iterator[tuple[io.BufferedReader, str]]:
    """Open a file and unpack it on the way, whatever its name: its first bytes tell.

    Parameters
    ----------
    path : str or pathlib.Path
        The file.

    Yields
    ------
    file : binary file
        The content, unpacked.
    name : str
        Name of the content: that of the archive's member, or of the file
        without ``.gz``, ``.bz2``, ``.xz``.

    Raises
    ------
    DataFileError
        If the file cannot be opened, is damaged or cut off, or is an archive
        with no or several files.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.csv.bz2"
    >>> _ = path.write_bytes(bz2.compress(b"a,k"))
    >>> with open_unpacked(path) as (file, name):
    ...     file.read(), name
    (b'a,k', 'tiny.csv')
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            begin = file.read(10)
    except OSError as error:
        raise DataFileError(path, f"cannot open it: {error.strerror or error}") from None
    if begin.startswith(_ZIP):
        try:
            with zipfile.ZipFile(path) as archive:
                member = _only_member(archive, path)
                with archive.open(member) as file:
                    yield file, member
        except ZIP_DAMAGE as error:
            raise DataFileError(path, f"a damaged, cut-off or encrypted ZIP ({error})") from None
        return
    name = path.name.removesuffix(path.suffix) if path.suffix.lower() in _PACKED else path.name
    kind, opener = next(((k, o) for magic, k, o in _OPENERS if magic.match(begin)), ("", open))
    try:
        with opener(path, "rb") as file:
            yield file, name
    except _DAMAGE as error:
        problem = f"a damaged or cut-off {kind} file" if kind else "cannot read it"
        raise DataFileError(path, f"{problem} ({error})") from None


def _only_member(archive: zipfile.ZipFile, path: Path) -> str:
    names = [one.filename for one in archive.infolist() if not one.is_dir()]
    # What a Mac adds to an archive.
    names = [n for n in names if "__MACOSX" not in n and PurePosixPath(n).name[:1] != "."]
    if "[Content_Types].xml" in names or "content.xml" in names:
        raise DataFileError(path, "a workbook (Excel or OpenDocument): save its sheet as CSV")
    if len(names) != 1:
        holds = f"holds {len(names)} files ({', '.join(names[:5])}{', ...' * (len(names) > 5)})"
        problem = f"the ZIP {holds}: unpack it and name one" if names else "the ZIP holds no file"
        raise DataFileError(path, problem)
    return names[0]
