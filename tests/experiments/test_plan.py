from collections import Counter
from dataclasses import replace

import pytest

from acoibl.experiments import EXPERIMENTS, PROFILES, UnknownNameError, get_profile
from acoibl.experiments.methods.colonies import colony, plain
from acoibl.experiments.running.durations import Durations
from acoibl.experiments.running.plan import make_plan, parse_seeds
from acoibl.experiments.running.runner import in_order
from acoibl.experiments.running.units import Task, configuration, make_tasks

PAPER = get_profile("paper", selection=("iris", "pop", "zoo"))


def units(plan):
    return {(task.key, task.fold, task.seed) for task in plan.tasks}


@pytest.mark.parametrize(
    ("text", "seeds"), [("0-2", (0, 1, 2)), ("5", (5,)), (" 3 , 0-1,1", (0, 1, 3))]
)
def test_seeds_are_read(text, seeds):
    assert parse_seeds(text) == seeds


@pytest.mark.parametrize("text", ["", "a", "2-0", "1-", "-1", "0..2", "0,,1"])
def test_other_seeds_are_refused(text):
    with pytest.raises(UnknownNameError):
        parse_seeds(text)


def test_algorithms_are_chosen_by_name_or_pattern(tmp_path):
    def chosen(*patterns):
        plan = make_plan("b", PAPER, algorithms=patterns, store=tmp_path)
        return list(dict.fromkeys(task.algorithm.name for task in plan.tasks))

    assert chosen("aco-knn-paper", "plain-*") == [
        "plain-knn", "plain-dnn", "plain-gke", "aco-knn-paper"
    ]  # fmt: skip
    assert chosen("*-default") == ["aco-knn-default", "aco-dnn-default", "aco-gke-default"]
    with pytest.raises(UnknownNameError, match="did you mean 'aco-knn-paper'"):
        chosen("aco-knn-papre")


def test_more_seeds_later_make_the_same_units(tmp_path):
    first = make_plan("b", PAPER, seeds=range(3), store=tmp_path)
    rest = make_plan("b", PAPER, seeds=range(3, 10), store=tmp_path)
    whole = make_plan("b", PAPER, store=tmp_path)
    assert units(first) | units(rest) == units(whole)
    assert first.configs == rest.configs == whole.configs  # so they share their shards
    # What is not stochastic has the profile's first seed, whatever is asked for.
    shared = {key[1] for key, _, _ in units(first) & units(rest)}
    assert shared == {"plain-knn", "plain-dnn", "plain-gke"}


def test_readings_have_one_seed_and_share_the_presets_results(tmp_path):
    plan = make_plan("readings", PAPER, datasets=["iris"], store=tmp_path)
    assert {task.seed for task in plan.tasks} == {0}
    assert not make_plan("readings", PAPER, seeds=[3], store=tmp_path).tasks
    whole = make_plan("b", PAPER, datasets=["iris"], store=tmp_path)
    key = ("iris", "aco-dnn-paper")
    assert plan.configs[key] == whole.configs[key]


def test_ants_draw_as_many_splits_as_their_paper(tmp_path):
    plan = make_plan("antfs", PAPER, algorithms=["antfs-nested*"], store=tmp_path)
    splits = Counter(task.key for task in plan.tasks)
    assert splits["srbct", "antfs-nested"] == splits["breast-w", "antfs-nested"] == 100
    assert splits["thyroid", "antfs-nested"] == 10
    assert splits["heart-c", "antfs-nested-k3"] == splits["thyroid", "antfs-nested-k3"] == 10


def test_every_reading_differs_from_its_preset_in_one_setting():
    algorithms = EXPERIMENTS["readings"].algorithms(PAPER)
    by_name = {algorithm.name: algorithm.parameters for algorithm in algorithms}
    assert len(by_name) == len(algorithms) == 32 + 9
    for name, parameters in by_name.items():
        parts = name.split("-")
        preset = parts[1] if parts[0] == "ciwnn" else parts[2]
        own_name = "-".join(parts[: parts.index(preset) + 1])
        own = by_name[own_name]["settings"]
        changed = {k: v for k, v in parameters["settings"].items() if own[k] != v}
        assert len(changed) == (name != own_name)
        assert parameters["preset"] == "-".join(
            [preset, *(f"{key}-{value}" for key, value in changed.items())]
        )
    assert "aco-knn-paper-outlier-nearest" not in by_name  # only d-NN has outliers


