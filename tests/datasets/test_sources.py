"""Every dataset from every source it has here: the same table, with its checksum."""

import gzip
import os
import shutil
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from acoibl import datasets
from acoibl.comparison import published
from acoibl.datasets import (
    ChecksumError,
    DatasetUnavailableError,
    describe,
    list_datasets,
    load,
    read_table,
)
from acoibl.datasets import download as download_module
from acoibl.datasets import loading as loading_module
from acoibl.datasets.canonical import canonical_lines, table_checksum, tidy_table
from acoibl.datasets.catalogue import read_catalogue
from acoibl.datasets.download import download_table, parse_original
from acoibl.datasets.errors import DataFileError
from acoibl.datasets.generators import generate
from acoibl.datasets.reading import check_head

REAL = os.environ.get("ACOIBL_DATA")
CARRIED = list_datasets(carried=True)
needs_real_files = pytest.mark.skipif(
    not REAL, reason="ACOIBL_DATA names no folder with the real files"
)


@pytest.fixture(autouse=True)
def without_folder_and_cache(monkeypatch, tmp_path):
    monkeypatch.delenv("ACOIBL_DATA", raising=False)
    monkeypatch.setenv("ACOIBL_CACHE", str(tmp_path / "cache"))


# ----------------------------------------------------------------------------------- offline


def test_more_than_three_quarters_of_the_paper_are_there_offline():
    offline = set(CARRIED) & set(list_datasets(paper=True))
    assert len(offline) >= 28
    assert set(CARRIED) == set(list_datasets(ready=True))


@pytest.mark.parametrize("name", CARRIED)
def test_dataset_loads_offline_as_the_catalogue_says(name):
    entry, data = read_catalogue()[name], load(name)
    kinds = [isinstance(dtype, pd.CategoricalDtype) for dtype in data.X.dtypes]
    assert data.source in ("carried", "scikit-learn", "generated")
    assert data.checksum == entry.sha256 == table_checksum(data.X, data.y)
    assert data.X.shape == (entry.rows, entry.numeric + entry.categorical)
    assert kinds.count(True) == entry.categorical
    assert all(
        dtype == np.float64 for dtype, kind in zip(data.X.dtypes, kinds, strict=True) if not kind
    )
    assert int(data.X.isna().to_numpy().sum()) == entry.missing
    assert (data.y.nunique(), len(data.y.cat.categories)) == (entry.classes, entry.classes)
    assert data.y.name == "class"
    assert not data.y.isna().any()
    assert np.isfinite(data.X.select_dtypes("number").to_numpy()).all() or entry.missing
    for column in [*data.X.select_dtypes("category").items(), ("class", data.y)]:
        assert all(isinstance(value, str) for value in column[1].cat.categories)
        assert set(column[1].dropna()) == set(column[1].cat.categories)
    assert data.citation
    assert data.licence
    assert data.provenance


@needs_real_files
@pytest.mark.parametrize("name", list_datasets())
def test_real_file_is_the_catalogues_table(name, monkeypatch):
    monkeypatch.setenv("ACOIBL_DATA", REAL)
    data = load(name)
    assert data.source == "folder"
    assert data.provenance.startswith(REAL)


@needs_real_files
@pytest.mark.parametrize("name", CARRIED)
def test_offline_table_holds_the_rows_of_the_real_file(name):
    file = next(f for f in Path(REAL).iterdir() if f.name in (f"{name}.arff", f"{name}.arff.gz"))
    here, real = load(name), read_table(file)
    assert Counter(canonical_lines(here.X, here.y)) == Counter(canonical_lines(*real))


def test_paper_figures_are_those_of_table_2():
    table = published("table2_datasets")
    entries = read_catalogue()
    assert list_datasets(paper=True) == table.index.to_list()
    for name, figures in table.iterrows():
        assert entries[name].paper == figures.to_dict()
        assert load(name).paper == figures.to_dict() if name in CARRIED else True
    assert load("glass").paper is None


def test_catalogue_is_complete_and_says_where_it_differs_from_the_paper():
    for name, entry in read_catalogue().items():
        assert len(entry.sha256) == 64
        assert entry.order in ("file", "sorted")
        assert entry.uci or entry.citation_text, name
        if entry.paper is None:
            continue
        ours = (entry.rows, entry.classes, entry.numeric, entry.categorical)
        theirs = tuple(
            entry.paper[key]
            for key in ("instances", "classes", "features_numeric", "features_categorical")
        )
        assert ours == theirs or "paper" in entry.note, name
    for name in ("annealing", "breast-l", "heart-h", "segmentation", "transfusion", "voting"):
        entry = read_catalogue()[name]
        assert str(entry.paper["instances"]) in entry.note


