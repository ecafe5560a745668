"""What can go wrong in a report, as errors that need no traceback."""

from acoibl.experiments.protocol import UnknownNameError


class ReportError(Exception):
    """Something that the person who asked for the report can put right."""


__all__ = ["ReportError", "UnknownNameError"]
