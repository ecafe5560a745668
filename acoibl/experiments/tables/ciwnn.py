"""CIW-NN beside classical methods, what its readings cost, and where its evaluations go."""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from acoibl.experiments.data import folds_of, rows_of
from acoibl.experiments.protocol import Profile
from acoibl.experiments.tables.scores import algorithm_scores, means_by
from acoibl.names import CIWNN_TITLES

_MEASURES = {"selected": "accuracy, kept rows", "all": "accuracy, all rows"}


def tables_of_coevolution(rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Accuracy and reduction of CIW-NN, its parts and the classical methods."""
    scores = classical_scores(rows)
    return {"scores": scores, "reduction": classical_reduction(rows, scores.index).to_frame()}


def classical_scores(rows: pd.DataFrame) -> pd.DataFrame:
    """Accuracy of CIW-NN, its parts and classical methods.

    Parameters
    ----------
    rows : DataFrame
        Results of the experiment ``"coevolution"``.

    Returns
    -------
    DataFrame, shape (n_datasets, n_methods)
        Percent, on the datasets that every method has results of; columns named as in
        `acoibl.names.CIWNN_TITLES`.
    """
    scores = algorithm_scores(rows)
    known = [name for name in CIWNN_TITLES if name in scores]
    return scores[known].rename(columns=CIWNN_TITLES).dropna()


def classical_reduction(rows: pd.DataFrame, datasets: Iterable[str]) -> pd.Series:
    """Share of the training rows that each of the same methods does without.

    Parameters
    ----------
    rows : DataFrame
        Results of the experiment ``"coevolution"``.
    datasets : iterable of str
        Datasets to average over, each counting the same.

    Returns
    -------
    Series, shape (n_methods,)
        Percent; index named as in `acoibl.names.CIWNN_TITLES`. Where all rows answer, 0.
    """
    rows = rows[rows["dataset"].isin(list(datasets))]
    variant = rows["variant"].where(rows["algorithm"].str.startswith("ciwnn-"), "")
    names = (rows["algorithm"] + " " + variant).str.strip().map(CIWNN_TITLES)
    share = rows["reduction"].where(variant != "all", 0.0)
    by_dataset = share.groupby([names, rows["dataset"]]).mean()
    return (100 * by_dataset.groupby(level=0).mean()).rename("reduction")


def ciwnn_settings_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What CIW-NN gives when one setting of a preset has another value.

    Parameters
    ----------
    rows : DataFrame
        Results of the experiment ``"readings"``.

    Returns
    -------
    DataFrame
        Indexed by preset and setting (``"as it is"`` first), with two levels of columns: number of
        ``datasets`` that this reading and the preset have in common, and over these the ``mean``
        accuracy with the kept rows and with all rows, and the mean ``reduction``, in percent, each
        with its ``difference`` from the preset on the same datasets and seeds, in points; then the
        mean number of selections that were ``judged`` after the initial populations.
    """
    rows = rows[rows["base"] == "ciwnn"]
    names = list(dict.fromkeys(rows["preset"]))
    presets = [name for name in names if "-" not in name]
    lines = {}
    for preset in presets:
        own = rows[rows["preset"] == preset]
        for name in [name for name in names if name.split("-")[0] == preset]:
            here = rows[rows["preset"] == name]
            seeds = set(here["seed"]) & set(own["seed"])
            if not seeds:
                continue
            mine, base = (_measures(part[part["seed"].isin(seeds)]) for part in (here, own))
            common = mine.index.intersection(base.index)
            line = {("", "datasets"): len(common)}
            for measure in (*_MEASURES.values(), "reduction"):
                gaps = mine.loc[common, measure] - base.loc[common, measure]
                line[measure, "mean"] = mine.loc[common, measure].mean()
                line[measure, "difference"] = gaps.mean()
            line["selections", "judged"] = mine.loc[common, "selections judged"].mean()
            setting = name.removeprefix(preset).strip("-").replace("-", " = ", 1)
            lines[preset, setting or "as it is"] = line
    table = pd.DataFrame(list(lines.values()))
    table.index = pd.MultiIndex.from_tuples(lines, names=["preset", "setting"])
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    return table


def selection_budget_table(rows: pd.DataFrame) -> pd.DataFrame:
    """How many of CIW-NN's evaluations its later selections of rows get, by size of the data.

    Parameters
    ----------
    rows : DataFrame
        Results of the experiments ``"c"`` or ``"readings"``.

    Returns
    -------
    DataFrame, shape (n_datasets, 1 + n_readings)
        Indexed by dataset, the smallest first: ``training rows``, then for every reading of
        CIW-NN the share, in percent, that selections after the initial populations had in the
        evaluations that the budget counts. The rest went to weights and, in the preset "paper",
        to the three initial populations.
    """
    rows = rows[(rows["base"] == "ciwnn") & (rows["variant"] == "selected")]
    share = 100 * rows["selection_evaluations"] / rows["n_evaluations"]
    readings = list(dict.fromkeys(rows["preset"]))
    table = rows.assign(share=share).pivot_table(
        index="dataset", columns="preset", values="share", aggfunc="mean"
    )[readings]
    table.insert(0, "training rows", rows.groupby("dataset")["n_train"].mean().round().astype(int))
    table = table.rename_axis(columns=None)
    return table.sort_values(["training rows"], kind="stable")


def constant_column_table(names: Iterable[str], profile: Profile) -> pd.DataFrame:
    """Datasets on which a program that divides by a column's range divides by zero.

    CIW-NN's program in KEEL scales a numeric column by its range. In a constant column that gives
    NaN, no distance is then below another, and every row gets the class of the first training row.

    Parameters
    ----------
    names : iterable of str
        Datasets that are at hand.
    profile : Profile
        Gives the folds.

    Returns
    -------
    DataFrame
        Indexed by dataset, only those that have a numeric column without two different values in
        the training part of a fold: the number of such columns (the most of any fold), of columns
        that are ``constant in all rows`` (the program's folds state the range of all rows), and the
        ``accuracy of one class``, in percent, of answering with the class of the first training
        row in the folds that have such a column.
    """
    lines = {}
    for name in names:
        X, y, _ = rows_of(name, profile.max_rows)
        numeric = X.select_dtypes("number")
        counts, shares = [], []
        for train, test in folds_of(name, profile.n_folds, profile.max_rows):
            counts.append(int((numeric.iloc[train].nunique() < 2).sum()))
            if counts[-1]:
                shares.append(np.mean(np.asarray(y)[test] == np.asarray(y)[train[0]]))
        if shares:
            lines[name] = {
                "constant in a training part": max(counts),
                "constant in all rows": int((numeric.nunique() < 2).sum()),
                "accuracy of one class": 100 * float(np.mean(shares)),
            }
    return pd.DataFrame.from_dict(lines, orient="index").rename_axis("dataset")


def _measures(rows: pd.DataFrame) -> pd.DataFrame:
    kept = rows[rows["variant"] == "selected"].groupby("dataset")
    return (
        means_by(rows, "variant")
        .rename(columns=_MEASURES)
        .assign(
            reduction=100 * kept["reduction"].mean(),
            **{"selections judged": kept["selection_evaluations"].mean()},
        )
    )