def test_download_addresses_are_marked_as_not_tried():
    for entry in read_catalogue().values():
        assert entry.download is None or entry.download["verified"] is False


# -------------------------------------------------------------------------------- generators


@pytest.mark.parametrize("problem", ["monks", "monks-2", "monks-3"])
def test_monks_follow_their_rules(problem):
    data = load(problem)
    X, y = data.X.astype(int).to_numpy(), data.y.astype(int).to_numpy()
    rule = {
        "monks": (X[:, 0] == X[:, 1]) | (X[:, 4] == 1),
        "monks-2": (X == 1).sum(axis=1) == 2,
        "monks-3": ((X[:, 4] == 3) & (X[:, 3] == 1)) | ((X[:, 4] != 4) & (X[:, 1] != 3)),
    }[problem]
    n_train = {"monks": 124, "monks-2": 169, "monks-3": 122}[problem]
    assert (rule[n_train:] == y[n_train:]).all()
    assert len(np.unique(X[n_train:], axis=0)) == 432
    assert (rule[:n_train] != y[:n_train]).sum() == (6 if problem == "monks-3" else 0)


def test_generated_counts_are_those_of_the_repository():
    assert generate("ttt")[1].value_counts().to_dict() == {"positive": 626, "negative": 332}
    assert generate("car")[1].value_counts().to_dict() == {
        "unacc": 1210,
        "acc": 384,
        "good": 69,
        "vgood": 65,
    }
    assert generate("nursery")[1].value_counts().to_dict() == {
        "not_recom": 4320,
        "priority": 4266,
        "spec_prior": 4044,
        "very_recom": 328,
        "recommend": 2,
    }


# ------------------------------------------------------------------------------ the checksum


def test_canonical_text_ignores_what_is_not_the_table():
    X = pd.DataFrame({"a": [0.0, 1.5], "b": pd.Categorical(["u", None])})
    y = pd.Series(pd.Categorical(["n", "m"]), name="class")
    same = pd.DataFrame(
        {"a": [-0.0, 1.5], "b": pd.Categorical(["u", None], categories=["w", "u"])}, index=[7, 3]
    )
    assert canonical_lines(X, y) == canonical_lines(same, y)
    for other in (
        X.iloc[::-1],
        X[["b", "a"]],
        X.rename(columns={"a": "A"}),
        X.assign(a=[0.0, np.nan]),
        X.assign(a=pd.Categorical(["0.0", "1.5"])),
        X.assign(b=pd.Categorical(["null", None])),
    ):
        assert table_checksum(other, y) != table_checksum(X, y)
    assert tidy_table(same, y)[0]["b"].cat.categories.tolist() == ["u"]


def put(folder, name, X, y):
    from acoibl.datasets.arff import format_arff

    path = folder / f"{name}.arff"
    path.write_text(format_arff(pd.concat([X, y], axis=1), name), encoding="utf-8")
    return path


def test_own_folder_comes_first_and_is_checked(tmp_path, monkeypatch):
    data = load("iris")
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    assert load("iris").source == "scikit-learn"
    path = put(tmp_path, "iris", data.X, data.y)
    assert load("iris").source == "folder"
    assert load("iris").provenance == str(path)

    put(tmp_path, "iris", data.X.iloc[1:], data.y.iloc[1:])
    with pytest.raises(ChecksumError, match="149 rows") as caught:
        load("iris")
    for part in (str(path), data.checksum, "check=False"):
        assert part in str(caught.value)
    other = load("iris", check=False)
    assert len(other.X) == 149
    assert other.checksum != data.checksum
    assert other.checksum in str(caught.value)

    put(tmp_path, "iris", data.X.iloc[::-1], data.y.iloc[::-1])
    with pytest.raises(ChecksumError, match="order of rows"):
        load("iris")


def test_sorted_datasets_take_rows_in_any_order(tmp_path, monkeypatch):
    data = load("lymphography")
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    put(tmp_path, "lymphography", data.X.iloc[::-1], data.y.iloc[::-1])
    again = load("lymphography")
    assert again.source == "folder"
    pd.testing.assert_frame_equal(again.X, data.X)


