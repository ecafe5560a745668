"""The papers' experiments: which algorithms, on which rows, and the tables of what came out.

Where to look:

- ``protocol``, ``data``: folds, seeds, budgets; a dataset after the cap of its rows
- ``algorithm``, ``outcomes``: what an algorithm gets, and the scores of what it answers
- ``registry``: the experiments; another one is another `Experiment` there
- ``methods``: the algorithms, a module a family
- ``running``: from a name to a table of results: plan, compute, status, export
- ``store``, ``packs``, ``folders``: where results are, and how they are kept
- ``tables``: the papers' tables, a module an experiment

One word for one thing:

- *algorithm*: what is compared, with all its parameters. Ours are the colonies and the ants;
  all others are *peers*: those of CIW-NN's paper the *classical* ones. (Names in stored results are
  older: ``comparator-...``, ``antfs-rivals``.)
- *split*: the rows that an algorithm learns from and those it is tested on; mostly a fold
- *outcome*: the scores of one split's predictions
- *task*: one algorithm on one fold of one dataset with one seed; its *unit* is fold and seed
- *result*: one stored line, an outcome with what names it and further facts; a task has several
- *scores*: means of results, datasets x algorithms
- *status*: what is done, missing, failed; *durations*: how long the rest will take
"""

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
