"""The rows of faces: values and normal derivatives are continuous, or what holds across an interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.cells.columns import CellColumns, Coefficients
from transnet.cells.reduce import CellState, Rights, linearised
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.rows.statements import Statement

MORE_ON_FACES = 2
"""Points on a face beyond the degree."""
STIFF = 1.0
"""The weight of normal derivatives on faces, times the size of a cell over the degree."""


@dataclass(frozen=True, eq=False)
class CellFaces:
    """The rows of some faces, `which`, at points (f, m, 2): of the first side and of the second, which add up to the
    right-hand sides (f, rows m, r), or to zero; of an interface the normals, and its statements with their weights."""

    which: np.ndarray
    points: np.ndarray
    rows: tuple[list[Coefficients], list[Coefficients]]
    right: np.ndarray | None = None
    normals: np.ndarray | None = None
    statements: Sequence[Statement] = ()
    weights: Sequence[np.ndarray] = ()


def cell_face_rows(columns: CellColumns, tiles: Tiles, units: CellUnits) -> CellFaces:
    """Faces within a material: values are the same on both sides, and so are normal derivatives of unknowns of second
    order."""
    degree = columns.degree
    points, normals, lengths, weights = tiles.face_points(degree + MORE_ON_FACES)
    which = np.arange(len(points))
    size = tiles.size[tiles.pairs[which]].mean(axis=1)
    share = np.sqrt(weights[None] * (lengths / size)[:, None])
    slope = (STIFF * size / degree)[:, None] * share
    rows: list[Coefficients] = []
    for u, order in enumerate(columns.orders):
        unit = np.sqrt(np.prod(units.unknowns[tiles.pairs[which], u], axis=1))[:, None]
        rows.append([((u, (0, 0)), share / unit)])
        if order == 2:
            along = slope / unit
            rows.append([((u, (1, 0)), normals[:, :1] * along), ((u, (0, 1)), normals[:, 1:] * along)])
    return CellFaces(which, points, (rows, [[(slot, -c) for slot, c in row] for row in rows]))


def interface_rows(
    stated: CellProblem,
    columns: CellColumns,
    tiles: Tiles,
    units: CellUnits,
    state: CellState,
    other: Rights | None = None,
) -> Iterator[CellFaces]:
    """The faces on each interface: its statements for the unknowns of both sides, linearised about a state, perhaps
    with other right-hand sides than their own."""
    degree, n = columns.degree, columns.unknowns
    straight = len(tiles.starts)
    pairs = tiles.pairs[straight:]
    for (i, j), statements in stated.across.items():
        mine = np.flatnonzero((tiles.material[pairs] == (i, j)).all(axis=1))
        if not len(mine):
            continue
        points, normals, _, lengths, weights = tiles.rim_points(degree + MORE_ON_FACES, tiles.joints[mine])
        first, second = pairs[mine].T
        half = np.sqrt(tiles.half[first] * tiles.half[second])
        share = np.sqrt(weights * (lengths / half.mean(axis=1))[:, None])
        flat, flat_normals = points.reshape(-1, 2), normals.reshape(-1, 2)
        sides: tuple[list[Coefficients], list[Coefficients]] = ([], [])
        rights, weights_of = [], []
        for s in statements:
            slots = s.equation.slots
            here = None
            if state is not None and (other is not None or not s.equation.linear):
                of_first = state.values(points, first, [(u % n, index) for u, index in slots])
                of_second = state.values(points, second, [(u % n, index) for u, index in slots])
                both = zip(slots, of_first, of_second, strict=True)
                here = [(a if u < n else b).ravel() for (u, _), a, b in both]
            factors, right = linearised(s, flat, flat_normals, stated.numbers, here, other)
            wide = [np.broadcast_to(c, flat.shape[:1]).reshape(share.shape) for c in factors]
            weight = share / units.sizes(slots, wide, first, second)[:, None]
            for side in (0, 1):
                mine_of = [((u, index), c) for (u, index), c in zip(slots, wide, strict=True) if u // n == side]
                sides[side].append([((u % n, index), c * weight) for (u, index), c in mine_of])
            rights.append(right.reshape(*share.shape, -1) * weight[..., None])
            weights_of.append(weight)
        whole = np.concatenate(rights, axis=1)
        yield CellFaces(straight + mine, points, sides, whole, normals, statements, weights_of)
