"""Where reports and stored results go."""

import os
from pathlib import Path

from acoibl.paths import shared_folder

OUTPUT_VARIABLE = "ACOIBL_OUTPUT"
"""Environment variable by which a report tells the notebooks it runs where its folder is."""


def report_folder(profile: str) -> Path:
    """Folder of a profile's report: the one that the running report has announced.

    Else ``reports/<profile>`` of the checkout when the current folder lies inside it (so that a
    notebook opened by hand writes there too), else of the current folder.
    """
    announced = os.environ.get(OUTPUT_VARIABLE)
    if announced:
        return Path(announced)
    here = Path.cwd()
    checkout = shared_folder("notebooks").parent
    inside = (checkout / "pyproject.toml").is_file() and here.is_relative_to(checkout)
    return (checkout if inside else here) / "reports" / profile


def results_folder(profile: str) -> Path:
    """Folder of a profile's stored results: ``results`` in that of its report."""
    return report_folder(profile) / "results"
