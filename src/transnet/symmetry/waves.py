"""Plane waves that are closed under reflections, and their even and odd combinations: products of cosines and sines.

With the axes A that are reflected and the others r, the waves sin and cos of (sum_A s_a w_a y_a + w_r . y_r) for all
signs s span the same functions as the products

    prod_A cos(w_a y_a - p_a pi/2)  cos(w_r . y_r - q pi/2),    p_a, q in {0, 1},

of which each is even (p_a = 0) or odd (p_a = 1) in each coordinate of A. If no axis is left over, the first of A is
used as r. A derivative turns cosines into sines, so that all derivatives of all products come from one evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

import numpy as np

from transnet.features.evaluate import powers
from transnet.features.sincos import sincos
from transnet.features.space import FeatureSpace
from transnet.features.wave_vectors import reflections
from transnet.symmetry.mirrors import Mirrors

MultiIndex = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Products:
    """The products of some wave vectors.

    Parameters
    ----------
    base : (n, d) array
        The wave vectors w, one of each group of waves.
    axes : tuple of int
        A.
    """

    base: np.ndarray
    axes: tuple[int, ...]

    @cached_property
    def rest(self) -> list[int]:
        """The coordinates that are not reflected."""
        return [k for k in range(self.base.shape[1]) if k not in self.axes]

    @cached_property
    def phases(self) -> int:
        """The number of products per wave vector and parity: the cosine and the sine in the remaining coordinates."""
        return 2 if self.rest else 1

    @property
    def parities(self) -> int:
        return 2 ** len(self.axes)

    @property
    def group(self) -> int:
        """The number of waves per wave vector."""
        return self.parities * self.phases

    def tables(self, placed: np.ndarray) -> np.ndarray:
        """All products at points, [p_1, ..., p_|A|, q, n, m], with the norm of the waves."""
        factors = [self.base[:, [a]] * placed[:, a] for a in self.axes]
        if self.rest:
            factors.append(self.base[:, self.rest] @ placed[:, self.rest].T)
        sine, cosine = sincos(np.stack(factors))
        both = np.stack([cosine, sine], axis=1)
        table = both[0] * np.sqrt(0.5 * self.group)
        for k in range(1, len(both)):
            table = table[..., None, :, :] * both[k]
        return table if self.rest else table[..., None, :, :]

    def derivative(self, table: np.ndarray, index: MultiIndex) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The table of D^k of all products from theirs: a view of it, signs of the parities and phases, and w^k."""
        shifts = [index[a] for a in self.axes] + [sum(index[k] for k in self.rest)]
        turned = table[tuple(slice(None, None, -1 if k % 2 else 1) for k in shifts)]
        return turned, _signs(tuple(shifts), self.phases), powers(self.base, index)

    def to_waves(self, coefficients: np.ndarray) -> np.ndarray:
        """The coefficients of the waves, (n group,), from those of the products, (parities, n phases)."""
        n = len(self.base)
        each = coefficients.reshape(self.parities, n, self.phases).transpose(0, 2, 1).reshape(self.group, n)
        return (wave_mixing(len(self.axes), bool(self.rest)) @ each).T.ravel()


def products_of(space: FeatureSpace, axes: Sequence[int]) -> Products | None:
    """The products that span the waves of a space; None if it does not consist of groups of them in order."""
    found = Products(space.weights[:0], tuple(axes))
    if not space.paired or space.neurons % found.group:
        return None
    base = space.weights[:: found.group]
    expected = base[:, None, :] * reflections(space.dimension, tuple(axes))
    return Products(base, tuple(axes)) if np.array_equal(expected, space.weights[::2].reshape(expected.shape)) else None


def mirrored_axes(neurons: int, dimension: int, mirrors: Mirrors | None) -> tuple[int, ...]:
    """The axes in which a network of that size can be mirrored: none if it cannot be split into groups of waves."""
    if mirrors is None or neurons % (2 * len(reflections(dimension, mirrors.axes))):
        return ()
    return mirrors.axes


@lru_cache(maxsize=32)
def parity_signs(count: int) -> np.ndarray:
    """The characters: [s, p] is the sign of a function of parity p under the reflection s of some of the axes."""
    bits = np.array(list(product((0, 1), repeat=count)), dtype=int)
    return (-1.0) ** (bits @ bits.T)


@lru_cache(maxsize=256)
def _signs(shifts: tuple[int, ...], phases: int) -> np.ndarray:
    """cos(t - p pi/2) differentiated k times is w^k cos(t - (p - k) pi/2): its sign for every p, q."""
    ranges = [2] * (len(shifts) - 1) + [phases]
    signs = [1.0 if sum(((p - k) % 4) // 2 for p, k in zip(ps, shifts, strict=True)) % 2 == 0 else -1.0
             for ps in product(*map(range, ranges))]  # fmt: skip
    return np.array(signs).reshape(*ranges, 1, 1)


@lru_cache(maxsize=32)
def wave_mixing(count: int, rest: bool) -> np.ndarray:
    """From coefficients of products, [parity and phase], to those of waves, [signs, sine and cosine].

    prod_A cos(a) cos(b) = 2^-|A| sum_s cos(b + sum_A s_a a), and cos(t - k pi/2) is cos, sin, -cos, -sin of t.
    """
    free = count if rest else count - 1
    rows = list(product((1, -1), repeat=free))
    result = np.zeros((2 * len(rows), 2**count * (2 if rest else 1)))
    columns = list(product((0, 1), repeat=count + rest))
    for j, bits in enumerate(columns):
        lead, others = (bits[-1], bits[:-1]) if rest else (bits[0], bits[1:])
        for i, signs in enumerate(rows):
            k = (lead + sum(s * p for s, p in zip(signs, others, strict=True))) % 4
            result[2 * i + (1 if k % 2 == 0 else 0), j] = (1.0 if k < 2 else -1.0) / len(rows)
    return result * np.sqrt(len(rows))
