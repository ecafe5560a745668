"""Stored results as files for other programs, and predictions row by row."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from acoibl.experiments.data import folds_of, load_dataset
from acoibl.experiments.outcomes import class_labels, decode_predictions
from acoibl.experiments.protocol import Profile, UnknownNameError, cap_rows, get_profile
from acoibl.experiments.running.plan import Plan
from acoibl.experiments.running.results import collect
from acoibl.files import atomic_file

_KEYS = (
    *("dataset", "algorithm", "base", "preset", "variant", "weight_scale", "key_parameter"),
    *("folds", "fold", "seed"),
)


class ExportError(Exception):
    """A file of results cannot be written."""


def predictions_table(rows: pd.DataFrame, profile: str | Profile) -> pd.DataFrame:
    """Predictions of results of that profile, one line for each test row.

    The columns that name a result come first, then ``row`` (position in the dataset's table, from
    0), ``actual`` and ``predicted``. ValueError if the results are of another profile.
    """
    profile = get_profile(profile)
    parts = []
    for (name, way, fold), group in rows.groupby(["dataset", "folds", "fold"], sort=False):
        y = load_dataset(name).y
        used = cap_rows(y, profile.max_rows, name)
        test = used[folds_of(name, profile.n_folds, profile.max_rows, way)[fold][1]]
        if not (group["predictions"].str.len() == len(test)).all():
            raise ValueError(
                f"the results of {name}, fold {fold}, are not of the profile {profile.name!r}"
            )
        labels = class_labels(y)
        repeated = {
            column: np.repeat(np.asarray(group[column], dtype=object), len(test))
            for column in _KEYS
        }
        parts.append(
            pd.DataFrame(
                {
                    **repeated,
                    "row": np.tile(test, len(group)),
                    "actual": np.tile(np.asarray(y, dtype=object)[test], len(group)),
                    "predicted": decode_predictions("".join(group["predictions"]), labels),
                }
            ).infer_objects()
        )
    if not parts:
        return pd.DataFrame(columns=[*_KEYS, "row", "actual", "predicted"])
    return pd.concat(parts, ignore_index=True)


def export(plan: Plan, path: str | Path, *, predictions: bool = False) -> list[tuple[Path, int]]:
    """Write the stored results of a plan to a file.

    Parameters
    ----------
    plan : Plan
        The units in question; those that are not stored are left out.
    path : str or Path
        A name that ends in ``.csv`` (or ``.csv.gz``) or ``.parquet``.
    predictions : bool, default=False
        Whether to write the predictions of every test row too, as a second file whose name ends
        in ``_predictions``. Algorithms that draw their own parts, not the folds, have none.

    Returns
    -------
    list of (Path, int)
        The files and their numbers of lines.

    Raises
    ------
    UnknownNameError
        For another ending.
    ExportError
        If nothing is stored, a file cannot be written, or Parquet's library is missing.
    """
    path = Path(path)
    ending = next((e for e in (".csv", ".csv.gz", ".parquet") if path.name.endswith(e)), None)
    if ending is None:
        raise UnknownNameError(f"{path.name!r} must end in .csv, .csv.gz or .parquet")
    results = collect(plan.tasks, plan.store, plan.configs).drop(columns="predictions")
    if results.empty:
        raise ExportError(f"{plan.title}: nothing is stored in {plan.store.folder}")
    files = [(path, _write(path, ending, iter([results])))]
    if predictions:
        second = path.with_name(path.name.removesuffix(ending) + "_predictions" + ending)
        files.append((second, _write(second, ending, _predictions(plan))))
    return files


def _predictions(plan: Plan) -> Iterator[pd.DataFrame]:
    """One algorithm on one dataset at a time: all lines of a full run would fill the memory."""
    empty = True
    for _, tasks in groupby(plan.tasks, key=lambda task: task.key):
        rows = collect(tasks, plan.store, plan.configs)
        rows = rows[rows["predictions"].notna()]
        if len(rows):
            empty = False
            yield predictions_table(rows, plan.profile)
    if empty:
        yield predictions_table(rows, plan.profile)


def _write(path: Path, ending: str, tables: Iterable[pd.DataFrame]) -> int:
    """Write tables one below the other; the file is there as a whole or not at all."""
    write = _write_parquet if ending == ".parquet" else _write_csv
    try:
        with atomic_file(path) as temporary:
            return write(temporary, tables, ending)
    except OSError as error:
        raise ExportError(f"cannot write {path}: {error.strerror or error}") from error


def _write_csv(path: Path, tables: Iterable[pd.DataFrame], ending: str) -> int:
    count = 0
    packing: Any = "gzip" if ending.endswith(".gz") else None
    for number, table in enumerate(tables):
        table.to_csv(
            path, mode="w" if number == 0 else "a", header=number == 0, index=False,
            compression=packing,
        )  # fmt: skip
        count += len(table)
    return count


def _write_parquet(path: Path, tables: Iterable[pd.DataFrame], ending: str) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ExportError(
            "Parquet needs pyarrow: pip install 'acoibl[export]', or write a .csv"
        ) from None
    writer, count = None, 0
    try:
        for table in tables:
            # Types of the first table may not fit a later one: a column of an unused name is empty.
            arrow = pa.Table.from_pandas(_typed(table), preserve_index=False)
            if writer is None:
                writer = pq.ParquetWriter(path, arrow.schema, compression="zstd")
            writer.write_table(arrow.cast(writer.schema))
            count += len(table)
    finally:
        if writer is not None:
            writer.close()
    return count


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """Text columns as text, also where all of a table's values are missing."""
    texts = [c for c in table.columns if not pd.api.types.is_numeric_dtype(table[c])]
    return table.astype(dict.fromkeys(texts, "string"))
