"""From squared distances to votes to a class: k-NN, d-NN and the Gaussian kernel estimator.

A function here sees one query: its squared distances to all training rows
(infinite for the row that is left out), the rule and the key parameter. It
fills `votes` (n_classes,) and returns the winning class. Ties of votes go to
the tied class that owns the nearest row, then to the smaller class.
"""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import BEYOND, EQUAL
from acoibl.kernels.training import DNN, KNN

LEAST_BANDWIDTH, MOST_BANDWIDTH = 1e-150, 1e150
"""Bandwidths outside are taken as the nearer of these: their squares would be 0 or infinite."""


@njit(cache=True, nogil=True)
def vote(distances, training, own, rule, parameter, smallest, votes):
    """Votes and winner for one query and one value of the key parameter.

    `smallest` holds at least the k smallest squared distances in ascending
    order when the rule is k-NN without sample weights.
    """
    if rule.kind != KNN:
        return vote_by_distance(distances, training, own, rule, parameter, votes)
    votes[:] = 0.0
    _vote_nearest(distances, training, own, rule.include_ties, parameter, smallest, votes)
    return decide(distances, training, votes)


@njit(cache=True, nogil=True)
def vote_by_distance(distances, training, own, rule, parameter, votes):
    """`vote` for d-NN and GKE, apart because it compiles faster."""
    votes[:] = 0.0
    if rule.kind == DNN:
        if not _vote_within(distances, training, parameter, votes):
            if not rule.nearest_outlier:
                return _vote_prior(training, own, votes)
            _vote_equals(distances, training, votes)
    else:
        _vote_gaussian(distances, training, parameter, votes)
    return decide(distances, training, votes)


@njit(cache=True, nogil=True)
def decide(distances, training, votes):
    """Class with most votes; ties to the nearest row's class, then the smaller one."""
    floor = votes.max() * (1.0 - EQUAL)
    winner = -1
    n_tied = 0
    for label in range(len(votes)):
        if votes[label] >= floor:
            n_tied += 1
            if winner < 0:
                winner = label
    if n_tied == 1:
        return winner
    # Among the tied classes: nearest row first, and only a clear lead unseats a smaller class.
    best = np.inf
    for label in range(len(votes)):
        if votes[label] >= floor:
            best = min(best, _nearest_of(distances, training, label))
    limit = best * BEYOND
    for label in range(len(votes)):
        if votes[label] >= floor and _nearest_of(distances, training, label) <= limit:
            return label
    return winner


@njit(cache=True, nogil=True)
def _nearest_of(distances, training, label):
    """Smallest distance of a row of the class; infinite if it has no row."""
    nearest = np.inf
    for s in range(training.starts[label], training.starts[label + 1]):
        nearest = min(nearest, distances[s])
    return nearest


@njit(cache=True, nogil=True)
def fill_smallest(distances, smallest):
    """Fill `smallest` (k,) with the k smallest distances, ascending; infinite where rows lack."""
    k = len(smallest)
    smallest[:] = np.inf
    for s in range(len(distances)):
        distance = distances[s]
        if distance < smallest[k - 1]:
            place = k - 1
            while place > 0 and smallest[place - 1] > distance:
                smallest[place] = smallest[place - 1]
                place -= 1
            smallest[place] = distance


@njit(cache=True, nogil=True)
def gaussian_factor(bandwidth):
    """Factor of a squared distance d in a vote: exp(-factor d), positive and finite."""
    return 0.5 / min(max(bandwidth, LEAST_BANDWIDTH), MOST_BANDWIDTH) ** 2


