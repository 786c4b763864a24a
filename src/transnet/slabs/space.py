"""Features of space on a box: products of those along its axes. Without axes there is only the constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from typing import Any

import numpy as np

from transnet.basis.on_domain import DomainPolynomials
from transnet.slabs.axes import Axis, richer


def along_axes(values: np.ndarray, matrices: Sequence[np.ndarray]) -> np.ndarray:
    """Apply a real matrix for each axis to arrays (..., n): (..., m)."""
    lead = values.shape[:-1]
    parts = np.ascontiguousarray(values)
    out, last = (parts.view(float), 2) if np.iscomplexobj(values) else (parts, 1)
    before, behind = prod(lead), values.shape[-1] * last
    for matrix in matrices:
        m, n = matrix.shape
        behind //= n
        out = out.reshape(before, n, behind)
        out = out[..., 0] @ matrix.T if behind == 1 else np.matmul(matrix, out)
        before *= m
    out = np.ascontiguousarray(out).reshape(-1)
    return (out.view(complex) if last == 2 else out).reshape(
        *lead, prod(m.shape[0] for m in matrices) if matrices else values.shape[-1]
    )


@dataclass(frozen=True)
class Space:
    """Products of features along axes; the last axis is the fastest in the order of the columns."""

    axes: tuple[Axis, ...]

    @cached_property
    def columns(self) -> int:
        return int(np.prod([a.columns for a in self.axes], dtype=int))

    @cached_property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        """The grid of the axes' own points, (m, d), and its weights, whose sum is one."""
        return self.face_grid(None, 0.0)

    def face_grid(self, axis: int | None, place: float) -> tuple[np.ndarray, np.ndarray]:
        """The grid of the face on which an axis has a given coordinate; the interior grid if that is None."""
        grids = [(np.array([place]), np.ones(1)) if k == axis else a.grid for k, a in enumerate(self.axes)]
        if not grids:
            return np.zeros((1, 0)), np.ones(1)
        mesh = np.meshgrid(*(g[0] for g in grids), indexing="ij")
        weights = reduce(np.multiply.outer, [g[1] for g in grids])
        return np.stack([m.ravel() for m in mesh], axis=1), np.asarray(weights).ravel()

    def face_matrix(self, axis: int | None, place: float, index: Sequence[int], side: int = 0) -> np.ndarray:
        """Derivatives of the features at the points of `face_grid`: (m, columns)."""
        factors = [
            a.matrix(np.array([place]), order, side) if k == axis else a.matrix(a.grid[0], order)
            for k, (a, order) in enumerate(zip(self.axes, index, strict=True))
        ]
        return reduce(np.kron, factors, np.ones((1, 1)))

    def tests(self, axis: int | None, drops: Sequence[int]) -> np.ndarray:
        """The test functions for rows at the points of `face_grid`: (r, m)."""
        factors = [
            np.ones((1, 1)) if k == axis else a.tests(drop)
            for k, (a, drop) in enumerate(zip(self.axes, drops, strict=True))
        ]
        return reduce(np.kron, factors, np.ones((1, 1)))

    def matrix(self, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """Derivatives of the features at any points (n, d): (n, columns)."""
        out = np.ones((len(points), 1))
        for k, (axis, order) in enumerate(zip(self.axes, index, strict=True)):
            factor = axis.matrix(points[:, k], order)
            out = (out[:, :, None] * factor[:, None, :]).reshape(len(points), -1)
        return out

    def at_grid(self, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """Derivatives of functions with coefficients (..., columns) at the grid, axis by axis: (..., m)."""
        return along_axes(coefficients, [a.matrix(a.grid[0], order) for a, order in zip(self.axes, index, strict=True)])

    def project(self, values: np.ndarray) -> np.ndarray:
        """The coefficients of the orthogonal projection of values at the grid."""
        shaped = values.reshape([len(a.grid[0]) for a in self.axes])
        for k, axis in enumerate(self.axes):
            shaped = np.moveaxis(np.tensordot(axis.fit, shaped, axes=([1], [k])), 0, k)
        return np.asarray(shaped).ravel()

    def transfer(self, other: Space) -> Callable[[np.ndarray], np.ndarray]:
        """The matrix from coefficients (..., columns) of these features to those of others."""
        factors = [new.fit @ old.matrix(new.grid[0], 0) for old, new in zip(self.axes, other.axes, strict=True)]
        return lambda coefficients: along_axes(coefficients, factors)

    def values(self, coefficients: np.ndarray, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """Derivatives of functions with coefficients (k, columns, ...) at any points: (n, k, ...)."""
        if not self.axes:
            return np.repeat(coefficients[None, :, 0], len(points), axis=0) * float(not any(index))
        first, *others = self.axes
        shape = [a.columns for a in self.axes]
        out = coefficients.reshape(len(coefficients), *shape, *coefficients.shape[2:])
        out = np.tensordot(first.matrix(points[:, 0], index[0]), out, axes=([1], [1]))
        for k, axis in enumerate(others, start=1):
            out = np.einsum("nkm...,nm->nk...", out, axis.matrix(points[:, k], index[k]))
        return out

    @cached_property
    def masses(self) -> np.ndarray:
        """The mean square of each feature."""
        parts = []
        for axis in self.axes:
            points, weights = axis.grid
            parts.append(weights @ axis.matrix(points, 0) ** 2)
        return reduce(np.kron, parts, np.ones(1))

    def sizes(self, coefficients: np.ndarray) -> np.ndarray:
        """The root mean squares over space of functions with coefficients (..., columns)."""
        return np.sqrt(np.einsum("...n,n->...", coefficients**2, self.masses))

    def richer(self) -> Space:
        """A space with more features along each axis, which contains this one."""
        return Space(tuple(a.richer() for a in self.axes))


@dataclass(frozen=True)
class RegionSpace(Space):
    """Polynomials on a plane domain that is not a box, in place of products."""

    axes: tuple[DomainPolynomials, ...]  # type: ignore[assignment]

    @property
    def region(self) -> DomainPolynomials:
        return self.axes[0]

    @property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        return self.region.grid

    def matrix(self, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        return self.region.matrix(points, index)

    def at_grid(self, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        return np.asarray(coefficients @ self.region.at_grid(index).T)

    def project(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(self.region.fit @ values)

    def transfer(self, other: Space) -> Callable[[np.ndarray], np.ndarray]:
        assert isinstance(other, RegionSpace)
        factor = other.region.fit @ self.matrix(other.grid[0], (0, 0))
        return lambda coefficients: coefficients @ factor.T

    def values(self, coefficients: np.ndarray, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        return np.tensordot(self.matrix(points, index), coefficients, axes=([1], [1]))

    @cached_property
    def masses(self) -> np.ndarray:
        return np.ones(self.columns)

    def richer(self) -> RegionSpace:
        return RegionSpace((self.region.of_count(richer(self.region.degree)),))


def space_along(axes: Sequence[Axis | DomainPolynomials]) -> Space:
    """Products of features along axes, or polynomials of a domain."""
    made: Any = RegionSpace if any(isinstance(a, DomainPolynomials) for a in axes) else Space
    return made(tuple(axes))
