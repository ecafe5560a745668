import pytest

from acoibl.paths import shared_folder
from acoibl.report import ReportError, UnknownNameError
from acoibl.report.notebooks import check_values, find_notebooks

SOURCE = """# %% [markdown]
# # Title

# %% tags=["parameters"]
{parameters}

# %%
print(1)
"""


@pytest.fixture
def folder(tmp_path):
    def write(name, parameters):
        (tmp_path / f"{name}.py").write_text(SOURCE.format(parameters=parameters))

    write("01_first", 'profile = "smoke"\nn = 3\nratio: float = 0.5\nlabel = "a"\nflag = True')
    write("05_experiment_a", 'profile = "smoke"\nnames = ["x"]\nn = 4\nlimit = None')
    (tmp_path / "helper.py").write_text("no notebook")
    return tmp_path


def names(folder, chosen=None):
    return [notebook.name for notebook in find_notebooks(folder, chosen)]


def test_notebooks_are_found_by_name_number_and_topic(folder):
    assert names(folder) == ["01_first", "05_experiment_a"]
    for chosen in ("05_experiment_a", "05", "5", "experiment_a", "05_experiment_a.py"):
        assert names(folder, [chosen]) == ["05_experiment_a"]
    assert names(folder, ["5", "01", "first"]) == ["01_first", "05_experiment_a"]


def test_unknown_notebooks_and_empty_folders(folder, tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean '05_experiment_a'"):
        find_notebooks(folder, ["05_experiment_b"])
    with pytest.raises(UnknownNameError, match=r"unknown notebook '\.\./01_first'"):
        find_notebooks(folder, ["../01_first"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReportError, match="no notebooks"):
        find_notebooks(tmp_path / "empty")


def test_parameters_are_read(folder):
    first = find_notebooks(folder, ["1"])[0]
    assert first.parameters == {
        "profile": "smoke", "n": 3, "ratio": 0.5, "label": "a", "flag": True
    }  # fmt: skip
    assert first.read().metadata.kernelspec.name == "python3"


@pytest.mark.parametrize("cell", ["n = len('abc')", "import os", "a, b = 1, 2", "n = ", "n += 1"])
def test_a_parameters_cell_holds_literals_only(tmp_path, cell):
    (tmp_path / "01_x.py").write_text(SOURCE.format(parameters=cell))
    with pytest.raises(ReportError, match="parameters cell"):
        find_notebooks(tmp_path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n=7", {"n": 7}),
        ("ratio=1", {"ratio": 1.0}),
        ("ratio=1e-3", {"ratio": 0.001}),
        ("label=plain text", {"label": "plain text"}),
        ("label='quoted'", {"label": "quoted"}),
        ("label=a=b", {"label": "a=b"}),
        ("flag=False", {"flag": False}),
        ("names=['x', 'y']", {"names": ["x", "y"]}),
        ("limit=3", {"limit": 3}),
        (" n = -2 ", {"n": -2}),
    ],
)
def test_values_that_fit(folder, text, value):
    result = check_values(find_notebooks(folder), [text])
    assert result == value
    assert type(*result.values()) is type(*value.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m=7", "unknown parameter 'm'"),
        ("ratoi=7", "did you mean 'ratio'"),
        ("n=7.5", "must be a whole number like 3"),
        ("n=True", "must be a whole number"),
        ("n=seven", "no Python literal"),
        ("n=__import__('os')", "no Python literal"),
        ("flag=1", "must be True or False"),
        ("label=3", "must be text"),
        ("names=('x',)", "must be a list"),
        ("n", "write name=value"),
        ("=3", "write name=value"),
        ("profile='quick'", "use --profile"),
    ],
)
def test_values_that_do_not_fit(folder, text, message):
    with pytest.raises(UnknownNameError, match=message):
        check_values(find_notebooks(folder), [text])


@pytest.mark.parametrize("default", ["[]", "None", '["iris"]', '"iris"'])
def test_names_of_datasets_are_checked(tmp_path, default):
    (tmp_path / "01_x.py").write_text(SOURCE.format(parameters=f"datasets = {default}"))
    notebooks = find_notebooks(tmp_path)
    text = default == '"iris"'
    wrong = "nope" if text else ["zoo", "nope"]
    right = "zoo" if text else ["zoo", "iris"]
    for given in ({"datasets": wrong}, [f"datasets={wrong!r}"]):
        with pytest.raises(UnknownNameError, match="unknown dataset 'nope'"):
            check_values(notebooks, given)
    assert check_values(notebooks, [f"datasets={right!r}"]) == {"datasets": right}
    assert check_values(notebooks, {"datasets": type(right)()}) == {"datasets": type(right)()}
    if not text:
        with pytest.raises(UnknownNameError, match="must hold names"):
            check_values(notebooks, ["datasets=['zoo', 1]"])


def test_only_the_chosen_notebooks_count(folder):
    with pytest.raises(UnknownNameError, match="unknown parameter 'names'"):
        check_values(find_notebooks(folder, ["1"]), {"names": ["y"]})
    assert check_values(find_notebooks(folder), {"n": 5}) == {"n": 5}
    with pytest.raises(UnknownNameError, match="must be a whole number"):
        check_values(find_notebooks(folder), {"n": "5"})  # Python values are not parsed


def test_the_projects_notebooks_can_be_driven():
    notebooks = find_notebooks(shared_folder("notebooks"))
    assert len(notebooks) >= 6
    for notebook in notebooks:
        assert notebook.parameters["profile"] == "smoke"
