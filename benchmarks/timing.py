"""Times of contestants that take turns, as ratios within one run.

A shared machine speeds up and slows down; contestants measured one right after
the other feel the same weather, so the ratio of a pair is steadier than either
time. Of many pairs the median counts.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Timings:
    """Seconds per call.

    Parameters
    ----------
    seconds : DataFrame, rounds x contestants
        One line per round.
    first : dict of str to float
        Seconds of the very first call of each, which may compile or allocate; not in `seconds`.
    busy : float
        Processor time over wall time: far below 1 on one thread means that others had the
        processor.
    """

    seconds: pd.DataFrame
    first: dict[str, float]
    busy: float

    def median(self, name: str) -> float:
        """Median seconds per call of one contestant."""
        return float(self.seconds[name].median())

    def ratio(self, slow: str, fast: str) -> dict[str, float]:
        """How many times `fast` is faster: median and quartiles over the rounds."""
        q1, q2, q3 = np.percentile(self.seconds[slow] / self.seconds[fast], [25, 50, 75])
        return {"ratio": q2, "ratio_q1": q1, "ratio_q3": q3}


def interleave(
    contestants: dict[str, Callable[[], object]],
    n_rounds: int = 9,
    seconds: float = 6.0,
    least: float = 0.005,
) -> Timings:
    """Let contestants take turns, back and forth.

    Parameters
    ----------
    contestants : dict of str to callable
        What to time.
    n_rounds : int, default=9
        Most rounds.
    seconds : float, default=6
        No further round begins after so long, though three rounds are always made.
    least : float, default=0.005
        Seconds that one measurement lasts at least; quick calls are repeated.

    Returns
    -------
    Timings
        Seconds per call.
    """
    first, repeats = {}, {}
    for name, call in contestants.items():
        first[name] = _time(call, 1)
        repeats[name] = max(1, int(np.ceil(least / max(_time(call, 1), 1e-9))))
    lines = []
    began, began_cpu = time.perf_counter(), time.process_time()
    for number in range(n_rounds):
        if number >= min(3, n_rounds) and time.perf_counter() - began > seconds:
            break
        names = list(contestants)
        if number % 2:
            names.reverse()
        lines.append({name: _time(contestants[name], repeats[name]) for name in names})
    wall = time.perf_counter() - began
    return Timings(
        pd.DataFrame(lines)[list(contestants)],
        first,
        (time.process_time() - began_cpu) / wall,
    )


def _time(call: Callable[[], object], repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats
