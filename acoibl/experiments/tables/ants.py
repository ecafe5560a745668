"""What the experiment on ant feature selection found, beside what its paper prints."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import t as student

from acoibl.comparison import published

DATA_READINGS = {"": "scaled", "-raw": "raw", "-two": "two classes"}
"""Readings of the data, by the end of the algorithms' names."""

_TITLES = {
    "size": "ants",
    "random": "random subsets",
    "forward": "forward selection",
    "kbest": "mutual information",
    "relieff": "ReliefF",
    "exhaustive": "all subsets",
    "published": "published subsets",
}
"""Titles of the ways to choose features, by the beginning of the variant."""

MIN_SPLITS = 5
"""Splits from which on an interval is given: the spread of fewer differences says little."""


def tables_of_antfs(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables 4 to 7 and 9, and what it is worth to a search to see the test part."""
    rows = ant_results(rows)
    return {
        "reduction": reduction_table(rows),
        "optimism": optimism_table(rows, DATA_READINGS),
        **{f"sizes_{name}": size_table(rows, name) for name in rows["dataset"].unique()},
        **{f"peers_{name}": peers_table(rows, name) for name in rows["dataset"].unique()},
    }


def ant_results(rows: pd.DataFrame) -> pd.DataFrame:
    """Results of the experiment ``"antfs"`` as the functions below read them.

    Parameters
    ----------
    rows : DataFrame
        Results, as from ``run("antfs", ...)``.

    Returns
    -------
    DataFrame
        The same lines, split after split, and ``split`` (fold and seed, as text), ``method`` and
        ``size`` (from the variant). Accuracies are shares, features counted from 1.
    """
    each = rows.groupby(["dataset", "algorithm"], sort=False).ngroup()
    rows = rows.assign(each=each).sort_values(["each", "fold", "seed"], kind="stable")
    rows = rows.drop(columns="each").reset_index(drop=True)
    variants = rows["variant"].astype(str)
    parts = variants.str.extract(r"^(?P<method>[a-z-]+?)(?:-(?P<size>\d+))?(?:-[a-z]\w*)?$")
    return rows.assign(
        split=rows["fold"].astype(str) + "-" + rows["seed"].astype(str),
        method=parts["method"],
        size=parts["size"].astype(float).astype("Int64"),
    )


def size_table(rows: pd.DataFrame, dataset: str, reading: str = "") -> pd.DataFrame:
    """Tables 4, 5, 6 and 9: accuracy by number of features, published and measured.

    Parameters
    ----------
    rows : DataFrame
        Of `ant_results`.
    dataset : str
        Dataset.
    reading : {"", "-raw", "-two", "-k1", ...}, default=""
        End of the algorithms' names.

    Returns
    -------
    DataFrame
        Indexed by ``size``; percent: ``published``; ``published subsets``, the mean accuracy of
        the printed subsets on the same test parts; of the ants in both protocols the mean and the
        5 % and 95 % quantiles over the splits in which they reached this size; ``best possible``,
        the mean over the same splits as of holdout of the best accuracy of any subset on the test
        part (where all were tried), and the largest of them; ``splits``, the number of these.
    """
    here = rows[rows["dataset"] == dataset]
    columns: dict[str, pd.Series] = {}
    printed = published("antfs_subsets")
    columns["published"] = (
        printed[printed.index == dataset].drop_duplicates("size").set_index("size")["accuracy"]
    )
    columns["published subsets"] = _mean(here, f"antfs-rivals{reading}", "published")
    for evaluation in ("holdout", "nested"):
        part = _lines(here, f"antfs-{evaluation}{reading}", "size")
        by_size = 100 * part.groupby("size")["accuracy"].quantile([0.05, 0.95]).unstack()  # noqa: PD010
        columns[evaluation] = _mean(here, f"antfs-{evaluation}{reading}", "size")
        if len(by_size):
            columns[f"{evaluation} 5 %"] = by_size[0.05]
            columns[f"{evaluation} 95 %"] = by_size[0.95]
    part = _lines(here, f"antfs-holdout{reading}", "size")
    reached = set(_pairs(part))
    top = _lines(here, f"antfs-rivals{reading}", "exhaustive-holdout")
    top = _of_pairs(top, reached)
    columns["best possible"] = 100 * top.groupby("size")["accuracy"].mean()
    columns["best possible, most"] = 100 * top.groupby("size")["accuracy"].max()
    columns["splits"] = part.groupby("size")["split"].nunique()
    table = pd.DataFrame({name: column for name, column in columns.items() if len(column)})
    return table.rename_axis("size").sort_index()


def reduction_table(rows: pd.DataFrame, reading: str = "") -> pd.DataFrame:
    """Table 7: features left, and accuracy before and after, published and measured.

    Parameters
    ----------
    rows : DataFrame
        Of `ant_results`.
    reading : str, default=""
        End of the algorithms' names.

    Returns
    -------
    DataFrame
        One line a dataset; percent, means over the ``splits``. The measured subset is the ants'
        best of all sizes.
    """
    paper, lines = published("antfs_datasets"), {}
    for name, part in rows.groupby("dataset", sort=False):
        best = {
            evaluation: _lines(part, f"antfs-{evaluation}{reading}", "best")
            for evaluation in ("holdout", "nested")
        }
        whole = _lines(part, f"antfs-rivals{reading}", "all")
        if not len(whole):
            continue
        n_features = int(whole["n_selected"].iloc[0])
        line = {"features": n_features, "splits": len(best["nested"])}
        if name in paper.index:
            own = paper.loc[name]
            line |= {
                "published features": own["reduced"],
                "published reduction": own["reduction"],
                "published, all": own["accuracy_all"],
                "published, reduced": own["accuracy_reduced"],
            }
        line["all"] = 100 * whole["accuracy"].mean()
        for evaluation, found in best.items():
            line[f"{evaluation} features"] = found["n_selected"].mean()
            line[f"{evaluation} reduction"] = 100 * (1 - found["n_selected"].mean() / n_features)
            line[f"{evaluation}, reduced"] = 100 * found["accuracy"].mean()
        lines[name] = line
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("dataset")


def optimism_table(rows: pd.DataFrame, readings: Iterable[str] = ("",)) -> pd.DataFrame:
    """Holdout minus nested: what it is worth to a search to see the test part.

    Parameters
    ----------
    rows : DataFrame
        Of `ant_results`.
    readings : iterable of str, default=("",)
        Ends of the algorithms' names.

    Returns
    -------
    DataFrame
        Indexed by dataset and reading; percent and points: accuracy of the ants' best subset when
        the test part guides (``holdout``) and when it is touched once (``nested``), the mean
        ``gap`` over the splits that both have, its 95 % interval (NaN below five splits), and
        for comparison what the nested search itself saw (``seen inside``).

    Notes
    -----
    Splits of one table overlap: the interval is that of the corrected resampled t test, in which
    the variance of the mean is ``(1 / n_splits + n_test / n_train) s^2``.

    References
    ----------
    Nadeau and Bengio, "Inference for the generalization error", Machine Learning 52 (2003)
    239-281.
    """
    lines = {}
    for name, part in rows.groupby("dataset", sort=False):
        for reading in readings:
            found = {
                evaluation: _lines(part, f"antfs-{evaluation}{reading}", "best").set_index("split")
                for evaluation in ("holdout", "nested")
            }
            common = found["holdout"].index.intersection(found["nested"].index)
            if not len(common):
                continue
            here, there = (found[e].loc[common] for e in ("holdout", "nested"))
            gap = 100 * (here["accuracy"] - there["accuracy"])
            low = high = float("nan")
            if len(common) >= MIN_SPLITS:
                low, high = corrected_interval(gap, *here["split_rows"].iloc[0])
            lines[name, DATA_READINGS.get(reading, reading.strip("-"))] = {
                "splits": len(common),
                "holdout": 100 * here["accuracy"].mean(),
                "nested": 100 * there["accuracy"].mean(),
                "gap": gap.mean(),
                "low": low,
                "high": high,
                "seen inside": 100 * there["guide_accuracy"].mean(),
            }
    columns = ["splits", "holdout", "nested", "gap", "low", "high", "seen inside"]
    table = pd.DataFrame.from_dict(lines, orient="index", columns=columns)
    table.index = pd.MultiIndex.from_tuples(lines, names=["dataset", "reading"])
    return table


def peers_table(rows: pd.DataFrame, dataset: str, reading: str = "") -> pd.DataFrame:
    """Test accuracy at equal size, of all who chose without the test part.

    Parameters
    ----------
    rows : DataFrame
        Of `ant_results`.
    dataset : str
        Dataset.
    reading : str, default=""
        End of the algorithms' names.

    Returns
    -------
    DataFrame
        Indexed by size; percent, means over the splits in which the ants found a subset of that
        size: ants, random subsets of the same budget, forward selection and the best of all
        subsets (guided by leave-one-out alike), the filters, the published subsets, and all
        features.
    """
    here = rows[rows["dataset"] == dataset]
    ants = _lines(here, f"antfs-nested{reading}", "size")
    reached = set(_pairs(ants))
    columns = {}
    for method, title in _TITLES.items():
        algorithm = f"antfs-{'nested' if method in ('size', 'random') else 'rivals'}{reading}"
        part = _lines(here, algorithm, method)
        part = _of_pairs(part, reached)
        if len(part):
            columns[title] = 100 * part.groupby("size")["accuracy"].mean()
    table = pd.DataFrame(columns)
    whole = _lines(here, f"antfs-rivals{reading}", "all")
    if len(whole):
        table["all features"] = 100 * whole["accuracy"].mean()
    return table.rename_axis("size")


def frequency_table(rows: pd.DataFrame, dataset: str, reading: str = "") -> pd.DataFrame:
    """How often each feature is in the best subset of a split.

    Parameters
    ----------
    rows : DataFrame
        Of `ant_results`.
    dataset : str
        Dataset.
    reading : str, default=""
        End of the algorithms' names.

    Returns
    -------
    DataFrame
        Indexed by feature, counted from 1: percent of the splits, in both protocols; and how many
        of the published subsets have it. Features that nobody chose are left out.
    """
    columns = {}
    for evaluation in ("holdout", "nested"):
        best = _lines(rows[rows["dataset"] == dataset], f"antfs-{evaluation}{reading}", "best")
        if len(best):
            columns[evaluation] = 100 * best["features"].explode().value_counts() / len(best)
    printed = published("antfs_subsets")
    texts = printed[printed.index == dataset]["features"].str.split()
    columns["published subsets"] = texts.explode().astype(int).value_counts()
    table = pd.DataFrame(columns).fillna(0.0)
    table["published subsets"] = table["published subsets"].astype(int)
    return table.rename_axis("feature").sort_index()


def corrected_interval(
    differences: Any, n_train: int, n_test: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Interval of a mean over random splits of one table (Nadeau and Bengio 2003).

    `differences` has one number a split; NaN for a single split.
    """
    values = np.asarray(differences, dtype=float)
    if len(values) < 2:
        return float("nan"), float("nan")
    error = np.sqrt((1 / len(values) + n_test / n_train) * values.var(ddof=1))
    half = student.ppf((1 + confidence) / 2, len(values) - 1) * error
    return float(values.mean() - half), float(values.mean() + half)


def _lines(rows: pd.DataFrame, algorithm: str, method: str) -> pd.DataFrame:
    """Lines of a method: of the ants' sizes those of the better group."""
    part = rows[(rows["algorithm"] == algorithm) & (rows["method"] == method)]
    return part[~part["variant"].str.contains("nearest|furthest", regex=True)]


def _pairs(part: pd.DataFrame) -> list[tuple[str, int]]:
    return list(zip(part["split"], part["size"], strict=True))


def _of_pairs(part: pd.DataFrame, wanted: set[tuple[str, int]]) -> pd.DataFrame:
    return part[np.array([pair in wanted for pair in _pairs(part)], dtype=bool)]


def _mean(rows: pd.DataFrame, algorithm: str, method: str) -> pd.Series:
    return 100 * _lines(rows, algorithm, method).groupby("size")["accuracy"].mean()
