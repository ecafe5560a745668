"""Columns that are numbers in another way of writing: refused, or told of."""

import warnings

import pytest

from acoibl.datasets import DataFileError, DataFileWarning, check_file, read_table
from acoibl.datasets.doubts import other_readings

NUMBERS = [str(number) for number in range(20)]


def write(tmp_path, cells, name="a"):
    path = tmp_path / "file.csv"
    rows = [f"{cell};{'uv'[i % 2]}" for i, cell in enumerate(cells)]
    path.write_text("\n".join([f"{name};k", *rows]) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("cell", "readings"),
    [
        ("1,5", {"a decimal comma": 1.5}),
        (",5", {"a decimal comma": 0.5}),
        ("-1,5e-3", {"a decimal comma": -0.0015}),
        ("1.234,56", {"a decimal comma": 1234.56}),
        ("1,200", {"a decimal comma": 1.2, "commas between the thousands": 1200}),
        ("1,234,567", {"commas between the thousands": 1234567}),
        ("1,234.5", {"commas between the thousands": 1234.5}),
        ("1.234.567", {"points between the thousands": 1234567}),
        ("1 234 567", {"blanks between the thousands": 1234567}),
        ("1\u202f234,5", {"a decimal comma": 1234.5}),
        ("1'234", {"apostrophes between the thousands": 1234}),
        ("12%", {"a percent sign": 12}),
        ("12,5 %", {"a decimal comma": 12.5}),
        ("$5", {"a currency sign": 5}),
        ("-$5.20", {"a currency sign": -5.2}),
        ("5 €", {"a currency sign": 5}),
        ("CHF 5", {"a currency sign": 5}),
        ("US$1,200.00", {"commas between the thousands": 1200}),
        ("\u22125", {"a typographic minus": -5}),
        ("\u20131.5e3", {"a typographic minus": -1500}),
        ("(5)", {"brackets for the minus": -5}),
        *((cell, {}) for cell in ("5", "1e5", "inf", "", "-", "red", "1,2,3", "1,23,4", "10-19")),
        *((cell, {}) for cell in ("2020-01-01", "12:30", "1.2.3", "12 34", "5 kg", "%", "$", "()")),
    ],
)
def test_what_a_text_may_mean(cell, readings):
    assert other_readings(cell) == readings


@pytest.mark.parametrize(
    ("cells", "line", "parts"),
    [
        (["1,5", "2,5", "1.234,56"], 2, ["decimal comma (1.5)", "decimal=',', thousands='.'"]),
        (["1,5", "2,5", "k.A."], 2, ["'1,5'", "decimal comma (1.5)"]),
        (["7", "x", "2,5", "3"], 4, ["'2,5'", "decimal comma (2.5)"]),
        (["1,234,567", "1,200"], 2, ["commas between the thousands (1234567)", "thousands=','"]),
        (["1,200", "2,300", "17"], 2, ["decimal comma (1.2) or with commas", "thousands (1200)"]),
        (["1,200", "0.5"], 2, ["with commas between the thousands (1200); write 1200 (or"]),
        (["1.234.567", "1.000"], 2, ["points between the thousands (1234567)"]),
        (["1 234", "5"], 2, ["blanks between the thousands (1234)", "thousands=' '"]),
        (["$1,200", "$300", "NULL"], 2, ["'$1,200'"]),
    ],
)
def test_marks_within_numbers_are_refused_with_every_reading(tmp_path, cells, line, parts):
    with pytest.raises(DataFileError) as caught:
        read_table(write(tmp_path, cells), header=True)
    assert caught.value.line == line
    for part in ("column 'a'", *parts):
        assert part in caught.value.problem


