"""Users without a home, and folders that cannot be written: where files go instead."""

import atexit
import contextlib
import os
import shutil
import tempfile


def temporary_folder(variable: str) -> str:
    """Make a folder that is removed at exit, and name it in an environment variable.

    Worker processes inherit the variable and share the folder. It is made anew: nobody else can
    have put anything into it.
    """
    folder = tempfile.mkdtemp(prefix="acoibl-")
    atexit.register(_remove, folder, os.getpid())
    os.environ[variable] = folder
    return folder


def replace_missing_home() -> None:
    """Give a user without a home a temporary one.

    A container often runs as a number without an account, and without HOME. Numba, matplotlib,
    pooch and Jupyter then fail, each in its own way, or make a folder named "~" where the program
    happens to run.
    """
    if not os.path.isabs(os.path.expanduser("~")):
        with contextlib.suppress(OSError):  # there is no place for temporary files either
            temporary_folder("HOME")


def _remove(folder: str, maker: int) -> None:
    if os.getpid() == maker:  # not a forked child, which ends earlier
        shutil.rmtree(folder, ignore_errors=True)
