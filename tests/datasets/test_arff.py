"""The ARFF reader: what it must accept, and the line it must name."""

import gzip

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acoibl.datasets import DataFileError, check_file, read_table
from acoibl.datasets.arff import format_arff, parse_arff
from acoibl.datasets.reading import read_frame

HEADER = (
    "@relation r\n@attribute a numeric\n@attribute b {x,'y z'}\n@attribute class {0,1}\n@data\n"
)


def read(tmp_path, text, name="file.arff", target=None):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_table(path, target)


def test_kinds_values_and_missing(tmp_path):
    X, y = read(tmp_path, HEADER + "1,x,0\n?,'y z',1\n-2.5e1,?,1\n")
    assert X["a"].dtype == np.float64
    assert X["a"].tolist()[0] == 1.0
    assert np.isnan(X["a"].iloc[1])
    assert X["a"].iloc[2] == -25.0
    assert X["b"].cat.categories.tolist() == ["x", "y z"]
    assert X["b"].isna().tolist() == [False, False, True]
    assert isinstance(y.dtype, pd.CategoricalDtype)
    assert (y.name, y.tolist()) == ("class", ["0", "1", "1"])


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("\n", "\r\n") + "1,x,0\r\n2,'y z',1\r\n",
        HEADER.replace("\n", "\r") + "1,x,0\r2,'y z',1",
        "\ufeff" + HEADER + "1,x,0\n2,'y z',1\n",
        "% comment\n\n" + HEADER.upper().replace("X,'Y Z'", "x,'y z'") + "% c\n1,x,0\n\n2,'y z',1",
        HEADER + ' 1 ,  x , 0 \n2,"y z" ,1\n',
        (HEADER + "1,x,0\n2,'y z',1\n").encode("utf-16"),
        gzip.compress((HEADER + "1,x,0\n2,'y z',1\n").encode(), mtime=0),
    ],
    ids=["crlf", "cr", "bom", "comments and capitals", "blanks", "utf-16", "gzip by content"],
)
def test_harmless_variants_read_the_same(tmp_path, text):
    X, y = read(tmp_path, text)
    assert X.iloc[:, 0].tolist() == [1.0, 2.0]
    assert X.iloc[:, 1].tolist() == ["x", "y z"]
    assert y.tolist() == ["0", "1"]


def test_quoted_values_keep_every_character(tmp_path):
    odd = ["head, and neck", "it's", 'say "x"', "back\\slash", "100%", "{a}", "?", "<b>&amp;$_#^`|"]
    values = ",".join("'" + v.replace("\\", "\\\\").replace("'", "\\'") + "'" for v in odd)
    cells = ["'" + v.replace("\\", "\\\\").replace("'", "\\'") + "'" for v in odd]
    rows = "\n".join(f"{cell},c" for cell in cells)
    X, _ = read(
        tmp_path, f"@relation r\n@attribute 'a b' {{{values}}}\n@attribute k {{c}}\n@data\n{rows}"
    )
    assert X["a b"].tolist() == odd
    assert not X["a b"].isna().any()


def test_string_attributes_become_categories(tmp_path):
    X, _ = read(tmp_path, "@relation r\n@attribute s string\n@attribute k {c,d}\n@data\nu,c\nt,d\n")
    assert X["s"].cat.categories.tolist() == ["t", "u"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("", None, "empty"),
        ("\n  \n", None, "empty"),
        ("@relation r\n@attribute a numeric\n", 2, "no @data"),
        ("@relation r\n@data\n1\n", 2, "before any @attribute"),
        (HEADER, 5, "no rows"),
        (HEADER + "1,x,0\n2,'y z'\n3,x,1\n", 7, "2 values where the header declares 3"),
        (HEADER + "1,x,0\n2,'y", 7, "quote is not closed"),
        (HEADER + "1,x,0\n2", 7, "cut off"),
        (HEADER + "1,x,0,0\n", 6, "4 values"),
        (HEADER + "1,x,0\n1,w,0\n", 7, "'w' is not among"),
        (HEADER + "one,x,0\n", 6, "'one' is no number"),
        (HEADER + "1_000,x,0\n", 6, "no number"),
        (HEADER + "inf,x,0\n", 6, "not a finite number"),
        (HEADER + "NaN,x,0\n", 6, "not a finite number"),
        (HEADER + ",x,0\n", 6, "no number"),
        (HEADER + "1,,0\n", 6, "not among"),
        (HEADER + "1,x,0\n1,x,?\n", 7, "class 'class' is missing in 1 rows"),
        (HEADER + "1,'x' y,0\n", 6, "text follows it"),
        (HEADER.replace("attribute b", "attribute a") + "1,x,0\n", 3, "stands twice"),
        (HEADER.replace("{x,'y z'}", "{x,x}") + "1,x,0\n", 3, "declares 'x' twice"),
        (HEADER.replace("{x,'y z'}", "{x,y") + "1,x,0\n", 3, "closing brace"),
        (HEADER.replace("{x,'y z'}", "date 'yyyy'") + "1,x,0\n", 3, "has the type"),
        (HEADER.replace("@attribute b", "@column b") + "1,x,0\n", 3, "expected @relation"),
        (HEADER.replace("attribute b {", "attribute {") + "1,x,0\n", 3, "cannot read"),
        (HEADER.replace("attribute b", "attribute ' '") + "1,x,0\n", 3, "without a name"),
        ("@relation r\n@attribute class {0,1}\n@data\n0\n", None, "one column only"),
        (HEADER.encode() + b"1,\xe9,0\n", 6, "UTF-8"),
        (HEADER.encode() + b"1,\x00,0\n", 6, "zero byte"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 3, "no text file"),
        (gzip.compress((HEADER + "1,x,0\n" * 99).encode(), mtime=0)[:60], None, "cut-off gzip"),
        (b"\x1f\x8b" + b"junk" * 20, None, "gzip"),
    ],
)
def test_bad_files_name_the_line_and_the_problem(tmp_path, text, line, problem):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, text)
    assert caught.value.line == line
    assert problem in caught.value.problem
    assert "file.arff" in str(caught.value)
    assert line is None or f"line {line}:" in str(caught.value)


