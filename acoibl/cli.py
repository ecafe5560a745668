"""The ``acoibl`` command."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from acoibl import __version__


class _Terminated(KeyboardInterrupt):
    """SIGTERM, by which clusters and services stop a program: handled as Ctrl-C is."""


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    """Let worker processes end with the program, which they do not when SIGTERM kills it."""

    def stop(*_: Any) -> None:
        raise _Terminated

    if threading.current_thread() is not threading.main_thread():  # no handler can be set there
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Plain(click.Group):
    """Errors in one line: exit 2 for what was asked wrongly, 1 for what went wrong."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _interrupted_by_sigterm():
                return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt as interrupt:
            click.echo(
                "\nInterrupted: what was finished is stored. Give the same command again and it "
                "goes on from there.",
                err=True,
            )
            ctx.exit(143 if isinstance(interrupt, _Terminated) else 130)
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            raise _as_click_error(error) from None


def _as_click_error(error: Exception) -> click.ClickException:
    from acoibl.datasets import ChecksumError, DataFileError, DatasetUnavailableError
    from acoibl.experiments import BackendError, RunError, StoreError, UnknownNameError
    from acoibl.experiments.export import ExportError
    from acoibl.report.errors import ReportError

    expected = (
        BackendError,
        ChecksumError,
        DataFileError,
        DatasetUnavailableError,
        ExportError,
        ReportError,
        RunError,
        StoreError,
    )
    text = " ".join(str(error).split())
    if isinstance(error, UnknownNameError):
        return click.UsageError(text)
    if isinstance(error, (*expected, OSError)):
        return click.ClickException(text)
    return click.ClickException(
        f"{type(error).__name__}: {text} (acoibl --debug ... shows where it happened)"
    )


@click.group(cls=_Plain, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="acoibl")
@click.option("--debug", is_flag=True, help="Show where an error happened.")
def main(debug: bool) -> None:
    """Instance-based learning tuned by swarms: datasets, experiments, reports."""


@main.command()
@click.option("--check", "path", metavar="FILE", help="Say what is read from an ARFF or CSV file.")
@click.option("--target", metavar="NAME", help="Column of the class in FILE; the last by default.")
@click.option(
    "--header/--no-header", default=None, help="Whether the first line of a CSV file holds names."
)
@click.option("--delimiter", metavar="CHARACTER", help="What separates the cells of a CSV file.")
@click.option(
    "--missing-values",
    metavar="TEXT",
    multiple=True,
    help="A further text that means missing, such as NULL; may be given several times.",
)
def datasets(path: str | None, **options: Any) -> None:
    """List the datasets, or check a file of your own."""
    from acoibl.datasets import check_file, describe

    if path is not None:
        if options["delimiter"] is not None and len(options["delimiter"]) != 1:
            raise click.UsageError(f"--delimiter must be one character: {options['delimiter']!r}")
        click.echo(check_file(path, **options))
        return
    for name, value in options.items():
        if value not in (None, ()):
            raise click.UsageError(f"--{name.replace('_', '-')} needs --check FILE")

    table = describe()
    shown = table[["rows", "classes", "numeric", "categorical", "missing", "paper", "source"]]
    shown = shown.assign(
        paper=shown["paper"].map({True: "yes", False: ""}),
        ready=table["state"],
        title=table["title"],
    )
    click.echo(shown.to_string(index_names=False, justify="left"))
    ready = int(table["ready"].sum())
    of_paper = int((table["ready"] & table["paper"]).sum())
    click.echo(
        f"\n{ready} of {len(table)} are here, without a download, {of_paper} of them of the "
        f"paper's {int(table['paper'].sum())}."
    )
    if (table["state"] == "file found").any():
        click.echo(
            "A file found has a header that can be read; its content is checked when it is loaded."
        )
    damaged = table.index[table["state"] == "file damaged"]
    if len(damaged):
        click.echo(f"Damaged: {', '.join(damaged)}. Loading says what is wrong.")


_PROFILE = click.option("--profile", required=True, metavar="smoke|quick|paper", help="Size.")


