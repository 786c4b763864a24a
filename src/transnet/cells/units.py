"""The units of cells: how large a statement is for functions that oscillate as the polynomials of a cell do.

An equation i has the size P_iu = max |c| kappa^k over its terms c D^k in the unknown u, with the frequency kappa of a
cell. Where the unknowns of a system have different orders they are measured in units t_u in which no equation has
larger terms than those of its own unknown, P_iu t_u <= P_ii t_i: a pressure in units of viscosity times kappa, or of
density times velocity if that is more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns
from transnet.cells.tiles import Tiles
from transnet.lazy import optimize

if TYPE_CHECKING:
    from transnet.cells.stated import CellProblem

NEVER = 1e-300
"""In place of the size of a term that there is not."""
PROBED = 16
"""Points of a cell at which the coefficients of its equations are looked at."""


@dataclass(frozen=True, eq=False)
class CellUnits:
    """The frequency of each cell along each axis (k, 2), and the units of its unknowns (k, unknowns)."""

    kappa: np.ndarray
    unknowns: np.ndarray

    @classmethod
    def of(cls, stated: CellProblem, tiles: Tiles, columns: CellColumns, state: Any = None) -> CellUnits:
        """The units of cells for equations linearised about a state."""
        kappa = columns.degree / (2.0 * tiles.half)
        plain = cls(kappa, np.ones((len(tiles), columns.unknowns)))
        return plain if len(set(columns.orders)) == 1 else cls(kappa, _balanced(stated, tiles, columns, state))

    def sizes(self, slots: Sequence[Slot], factors: Sequence[np.ndarray], *cells: np.ndarray) -> np.ndarray:
        """The size of an operator with factors (sets, m) on sets of points in cells, or between two cells: (sets,)."""
        kappa, units = (np.prod([table[c] for c in cells], axis=0) ** (1.0 / len(cells))
                        for table in (self.kappa, self.unknowns))  # fmt: skip
        found = np.zeros(len(kappa))
        n = units.shape[1]
        for (u, index), c in zip(slots, factors, strict=True):
            found = np.maximum(
                found, np.abs(c).max(axis=1) * np.prod(kappa ** np.array(index), axis=1) * units[:, u % n]
            )
        return np.where(found > 0, found, 1.0)


def carrying(stated: CellProblem, tiles: Tiles, columns: CellColumns, state: Any) -> np.ndarray:
    """How much larger the terms of first order of equations are than those of second order, in each cell: (k,)."""
    sizes = _term_sizes(stated, tiles, columns, state)
    second = {(i, u): size for (i, u, order), size in sizes.items() if order == 2}
    first = [sizes[i, u, 1] / np.maximum(size, NEVER) for (i, u), size in second.items() if (i, u, 1) in sizes]
    return np.max([np.zeros(len(tiles)), *first], axis=0)


def _term_sizes(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, state: Any
) -> dict[tuple[int, int, int], np.ndarray]:
    """The size in each cell of the terms of each order in each unknown of each equation."""
    plain = CellUnits(columns.degree / (2.0 * tiles.half), np.ones((len(tiles), columns.unknowns)))
    found: dict[tuple[int, int, int], np.ndarray] = {}
    for group in columns.groups:
        points = tiles.inside(group.cells, PROBED)
        counts = tiles.importance(points, group.cells)
        flat = points.reshape(-1, 2)
        for i, s in enumerate(stated.equations[group.material]):
            slots = s.equation.slots
            here = None
            if state is not None and not s.equation.linear:
                here = [v.ravel() for v in state.values(points, group.cells, slots)]
            factors = s.equation.jacobian(flat, None, stated.numbers, here)
            for (u, index), c in zip(slots, factors, strict=True):
                wide = counts * np.broadcast_to(c, len(flat)).reshape(points.shape[:2])
                size = np.where(wide.any(axis=1), plain.sizes([(u, index)], [wide], group.cells), 0.0)
                whole = found.setdefault((i, u, sum(index)), np.zeros(len(tiles)))
                whole[group.cells] = np.maximum(whole[group.cells], size)
    return found


def _balanced(stated: CellProblem, tiles: Tiles, columns: CellColumns, state: Any) -> np.ndarray:
    n = columns.unknowns
    size, leading = np.zeros((len(tiles), n, n)), np.zeros((n, n))
    for (i, u, terms), found in _term_sizes(stated, tiles, columns, state).items():
        size[:, i, u] = np.maximum(size[:, i, u], found)
        leading[i, u] += float(found.max()) if terms == 2 else 0.0
    second = np.flatnonzero(np.array(columns.orders) == 2)
    rows, own = optimize.linear_sum_assignment(-np.log(np.maximum(leading[:, second], NEVER)))
    order = np.array(columns.orders)
    units = np.where(order == 2, 1.0, np.inf) * np.ones((len(tiles), 1))
    for group_of in (2, 1):  # the others are measured by those of second order
        before = units.copy()
        for i, u in zip(rows, second[own], strict=True):
            for w in np.flatnonzero((order == group_of) & (np.arange(n) != u)):
                ratio = size[:, i, u] * before[:, u] / np.maximum(size[:, i, w], NEVER)
                units[:, w] = np.minimum(units[:, w], ratio)
    return units
