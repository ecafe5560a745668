"""Whether line 1 of a CSV file is a header, and what separates its cells: told, or refused."""

import io

import numpy as np
import pandas as pd
import pytest

from acoibl.datasets import DataFileError, check_file, read_table


def read(tmp_path, text, **options):
    path = tmp_path / "file.csv"
    path.write_text(text, "utf-8")
    return read_table(path, **options)


WORDS = "x,s,n,p\nx,s,y,e\nb,s,w,e\nx,y,w,p\nb,s,y,p\n"  # mushrooms, without a header


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("T,2,8,3\nI,5,12,3\nT,4,11,6\n", "'T' stands again in its column, on line 3"),
        ("95,48,van\n91,41,saab\n104,50,van\n", "'van' stands again"),
        ("38, 59, 2, negative\n39, 63, 4, negative\n49, 62, 1, positive\n", "'negative' stands"),
        (WORDS, "'x' stands again in its column, on line 2"),
        ("1,2,3\n4,5,6\n", "it holds numbers only"),
        ("5.1,?,u\n4.9,3.0,v\n4.7,3.2,w\n", "'5.1' is a number like those below it"),
        ("5.1,,u\n4.9,3.0,v\n4.7,3.2,w\n", "'5.1' is a number like those below it"),
        ("k.A.,3,u\n1.5,4,v\n2.5,5,u\n", "'u' stands again"),
        ('"1,5";3;x\n"2,5";4;y\n"3,5";5;z\n', "'1,5' is a number like those below it"),
        ("-1,k\n1,u\n2,v\n", "'-1' is a number like those below it"),
        ("x,y\nx,y\nv,z\n", "the next line says the same"),
        ("x,y\nu,w\nv,z\n", "cannot tell whether this line"),
        ("1e5,k\n1,u\n2,v\n", "cannot tell whether this line"),
        ("1,Mick,Stones\n2,John,Beatles\n3,Paul,Beatles\n", "'1' is a number like those"),
    ],
)
def test_what_is_no_header_or_may_be_none_is_refused(tmp_path, text, reason):
    with pytest.raises(DataFileError, match=r"header=True .* header=False") as caught:
        read(tmp_path, text)
    assert caught.value.line == 1
    assert reason in caught.value.problem


def test_the_caller_may_say_whether_there_is_a_header(tmp_path):
    text = "T,2,8,3\nI,5,12,3\nT,4,11,6\n"
    X, y = read(tmp_path, text, header=False)
    assert X.columns.tolist() == ["column1", "column2", "column3"]
    assert X["column1"].tolist() == ["T", "I", "T"]
    assert (y.name, y.tolist()) == ("column4", ["3", "3", "6"])
    X, y = read(tmp_path, text, header=True)
    assert [*X.columns, y.name, len(X)] == ["T", "2", "8", "3", 2]


@pytest.mark.parametrize(
    "names",
    [
        ["inf", "nan", "1e5", "-1", "k"],
        ["1100.5", "1102.5", "1104.5", "1106.5", "class"],
        ["id", "1960", "1961", "1962", "k"],
        ["Size, cm", "0", "1", "2", "k"],
    ],
)
@pytest.mark.parametrize("n", [100, 400])
def test_names_may_be_numbers(tmp_path, names, n):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((n, 4)).round(3), columns=names[:4])
    table[names[4]] = np.where(np.arange(n) % 2, "u", "v")
    text = io.StringIO()
    table.to_csv(text, index=False)
    X, y = read(tmp_path, text.getvalue())
    assert [*X.columns, y.name] == names
    np.testing.assert_array_equal(X.to_numpy(), table.iloc[:, :4].to_numpy())
    # The same rows without that line are never read as n - 1 rows.
    text = io.StringIO()
    table.to_csv(text, index=False, header=False)
    with pytest.raises(DataFileError, match="header=False"):
        read(tmp_path, text.getvalue())


