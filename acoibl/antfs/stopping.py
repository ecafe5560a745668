"""When a search for features ends before its generations are over."""

import time
from collections.abc import Callable, Sequence
from typing import Any


class Stop:
    """Shows what every generation found, and says whether the search shall end.

    Parameters
    ----------
    names : sequence of str
        Names of the groups of ants, which replace their numbers in the lines.
    callback : callable or None
        Called with the lines of each generation, a list of dict; a true value ends the search.
    time_limit : float or None
        Seconds from now after which no further ant begins.
    verbose : int
        Print a line every `verbose` ten generations.

    Attributes
    ----------
    reason : {"n_generations", "callback", "time_limit"}
        Why the search ended, or would end.
    """

    def __init__(
        self,
        names: Sequence[str],
        callback: Callable[[list[dict]], Any] | None = None,
        time_limit: float | None = None,
        verbose: int = 0,
    ):
        self.reason = "n_generations"
        self._names, self._callback, self._verbose = names, callback, int(verbose)
        self._end = None if time_limit is None else time.monotonic() + time_limit

    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and time.monotonic() >= self._end

    def __call__(self, lines: list[dict]) -> bool:
        """Show the lines of a generation; return whether the search shall end."""
        for line in lines:
            line["group"] = self._names[line["group"]]
        first = lines[0]
        if self._verbose and first["generation"] % (10 * self._verbose) == 0:
            best = max(line["best_accuracy"] for line in lines)
            print(
                f"up to {first['max_size']} features, generation {first['generation']}: "
                f"accuracy {best:.4f}"
            )
        if self._callback is not None and self._callback([dict(line) for line in lines]):
            self.reason = "callback"
        elif self.is_late():
            self.reason = "time_limit"
        return self.reason != "n_generations"
