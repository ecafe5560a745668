"""The ``acoibl`` command."""

import sys
from pathlib import Path
from typing import Any

import click

from acoibl import __version__


class _Plain(click.Group):
    """Errors in one line: exit 2 for what was asked wrongly, 1 for what went wrong."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.ClickException, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            click.echo(
                "\nInterrupted: what was finished is stored. Give the same command again and it "
                "goes on from there.",
                err=True,
            )
            ctx.exit(130)
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            raise _as_click_error(error) from None


def _as_click_error(error: Exception) -> click.ClickException:
    from acoibl.datasets import ChecksumError, DataFileError, DatasetUnavailableError
    from acoibl.experiments import RunError, StoreError, UnknownNameError
    from acoibl.report.errors import ReportError

    expected = (
        ChecksumError,
        DataFileError,
        DatasetUnavailableError,
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
def datasets(path: str | None, target: str | None) -> None:
    """List the datasets, or check a file of your own."""
    from acoibl.datasets import check_file, describe

    if path is not None:
        click.echo(check_file(path, target))
        return
    if target is not None:
        raise click.UsageError("--target needs --check FILE")

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


@main.command()
@click.argument("experiment", metavar="EXPERIMENT")
@_PROFILE
@click.option(
    "--datasets",
    "names",
    multiple=True,
    metavar="NAME,...",
    help="Only these datasets; may be given several times.",
)
@click.option("--jobs", type=int, metavar="N", help="Processes; all cores by default.")
@click.option("--fresh", is_flag=True, help="Forget stored results of this experiment first.")
@click.option("--store", type=click.Path(path_type=Path), help="Folder of the stored results.")
def run(
    experiment: str,
    profile: str,
    names: tuple[str, ...],
    jobs: int | None,
    fresh: bool,
    store: Path | None,
) -> None:
    """Run EXPERIMENT (a or b), or what of it is not stored yet.

    a: plain classifiers on their grids. b: the colonies in both presets, beside plain and tuned
    classifiers. Finished units are stored at once: after an interruption the same command goes on.
    """
    from acoibl.experiments import get_profile, tables
    from acoibl.experiments import run as run_experiment
    from acoibl.experiments.folders import results_folder

    if jobs is not None and jobs == 0:
        raise click.UsageError("--jobs must not be 0")
    chosen = [name.strip() for text in names for name in text.split(",")]
    if not all(chosen):
        raise click.UsageError("--datasets has an empty name; leave it out to take all")
    size = get_profile(profile)
    rows = run_experiment(
        experiment,
        size,
        datasets=chosen or None,
        jobs=jobs,
        store=store,
        fresh=fresh,
        progress=True,
    )
    for line in tables.summary_lines(rows):
        click.echo(line)
    click.echo(f"{len(rows)} results of {rows['dataset'].nunique()} datasets are stored in")
    click.echo(str(store or results_folder(size.name)))


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
