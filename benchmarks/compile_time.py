"""Time until the first answer, with and without compiled kernels on disk."""

import tempfile

import pandas as pd

from benchmarks.child import run_child
from benchmarks.findings import Finding

TITLE = "Compile time"
NOTE = (
    "A new process fits and predicts 60 rows with each base classifier, on numeric and on "
    "categorical data, and minimises a function: `cold` with an empty folder of compiled kernels, "
    "`cached` right after it. The import of the package is apart."
)
SETTINGS = {
    "toy": {"n_runs": 1, "cold": False},
    "short": {"n_runs": 1, "cold": True},
    "full": {"n_runs": 5, "cold": True},
}


def measure(n_runs, cold) -> pd.DataFrame:
    lines = []
    for run in range(n_runs):
        if not cold:
            lines.append({"state": "cached", "run": run, **run_child("first_calls")})
            continue
        with tempfile.TemporaryDirectory() as folder:
            for state in ("cold", "cached"):
                seconds = run_child("first_calls", {"NUMBA_CACHE_DIR": folder})
                lines.append({"state": state, "run": run, **seconds})
    table = pd.DataFrame(lines)
    calls = table.columns.difference(["state", "run", "import", "cpu"])
    return table.assign(total=table[calls].sum(axis=1))


def findings(table: pd.DataFrame) -> list[Finding]:
    out = []
    for state, part in table.groupby("state", sort=False):
        seconds = part["total"].median()
        out.append(
            Finding(
                f"first calls of everything, {state}",
                f"{seconds:.1f} s ({part['cpu'].median():.1f} s of processor time; "
                f"import {part['import'].median():.1f} s apart)",
                "under 15 s" if state == "cold" else "",
                bool(seconds < 15) if state == "cold" else None,
            )
        )
    return out


def plot(table: pd.DataFrame):
    return None
