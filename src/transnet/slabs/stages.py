"""Polynomials in time on a slab: Radau's points, their derivative, and how it is diagonalised.

On a slab [t, t + tau] an unknown is a polynomial of degree s through its start and its values U at the points t + c_i
tau, and d/dt of it there is D (U - u_0) / tau. The equations hold at these points, the last of which is the end of the
slab. This is the collocation method Radau IIA of order 2 s - 1: stable for stiff problems, and spectrally accurate with
s from five to twelve. Since D = V diag(lambda) V^-1, a slab with coefficients that do not change in time splits into s
problems in space in which d/dt is the number lambda_i / tau.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from transnet.lazy import special


@dataclass(frozen=True, eq=False)
class Stages:
    """The Radau points on [0, 1] and their matrices.

    Parameters
    ----------
    nodes : (s,) array
        c_i, the last one is 1.
    derivative : (s, s) array
        D: the derivative at the nodes of the polynomial that is zero at 0.
    values, vectors, inverse : arrays
        D = V diag(lambda) V^-1.
    legendre : (s + 1, s + 1) array
        From the values at 0 and at the nodes to the coefficients of orthonormal Legendre polynomials.
    legendre_free : (s, s) array
        The same from the values at the nodes alone, for unknowns that have no start.
    """

    nodes: np.ndarray
    derivative: np.ndarray
    values: np.ndarray
    vectors: np.ndarray
    inverse: np.ndarray
    legendre: np.ndarray
    legendre_free: np.ndarray

    @property
    def count(self) -> int:
        """s."""
        return len(self.nodes)

    def powers(self, tau: float, highest: int) -> list[np.ndarray]:
        """(D / tau)^k up to the highest k."""
        made = [np.eye(self.count)]
        for _ in range(highest):
            made.append(made[-1] @ self.derivative / tau)
        return made


@cache
def radau(count: int) -> Stages:
    """The stages with a given number of points."""
    inner = special.roots_jacobi(count - 1, 1.0, 0.0)[0] if count > 1 else np.zeros(0)
    nodes = np.append(0.5 * (1.0 + np.sort(inner)), 1.0)
    every = np.append(0.0, nodes)
    to_legendre = np.linalg.inv(legendre_table(2 * every - 1, count, 0))
    slopes = 2 * legendre_table(2 * every - 1, count, 1) @ to_legendre
    derivative = slopes[1:, 1:]
    values, vectors = np.linalg.eig(derivative)
    free = np.linalg.inv(legendre_table(2 * nodes - 1, count - 1, 0))
    return Stages(nodes, derivative, values, vectors, np.linalg.inv(vectors), to_legendre, free)


@cache
def between_stages(count: int, degree: int) -> np.ndarray:
    """The values of polynomials up to a degree at the stages of a number: (count, degree + 1)."""
    return legendre_table(2 * radau(count).nodes - 1, degree, 0)


@cache
def at_end(degree: int, order: int) -> np.ndarray:
    """The derivatives of polynomials up to a degree at the end of a slab: (degree + 1,)."""
    return legendre_table(np.ones(1), degree, order)[0]


def legendre_table(y: np.ndarray, degree: int, order: int) -> np.ndarray:
    """The derivative of some order of sqrt(2 k + 1) P_k at y in [-1, 1], k = 0 .. degree: (n, degree + 1).

    P_(k+1)^(r) = P_(k-1)^(r) + (2 k + 1) P_k^(r-1).
    """
    n = degree + 1
    table = np.zeros((n, len(y)))
    table[0] = 1.0
    if n > 1:
        table[1] = y
    for k in range(1, n - 1):
        table[k + 1] = ((2 * k + 1) * y * table[k] - k * table[k - 1]) / (k + 1)
    for _ in range(order):
        lower, table = table, np.zeros((n, len(y)))
        for k in range(n - 1):
            table[k + 1] = (2 * k + 1) * lower[k] + (table[k - 1] if k else 0.0)
    return (table * np.sqrt(2 * np.arange(n) + 1.0)[:, None]).T