def test_missing_file_and_missing_class_column(tmp_path):
    with pytest.raises(DataFileError, match="No such file"):
        read_table(tmp_path / "nothing.arff")
    with pytest.raises(DataFileError, match="cannot open"):
        read_table(tmp_path)
    with pytest.raises(DataFileError, match="did you mean 'class'"):
        read(tmp_path, HEADER + "1,x,0\n", target="clas")


def test_the_class_may_stand_anywhere(tmp_path):
    X, y = read(tmp_path, HEADER + "1,x,0\n2,'y z',1\n", target="b")
    assert X.columns.tolist() == ["a", "class"]
    assert y.tolist() == ["x", "y z"]


def test_numeric_class(tmp_path):
    header = HEADER.replace("{0,1}", "numeric")
    _, y = read(tmp_path, header + "1,x,10\n2,x,9\n3,x,-1\n")
    assert y.tolist() == ["10", "9", "-1"]
    assert y.cat.categories.tolist() == ["-1", "9", "10"]
    with pytest.raises(DataFileError, match="line 7: the class 'class' is a number with decimals"):
        read(tmp_path, header + "1,x,1\n2,x,0.5\n")


names = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=8
).filter(lambda text: text.strip())
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_what_is_written_is_read_back(tmp_path_factory, data):
    columns = data.draw(st.lists(names, min_size=2, max_size=4, unique=True))
    values = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    n = data.draw(st.integers(1, 5))
    table = pd.DataFrame(
        {
            name: pd.Series(data.draw(st.lists(numbers, min_size=n, max_size=n)), dtype=float)
            if j % 2 == 0
            else pd.Categorical.from_codes(
                data.draw(st.lists(st.integers(-1, len(values) - 1), min_size=n, max_size=n)),
                categories=values,
            )
            for j, name in enumerate(columns)
        }
    )
    path = tmp_path_factory.mktemp("arff") / "t.arff"
    path.write_text(format_arff(table, "a relation's name", ["a comment"]), "utf-8", newline="\n")
    read_back = read_frame(path)
    back = read_back.frame
    assert back.columns.tolist() == columns
    assert len(read_back.lines) == n
    for name in columns:
        if isinstance(table[name].dtype, pd.CategoricalDtype):
            assert back[name].cat.categories.tolist() == values
            assert back[name].cat.codes.tolist() == table[name].cat.codes.tolist()
        else:
            np.testing.assert_array_equal(back[name], table[name])


def test_a_row_may_be_separated_by_tabs():
    table = parse_arff(["@attribute a real", "@attribute b {u,v}", "@data", "1\tu", "2\tv"], "f")
    assert table.frame["b"].tolist() == ["u", "v"]


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("@data\n", "@data 1,x,0\n") + "2,'y z',1\n",
        HEADER.replace("@data\n", "@DATA\t1,x,0 % first\n") + "2,'y z',1\n",
        HEADER.replace("@data", "@data % 2 rows") + "1,x,0\n2,'y z',1\n",
        HEADER.replace("'y z'}", "'y z'} % x is an 'a', not a {b}") + "1,x,0\n2,'y z',1\n",
        HEADER.replace("'y z'}", "'y z'}%{<=50K, >50K}") + "1,x,0\n2,'y z',1\n",
        HEADER.replace("'y z'}", "'y z'}   %{a}") + "1,x,0 % it's\n2,'y z',1  %{\n",
        HEADER.replace("numeric", "numeric % in cm") + "1,x,0\n2,'y z',1\n",
        HEADER.replace("{x,'y z'}", "{ x 'y z' }") + "1,x,0\n2,'y z',1\n",
        HEADER + "1\tx\t0\n2\t'y z'\t1\n",
        HEADER + "1 x  0\n2 'y z' 1\n",
        HEADER + "1,x,0\n2,'y z',1\n\x1a",
        HEADER + "1,x,0\n2,'y z',1\x1a\r\n",
        HEADER + "{0 1}\n{0 2, 1 'y z',2 1}\n",
        HEADER + "{ 0 1 , 2 0 } % sparse\n2,'y z',1\n",
    ],
)
def test_what_weka_reads_is_read_the_same(tmp_path, text):
    X, y = read(tmp_path, text)
    assert X["a"].tolist() == [1.0, 2.0]
    assert X["b"].tolist() == ["x", "y z"]
    assert y.tolist() == ["0", "1"]


