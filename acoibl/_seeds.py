"""The one reader of `random_state`: what the user gave is never changed by being read."""

from typing import Any

import numpy as np

RANDOM_STATE: list = ["random_state", np.random.Generator, np.random.SeedSequence]
"""What an estimator accepts as `random_state`, for scikit-learn's validation."""


def make_generator(state: Any) -> np.random.Generator:
    """Stream of its own for a `random_state`; a Generator is used as it is."""
    if isinstance(state, np.random.RandomState):
        state = _draw(state)
    if isinstance(state, np.random.SeedSequence):  # a copy: spawning must not change the user's
        state = child_seed(state)
    return np.random.default_rng(state)


def seed_sequence(state: Any) -> np.random.SeedSequence:
    """Source of child seeds for a `random_state`; a Generator or RandomState is drawn from."""
    if isinstance(state, np.random.SeedSequence):
        return child_seed(state)
    if isinstance(state, np.random.Generator):
        return np.random.SeedSequence(int(state.integers(2**63)))
    if isinstance(state, np.random.RandomState):
        return np.random.SeedSequence(_draw(state))
    return np.random.SeedSequence(None if state is None else int(state))


def child_seed(sequence: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """Source of its own for one purpose: the same for the same key (no key: a copy)."""
    return np.random.SeedSequence(
        sequence.entropy, spawn_key=(*sequence.spawn_key, *key), pool_size=sequence.pool_size
    )


def _draw(state: np.random.RandomState) -> int:
    return int(state.randint(np.iinfo(np.int32).max))
