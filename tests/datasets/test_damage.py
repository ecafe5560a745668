"""Any damage to a file gives a table or a DataFileError, nothing else."""

import gzip
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl.datasets import DataFileError, check_file, read_table

ARFF = (
    b"% c\n@relation 'a b'\n@attribute 'x 1' numeric\n@attribute y {u,'v w',\"it's\"}\n"
    b"@attribute class {0,1}\n@data\n1.5,u,0\n?,'v w',1\n-2e3,\"it's\",1\n"
)
CSV = b'a,"b c",k\n1.5,x,u\n?,"y, z",v\n3,"q ""r""",u\n'


def answer(path):
    try:
        X, y = read_table(path)
        check_file(path)
    except DataFileError as error:
        return str(error)
    return (len(X), len(y))


@settings(max_examples=150, deadline=None)
@given(
    original=st.sampled_from([ARFF, CSV]),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(["cut", "put", "swap"]), st.binary(max_size=3)),
        min_size=1,
        max_size=4,
    ),
    zipped=st.booleans(),
    suffix=st.sampled_from([".arff", ".csv"]),
)
def test_edited_bytes(tmp_path_factory, original, edits, zipped, suffix):
    raw = gzip.compress(original, mtime=0) if zipped else original
    for place, kind, extra in edits:
        at = int(place * len(raw))
        end = {"cut": at + len(extra) + 1, "put": at, "swap": at + len(extra)}[kind]
        raw = raw[:at] + (b"" if kind == "cut" else extra) + raw[end:]
    path = tmp_path_factory.mktemp("damage") / f"file{suffix}"
    path.write_bytes(raw)
    assert answer(path)


@pytest.mark.parametrize("original", [ARFF, CSV], ids=["arff", "csv"])
def test_a_file_cut_anywhere(tmp_path, original):
    path = tmp_path / "file"
    for end in range(len(original)):
        path.write_bytes(original[:end])
        result = answer(path)
        # A cut that leaves whole rows (or a shorter last word that is a value too) cannot be seen.
        assert isinstance(result, str) or result[0] <= original[:end].count(b"\n") + 1


def test_many_random_texts(tmp_path):
    rng = random.Random(0)
    words = ["@attribute", "@data", "@relation", "a", "numeric", "{", "}", ",", "'", '"', "\\", "%"]
    words += ["\n", "\n", " ", "1", "?", "x", "\t", ";", "{a,b}"]
    path = tmp_path / "file.arff"
    for _ in range(300):
        path.write_text("".join(rng.choice(words) for _ in range(rng.randint(1, 40))))
        assert answer(path)
