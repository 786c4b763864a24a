"""A particular solution for any smooth source: the source is expanded in waves, and the operator divides each of them.

On a box of half lengths h_1, h_2 around c a source is approximated by its Fourier extension, a sum of waves that need
not be periodic on the box but only on one twice as large,

    f(x) = Re sum_jk (f+_jk exp(i (k_j s_1 + k_k s_2)) + f-_jk exp(i (k_j s_1 - k_k s_2))),   s = (x - c) / h,

with k_j = (j + 1/2) pi / 2. Waves that differ only outside the box are nearly dependent on it, so the coefficients are
those of a truncated singular value decomposition: they stay of the size of f, and the error falls geometrically to a
few units of rounding. An operator P(D) with constant coefficients multiplies each wave by P(i k), hence its solution
has the coefficients f_jk / P(i k).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

LONGER = 2.0
"""The period of the waves, in units of the box. With 1.5 and with 3 a source needs half as many waves again
to ten digits."""
WAVES = (12, 18, 27, 40, 60)
"""Waves along an axis that are tried; a source without oscillations has eight digits with the first and thirteen with
the second."""
PER_WAVE = 3
"""Gauss points along an axis for each wave, which has a sine and a cosine: with 4 errors are the same."""
CUT = 1e-15
"""Products of singular values below this part of the largest are rounding. With 1e-13 a hundredth of the accuracy."""
FITTED, FALLS = 3e-14, 0.2
"""The relative error of a source that is rounding; and what more waves must reduce a larger one to, to go on."""
REFUSED = 1e-4
"""A source with a larger relative error than this is not smooth on the box."""
RESONANT = 1e-3
"""A wave that the operator takes to less than this part of its terms is nearly a solution without a source."""


@dataclass(frozen=True, eq=False)
class WaveSum:
    """Such a sum of waves, as arrays that can be stored in a file.

    Parameters
    ----------
    factors : (J, 2 J) complex array
        f+ and f- side by side.
    box : (2, 2) array
        The centre of the box, and its half lengths.
    """

    factors: np.ndarray
    box: np.ndarray

    def derivative(self, points: np.ndarray, index: tuple[int, ...]) -> np.ndarray:
        """D^k u at points: (n, 2) -> (n,)."""
        count = len(self.factors)
        rates = wave_rates(count)
        first, second = (_waves((points[:, a] - self.box[0, a]) / self.box[1, a], count) for a in (0, 1))
        weights = np.multiply.outer((1j * rates / self.box[1, 0]) ** index[0], np.ones(2 * count))
        turned = (1j * rates / self.box[1, 1]) ** index[1]
        weights = self.factors * weights * np.concatenate([turned, turned.conj()])
        half = first @ weights
        return np.asarray(
            np.einsum("nk,nk->n", half[:, :count], second).real
            + np.einsum("nk,nk->n", half[:, count:], second.conj()).real
        )


def particular_solution(
    source: Callable[[np.ndarray], np.ndarray],
    terms: Mapping[tuple[int, ...], float],
    bounds: np.ndarray,
    points: np.ndarray,
) -> WaveSum | str:
    """A function u with sum_k c_k D^k u = source in the plane; if there is none of this kind, why.

    Parameters
    ----------
    source : callable
        At points (n, 2) of the box.
    terms : mapping
        The constants c_k by multi-index.
    bounds : (2, 2) array
        The box.
    points : (n, 2) array
        Points at which the expansion of the source is compared with it.
    """
    box = np.stack([bounds.mean(axis=0), 0.5 * np.ptp(bounds, axis=0)])
    wanted = source(points)
    size, best, least = float(np.abs(wanted).max(initial=0.0)) or 1.0, None, np.inf
    for count in WAVES:
        found = WaveSum(_expanded(source, box, count), box)
        error = float(np.abs(found.derivative(points, (0, 0)) - wanted).max()) / size
        last, (best, least) = least, (found, error) if error < least else (best, least)
        if error <= FITTED or (count > WAVES[1] and error > FALLS * last):
            break
    if best is None or not least <= REFUSED:
        return f"the source is not smooth on the box around the domain: waves reproduce it to {least:.0e}"
    symbol, largest = _symbol(terms, box, len(best.factors))
    if np.abs(symbol / largest).min() < RESONANT:
        return "the operator nearly annihilates one of the waves into which the source is expanded"
    return WaveSum(best.factors / symbol, box)


def _symbol(terms: Mapping[tuple[int, ...], float], box: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """P(i k) for all waves, and the sum of the sizes of its terms."""
    rates = 1j * wave_rates(count)
    total, sizes = np.zeros((count, 2 * count), dtype=complex), np.zeros((count, 2 * count))
    for (p, q), c in terms.items():
        turned = (rates / box[1, 1]) ** q
        term = c * np.multiply.outer((rates / box[1, 0]) ** p, np.concatenate([turned, turned.conj()]))
        total += term
        sizes += np.abs(term)
    return total, sizes


def wave_rates(count: int) -> np.ndarray:
    """k_j = (j + 1/2) pi / T: without a constant, which the Laplacian could not divide."""
    return (np.arange(count) + 0.5) * (np.pi / LONGER)


def _waves(s: np.ndarray, count: int) -> np.ndarray:
    """exp(i k_j s): (n, J), by repeated multiplication."""
    table = np.empty((len(s), count), dtype=complex)
    table[:, 0] = np.exp(0.5j * np.pi / LONGER * s)
    table[:, 1:] = (table[:, 0] ** 2)[:, None]
    return np.asarray(np.multiply.accumulate(table, axis=1))


@cache
def _extension(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gauss's points, and the decomposition U diag(s) V' of the cosines and sines there; U includes the weights."""
    nodes, weights = np.polynomial.legendre.leggauss(PER_WAVE * count)
    root, angles = np.sqrt(weights)[:, None], np.outer(nodes, wave_rates(count))
    left, singular, right = np.linalg.svd(root * np.hstack([np.cos(angles), np.sin(angles)]), full_matrices=False)
    return nodes, root * left, singular, right.T


def _expanded(source: Callable[[np.ndarray], np.ndarray], box: np.ndarray, count: int) -> np.ndarray:
    """The coefficients of a source."""
    nodes, left, singular, right = _extension(count)
    x, y = (box[0, a] + box[1, a] * nodes for a in (0, 1))
    grid = np.stack([np.repeat(x, len(y)), np.tile(y, len(x))], axis=1)
    parts = left.T @ source(grid).reshape(len(x), len(y)) @ left
    sizes = np.multiply.outer(singular, singular)
    kept = sizes > CUT * sizes[0, 0]
    a, b = right[:count], right[count:]
    solved = np.where(kept, parts / np.where(kept, sizes, 1.0), 0.0)
    cos_cos, cos_sin, sin_cos, sin_sin = a @ solved @ a.T, a @ solved @ b.T, b @ solved @ a.T, b @ solved @ b.T
    plus = (cos_cos - sin_sin) - 1j * (cos_sin + sin_cos)
    minus = (cos_cos + sin_sin) + 1j * (cos_sin - sin_cos)
    return 0.5 * np.hstack([plus, minus])
