"""Kernels run wherever the package is imported, whatever numba finds in its cache."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import acoibl
from acoibl import _homes
from acoibl._njit import njit

PACKAGE = Path(acoibl.__file__).parent
SEARCH = (
    "from acoibl.acor import minimize\n"
    "print(minimize(lambda x: (x**2).sum(), [(-5, 5)] * 3, max_iter=30, random_state=0).fun)\n"
)
FIT = (
    "from acoibl import KNNClassifier\n"
    "print(KNNClassifier(1).fit([[0.0], [1.0]], ['a', 'b']).predict([[0.2]])[0])\n"
    "import acoibl.plotting\n"
    "from acoibl.datasets import describe, load\n"
    "load('iris')\n"
    "describe()\n"
)
DOWNLOAD = (
    "from acoibl.datasets import DatasetUnavailableError, load\n"
    "try:\n"
    "    load('credit-a')\n"
    "except DatasetUnavailableError as error:\n"
    "    print('ACOIBL_CACHE' in str(error))\n"
)
STRANGER = 12_345


def python(code, folder, user, **environment):
    """Run code with these variables only; the user may read everything, but writes by rights."""
    rights = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"]
    number = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *rights]
    done = subprocess.run(
        [*number, sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.strip()


@pytest.fixture
def stranger():
    """Folders of a user without an account, who may not write the package: sources, own, others."""
    if not hasattr(os, "getuid") or os.getuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root, with the program setpriv, can become a user without an account")
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    shutil.copytree(PACKAGE, place / "src" / "acoibl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("data", "notebooks"):
        (place / "src" / name).symlink_to(PACKAGE.parent / name)
    (place / "src" / "pyproject.toml").touch()
    for name in ("here", "tmp", "home"):
        (place / name).mkdir()
        os.chown(place / name, STRANGER, STRANGER)
    (place / "home" / ".cache").mkdir()
    yield place
    shutil.rmtree(place)


HOMES = {
    "no home": {},
    "home is not there": {"HOME": "/nonexistent"},
    "~/.cache of somebody else": {"HOME": "{}/home"},
    "XDG_CACHE_HOME of somebody else": {"XDG_CACHE_HOME": "{}/src"},
    "NUMBA_CACHE_DIR of somebody else": {"NUMBA_CACHE_DIR": "{}/src", "HOME": "{}/home"},
}


@pytest.mark.slow
@pytest.mark.parametrize("home", HOMES)
def test_no_folder_for_caches(stranger, home):
    variables = {name: value.format(stranger) for name, value in HOMES[home].items()}
    more = {"no home": FIT, "~/.cache of somebody else": DOWNLOAD}.get(home, "")
    said = python(
        SEARCH + more,
        stranger / "here",
        STRANGER,
        PYTHONPATH=str(stranger / "src"),
        TMPDIR=str(stranger / "tmp"),
        **variables,
    )
    assert said.split()[0] == str(_expected())
    assert said.split()[1:] == {FIT: ["a"], DOWNLOAD: ["True"], "": []}[more]
    assert not list((stranger / "here").iterdir())  # no folder "~"
    assert not list((stranger / "tmp").iterdir())  # what was made is removed


def _expected():
    from acoibl.acor import minimize

    return minimize(lambda x: (x**2).sum(), [(-5, 5)] * 3, max_iter=30, random_state=0).fun


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("left", [0.0, 0.5])
def test_damaged_caches_are_made_anew(tmp_path, kind, left):
    def search():
        done = subprocess.run(
            [sys.executable, "-c", SEARCH],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = search()
    files = {path: path.stat().st_size for path in tmp_path.rglob(kind)}
    assert files
    for path, size in files.items():
        os.truncate(path, int(left * size))
    assert search() == first
    assert all(path.stat().st_size > 0.9 * size for path, size in files.items())


def double(values):
    return 2 * values.sum()


def test_a_cache_that_vanished_or_cannot_be_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    kernel = njit(cache=True)(double)
    shutil.rmtree(tmp_path / "cache")
    (tmp_path / "cache").touch()  # no folder can be made there
    assert kernel(np.ones(3)) == 6
    (tmp_path / "cache").unlink()
    kernel = njit(cache=True)(double)
    assert kernel(np.ones(3)) == 6
    (index,) = tmp_path.rglob("*.nbi")
    index.unlink()
    index.mkdir()
    assert njit(cache=True)(double)(np.ones(3)) == 6


def test_without_any_folder_kernels_run_without_a_cache(monkeypatch):
    def nowhere(*_, **__):
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr("numba.core.caching.tempfile.TemporaryFile", nowhere)
    monkeypatch.setattr("acoibl._homes.tempfile.mkdtemp", nowhere)
    assert njit(cache=True)(double)(np.ones(3)) == 6


def test_a_home_that_cannot_be_used_is_still_the_users(monkeypatch):
    monkeypatch.setenv("HOME", "/nonexistent")
    _homes.replace_missing_home()
    assert os.environ["HOME"] == "/nonexistent"


def test_kernels_are_compiled_by_our_compiler_only():
    others = [
        path.name
        for path in PACKAGE.rglob("*.py")
        if "import njit" in (text := path.read_text(encoding="utf-8"))
        and "from acoibl._njit import njit" not in text
    ]
    assert not others, "numba's own njit refuses to work where its cache cannot be written"
