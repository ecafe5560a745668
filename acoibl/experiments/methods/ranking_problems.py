"""The problems on which SimbaMBIW's paper compares feature rankings, and which are at hand."""

import pandas as pd

from acoibl.experiments.protocol import Profile, get_profile

_UCI = "UCI repository, number"
_KENT = "as a table from its authors, or from collections of microarrays"

PROBLEMS: tuple[tuple[str, str, int, int, int, str, str], ...] = (
    ("Diabetes", "UCI", 8, 2, 768, "pima", ""),
    ("Glass", "UCI", 10, 6, 214, "glass", "9 features here: without the identifier"),
    ("Heart", "UCI", 13, 2, 270, "s-heart", "printed with 20 rows; 7 features are categories here"),
    ("Ionosphere", "UCI", 34, 2, 351, "ionosphere", ""),
    ("Landsat", "UCI", 36, 6, 6435, "satimage", ""),
    ("LSVT Voice", "UCI", 309, 2, 126, "", f"{_UCI} 282"),
    ("Mammogram", "UCI", 65, 2, 86, "", "no table of this shape is known to us"),
    ("Musk", "UCI", 168, 2, 6598, "", f"{_UCI} 75"),
    ("Parkinsons", "UCI", 23, 2, 197, "parkinsons", "195 rows, 22 features here"),
    ("Pop Failures", "UCI", 18, 2, 540, "", f"{_UCI} 252"),
    ("SpectF", "UCI", 44, 2, 267, "spectf", ""),
    ("Sonar", "UCI", 60, 2, 208, "sonar", ""),
    ("Vehicle", "UCI", 18, 4, 946, "vehicle", "846 rows here"),
    ("Waveform", "UCI", 21, 3, 5000, "waveform", "the first 21 of 40 features"),
    ("Wdbc", "UCI", 10, 2, 699, "", f"{_UCI} 15, the original Wisconsin data; not breast-w"),
    ("Breast cancer", "microarray", 24481, 2, 97, "", f"van 't Veer et al. 2002, {_KENT}"),
    ("Colon tumour", "microarray", 2000, 2, 62, "colon", ""),
    ("GCM", "microarray", 16063, 14, 190, "", f"Ramaswamy et al. 2001, {_KENT}"),
    ("Leukemia", "microarray", 7129, 2, 72, "leukemia-7129", ""),
    ("Lung cancer", "microarray", 12533, 2, 181, "", f"Gordon et al. 2002, {_KENT}"),
    ("Prostate cancer", "microarray", 12600, 2, 136, "", f"Singh et al. 2002, {_KENT}"),
    ("Arcene", "NIPS 2003", 10000, 2, 200, "", f"{_UCI} 167"),
    ("Dexter", "NIPS 2003", 20000, 2, 600, "", f"{_UCI} 168"),
    ("Dorothea", "NIPS 2003", 100000, 2, 1150, "", f"{_UCI} 169"),
    ("Gisette", "NIPS 2003", 5000, 2, 7000, "", f"{_UCI} 170"),
    ("Madelon", "NIPS 2003", 500, 2, 2600, "madelon", "the 2000 training rows here"),
)
"""Table 1 of the paper: problem, kind, d, C, N, dataset here, note or where to get it."""


def problems() -> pd.DataFrame:
    """Problems of the paper's Table 1, and which of them are at hand.

    Returns
    -------
    DataFrame
        Indexed by problem: ``kind``, ``d``, ``C``, ``N`` as printed (but see the note of Heart),
        ``dataset`` (name here, empty without one), ``at hand`` (whether it can be loaded without
        a download now) and ``note`` (differences, or where the data can be got).

    Examples
    --------
    >>> table = problems()
    >>> len(table), table.loc["Sonar", "dataset"], table.loc["Arcene", "note"]
    (26, 'sonar', 'UCI repository, number 167')
    """
    from acoibl.datasets import list_datasets

    table = pd.DataFrame(
        PROBLEMS, columns=["problem", "kind", "d", "C", "N", "dataset", "note"]
    ).set_index("problem")
    table.insert(5, "at hand", table["dataset"].isin(list_datasets(ready=True)))
    return table


def ranking_datasets(profile: str | Profile) -> list[str]:
    """Datasets of the experiment: two small ones; those that the package carries; or all at hand.

    Beside the paper's problems the microarray srbct, which the paper does not have.
    """
    from acoibl.datasets import list_datasets

    name = get_profile(profile).name
    if name == "smoke":
        return ["glass", "sonar"]
    here = list_datasets(carried=True) if name == "quick" else list_datasets(ready=True)
    wanted = [*(line[5] for line in PROBLEMS), *(["srbct"] if name != "quick" else [])]
    return [dataset for dataset in wanted if dataset in here]
