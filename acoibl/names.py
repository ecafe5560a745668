"""Names as people read them, one for each thing, for tables, figures and notebooks."""

from collections.abc import Mapping
from types import MappingProxyType

BASE_TITLES: Mapping[str, str] = MappingProxyType({"knn": "k-NN", "dnn": "d-NN", "gke": "GKE"})
"""The lazy classifiers."""
