"""Finished units of work on disk: atomic, checked, never mixed.

A store is a folder with one sub-folder for each dataset. A shard is a gzipped JSON file whose
name ends in a checksum of its content, and holds the finished units of one configuration (all
parameters and the dataset's checksum). One shard is written whenever a unit is finished; at the
end of a run the shards of a configuration are joined into one. On demand all shards are folded
into packs, one file an experiment (`acoibl.experiments.packs`). A new file is complete before
those that it replaces are deleted and nothing is ever rewritten in place, so a crash, a full disk
or a second runner loses nothing that was finished: reading takes the union.
"""

import contextlib
import gzip
import hashlib
import json
import logging
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from acoibl.experiments.packs import (
    FORMAT,
    Key,
    Pack,
    Unit,
    encode_line,
    find_packs,
    merge_lines,
    read_units,
    write_pack,
)
from acoibl.files import check_file_name, remove_leftovers, write_atomically

_log = logging.getLogger(__name__)
_SHARD = re.compile(r"(?P<slug>.+)-(?P<config>[0-9a-f]{12})-(?P<check>[0-9a-f]{12})\.json\.gz")


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
        self._open: dict[Path, Pack] = {}

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

    def join(self, config: Mapping[str, Any]) -> None:
        """Put all shards of a configuration into one.

        Parameters
        ----------
        config : dict
            The configuration.
        """
        paths = self._shards(config)
        if len(paths) < 2:
            return
        joined = self._write(config, self._from_shards(config, paths))
        _remove(path for path in paths if path != joined)

    def pack(self, names: Mapping[str, str]) -> list[tuple[Path, int]]:
        """Fold all shards into packs.

        Parameters
        ----------
        names : dict of str to str
            Name of the pack of each algorithm, as `acoibl.experiments.registry.owners` says;
            others go to the pack ``other``.

        Returns
        -------
        list of (Path, int)
            The packs that are new, and their numbers of configurations.

        Raises
        ------
        StoreError
            If a file cannot be written; then nothing is lost.
        """
        shards: dict[str, dict[Key, list[Path]]] = {}
        for path in sorted(self.folder.glob("*/*.json.gz")):
            if match := _SHARD.fullmatch(path.name):
                key = path.parent.name, f"{match['slug']}-{match['config']}"
                name = names.get(match["slug"], "other")
                shards.setdefault(name, {}).setdefault(key, []).append(path)
        packs: dict[str, list[Pack]] = {name: [] for name in shards}
        for pack in self._packs():
            packs.setdefault(pack.name, []).append(pack)
        return [
            self._fold(name, old, shards.get(name, {}))
            for name, old in packs.items()
            if name in shards or len(old) > 1
        ]

    def clear(self, *configs: Mapping[str, Any]) -> None:
        """Forget configurations.

        Parameters
        ----------
        *configs : dict
            The configurations.
        """
        for config in configs:
            _remove((*self._shards(config), *self._failures(config)))
        keys = {_key(config) for config in configs}
        for pack in self._packs():
            if keys & set(pack.contents()):
                kept = {key: line for key, line in self._lines(pack).items() if key not in keys}
                written = self._write_pack(pack.name, kept) if kept else None
                _remove([pack.path] if pack.path != written else [])

    def _failure(self, config: Mapping[str, Any], unit: Unit) -> Path:
        folder = self.folder / check_file_name(config["dataset"])
        return folder / f"{_prefix(config)}-f{unit[0]}-s{unit[1]}.failed.json"

    def _failures(self, config: Mapping[str, Any]) -> list[Path]:
        folder = self.folder / check_file_name(config["dataset"])
        return sorted(folder.glob(f"{_prefix(config)}-f*-s*.failed.json"))

    def _union(self, config: Mapping[str, Any], paths: list[Path]) -> dict[Unit, list[dict]]:
        """Units of packs and shards, read again if another runner joins or packs meanwhile."""
        for _ in range(3):
            with contextlib.suppress(FileNotFoundError):
                units = self._from_packs(config) | self._from_shards(config, paths)
                return dict(sorted(units.items()))
            paths = self._shards(config)
        return self._from_packs(config) | self._from_shards(config, paths, missing_ok=True)

    def _from_shards(
        self, config: Mapping[str, Any], paths: list[Path], missing_ok: bool = False
    ) -> dict[Unit, list[dict]]:
        units: dict[Unit, list[dict[str, Any]]] = {}
        for path in paths:
            with contextlib.suppress(*([FileNotFoundError] if missing_ok else [])):
                units |= self._read(path, config)
        return dict(sorted(units.items()))

    def _from_packs(self, config: Mapping[str, Any]) -> dict[Unit, list[dict]]:
        key, units = _key(config), {}
        for pack in self._packs():
            if key in pack.contents():
                line = self._lines(pack).get(key)
                units |= {} if line is None else read_units(json.loads(line), config)
        return units

    def _packs(self) -> list[Pack]:
        """Packs in the folder; what was read of one stays in memory, as long as it is there."""
        found = {path: self._open.get(path) or Pack(path) for path in find_packs(self.folder)}
        for path, pack in list(found.items()):
            try:
                pack.contents()
            except (ValueError, KeyError, TypeError) as error:
                del found[path]
                _set_aside(path, error)
        self._open = found
        return list(found.values())

    def _lines(self, pack: Pack) -> dict[Key, bytes]:
        try:
            return pack.lines()
        except (ValueError, KeyError, TypeError) as error:
            _set_aside(pack.path, error)
            return {}

    def _fold(
        self, name: str, packs: list[Pack], shards: Mapping[Key, list[Path]]
    ) -> tuple[Path, int]:
        """One pack of all that is in others and in shards, which are then removed."""
        sources: dict[Key, list[bytes]] = {}
        # What is gone meanwhile is in the pack of another runner, which stays where it is.
        for pack in packs:
            with contextlib.suppress(FileNotFoundError):
                for key, line in self._lines(pack).items():
                    sources.setdefault(key, []).append(line)
        for key, path in ((key, path) for key, paths in shards.items() for path in paths):
            with contextlib.suppress(FileNotFoundError):
                line = self._read_line(path, key)
                sources.setdefault(key, []).extend([] if line is None else [line])
        merged = {key: merge_lines(lines) for key, lines in sources.items() if lines}
        path = self._write_pack(name, merged)
        _remove(pack.path for pack in packs if pack.path != path)
        _remove(shard for paths in shards.values() for shard in paths)
        return path, len(merged)

    def _write_pack(self, name: str, lines: Mapping[Key, bytes]) -> Path:
        try:
            return write_pack(self.folder, name, lines)
        except OSError as error:
            raise StoreError(f"cannot write to {self.folder}: {error.strerror}") from error

    def _shards(self, config: Mapping[str, Any]) -> list[Path]:
        folder = self.folder / check_file_name(config["dataset"])
        prefix = _prefix(config)
        if not folder.is_dir():
            return []
        return sorted(path for path in folder.iterdir() if _is_shard(path, prefix))

    def _write(self, config: Mapping[str, Any], units: Mapping[Unit, list[dict]]) -> Path:
        data = gzip.compress(encode_line(config, units), compresslevel=6, mtime=0)
        check = hashlib.sha256(data).hexdigest()[:12]
        folder = self.folder / check_file_name(config["dataset"])
        path = folder / f"{_prefix(config)}-{check}.json.gz"
        try:
            write_atomically(path, data)
        except OSError as error:
            raise StoreError(f"cannot write results to {folder}: {error.strerror}") from error
        return path

    def _read(self, path: Path, config: Mapping[str, Any]) -> dict[Unit, list[dict[str, Any]]]:
        line = self._read_line(path, _key(config))
        return {} if line is None else read_units(json.loads(line), config)

    def _read_line(self, path: Path, key: Key) -> bytes | None:
        """Content of a shard, if it is what its name says."""
        data = path.read_bytes()
        try:
            if hashlib.sha256(data).hexdigest()[:12] != _SHARD.fullmatch(path.name)["check"]:
                raise ValueError("its content does not fit its checksum")
            line = gzip.decompress(data)
            content = json.loads(line)
            if content["format"] != FORMAT or _key(content["config"]) != key:
                raise ValueError("it belongs to another configuration")
            return line
        except (ValueError, KeyError, TypeError, EOFError, OSError) as error:
            _set_aside(path, error)
            return None


def config_hash(config: Mapping[str, Any]) -> str:
    """Short name of a configuration: twelve digits, different for any changed value."""
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _prefix(config: Mapping[str, Any]) -> str:
    return f"{check_file_name(config['algorithm'])}-{config_hash(config)}"


def _key(config: Mapping[str, Any]) -> Key:
    return check_file_name(config["dataset"]), _prefix(config)


def _is_shard(path: Path, prefix: str) -> bool:
    match = _SHARD.fullmatch(path.name)
    return match is not None and f"{match['slug']}-{match['config']}" == prefix


def _set_aside(path: Path, error: Exception) -> None:
    aside = path.with_name(path.name + ".broken")
    os.replace(path, aside)
    _log.warning(
        "the stored result %s is broken (%s); set aside as %s, its units run again",
        path,
        error,
        aside.name,
    )


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
