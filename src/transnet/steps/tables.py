"""The unknowns, and the terms known from earlier stages, at the interior points of all cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cuts.cells import Cells
from transnet.features.space import FeatureSpace
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.rows.equation import Equation
from transnet.steps.statement import Rothe

ALIKE = 10
"""Cells whose points agree to this many digits, in their own units, have the same tables."""


class Tables:
    """The equations of a stage with their past, and derivatives of the features where they hold.

    Parameters
    ----------
    rothe : Rothe
    laws : Laws
        The laws of its elliptic problem.
    cells : Cells
    space : FeatureSpace
        The features of each cell.
    """

    def __init__(self, rothe: Rothe, laws: Laws, cells: Cells, space: FeatureSpace) -> None:
        self.rothe, self.laws, self.cells, self.space = rothe, laws, cells, space
        self.unknowns = len(rothe.orders)
        self.members = [[k for k, c in enumerate(cells.cells) if c.material == m] for m in range(len(laws.names))]
        self._made: dict[tuple[bytes, tuple[int, ...]], np.ndarray] = {}

    @cached_property
    def past(self) -> list[tuple[int, int]]:
        """The unknown and the order of each function of the past, in the order of the slots."""
        return [(u, k) for u, row in enumerate(self.rothe.history) for k in range(len(row))]

    @cached_property
    def equations(self) -> list[list[Equation]]:
        """The equations of each material; their slots are those of the unknowns, then of the past."""
        functions = [*self.laws.problem.unknowns, *(h for row in self.rothe.history for h in row)]
        return [
            [
                self.laws.compiled(self.laws.here(expression, m), str(expression), [m], functions)
                for piece, expression in self.rothe.past
                if piece is None or piece == name
            ]
            for m, name in enumerate(self.laws.names)
        ]

    @cached_property
    def points(self) -> list[np.ndarray]:
        """The points inside all cells of each material."""
        none = np.zeros((0, self.space.dimension))
        return [np.concatenate([none, *(self.cells.cells[k].inside for k in mine)]) for mine in self.members]

    @cached_property
    def _keys(self) -> list[bytes]:
        frames = [Frame(self.space, c.centre, c.half, np.ones(1)) for c in self.cells.cells]
        return [
            np.round(f.placed(c.inside), ALIKE).tobytes() + np.round(f.half, ALIKE).tobytes()
            for f, c in zip(frames, self.cells.cells, strict=True)
        ]

    def table(self, number: int, index: tuple[int, ...]) -> np.ndarray:
        """A derivative of the features of a cell at the points inside: (points, features)."""
        key = self._keys[number], index
        if key not in self._made:
            cell = self.cells.cells[number]
            frame = Frame(self.space, cell.centre, cell.half, np.ones(1))
            self._made[key] = derivative_of(frame, cell.inside, index)
        return self._made[key]

    def values(self, material: int, slot: Slot, whole: np.ndarray) -> np.ndarray:
        """A derivative of an unknown in all cells of a material, from its coefficients (unknowns, columns)."""
        u, index = slot
        coefficients = whole[u].reshape(len(self.cells.cells), self.space.size)
        found = np.empty(len(self.points[material]))
        for first, numbers, rows in self._alike[material]:
            found[rows] = coefficients[numbers] @ self.table(first, index).T
        return found

    @cached_property
    def _alike(self) -> list[list[tuple[int, np.ndarray, np.ndarray]]]:
        """The cells of each material that share a table: one of them, all of them, and their rows among the points."""
        found = []
        for mine in self.members:
            groups: dict[bytes, list[tuple[int, int]]] = {}
            start = 0
            for k in mine:
                groups.setdefault(self._keys[k], []).append((k, start))
                start += len(self.cells.cells[k].inside)
            found.append(
                [
                    (
                        group[0][0],
                        np.array([k for k, _ in group]),
                        np.array([s for _, s in group])[:, None] + np.arange(len(self.cells.cells[group[0][0]].inside)),
                    )
                    for group in groups.values()
                ]
            )
        return found

    def known(self, history: Sequence[np.ndarray]) -> list[dict[Slot, np.ndarray]]:
        """The values of the past in each material."""
        found: list[dict[Slot, np.ndarray]] = []
        for m, equations in enumerate(self.equations):
            slots = {slot for e in equations for slot in e.slots if slot[0] >= self.unknowns}
            mine = {}
            for number, index in slots:
                u, k = self.past[number - self.unknowns]
                mine[number, index] = self.values(m, (u, index), history[k])
            found.append(mine)
        return found

    def present(self, whole: np.ndarray | None) -> list[dict[Slot, np.ndarray]]:
        """The values of the unknowns in each material; nothing for zero."""
        if whole is None:
            return [{} for _ in self.equations]
        return [
            {
                slot: self.values(m, slot, whole)
                for slot in {s for e in equations for s in e.slots if s[0] < self.unknowns}
            }
            for m, equations in enumerate(self.equations)
        ]

    def residuals(self, numbers: Sequence[Any], *values: list[dict[Slot, np.ndarray]]) -> list[list[np.ndarray]]:
        """F of each equation of each material at its points; missing values are zero."""
        found = []
        for m, equations in enumerate(self.equations):
            known: dict[Slot, Any] = {}
            for group in values:
                known.update(group[m])
            found.append([e.residual(self.points[m], None, numbers, [known.get(s, 0.0) for s in e.slots])
                          for e in equations])  # fmt: skip
        return found


def derivative_of(frame: Frame, points: np.ndarray, index: tuple[int, ...]) -> np.ndarray:
    """A derivative of the features of a cell at points: (n, features)."""
    return frame.rows([RowBlock(points, ((0, index),), (np.ones(()),), 1.0, np.zeros(len(points)))])
