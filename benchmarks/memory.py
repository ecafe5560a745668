"""Peak memory of predicting very many rows."""

import pandas as pd

from benchmarks.child import run_child
from benchmarks.findings import Finding

TITLE = "Memory of predicting many rows"
NOTE = (
    "Each line is a process of its own. `grown_mb` is the rise of its peak during predict, beyond "
    "what it held with the queries made; `matrix_mb` is what a matrix of float32 distances would "
    "take. The ensemble has 25 members."
)
MOST_MB = 500
SETTINGS = {
    "toy": {"rows": [("basic", 3000)], "n_rows": 300, "m": 4},
    "short": {"rows": [("basic", 100_000), ("basic", 200_000), ("ensemble", 10_000),
                       ("ensemble", 20_000)], "n_rows": 10_000, "m": 10},
    "full": {"rows": [("basic", 250_000), ("basic", 1_000_000), ("ensemble", 100_000),
                      ("ensemble", 1_000_000)], "n_rows": 10_000, "m": 10},
}  # fmt: skip


def measure(rows, n_rows, m) -> pd.DataFrame:
    lines = []
    for kind, n_queries in rows:
        got = run_child(
            "predict_rows", n_queries=n_queries, n_rows=n_rows, m=m, ensemble=kind == "ensemble"
        )
        lines.append(
            {
                "classifier": kind,
                "queries": n_queries,
                "n": n_rows,
                "features": m,
                "seconds": got["seconds"],
                "queries_mb": n_queries * m * 8 / 2**20,
                "matrix_mb": n_queries * n_rows * 4 / 2**20,
                "grown_mb": got["peak_mb"] - got["before_mb"],
                "peak_mb": got["peak_mb"],
            }
        )
    return pd.DataFrame(lines)


def findings(table: pd.DataFrame) -> list[Finding]:
    return [
        Finding(
            f"predict {line['queries']:,} rows against {line['n']:,}, {line['classifier']}",
            f"peak {line['peak_mb']:.0f} MB, {line['grown_mb']:.0f} MB of it grown in predict "
            f"(a matrix: {line['matrix_mb']:,.0f} MB), {line['seconds']:.1f} s",
            f"no matrix: grows by at most {MOST_MB} MB",
            bool(line["grown_mb"] <= MOST_MB),
        )
        for _, line in table.iterrows()
    ]


def plot(table: pd.DataFrame):
    return None
