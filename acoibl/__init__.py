"""Instance-based learning tuned by swarms."""

from importlib import import_module
from typing import Any

from acoibl._homes import replace_missing_home

replace_missing_home()  # before anything looks for it

__version__ = "0.1.0"

_HOMES = {
    "ACOIBLClassifier": "acoibl.colony",
    "DNNClassifier": "acoibl.lazy",
    "GKEClassifier": "acoibl.lazy",
    "KNNClassifier": "acoibl.lazy",
    "MixedEncoder": "acoibl.encoding",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    """Import an estimator when it is asked for: the command line starts without numba."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'acoibl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
