"""Tables beside those of the paper: every algorithm at once, other readings, folds by person."""

from collections.abc import Sequence

import pandas as pd

from acoibl.experiments.scores import PUBLISHED_BEST, TITLES, means_by

_METRICS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}


def algorithm_scores(rows: pd.DataFrame, *, metric: str = "accuracy") -> pd.DataFrame:
    """Scores of all algorithms on all datasets, ready for `acoibl.comparison`.

    Parameters
    ----------
    rows : DataFrame
        Results of any experiments; lines of a grid are left out.
    metric : str, default="accuracy"
        What to show; see `acoibl.experiments.scores.means_by`.

    Returns
    -------
    DataFrame, shape (n_datasets, n_algorithms)
        Columns such as ``"aco-knn-paper ensemble"``, the variant left out where it is the only
        one.
    """
    rows = rows[rows["variant"] != "plain"]
    counts = rows.groupby("algorithm")["variant"].nunique()
    single = rows["algorithm"].map(counts) == 1
    names = rows["algorithm"].where(single, rows["algorithm"] + " " + rows["variant"])
    rows = rows.assign(name=names)
    table = means_by(rows, "name", metric)
    return table[[name for name in rows["name"].unique() if name in table]].rename_axis(
        columns=None
    )


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


def readings_table(rows: pd.DataFrame, *, metric: str = "accuracy") -> pd.DataFrame:
    """What each reading of the paper gives, and by how much it differs from its preset.

    Parameters
    ----------
    rows : DataFrame
        Results of the experiment ``"readings"``.
    metric : str, default="accuracy"
        What to show.

    Returns
    -------
    DataFrame
        Indexed by classifier, preset and reading (``"as it is"``, or what is changed): number of
        ``datasets`` that reading and preset have in common, ``basic`` and ``ensemble`` (means
        over these), ``basic, difference`` and ``ensemble, difference`` (reading minus preset).
        Only seeds that both have are used.
    """
    lines = {}
    for base in (base for base in TITLES if base in set(rows["base"])):
        of_base = rows[(rows["base"] == base) & (rows["preset"] != "")]
        names = of_base["preset"].unique()
        presets = list(dict.fromkeys(name.split("-")[0] for name in names))
        for reading in sorted(names, key=lambda name: presets.index(name.split("-")[0])):
            preset = reading.split("-")[0]
            here, there = (of_base[of_base["preset"] == name] for name in (reading, preset))
            both = set(here["seed"]) & set(there["seed"])
            if not both:
                continue
            mine, own = (
                means_by(part[part["seed"].isin(both)], "variant", metric) for part in (here, there)
            )
            common = mine.index.intersection(own.index)
            change = reading.removeprefix(preset).strip("-")
            line = {"datasets": len(common)}
            for variant in ("basic", "ensemble"):
                line[variant] = mine.loc[common, variant].mean()
                gap = mine.loc[common, variant] - own.loc[common, variant]
                line[f"{variant}, difference"] = gap.mean()
            lines[TITLES[base], preset, change or "as it is"] = line
    table = pd.DataFrame.from_dict(lines, orient="index").reindex(
        columns=["datasets", "basic", "basic, difference", "ensemble", "ensemble, difference"]
    )
    table.index = pd.MultiIndex.from_tuples(lines, names=["classifier", "preset", "reading"])
    return table


def groups_table(by_row: pd.DataFrame, by_group: pd.DataFrame) -> pd.DataFrame:
    """What is left of each score when all rows of a person are in one fold.

    Parameters
    ----------
    by_row, by_group : DataFrame
        Results of the same experiment with ``folds="stratified"`` and ``folds="groups"``; only
        datasets and seeds that both have are used.

    Returns
    -------
    DataFrame
        Indexed by dataset and classifier: accuracy and balanced accuracy in percent, folds by row
        and by group, and the difference (by group minus by row). The plain classifiers have the
        paper's settings.
    """
    parts = {}
    for way, rows in (("by row", by_row), ("by group", by_group)):
        setting = rows["base"].map(PUBLISHED_BEST)
        plain = (rows["variant"] == "plain") & (
            (rows["weight_scale"] != "none") | ((rows["key_parameter"] - setting).abs() > 1e-9)
        )
        rows = rows[~plain]
        rows = rows.assign(name=rows["algorithm"] + " " + rows["variant"])
        seeds = set(by_row["seed"]) & set(by_group["seed"])
        for metric, title in _METRICS.items():
            scores = means_by(rows[rows["seed"].isin(seeds)], "name", metric)
            parts[title, way] = scores[rows["name"].unique()].stack()  # noqa: PD013
    table = pd.DataFrame(parts).dropna()
    for title in _METRICS.values():
        table[title, "difference"] = table[title, "by group"] - table[title, "by row"]
    table = table[[(title, way) for title in _METRICS.values()
                   for way in ("by row", "by group", "difference")]]  # fmt: skip
    table.index = table.index.set_names(["dataset", "classifier"])
    return table
