"""The three lazy classifiers that everything rests on, and the paper's constants of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from acoibl.lazy.classifiers import DNNClassifier, GKEClassifier, KNNClassifier
from acoibl.names import BASE_TITLES


@dataclass(frozen=True)
class Base:
    """A lazy classifier, its key parameter, and what the paper says of it.

    Parameters
    ----------
    name : {"knn", "dnn", "gke"}
        Name in arguments and in stored results.
    title : str
        Name in tables and figures.
    estimator : type
        Class of the classifier.
    key_parameter : str
        Its parameter that a search tunes.
    symbol : str
        Name of the key parameter in tables and figures.
    range : tuple of (number, number)
        Least and largest key parameter in a colony's search (Table 1).
    grid : tuple of number
        Key parameters of Experiment A (Section 8).
    published_best : float
        Best key parameter of Experiment A in the paper (Figs 5-7).
    published_table : str
        Its table of `acoibl.comparison.published`: basic, ensemble, plain.
    level : float
        Level at which the paper tests it (Tables 6-8).

    Examples
    --------
    >>> BASES["dnn"].title, BASES["dnn"].key_parameter, BASES["dnn"].range
    ('d-NN', 'radius', (0.01, 1.0))
    """

    name: str
    title: str
    estimator: type[Any]
    key_parameter: str
    symbol: str
    range: tuple[float, float]
    grid: tuple[float, ...]
    published_best: float
    published_table: str
    level: float


BASES: Mapping[str, Base] = MappingProxyType(
    {
        base.name: base
        for base in (
            Base(
                "knn",
                BASE_TITLES["knn"],
                KNNClassifier,
                "n_neighbors",
                "k",
                range=(1, 21),
                grid=tuple(range(1, 22)),
                published_best=12.0,
                published_table="table3_knn",
                level=0.05,
            ),
            Base(
                "dnn",
                BASE_TITLES["dnn"],
                DNNClassifier,
                "radius",
                "d",
                range=(0.01, 1.0),
                grid=(0.01, *(round(0.05 * step, 2) for step in range(1, 21))),
                published_best=0.45,
                published_table="table4_dnn",
                level=0.10,
            ),
            Base(
                "gke",
                BASE_TITLES["gke"],
                GKEClassifier,
                "bandwidth",
                "sigma",
                range=(0.01, 0.5),
                grid=(0.01, *(round(step / 30, 4) for step in range(1, 19))),
                published_best=0.40,
                published_table="table5_gke",
                level=0.05,
            ),
        )
    }
)
"""The bases by name."""
