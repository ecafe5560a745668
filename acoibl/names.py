"""Names as people read them, one for each thing, for tables, figures and notebooks.

What a name stands for in arguments, in stored results and in files of datasets is its code, such as
``"knn"`` or ``"breast-w"``; codes never change. What stands in a table is its title.
"""

from collections.abc import Mapping
from types import MappingProxyType

BASE_TITLES: Mapping[str, str] = MappingProxyType({"knn": "k-NN", "dnn": "d-NN", "gke": "GKE"})
"""The lazy classifiers."""


def colony_title(base: str, ensemble: bool = False) -> str:
    """Title of a colony.

    Parameters
    ----------
    base : {"knn", "dnn", "gke"}
        Lazy classifier that it tunes.
    ensemble : bool, default=False
        Whether all its solutions vote.

    Returns
    -------
    str
        The title.

    Examples
    --------
    >>> colony_title("knn"), colony_title("gke", ensemble=True)
    ('ACO k-NN', 'Ens-ACO GKE')
    """
    return f"{'Ens-' if ensemble else ''}ACO {BASE_TITLES[base]}"


ALGORITHM_TITLES: Mapping[str, str] = MappingProxyType(
    {
        **{f"aco-{base}-default ensemble": colony_title(base, True) for base in BASE_TITLES},
        **{f"plain-{base}": f"{title}, tuned" for base, title in BASE_TITLES.items()},
        "ciwnn-paper selected": "CIW-NN",
        "peer-knn": "k-NN, grid",
        "peer-nca": "NCA",
        "peer-forest": "forest",
        "peer-boosting": "boosting",
    }
)
"""What a user would choose from, by the names of `acoibl.experiments.tables.algorithm_scores`."""

CIWNN_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "ciwnn-paper selected": "CIW-NN, paper",
        "ciwnn-keel selected": "CIW-NN, keel",
        "ciwnn-keel all": "CIW-NN, keel, all rows",
        "part-is-chc": "rows alone (CHC)",
        "part-fw-ssga": "FW alone (SSGA)",
        "part-iw-ssga": "IW alone (SSGA)",
        "comparator-1nn": "1-NN",
        "comparator-ssma": "SSMA",
        "comparator-wdnn": "WDNN",
        "comparator-pw": "PW",
        "comparator-cw": "CW",
        "comparator-cpw": "CPW",
        "comparator-tabu": "TS/KNN",
        "comparator-relieff": "ReliefF",
        "comparator-mi": "MI",
        "comparator-gocbr": "GOCBR",
    }
)
"""CIW-NN in its readings, its parts alone, and the classical methods of its own paper."""

RANKING_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "simba": "Simba",
        "sample-sum_one": "SimbaMBIW Sample",
        "order-sum_one": "SimbaMBIW Order",
        "sample-mean_one": "SimbaMBIW Sample, omega x n",
        "order-mean_one": "SimbaMBIW Order, omega x n",
        "sample-once": "SimbaMBIW Sample, each row once",
        "simba-small": "Simba, steps of 1/n",
        "mbiw": "MBIW",
        "relief": "mean margin",
        "relieff": "ReliefF",
        "mutual-information": "mutual information",
        "random": "random order",
    }
)
"""Ways to rank features."""

PUBLISHED_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "aco_knn": colony_title("knn"),
        "ens_aco_knn": colony_title("knn", True),
        "knn_k12": "k-NN (k = 12)",
        "aco_dnn": colony_title("dnn"),
        "ens_aco_dnn": colony_title("dnn", True),
        "dnn_d0.45": "d-NN (d = 0.45)",
        "aco_gke": colony_title("gke"),
        "ens_aco_gke": colony_title("gke", True),
        "gke_s0.40": "GKE (σ = 0.40)",
        "ciw_nn": "CIW-NN",
    }
)
"""Columns of the published tables, see `acoibl.comparison.published`."""

DATASET_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "heart-c": "heart-c, 5 classes",
        "s-heart": "s-heart, 270 rows",
        "breast-w": "breast-w (WDBC)",
    }
)
"""Datasets that their papers call otherwise, or that are easily taken for others; all others have
their code as title."""


def dataset_title(name: str) -> str:
    """Title of a dataset.

    Parameters
    ----------
    name : str
        Its code.

    Returns
    -------
    str
        The title.

    Examples
    --------
    >>> dataset_title("breast-w"), dataset_title("iris")
    ('breast-w (WDBC)', 'iris')
    """
    return DATASET_TITLES.get(name, name)