def test_a_cut_file_in_the_own_folder_names_the_line(tmp_path, monkeypatch):
    data = load("car")
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    path = put(tmp_path, "car", data.X, data.y)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(DataFileError, match=r"car\.arff, line \d+:"):
        load("car")


def test_a_wrong_folder_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path / "typo"))
    with pytest.raises(DatasetUnavailableError, match="no folder"):
        load("iris")


# -------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "hint"),
    [("cars", "'car'"), ("Iris", "'iris'"), ("../x", "list_datasets"), ("", "list_datasets"),
     ("/etc/passwd", "list_datasets"), ("iris.arff", "'iris'"), (None, "list_datasets")],
)  # fmt: skip
def test_unknown_names_get_the_closest_ones(name, hint):
    with pytest.raises(ValueError, match="no dataset") as caught:
        load(name)
    assert hint in str(caught.value)


def test_lists_and_descriptions():
    assert len(list_datasets()) == 51
    assert len(list_datasets(paper=True)) == 36
    assert {"thyroid", "srbct", "monks-2", "colon", "madelon"} <= set(list_datasets(paper=False))
    assert set(list_datasets(carried=False)) == set(list_datasets()) - set(CARRIED)
    table = describe()
    assert table.index.to_list() == list_datasets()
    assert table.index[table["ready"]].to_list() == list_datasets(ready=True)
    assert table.loc["thyroid", ["source", "ready"]].to_list() == ["download", False]
    assert table.loc["srbct", ["source", "ready"]].to_list() == ["none", False]
    assert table.loc["pima", "source"] == "carried"
    assert table.loc["segmentation", "note"].count("2273") == 1


def test_wheel_finds_its_own_copy(tmp_path, monkeypatch):
    shutil.copy(loading_module.shared_folder("data") / "hay.arff", tmp_path)
    monkeypatch.setattr(loading_module, "shared_folder", lambda name: tmp_path)
    assert load("hay").provenance == str(tmp_path / "hay.arff")
    assert set(list_datasets(carried=True)) == {
        *("hay", "iris", "wine", "breast-w", "balance", "car", "nursery", "ttt"),
    }
    with pytest.raises(DatasetUnavailableError, match="pima"):
        load("pima")


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: b"",
        lambda text: b" \n\n",
        lambda text: text[: text.index(b"@data")],
        lambda text: text[: text.index(b"@data") + 6],
        lambda text: text[:60],
        lambda text: text.replace(b"@attribute", b"@atribute", 1),
        lambda text: text.replace(b"@data\n", b"@data\n1,2\n"),
        lambda text: gzip.compress(text, mtime=0)[:150],
        lambda text: b"\x1f\x8b" + text,
        lambda text: b"\xff" + text,
        lambda text: b"PK\x03\x04\x00\x00",
    ],
)
def test_a_file_whose_beginning_is_damaged_is_not_ready(tmp_path, monkeypatch, damage):
    data = load("car")
    path = put(tmp_path, "car", data.X, data.y)
    text = path.read_bytes()
    monkeypatch.setenv("ACOIBL_DATA", str(tmp_path))
    assert describe().loc["car", ["source", "ready", "state"]].to_list() == [
        "folder", True, "file found"
    ]  # fmt: skip
    path.write_bytes(damage(text))
    assert describe().loc["car", ["source", "ready", "state"]].to_list() == [
        "folder", False, "file damaged"
    ]  # fmt: skip
    assert "car" not in list_datasets(ready=True)
    assert "car" in list_datasets(ready=False, paper=True, carried=True)
    with pytest.raises(DataFileError):
        load("car")


