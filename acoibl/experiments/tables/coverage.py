"""What was run, on which data, and what it cost."""

from collections.abc import Iterable, Sequence

import pandas as pd

from acoibl.comparison import published
from acoibl.experiments.data import checksum_of, rows_of
from acoibl.experiments.protocol import Profile, get_profile


def dataset_table(profile: str | Profile, datasets: Iterable[str] | None = None) -> pd.DataFrame:
    """Which datasets a profile runs on and how much of each.

    Parameters
    ----------
    profile : str or Profile
        Profile.
    datasets : iterable of str, optional
        Names; those of the profile by default.

    Returns
    -------
    DataFrame, shape (n_datasets, 7)
        Rows used and in all, rows in the paper, classes, features, source, checksum (its first
        twelve digits).
    """
    from acoibl.datasets import DatasetUnavailableError, describe, load

    profile = get_profile(profile)
    paper = published("table2_datasets")["instances"]
    known = describe()
    lines = {}
    for name in profile.datasets if datasets is None else datasets:
        try:
            source: str | None = str(load(name).source)
            used = len(rows_of(name, profile.max_rows)[0])
        except DatasetUnavailableError:  # a report from stored results needs no data
            source, used = "not here", known.loc[name, "rows"] if not profile.max_rows else None
        lines[name] = {
            "rows used": used,
            "rows": int(known.loc[name, "rows"]),
            "rows in the paper": int(paper[name]) if name in paper.index else None,
            "classes": int(known.loc[name, "classes"]),
            "features": int(known.loc[name, ["numeric", "categorical"]].sum()),
            "source": source,
            "checksum": checksum_of(name)[:12],
        }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = "dataset"
    return table


def coverage_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What was run: datasets, folds and seeds of every algorithm.

    Parameters
    ----------
    rows : DataFrame
        Results.

    Returns
    -------
    DataFrame, shape (n_algorithms, 5)
        Number of ``datasets``, of ``folds`` and of ``runs`` (units of work), the number of
        ``seeds`` (such as ``10``, or ``3 to 10``), and ``datasets with fewer seeds`` than the
        others.
    """
    lines = {}
    for algorithm, part in rows.groupby("algorithm", sort=False):
        seeds = part.groupby("dataset", sort=False)["seed"].nunique()
        most, least = seeds.max(), seeds.min()
        lines[algorithm] = {
            "datasets": len(seeds),
            "folds": part["fold"].nunique(),
            "runs": len(part[["dataset", "fold", "seed"]].drop_duplicates()),
            "seeds": str(most) if most == least else f"{least} to {most}",
            "datasets with fewer seeds": ", ".join(seeds.index[seeds < most]),
        }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = "algorithm"
    return table


def say_coverage(rows: pd.DataFrame, names: Sequence[str]) -> str:
    """Say on which datasets and with how many seeds something was run.

    Parameters
    ----------
    rows : DataFrame
        Results.
    names : sequence of str
        Datasets that it could have been run on.

    Returns
    -------
    str
        A sentence. A dataset counts if all algorithms have results of it; an algorithm that draws
        nothing has one seed.

    Examples
    --------
    >>> rows = pd.DataFrame({"algorithm": ["a", "a"], "dataset": ["iris", "iris"], "seed": [0, 1]})
    >>> say_coverage(rows, ["iris"]), say_coverage(rows, ["iris", "wine", "zoo"])
    ('Run on 1 of 1 datasets, 2 seeds a fold.', 'Run on 1 of 3 datasets (iris), 2 seeds a fold.')
    """
    seeds = rows.groupby(["dataset", "algorithm"])["seed"].nunique()
    counts = seeds.groupby(level="dataset").size()
    complete = set(counts.index[counts == rows["algorithm"].nunique()])
    found = [name for name in names if name in complete]
    absent = [name for name in names if name not in complete]
    which = ", ".join(found) if len(found) <= len(absent) else "without " + ", ".join(absent)
    least, most = seeds.min(), seeds.max()
    number = f"{most}" if least == most else f"{least} to {most}"
    return (
        f"Run on {len(found)} of {len(names)} datasets{f' ({which})' if absent else ''}, "
        f"{number} seed{'' if number == '1' else 's'} a fold."
    )


def effort_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What each algorithm cost.

    The time is that of the processor, not of the clock: a run that waited, as other programs
    used the machine or as it was suspended, has not cost more.

    Parameters
    ----------
    rows : DataFrame
        Results.

    Returns
    -------
    DataFrame, shape (n_algorithms, 5)
        Runs, processor seconds in all and per run, mean number of iterations and of evaluations.
    """
    keys = ["algorithm", "dataset", "fold", "seed"]
    # Variants of one run share its seconds, but the lines of a grid add up to the tuned one.
    runs = rows[rows["variant"] != "plain"].drop_duplicates(keys)
    groups = runs.groupby("algorithm", sort=False)
    table = pd.DataFrame(
        {
            "runs": groups.size(),
            "processor seconds": groups["cpu_seconds"].sum(),
            "seconds per run": groups["cpu_seconds"].mean(),
            "iterations": groups["n_iter"].mean().astype(float),
            "evaluations": groups["n_evaluations"].mean().astype(float),
        }
    )
    table.index.name = "algorithm"
    return table
