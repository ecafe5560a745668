"""What datasets there are: the entries of ``catalogue.toml``."""

import difflib
import functools
import tomllib
from dataclasses import dataclass, field
from importlib import resources


@dataclass(frozen=True)
class Entry:
    """One dataset of the catalogue.

    Parameters
    ----------
    name : str
        The paper's name for it.
    title, creators : str
        As its repository gives them.
    licence : str
        Licence of the data.
    rows, classes, numeric, categorical, missing : int
        Number of rows, classes, numeric and categorical features, missing cells.
    sha256 : str
        Checksum of the canonical table (see ``acoibl.datasets.canonical``).
    order : {"file", "sorted"}, default="file"
        Order of the rows: that of the original file, or that of their canonical
        text (where the known copies differ in order).
    year, uci : int or None
        Year, and number in the UCI repository.
    doi, note, citation_text : str
        Empty where there is none.
    paper : dict of str to int or None
        The figures of the paper's Table 2.
    download : dict or None
        Address and layout of the original file.
    groups : dict of str to int or None
        Where rows belong together, such as the recordings of one person: the
        name of each group and its number of rows, which follow each other in
        the original file. Needs ``order = "file"``.
    """

    name: str
    title: str
    creators: str
    licence: str
    rows: int
    classes: int
    numeric: int
    categorical: int
    missing: int
    sha256: str
    order: str = "file"
    year: int | None = None
    uci: int | None = None
    doi: str = ""
    note: str = ""
    citation_text: str = ""
    paper: dict[str, int] | None = None
    download: dict | None = field(default=None, repr=False)
    groups: dict[str, int] | None = field(default=None, repr=False)

    @property
    def citation(self) -> str:
        """How to cite it, in one line."""
        where = f" https://doi.org/{self.doi}" if self.doi else ""
        if self.citation_text:
            return self.citation_text + where
        year = f" ({self.year})" if self.year else ""
        end = where or f" {self.page}"
        return f"{self.creators}{year}. {self.title}. UCI Machine Learning Repository.{end}"

    @property
    def page(self) -> str:
        """Address of its page in the UCI repository; empty where there is none."""
        return f"https://archive.ics.uci.edu/dataset/{self.uci}" if self.uci else ""


@functools.cache
def read_catalogue() -> dict[str, Entry]:
    """All entries by name, those of the paper's Table 2 first.

    Returns
    -------
    dict of str to Entry
        The catalogue.

    Examples
    --------
    >>> read_catalogue()["car"].rows
    1728
    """
    text = resources.files("acoibl.datasets").joinpath("catalogue.toml").read_text("utf-8")
    out = {}
    for name, fields in tomllib.loads(text).items():
        fields["citation_text"] = fields.pop("citation", "")
        out[name] = Entry(name=name, **fields)
    return out


def find_entry(name: str) -> Entry:
    """Entry of one dataset.

    Parameters
    ----------
    name : str
        The paper's name for it.

    Returns
    -------
    Entry
        The entry.

    Raises
    ------
    ValueError
        If there is none; the message names the closest ones.

    Examples
    --------
    >>> find_entry("cars")
    Traceback (most recent call last):
    ...
    ValueError: no dataset 'cars' in the catalogue; did you mean 'car'? ...
    """
    entries = read_catalogue()
    if name in entries:
        return entries[name]
    close = difflib.get_close_matches(str(name).lower(), entries, n=3)
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    raise ValueError(
        f"no dataset {name!r} in the catalogue; {hint}"
        "acoibl.datasets.list_datasets() gives all names; a file of your own is read by "
        "acoibl.datasets.read_table(path)"
    )