def test_experiment_c_shares_the_colonies_and_adds_ciw_nn():
    names = [algorithm.name for algorithm in EXPERIMENTS["c"].algorithms(PAPER)]
    colonies = [a.name for a in EXPERIMENTS["b"].algorithms(PAPER) if a.name.startswith("aco-")]
    assert names == [*colonies, "ciwnn-keel", "ciwnn-paper"]


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_planned(name, tmp_path):
    plan = make_plan(name, "smoke", store=tmp_path)
    assert plan.tasks
    assert len({config["algorithm"] for config in plan.configs.values()}) == len(
        EXPERIMENTS[name].algorithms(get_profile("smoke"))
    )


def test_the_paper_goes_dataset_by_dataset_from_cheap_to_dear(tmp_path):
    assert PROFILES["paper"].order == "datasets"
    plan = make_plan("b", get_profile("paper", selection=("car", "pop", "zoo")), seeds=[0],
                     store=tmp_path)  # fmt: skip
    ordered = in_order(list(plan.tasks), "datasets")
    assert list(dict.fromkeys(task.dataset for task in ordered)) == ["pop", "zoo", "car"]
    of_car = [task.cost for task in ordered if task.dataset == "car"]
    assert of_car == sorted(of_car, reverse=True)
    longest = in_order(list(plan.tasks), "longest")
    assert longest[0].dataset == "car"
    titles = [sorted(task.title for task in tasks) for tasks in (longest, ordered, plan.tasks)]
    assert titles[0] == titles[1] == titles[2]
    with pytest.raises(ValueError, match="order"):
        in_order([], "shortest")


def test_measured_seconds_decide_the_order(tmp_path):
    plan = make_plan([plain("knn")], PAPER, datasets=["iris", "pop"], store=tmp_path)
    durations = Durations()
    durations.add(plan.tasks[0], 1.0)
    durations.add(next(task for task in plan.tasks if task.dataset == "pop"), 9.0)
    assert in_order(list(plan.tasks), "datasets", durations)[0].dataset == "iris"
    assert in_order(list(plan.tasks), "datasets")[0].dataset == "pop"


def test_unknown_seconds_come_from_the_same_algorithm_then_from_any():
    durations = Durations()
    knn, gke = plain("knn"), plain("gke")
    iris, pop = (Task(name, knn, 0, 0, 2, None) for name in ("iris", "pop"))
    assert durations.expect(iris) is None
    durations.add(iris, 8.0)
    assert durations.expect(pop) == pytest.approx(8.0 * pop.cost / iris.cost)
    assert durations.expect(Task("pop", gke, 0, 0, 2, None)) == pytest.approx(
        durations.expect(pop)  # both have the same rough cost
    )


def test_unknown_seconds_come_from_the_dataset_nearest_in_cost():
    durations = Durations()
    iris, wine, car, nursery = (
        Task(name, plain("knn"), 0, 0, 2, None) for name in ("iris", "wine", "car", "nursery")
    )
    assert iris.cost < wine.cost < car.cost < nursery.cost
    for seconds in (1.0, 0.5, 3600.0):  # one was suspended for an hour
        durations.add(iris, seconds)
    durations.add(car, 7.0)
    assert durations.expect(nursery) == pytest.approx(7.0 * nursery.cost / car.cost)
    assert durations.expect(wine) == pytest.approx(wine.cost / iris.cost)


def test_a_revision_is_a_configuration_of_its_own():
    algorithm = colony("knn", "paper", PAPER)
    now, later = (
        next(make_tasks(["iris"], [replace(algorithm, revision=revision)], PAPER))
        for revision in (algorithm.revision, algorithm.revision + 1)
    )
    assert configuration(now) != configuration(later)


def test_folds_by_group_are_a_configuration_of_their_own():
    algorithm = colony("knn", "paper", PAPER)
    by_row, by_group = (
        next(make_tasks(["iris"], [algorithm], PAPER, way=way)) for way in ("stratified", "groups")
    )
    assert configuration(by_row) != configuration(by_group)


def test_only_datasets_with_groups_can_be_folded_by_them(tmp_path):
    with pytest.raises(UnknownNameError, match=r"have no groups.*those of parkinsons do"):
        make_plan("a", PAPER, datasets=["iris"], folds="groups", store=tmp_path)
    with pytest.raises(UnknownNameError, match="did you mean 'groups'"):
        make_plan("a", PAPER, folds="group", store=tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"seeds": [-1]}, "a seed is"), ({"seeds": []}, "no seed"), ({"seeds": [True]}, "a seed is")],
)
def test_choices_that_mean_nothing(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        make_plan("a", PAPER, store=tmp_path, **change)
