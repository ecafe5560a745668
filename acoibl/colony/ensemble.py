"""Majority vote of the colony (Section 7)."""

import numpy as np


def majority(codes: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Majority vote of ranked members.

    Parameters
    ----------
    codes : ndarray of int64, shape (n_members, n_queries)
        Class codes predicted by each member, best-ranked member first.
    n_classes : int
        Number of classes.

    Returns
    -------
    winners : ndarray of int64, shape (n_queries,)
        Class with most votes; a tie goes to the tied class voted for by the
        best-ranked member that voted for any of them.
    shares : ndarray of float64, shape (n_queries, n_classes)
        Vote shares.

    Examples
    --------
    >>> import numpy as np
    >>> winners, shares = majority(np.array([[1], [0], [0], [1]]), 2)
    >>> winners.tolist(), shares.tolist()
    ([1], [[0.5, 0.5]])
    """
    n_members, n_queries = codes.shape
    counts = np.zeros((n_queries, n_classes), dtype=np.int64)
    queries = np.arange(n_queries)
    for member in codes:
        counts[queries, member] += 1
    tied = counts == counts.max(axis=1, keepdims=True)
    # A member's vote stands if it is for a tied class; the first such member decides.
    stands = tied[queries[np.newaxis, :], codes]
    winners = codes[stands.argmax(axis=0), queries]
    return winners, counts / n_members
