"""The rows of faces: continuity inside a material, and the statements across interfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.basis.expansion import Slot
from transnet.pieces.local import RowBlock, conserved_mean
from transnet.pieces.sheet import Sheet
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class FaceRows:
    """One statement on a face: rows of its two cells."""

    label: str
    first: RowBlock
    second: RowBlock


def face_rows(sheet: Sheet) -> list[list[FaceRows]]:
    """The rows of every face."""
    cells, faces = sheet.cells.cells, sheet.cells.faces
    made: list[list[FaceRows]] = [[] for _ in faces]
    pairs: dict[tuple[int, int], list[int]] = {}
    for k, face in enumerate(faces):
        if face.axis is not None:
            made[k] = inner_face(sheet, k)
        else:
            pair = cells[face.first].material, cells[face.second].material
            pairs.setdefault(pair, []).append(k)
    for (a, b), mine in pairs.items():
        for statement in sheet.laws.interface(a, b):
            found = sheet.linearised_across(statement.equation, mine)
            for k, (coefficients, right) in zip(mine, found, strict=True):
                made[k].append(interface_rows(sheet, k, statement, coefficients, right))
    return made


def inner_face(sheet: Sheet, number: int) -> list[FaceRows]:
    """Inside a material all normal derivatives below the order of the equations are continuous."""
    face = sheet.cells.faces[number]
    axis = face.axis
    assert axis is not None
    a, b = sheet.scales[face.first], sheet.scales[face.second]
    orders = sheet.laws.orders(sheet.cells.cells[face.first].material)
    kappa = max(a.kappa[axis], b.kappa[axis])
    energy = (a.stiffness * b.stiffness) ** 0.25
    diffusive = min(a.diffusive, b.diffusive)
    near = sheet.cells.closeness(face.points, face.first, face.second)
    zero = np.zeros(len(face.points))
    images = face.points if face.images is None else face.images
    rows = []
    for u, along in enumerate(orders):
        unit = max(a.unknowns[u], b.unknowns[u])
        for order in range(along[axis]):
            index = tuple(order if j == axis else 0 for j in range(face.points.shape[1]))
            honest = energy * face.share / (unit * kappa**order * np.sqrt(len(face.points)))
            honest = honest * near**order
            weight = honest * (diffusive if order else 1.0)
            slots: tuple[Slot, ...] = ((u, index),)
            mean = conserved_mean(face.shares, weight) if order and sheet.cells.conserving else None
            rows.append(
                FaceRows(
                    "faces between pieces",
                    RowBlock(face.points, slots, (np.array(1.0),), weight, zero, honest, mean=mean),
                    RowBlock(images, slots, (np.array(-1.0),), weight, zero, honest, mean=mean),
                )
            )
    return rows


def interface_rows(
    sheet: Sheet, number: int, statement: Statement, coefficients: tuple[np.ndarray, ...], right: np.ndarray
) -> FaceRows:
    """A statement across an interface, split into the parts of the first and of the second cell."""
    face = sheet.cells.faces[number]
    count = len(sheet.laws.problem.unknowns)
    sides = []
    for side in (0, 1):
        chosen = [
            ((u - side * count, index), c)
            for (u, index), c in zip(statement.equation.slots, coefficients, strict=True)
            if side * count <= u < (side + 1) * count
        ]
        sides.append((tuple(s for s, _ in chosen), tuple(c for _, c in chosen)))
    a, b = sheet.scales[face.first], sheet.scales[face.second]
    sizes = [s.size(*side) for s, side in zip((a, b), sides, strict=True)]
    sizes = [s if s > 0 else max(sizes) or 1.0 for s in sizes]
    energy = (a.stiffness * b.stiffness) ** 0.25
    weight = energy / np.sqrt(sizes[0] * sizes[1] * len(face.points)) * (statement.weight or 1.0)
    order = max(sum(index) for _, index in statement.equation.slots)
    weight = weight * sheet.cells.closeness(face.points, face.first, face.second) ** order
    mean = conserved_mean(face.shares, weight) if order and sheet.cells.conserving else None
    blocks = [RowBlock(face.points, *side, weight, right, weight, statement, face.normals, mean=mean) for side in sides]
    return FaceRows(statement.label, blocks[0], blocks[1])
