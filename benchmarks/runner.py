"""Run benchmarks, keep their tables, and write the report."""

import argparse
import json
import os
import platform
import shlex
import sys
import time
from datetime import UTC, datetime
from importlib import import_module, metadata
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from threadpoolctl import threadpool_limits

from acoibl.plotting import set_style
from benchmarks import problems
from benchmarks.report import write_report

NAMES = (
    "knn_peer",
    "matmul",
    "patterns",
    "rejection",
    "naive_fit",
    "scaling",
    "memory",
    "compile_time",
    "optimizers",
    "coevolution",
    "margins",
    "antfs",
)
OUTPUT = Path("reports/bench")
PACKAGES = (
    "acoibl", "numpy", "numba", "scikit-learn", "scipy", "pandas", "mealpy", "pygmo",
)  # fmt: skip


def cli(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the long comparison (hours)")
    parser.add_argument("--toy", action="store_true", help="tiny sizes, to see that all runs")
    parser.add_argument("--only", nargs="+", choices=NAMES, metavar="NAME", default=NAMES,
                        help=f"some of: {', '.join(NAMES)}")  # fmt: skip
    parser.add_argument("--data", type=Path, help="folder with NAME.arff of datasets not carried")
    parser.add_argument("--output", type=Path, default=OUTPUT, help=f"folder ({OUTPUT})")
    options = parser.parse_args(arguments)
    scale = "toy" if options.toy else "full" if options.full else "short"
    problems.data_folder = options.data
    command = ["python", "-m", "benchmarks"]
    command += [f"--{scale}"] if scale != "short" else []
    command += ["--only", *options.only] if options.only is not NAMES else []
    run(options.only, scale, options.output, shlex.join(command))


def run(names, scale: str, output: Path, command: str = "") -> None:
    """Run benchmarks one after the other; the report holds what earlier runs left, too."""
    mpl.use("Agg")
    output.mkdir(parents=True, exist_ok=True)
    for name in names:
        module = import_module(f"benchmarks.{name}")
        print(f"{name} ({scale}) ...", flush=True)
        start, load = time.perf_counter(), os.getloadavg()[0]
        with threadpool_limits(1):
            table = module.measure(**module.SETTINGS[scale])
        seconds = time.perf_counter() - start
        table.to_csv(output / f"{name}.csv", index=False, float_format="%.6g")
        facts = {
            "scale": scale,
            "command": command,
            "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            "seconds": round(seconds, 1),
            "load": [round(load, 2), round(os.getloadavg()[0], 2)],
            "busy": round(table["busy"].median(), 2) if "busy" in table else None,
            "machine": machine(),
            "versions": versions(),
        }
        (output / f"{name}.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        _draw(module, pd.read_csv(output / f"{name}.csv"), output / name)
        for finding in module.findings(table):
            print(f"  {finding.what}: {finding.figure}", flush=True)
        print(f"  {seconds:.0f} s", flush=True)
    write_report(output, NAMES)
    print(f"{output / 'README.md'} written")


def _draw(module, table, file: Path) -> None:
    from matplotlib import pyplot as plt

    with mpl.rc_context():
        set_style()
        if (figure := module.plot(table)) is not None:
            figure.savefig(file.with_suffix(".svg"), metadata={"Date": None})
            plt.close(figure)


def machine() -> str:
    """Processor, cores, system."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        models = [
            line.split(":", 1)[1].strip()
            for line in info.read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> str:
    """Python and packages."""
    out = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            out.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            out.append(f"{package} not installed")
    return ", ".join(out)


if __name__ == "__main__":
    sys.exit("run it as: python -m benchmarks")
