"""The papers' experiments: protocols, result store, runner and tables."""

from acoibl.experiments import tables
from acoibl.experiments.algorithms import EXPERIMENTS, Algorithm, Split
from acoibl.experiments.protocol import (
    PROFILES,
    Profile,
    UnknownNameError,
    cap_rows,
    folds,
    get_profile,
)
from acoibl.experiments.runner import RunError, run
from acoibl.experiments.store import Store, StoreError

__all__ = [
    "EXPERIMENTS",
    "PROFILES",
    "Algorithm",
    "Profile",
    "RunError",
    "Split",
    "Store",
    "StoreError",
    "UnknownNameError",
    "cap_rows",
    "folds",
    "get_profile",
    "run",
    "tables",
]
