"""Instance-based learning tuned by swarms."""

from acoibl._numba_cache import ensure_cache_folder

ensure_cache_folder()  # before the first kernel is defined

from acoibl.colony import ACOIBLClassifier  # noqa: E402
from acoibl.encoding import MixedEncoder  # noqa: E402
from acoibl.lazy import DNNClassifier, GKEClassifier, KNNClassifier  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "ACOIBLClassifier",
    "DNNClassifier",
    "GKEClassifier",
    "KNNClassifier",
    "MixedEncoder",
    "__version__",
]