def test_a_beginning_is_read_as_the_whole_file_is(tmp_path):
    data = load("car")
    text = put(tmp_path, "car", data.X, data.y).read_text("utf-8")
    path = tmp_path / "x.arff"
    for raw in (
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.replace("\n", "\r\n").encode(),
        gzip.compress(text.encode("utf-16"), mtime=0),
        text.replace("@data", "% c\n@DATA  \n\n% d").encode(),
    ):
        path.write_bytes(raw)
        check_head(path)
        assert len(read_table(path)[0]) == 1728
    path.write_text(text + "1,2,3\n", encoding="utf-8")
    check_head(path)  # what comes later is seen by whoever loads it
    with pytest.raises(DataFileError, match=f"line {text.count(chr(10)) + 1}:"):
        read_table(path)
    with pytest.raises(DataFileError, match="cannot read its beginning"):
        check_head(tmp_path / "none.arff")
    head, rows = text.split("@data\n")
    path.write_text(f"{head}@data {rows}", encoding="utf-8")
    check_head(path)
    assert len(read_table(path)[0]) == 1728
    path.write_text(f"{head}@data 1,2\n{rows}", encoding="utf-8")
    with pytest.raises(DataFileError, match="2 values"):
        check_head(path)


def test_states(monkeypatch, tmp_path):
    states = describe()["state"]
    assert states["car"] == states["iris"] == states["pima"] == "yes"
    assert states["credit-a"] == states["srbct"] == "no"
    entry = read_catalogue()["credit-a"]
    file = tmp_path / "cache" / download_module._file_name(entry)
    file.parent.mkdir()
    for content, state in ((b"", "file damaged"), (b"PK", "file found")):
        file.write_bytes(content)
        assert describe().loc["credit-a", "state"] == state
        assert ("credit-a" in list_datasets(ready=True)) == (state == "file found")


# ---------------------------------------------------------------------------------- downloads


def archive_of(entry, data, path):
    """The original archive, rebuilt from the table by the catalogue's layout."""
    layout = entry.download
    mark, gap = layout.get("missing", "?"), "\t" if layout["separator"] == "blank" else ","
    back = {new: old for old, new in layout.get("names", {}).items()}
    lines = ["names"] * layout.get("skip", 0)
    specs = layout["columns"].split()
    for (_, row), label in zip(data.X.iterrows(), data.y, strict=True):
        cells = []
        for spec in specs:
            name = spec.strip("#-")
            value = "id" if spec[0] == "-" else label if name == "class" else row[name]
            value = back.get(value, value) if name == "class" else value
            cells.append(mark if pd.isna(value) else str(value))
        lines.append(gap.join(cells) + (" " if gap == "\t" else ""))
    if layout.get("broken_rows"):
        lines[5] = lines[5][:40] + "\n" + lines[5][40:]
    members = layout["members"]
    with zipfile.ZipFile(path, "w") as archive:
        for i, member in enumerate(members):
            part = lines[i :: len(members)] if len(members) == 1 else lines[i * 3772 :][:3772]
            archive.writestr(member, "\n".join(part) + "\n")


DOWNLOADS = [name for name, entry in read_catalogue().items() if entry.download]


@needs_real_files
@pytest.mark.parametrize("name", DOWNLOADS)
def test_every_layout_gives_the_catalogues_table(name, monkeypatch, tmp_path):
    monkeypatch.setenv("ACOIBL_DATA", REAL)
    data, entry = load(name), read_catalogue()[name]
    monkeypatch.delenv("ACOIBL_DATA")
    file = tmp_path / "cache" / download_module._file_name(entry)
    file.parent.mkdir()
    archive_of(entry, data, file)
    X, y, kept = download_table(entry)
    assert kept == file
    assert table_checksum(*tidy_table(X, y)) == entry.sha256
    if name not in CARRIED:
        again = load(name)
        assert (again.source, again.checksum) == ("download", entry.sha256)
        assert name in list_datasets(ready=True)


def small_archive(path, text="1 2\n", member="australian.dat"):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, text)
    return path


def fake_retrieve(monkeypatch, make):
    import pooch

    calls = []

    def retrieve(url, known_hash, fname, path, downloader):
        calls.append(url)
        Path(path).mkdir(parents=True, exist_ok=True)
        return str(make(Path(path) / fname))

    monkeypatch.setattr(pooch, "retrieve", retrieve)
    return calls


def test_download_of_another_version_is_refused_and_kept_only_once(monkeypatch):
    row = " ".join(["1"] * 14)
    calls = fake_retrieve(monkeypatch, lambda path: small_archive(path, f"{row} 1\n{row} 0\n"))
    for _ in range(2):
        with pytest.raises(ChecksumError, match="2 rows") as caught:
            load("credit-a")
    assert "ACOIBL_DATA" in str(caught.value)
    assert calls == [read_catalogue()["credit-a"].download["url"]]
    assert load("credit-a", check=False).y.tolist() == ["1", "0"]


