"""Stored results in one file an experiment: read, continued, and never lost."""

import json
import logging
import lzma

import pytest
from click.testing import CliRunner

from acoibl.cli import main
from acoibl.experiments import EXPERIMENTS, PROFILES, Store, StoreError, get_profile, run
from acoibl.experiments.registry import owners
from acoibl.experiments.running.plan import make_plan
from acoibl.experiments.running.status import status_table
from tests.experiments.test_store import CONFIG, rows, shards

OTHER = {**CONFIG, "algorithm": "plain-knn"}
WINE = {**CONFIG, "dataset": "wine"}


NAMES = {"plain-knn": "a", "aco-knn-paper": "b", "aco-dnn-paper": "b"}


def packs(store):
    return sorted(path.name.split("-")[0] for path in store.folder.glob("*.jsonl.xz"))


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "results")
    for fold in range(3):
        store.save(CONFIG, (fold, 0), rows(fold / 10))
        store.save(WINE, (fold, 1), rows(fold / 7))
    store.save(OTHER, (0, 0), rows(0.5))
    return store


def everything(store):
    return [Store(store.folder).load(config) for config in (CONFIG, WINE, OTHER)]


def test_packed_results_are_read_like_others(store):
    before = everything(store)
    done = store.pack(NAMES)
    assert [(path.name.split("-")[0], count) for path, count in done] == [("b", 2), ("a", 1)]
    assert not shards(store)
    assert packs(store) == ["a", "b"]
    assert everything(store) == before
    assert [store.load(config) for config in (CONFIG, WINE, OTHER)] == before
    assert store.load({**CONFIG, "parameters": {}}) == {}
    assert store.pack(NAMES) == []


def test_new_units_stand_beside_a_pack_and_are_folded_in(store):
    store.pack(NAMES)
    store.save(CONFIG, (7, 0), rows(0.7))
    store.save(OTHER, (0, 0), rows(0.9))  # again, as after a `fresh` run of another version
    assert list(store.load(CONFIG)) == [(0, 0), (1, 0), (2, 0), (7, 0)]
    assert store.load(OTHER) == {(0, 0): rows(0.9)}
    before = everything(store)
    store.pack(NAMES)
    assert packs(store) == ["a", "b"]
    assert everything(store) == before


def test_a_pack_is_json_lines_of_the_same_content(store):
    (path,) = (path for path, _ in store.pack(NAMES) if path.name.startswith("a-"))
    header, line = lzma.decompress(path.read_bytes()).splitlines()
    assert json.loads(header)["lines"][0][0] == "iris"
    assert json.loads(line)["config"] == OTHER
    assert json.loads(line)["units"] == [{"fold": 0, "seed": 0, "rows": rows(0.5)}]


def test_the_same_units_pack_to_the_same_bytes(store, tmp_path):
    other = Store(tmp_path / "other")
    for config in (OTHER, WINE, CONFIG):
        for unit, found in reversed(store.load(config).items()):
            other.save(config, unit, found)
            other.pack(NAMES)
    store.pack(NAMES)
    assert [p.read_bytes() for p in sorted(other.folder.glob("*.xz"))] == [
        p.read_bytes() for p in sorted(store.folder.glob("*.xz"))
    ]


