"""Scores of an experiment as tables datasets x classifiers, from results of `run`.

Accuracies are in percent, pooled over folds: the correct rows of all folds over all rows, then the
mean over seeds. The paper averages the accuracies of the folds instead. Folds differ in size by a
row, so that its way two classifiers with as many correct rows can differ in the fourth digit: one
would win, and rank above, where the table prints a tie. Pooled, equal counts are equal scores; the
two ways differ by less than the tables show unless folds are very small. Balanced accuracy, which
has no such count, stays the mean over folds and seeds.
"""

import numpy as np
import pandas as pd

from acoibl.comparison import average_ranks, published, wins
from acoibl.lazy.bases import BASES

PAPER_VARIANTS = ["basic", "ensemble", "plain"]
"""Columns of the paper's tables, by their names here."""


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
    table.index.name = BASES[base].symbol
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
        raise ValueError(f"no results of plain {BASES[base].title} at scale {weight_scale!r}")
    scores = means_by(chosen, "key_parameter")
    return scores[[setting for setting in BASES[base].grid if setting in scores.columns]]


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
    metric : str, default="accuracy"
        What to show, see `means_by`; scores of probabilities are NaN for the plain classifier.

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
        raise ValueError(f"no results of the colony with {BASES[base].title} in preset {preset!r}")
    plain = of_base[
        (of_base["variant"] == "plain")
        & (of_base["weight_scale"] == "none")
        & np.isclose(of_base["key_parameter"].astype(float), setting)
    ]
    if plain.empty:
        raise ValueError(
            f"no results of plain {BASES[base].title} with {BASES[base].symbol} = {setting:g}"
        )
    tuned = of_base[of_base["variant"] == "tuned"]
    scores = means_by(pd.concat([colony, plain, tuned]), "variant", metric)
    if metric in ("log_loss", "brier", "calibration_error"):
        scores = scores.reindex(columns=[*PAPER_VARIANTS, "tuned"])  # plain ones have none
    return scores[[*PAPER_VARIANTS, "tuned"]].rename_axis(columns=None)


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
    table = published(BASES[base].published_table)
    return table.set_axis(PAPER_VARIANTS, axis=1)


def algorithm_scores(rows: pd.DataFrame, *, metric: str = "accuracy") -> pd.DataFrame:
    """Scores of all algorithms on all datasets, ready for `acoibl.comparison`.

    Parameters
    ----------
    rows : DataFrame
        Results of any experiments; lines of a grid are left out.
    metric : str, default="accuracy"
        What to show; see `acoibl.experiments.tables.scores.means_by`.

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


def means_by(rows: pd.DataFrame, column: str, metric: str = "accuracy") -> pd.DataFrame:
    """Mean score on every dataset, by the values of a column.

    Parameters
    ----------
    rows : DataFrame
        Results.
    column : str
        Such as ``"variant"`` or ``"algorithm"``.
    metric : str, default="accuracy"
        A column of scores.

    Returns
    -------
    DataFrame
        Datasets, in the order of the results, by values of the column. Accuracies and the
        calibration error in percent, ``"log_loss"`` and ``"brier"`` as they are. Means over rows
        (accuracy, log-loss, Brier score) are pooled over folds, then averaged over seeds; the
        others are means over folds and seeds. Rounded to nine digits, since the last bits of a
        sum depend on the order of its terms and would part ties. Values without scores are left
        out.
    """
    if metric in ("accuracy", "log_loss", "brier"):
        sizes = rows["n_test"].astype(float).where(rows[metric].notna())
        counts = rows.assign(right=rows[metric] * sizes, all=sizes)
        sums = counts.groupby(["dataset", column, "seed"])[["right", "all"]].sum(min_count=1)
        each = (sums["right"] / sums["all"]).rename(metric).reset_index()
    else:
        each = rows
    scores = each.pivot_table(
        index="dataset", columns=column, values=metric, aggfunc="mean", sort=False
    )
    percent = 1 if metric in ("log_loss", "brier") else 100
    return (percent * scores.reindex(rows["dataset"].unique())).round(9)
