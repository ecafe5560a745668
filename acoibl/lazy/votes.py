"""Vote shares that agree with the prediction."""

import numpy as np

from acoibl import kernels


def favour_winners(votes: np.ndarray, winners: np.ndarray) -> np.ndarray:
    """Give the winner of a tie 1e-9 more, so that the largest share is the prediction."""
    rows = np.arange(len(votes))
    others = votes.copy()
    others[rows, winners] = -np.inf
    tied = others.max(axis=1, initial=-np.inf) >= votes[rows, winners] * (1 - kernels.EQUAL)
    out = votes.copy()
    # Rounding can leave a tied rival a trifle ahead: start from the larger of the two.
    out[rows[tied], winners[tied]] = votes[tied].max(axis=1) + 1e-9
    return out / out.sum(axis=1, keepdims=True)