@pytest.mark.parametrize(
    "make",
    [
        lambda path: small_archive(path, member="other"),
        lambda path: small_archive(path),
        lambda path: path.write_text("<html>moved</html>") and path,
    ],
    ids=["member missing", "another layout", "no archive"],
)
def test_a_wrong_download_is_taken_away_again(monkeypatch, make, tmp_path):
    calls = fake_retrieve(monkeypatch, make)
    for n in (1, 2):
        with pytest.raises(DataFileError):
            load("credit-a")
        assert len(calls) == n
    assert not list((tmp_path / "cache").iterdir())


@pytest.mark.parametrize("damage", ["cut off", "emptied", "middle"])
def test_a_kept_download_that_is_damaged_is_made_anew(monkeypatch, tmp_path, damage):
    row = " ".join(["1"] * 14)
    text = "".join(f"{row} {i % 2}\n" for i in range(400))

    def make(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("australian.dat", text)
        return path

    calls = fake_retrieve(monkeypatch, make)
    assert len(load("credit-a", check=False).y) == 400
    (file,) = (tmp_path / "cache").iterdir()
    whole = file.read_bytes()
    file.write_bytes(
        {
            "cut off": whole[: len(whole) // 2],
            "emptied": b"",
            "middle": whole[:60] + b"\xff" * 20 + whole[80:],
        }[damage]
    )
    assert len(load("credit-a", check=False).y) == 400
    assert len(calls) == 2
    assert file.read_bytes() == whole


def test_offline_says_what_was_tried_and_what_to_do(monkeypatch):
    def retrieve(**_):
        raise ConnectionError("a long story of sockets")

    import pooch

    monkeypatch.setattr(pooch, "retrieve", lambda url, **_: retrieve())
    with pytest.raises(DatasetUnavailableError) as caught:
        load("credit-a")
    text = str(caught.value)
    url = read_catalogue()["credit-a"].download["url"]
    for part in (url, "ACOIBL_DATA", "credit-a.arff"):
        assert part in text
    assert "sockets" not in text
    assert caught.value.__suppress_context__


def test_a_folder_of_downloads_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    import pooch

    monkeypatch.setattr(pooch, "retrieve", lambda *_, **__: pytest.fail("tried to download"))
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    monkeypatch.setenv("ACOIBL_CACHE", str(in_the_way / "cache"))
    with pytest.raises(DatasetUnavailableError, match=r"cache cannot be written.*ACOIBL_CACHE"):
        load("credit-a")
    assert not describe().loc["credit-a", "ready"]


def test_no_download_when_not_allowed_or_not_known(monkeypatch):
    import pooch

    monkeypatch.setattr(pooch, "retrieve", lambda *_, **__: pytest.fail("tried to download"))
    for name, options in (("credit-a", {"download": False}), ("srbct", {}), ("breast-tissue", {})):
        with pytest.raises(DatasetUnavailableError, match=rf"Put {name}\.arff"):
            load(name, **options)


def test_original_files_may_be_short_or_wrong():
    entry = read_catalogue()["credit-a"]
    with pytest.raises(DataFileError, match="2 values instead of 15"):
        parse_original(["1 2\n"], entry, "f")
    good = "1 22.08 11.46 2 4 4 1.585 0 0 0 1 2 100 1213 0"
    with pytest.raises(DataFileError, match="line 2: column 'A2' is numeric"):
        parse_original([f"{good}\n{good.replace('22.08', 'x')}\n"], entry, "f")


# --------------------------------------------------------------------------- the data folder


def test_readme_names_every_carried_file():
    folder = loading_module.shared_folder("data")
    readme = (folder / "README.md").read_text("utf-8")
    table = readme.split("<!-- written by data/build.py -->")[1]
    files = {path.name.split(".")[0] for path in folder.glob("*.arff*")}
    for name in files:
        row = next(line for line in table.splitlines() if line.startswith(f"| {name} |"))
        assert read_catalogue()[name].citation in row
        assert read_catalogue()[name].licence in row
    assert table.count("\n| ") == len(files) + 1
    assert sum(path.stat().st_size for path in folder.glob("*.arff*")) < 3_000_000


def test_catalogue_file_has_no_unknown_field():
    text = (Path(datasets.__file__).parent / "catalogue.toml").read_text("utf-8")
    assert len(tomllib.loads(text)) == len(read_catalogue())
