"""Experiment C: the colonies beside CIW-NN (Table 9), and which published conclusions hold."""

import pandas as pd

from acoibl.comparison import (
    average_ranks,
    friedman,
    holm,
    published,
    wilcoxon,
    wins,
)
from acoibl.experiments.tables.scores import (
    best_setting,
    means_by,
    measured,
    rank_by_setting,
)
from acoibl.lazy.bases import BASES
from acoibl.names import PUBLISHED_TITLES

TABLE9 = {
    f"{'ens_' if variant == 'ensemble' else ''}aco_{base}": (base, variant)
    for base in BASES
    for variant in ("basic", "ensemble")
} | {"ciw_nn": ("ciwnn", "selected")}
"""Columns of the published Table 9: base and variant of the results that answer to them."""

_ENSEMBLE, _CIWNN = "ens_aco_knn", "ciw_nn"
NEAR = 0.25
"""Share of a printed setting within which another one confirms it."""


def tables_of_c(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Tables 9 and 10 in both presets of the colonies."""
    tables = {}
    for preset in rows.loc[rows["base"] != "ciwnn", "preset"].unique():
        scores = table9_scores(rows, preset)
        tables[f"table9_{preset}"] = table9(scores)
        tables[f"table10_{preset}"] = table10(scores)
    return tables


def table9_scores(
    rows: pd.DataFrame, preset: str, *, ciwnn: str = "paper", variant: str = "selected"
) -> pd.DataFrame:
    """Measured accuracies of the seven algorithms of Table 9.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiment C.
    preset : {"paper", "default"}
        Reading of the colonies.
    ciwnn : {"paper", "keel"}, default="paper"
        Reading of CIW-NN.
    variant : {"selected", "all"}, default="selected"
        Whether CIW-NN classifies with the rows that it selected or with all.

    Returns
    -------
    DataFrame, shape (n_datasets, 7)
        Percent, columns as in ``published("table9_all")``; only datasets that all have.

    Raises
    ------
    ValueError
        If an algorithm has no results.
    """
    columns = {}
    for name, (base, kind) in TABLE9.items():
        wanted = (ciwnn, variant) if base == "ciwnn" else (preset, kind)
        part = rows[
            (rows["base"] == base) & (rows["preset"] == wanted[0]) & (rows["variant"] == wanted[1])
        ]
        if part.empty:
            raise ValueError(f"no results for column {name!r} (preset {wanted[0]!r})")
        columns[name] = means_by(part, "variant")[wanted[1]]
    order = [name for name in rows["dataset"].unique() if name in columns[_CIWNN].index]
    return pd.DataFrame(columns).reindex(order).dropna()


def table9(scores: pd.DataFrame) -> pd.DataFrame:
    """Table 9: measured accuracies, their ranks and wins, and those of the printed figures.

    Parameters
    ----------
    scores : DataFrame, shape (n_datasets, 7)
        As from `table9_scores`.

    Returns
    -------
    DataFrame
        The scores; below the datasets ``average rank`` and ``wins``, measured and published, over
        the same datasets.
    """
    there = published("table9_all").reindex(scores.index).dropna()
    lines = {}
    for title, statistic in (("average rank", average_ranks), ("wins", wins)):
        lines[title] = statistic(scores)
        if len(there) > 1:
            lines[f"{title}, published"] = statistic(there)
    table = pd.concat([scores, pd.DataFrame(lines).T])
    table.index.name = "dataset"
    table.attrs["lower_is_better"] = [name for name in lines if name.startswith("average")]
    table.attrs["summary_rows"] = list(lines)
    table.attrs["integer_rows"] = [name for name in lines if name.startswith("wins")]
    return table


def table9_differences(scores: pd.DataFrame) -> pd.DataFrame:
    """How far the measured accuracies of Table 9 are from the printed ones.

    Parameters
    ----------
    scores : DataFrame, shape (n_datasets, 7)
        As from `table9_scores`.

    Returns
    -------
    DataFrame
        Measured minus published, in points; below the datasets their mean and median.
    """
    table = scores - published("table9_all").reindex(scores.index)
    summary = {"mean": table.mean(), "median": table.median()}
    table = pd.concat([table, pd.DataFrame(summary).T])
    table.index.name = "dataset"
    table.attrs["summary_rows"] = list(summary)
    return table


def table10(scores: pd.DataFrame, first: str = _ENSEMBLE, second: str = _CIWNN) -> pd.DataFrame:
    """Table 10: Wilcoxon's signed ranks of one pair, measured and published.

    Parameters
    ----------
    scores : DataFrame
        As from `table9_scores`.
    first, second : str
        Columns to compare.

    Returns
    -------
    DataFrame
        Rows ``measured`` and ``published`` (the same datasets): how often the first is better,
        equal and worse, the mean difference in points, the number of pairs that differ, z, and the
        one-sided and the two-sided p value. z below 0 favours the first, as in the paper.
    """
    lines = {}
    there = published("table9_all").reindex(scores.index).dropna()
    for title, part in (("measured", scores), ("published", there)):
        if len(part) < 2:
            continue
        gap = part[first] - part[second]
        two = wilcoxon(part[first], part[second])
        one = wilcoxon(part[first], part[second], alternative="greater")
        lines[title] = {
            "better": int((gap > 1e-9).sum()),
            "equal": int((gap.abs() <= 1e-9).sum()),
            "worse": int((gap < -1e-9).sum()),
            "mean difference": gap.mean(),
            "pairs": one.n,
            # The statistic is that of the smaller rank sum; the side is seen from its p value.
            "z": one.statistic if one.pvalue <= 0.5 else -one.statistic,
            "p, one-sided": one.pvalue,
            "p, two-sided": two.pvalue,
        }
    table = pd.DataFrame.from_dict(lines, orient="index")
    table.index.name = f"{first} against {second}"
    return table


def conclusions(rows: pd.DataFrame, preset: str) -> pd.DataFrame:
    """Which of the paper's conclusions hold on the measured figures.

    Parameters
    ----------
    rows : DataFrame
        Results of Experiments B and C together.
    preset : {"paper", "default"}
        Reading of the colonies.

    Returns
    -------
    DataFrame
        One row a conclusion: what was ``published``, what was ``measured``, and a ``verdict``:
        "holds" (same direction, and significant where the paper's was), "same direction, not
        significant", "does not hold", or "cannot be checked".
    """
    lines = []
    for base in BASES:
        lines += _of_base(rows, base, preset)
    if (rows["base"] == "ciwnn").any():
        lines += _of_ciwnn(table9_scores(rows, preset))
    table = pd.DataFrame(lines, columns=["conclusion", "published", "measured", "verdict"])
    return table.set_index("conclusion")


def _of_base(rows: pd.DataFrame, base: str, preset: str) -> list[tuple[str, str, str, str]]:
    title, symbol = BASES[base].title, BASES[base].symbol
    found, printed = best_setting(rows, base), BASES[base].published_best
    scores = measured(rows, base, preset, setting=found)[["basic", "ensemble", "plain"]]
    there = published(BASES[base].published_table)
    there = there.set_axis(scores.columns, axis=1)
    ranks = rank_by_setting(rows, base)["average rank"]
    lines = [
        (
            f"The best plain {title} of one setting for all",
            f"{symbol} = {printed:g}",
            f"{symbol} = {found:g} (average rank {ranks[found]:.1f}; of {symbol} = {printed:g}: "
            f"{ranks[printed]:.1f}; of {len(ranks)} settings)",
            "holds" if abs(found - printed) <= NEAR * printed else "does not hold",
        )
    ]
    level = BASES[base].level
    test, old = friedman(scores), friedman(there, tie_correction=False)
    lines.append(
        (
            f"{title}: basic, ensemble and plain differ (Friedman, {level:g})",
            f"p = {old.pvalue:.2g}",
            f"p = {test.pvalue:.2g}",
            "holds" if test.pvalue < level else "does not hold",
        )
    )
    steps, old_steps = holm(scores, "ensemble", level), holm(there, "ensemble", level)
    for other in ("plain", "basic"):
        here, before = steps.loc[other], old_steps.loc[other]
        verdict = _verdict(here["z"], bool(here["significant"]), bool(before["significant"]))
        if base == "gke" and other == "plain":
            verdict = "cannot be checked: the published column is not a measurement (notebook 8)"
        lines.append(
            (
                f"{title}: the ensemble ranks better than {other} (Holm, {level:g})",
                _z(before),
                _z(here),
                verdict,
            )
        )
    return lines


def _of_ciwnn(scores: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    ranks = average_ranks(scores)
    there = published("table9_all")
    old = average_ranks(there)
    ours = [name for name in scores.columns if name != _CIWNN]
    better = [sum(ranks_[name] < ranks_[_CIWNN] for name in ours) for ranks_ in (old, ranks)]
    pair = table10(scores)
    here = wilcoxon(scores[_ENSEMBLE], scores[_CIWNN], alternative="greater")
    before = wilcoxon(there[_ENSEMBLE], there[_CIWNN], alternative="greater")
    mean = float(pair.loc["measured", "mean difference"])
    return [
        (
            "The ensemble with k-NN has the best average rank of the seven",
            f"{old[_ENSEMBLE]:.2f}, best {PUBLISHED_TITLES[old.idxmin()]}",
            f"{ranks[_ENSEMBLE]:.2f}, best {PUBLISHED_TITLES[ranks.idxmin()]}",
            "holds" if ranks.idxmin() == _ENSEMBLE else "does not hold",
        ),
        (
            "Five of the six colonies rank better than CIW-NN",
            f"{better[0]} of 6",
            f"{better[1]} of 6",
            "holds" if better[1] >= 5 else "does not hold",
        ),
        (
            "The ensemble with k-NN is better than CIW-NN (Wilcoxon, one-sided, 0.05)",
            f"p = {before.pvalue:.3g}",
            f"p = {here.pvalue:.3g}, mean difference {mean:+.2f} points",
            _verdict(mean, here.pvalue < 0.05, True),
        ),
    ]


def _z(step: pd.Series) -> str:
    mark = "" if step["significant"] else ", not significant"
    return f"z = {step['z']:.2f}, p = {step['pvalue']:.2g}{mark}"


def _verdict(direction: float, significant: bool, significant_there: bool) -> str:
    if direction <= 0:
        return "does not hold"
    if significant_there and not significant:
        return "same direction, not significant"
    return "holds"
