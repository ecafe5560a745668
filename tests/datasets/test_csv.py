"""The CSV reader, and what --check says about a file."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl.datasets import DataFileError, check_file, read_table
from acoibl.datasets.columns import to_number
from acoibl.datasets.csv_table import parse_csv


def read(tmp_path, text, name="file.csv", target=None):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_table(path, target)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_kinds_are_inferred(tmp_path, delimiter):
    text = "size,colour,code,class\n1.5,red,007,yes\n?,NA,8,no\n-3e2,blue,,yes\n"
    X, y = read(tmp_path, text.replace(",", delimiter))
    assert X["size"].tolist()[::2] == [1.5, -300.0]
    assert X.isna().to_numpy().tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 1]]
    assert X["colour"].cat.categories.tolist() == ["blue", "red"]
    assert X["code"].tolist()[:2] == [7.0, 8.0]
    assert y.tolist() == ["yes", "no", "yes"]


@pytest.mark.parametrize(
    "text",
    [
        "a,b,k\r\n1,x,u\r\n2,y,v\r\n",
        "\ufeffa,b,k\n1,x,u\n2,y,v",
        'a, "b",k \n1,"x",u\n\n2, "y",v\n\n',
        ("a,b,k\n1,x,u\n2,y,v\n").encode("utf-16"),
        gzip.compress(b"a,b,k\n1,x,u\n2,y,v\n", mtime=0),
    ],
    ids=["crlf", "bom", "quotes and blank lines", "utf-16", "gzip"],
)
def test_harmless_variants_read_the_same(tmp_path, text):
    X, y = read(tmp_path, text)
    assert X.columns.tolist() == ["a", "b"]
    assert (X["a"].tolist(), X["b"].tolist(), y.tolist()) == ([1.0, 2.0], ["x", "y"], ["u", "v"])


def test_names_and_categories_are_kept_letter_for_letter(tmp_path):
    odd = ["<script>alert(1)</script>", "$\\alpha_1$ & 50%", "**bold** | `code`", 'a "b", c', "é…"]
    out = io.StringIO()
    csv.writer(out).writerows([[*odd[:2], "k"], *([value, "1", "c"] for value in odd)])
    X, _ = read(tmp_path, out.getvalue())
    assert X.columns.tolist() == odd[:2]
    assert X.iloc[:, 0].tolist() == odd


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", None, "empty"),
        ("a,b,k\n", None, "no rows"),
        ("1,2,3\n4,5,6\n", 1, "header with column names"),
        ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n", 1, "looks like data: 'Iris-setosa'"),
        ("a,b,a\n1,2,3\n", 1, "'a' stands twice (columns 1 and 3)"),
        ("a,,k\n1,2,3\n", 1, "column 2 of the header has no name"),
        ("a,b,k\n1,2,u\n1,2\n1,2,u\n", 3, "2 values where the header has 3"),
        ("a,b,k\n1,2,u\n1,2", 3, "cut off"),
        ("a,b,k\n1,2,u,9\n", 2, "4 values"),
        ('a,b,k\n1,"2,u\n', 2, "cannot split"),
        ('a,b,k\n1,"x\ny",u\n1,2\n', 4, "2 values"),
        ("a,b,k\n1,2,u\n1,inf,v\n", 3, "infinite"),
        ("a,b,k\n1,2,u\n1,2,?\n", 3, "is missing in 1 rows"),
        ("a,b,k\n1,2,0.5\n", 2, "number with decimals"),
        ("a;k\n1;u\n?;v\n2,5;u\n", 4, "'2,5' looks like a number with a decimal comma"),
        ("k\nu\nv\n", None, "one column only"),
        (b"a,b,k\n1,\xff,u\n", 2, "UTF-8"),
        (b"PK\x03\x04\x00\x00", None, "cut-off or encrypted ZIP"),
        (gzip.compress(b"a,b,k\n" + b"1,2,u\n" * 999, mtime=0)[:-9], None, "cut-off gzip"),
    ],
)
def test_bad_files_name_the_line_and_the_problem(tmp_path, text, line, problem):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, text)
    assert (caught.value.line, problem in caught.value.problem) == (line, True), caught.value


def test_errors_are_value_errors_and_survive_pickling(tmp_path):
    import pickle

    with pytest.raises(ValueError, match="no column 'c'") as caught:
        read(tmp_path, "a,b\n1,2\n", target="c")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_class_of_whole_numbers_becomes_categories(tmp_path):
    _, y = read(tmp_path, "a,k\n1,1\n2,0\n3,10\n4,2\n")
    assert y.cat.categories.tolist() == ["0", "1", "2", "10"]
    assert y.tolist() == ["1", "0", "10", "2"]


cells = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\0\r"), max_size=6
).map(str.strip)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=6))
def test_every_cell_comes_back(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([("a", "b"), *rows])
    if any(_is_infinite(cell) or _has_decimal_comma(cell) for row in rows for cell in row):
        return
    table = parse_csv(out.getvalue(), "f", header=True).frame
    missing = {"", "?", "NA", "NaN", "nan", "N/A"}
    for j, name in enumerate("ab"):
        for row, cell in zip(rows, table[name], strict=True):
            if row[j] in missing:
                assert pd.isna(cell)
            elif isinstance(cell, str):
                assert cell == row[j]
            else:
                assert cell == float(row[j]) or np.isnan(float(row[j]))


def _is_infinite(cell):
    number = to_number(cell)
    return number is not None and np.isinf(number)


def _has_decimal_comma(cell):
    return "," in cell and to_number(cell.replace(",", ".", 1)) is not None


def test_check_says_what_was_read_and_what_is_odd(tmp_path):
    rows = "".join(f"{i},{i % 3},same,,n{i},{'yes' if i % 2 else 'no'}\n" for i in range(20))
    path = tmp_path / "mine.csv"
    path.write_text("x,y,z,empty,id,class\n" + rows + "3,0,same,,n3,yes\nl2,0,same,,q,maybe\n")
    text = check_file(path)
    for expected in (
        "mine.csv: 22 rows, 5 features (2 numeric, 3 categorical), class 'class'",
        "classes (3): maybe 1, no 10, yes 11",
        "missing: 22 cells in 1 column",
        "constant column: z",
        "column without any value: empty",
        "column 'x': 1 value of 22 no number ('l2', line 23)",
        "class with a single row: maybe (never both learnt and tested)",
        "rows that repeat an earlier row exactly: 1",
    ):
        assert expected in text, text
    assert "as many values as rows" not in text
    one = "there is one class only: the colony needs at least two classes"
    assert check_file(path, target="z").count(one) == 1
    assert "  empty  numeric   22 missing  no value at all\n" in text
    assert "nan" not in text
    with pytest.raises(DataFileError, match="did you mean 'empty'"):
        check_file(path, target="empt")


def test_check_finds_contradictions_and_identifiers(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,k\n" + "".join(f"v{i},u\n" for i in range(12)))
    assert "perhaps an identifier: a" in check_file(path)
    path.write_text("a,k\n1,u\n1,v\n2,u\n")
    assert "rows with the same features as a row of another class: 2" in check_file(path)
