"""Operators of genetic algorithms: HUX, BLX-alpha, non-uniform mutation, elitist merging.

Fitness is always maximised, and a population is always sorted, best first.
"""

import numpy as np

from acoibl._njit import njit


@njit(cache=True)
def half_distances(population, order):
    """Half the Hamming distances, rounded down, of the pairs ``order[2p], order[2p + 1]``."""
    halves = np.empty(len(order) // 2, dtype=np.int64)
    for p in range(len(halves)):
        a, b = population[order[2 * p]], population[order[2 * p + 1]]
        differing = 0
        for g in range(len(a)):
            differing += a[g] != b[g]
        halves[p] = differing // 2
    return halves


@njit(cache=True)
def cross_pairs(
    population, order, halves, threshold, prob_0_to_1, exact_half, rng, children, parents
):
    """Cross the pairs farther apart than the threshold; return the number of children.

    By `hux`, or without `exact_half` by `hux_by_coin`. Children 2p and 2p + 1 come from the p-th
    pair that mates; `parents` (n,) says whose copy each child started from.
    """
    n = 0
    for p in range(len(halves)):
        if halves[p] > threshold:
            first, second = order[2 * p], order[2 * p + 1]
            children[n] = population[first]
            children[n + 1] = population[second]
            parents[n], parents[n + 1] = first, second
            if exact_half:
                hux(children[n], children[n + 1], prob_0_to_1, rng)
            else:
                hux_by_coin(children[n], children[n + 1], prob_0_to_1, rng)
            n += 2
    return n


@njit(cache=True)
def hux(a, b, prob_0_to_1, rng):
    """Half uniform crossover, in place, that sets a bit with probability `prob_0_to_1` only.

    Half of the differing positions (rounded down, chosen without replacement) are exchanged; at
    each the 1 always goes, and comes to the other chromosome with that probability.
    """
    places = np.flatnonzero(a != b)
    for i in range(len(places) // 2):
        j = rng.integers(i, len(places))
        places[i], places[j] = places[j], places[i]
        _exchange(a, b, places[i], prob_0_to_1, rng)


@njit(cache=True)
def hux_by_coin(a, b, prob_0_to_1, rng):
    """As `hux`, but a fair coin says of each differing position whether it is exchanged."""
    for g in range(len(a)):
        if a[g] != b[g] and rng.random() < 0.5:
            _exchange(a, b, g, prob_0_to_1, rng)


@njit(cache=True)
def _exchange(a, b, g, prob_0_to_1, rng):
    if rng.random() < prob_0_to_1:
        a[g], b[g] = b[g], a[g]
    else:
        a[g] = b[g] = False


@njit(cache=True)
def merge_elitist(fitness, offspring_fitness, offspring_first, chosen):
    """Choose the best of two lists; return how many come from the second.

    `fitness` (n,) is sorted, best first; `offspring_fitness` (m,) need not be. `chosen` (n,) gets
    positions in the first list, or n + position in the second, best first. Of equals the first
    list goes first, or with `offspring_first` the second.
    """
    n = len(fitness)
    order = np.argsort(-offspring_fitness, kind="mergesort")
    i = k = 0
    for place in range(n):
        if k == len(order):
            from_second = False
        elif i == n:
            from_second = True
        elif offspring_first:
            from_second = offspring_fitness[order[k]] >= fitness[i]
        else:
            from_second = offspring_fitness[order[k]] > fitness[i]
        if from_second:
            chosen[place] = n + order[k]
            k += 1
        else:
            chosen[place] = i
            i += 1
    return k


@njit(cache=True)
def scatter(population, rate, redraw, prob_1, rng):
    """Make every individual but the first a disturbed copy of the first, in place.

    Each bit is touched with probability `rate`: flipped, or with `redraw` drawn anew, 1 with
    probability `prob_1`.
    """
    for i in range(1, len(population)):
        for g in range(population.shape[1]):
            bit = population[0, g]
            if rng.random() < rate:
                bit = rng.random() < prob_1 if redraw else not bit
            population[i, g] = bit


def count_draws(n_stages: int, n_genes: int) -> int:
    """How many random numbers `breed` wants.

    Parameters
    ----------
    n_stages : int
        Crossovers.
    n_genes : int
        Variables.

    Returns
    -------
    int
        Length of its `uniform`.
    """
    return 4 + 2 * n_stages * (2 + 4 * n_genes)


@njit(cache=True)
def breed(
    population,
    fitness,
    lower,
    upper,
    alphas,
    chain,
    mutation_probability,
    as_pair,
    gene_probability,
    times,
    shape,
    uniform,
    children,
):
    """Fill `children` (2 * n_stages, n_genes) by crossovers of one pair of parents.

    The parents win a binary tournament each. Stage s crosses them by BLX with ``alphas[s]``; with
    `chain` the second parent of all stages but the first is the stage before's second child.
    Mutation is drawn once for the two children of a stage (`as_pair`) or for each child; within a
    mutated child every gene changes with `gene_probability`, or exactly one if that is negative.
    ``times[s]`` is the share of the time that is over. `uniform` holds `count_draws` random
    numbers in [0, 1): drawn by the caller at once, for compiled code takes long to get hold of a
    Generator.
    """
    n_genes = len(lower)
    first, second = tournament(fitness, uniform[0:2]), tournament(fitness, uniform[2:4])
    draws = uniform[4:].reshape(2 * len(alphas), 2 + 4 * n_genes)
    for s in range(len(alphas)):
        a, b = children[2 * s], children[2 * s + 1]
        other = children[2 * s - 1] if chain and s > 0 else population[second]
        blend(population[first], other, alphas[s], lower, upper, draws[2 * s, 2:], a)
        blend(population[first], other, alphas[s], lower, upper, draws[2 * s + 1, 2:], b)
        for child in range(2 * s, 2 * s + 2):
            decisive = 2 * s if as_pair else child
            if draws[decisive, 0] < mutation_probability:
                mutate(
                    children[child],
                    lower,
                    upper,
                    gene_probability,
                    times[s],
                    shape,
                    draws[child, 1 : 2 + 4 * n_genes],
                )


@njit(cache=True)
def tournament(fitness, uniform):
    """Better of two different individuals; of equals the second drawn."""
    n = len(fitness)
    a = int(uniform[0] * n)
    if n == 1:
        return a
    b = int(uniform[1] * (n - 1))
    b += b >= a
    return a if fitness[a] > fitness[b] else b


@njit(cache=True)
def blend(x, y, alpha, lower, upper, uniform, child):
    """BLX-alpha: uniform in the parents' interval, widened by alpha on each side."""
    for g in range(len(x)):
        low, high = min(x[g], y[g]), max(x[g], y[g])
        reach = alpha * (high - low)
        start = max(lower[g], low - reach)
        child[g] = start + (min(upper[g], high + reach) - start) * uniform[g]


@njit(cache=True)
def mutate(x, lower, upper, gene_probability, time, shape, uniform):
    """Non-uniform mutation, in place: steps towards a bound that shrink as time goes by.

    Of `uniform` (1 + 4 * n_genes,) the first chooses the one gene, and the last three of each
    gene are used.
    """
    n = len(x)
    chosen = int(uniform[0] * n) if gene_probability < 0 else -1
    for g in range(n):
        if chosen >= 0:
            if g != chosen:
                continue
        elif uniform[1 + n + g] >= gene_probability:
            continue
        share = 1.0 - uniform[1 + 2 * n + g] ** ((1.0 - time) ** shape)
        if uniform[1 + 3 * n + g] < 0.5:
            x[g] += (upper[g] - x[g]) * share
        else:
            x[g] -= (x[g] - lower[g]) * share


@njit(cache=True)
def best_two(fitness, last_second):
    """Positions of the two children that survive; -1 for none.

    The best two, the earlier of equals; with `last_second` the best of the first children of all
    stages and the second child of the last stage, whatever its fitness.
    """
    n = len(fitness)
    if last_second:
        a = 0
        for i in range(2, n, 2):
            if fitness[i] > fitness[a]:
                a = i
        return a, n - 1 if n > 1 else -1
    a, b = 0, -1
    for i in range(1, n):
        if fitness[i] > fitness[a]:
            a, b = i, a
        elif b < 0 or fitness[i] > fitness[b]:
            b = i
    return a, b


@njit(cache=True)
def replace_worst(population, fitness, children, child_fitness, last_second):
    """Put the surviving two of the children in place of the worst two, better or not; sort."""
    a, b = best_two(child_fitness, last_second)
    worst = len(fitness) - 1
    if b >= 0 and worst > 0:
        _insert(population, fitness, children[b], child_fitness[b], worst - 1)
    _insert(population, fitness, children[a], child_fitness[a], worst)


@njit(cache=True)
def _insert(population, fitness, genes, value, place):
    """Overwrite the individual at `place` and move the new one up to where it belongs."""
    while place > 0 and fitness[place - 1] < value:
        population[place] = population[place - 1]
        fitness[place] = fitness[place - 1]
        place -= 1
    population[place] = genes
    fitness[place] = value
