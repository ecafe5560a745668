"""How a run says how far it is: a bar, lines, or nothing."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

from tqdm import tqdm

_EVERY = 10.0  # seconds between lines of a log


def choose(progress: bool | str | None) -> str:
    """Kind of progress report.

    Parameters
    ----------
    progress : {None, True, False, "bar", "lines", "none"}
        None chooses by where the run happens.

    Returns
    -------
    {"bar", "lines", "none"}
        Inside a notebook nothing is said unless asked for; else a bar on a terminal and plain
        lines in a log.

    Raises
    ------
    ValueError
        For anything else.
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


def reporter(kind: str, total: int, title: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Start to report.

    Parameters
    ----------
    kind : {"bar", "lines", "none"}
        As `choose` says.
    total : int
        Number of units of work.
    title : str
        What is being run.

    Returns
    -------
    step, close : callable
        To call after every unit, and at the end.
    """
    if kind == "none" or total == 0:
        return (lambda: None), (lambda: None)
    if kind == "bar":
        bar = tqdm(total=total, desc=title, unit="unit", file=sys.stderr, smoothing=0.1)
        return bar.update, bar.close
    return _lines(total, title)


def _lines(total: int, title: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    begun = last = time.monotonic()
    done = 0

    def step() -> None:
        nonlocal done, last
        done += 1
        now = time.monotonic()
        if done == total or now - last >= _EVERY:
            last = now
            left = (now - begun) / done * (total - done)
            print(
                f"{title}: {done}/{total} units, {now - begun:.0f} s, about {left:.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    return step, lambda: None
