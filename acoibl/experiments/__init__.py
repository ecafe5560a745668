"""The papers' experiments: protocols, result store, runner and tables."""

from acoibl.experiments import tables
from acoibl.experiments.algorithms import Algorithm, Split
from acoibl.experiments.backends import BackendError
from acoibl.experiments.outcomes import decode_predictions, outcome
from acoibl.experiments.plan import parse_seeds
from acoibl.experiments.protocol import (
    PROFILES,
    Profile,
    UnknownNameError,
    cap_rows,
    folds,
    get_profile,
)
from acoibl.experiments.registry import EXPERIMENTS
from acoibl.experiments.runner import RunError, run
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
