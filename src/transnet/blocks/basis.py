"""Polynomials in the blocks of a body, continuous across their faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, register
from transnet.counts import HIGHEST
from transnet.slabs.stages import legendre_table
from transnet.tolerances import SAME


@lru_cache(maxsize=16)
def lobatto_nodes(degree: int) -> np.ndarray:
    """The Gauss-Lobatto points on [-1, 1]: the ends, and where the slope of a Legendre polynomial is zero."""
    top = np.polynomial.legendre.Legendre.basis(degree)
    return np.concatenate([[-1.0], np.sort(top.deriv().roots().real), [1.0]])


@lru_cache(maxsize=16)
def _to_legendre(degree: int) -> np.ndarray:
    return np.linalg.inv(legendre_table(lobatto_nodes(degree), degree, 0))


def nodal_table(y: np.ndarray, degree: int, order: int) -> np.ndarray:
    """The derivative of the polynomials that are one at a node and zero at the others: (points, degree + 1)."""
    return legendre_table(y, degree, order) @ _to_legendre(degree)


@dataclass(frozen=True, eq=False)
class BlockBasis:
    """u_i(x) = sum_m alpha_m phi_m(x): alpha_m is the value at a node.

    Parameters
    ----------
    planes : tuple of arrays
        The planes between blocks, across each axis.
    inside : (n_1, n_2, n_3) array of bool
        Which blocks belong to the body.
    """

    kind: ClassVar[str] = "blocks"
    noun: ClassVar[str] = "nodes"

    unknowns: int
    planes: tuple[np.ndarray, ...]
    inside: np.ndarray
    degree: int

    @cached_property
    def blocks(self) -> np.ndarray:
        """The blocks of the body, (n, d)."""
        return np.argwhere(self.inside)

    @cached_property
    def nodes(self) -> np.ndarray:
        """The number of each node of each block, (blocks, nodes of a block)."""
        counts = [self.degree * n + 1 for n in self.inside.shape]
        local = np.stack(np.unravel_index(np.arange((self.degree + 1) ** 3), (self.degree + 1,) * 3), axis=-1)
        places = self.degree * self.blocks[:, None, :] + local
        return np.unique(np.ravel_multi_index(tuple(np.moveaxis(places, -1, 0)), counts), return_inverse=True)[
            1
        ].reshape(len(self.blocks), -1)

    @cached_property
    def neurons(self) -> int:
        """The nodes of each unknown."""
        return int(self.nodes.max()) + 1

    @property
    def columns(self) -> int:
        return self.unknowns * self.neurons

    @property
    def pieces(self) -> int:
        return len(self.blocks)

    def slice_of(self, unknown: int) -> slice:
        return slice(unknown * self.neurons, (unknown + 1) * self.neurons)

    def places(self) -> np.ndarray:
        """The nodes of each block in space, (blocks, nodes, d)."""
        y = 0.5 * (1.0 + lobatto_nodes(self.degree))
        unit = np.stack(np.meshgrid(y, y, y, indexing="ij"), axis=-1).reshape(-1, 3)
        low, high = (
            np.stack([p[k + end] for p, k in zip(self.planes, self.blocks.T, strict=True)], axis=-1) for end in (0, 1)
        )
        return low[:, None, :] + unit * (high - low)[:, None, :]

    def owners(self, points: np.ndarray) -> np.ndarray:
        """The number of the block that each point lies in; on a face between two, one of them."""
        numbers = np.full(self.inside.shape, -1)
        numbers[self.inside] = np.arange(len(self.blocks))
        cells, margins = [], []
        for x, planes in zip(points.T, self.planes, strict=True):
            cells.append(np.clip(np.searchsorted(planes, x, side="right") - 1, 0, len(planes) - 2))
            margins.append(SAME * np.ptp(planes))
        found = numbers[tuple(cells)]
        for moves in product((0, -1, 1), repeat=3):
            lost = np.flatnonzero(found < 0)
            if not len(lost):
                break
            near, at = np.ones(len(lost), dtype=bool), []
            for x, planes, cell, margin, move in zip(points.T, self.planes, cells, margins, moves, strict=True):
                mine, beside = cell[lost], np.clip(cell[lost] + move, 0, len(planes) - 2)
                if move:
                    near &= np.abs(x[lost] - planes[mine + (move > 0)]) <= margin
                at.append(beside)
            found[lost] = np.where(near, numbers[tuple(at)], -1)
        lost = np.flatnonzero(found < 0)
        if len(lost):  # outside: the block with the nearest middle continues
            middles = self.places().mean(axis=1)
            found[lost] = np.argmin(np.linalg.norm(points[lost][:, None, :] - middles, axis=2), axis=1)
        return found

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points of the domain for each slot (i, k)."""
        out = [np.zeros((len(points), *coefficients.shape[1:])) for _ in slots]
        owners = self.owners(points)
        order = np.argsort(owners, kind="stable")
        ends = np.flatnonzero(np.diff(owners[order])) + 1
        n = self.degree + 1
        for mine in np.split(order, ends) if len(order) else ():
            number = int(owners[mine[0]])
            tables: dict[tuple[int, int], np.ndarray] = {}
            for j, (unknown, index) in enumerate(slots):
                made = coefficients[self.slice_of(unknown)][self.nodes[number]]
                made = made.reshape(n, n, n, *coefficients.shape[1:])
                for axis, power in enumerate(index):
                    if (axis, power) not in tables:
                        tables[axis, power] = self._table(points[mine, axis], axis, number, power)
                    table = tables[axis, power]
                    made = np.tensordot(table, made, axes=1) if axis == 0 else np.einsum("nm...,nm->n...", made, table)
                out[j][mine] = made
        return out

    def _table(self, x: np.ndarray, axis: int, number: int, power: int) -> np.ndarray:
        k = self.blocks[number, axis]
        low, high = self.planes[axis][k], self.planes[axis][k + 1]
        half = 0.5 * (high - low)
        return nodal_table((x - low) / half - 1.0, self.degree, power) / half**power

    def summary(self) -> str:
        """The features in one line of a report."""
        return f"{self.pieces} blocks with polynomials of degree {self.degree}"

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        for axis, planes in enumerate(self.planes):
            arrays[f"{prefix}planes {axis}"] = planes
        arrays[f"{prefix}inside"] = self.inside.astype(np.uint8)
        return {"unknowns": self.unknowns, "degree": self.degree}


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> BlockBasis:
    planes = tuple(floats(arrays, f"{prefix}planes {axis}") for axis in range(3))
    inside = floats(arrays, f"{prefix}inside")
    degree = int(data["degree"])
    if any(p.ndim != 1 or len(p) < 2 or np.any(np.diff(p) <= 0.0) for p in planes):
        raise ValueError("the planes between blocks do not rise")
    if inside.shape != tuple(len(p) - 1 for p in planes) or not inside.any() or not 1 <= degree <= HIGHEST:
        raise ValueError("the blocks do not fit their planes")
    return BlockBasis(int(data["unknowns"]), planes, inside > 0, degree)


register(BlockBasis.kind, _read)
