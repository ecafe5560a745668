"""What features contribute to the margins of rows, and how alike these vectors are."""

import numpy as np

from acoibl._njit import njit
from acoibl.kernels.conventions import NO_ROW
from acoibl.kernels.differences import code_difference, number_difference
from acoibl.kernels.margins.rows import MarginRows

LEAST_LINES, MOST_LINES, CELLS = 8, 512, 2_000_000
"""Rows of a block, and cells of its table of products."""


def margin_vectors(rows: MarginRows, hits: np.ndarray, misses: np.ndarray) -> np.ndarray:
    """What each feature contributes to the margin of each row.

    Parameters
    ----------
    rows : MarginRows
        The rows.
    hits, misses : ndarray of int64, shape (n_rows,)
        As from `nearest_pairs`.

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)
        ``|x - miss| - |x - hit|`` by sorted row; a missing hit or miss contributes 0.
    """
    out = np.zeros((len(hits), rows.numeric.shape[1] + rows.codes.shape[1]))
    _add_differences(rows.numeric, rows.codes, misses, 1.0, out)
    _add_differences(rows.numeric, rows.codes, hits, -1.0, out)
    return out


def mean_distances(vectors: np.ndarray) -> np.ndarray:
    """Mean Euclidean distance of each vector to all others.

    Parameters
    ----------
    vectors : ndarray of float64, shape (n_rows, n_features)
        Vectors.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        Means; vectors that are equal to twelve digits of their squared length are at distance 0.
    """
    centred = vectors - vectors.mean(axis=0)
    lengths = np.einsum("ij,ij->i", centred, centred)
    n = len(centred)
    totals = np.zeros(n)
    size = max(LEAST_LINES, min(MOST_LINES, CELLS // max(n, 1)))
    for start in range(0, n, size):  # the upper triangle
        products = centred[start : start + size] @ centred[start:].T
        _add_roots(products, lengths, start, totals)
    return totals / max(n - 1, 1)


@njit(cache=True, nogil=True)
def _add_differences(numeric, codes, others, sign, out):
    differences = np.empty(out.shape[1])
    for s in range(len(others)):
        if others[s] != NO_ROW:
            fill_differences(numeric, codes, s, others[s], differences)
            for j in range(out.shape[1]):
                out[s, j] += sign * differences[j]


@njit(cache=True, nogil=True)
def _add_roots(products, lengths, start, totals):
    """Distances of rows `start`, ... to themselves and all later rows, added to both."""
    size, n = products.shape
    for i in range(size):
        own, total = lengths[start + i], 0.0
        line = products[i]
        for s in range(n):
            scale = own + lengths[start + s]
            square = scale - 2.0 * line[s]
            line[s] = np.sqrt(square) if square > 1e-12 * scale else 0.0
        for s in range(size):
            total += line[s] if s != i else 0.0
        for s in range(size, n):
            total += line[s]
            totals[start + s] += line[s]
        totals[start + i] += total


@njit(cache=True, nogil=True)
def fill_differences(numeric, codes, own, other, out):
    """Differences per feature: absolute, 0 or 1, and 1 where a value is missing."""
    n_numeric = numeric.shape[1]
    for j in range(n_numeric):
        out[j] = number_difference(numeric[own, j], numeric[other, j])
    for j in range(codes.shape[1]):
        out[n_numeric + j] = code_difference(codes[own, j], codes[other, j])
