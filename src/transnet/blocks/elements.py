"""Matrices of one block: the weak form for polynomials of a degree, and what is left without its inner nodes.

Blocks of the same size, material and constant coefficients share all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import product

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from transnet.blocks.basis import nodal_table
from transnet.blocks.forms import DIMENSION, Form, Terms

BEYOND = 2
"""Gauss points along an axis beyond the degree: products of two polynomials are integrated exactly with one."""


@lru_cache(maxsize=16)
def gauss_table(degree: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Gauss's points and weights on [-1, 1], and the polynomials and their slopes there."""
    nodes, weights = np.polynomial.legendre.leggauss(degree + BEYOND)
    return nodes, weights, nodal_table(nodes, degree, 0), nodal_table(nodes, degree, 1)


@lru_cache(maxsize=4)
def _reference(degree: int) -> dict[tuple[int, int], np.ndarray]:
    """The integrals of D_j phi_m D_k phi_n over [-1, 1]^3; the last number stands for no derivative."""
    _, weights, values, slopes = gauss_table(degree)
    lines = {
        (left, right): (slopes if left else values).T @ (weights[:, None] * (slopes if right else values))
        for left, right in product((False, True), repeat=2)
    }
    return {
        (j, k): reduce(np.kron, [lines[j == axis, k == axis] for axis in range(DIMENSION)])
        for j, k in product(range(DIMENSION + 1), repeat=2)
    }


def block_points(degree: int, bounds: np.ndarray) -> np.ndarray:
    """Gauss's points of a block, (n, d)."""
    y = 0.5 * (1.0 + gauss_table(degree)[0])
    unit = np.stack(np.meshgrid(y, y, y, indexing="ij"), axis=-1).reshape(-1, DIMENSION)
    return bounds[0] + unit * (bounds[1] - bounds[0])


def block_weights(degree: int, bounds: np.ndarray) -> np.ndarray:
    """Their weights."""
    weights = gauss_table(degree)[1]
    return np.prod(0.5 * (bounds[1] - bounds[0])) * reduce(np.multiply.outer, [weights] * DIMENSION).ravel()


def block_matrix(form: Form, degree: int, bounds: np.ndarray, at: list[Terms]) -> np.ndarray:
    """The weak form in a block: (unknowns n, unknowns n)."""
    half = 0.5 * (bounds[1] - bounds[0])
    n, count = (degree + 1) ** DIMENSION, form.unknowns
    made = np.zeros((count, n, count, n))
    constant = all(len(c.zeroth) == 1 for c in at)
    tables = None if constant else _tables(degree, half)
    for e, c in enumerate(at):
        slopes = c.first
        if not constant:
            second = np.broadcast_to(c.second, (len(c.rest), *c.second.shape[1:]))
            slopes = slopes - _divergence(second, degree, half)
        for u in range(count):
            terms = {(j, k): c.second[:, u, j, k] for j, k in product(range(DIMENSION), repeat=2)}
            terms |= {(DIMENSION, k): -slopes[:, u, k] for k in range(DIMENSION)}
            terms[DIMENSION, DIMENSION] = -c.zeroth[:, u]
            present = {key: term for key, term in terms.items() if np.any(term)}
            if tables is None:
                scale = np.append(1.0 / half, 1.0) * np.sqrt(np.prod(half))
                for (j, k), term in present.items():
                    made[e, :, u] += (term[0] * scale[j] * scale[k]) * _reference(degree)[j, k]
            else:
                weights = block_weights(degree, bounds)
                for j in {j for j, _ in present}:
                    right = sum((weights * term)[:, None] * tables[k] for (i, k), term in present.items() if i == j)
                    made[e, :, u] += tables[j].T @ right
    return made.reshape(count * n, count * n)


def _tables(degree: int, half: np.ndarray) -> list[np.ndarray]:
    """Derivatives along each axis, and last the values, of the polynomials of a block at its points."""
    _, _, values, slopes = gauss_table(degree)
    made = []
    for which in range(DIMENSION + 1):
        lines = [slopes / half[axis] if axis == which else values for axis in range(DIMENSION)]
        made.append(reduce(np.kron, lines))
    return made


def _divergence(second: np.ndarray, degree: int, half: np.ndarray) -> np.ndarray:
    """The divergence of coefficients that vary in a block, from their values at its points: (n, unknowns, d)."""
    nodes = gauss_table(degree)[0]
    count = len(nodes)
    vander = np.polynomial.legendre.legvander(nodes, count - 1)
    slopes = np.stack([np.polynomial.legendre.Legendre.basis(k).deriv()(nodes) for k in range(count)], axis=-1)
    along = slopes @ np.linalg.inv(vander)
    grid = second.reshape(count, count, count, *second.shape[1:])
    total = np.zeros((*grid.shape[:4], DIMENSION))
    for axis in range(DIMENSION):
        total += np.moveaxis(np.tensordot(along, grid[..., axis, :], axes=(1, axis)), 0, axis) / half[axis]
    return total.reshape(len(second), *total.shape[3:])


@dataclass(frozen=True, eq=False)
class Condensed:
    """A block without its inner nodes.

    Parameters
    ----------
    matrix : array
        For the values at the nodes on its surface.
    follow : array
        From those to values inside.
    """

    outer: np.ndarray
    inner: np.ndarray
    matrix: np.ndarray
    follow: np.ndarray
    coupled: np.ndarray
    factors: tuple[np.ndarray, np.ndarray] | None

    def loads(self, loads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Loads of blocks (rows, blocks) as loads on the surface, and what they do inside if that is held."""
        if self.factors is None:
            return loads[self.outer], loads[self.inner]
        inside = lu_solve(self.factors, loads[self.inner])
        return loads[self.outer] - self.coupled @ inside, inside


def condense(matrix: np.ndarray, degree: int, unknowns: int) -> Condensed:
    """Solve for the inner nodes of a block."""
    n = degree + 1
    places = np.stack(np.unravel_index(np.arange(n**DIMENSION), (n,) * DIMENSION), axis=-1)
    within = np.all((places > 0) & (places < degree), axis=1)
    inner = np.flatnonzero(np.tile(within, unknowns))
    outer = np.flatnonzero(np.tile(~within, unknowns))
    skeleton = matrix[np.ix_(outer, outer)]
    if not len(inner):
        return Condensed(outer, inner, skeleton, np.zeros((0, len(outer))), np.zeros((len(outer), 0)), None)
    coupled = matrix[np.ix_(outer, inner)]
    factors = lu_factor(matrix[np.ix_(inner, inner)])
    follow = -lu_solve(factors, matrix[np.ix_(inner, outer)])
    return Condensed(outer, inner, skeleton + coupled @ follow, follow, coupled, factors)
