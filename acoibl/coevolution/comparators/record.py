"""What the searches share: budget, seed, callback, time limit, history."""

import time
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import Interval

SEARCH_CONSTRAINTS: dict = {
    "max_evaluations": [Interval(Integral, 1, None, closed="left")],
    "random_state": ["random_state", np.random.Generator, np.random.SeedSequence],
    "callback": [callable, None],
    "time_limit": [Interval(Real, 0, None, closed="neither"), None],
}
"""Parameters of every search."""


class Record:
    """History of a search, and whether somebody wants it to stop.

    Parameters
    ----------
    columns : sequence of str
        Names of what a line holds.
    callback : callable or None
        Called with each line but the first, a dict; a true value ends the search.
    time_limit : float or None
        Seconds after which the search ends.
    """

    def __init__(
        self,
        columns: Sequence[str],
        callback: Callable[[dict], Any] | None = None,
        time_limit: float | None = None,
    ):
        self.columns = list(columns)
        self.lines: list[tuple] = []
        self.reason = "max_evaluations"
        self._callback = callback
        self._end = np.inf if time_limit is None else time.monotonic() + time_limit

    def add(self, *line: Any) -> bool:
        """Add a line; return whether the search shall go on."""
        self.lines.append(line)
        if len(self.lines) > 1 and self._callback is not None:
            wants_end = self._callback(dict(zip(self.columns, line, strict=True)))
            self.reason = "callback" if wants_end else self.reason
        if self.reason == "max_evaluations" and time.monotonic() >= self._end:
            self.reason = "time_limit"
        return self.reason == "max_evaluations"

    def facts(self, n_evaluations: float) -> dict[str, Any]:
        """Fitted attributes of a search."""
        return {
            "history_": pd.DataFrame(self.lines, columns=self.columns),
            "n_evaluations_": n_evaluations,
            "stopped_": self.reason,
        }