@njit(cache=True, nogil=True)
def _vote_nearest(distances, training, own, include_ties, k, smallest, votes):
    if len(training.row_weights) == 0:
        available = len(distances) - (1 if own >= 0 else 0)
        k_rows = min(int(k), available)
        limit = smallest[k_rows - 1]
        if include_ties:
            for label in range(len(votes)):
                segment = distances[training.starts[label] : training.starts[label + 1]]
                count = 0
                for s in range(len(segment)):
                    count += segment[s] <= limit * BEYOND
                votes[label] = count
            return
        k = float(k_rows)
    else:
        limit = _weighted_limit(distances, training, k)
        if include_ties:
            for s in range(len(distances)):
                if distances[s] <= limit * BEYOND:
                    votes[training.classes[s]] += training.row_weights[s]
            return
    _vote_strictly(distances, training, k, limit, votes)


@njit(cache=True, nogil=True)
def _vote_strictly(distances, training, k, limit, votes):
    """Exactly k votes: the rows clearly nearer than the limit, then tied rows in row order."""
    left = k
    for s in range(len(distances)):
        if distances[s] * BEYOND < limit:
            weight = _row_weight(training, s)
            votes[training.classes[s]] += weight
            left -= weight
    for row in range(len(distances)):
        s = training.positions[row]
        if left <= 0.0:
            break
        if limit <= distances[s] * BEYOND and distances[s] <= limit * BEYOND:
            weight = min(_row_weight(training, s), left)
            votes[training.classes[s]] += weight
            left -= weight


@njit(cache=True, nogil=True)
def _weighted_limit(distances, training, k):
    """Smallest distance within which the rows weigh k or more (all of them, if they weigh less)."""
    total = 0.0
    limit = -1.0
    while total < k * (1.0 - EQUAL):
        following = np.inf
        for s in range(len(distances)):
            if limit < distances[s] < following:
                following = distances[s]
        if following == np.inf:
            break
        limit = following
        for s in range(len(distances)):
            if distances[s] == limit:
                total += training.row_weights[s]
    return limit


@njit(cache=True, nogil=True)
def _row_weight(training, s):
    return training.row_weights[s] if len(training.row_weights) > 0 else 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def _vote_within(distances, training, radius, votes):
    """Votes 1/d of the rows within the radius; rows at distance 0 silence all others."""
    limit = radius * radius * BEYOND
    weights = training.row_weights
    nearest = np.inf
    for s in range(len(distances)):
        nearest = min(nearest, distances[s])
    if nearest > limit:
        return False
    at_zero = nearest == 0.0
    limit = 0.0 if at_zero else limit
    for label in range(len(votes)):
        total = 0.0
        for s in range(training.starts[label], training.starts[label + 1]):
            vote = 1.0 if at_zero else 1.0 / np.sqrt(distances[s])
            vote = vote if distances[s] <= limit else 0.0
            total += vote if len(weights) == 0 else weights[s] * vote
        votes[label] = total
    return True


@njit(cache=True, nogil=True)
def _vote_equals(distances, training, votes):
    """Votes of the nearest row and of those as near."""
    limit = distances.min() * BEYOND
    for s in range(len(distances)):
        if distances[s] <= limit:
            votes[training.classes[s]] += _row_weight(training, s)


@njit(cache=True, nogil=True)
def _vote_gaussian(distances, training, bandwidth, votes):
    """Gaussian votes, the nearest row's scaled to 1 so that a small bandwidth never gives 0/0."""
    nearest = distances.min()
    factor = -gaussian_factor(bandwidth)
    for label in range(len(votes)):
        total = 0.0
        for s in range(training.starts[label], training.starts[label + 1]):
            total += _row_weight(training, s) * np.exp(factor * (distances[s] - nearest))
        votes[label] = total


@njit(cache=True, nogil=True)
def _vote_prior(training, own, votes):
    """Class shares of the training rows, the left-out row not counted."""
    for label in range(len(votes)):
        votes[label] = training.class_totals[label]
    if own >= 0:
        votes[training.classes[own]] -= _row_weight(training, own)
    winner = 0
    for label in range(1, len(votes)):
        if votes[label] > votes[winner] * (1.0 + EQUAL):
            winner = label
    return winner