def test_rows_that_alternate_do_not_hide_that_the_first_is_one_of_them(tmp_path):
    levels, shares = ",".join(["4000{0}"] * 8), ",".join(["{1}.5"] * 8)
    pair = f"c{{0}},u,{levels}\nc{{0}},v,{shares}\n"
    text = "".join(pair.format(i, i % 7) for i in range(600))
    with pytest.raises(DataFileError, match="looks like data: 'c0'"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "inf,k\n1,u\n2,v\n",
        "nan,a,k\n1,2,u\n2,3,v\n",
        "a,1e5,k\n1,2,u\n2,3,v\n",
        "1100.5,1102.5,class\n0.12,0.13,u\n0.14,0.2,v\n",
        "x,-1,b,k\n1,2,3,u\n4,3,3,v\n",
    ],
)
def test_a_few_rows_are_enough_where_a_row_could_not_say_that(tmp_path, text):
    X, y = read(tmp_path, text)
    assert [*X.columns, y.name] == text.split("\n")[0].split(",")
    assert len(X) == 2


def test_words_over_words_are_a_header_where_the_values_recur(tmp_path):
    X, y = read(tmp_path, "cap,gill,odour,class\n" + WORDS * 3)
    assert (len(X), y.name) == (15, "class")


def test_a_name_may_be_a_value_of_its_column_where_others_are_not(tmp_path):
    X, _ = read(tmp_path, "a,size,weight,k\na,1,2,u\nb,2,3,v\nb,4,4,u\n")
    assert X["a"].tolist() == ["a", "b", "b"]


def test_check_takes_the_same_options_and_says_how_the_file_was_understood(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("T;2;NULL\nI;5;a\nT;4;b\n")
    text = check_file(path, "column1", header=False, delimiter=";", missing_values=["NULL"])
    assert "format: CSV, delimiter ';', without a header" in text
    assert "missing: 1 cell in 1 column" in text


# ---------------------------------------------------------------------------- delimiters


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"Size, cm, or so";class\n1.5;a\n2.5;b\n', ["Size, cm, or so", "class"]),
        ("Size, cm, net;a;class\n1.5;1;a\n2.5;2;b\n", ["Size, cm, net", "a", "class"]),
        ("a|b|c,class\n1.5,a\n2.5,b\n", ["a|b|c", "class"]),
        ("a;b;c\tclass\n1.5\ta\n2.5\tb\n", ["a;b;c", "class"]),
        ("sep=;\na, b;class\n1.5;a\n2.5;b\n", ["a, b", "class"]),
        ('"sep=\t"\na\tclass\n1.5\ta\n2.5\tb\n', ["a", "class"]),
    ],
)
def test_the_delimiter_gives_all_lines_one_width(tmp_path, text, names):
    X, y = read(tmp_path, text)
    assert [*X.columns, y.name] == names
    assert X.iloc[:, 0].tolist() == [1.5, 2.5]
    assert y.tolist() == ["a", "b"]


def test_a_draw_of_delimiters_is_refused(tmp_path):
    text = "Size, cm;class\n1,5;a\n2,5;b\n"
    with pytest.raises(DataFileError, match=r"separated by ',' or by ';'.*delimiter="):
        read(tmp_path, text)
    with pytest.raises(DataFileError, match=r"'1,5' looks like a number with a decimal comma"):
        read(tmp_path, text, delimiter=";")
    X, y = read(tmp_path, text.replace("1,5", "1, 5"), delimiter=",")
    assert (X.columns[0], y.name) == ("Size", "cm;class")
    with pytest.raises(ValueError, match="one character"):
        read(tmp_path, text, delimiter=", ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a b k\n1 2 u\n3 4 v\n", "separated by blanks"),
        ("a,b,k\n1,2,u\n1,2,3,v\n", "4 values where the header has 3 columns"),
        ("a,b,k\n1,2,u\n1,2\n", "cut off"),
        ("a,k\n1,2,u\n3,4,v\n", "row names without a name in front"),
        (",a,k\n1,2,u\n2,4,v\n", "row numbers in front"),
    ],
)
def test_rows_of_another_width_say_what_may_be_the_cause(tmp_path, text, problem):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, text)
    assert problem in caught.value.problem
    assert ("cut off" in caught.value.problem) == ("cut off" in problem)
