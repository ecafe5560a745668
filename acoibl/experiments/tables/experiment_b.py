"""Experiments A and B: best settings, Tables 3 to 8, and what came out in a few sentences."""

import pandas as pd

from acoibl.comparison import average_ranks, friedman, holm, wins
from acoibl.experiments.tables.scores import (
    PAPER_VARIANTS,
    best_setting,
    means_by,
    measured,
    published_scores,
    rank_by_setting,
)
from acoibl.lazy.bases import BASES


def tables_of_a(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables of Experiment A."""
    return {
        "settings": settings_table(rows),
        **{f"ranks_{base}": rank_by_setting(rows, base) for base in _bases(rows)},
    }


def tables_of_b(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables of Experiment B: Tables 3 to 8 in both presets."""
    tables = {"overview": overview_table(rows), "settings": settings_table(rows)}
    for base in _bases(rows):
        for preset in (name for name in rows["preset"].unique() if name):
            tables[f"comparison_{base}_{preset}"] = comparison_table(rows, base, preset)
            if len(rows["dataset"].unique()) > 1:
                tables[f"significance_{base}_{preset}"] = significance_table(
                    rows, base, preset, alpha=BASES[base].level, tuned=True
                )
    return tables


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
            paper = BASES[base].published_best
            lines[base, scale] = {
                "best setting": f"{BASES[base].symbol} = {best:g}",
                "average rank": ranks.loc[best, "average rank"],
                "mean accuracy": ranks.loc[best, "mean accuracy"],
                "paper's setting": f"{BASES[base].symbol} = {paper:g}",
                "its average rank": ranks.loc[paper, "average rank"],
                "its mean accuracy": ranks.loc[paper, "mean accuracy"],
            }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index = pd.Index(
        [f"{BASES[base].title}, scale {scale}" for base, scale in lines], name="classifier"
    )
    return table


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
        {"measured": here, "published": there, "difference": (here - there)[PAPER_VARIANTS]},
        axis=1,
    )
    three, known = here[PAPER_VARIANTS], there.dropna()
    summary = {
        "mean": pd.concat({"measured": here.mean(), "published": known.mean()}),
        "average rank": _both(average_ranks, three, known),
        "wins": _both(wins, three, known),
        "average rank of four": pd.concat({"measured": average_ranks(here)}),
        "wins of four": pd.concat({"measured": wins(here)}),
    }
    foot = pd.DataFrame(summary).T.reindex(columns=table.columns)
    common = here.index.intersection(known.index)
    for variant in PAPER_VARIANTS:
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
    DataFrame, shape (2 * n + 2, 8)
        Rows "measured: ..." and "published: ..." (the same datasets). The row of Friedman's test
        has ``statistic`` (chi-square, corrected for ties where measured; the paper does not)
        and ``p``; those of Holm's comparison ``statistic`` (z, positive where the ensemble ranks
        better), ``p``, the step's ``threshold``, the ``adjusted p`` and if it is
        ``significant``. ``datasets`` is N, ``average rank`` the rank of the other algorithm and
        ``ensemble's average rank`` that of the ensemble, among the algorithms of the test.

    Raises
    ------
    ValueError
        If there are fewer than two datasets.
    """
    here = measured(rows, base, preset, setting=setting)
    parts = {"measured": here if tuned else here[PAPER_VARIANTS]}
    there = published_scores(base).reindex(here.index).dropna()
    if len(there) > 1:
        parts["published"] = there
    lines = {}
    for part, scores in parts.items():
        test = friedman(scores, tie_correction=part == "measured")
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
                "ensemble's average rank": ranks["ensemble"],
                "statistic": step["z"],
                "p": step["pvalue"],
                "threshold": step["threshold"],
                "adjusted p": step["adjusted"],
                "significant": bool(step["significant"]),
            }
    columns = ["datasets", "average rank", "ensemble's average rank", "statistic", "p"]
    columns += ["threshold", "adjusted p", "significant"]
    table = pd.DataFrame.from_dict(lines, orient="index").reindex(columns=columns)
    table.index.name = "test"
    return table


def overview_table(rows: pd.DataFrame, *, metric: str = "accuracy") -> pd.DataFrame:
    """Mean score of every classifier, one row a base: the whole of Experiment B at a glance.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment B.
    metric : str, default="accuracy"
        What to show, see `measured`.

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
        lines[BASES[base].title] = line
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = "classifier"
    return table


def summary_lines(rows: pd.DataFrame) -> list[str]:
    """Say the outcome of an experiment in a few sentences.

    Parameters
    ----------
    rows : DataFrame
        Results.

    Returns
    -------
    list of str
        For `Artifacts.summary`: with plain classifiers, one line for Experiment A and one for
        each base; else one line for each algorithm.
    """
    bases = [base for base in _bases(rows) if _has_plain(rows, base, "none")]
    if not bases:
        return _lines_by_algorithm(rows)
    found = ", ".join(
        f"{BASES[base].symbol} = {best_setting(rows, base):g} "
        f"(paper {BASES[base].published_best:g})"
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
            f"{BASES[base].title}, mean accuracy in %: plain {first['plain']:.1f}, tuned "
            f"{first['tuned']:.1f}, {colonies} (basic / ensemble)."
        )
    return lines


def _lines_by_algorithm(rows: pd.DataFrame) -> list[str]:
    lines = []
    for algorithm, group in rows[rows["variant"] != "plain"].groupby("algorithm", sort=False):
        means = means_by(group, "variant").mean().reindex(group["variant"].unique())
        scores = ", ".join(f"{variant} {value:.1f}" for variant, value in means.items())
        lines.append(
            f"{algorithm}, mean accuracy in % over {group['dataset'].nunique()} datasets: {scores}."
        )
    return lines


def _both(statistic, here: pd.DataFrame, there: pd.DataFrame) -> pd.Series:
    parts = {"measured": statistic(here)}
    if len(there):
        parts["published"] = statistic(there)
    return pd.concat(parts)


def _bases(rows: pd.DataFrame) -> list[str]:
    return [base for base in BASES if base in set(rows["base"])]


def _has_plain(rows: pd.DataFrame, base: str, scale: str) -> bool:
    chosen = (rows["base"] == base) & (rows["variant"] == "plain") & (rows["weight_scale"] == scale)
    return bool(chosen.any())
