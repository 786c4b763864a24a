"""The solution of a stage: rows that are factored once, and right-hand sides for a time, an iterate and the past.

With A the factored rows and F(c) = 0 the equations, a Newton step from c with kept factors is A c' = A c - F(c). For a
linear problem with coefficients that do not change in time, c = 0 gives the solution at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.pieces.condition_rows import add_condition
from transnet.pieces.factored import factor_system
from transnet.pieces.local import Frame
from transnet.pieces.newton import Here
from transnet.pieces.sheet import Labelled, Sheet
from transnet.pieces.system import CellSystem, write_system
from transnet.steps.statement import numbers_of
from transnet.steps.tables import Tables


class StageOperator:
    """The rows of a stage for one rate s = 1 / (gamma tau), factored.

    Parameters
    ----------
    tables : Tables
    values : dict
        The parameters of the problem.
    rate : float
    t : float
        The time of the coefficients.
    whole : (unknowns, columns) array
        The unknowns at which a nonlinear problem is linearised.
    """

    def __init__(self, tables: Tables, values: dict[Any, Any], rate: float, t: float, whole: np.ndarray) -> None:
        self.tables, self.values, self.rate = tables, values, rate
        rothe = tables.rothe
        state = None if rothe.linear else self._state(whole)
        self.system = write_system(tables.laws, tables.cells, tables.space, self.numbers(t), state)
        if not rothe.linear:
            self.system.local = [_honest(blocks) for blocks in self.system.local]
        self.factored = factor_system(self.system, {})
        self.weights = [
            np.concatenate([np.broadcast_to(b.weight, len(b.points)) for _, b in blocks])
            for blocks in self.system.local
        ]
        self.across = _across(self.system)
        self.means = np.array([sum(b.weighted.sum() for b in row.values()) for row in self.system.means])
        self.moving = rothe.timely or not rothe.linear
        rims = [[b.right for _, b in self._rims(k)] for k in range(len(self.system.local))]
        self.rims = [np.concatenate([np.zeros(0), *parts]) for parts in rims]

    def numbers(self, t: float) -> tuple[Any, ...]:
        return numbers_of(self.tables.rothe, self.values, self.rate, t)

    def _state(self, whole: np.ndarray) -> Here:
        n = self.tables.space.size
        units = np.ones(self.tables.unknowns)
        frames = [Frame(self.tables.space, c.centre, c.half, units) for c in self.tables.cells.cells]
        return Here(frames, [whole[:, k * n : (k + 1) * n].ravel() for k in range(len(frames))])

    def _rims(self, cell: int) -> Labelled:
        """The rows of conditions in a cell."""
        return self.system.local[cell][len(self.tables.equations[self.tables.cells.cells[cell].material]) :]

    # -- solves --------------------------------------------------------------------------------------------------------
    def solved(self, t: float, whole: np.ndarray | None, past: list[dict[Slot, np.ndarray]]) -> np.ndarray:
        """The unknowns of a stage at a time, or those of the next Newton step from an iterate."""
        present = self.tables.present(whole)
        found = self.tables.residuals(self.numbers(t), present, past)
        inside = self._split([[-f for f in material] for material in found], present)
        rims = self._rims_at(t, whole) if self.moving else self.rims
        across = self.across
        if self.tables.rothe.interfaces_move:
            across = _across(write_system(self.tables.laws, self.tables.cells, self.tables.space, self.numbers(t)))
        return self._back(inside, rims, across, self.means)

    def damped(self, t: float, whole: np.ndarray, history: list[np.ndarray], gap: list[np.ndarray]) -> np.ndarray:
        """The effect of a change of the past on the unknowns: the operator removes the stiff parts from an estimate."""
        linear = self.tables.rothe.linear
        present = self.tables.present(None if linear else whole)
        base = [np.zeros_like(h) for h in history] if linear else history
        both = [self.tables.known([h + g for h, g in zip(base, gap, strict=True)]), self.tables.known(base)]
        changed, same = (self.tables.residuals(self.numbers(t), present, past) for past in both)
        inside = self._split([[b - a for a, b in zip(*pair, strict=True)] for pair in zip(changed, same, strict=True)])
        nothing = [np.zeros_like(r) for r in self.rims], [np.zeros_like(a) for a in self.across]
        return self._back(inside, *nothing, np.zeros_like(self.means))

    def _split(
        self, rights: list[list[np.ndarray]], present: list[dict[Slot, np.ndarray]] | None = None
    ) -> list[np.ndarray]:
        """Right-hand sides of the equations cell by cell, plus the rows of an iterate."""
        tables, cells = self.tables, self.tables.cells.cells
        found: list[np.ndarray] = [np.zeros(0)] * len(cells)
        for m, mine in enumerate(tables.members):
            start = 0
            for k in mine:
                stop = start + len(cells[k].inside)
                parts = []
                for i, right in enumerate(rights[m]):
                    _, block = self.system.local[k][i]
                    value = right[start:stop]
                    for slot, c in zip(block.slots, block.coefficients, strict=True):
                        if present is not None and slot in present[m]:
                            value = value + c * present[m][slot][start:stop]
                    parts.append(value)
                found[k] = np.concatenate(parts)
                start = stop
        return found

    def _rims_at(self, t: float, whole: np.ndarray | None) -> list[np.ndarray]:
        """The right-hand sides of conditions at a time."""
        tables = self.tables
        state = None if whole is None else self._state(whole)
        sheet = Sheet(tables.laws, tables.cells, tables.space, self.numbers(t), state)
        sheet.frames, sheet.scales = self.system.frames, self.system.scales
        local: list[Labelled] = [[] for _ in tables.cells.cells]
        for condition in self._moving_conditions:
            add_condition(sheet, condition, local)
        found, moving = [], {id(c) for c in self._moving_conditions}
        for k, blocks in enumerate(local):
            parts, rest = [np.zeros(0)], iter(blocks)
            for _, old in self._rims(k):
                if old.statement is None or id(old.statement.source) not in moving:
                    parts.append(old.right)
                    continue
                _, new = next(rest)
                right = new.right
                if state is not None:
                    moved = [
                        (slot, a - b)
                        for slot, a, b in zip(old.slots, old.coefficients, new.coefficients, strict=True)
                        if np.any(a != b)
                    ]
                    if moved:
                        values = state.values(k, tables.cells.cells[k], new.points, [slot for slot, _ in moved])
                        right = right + sum(c * v for (_, c), v in zip(moved, values, strict=True))
                parts.append(right)
            found.append(np.concatenate(parts))
        return found

    @cached_property
    def _moving_conditions(self) -> list[Any]:
        """The conditions whose rows differ from stage to stage."""
        laws, time = self.tables.laws, self.tables.rothe.time
        return [
            c
            for c in laws.problem.conditions
            if not (c.averaged or c.across)
            and (
                any(time in r.free_symbols for r in c.expressions())
                or not all(s.equation.linear for m in range(len(laws.names)) for s in laws.condition(c, m))
            )
        ]

    def _back(
        self, inside: list[np.ndarray], rims: list[np.ndarray], across: Sequence[np.ndarray], means: np.ndarray
    ) -> np.ndarray:
        rights = [w * np.concatenate(pair) for w, *pair in zip(self.weights, inside, rims, strict=True)]
        # No refinement: rounding of the glue is far below the error of a step.
        found = self.factored.solved(rights, across, means, 0)
        n, unknowns = self.tables.space.size, self.tables.unknowns
        return np.stack([f.reshape(unknowns, n) for f in found], axis=1).reshape(unknowns, -1)


def _honest(blocks: Labelled) -> Labelled:
    """Conditions with their full weights.

    Where a flow leaves they are lowered, and the flow through a wall changes its sign from one iterate to the next.
    """
    return [
        (label, b if b.statement is None or b.statement.source is None else replace(b, weight=b.honest))
        for label, b in blocks
    ]


def _across(system: CellSystem) -> list[np.ndarray]:
    """The weighted right-hand sides of all faces."""
    return [np.concatenate([r.first.weight * r.first.right for r in rows]) for rows in system.faces]
