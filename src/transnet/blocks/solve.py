"""The weak form on a body of blocks: inner nodes are solved for block by block, the rest by a sparse factorisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from transnet.blocks.basis import BlockBasis
from transnet.blocks.elements import Condensed, block_matrix, block_points, block_weights, condense, gauss_table
from transnet.blocks.forms import DIMENSION
from transnet.blocks.stated import BlockProblem
from transnet.tolerances import EPS, SAME

SINGULAR = 1e3
"""A pivot below this many roundings of the largest is zero: some motion of the body is not determined."""


@dataclass(eq=False)
class _Triplets:
    rows: list[np.ndarray] = field(default_factory=list)
    columns: list[np.ndarray] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)

    def add(self, rows: np.ndarray, columns: np.ndarray, values: np.ndarray) -> None:
        self.rows.append(np.repeat(rows, len(columns)))
        self.columns.append(np.tile(columns, len(rows)))
        self.values.append(values.ravel())

    def matrix(self, n: int) -> Any:
        triplets = np.concatenate(self.values), (np.concatenate(self.rows), np.concatenate(self.columns))
        return csc_array(triplets, shape=(n, n))


def solve_blocks(
    stated: BlockProblem, planes: Sequence[np.ndarray], degree: int
) -> tuple[BlockBasis, np.ndarray] | None:
    """The solution with polynomials of a degree between planes; None if the problem does not determine it."""
    body = stated.body.cut(planes)
    count = stated.unknowns
    basis = BlockBasis(count, tuple(planes), body.material >= 0, degree)
    nodes, n = basis.nodes, basis.neurons
    system, right = _Triplets(), np.zeros(count * n)
    groups: dict[Any, list[int]] = {}
    for number, block in enumerate(basis.blocks):
        material, bounds = int(body.material[tuple(block)]), body.bounds(block)
        key = (material, *np.round((bounds[1] - bounds[0]) / SAME)) if stated.constant[material] else (number,)
        groups.setdefault(key, []).append(number)
    done: list[tuple[list[int], Condensed, np.ndarray]] = []
    for members in groups.values():
        condensed, loads = _condensed(stated, basis, body.material, members)
        outside, inside = condensed.loads(loads)
        for place, number in enumerate(members):
            at = _numbers(nodes[number], count, n)[condensed.outer]
            system.add(at, at, condensed.matrix)
            np.add.at(right, at, outside[:, place])
        done.append((members, condensed, inside))
    given = np.full(count * n, np.nan)
    numbers = {tuple(block): k for k, block in enumerate(basis.blocks)}
    places = basis.places()
    for block, faces in body.faces.items():
        number, material = numbers[block], int(body.material[block])
        for face in faces:
            local = _on_face(degree, face.axis, face.end)
            at = nodes[number][local]
            for unknown, row in stated.values(face.part, material).items():
                here = places[number][local]
                normals = np.zeros_like(here)
                normals[:, face.axis] = 2.0 * face.end - 1.0
                (factor,) = row.jacobian(here, normals, stated.numbers)
                given[unknown * n + at] = -row.residual(here, normals, stated.numbers) / factor
            _add_fluxes(stated, basis, body.bounds(block), face, material, at, system, right)
    return _solved(basis, system.matrix(count * n), right, given, done)


def _numbers(nodes: np.ndarray, unknowns: int, n: int) -> np.ndarray:
    """The columns of the nodes of a block, unknown by unknown."""
    return np.concatenate([u * n + nodes for u in range(unknowns)])


def _on_face(degree: int, axis: int, end: int) -> np.ndarray:
    """The nodes of a block on one of its faces."""
    places = np.unravel_index(np.arange((degree + 1) ** DIMENSION), (degree + 1,) * DIMENSION)
    return np.flatnonzero(places[axis] == end * degree)


def _condensed(
    stated: BlockProblem, basis: BlockBasis, material: np.ndarray, members: Sequence[int]
) -> tuple[Condensed, np.ndarray]:
    """Blocks of one kind without their inner nodes, and their loads (rows, blocks)."""
    blocks = basis.blocks[list(members)]
    form = stated.forms[int(material[tuple(blocks[0])])]
    values = gauss_table(basis.degree)[2]
    loads, first = [], None
    for block in blocks:
        bounds = np.array([[p[k + end] for p, k in zip(basis.planes, block, strict=True)] for end in (0, 1)])
        at = form.at(block_points(basis.degree, bounds))
        first = (bounds, at) if first is None else first
        weights = block_weights(basis.degree, bounds)
        grids = [(weights * c.rest).reshape((len(values),) * DIMENSION) for c in at]
        loads.append(
            np.concatenate([np.einsum("abc,ai,bj,ck->ijk", g, *[values] * 3, optimize=True).ravel() for g in grids])
        )
    assert first is not None
    matrix = block_matrix(form, basis.degree, *first)
    return condense(matrix, basis.degree, form.unknowns), np.stack(loads, axis=-1)


def _add_fluxes(
    stated: BlockProblem, basis: BlockBasis, bounds: np.ndarray, face: Any, material: int, at: np.ndarray,
    system: _Triplets, right: np.ndarray,
) -> None:  # fmt: skip
    """The fluxes that conditions on a face of a block give."""
    nodes, weights, values, _ = gauss_table(basis.degree)
    others = [a for a in range(DIMENSION) if a != face.axis]
    half = 0.5 * (bounds[1] - bounds[0])
    y, z = np.meshgrid(nodes, nodes, indexing="ij")
    points = np.empty((y.size, DIMENSION))
    points[:, face.axis] = bounds[face.end, face.axis]
    points[:, others[0]] = bounds[0, others[0]] + half[others[0]] * (1.0 + y.ravel())
    points[:, others[1]] = bounds[0, others[1]] + half[others[1]] * (1.0 + z.ravel())
    natural = stated.natural(face, material, points)
    assert natural is not None
    area = half[others[0]] * half[others[1]] * np.multiply.outer(weights, weights).ravel()
    table = np.kron(values, values)
    n = basis.neurons
    for place, e in enumerate(natural.free):
        np.add.at(right, e * n + at, table.T @ (area * natural.given[:, place]))
        for u in range(stated.unknowns):
            if np.any(natural.robin[:, place, u]):
                mass = table.T @ ((area * natural.robin[:, place, u])[:, None] * table)
                system.add(e * n + at, u * n + at, mass)


def _solved(
    basis: BlockBasis, matrix: Any, right: np.ndarray, given: np.ndarray,
    done: Sequence[tuple[list[int], Condensed, np.ndarray]],
) -> tuple[BlockBasis, np.ndarray] | None:  # fmt: skip
    """The values at all nodes."""
    count, n = basis.unknowns, basis.neurons
    surface = np.zeros(count * n, dtype=bool)
    for members, condensed, _ in done:
        for number in members:
            surface[_numbers(basis.nodes[number], count, n)[condensed.outer]] = True
    found = np.where(np.isnan(given), 0.0, given)
    free = np.flatnonzero(surface & np.isnan(given))
    if len(free):
        left = right - matrix @ found
        try:
            factors = splu(
                matrix[free][:, free].tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                options={"SymmetricMode": True},
            )  # fmt: skip
        except RuntimeError:
            return None
        pivots = np.abs(factors.U.diagonal())
        if not pivots.min() > SINGULAR * EPS * pivots.max():
            return None
        found[free] = factors.solve(left[free])
    for members, condensed, inside in done:
        for place, number in enumerate(members):
            at = _numbers(basis.nodes[number], count, n)
            found[at[condensed.inner]] = condensed.follow @ found[at[condensed.outer]] + inside[:, place]
    return basis, found
