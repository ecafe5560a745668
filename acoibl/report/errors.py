"""What can go wrong in a report, as errors that need no traceback."""


class ReportError(Exception):
    """Something that the person who asked for the report can put right."""


class UnknownNameError(ReportError):
    """A notebook, a profile or a parameter that does not exist, or a value of the wrong type."""
