"""The papers' experiments: protocols, result store, runner and tables."""

from acoibl.experiments import tables
from acoibl.experiments.algorithm import Algorithm, Split
from acoibl.experiments.outcomes import decode_predictions, outcome
from acoibl.experiments.protocol import (
    PROFILES,
    Profile,
    UnknownNameError,
    cap_rows,
    folds,
    get_profile,
)
from acoibl.experiments.registry import EXPERIMENTS
from acoibl.experiments.running.backends import BackendError
from acoibl.experiments.running.plan import parse_seeds
from acoibl.experiments.running.runner import RunError, run
from acoibl.experiments.store import Store, StoreError

__all__ = [
    "EXPERIMENTS",
    "PROFILES",
    "Algorithm",
    "BackendError",
    "Profile",
    "RunError",
    "Split",
    "Store",
    "StoreError",
    "UnknownNameError",
    "cap_rows",
    "decode_predictions",
    "folds",
    "get_profile",
    "outcome",
    "parse_seeds",
    "run",
    "tables",
]
