"""The report: every figure beside its bar, then the tables."""

import json
import os
from importlib import import_module
from pathlib import Path

import pandas as pd

HEAD = """# Benchmarks

Written by `make bench` (short, under ten minutes) or `make bench-full` (long); do not edit.
One thread unless said otherwise. Contestants take turns within one run; a ratio is the median of
the pairs, its quartiles in brackets; first calls (compiling, loading) are left out.
"""
PROVISIONAL = """
**Provisional:** other programs used the machine during the benchmarks marked with *. Ratios stand
such noise better than times; measure again on a quiet machine before relying on either.
"""


def write_report(output: Path, names) -> None:
    """Write README.md from the tables that are there."""
    parts = []
    for name in names:
        file = output / f"{name}.csv"
        if file.is_file():
            facts = json.loads((output / f"{name}.json").read_text(encoding="utf-8"))
            parts.append((name, import_module(f"benchmarks.{name}"), pd.read_csv(file), facts))
    lines = [HEAD]
    if any(is_noisy(facts) for *_, facts in parts):
        lines.append(PROVISIONAL)
    lines += ["## All figures", "", *_summary(parts), "", "## Runs", "", *_runs(parts), ""]
    for name, module, table, _ in parts:
        lines += [f"## {module.TITLE}", "", module.NOTE, ""]
        if (output / f"{name}.svg").is_file():
            lines += [f"![{module.TITLE}]({name}.svg)", ""]
        shown = module.extra(table) if hasattr(module, "extra") else table
        lines += [*markdown(shown), "", f"All columns: [{name}.csv]({name}.csv)", ""]
    (output / "README.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")


def is_noisy(facts: dict) -> bool:
    """Whether others had the processor: a busy share below 0.9, or more load than cores."""
    busy = facts["busy"]
    return (busy is not None and busy < 0.9) or facts["load"][0] > 0.8 * (os.cpu_count() or 1)


def _summary(parts):
    lines = []
    for name, module, table, facts in parts:
        for finding in module.findings(table):
            met = {True: "yes", False: "**no**", None: ""}[finding.met]
            mark = "*" if is_noisy(facts) else ""
            lines.append([name + mark, finding.what, finding.figure, finding.bar, met])
    table = pd.DataFrame(lines, columns=["benchmark", "what", "measured", "bar", "met"])
    return markdown(table)


def _runs(parts):
    lines = [
        {
            "benchmark": name,
            "command": f"`{facts['command']}`",
            "when": facts["when"],
            "seconds": facts["seconds"],
            "load before, after": ", ".join(str(value) for value in facts["load"]),
            "processor share": "" if facts["busy"] is None else facts["busy"],
        }
        for name, _, _, facts in parts
    ]
    places = dict.fromkeys((facts["machine"], facts["versions"]) for *_, facts in parts)
    return [
        *markdown(pd.DataFrame(lines)),
        "",
        "Processor share: processor time over wall time of the timed part; far below 1 means that "
        "other programs were in the way.",
        "",
        *[f"Machine: {machine}. Versions: {versions}." for machine, versions in places],
    ]


def markdown(table: pd.DataFrame) -> list[str]:
    """Lines of a table; numbers to four digits."""

    def text(value):
        if isinstance(value, float):
            return "" if pd.isna(value) else f"{value:.4g}"
        return "" if pd.isna(value) else str(value).replace("|", "\\|")

    return [
        "| " + " | ".join(map(str, table.columns)) + " |",
        "|" + " --- |" * table.shape[1],
        *[
            "| " + " | ".join(text(value) for value in line) + " |"
            for line in table.itertuples(index=False)
        ],
    ]
