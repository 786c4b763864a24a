"""Blocks of rows: one statement at its nodes, with its residual, its linearisation and its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.expansion import Expansion, Slot
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class Linearisation:
    """The coefficients and the right-hand side of a block: from a linear equation, or from a step of an iteration.

    `coefficients` has one entry for each slot of the equation, a number or one value per node; `right` is (rows,) or
    (rows, k) for several right-hand sides.
    """

    coefficients: Sequence[np.ndarray]
    right: np.ndarray

    @property
    def rights(self) -> np.ndarray:
        """The right-hand sides as (rows, k)."""
        return self.right if self.right.ndim == 2 else self.right[:, None]


@dataclass(frozen=True, eq=False)
class Block:
    """The rows of one statement.

    Parameters
    ----------
    statement : Statement
        What holds.
    nodes : Nodes
        Where, and how values there become rows.
    normals : (n, d) array, optional
        At nodes on a boundary.
    values : (n,) array, optional
        For data: the measured values.
    """

    statement: Statement
    nodes: Nodes
    normals: np.ndarray | None = None
    values: np.ndarray | None = None

    @property
    def points(self) -> np.ndarray:
        """The nodes, (n, d)."""
        return self.nodes.points

    @property
    def rows(self) -> int:
        """How many rows it makes."""
        return self.nodes.rows

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Which derivatives of which unknowns occur in it."""
        return self.statement.equation.slots

    def part(self, which: slice | np.ndarray) -> Block:
        """Some of its rows."""
        here = self.nodes.nodes_of(which)
        normals, values = (None if a is None else a[here] for a in (self.normals, self.values))
        return Block(self.statement, self.nodes.part(which), normals, values)

    def state(
        self, basis: Expansion, coefficients: np.ndarray, here: Sequence[np.ndarray] | None = None
    ) -> list[np.ndarray]:
        """The values of its slots for given output weights; `here` are those at the nodes, if they are known."""
        return self.nodes.state(lambda points, slots: basis.derivatives(coefficients, points, slots), self.slots, here)

    def residual(self, state: Sequence[np.ndarray], parameters: Sequence[Any] = ()) -> np.ndarray:
        """F of each row for values of the slots: (rows,)."""
        value = self.statement.equation.residual(self.points, self.normals, parameters, state)
        return self.nodes.folded(value if self.values is None else value - self.values)

    def linearise(
        self, parameters: Sequence[Any] = (), state: Sequence[np.ndarray] | None = None, held: bool = False
    ) -> Linearisation:
        """The linear rows for the whole next iterate, from the values of the slots at this one.

        sum_j dF/ds_j s_j(new) = sum_j dF/ds_j s_j - F by Newton's rule. A linear equation needs no state; one that is
        linear once its lagged factors are held is written with them held, on request: the difference would cost digits.
        """
        equation, where = self.statement.equation, (self.points, self.normals, parameters)
        plain = state is None or equation.linear or (held and equation.picard)
        at, lagged = (None, state) if plain else (state, None)
        coefficients = equation.jacobian(*where, at, lagged)
        right = -equation.residual(*where, at, lagged)
        for c, s in zip(coefficients, at or (), strict=at is not None):
            right = right + c * s
        return Linearisation(coefficients, self.nodes.folded(right if self.values is None else right + self.values))
