"""What the searches share: budget, seed, callback, time limit, history."""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils._param_validation import Interval

from acoibl.coevolution.populations import Stop

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
        self._stop = Stop(callback, time_limit)

    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._stop.is_late()

    def add(self, *line: Any) -> bool:
        """Add a line; return whether the search shall go on."""
        self.lines.append(line)
        shown = dict(zip(self.columns, line, strict=True)) if len(self.lines) > 1 else None
        return not self._stop(shown)

    def facts(self, n_evaluations: float) -> dict[str, Any]:
        """Fitted attributes of a search."""
        return {
            "history_": pd.DataFrame(self.lines, columns=self.columns),
            "n_evaluations_": n_evaluations,
            "stopped_": self._stop.reason,
        }
