"""Other readings of the paper, and folds by person, beside the presets and folds by row."""

import pandas as pd

from acoibl.experiments.tables.scores import means_by
from acoibl.lazy.bases import BASES

_METRICS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}


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
    for base in (base for base in BASES if base in set(rows["base"])):
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
            lines[BASES[base].title, preset, change or "as it is"] = line
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
        setting = rows["base"].map({base.name: base.published_best for base in BASES.values()})
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
