"""When a search ends before its evaluations are used up."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np


class Stop:
    """Whether a search shall end before its evaluations are used up.

    Parameters
    ----------
    callback : callable or None
        Called with each line of the history, a dict; a true value ends the search.
    time_limit : float or None
        Seconds from now after which the search ends.

    Attributes
    ----------
    reason : {"max_evaluations", "callback", "time_limit"}
        Why the search ended, or would end.
    """

    def __init__(self, callback: Callable[[dict], Any] | None, time_limit: float | None):
        self.reason = "max_evaluations"
        self._callback = callback
        self._end = np.inf if time_limit is None else time.monotonic() + time_limit

    def is_late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self._end

    def __call__(self, line: dict | None) -> bool:
        """Show a line to the callback, unless it is None; return whether the search shall end."""
        if line is not None and self._callback is not None and self._callback(line):
            self.reason = "callback"
        elif self.is_late():
            self.reason = "time_limit"
        return self.reason != "max_evaluations"