def _selection(command: Callable) -> Callable:
    """Give a command the options that choose units of an experiment."""
    options = (
        click.argument("experiment", metavar="EXPERIMENT"),
        _PROFILE,
        click.option(
            "--datasets",
            multiple=True,
            metavar="NAME,...",
            help="Only these datasets; may be given several times.",
        ),
        click.option(
            "--algorithms",
            multiple=True,
            metavar="NAME,...",
            help="Only these algorithms; names or patterns such as 'aco-*-paper'.",
        ),
        click.option(
            "--seeds",
            metavar="0-2",
            help="Seeds of stochastic algorithms; those of the profile by default.",
        ),
        click.option(
            "--folds",
            default="stratified",
            metavar="stratified|groups",
            help="Way of folding; groups keeps the rows of one person together.",
        ),
        click.option("--store", type=click.Path(path_type=Path), help="Folder of the results."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _chosen(choice: dict[str, Any]) -> dict[str, Any]:
    """Arguments of `make_plan` from the options of `_selection`."""
    from acoibl.experiments import get_profile, parse_seeds

    for option in ("datasets", "algorithms"):
        names = [name.strip() for text in choice[option] for name in text.split(",")]
        if not all(names):
            raise click.UsageError(f"--{option} has an empty name; leave it out to take all")
        choice[option] = names or None
    choice["profile"] = get_profile(choice["profile"])
    choice["seeds"] = None if choice["seeds"] is None else parse_seeds(choice["seeds"])
    return choice


@main.command()
@_selection
@click.option("--jobs", type=int, metavar="N", help="Processes; all cores by default.")
@click.option(
    "--backend",
    default="loky",
    metavar="loky|dask",
    help="Processes of this machine, or a dask cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="Scheduler of the dask cluster.")
@click.option(
    "--order",
    type=click.Choice(["longest", "datasets"]),
    help="First the longest units, or dataset by dataset from the cheapest (paper's default).",
)
@click.option("--fresh", is_flag=True, help="Forget stored results of this choice first.")
def run(jobs: int | None, backend: str, scheduler: str | None, **choice: Any) -> None:
    """Run EXPERIMENT, or what of it is not stored yet.

    a: plain classifiers on their grids. b: the colonies in both presets, beside plain and tuned
    classifiers. c: the colonies beside CIW-NN. coevolution: CIW-NN beside the methods of its own
    paper. peers: classifiers that a user would pick. readings: colonies that read one point of the
    paper otherwise. stability: SimbaMBIW beside other selectors. antfs: ant feature selection.
    Finished units are stored at once: after an interruption the same command goes on.
    """
    from acoibl.experiments import run as run_experiment
    from acoibl.experiments import tables
    from acoibl.experiments.folders import results_folder

    if jobs is not None and jobs == 0:
        raise click.UsageError("--jobs must not be 0")
    rows = run_experiment(
        **_chosen(choice), jobs=jobs, backend=backend, scheduler=scheduler, progress=True
    )
    for line in tables.summary_lines(rows):
        click.echo(line)
    click.echo(f"{len(rows)} results of {rows['dataset'].nunique()} datasets are stored in")
    click.echo(str(choice["store"] or results_folder(choice["profile"].name)))


@main.command()
@_selection
@click.option("--jobs", type=int, metavar="N", help="Cores that the time left is said for.")
@click.option("--full", is_flag=True, help="One line for each dataset and algorithm.")
def status(jobs: int | None, full: bool, **choice: Any) -> None:
    """Say what of EXPERIMENT is done, missing or failed, and how long the rest will take."""
    from acoibl.experiments.plan import make_plan
    from acoibl.experiments.standing import failed_units, say_standing, standing

    plan = make_plan(**_chosen(choice))
    table = standing(plan)
    absent = "" if plan.store.folder.is_dir() else " (no such folder yet)"
    click.echo(f"{plan.title}: {plan.store.folder}{absent}")
    for part in say_standing(table, full=full, jobs=jobs):
        click.echo(f"\n{part}")
    failed = failed_units(plan)
    if len(failed):
        click.echo("\nFailed when last tried; they run again next time:")
        shown = failed if full else failed.head(10)
        for line in shown.itertuples():
            click.echo(
                f"{line.algorithm} on {line.dataset}, fold {line.fold}, seed {line.seed}: "
                f"{line.error}"
            )
        if len(shown) < len(failed):
            click.echo(f"... and {len(failed) - len(shown)} more (--full shows all)")


@main.command()
@_selection
@click.option(
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A name that ends in .csv, .csv.gz or .parquet.",
)
@click.option("--predictions", is_flag=True, help="Write a second file, one line a test row.")
def export(output: Path, predictions: bool, **choice: Any) -> None:
    """Write what is stored of EXPERIMENT to a file; nothing is computed."""
    from acoibl.experiments.export import export as export_results
    from acoibl.experiments.plan import make_plan

    for path, count in export_results(
        make_plan(**_chosen(choice)), output, predictions=predictions
    ):
        click.echo(f"{path}: {count} lines")


@main.command()
@_PROFILE
@click.option(
    "--notebook",
    "notebooks",
    multiple=True,
    metavar="NAME",
    help="Only this notebook, by name or number; may be given several times.",
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="NAME=VALUE",
    help="Value of a notebook's parameter, a Python literal; may be given several times.",
)
@click.option("--output", type=click.Path(path_type=Path), help="Folder of the report.")
@click.option("--fresh", is_flag=True, help="Remove the report and its stored results first.")
def report(
    profile: str,
    notebooks: tuple[str, ...],
    values: tuple[str, ...],
    output: Path | None,
    fresh: bool,
) -> None:
    """Run the notebooks and build the page that shows what they found."""
    from acoibl.report import run_report

    result = run_report(
        profile, notebooks=notebooks or None, set_values=values, output=output, fresh=fresh
    )
    sys.exit(result.exit_code)


if __name__ == "__main__":
    main()
