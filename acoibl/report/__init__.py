"""The report: notebooks run by papermill, and one page that shows what they found."""

from acoibl.report.artifacts import Artifacts
from acoibl.report.driver import ReportRun, run_report
from acoibl.report.errors import ReportError, UnknownNameError

__all__ = ["Artifacts", "ReportError", "ReportRun", "UnknownNameError", "run_report"]
