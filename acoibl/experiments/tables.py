"""The papers' tables and the data of their figures, from results of `run`.

Every builder takes the DataFrame that `run` returns and gives a DataFrame ready for
`acoibl.report.Artifacts.table`. Accuracies are in percent, means over folds and seeds. Published
figures stand beside measured ones for the same datasets only, with ranks and wins computed anew
over those, and never take part in a choice.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from acoibl.comparison import average_ranks, friedman, holm, published, wins
from acoibl.experiments.algorithms import GRIDS
from acoibl.experiments.protocol import Profile, get_profile
from acoibl.experiments.runner import rows_of

TITLES = {"knn": "k-NN", "dnn": "d-NN", "gke": "GKE"}
"""Printed name of each base."""

PUBLISHED_BEST = {"knn": 12.0, "dnn": 0.45, "gke": 0.40}
"""Best setting of each plain classifier in the paper's Experiment A (Figs 5-7)."""

SYMBOLS = {"knn": "k", "dnn": "d", "gke": "sigma"}
"""Key parameter of each base."""

_TABLES = {"knn": "table3_knn", "dnn": "table4_dnn", "gke": "table5_gke"}
_PAPER_VARIANTS = ["basic", "ensemble", "plain"]


def rank_by_setting(rows: pd.DataFrame, base: str, *, weight_scale: str = "none") -> pd.DataFrame:
    """Average rank of every setting of a plain classifier (the data of Figs 5-7).

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment A or B.
    base : {"knn", "dnn", "gke"}
        Lazy classifier.
    weight_scale : {"none", "sum_one", "sum_m"}, default="none"
        Scale of the (equal) weights.

    Returns
    -------
    DataFrame, shape (n_settings, 3)
        Indexed by the setting: ``average rank`` over the datasets, ``mean accuracy``, and
        ``wins`` (datasets on which no setting is better).

    Raises
    ------
    ValueError
        If there are no such results.
    """
    scores = plain_scores(rows, base, weight_scale=weight_scale)
    table = pd.DataFrame(
        {
            "average rank": average_ranks(scores),
            "mean accuracy": scores.mean(axis=0),
            "wins": wins(scores),
        }
    )
    table.index.name = SYMBOLS[base]
    return table


def best_setting(rows: pd.DataFrame, base: str, *, weight_scale: str = "none") -> float:
    """Setting with the smallest average rank, the smaller one of equals.

    Parameters
    ----------
    rows, base, weight_scale
        As for `rank_by_setting`.

    Returns
    -------
    float
        k, d or sigma.
    """
    ranks = rank_by_setting(rows, base, weight_scale=weight_scale)["average rank"]
    return float(ranks.round(9).idxmin())