@pytest.mark.parametrize("moment", ["before any is removed", "after the first is removed"])
def test_killed_while_packing_nothing_is_lost(store, monkeypatch, moment):
    store.pack(NAMES)
    store.save(CONFIG, (7, 0), rows(0.7))
    before = everything(store)
    from pathlib import Path

    unlink, calls = Path.unlink, []

    def killed(self, missing_ok=False):
        if moment.startswith("before") or calls:
            raise KeyboardInterrupt
        calls.append(self)
        unlink(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", killed)
    with pytest.raises(KeyboardInterrupt):
        Store(store.folder).pack(NAMES)
    monkeypatch.undo()
    assert everything(store) == before
    store.pack(NAMES)
    assert packs(store) == ["a", "b"]
    assert everything(store) == before


def test_a_full_disk_leaves_what_was_there(store, monkeypatch):
    before = everything(store)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        store.pack(NAMES)
    monkeypatch.undo()
    assert everything(store) == before


def test_two_that_pack_at_once_lose_nothing(store, monkeypatch):
    before = everything(store)
    from acoibl.experiments import store as module

    write, other = module.write_pack, Store(store.folder)

    def meanwhile(folder, name, lines):
        path = write(folder, name, lines)
        monkeypatch.setattr(module, "write_pack", write)
        other.save(CONFIG, (9, 0), rows(0.9))
        other.pack(NAMES)
        return path

    monkeypatch.setattr(module, "write_pack", meanwhile)
    store.pack(NAMES)
    before[0][9, 0] = rows(0.9)
    assert everything(store) == before


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "head"])
def test_a_broken_pack_is_set_aside_and_reported(store, caplog, damage):
    path = next(path for path, _ in store.pack(NAMES) if path.name.startswith("b-"))
    data = path.read_bytes()
    place = 12 if damage == "head" else len(data) // 2
    flipped = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
    path.write_bytes({"cut": data[:place], "empty": b""}.get(damage, flipped))
    with caplog.at_level(logging.WARNING):
        assert everything(store)[::2] == [{}, {(0, 0): rows(0.5)}]
    assert "is broken" in caplog.text
    assert path.with_name(path.name + ".broken").is_file()
    store.save(CONFIG, (0, 0), rows(0.5))
    store.pack(NAMES)
    assert list(store.load(CONFIG)) == [(0, 0)]


def test_a_shard_of_a_wrong_name_is_not_packed(store, caplog):
    stranger = shards(store)[0]
    moved = stranger.with_name(stranger.name.replace("aco-knn-paper", "aco-dnn-paper"))
    stranger.rename(moved)
    with caplog.at_level(logging.WARNING):
        store.pack(NAMES)
    assert "another configuration" in caplog.text
    assert moved.with_name(moved.name + ".broken").is_file()


def test_clear_forgets_packed_results_too(store):
    store.pack(NAMES)
    store.save(CONFIG, (7, 0), rows(0.7))
    store.clear(CONFIG, OTHER)
    assert everything(store)[::2] == [{}, {}]
    assert len(store.load(WINE)) == 3
    assert packs(store) == ["b"]


def test_every_algorithm_has_a_pack_and_strangers_have_one(store):
    known = owners(PROFILES["paper"])
    order = list(EXPERIMENTS)
    for name, experiment in EXPERIMENTS.items():
        for algorithm in experiment.algorithms(PROFILES["paper"]):
            assert order.index(known[algorithm.name]) <= order.index(name)
    store.save({**CONFIG, "algorithm": "mine"}, (0, 0), rows(0.5))
    store.pack(known)
    assert packs(store) == ["a", "b", "other"]


def test_a_packed_run_goes_on_and_says_how_far_it_is(tmp_path, monkeypatch):
    size = get_profile("smoke", max_rows=60)
    options = {"datasets": ["iris"], "jobs": 1, "store": tmp_path, "progress": False}
    first = run("a", size, **options, algorithms=["plain-knn"])
    assert CliRunner().invoke(main, ["pack", "--profile", "smoke", "--store", str(tmp_path)]).output
    assert not list(tmp_path.glob("*/*.gz"))
    table = status_table(make_plan("a", size, datasets=["iris"], store=tmp_path))
    assert table["done"].tolist() == [2, 0, 0]
    evaluated = []
    from acoibl.experiments.running import backends

    attempt = backends.attempt
    monkeypatch.setattr(
        backends, "attempt", lambda task: evaluated.append(task.key[1]) or attempt(task)
    )
    whole = run("a", size, **options)
    assert sorted(set(evaluated)) == ["plain-dnn", "plain-gke"]
    again = whole[whole["algorithm"] == "plain-knn"]
    assert again.drop(columns=["version"]).equals(first.drop(columns=["version"]))
