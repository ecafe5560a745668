"""A figure with the bar it is held against."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One line of the table of results.

    Parameters
    ----------
    what : str
        What was measured.
    figure : str
        What came out.
    bar : str, default=""
        What is asked for; empty where nothing is.
    met : bool or None, default=None
        Whether the bar is met; None where there is no bar or nothing was measured.
    """

    what: str
    figure: str
    bar: str = ""
    met: bool | None = None


def times(line, digits: int = 2) -> str:
    """Text of a ratio with its quartiles."""
    q1, q3 = line["ratio_q1"], line["ratio_q3"]
    return f"{line['ratio']:.{digits}f}x ({q1:.{digits}f} to {q3:.{digits}f})"