def test_a_percent_sign_within_a_value_is_no_comment(tmp_path):
    header = "@relation r\n@attribute a {5%,'6 % x'}\n@attribute k {u}\n@data\n"
    X, _ = read(tmp_path, header + "5%,u\n'6 % x',u % comment\n")
    assert X["a"].tolist() == ["5%", "6 % x"]


def test_sparse_rows(tmp_path):
    X, y = read(tmp_path, HEADER + "{}\n{0 ?, 2 1}\n{1 'y z'}\n{0 -1.5,1 ?}\n")
    assert X["a"].tolist()[::2] == [0.0, 0.0]
    assert np.isnan(X["a"].iloc[1])
    assert X["a"].iloc[3] == -1.5
    assert X["b"].tolist()[:3] == ["x", "x", "y z"]
    assert pd.isna(X["b"].iloc[3])
    assert y.tolist() == ["0", "1", "0", "0"]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("{0 1,1 x", "no closing brace"),
        ("{0 1},{2}", "weights of rows are not read"),
        ("1,x,0,{2}", "a weight of the row"),
        ("{0 1,3 x}", "index 3 of a sparse row is none of 0 to 2"),
        ("{0 1,0 2}", "index 0 of a sparse row stands twice"),
        ("{1}", "an index, a blank and a value"),
        ("{x 1}", "an index, a blank and a value"),
        ("{1 w}", "'w' is not among its declared values"),
        ("1,x,0,0", "4 values where the header declares 3 columns"),
    ],
)
def test_bad_rows_say_what_is_wrong(tmp_path, rows, problem):
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, HEADER + rows + "\n")
    assert caught.value.line == 6
    assert problem in caught.value.problem
    assert "cut off" not in caught.value.problem


def test_a_string_must_be_given_in_a_sparse_row(tmp_path):
    header = "@relation r\n@attribute s string\n@attribute k {u,v}\n@data\n"
    assert read(tmp_path, header + "{0 a}\n{0 b,1 v}\n")[0]["s"].tolist() == ["a", "b"]
    with pytest.raises(DataFileError, match="line 6: column 's' is of type string"):
        read(tmp_path, header + "{0 a}\n{1 v}\n")


def test_text_after_a_value_list_is_refused(tmp_path):
    with pytest.raises(DataFileError, match="line 3: 'low' follows the value list of 'b'"):
        read(tmp_path, HEADER.replace("'y z'}", "'y z'} low") + "1,x,0\n")


KEEL = """@relation  iris
@attribute SepalLength real [4.3, 7.9]
@attribute Class {setosa, versicolor}
@attribute Width integer[0,9]
@attribute Id integer [1,9]
@inputs SepalLength, Width
@outputs Class
@data
5.1, setosa, 3, 1
<null>, versicolor, 2, 2
"""


def test_keel(tmp_path):
    X, y = read(tmp_path, KEEL, "iris.dat")
    assert X.columns.tolist() == ["SepalLength", "Width"]
    assert X["Width"].tolist() == [3.0, 2.0]
    assert X["SepalLength"].isna().tolist() == [False, True]
    assert (y.name, y.tolist()) == ("Class", ["setosa", "versicolor"])
    X, y = read(tmp_path, KEEL, "iris.dat", target="Width")
    assert (X.columns.tolist(), y.tolist()) == (["SepalLength", "Class"], ["3", "2"])
    assert "format: KEEL" in check_file(tmp_path / "iris.dat")


def test_keel_without_its_lists_and_with_their_other_names(tmp_path):
    text = KEEL.replace("@inputs SepalLength, Width\n@outputs Class\n", "")
    X, y = read(tmp_path, text, "iris.dat")
    assert (X.columns.tolist(), y.name) == (["SepalLength", "Class", "Width"], "Id")
    assert X["SepalLength"].isna().sum() == 1
    X, y = read(tmp_path, KEEL.replace("puts ", "put ").replace("Width\n@o", "Width,\n@o"))
    assert (X.shape, y.name) == ((2, 2), "Class")
    with pytest.raises(DataFileError, match="line 6: @inputs names 'Weight', which no @attribute"):
        read(tmp_path, KEEL.replace("SepalLength, Width", "SepalLength, Weight"))
    with pytest.raises(DataFileError, match="line 8: column 'a' is numeric, but '<null>'"):
        read(tmp_path, HEADER + "1,x,0\n2,x,1\n<null>,x,0\n")
