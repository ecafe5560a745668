"""Stored results of one experiment in one compressed file.

A pack is an xz-compressed text of JSON lines: first what is in it, then a line for each
configuration, with the same content as a shard (`acoibl.experiments.store`). Its name ends in a
checksum of its content. ``xz -dc b-*.jsonl.xz`` shows it.
"""

import hashlib
import json
import lzma
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acoibl.files import write_atomically

FORMAT = 1
_FOR_TEXT = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}
_NAME = re.compile(r"(?P<name>[a-z0-9_]+)-(?P<check>[0-9a-f]{12})\.jsonl\.xz")

Unit = tuple[int, int]
"""Fold and seed."""

Key = tuple[str, str]
"""Dataset, and algorithm with the short name of its configuration: what a line is found by."""


class Pack:
    """One such file; read when something of it is asked for.

    Parameters
    ----------
    path : Path
        The file.
    """

    def __init__(self, path: Path):
        self.path = path
        self.name = _NAME.fullmatch(path.name)["name"]
        self._keys: list[Key] | None = None
        self._lines: dict[Key, bytes] = {}

    def contents(self) -> list[Key]:
        """What is in it; only its first line is read."""
        if self._keys is None:
            with _ending_in_value_error(), lzma.open(self.path) as file:
                self._keys = _read_header(file.readline())
        return self._keys

    def lines(self) -> dict[Key, bytes]:
        """All of its lines by their keys, checked."""
        if not self._lines:
            data = self.path.read_bytes()
            if _check(data) != _NAME.fullmatch(self.path.name)["check"]:
                raise ValueError("its content does not fit its checksum")
            with _ending_in_value_error():
                header, *lines = lzma.decompress(data).splitlines()
            self._lines = dict(zip(_read_header(header), lines, strict=True))
        return self._lines


def find_packs(folder: Path) -> list[Path]:
    """Packs in the folder of a store."""
    return sorted(path for path in folder.glob("*.jsonl.xz") if _NAME.fullmatch(path.name))


def write_pack(folder: Path, name: str, lines: Mapping[Key, bytes]) -> Path:
    """Write a pack; the same lines give the same file."""
    # Lines of one algorithm side by side look alike, and so become small.
    keys = sorted(lines, key=lambda key: (key[1], key[0]))
    header = json.dumps({"format": FORMAT, "lines": keys}, separators=(",", ":"))
    text = b"\n".join([header.encode(), *(lines[key] for key in keys), b""])
    data = lzma.compress(text, filters=[_FOR_TEXT])
    path = folder / f"{name}-{_check(data)}.jsonl.xz"
    write_atomically(path, data)
    return path


def encode_line(config: Mapping[str, Any], units: Mapping[Unit, list[dict]]) -> bytes:
    """Content of a shard, and of a line of a pack."""
    content = {
        "format": FORMAT,
        "config": _plain(config),
        "units": [
            {"fold": fold, "seed": seed, "rows": rows} for (fold, seed), rows in units.items()
        ],
    }
    return json.dumps(content, separators=(",", ":"), allow_nan=True).encode()


def read_units(content: Any, config: Mapping[str, Any]) -> dict[Unit, list[dict[str, Any]]]:
    """Units of such a line, once it is read as JSON; they must be those of the configuration."""
    if content["format"] != FORMAT or content["config"] != _plain(config):
        raise ValueError("it belongs to another configuration")
    return {(unit["fold"], unit["seed"]): unit["rows"] for unit in content["units"]}


def merge_lines(lines: list[bytes]) -> bytes:
    """One line of all units of a configuration."""
    config = json.loads(lines[0])["config"]
    units: dict[Unit, list[dict]] = {}
    for line in lines:
        units |= read_units(json.loads(line), config)
    return encode_line(config, dict(sorted(units.items())))


def _plain(config: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(config))


def _check(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _read_header(line: bytes) -> list[Key]:
    header = json.loads(line)
    if header["format"] != FORMAT:
        raise ValueError(f"its format is {header['format']!r}, not {FORMAT}")
    return [(dataset, configuration) for dataset, configuration in header["lines"]]


class _ending_in_value_error:
    """What xz calls an error becomes a ValueError, as of any other broken content."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, lzma.LZMAError | EOFError):
            raise ValueError(str(error) or "it ends too early") from error