def test_a_lone_thousands_comma_is_not_called_a_decimal_comma_only(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text('a,k\n"1,200",u\n"3,400",v\n')
    with pytest.raises(DataFileError, match=r"1\.2.*1200"):
        read_table(path)


@pytest.mark.parametrize("cells", [["red", "1,5", "blue"], ["1,2,3", "4,5,6", "1,2"]])
def test_a_column_of_words_may_hold_a_comma(tmp_path, cells):
    X, _ = read_table(write(tmp_path, cells), header=True)
    assert X["a"].tolist() == cells


@pytest.mark.parametrize(
    "mark",
    ["NULL", "null", "None", "<NA>", "#N/A", ".", "-", "--", "n.a.", "k.A.", "#DIV/0!", "\\N"],
)
def test_missing_marks_among_numbers_are_told_and_can_be_named(tmp_path, mark):
    path = write(tmp_path, [*NUMBERS, *[mark] * 15])
    with pytest.warns(DataFileWarning, match="column 'a': 15 values of 35 no number") as caught:
        X, _ = read_table(path)
    assert caught[0].filename == __file__
    assert X["a"].dtype == "category"
    assert f"{mark!r}, line 22, 15 times" in str(caught[0].message)
    assert f"missing_values=[{mark!r}]" in str(caught[0].message)
    assert f"{mark!r}, line 22, 15 times" in check_file(path)
    for named in (mark, [mark, "other"]):
        X, _ = read_table(path, missing_values=named)
        assert X["a"].dtype == float
        assert X["a"].isna().sum() == 15


@pytest.mark.parametrize(
    ("form", "how", "write_"),
    [
        ("{}%", "a percent sign", 1),
        ("{} €", "a currency sign", 1),
        ("${}", "a currency sign", 1),
        ("\u2212{}", "a typographic minus", -1),
        ("({})", "brackets for the minus", -1),
    ],
)
def test_numbers_in_disguise_are_told(tmp_path, form, how, write_):
    path = write(tmp_path, [form.format(number) for number in NUMBERS[1:]])
    with pytest.warns(DataFileWarning, match=f"looks like a number with {how}: write {write_}"):
        read_table(path)
    assert f"with {how}: write {write_}" in check_file(path)


def test_a_short_scale_with_a_word_is_told_by_check_only(tmp_path):
    path = write(tmp_path, ["2", "3", "4", "5more"] * 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_table(path)
    assert "column 'a': 5 values of 20 no number ('5more', line 5, 5 times)" in check_file(path)


def test_the_class_is_categories_whatever_it_looks_like(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text("a,k\n" + "".join(f"{i},{i}%\n" for i in range(1, 9)))
    read_table(path)
    assert "percent" not in check_file(path)


@pytest.mark.parametrize("mark", ["NAN", "Nan", "-nan", "+NaN"])
def test_any_spelling_of_nan_is_missing_among_numbers(tmp_path, mark):
    X, _ = read_table(write(tmp_path, ["1", mark, "2"]))
    assert X["a"].isna().tolist() == [False, True, False]
    X, _ = read_table(write(tmp_path, ["red", mark, "red"]), header=True)
    assert X["a"].tolist() == ["red", mark, "red"]


def test_infinite_numbers_are_named(tmp_path):
    with pytest.raises(DataFileError, match="line 3: column 'a': '-Inf' is an infinite number"):
        read_table(write(tmp_path, ["1", "-Inf", "2"]))


def test_check_says_that_codes_lost_their_zeros(tmp_path):
    path = write(tmp_path, ["01234", "99999", "?"], "zip")
    assert "column 'zip': read as numbers, though '01234' begins with a zero" in check_file(path)
    assert "begins" not in check_file(write(tmp_path, ["0.5", "0", "-0.1"]))


def test_string_columns_of_arff_are_judged_as_well(tmp_path):
    path = tmp_path / "file.arff"
    header = "@relation r\n@attribute a string\n@attribute k {u,v}\n@data\n"
    path.write_text(header + "".join(f"{number},u\n" for number in NUMBERS) + "NULL,v\n" * 9)
    with pytest.warns(DataFileWarning, match="'NULL', line 25, 9 times"):
        read_table(path)
    X, _ = read_table(path, missing_values="NULL")
    assert X["a"].isna().sum() == 9
    path.write_text(header + "'1,5',u\n'2,5',v\n")
    with pytest.raises(DataFileError, match=r"line 5: column 'a': '1,5' .*decimal comma"):
        read_table(path)
    with pytest.raises(TypeError, match="texts"):
        read_table(path, missing_values=[-9])