def settings_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Best setting of each plain classifier beside the paper's (outcome of Experiment A).

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment A or B.

    Returns
    -------
    DataFrame, shape (9, 6)
        One row per classifier and scale: best setting, its average rank and mean accuracy, the
        paper's best setting, and its average rank and mean accuracy as measured here.
    """
    lines = {}
    for base in _bases(rows):
        for scale in rows.loc[rows["base"] == base, "weight_scale"].unique():
            if (base, scale) in lines or not _has_plain(rows, base, scale):
                continue
            ranks = rank_by_setting(rows, base, weight_scale=scale)
            best = best_setting(rows, base, weight_scale=scale)
            paper = PUBLISHED_BEST[base]
            lines[base, scale] = {
                "best setting": f"{SYMBOLS[base]} = {best:g}",
                "average rank": ranks.loc[best, "average rank"],
                "mean accuracy": ranks.loc[best, "mean accuracy"],
                "paper's setting": f"{SYMBOLS[base]} = {paper:g}",
                "its average rank": ranks.loc[paper, "average rank"],
                "its mean accuracy": ranks.loc[paper, "mean accuracy"],
            }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index = pd.Index(
        [f"{TITLES[base]}, scale {scale}" for base, scale in lines], name="classifier"
    )
    return table


def plain_scores(rows: pd.DataFrame, base: str, *, weight_scale: str = "none") -> pd.DataFrame:
    """Accuracy of every setting of a plain classifier on every dataset.

    Parameters
    ----------
    rows, base, weight_scale
        As for `rank_by_setting`.

    Returns
    -------
    DataFrame, shape (n_datasets, n_settings)
        Percent.

    Raises
    ------
    ValueError
        If there are no such results.
    """
    chosen = rows[
        (rows["base"] == base)
        & (rows["variant"] == "plain")
        & (rows["weight_scale"] == weight_scale)
    ]
    if chosen.empty:
        raise ValueError(f"no results of plain {TITLES[base]} at scale {weight_scale!r}")
    scores = _means(chosen, "key_parameter")
    return scores[[setting for setting in GRIDS[base] if setting in scores.columns]]


def measured(
    rows: pd.DataFrame,
    base: str,
    preset: str,
    *,
    setting: float | None = None,
    metric: str = "accuracy",
) -> pd.DataFrame:
    """Scores of the four variants of a classifier on every dataset.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment B.
    base : {"knn", "dnn", "gke"}
        Lazy classifier.
    preset : {"paper", "default"}
        Reading of the colony.
    setting : float, optional
        Setting of the plain classifier; `best_setting` by default.
    metric : {"accuracy", "balanced_accuracy"}, default="accuracy"
        What to show.

    Returns
    -------
    DataFrame, shape (n_datasets, 4)
        Percent: ``basic``, ``ensemble``, ``plain`` (at `setting`) and ``tuned`` (setting and
        scale chosen by leave-one-out on each training part).

    Raises
    ------
    ValueError
        If results are missing.
    """
    setting = best_setting(rows, base) if setting is None else setting
    of_base = rows[rows["base"] == base]
    colony = of_base[of_base["preset"] == preset]
    if colony.empty:
        raise ValueError(f"no results of the colony with {TITLES[base]} in preset {preset!r}")
    plain = of_base[
        (of_base["variant"] == "plain")
        & (of_base["weight_scale"] == "none")
        & np.isclose(of_base["key_parameter"].astype(float), setting)
    ]
    if plain.empty:
        raise ValueError(f"no results of plain {TITLES[base]} with {SYMBOLS[base]} = {setting:g}")
    tuned = of_base[of_base["variant"] == "tuned"]
    scores = _means(pd.concat([colony, plain, tuned]), "variant", metric)
    return scores[[*_PAPER_VARIANTS, "tuned"]].rename_axis(columns=None)


def comparison_table(
    rows: pd.DataFrame, base: str, preset: str, *, setting: float | None = None
) -> pd.DataFrame:
    """Table 3, 4 or 5: the colony beside plain and tuned, measured and published.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment B.
    base : {"knn", "dnn", "gke"}
        Lazy classifier: Table 3, 4 or 5.
    preset : {"paper", "default"}
        Reading of the colony.
    setting : float, optional
        Setting of the measured plain classifier; `best_setting` by default.

    Returns
    -------
    DataFrame, shape (n_datasets + 5, 10)
        Two levels of columns: ``measured`` (basic, ensemble, plain, tuned), ``published`` (basic,
        ensemble, plain at the paper's setting), ``difference`` (measured - published). Below the
        datasets: the means; average ranks and wins among the paper's three; the same among all
        four. Datasets that the paper does not have show no published figures and are left out of
        the published summary.
    """
    here = measured(rows, base, preset, setting=setting)
    there = published_scores(base).reindex(here.index)
    table = pd.concat(
        {"measured": here, "published": there, "difference": (here - there)[_PAPER_VARIANTS]},
        axis=1,
    )
    three, known = here[_PAPER_VARIANTS], there.dropna()
    summary = {
        "mean": pd.concat({"measured": here.mean(), "published": known.mean()}),
        "average rank": _both(average_ranks, three, known),
        "wins": _both(wins, three, known),
        "average rank of four": pd.concat({"measured": average_ranks(here)}),
        "wins of four": pd.concat({"measured": wins(here)}),
    }
    foot = pd.DataFrame(summary).T.reindex(columns=table.columns)
    common = here.index.intersection(known.index)
    for variant in _PAPER_VARIANTS:
        gap = here.loc[common, variant] - known.loc[common, variant]
        foot.loc["mean", ("difference", variant)] = gap.mean()
    table = pd.concat([table, foot])
    table.index.name = "dataset"
    table.attrs["lower_is_better"] = ["average rank", "average rank of four"]
    table.attrs["summary_rows"] = list(summary)
    table.attrs["integer_rows"] = ["wins", "wins of four"]
    return table


def significance_table(
    rows: pd.DataFrame,
    base: str,
    preset: str,
    *,
    setting: float | None = None,
    alpha: float = 0.05,
    tuned: bool = False,
) -> pd.DataFrame:
    """Table 6, 7 or 8: Friedman's test and Holm's comparison with the ensemble.

    Parameters
    ----------
    rows, base, preset, setting
        As for `comparison_table`.
    alpha : float, default=0.05
        Family-wise error rate.
    tuned : bool, default=False
        Whether the measured part has the tuned baseline too.

    Returns
    -------
    DataFrame, shape (2 * n + 2, 7)
        Rows "measured: ..." and "published: ..." (the same datasets). The row of Friedman's test
        has ``statistic`` (chi-square, corrected for ties) and ``p``; those of Holm's comparison
        ``statistic`` (z, positive where the ensemble ranks better), ``p``, the ``threshold`` of
        the step, the ``adjusted p`` and whether it is ``significant``. ``datasets`` is N,
        ``average rank`` the rank of the algorithm.

    Raises
    ------
    ValueError
        If there are fewer than two datasets.
    """
    here = measured(rows, base, preset, setting=setting)
    parts = {"measured": here if tuned else here[_PAPER_VARIANTS]}
    there = published_scores(base).reindex(here.index).dropna()
    if len(there) > 1:
        parts["published"] = there
    lines = {}
    for part, scores in parts.items():
        test = friedman(scores)
        ranks = average_ranks(scores)
        lines[f"{part}: Friedman"] = {
            "datasets": len(scores),
            "statistic": test.statistic,
            "p": test.pvalue,
            "significant": bool(test.pvalue < alpha),
        }
        for name, step in holm(scores, "ensemble", alpha).iterrows():
            lines[f"{part}: ensemble and {name}"] = {
                "datasets": len(scores),
                "average rank": ranks[name],
                "statistic": step["z"],
                "p": step["pvalue"],
                "threshold": step["threshold"],
                "adjusted p": step["adjusted"],
                "significant": bool(step["significant"]),
            }
    columns = [
        "datasets",
        "average rank",
        "statistic",
        "p",
        "threshold",
        "adjusted p",
        "significant",
    ]
    table = pd.DataFrame.from_dict(lines, orient="index").reindex(columns=columns)
    table.index.name = "test"
    return table


def overview_table(rows: pd.DataFrame, *, metric: str = "accuracy") -> pd.DataFrame:
    """Mean score of every classifier, one row a base: the whole of Experiment B at a glance.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment B.
    metric : {"accuracy", "balanced_accuracy"}, default="accuracy"
        What to show.

    Returns
    -------
    DataFrame, shape (n_bases, 6)
        Percent, means over the datasets: plain (at the setting of Experiment A), tuned, and
        basic and ensemble in each preset.
    """
    lines = {}
    for base in _bases(rows):
        line = {}
        for preset in (name for name in rows["preset"].unique() if name):
            means = measured(rows, base, preset, metric=metric).mean()
            line |= {"plain": means["plain"], "tuned": means["tuned"]}
            line |= {f"{preset}: {v}": means[v] for v in ("basic", "ensemble")}
        lines[TITLES[base]] = line
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = "classifier"
    return table


def effort_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What each algorithm cost.

    Parameters
    ----------
    rows : DataFrame
        Results.

    Returns
    -------
    DataFrame, shape (n_algorithms, 5)
        Runs, seconds in all and per run, mean number of iterations and of evaluations.
    """
    keys = ["algorithm", "dataset", "fold", "seed"]
    # Variants of one run share its seconds, but the lines of a grid add up to the tuned one.
    runs = rows[rows["variant"] != "plain"].drop_duplicates(keys)
    groups = runs.groupby("algorithm", sort=False)
    table = pd.DataFrame(
        {
            "runs": groups.size(),
            "seconds": groups["seconds"].sum(),
            "seconds per run": groups["seconds"].mean(),
            "iterations": groups["n_iter"].mean().astype(float),
            "evaluations": groups["n_evaluations"].mean().astype(float),
        }
    )
    table.index.name = "algorithm"
    return table


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
    from acoibl.datasets import load

    profile = get_profile(profile)
    paper = published("table2_datasets")["instances"]
    lines = {}
    for name in profile.datasets if datasets is None else datasets:
        dataset = load(name)
        X, y, checksum = rows_of(name, profile.max_rows)
        lines[name] = {
            "rows used": len(X),
            "rows": len(dataset.X),
            "rows in the paper": int(paper[name]) if name in paper.index else None,
            "classes": int(y.nunique()),
            "features": X.shape[1],
            "source": str(dataset.source),
            "checksum": checksum[:12],
        }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = "dataset"
    return table


def summary_lines(rows: pd.DataFrame) -> list[str]:
    """Say the outcome of Experiment B in a few sentences.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment B.

    Returns
    -------
    list of str
        One line for Experiment A and one for each base, for `Artifacts.summary`.
    """
    bases = _bases(rows)
    found = ", ".join(
        f"{SYMBOLS[base]} = {best_setting(rows, base):g} (paper {PUBLISHED_BEST[base]:g})"
        for base in bases
    )
    lines = [
        f"Experiment A, best plain settings over {rows['dataset'].nunique()} datasets: {found}."
    ]
    for base in bases:
        tables = {
            preset: measured(rows, base, preset).mean()
            for preset in rows.loc[rows["base"] == base, "preset"].unique()
            if preset
        }
        if not tables:
            continue
        first = next(iter(tables.values()))
        colonies = ", ".join(
            f"colony ({preset}) {means['basic']:.1f} / {means['ensemble']:.1f}"
            for preset, means in tables.items()
        )
        lines.append(
            f"{TITLES[base]}, mean accuracy in %: plain {first['plain']:.1f}, tuned "
            f"{first['tuned']:.1f}, {colonies} (basic / ensemble)."
        )
    return lines


def published_scores(base: str) -> pd.DataFrame:
    """Published accuracies with the names that measured ones have here.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}
        Lazy classifier: Table 3, 4 or 5.

    Returns
    -------
    DataFrame, shape (36, 3)
        Percent: basic, ensemble, plain.
    """
    table = published(_TABLES[base])
    return table.set_axis(_PAPER_VARIANTS, axis=1)


def _means(rows: pd.DataFrame, column: str, metric: str = "accuracy") -> pd.DataFrame:
    """Percent, datasets (in the order of the run) by values of a column."""
    scores = rows.pivot_table(
        index="dataset", columns=column, values=metric, aggfunc="mean", sort=False
    )
    return 100 * scores.reindex(rows["dataset"].unique())


def _both(statistic, here: pd.DataFrame, there: pd.DataFrame) -> pd.Series:
    parts = {"measured": statistic(here)}
    if len(there):
        parts["published"] = statistic(there)
    return pd.concat(parts)


def _bases(rows: pd.DataFrame) -> list[str]:
    return [base for base in TITLES if base in set(rows["base"])]


def _has_plain(rows: pd.DataFrame, base: str, scale: str) -> bool:
    chosen = (rows["base"] == base) & (rows["variant"] == "plain") & (rows["weight_scale"] == scale)
    return bool(chosen.any())
