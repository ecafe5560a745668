"""A place for numba's cache on machines where its usual places cannot be written."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def ensure_cache_folder() -> None:
    """Name a temporary folder where numba would find none and refuse to define a kernel.

    Numba keeps compiled code beside the sources or in the user's cache folder.
    A package in a read-only folder, used by somebody without a home, has
    neither. The folder is made anew and removed at exit: nobody else can have
    put code into it.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    beside_sources = os.access(Path(__file__).parent, os.W_OK)
    home = Path.home()
    if beside_sources or (home.is_dir() and os.access(home, os.W_OK)):
        return
    folder = tempfile.mkdtemp(prefix="acoibl-numba-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder
