import gzip
import json
import logging
import os
import shutil
import subprocess
import sys
import time

import pytest

from acoibl.experiments import Store, StoreError
from acoibl.experiments.store import config_hash
from acoibl.files import remove_leftovers, write_atomically

CONFIG = {
    "dataset": "iris",
    "algorithm": "aco-knn-paper",
    "parameters": {"settings": {"patience": 50}, "grid": [0.01, 1]},
}


def rows(value):
    return [{"variant": "basic", "accuracy": value}, {"variant": "ensemble", "accuracy": value}]


def shards(store):
    return sorted(store.folder.glob("*/*.json.gz"))


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results")


def test_what_is_saved_is_loaded(store):
    store.save(CONFIG, (3, 1), rows(0.1 + 0.2))
    store.save(CONFIG, (0, 0), rows(1.0))
    assert store.load(CONFIG) == {(0, 0): rows(1.0), (3, 1): rows(0.1 + 0.2)}


@pytest.mark.parametrize(
    "changed",
    [
        {"parameters": {"settings": {"patience": 51}, "grid": [0.01, 1]}},
        {"parameters": {"settings": {"patience": 50}, "grid": [0.01]}},
        {"checksum": "other data"},
        {"algorithm": "aco-knn-default"},
        {"algorithm": "aco-knn"},
        {"dataset": "wine"},
    ],
)
def test_another_configuration_finds_nothing(store, changed):
    store.save(CONFIG, (0, 0), rows(0.5))
    store.save({**CONFIG, **changed}, (1, 0), rows(0.6))
    assert list(store.load(CONFIG)) == [(0, 0)]
    assert list(store.load({**CONFIG, **changed})) == [(1, 0)]


def test_order_of_keys_is_no_change():
    assert config_hash({"a": 1, "b": {"c": 2, "d": 3}}) == config_hash(
        {"b": {"d": 3, "c": 2}, "a": 1}
    )


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "rename"])
def test_a_broken_shard_is_set_aside_and_reported(store, caplog, damage):
    store.save(CONFIG, (0, 0), rows(0.5))
    store.save(CONFIG, (1, 0), rows(0.6))
    path = next(p for p in shards(store) if b'"fold":0' in gzip.decompress(p.read_bytes()))
    data = path.read_bytes()
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "flip":
        path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
    else:  # a shard that someone copied to the name of another configuration
        other = {**CONFIG, "parameters": {}}
        store.save(other, (0, 0), rows(0.7))
        stranger = next(p for p in shards(store) if config_hash(other) in p.name)
        check = stranger.name.split("-")[-1]
        path.unlink()
        path = path.with_name(f"aco-knn-paper-{config_hash(CONFIG)}-{check}")
        shutil.copy(stranger, path)
    with caplog.at_level(logging.WARNING):
        assert list(store.load(CONFIG)) == [(1, 0)]
    assert "is broken" in caplog.text
    assert path.with_name(path.name + ".broken").is_file()
    assert not path.exists()
    store.save(CONFIG, (0, 0), rows(0.5))
    assert list(store.load(CONFIG)) == [(0, 0), (1, 0)]


def test_join_keeps_every_unit_in_one_file(store):
    for fold in range(10):
        store.save(CONFIG, (fold, 0), rows(fold / 10))
    store.save({**CONFIG, "parameters": {}}, (0, 0), rows(0.5))
    before = store.load(CONFIG)
    store.join(CONFIG)
    assert len(shards(store)) == 2
    assert store.load(CONFIG) == before
    store.save(CONFIG, (10, 0), rows(1.0))
    store.join(CONFIG)
    assert len(store.load(CONFIG)) == 11
    assert len(shards(store)) == 2


def test_the_same_units_join_to_the_same_bytes(tmp_path):
    packs = []
    for order in (range(5), reversed(range(5))):
        store = Store(tmp_path / str(len(packs)))
        for fold in order:
            store.save(CONFIG, (fold, 0), rows(fold / 10))
        store.join(CONFIG)
        packs.append([(path.name, path.read_bytes()) for path in shards(store)])
    assert packs[0] == packs[1]


def test_a_second_runner_that_joins_loses_nothing(store, monkeypatch):
    for fold in range(3):
        store.save(CONFIG, (fold, 0), rows(0.1))
    other = Store(store.folder)
    write = Store._write

    def meanwhile(self, config, units):
        path = write(self, config, units)
        if self is store:  # between the new pack and the removal of the old shards
            other.save(CONFIG, (9, 0), rows(0.9))
            other.join(CONFIG)
        return path

    monkeypatch.setattr(Store, "_write", meanwhile)
    store.join(CONFIG)
    assert sorted(store.load(CONFIG)) == [(0, 0), (1, 0), (2, 0), (9, 0)]


