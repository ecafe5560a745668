import os
from pathlib import Path

from acoibl._numba_cache import ensure_cache_folder


def test_a_temporary_folder_where_nothing_can_be_written(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # undone afterwards, whatever is set
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    ensure_cache_folder()
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_dir()
    chosen = os.environ["NUMBA_CACHE_DIR"]
    ensure_cache_folder()
    assert os.environ["NUMBA_CACHE_DIR"] == chosen


def test_nothing_is_set_where_it_is_not_needed(monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")  # undone afterwards, whatever is set
    ensure_cache_folder()
    assert os.environ["NUMBA_CACHE_DIR"] == ""
