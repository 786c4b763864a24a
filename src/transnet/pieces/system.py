"""The rows of all cells and faces: coefficients from the statements, weights from their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.cuts.cells import Cells
from transnet.cuts.shares import shares_of
from transnet.features.space import FeatureSpace
from transnet.pieces.condition_rows import add_condition, mean_row
from transnet.pieces.face_rows import FaceRows, face_rows
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock, conserved_mean
from transnet.pieces.sheet import Labelled, Sheet, State
from transnet.pieces.weights import Scale, scale_of
from transnet.rows.statements import Statement


@dataclass(eq=False)
class CellSystem:
    """All rows at one state of the unknowns.

    Parameters
    ----------
    cells : Cells
    space : FeatureSpace
        The waves of every cell.
    frames : list of Frame
    scales : list of Scale
    local : list of lists of (label, RowBlock)
        The rows of each cell.
    faces : list of lists of FaceRows
        The rows of each face.
    """

    cells: Cells
    space: FeatureSpace
    frames: list[Frame]
    scales: list[Scale]
    local: list[list[tuple[str, RowBlock]]]
    faces: list[list[FaceRows]]
    means: list[dict[int, RowBlock]] = field(default_factory=list)


def bandwidth(space: FeatureSpace) -> float:
    """The highest frequency of the waves along an axis."""
    return float(np.abs(space.weights).max())


def write_system(
    laws: Laws,
    cells: Cells,
    space: FeatureSpace,
    numbers: Sequence[Any],
    state: State = None,
    share: float = 1.0,
) -> CellSystem:
    """All rows of a problem on cells, linearised at a state; `share` is the fraction of the nonlinear part."""
    unknowns = np.ones(len(laws.problem.unknowns))
    sheet = Sheet(laws, cells, space, tuple(numbers), state, share)
    sheet.frames = [Frame(c.space(space), c.centre, c.half, unknowns) for c in cells.cells]
    local = _equation_rows(sheet)
    means = []
    for condition in laws.problem.conditions:
        if condition.averaged:
            means.append(mean_row(sheet, condition))
        else:
            add_condition(sheet, condition, local)
    return CellSystem(cells, space, sheet.frames, sheet.scales, local, face_rows(sheet), means)


def _equation_rows(sheet: Sheet) -> list[Labelled]:
    """The rows of the equations in every cell; their sizes determine the scales and frames of the sheet."""
    laws, cells = sheet.laws, sheet.cells.cells
    kappa = bandwidth(sheet.space) / np.sqrt(3.0)
    by_cell: list[list[tuple[Statement, tuple[np.ndarray, ...], np.ndarray]]] = [[] for _ in cells]
    for material, mine in enumerate(sheet.materials):
        for statement in laws.equations[material]:
            found = sheet.linearised(statement.equation, mine, [cells[k].inside for k in mine], None)
            for k, (coefficients, right) in zip(mine, found, strict=True):
                by_cell[k].append((statement, coefficients, right))
    local: list[Labelled] = []
    for k, cell in enumerate(cells):
        orders = [max(o) for o in laws.orders(cell.material)]
        pairs = [(s.equation.slots, c) for s, c, _ in by_cell[k]]
        scale = scale_of(kappa / cell.half, len(laws.problem.unknowns), pairs, orders)
        sheet.scales.append(scale)
        sheet.frames[k] = Frame(cell.space(sheet.space), cell.centre, cell.half, scale.unknowns)
        energy = np.sqrt(scale.stiffness)
        blocks = []
        for i, (statement, coefficients, right) in enumerate(by_cell[k]):
            weight = scale.rows[i] * energy / np.sqrt(len(cell.inside))
            slots = statement.equation.slots
            mean = (
                conserved_mean(shares_of(sheet.frames[k].placed(cell.inside)), 1.0) if sheet.cells.conserving else None
            )
            block = RowBlock(cell.inside, slots, coefficients, weight, right, statement=statement, mean=mean)
            blocks.append((statement.label, block))
        local.append(blocks)
    return local
