"""Slow, obvious oracles of the ants: every distance anew, every rule in a line of its own.

Shares no code with the package. A table is a list of rows of scaled numbers, category codes
(`nominal` says which columns hold them) and None for a missing value.
"""

from itertools import combinations

EQUAL = 1e-9  # the share of a distance by which an equal one may be larger


def term(a, b, nominal):
    if a is None or b is None:
        return 1.0
    if nominal:
        return 0.0 if a == b else 1.0
    return (a - b) ** 2


def vote(query, rows, labels, subset, nominal, k):
    """Majority of all rows up to the k-th distance; a tie goes to the tied class of the nearest."""
    distances = [sum(term(query[j], row[j], nominal[j]) for j in subset) for row in rows]
    limit = sorted(distances)[min(k, len(rows)) - 1]
    votes = {}
    for distance, label in zip(distances, labels, strict=True):
        if distance <= limit * (1 + EQUAL):
            votes[label] = votes.get(label, 0) + 1
    tied = [label for label in votes if votes[label] == max(votes.values())]
    nearest = {
        label: min(d for d, own in zip(distances, labels, strict=True) if own == label)
        for label in tied
    }
    best = min(nearest.values())
    return min(label for label in tied if nearest[label] <= best * (1 + EQUAL))


def errors(train, labels, queries, actual, subset, nominal, k, parts=None):
    """Queries that are wrong; with `parts` the training rows ask the rows of other parts."""
    wrong = 0
    for i, query in enumerate(queries):
        seen = range(len(train))
        if parts is not None:
            seen = [s for s in seen if parts[s] != parts[i]]
        guess = vote(query, [train[s] for s in seen], [labels[s] for s in seen], subset, nominal, k)
        wrong += guess != actual[i]
    return wrong


def separability(values, labels):
    """Eq. 6-10 for one numeric feature; None where a value is missing."""
    pairs = [(v, c) for v, c in zip(values, labels, strict=True) if v is not None]
    mean = sum(v for v, _ in pairs) / len(pairs)
    between = within = 0.0
    for c in sorted({c for _, c in pairs}):
        own = [v for v, label in pairs if label == c]
        own_mean = sum(own) / len(own)
        between += (own_mean - mean) ** 2
        within += sum((v - own_mean) ** 2 for v in own)
    return between / within


def best_of_size(n_features, size, errors_of):
    """Fewest errors of any subset of that size, the first that has them, how many have them."""
    found = [(errors_of(subset), subset) for subset in combinations(range(n_features), size)]
    best = min(found)[0]
    return best, next(s for e, s in found if e == best), sum(e == best for e, _ in found)


def colony(errors_of, eta, n_queries, max_size, criteria, rng, *, alpha, beta, rho, z, tau0,
           n_generations, n_ants):  # fmt: skip
    """Pseudo code 1, feature numbers as in the table; lines of a history, final pheromone."""
    by_eta = sorted(range(len(eta)), key=lambda j: (-eta[j], j))
    tau = [[tau0] * len(eta) for _ in criteria]
    history = []
    for generation in range(1, n_generations + 1):
        starts = [rng.choice(len(eta), min(n_ants, len(eta)), replace=False) for _ in criteria]
        for group, criterion in enumerate(criteria):
            pheromone, walked = tau[group], []
            for start in starts[group]:
                path = [by_eta[start]]
                now = errors_of(path)
                pheromone[path[-1]] = (1 - z) * pheromone[path[-1]] + z
                while len(path) < max_size:
                    fitness = {j: pheromone[j] ** alpha * eta[j] ** beta for j in by_eta}
                    left = [j for j in by_eta if j not in path]
                    gaps = {j: abs(fitness[j] - fitness[path[-1]]) for j in left}
                    sign = {"nearest": 1, "furthest": -1}[criterion]
                    for candidate in sorted(left, key=lambda j: sign * gaps[j]):
                        after = errors_of([*path, candidate])
                        if after < now:
                            path.append(candidate)
                            now = after
                            pheromone[candidate] = (1 - z) * pheromone[candidate] + z
                            break
                    else:
                        break
                walked.append((now, len(path), path))
            now, _, path = min(walked, key=lambda walk: walk[:2])
            accuracy = 1 - now / n_queries
            for j in path:
                pheromone[j] = (1 - rho) * pheromone[j] + rho * accuracy
            history.append((generation, criterion, accuracy, tuple(path)))
    return history, tau
