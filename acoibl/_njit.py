"""The compiler of kernels: numba's, with a cache that never keeps a kernel from running."""

import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

import numba

from acoibl._homes import temporary_folder

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """`numba.njit`, whose ``cache=True`` works wherever it runs.

    Numba keeps compiled code in ``NUMBA_CACHE_DIR``, beside the sources, or in the user's cache
    folder, and refuses to define a kernel where none of them can be written. Here a temporary
    folder serves then. What numba cannot read, such as a file that a full disk cut short, it
    compiles anew.
    """

    def define(function: Kernel) -> Kernel:
        try:
            kernel = numba.njit(**options)(function)
        except RuntimeError:  # there is no folder for the cache
            kernel = numba.njit(**{**options, "cache": _use_temporary_folder()})(function)
        if hasattr(kernel, "_cache"):  # not where NUMBA_DISABLE_JIT leaves the function as it is
            kernel._cache = _Cache(kernel._cache)
        return kernel

    return define


class _Cache:
    """Numba's cache of one kernel; what fails in it counts as not there."""

    def __init__(self, cache: Any):
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, *arguments: Any) -> Any:
        try:
            return self._cache.load_overload(*arguments)
        except Exception:  # a damaged pickle may raise anything
            with contextlib.suppress(OSError):
                self._cache.flush()  # the index is written anew, and then the code
            return None

    def save_overload(self, *arguments: Any) -> None:
        # The disk is full, the folder was removed, or a damaged index cannot be replaced.
        with contextlib.suppress(Exception):
            self._cache.save_overload(*arguments)


def _use_temporary_folder() -> bool:
    """Let numba cache in a temporary folder; return whether there is one."""
    try:
        folder = temporary_folder("NUMBA_CACHE_DIR")
    except OSError:
        return False
    vars(numba.config)["CACHE_DIR"] = folder  # the variable alone would come too late
    return True
