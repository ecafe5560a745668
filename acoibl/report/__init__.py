"""The report: notebooks run by papermill, and one page that shows what they found."""

from importlib import import_module
from typing import Any

from acoibl.report.errors import ReportError, UnknownNameError

_HOMES = {
    "Artifacts": "acoibl.report.artifacts",
    "ReportRun": "acoibl.report.driver",
    "run_report": "acoibl.report.driver",
}

__all__ = [*_HOMES, "ReportError", "UnknownNameError"]


def __getattr__(name: str) -> Any:
    """Import the driver when it is asked for: its packages are an extra."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        raise ReportError(
            f"reports need the package {error.name!r}; install the extra: pip install '.[report]' "
            "in the project's folder, or pip install 'acoibl[report]'"
        ) from error
