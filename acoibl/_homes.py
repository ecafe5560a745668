"""Users without a home, and folders that cannot be written: where temporary files go instead."""

import atexit
import os
import shutil
import tempfile


def temporary_folder(*variables: str) -> str:
    """Make a folder that is removed at exit, and name it in environment variables.

    Worker processes inherit them and share the folder. It is made anew: nobody else can have put
    anything into it.
    """
    folder = tempfile.mkdtemp(prefix="acoibl-")
    atexit.register(_remove, folder, os.getpid())
    for variable in variables:
        os.environ[variable] = folder
    return folder


def replace_missing_home() -> None:
    """Give the caches of numba, matplotlib and pooch a place where the user has no home.

    A container often runs as a number without an account, and without HOME: each of the three
    would then fail, or make a folder named "~" where the program happens to run.
    """
    if os.path.isabs(os.path.expanduser("~")):
        return
    absent = [name for name in ("XDG_CACHE_HOME", "MPLCONFIGDIR") if not os.environ.get(name)]
    if absent:
        temporary_folder(*absent)


def _remove(folder: str, maker: int) -> None:
    if os.getpid() == maker:  # not a forked child, which ends earlier
        shutil.rmtree(folder, ignore_errors=True)
