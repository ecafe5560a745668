"""How a run says how far it is: a bar, lines, or nothing."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from tqdm import tqdm

_FIRST, _MOST = 10.0, 60.0  # seconds between lines of a log: few of them in a run of hours


def choose(progress: bool | str | None) -> str:
    """Kind of progress report; None chooses by where the run happens.

    Inside a notebook nothing is said unless asked for; else a bar on a terminal, lines in a log.
    """
    if progress is False or progress == "none":
        return "none"
    if progress in ("bar", "lines"):
        return str(progress)
    if progress not in (None, True):
        raise ValueError(
            f"progress must be None, a bool, 'bar', 'lines' or 'none', not {progress!r}"
        )
    in_notebook = "ACOIBL_NOTEBOOK" in os.environ or "ipykernel" in sys.modules
    if in_notebook:
        return "none" if progress is None else "lines"
    return "bar" if sys.stderr.isatty() else "lines"


def reporter(
    kind: str, costs: Sequence[float], title: str
) -> tuple[Callable[[float], Any], Callable[[], Any]]:
    """Start to report: what to call with the cost of every finished unit, and at the end.

    Lines come every ten seconds at first, then at most once a minute; the time left goes by cost.
    """
    if kind == "none" or not costs:
        return (lambda cost: None), (lambda: None)
    begun = last = time.monotonic()
    total, whole = len(costs), sum(costs)
    done, spent = 0, 0.0
    bar = None
    if kind == "bar":
        form = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} units, {elapsed}{postfix}"
        bar = tqdm(total=total, desc=title, file=sys.stderr, bar_format=form)

    def step(cost: float) -> None:
        nonlocal done, spent, last
        done, spent = done + 1, spent + cost
        now = time.monotonic()
        elapsed = now - begun
        left = elapsed * (whole - spent) / spent if spent else 0.0
        pace = f"{_rate(done, elapsed)}, about {say_time(left)} left"
        if bar is not None:
            bar.set_postfix_str(pace, refresh=False)
            bar.update()
        elif done == total or now - last >= min(_MOST, max(_FIRST, elapsed / 20)):
            last = now
            print(
                f"{title}: {done}/{total} units, {say_time(elapsed)}, {pace}",
                file=sys.stderr,
                flush=True,
            )

    return step, (lambda: None) if bar is None else bar.close


def say_time(seconds: float) -> str:
    """Say a time in the unit that fits, with two figures of detail at most."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours:02} h"


def _rate(done: int, elapsed: float) -> str:
    if not elapsed:
        return f"{done} at once"
    for unit, seconds in (("s", 1), ("min", 60)):
        if done * seconds >= elapsed:
            return f"{done * seconds / elapsed:.1f} a {unit}"
    return f"{done * 3600 / elapsed:.1f} an h"
