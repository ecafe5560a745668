"""Every experiment is a record that runs and makes its tables, without a notebook."""

import pandas as pd
import pytest
from click.testing import CliRunner

from acoibl.cli import main
from acoibl.experiments import EXPERIMENTS, get_profile, run

TINY = get_profile("smoke", max_iter=10, max_rows=60)
SMALL = {"stability": ["glass", "sonar"], "antfs": ["s-heart", "iris"]}
FEW = {"readings": ["aco-knn-paper*", "ciwnn-paper*"]}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_makes_its_tables(name, tmp_path):
    rows = run(
        name,
        TINY,
        datasets=SMALL.get(name, ["hay", "iris"]),
        algorithms=FEW.get(name),
        jobs=1,
        store=tmp_path,
        progress=False,
    )
    tables = EXPERIMENTS[name].tables(rows)
    assert {"coverage", "effort"} < set(tables)
    for title, table in tables.items():
        assert isinstance(table, pd.DataFrame), title
        assert len(table), title
    assert tables["coverage"].index.tolist() == rows["algorithm"].unique().tolist()


def test_the_command_writes_tables_of_what_is_stored(tmp_path):
    options = ["--profile", "smoke", "--datasets", "hay,iris", "--store", str(tmp_path / "store")]
    output = ["--output", str(tmp_path / "tables")]
    result = CliRunner().invoke(main, ["tables", "a", *options, *output])
    assert result.exit_code == 1
    assert "nothing complete is stored" in result.output
    rows = run("a", "smoke", datasets=["hay", "iris"], jobs=1, store=tmp_path / "store",
               progress=False)  # fmt: skip
    result = CliRunner().invoke(main, ["tables", "a", *options, *output])
    assert result.exit_code == 0, result.output
    expected = EXPERIMENTS["a"].tables(rows)
    assert {path.stem for path in (tmp_path / "tables").iterdir()} == {f"a_{n}" for n in expected}
    written = pd.read_csv(tmp_path / "tables" / "a_settings.csv", index_col=0)
    pd.testing.assert_frame_equal(written, expected["settings"])


def test_an_experiment_of_your_own_is_a_list_of_algorithms(tmp_path):
    chosen = EXPERIMENTS["a"].algorithms(TINY)[:1]
    rows = run(chosen, TINY, datasets=["iris"], jobs=1, store=tmp_path, progress=False)
    assert set(rows["algorithm"]) == {"plain-knn"}