def test_a_crash_between_packing_and_removal_leaves_a_readable_store(store, monkeypatch):
    for fold in range(3):
        store.save(CONFIG, (fold, 0), rows(0.1))
    before = store.load(CONFIG)
    monkeypatch.setattr("pathlib.Path.unlink", lambda *_, **__: (_ for _ in ()).throw(OSError()))
    with pytest.raises(OSError):  # noqa: PT011
        store.join(CONFIG)
    monkeypatch.undo()
    assert len(shards(store)) == 4
    assert store.load(CONFIG) == before


def test_half_written_files_are_no_results(store):
    store.save(CONFIG, (0, 0), rows(0.5))
    (store.folder / "iris" / ".abc.tmp").write_bytes(b"half")
    (store.folder / "iris" / "notes.txt").write_text("mine")
    assert list(store.load(CONFIG)) == [(0, 0)]


def test_what_a_killed_writer_left_is_removed_after_a_day(store):
    store.save(CONFIG, (0, 0), rows(0.5))
    names = {
        "iris/.abcd_123.tmp": 2 * 86_400,
        ".abcd_123.tmp": 2 * 86_400,
        "iris/.abcd_124.tmp": 3_600,  # of a runner that is writing
        "iris/.notes.tmp": 2 * 86_400,  # of somebody else
    }
    for name, age in names.items():
        (store.folder / name).write_bytes(b"half")
        os.utime(store.folder / name, (time.time() - age,) * 2)
    store.prepare()
    left = {str(path.relative_to(store.folder)) for path in store.folder.rglob(".*")}
    assert left == {"iris/.abcd_124.tmp", "iris/.notes.tmp"}
    assert list(store.load(CONFIG)) == [(0, 0)]


def test_removing_leftovers_stands_a_second_runner_and_no_folder(store, monkeypatch):
    store.prepare()
    store.save(CONFIG, (0, 0), rows(0.5))
    path = store.folder / "iris" / ".abcd_123.tmp"
    path.write_bytes(b"half")
    os.utime(path, (0, 0))
    remove = os.unlink

    def twice(self, **_):
        remove(self)
        remove(self)  # the other one was faster

    monkeypatch.setattr("pathlib.Path.unlink", twice)
    store.prepare()
    assert not path.exists()


def test_temporary_files_are_those_that_are_removed(tmp_path):
    code = (
        "import os, pathlib, sys; from acoibl.files import write_atomically;"
        "os.replace = lambda *_: os._exit(9);"
        "write_atomically(pathlib.Path(sys.argv[1]) / 'file.txt', 'text')"
    )
    process = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert process.returncode == 9
    (left,) = tmp_path.iterdir()
    os.utime(left, (0, 0))
    remove_leftovers(tmp_path)
    assert not left.exists()


@pytest.mark.parametrize("name", ["con", "NUL.x", "com1"])
def test_names_that_windows_keeps_are_refused(store, name):
    with pytest.raises(ValueError, match="Windows keeps that name"):
        store.save({**CONFIG, "dataset": name}, (0, 0), rows(0.5))


def test_a_full_disk_leaves_what_was_there(store, monkeypatch):
    store.save(CONFIG, (0, 0), rows(0.5))

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        store.save(CONFIG, (1, 0), rows(0.6))
    monkeypatch.undo()
    assert list(store.load(CONFIG)) == [(0, 0)]
    assert [path.suffix for path in (store.folder / "iris").iterdir()] == [".gz"]


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write results to"):
        Store(tmp_path / "file" / "results").save(CONFIG, (0, 0), rows(0.5))


@pytest.mark.parametrize("name", ["../iris", "a/b", "", ".hidden", "a\0b", "a b"])
def test_names_with_path_characters_are_refused(store, name):
    with pytest.raises(ValueError, match="cannot be the name of a file"):
        store.save({**CONFIG, "dataset": name}, (0, 0), rows(0.5))


def test_clear_forgets_one_configuration_only(store):
    store.save(CONFIG, (0, 0), rows(0.5))
    store.save({**CONFIG, "parameters": {}}, (0, 0), rows(0.6))
    store.clear(CONFIG)
    assert store.load(CONFIG) == {}
    assert store.load({**CONFIG, "parameters": {}})


def test_a_shard_is_plain_json(store):
    store.save(CONFIG, (2, 1), rows(0.5))
    content = json.loads(gzip.decompress(shards(store)[0].read_bytes()))
    assert content["config"] == CONFIG
    assert content["units"] == [{"fold": 2, "seed": 1, "rows": rows(0.5)}]


def test_write_atomically_replaces_or_leaves(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "file.txt"
    write_atomically(path, "old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]
