"""Packed files: the same table, or an error that says what to do."""

import bz2
import gzip
import io
import lzma
import zipfile

import pytest

from acoibl.datasets import DataFileError, read_table
from acoibl.datasets.reading import check_head

CSV = b"a,k\n1,u\n2,v\n"
ARFF = b"@relation r\n@attribute a real\n@attribute k {u,v}\n@data\n1,u\n2,v\n"


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zip": lambda content: zipped(**{"folder/": b"", "folder/data": content, "__MACOSX/._d": b"x"}),
}


@pytest.mark.parametrize("content", [CSV, ARFF], ids=["csv", "arff"])
@pytest.mark.parametrize("name", ["file", "file.arff.{}", "file.{}"])
@pytest.mark.parametrize("kind", PACKERS)
def test_packed_files_are_known_by_their_content(tmp_path, kind, name, content):
    if content == CSV and "arff" in name and kind != "zip":
        content = ARFF
    path = tmp_path / name.format(kind)
    path.write_bytes(PACKERS[kind](content))
    X, y = read_table(path)
    assert (X["a"].tolist(), y.tolist()) == ([1.0, 2.0], ["u", "v"])
    if content == ARFF:
        check_head(path)


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_file_cut_anywhere(tmp_path, kind):
    path = tmp_path / "file"
    whole = PACKERS[kind](ARFF * 1)
    for end in range(1, len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(DataFileError):
            read_table(path)
        if end < len(whole) // 2:
            with pytest.raises(DataFileError):
                check_head(path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (zipped(), "holds no file"),
        (zipped(**{"a.csv": CSV, "b.csv": CSV}), r"holds 2 files \(a.csv, b.csv\)"),
        (zipped(**{"[Content_Types].xml": b"", "xl/workbook.xml": b""}), "save its sheet as CSV"),
        (zipped(**{"a.csv": gzip.compress(CSV)}), "no text file|not UTF-8"),
    ],
)
def test_archives_that_are_no_single_file(tmp_path, content, problem):
    path = tmp_path / "file.zip"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=problem):
        read_table(path)


def test_a_text_that_begins_like_bzip2(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("BZh9,k\n1,u\n2,v\n")
    assert read_table(path)[0].columns.tolist() == ["BZh9"]
