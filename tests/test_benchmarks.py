"""Every benchmark runs at toy size and says something: so they cannot rot unseen."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from acoibl import kernels
from benchmarks import optimizers, peers, problems, read_corpus
from benchmarks.functions import FUNCTIONS
from benchmarks.runner import NAMES, cli
from benchmarks.timing import Timings, interleave

PUBLISHED_OPTIMA = {
    "Hartmann 3,4": -3.86278,
    "Hartmann 6,4": -3.32237,
    "Shekel 4,5": -10.15320,
    "Shekel 4,7": -10.40294,
    "Shekel 4,10": -10.53641,
    "Branin RCOS": 0.397887,
    "Goldstein-Price": 3.0,
    "Easom": -1.0,
}
AT_OPTIMUM = {
    "B2": [0.0, 0.0],
    "Branin RCOS": [np.pi, 2.275],
    "Easom": [np.pi, np.pi],
    "Goldstein-Price": [0.0, -1.0],
    "Martin-Gaddy": [5.0, 5.0],
    "Rosenbrock 5": [1.0] * 5,
    "plane": [0.5] + [1.0] * 9,
    "diagonal plane": [0.5] * 10,
    "Zakharov 5": [0.0] * 5,
    "Griewangk 10": [0.0] * 10,
    "ellipsoid": [0.0] * 10,
}


@pytest.mark.parametrize("name", NAMES)
def test_benchmark_runs(name, tmp_path):
    cli(["--toy", "--only", name, "--output", str(tmp_path)])
    assert not pd.read_csv(tmp_path / f"{name}.csv").empty
    report = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f"| `python -m benchmarks --toy --only {name}` |" in report
    assert report.count(f"\n| {name}") >= 2  # a figure and the run
    drawn = {path.suffix for path in tmp_path.glob(f"{name}.*")}
    assert drawn - {".csv", ".json"} in (set(), {".svg", ".png"})


def test_report_keeps_what_earlier_runs_left(tmp_path):
    for name in ("matmul", "patterns"):
        cli(["--toy", "--only", name, "--output", str(tmp_path)])
    report = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "hay, knn: patterns against direct" in report
    assert "against one bare product" in report


def test_ratio_is_the_median_of_pairs():
    seconds = pd.DataFrame({"slow": [2.0, 40.0, 9.0], "fast": [1.0, 10.0, 3.0]})
    assert Timings(seconds, {}, 1.0).ratio("slow", "fast")["ratio"] == 3.0


def test_contestants_take_turns_and_first_calls_do_not_count():
    called = []
    timings = interleave(
        {"a": lambda: called.append("a"), "b": lambda: called.append("b")}, 4, least=0.0
    )
    assert "".join(called) == "aabb" + "ab" + "ba" + "ab" + "ba"
    assert list(timings.seconds) == ["a", "b"]
    assert set(timings.first) == {"a", "b"}


def test_a_kernel_that_errs_is_no_contestant():
    training, _ = problems.uniform(30, 3, 2)
    evaluator = kernels.Evaluator.leave_one_out(training, problems.RULES["knn"])

    class Wrong:
        def codes(self, weights, parameters):
            return 1 - evaluator.codes(weights, parameters)

    with pytest.raises(AssertionError, match="kernel wrong disagrees"):
        problems.check_agreement({"right": evaluator, "wrong": Wrong()}, training, "knn")


@pytest.mark.parametrize("name", PUBLISHED_OPTIMA)
def test_optima_are_the_published_ones(name):
    assert FUNCTIONS[name].optimum == pytest.approx(PUBLISHED_OPTIMA[name], abs=1e-5)


@pytest.mark.parametrize("name", AT_OPTIMUM)
def test_functions_take_their_optimum_where_it_is_known(name):
    function = FUNCTIONS[name]
    assert len(AT_OPTIMUM[name]) == function.n_variables
    assert function.fun(np.array(AT_OPTIMUM[name])) == pytest.approx(function.optimum, abs=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_lies_below_an_optimum(name):
    function = FUNCTIONS[name]
    points = np.random.default_rng(0).uniform(*function.bounds, (200, function.n_variables))
    assert min(map(function.fun, points)) >= function.optimum


def test_evaluations_are_counted_until_the_target():
    function = FUNCTIONS["De Jong"]
    made, _, error = peers.count_evaluations("acoibl", function, 5000, 0, 1e-3)
    assert made < 5000
    assert error <= 1e-3
    assert peers.count_evaluations("acoibl", function, made, 0, 1e-3)[0] == made
    assert peers.count_evaluations("acoibl", function, made - 1, 0, 1e-3)[0] == np.inf


def test_a_median_over_failures_is_a_failure():
    table = pd.DataFrame(
        {
            "part": "evaluations",
            "function": ["f"] * 3 + ["g"] * 3,
            "solver": "s",
            "evaluations": [100, np.inf, np.inf, 100, 300, np.inf],
        }
    )
    assert optimizers.medians(table)["s"].to_dict() == {"f": np.inf, "g": 300}


def test_a_corpus_is_read_beside_its_peers(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.csv").write_text("size;colour;k\n1.5;red;u\nNA;blue;v\n")
    (folder / "b.dat").write_text(
        "@relation b\n@attribute x real [0,1]\n@attribute k {u, v}\n@inputs x\n@outputs k\n"
        "@data\n0.5, u\n<null>, v\n"
    )
    (folder / "c.data").write_text("T,1,u\nI,2,v\nT,3,u\n")
    shapes = tmp_path / "shapes.csv"

    def call(*options):
        result = CliRunner().invoke(read_corpus.main, [str(folder), *map(str, options)])
        rows = [line.split("\t") for line in result.output.splitlines() if "\t" in line]
        return result.exit_code, [[*row[:6], row[6] != "DIFFERS"] for row in rows[1:]]

    read = [
        ["a.csv", "read", "2", "1", "2", "2", True],
        ["b.dat", "read", "2", "1", "1", "2", True],
    ]
    refused = ["c.data", "refused", "", "", "", "", True]
    assert call() == (0, [*read, refused])
    shapes.write_text("file,rows,columns\na.csv,3,3\nb.dat,2,2\n")
    code, (first, second, _) = call("--shapes", shapes)
    assert (code, first[-1], second[-1]) == (1, False, True)
    shapes.write_text("file,rows,columns\nc.data,3,3\n")
    assert call("--shapes", shapes)[1][2][1] == "REFUSED"
    (folder / "a.csv").unlink()
    assert call("--no-header", "--shapes", shapes)[0] == 0
