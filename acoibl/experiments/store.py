"""Finished units of work on disk: atomic, checked, never mixed.

A store is a folder with one sub-folder for each dataset. A shard is a gzipped JSON file whose
name ends in a checksum of its content, and holds the finished units of one configuration (all
parameters and the dataset's checksum). One shard is written whenever a unit is finished; at the
end of a run the shards of a configuration are packed into one. A pack is complete before the
shards that it replaces are deleted and nothing is ever rewritten in place, so a crash, a full
disk or a second runner loses nothing that was finished: reading takes the union.
"""

import contextlib
import gzip
import hashlib
import json
import logging
import os
import re
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = 1
_log = logging.getLogger(__name__)
_SHARD = re.compile(r"(?P<slug>.+)-(?P<config>[0-9a-f]{12})-(?P<check>[0-9a-f]{12})\.json\.gz")

_LEFTOVER = re.compile(r"\.[a-z0-9_]{8}\.tmp")
_DAY = 86_400  # seconds; a write takes far less, even of another machine with another clock
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)

Unit = tuple[int, int]
"""Fold and seed."""


class StoreError(Exception):
    """The store's folder cannot be used."""


class Store:
    """Finished units of work, by configuration.

    Parameters
    ----------
    folder : str or Path
        Where the shards are; made when the first one is written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(folder)
    ...     config = {"dataset": "iris", "algorithm": "knn", "k": 3}
    ...     store.save(config, (0, 0), [{"accuracy": 0.9}])
    ...     store.load(config), store.load({**config, "k": 5})
    ({(0, 0): [{'accuracy': 0.9}]}, {})
    """

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)

    def prepare(self) -> None:
        """Make ready for writing: remove what writers that were killed have left half done.

        Only temporary files older than a day go, so a second runner loses nothing.
        """
        remove_leftovers(self.folder)

    def save(self, config: Mapping[str, Any], unit: Unit, rows: list[dict[str, Any]]) -> None:
        """Write one finished unit.

        Parameters
        ----------
        config : dict
            Everything that the result depends on but fold and seed; needs the keys "dataset"
            and "algorithm".
        unit : tuple of int
            Fold and seed.
        rows : list of dict
            Its results.

        Raises
        ------
        StoreError
            If the file cannot be written.
        """
        self._write(config, {unit: rows})
        self._failure(config, unit).unlink(missing_ok=True)

    def save_failure(self, config: Mapping[str, Any], unit: Unit, error: str) -> None:
        """Remember that a unit failed. It counts as not done; saving its results forgets it.

        Parameters
        ----------
        config : dict
            As for `save`.
        unit : tuple of int
            Fold and seed.
        error : str
            What went wrong.

        Raises
        ------
        StoreError
            If the file cannot be written.
        """
        text = json.dumps({"fold": unit[0], "seed": unit[1], "error": error}, indent=1)
        path = self._failure(config, unit)
        try:
            write_atomically(path, text + "\n")
        except OSError as problem:
            raise StoreError(f"cannot write to {path.parent}: {problem.strerror}") from problem

    def failures(self, config: Mapping[str, Any]) -> dict[Unit, str]:
        """Units of a configuration that failed when they were last tried.

        Parameters
        ----------
        config : dict
            The configuration.

        Returns
        -------
        dict of (fold, seed) to str
            What went wrong.
        """
        found = {}
        for path in self._failures(config):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                content = json.loads(path.read_text("utf-8"))
                found[content["fold"], content["seed"]] = str(content["error"])
        return dict(sorted(found.items()))

    def load(self, config: Mapping[str, Any]) -> dict[Unit, list[dict[str, Any]]]:
        """Read the finished units of a configuration.

        A shard whose content does not fit its checksum, or that tells of another configuration,
        is renamed to ``*.broken`` and reported; its units count as not done.

        Parameters
        ----------
        config : dict
            The configuration.

        Returns
        -------
        dict of (fold, seed) to list of dict
            The results.
        """
        return self._union(config, self._shards(config))

    def pack(self, config: Mapping[str, Any]) -> None:
        """Put all shards of a configuration into one.

        Parameters
        ----------
        config : dict
            The configuration.
        """
        paths = self._shards(config)
        if len(paths) < 2:
            return
        pack = self._write(config, self._union(config, paths))
        for path in paths:
            if path != pack:
                path.unlink(missing_ok=True)

    def clear(self, config: Mapping[str, Any]) -> None:
        """Forget a configuration.

        Parameters
        ----------
        config : dict
            The configuration.
        """
        for path in (*self._shards(config), *self._failures(config)):
            path.unlink(missing_ok=True)

    def _failure(self, config: Mapping[str, Any], unit: Unit) -> Path:
        folder = self.folder / check_file_name(config["dataset"])
        return folder / f"{_prefix(config)}-f{unit[0]}-s{unit[1]}.failed.json"

    def _failures(self, config: Mapping[str, Any]) -> list[Path]:
        folder = self.folder / check_file_name(config["dataset"])
        return sorted(folder.glob(f"{_prefix(config)}-f*-s*.failed.json"))

    def _union(self, config: Mapping[str, Any], paths: list[Path]) -> dict[Unit, list[dict]]:
        units: dict[Unit, list[dict[str, Any]]] = {}
        for attempt in range(3):
            vanished = False
            for path in paths:
                try:
                    units |= self._read(path, config)
                except FileNotFoundError:  # another runner has packed it meanwhile
                    vanished = True
            if not vanished or attempt == 2:
                break
            paths = self._shards(config)
        return dict(sorted(units.items()))

    def _shards(self, config: Mapping[str, Any]) -> list[Path]:
        folder = self.folder / check_file_name(config["dataset"])
        prefix = _prefix(config)
        if not folder.is_dir():
            return []
        return sorted(path for path in folder.iterdir() if _is_shard(path, prefix))

    def _write(self, config: Mapping[str, Any], units: Mapping[Unit, list[dict]]) -> Path:
        content = {
            "format": FORMAT,
            "config": config,
            "units": [
                {"fold": fold, "seed": seed, "rows": rows} for (fold, seed), rows in units.items()
            ],
        }
        text = json.dumps(content, separators=(",", ":"), allow_nan=True).encode()
        data = gzip.compress(text, compresslevel=6, mtime=0)
        check = hashlib.sha256(data).hexdigest()[:12]
        folder = self.folder / check_file_name(config["dataset"])
        path = folder / f"{_prefix(config)}-{check}.json.gz"
        try:
            write_atomically(path, data)
        except OSError as error:
            raise StoreError(f"cannot write results to {folder}: {error.strerror}") from error
        return path

    def _read(self, path: Path, config: Mapping[str, Any]) -> dict[Unit, list[dict[str, Any]]]:
        data = path.read_bytes()
        try:
            if hashlib.sha256(data).hexdigest()[:12] != _SHARD.fullmatch(path.name)["check"]:
                raise ValueError("its content does not fit its checksum")
            content = json.loads(gzip.decompress(data))
            if content["format"] != FORMAT or content["config"] != _plain(config):
                raise ValueError("it belongs to another configuration")
            return {(unit["fold"], unit["seed"]): unit["rows"] for unit in content["units"]}
        except (ValueError, KeyError, TypeError, EOFError, OSError) as error:
            aside = path.with_name(path.name + ".broken")
            os.replace(path, aside)
            _log.warning(
                "the stored result %s is broken (%s); set aside as %s, its units run again",
                path,
                error,
                aside.name,
            )
            return {}


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
    data = content.encode("utf-8") if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)  # mkstemp's 0600 would hide a report from a web server
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of `write_atomically` that nothing will complete.

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
        Name of a dataset or an algorithm.

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


def config_hash(config: Mapping[str, Any]) -> str:
    """Short name of a configuration.

    Parameters
    ----------
    config : dict
        Any nesting of dicts, lists, numbers and strings.

    Returns
    -------
    str
        Twelve hexadecimal digits; different for any changed value.
    """
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _prefix(config: Mapping[str, Any]) -> str:
    return f"{check_file_name(config['algorithm'])}-{config_hash(config)}"


def _is_shard(path: Path, prefix: str) -> bool:
    match = _SHARD.fullmatch(path.name)
    return match is not None and f"{match['slug']}-{match['config']}" == prefix


def _plain(config: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(config))
