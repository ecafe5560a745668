"""How a run says how far it is: a bar, lines, or nothing."""

import os
import sys
import time
from collections.abc import Callable, Sequence
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


def reporter(
    kind: str, costs: Sequence[float], title: str
) -> tuple[Callable[[float], Any], Callable[[], Any]]:
    """Start to report.

    Parameters
    ----------
    kind : {"bar", "lines", "none"}
        As `choose` says.
    costs : sequence of float
        Rough cost of each unit of work; the time left goes by it.
    title : str
        What is being run.

    Returns
    -------
    step, close : callable
        To call with the cost of every finished unit, and at the end.
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
        left = (now - begun) * (whole - spent) / spent if spent else 0.0
        if bar is not None:
            bar.set_postfix_str(f"about {left:.0f} s left", refresh=False)
            bar.update()
        elif done == total or now - last >= _EVERY:
            last = now
            print(
                f"{title}: {done}/{total} units, {now - begun:.0f} s, about {left:.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    return step, (lambda: None) if bar is None else bar.close
