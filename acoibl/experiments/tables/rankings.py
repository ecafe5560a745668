"""Stored rankings as tables: Kuncheva's index, errors, and who is better than Simba."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from acoibl.experiments.methods.rankings import RANKINGS
from acoibl.margins.stability import run_stability, stability_curve

MEASURES = ("stability", "error", "inner_error")
"""What methods are compared by: mean Kuncheva's index, error on the other half, and inside."""


def tables_of_stability(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Mean stability and error of every method on every dataset."""
    runs = ranking_runs(rows)
    return {measure: means(runs, measure) for measure in MEASURES}


def ranking_runs(rows: pd.DataFrame) -> pd.DataFrame:
    """Results of the experiment as the functions below read them.

    Parameters
    ----------
    rows : DataFrame
        Results, as from ``run("stability", ...)``; those of other experiments are left out.

    Returns
    -------
    DataFrame
        One row a dataset, method, repetition and half: ``ranking`` (an array), ``error`` on the
        other half, ``inner_error``, ``least_weight``, ``seconds`` of the ranking.
    """
    rows = rows[rows["algorithm"].str.startswith("stability-")]
    out = pd.DataFrame(
        {
            "dataset": rows["dataset"],
            "method": rows["algorithm"].str.removeprefix("stability-"),
            "repetition": rows["fold"],
            "half": rows["variant"],
            "ranking": [np.array(ranks, dtype=np.int64) for ranks in rows["ranking"]],
            "error": 1.0 - rows["accuracy"],
            **{name: rows[name].astype(float) for name in ("inner_error", "least_weight")},
            "seconds": rows["seconds"],
        }
    )
    return out.sort_values(["repetition", "half"], kind="stable", ignore_index=True)


def curves(runs: pd.DataFrame, dataset: str, n_sizes: int = 60) -> pd.DataFrame:
    """Kuncheva's index by number of features.

    Parameters
    ----------
    runs : DataFrame
        As from `ranking_runs`.
    dataset : str
        Name.
    n_sizes : int, default=60
        Most sizes; of more features, sizes at equal ratios are taken.

    Returns
    -------
    DataFrame
        Indexed by size (from 1 to d - 1), a column for each method.
    """
    part = runs[runs["dataset"] == dataset]
    d = len(part["ranking"].iloc[0])
    if d == 1:
        return pd.DataFrame(index=pd.Index([], name="size"))
    sizes = np.unique(np.geomspace(1, d - 1, min(n_sizes, d - 1)).round().astype(int))
    sizes = np.arange(1, d) if d <= n_sizes else sizes
    return pd.DataFrame(
        {
            method: stability_curve(np.stack(group["ranking"].tolist()), sizes)["kuncheva"]
            for method, group in part.groupby("method")
        }
    ).reindex(columns=[method for method in RANKINGS if method in set(part["method"])])


def run_values(runs: pd.DataFrame, measure: str, share: float = 1.0) -> pd.DataFrame:
    """Value of each run, what the tests pair: by dataset, repetition and half, and by method.

    ``"stability"``: the mean agreement (in the units of Kuncheva's index) of a run with all others
    of its method, averaged over the sizes up to `share` of the features; the mean over runs is the
    index. ``"error"`` and ``"inner_error"`` are what the names say.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure must be one of {MEASURES}, not {measure!r}")
    runs = runs.assign(value=runs["error"] if measure == "error" else runs["inner_error"])
    if measure == "stability":
        for _, group in runs.groupby(["dataset", "method"]):
            rankings = np.stack(group["ranking"].tolist())
            if len(rankings) > 1:
                runs.loc[group.index, "value"] = run_stability(rankings, share)
    wide = runs.pivot(  # noqa: PD010
        index=["dataset", "repetition", "half"], columns="method", values="value"
    )
    order = list(dict.fromkeys(runs["dataset"]))
    wide = wide.loc[sorted(wide.index, key=lambda key: (order.index(key[0]), *key[1:]))]
    return wide[[method for method in RANKINGS if method in wide]].rename_axis(columns=None)


def means(runs: pd.DataFrame, measure: str, share: float = 1.0) -> pd.DataFrame:
    """Mean of a measure on each dataset.

    Parameters
    ----------
    runs, measure, share
        As for `run_values`.

    Returns
    -------
    DataFrame, shape (n_datasets, n_methods)
        Means over the runs; of stability it is the mean over the sizes of Kuncheva's index.
    """
    return run_values(runs, measure, share).groupby(level="dataset", sort=False).mean()


def against(
    runs: pd.DataFrame, method: str, control: str = "simba", *, measure: str = "stability",
    test: str = "wilcoxon", alpha: float = 0.05, share: float = 1.0,
) -> pd.DataFrame:  # fmt: skip
    """Compare a method with another on each dataset.

    Parameters
    ----------
    runs, measure, share
        As for `run_values`.
    method, control : str
        Two of `RANKINGS`.
    test : {"wilcoxon", "5x2"}
        Paired two-sided test over the runs of a dataset: two halves of each repetition, of which
        those without both are left out, so ten differences in a full run. ``"wilcoxon"``: signed
        ranks of the differences, exact unless some are 0 or equal; they are not independent
        (training parts overlap, and each run's stability is measured against the others), so it
        says "significant" too easily. ``"5x2"``: the combined F test of Alpaydin, made for the
        errors of such halves.
    alpha : float, default=0.05
        Level.

    Returns
    -------
    DataFrame
        Indexed by dataset: mean of ``method`` and of ``control``, ``difference``, ``pvalue``,
        ``verdict`` (``"better"``, ``"equal"`` or ``"worse"``).

    References
    ----------
    Alpaydin (1999), "Combined 5x2 cv F test for comparing supervised classification learning
    algorithms", Neural Computation 11.
    """
    if test not in _TESTS:
        raise ValueError(f"test must be one of {tuple(_TESTS)}, not {test!r}")
    values = run_values(runs, measure, share)[[method, control]].dropna()
    lines = {}
    for dataset, part in values.groupby(level="dataset", sort=False):
        gaps = (part[method] - part[control]).round(12)
        by_repetition = gaps.droplevel("dataset").unstack("half").dropna()  # noqa: PD010
        pvalue = _TESTS[test](by_repetition.to_numpy())
        gain = gaps.mean() if measure == "stability" else -gaps.mean()
        verdict = "equal" if not pvalue < alpha else "better" if gain > 0 else "worse"
        lines[dataset] = {
            "method": part[method].mean(),
            "control": part[control].mean(),
            "difference": gaps.mean(),
            "pvalue": pvalue,
            "verdict": verdict,
        }
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("dataset")


def counts(
    runs: pd.DataFrame,
    methods: Iterable[str],
    control: str = "simba",
    **options: Any,
) -> pd.DataFrame:
    """On how many datasets methods are better, equal and worse (Fig. 1).

    Parameters
    ----------
    runs : DataFrame
        As from `ranking_runs`.
    methods : iterable of str
        Some of `RANKINGS`.
    control : str, default="simba"
        What they are compared with.
    **options : object
        Further arguments of `against`.

    Returns
    -------
    DataFrame
        Indexed by method: ``better``, ``equal``, ``worse``, then effect sizes: ``mean``
        difference over the datasets, and ``low`` and ``high``, a 95 % interval of it by bootstrap
        of the datasets.
    """
    lines = {}
    for method in methods:
        table = against(runs, method, control, **options)
        gaps = table["difference"].to_numpy()
        generator = np.random.default_rng(0)
        draws = gaps[generator.integers(0, len(gaps), (10_000, len(gaps)))].mean(axis=1)
        verdicts = table["verdict"].value_counts()
        lines[method] = {
            **{verdict: int(verdicts.get(verdict, 0)) for verdict in ("better", "equal", "worse")},
            "mean": gaps.mean(),
            "low": np.percentile(draws, 2.5),
            "high": np.percentile(draws, 97.5),
        }
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("method")


def agreement(runs: pd.DataFrame, method: str) -> pd.DataFrame:
    """How alike a method and each other one rank the features of the same rows.

    Parameters
    ----------
    runs : DataFrame
        As from `ranking_runs`.
    method : str
        One of `RANKINGS`.

    Returns
    -------
    DataFrame
        Indexed by dataset, a column for each other method: Spearman's rank correlation, averaged
        over the runs. Equal scores are in random order, so it does not reach 1 with them.
    """
    wide = runs.pivot(  # noqa: PD010
        index=["dataset", "repetition", "half"], columns="method", values="ranking"
    )
    columns = [other for other in RANKINGS if other in wide and other != method]
    table = pd.DataFrame(
        {
            other: [
                np.corrcoef(a, b)[0, 1] if len(a) > 1 else np.nan
                for a, b in zip(wide[method], wide[other], strict=True)
            ]
            for other in columns
        },
        index=wide.index,
    )
    order = list(dict.fromkeys(runs["dataset"]))
    return table.groupby(level="dataset").mean().loc[order]


def _wilcoxon(gaps: np.ndarray) -> float:
    gaps = gaps.ravel()
    if not gaps.any():
        return 1.0
    exact = len(np.unique(np.abs(gaps))) == len(gaps) and gaps.all()
    return float(stats.wilcoxon(gaps, method="exact" if exact else "approx").pvalue)


def _combined_f(gaps: np.ndarray) -> float:
    spread = ((gaps - gaps.mean(axis=1, keepdims=True)) ** 2).sum()
    if not gaps.any():
        return 1.0
    if spread == 0:
        return 0.0
    n = len(gaps)
    return float(stats.f.sf((gaps**2).sum() / (2 * spread), 2 * n, n))


_TESTS = {"wilcoxon": _wilcoxon, "5x2": _combined_f}
