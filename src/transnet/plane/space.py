"""Features of space on a plane domain: functions that are orthonormal in each of its cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from transnet.basis.expansion import Slot, floats, from_data, register, to_data
from transnet.cells.basis import CellBasis
from transnet.cells.columns import CellColumns
from transnet.cells.corners import Corners
from transnet.cells.seeds import Sizes
from transnet.cells.solve import cut_cells
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.errors import ProblemError
from transnet.plane.orthonormal import CellFunctions, orthonormal
from transnet.plane.rules import CellRule, rule_of

RICHER = 2
"""By how much the degree of a richer space is higher."""
MORE_AT_CORNERS = 1e-2
"""Functions of corners are chosen for this part of the tolerance."""


class UnresolvedCellsError(ProblemError):
    """A problem cannot be solved in cells: their edges do not close, or a condition does not fit the weak form."""


@dataclass(frozen=True, eq=False)
class CellSpace:
    """Functions of one unknown.

    Parameters
    ----------
    basis : CellBasis
        The cells and the functions from which those of this space are made.
    functions : CellFunctions
    tiles, rule, stated, cut_by, goal : optional
        How the cells were cut; None if it was read from a file: then it can only be evaluated.
    """

    kind: ClassVar[str] = "orthonormal cells"

    basis: CellBasis
    functions: CellFunctions
    tiles: Tiles | None = None
    rule: CellRule | None = None
    stated: CellProblem | None = None
    cut_by: tuple[Sizes, ...] = ()
    goal: float = 1e-6

    unknowns: ClassVar[int] = 1

    @property
    def columns(self) -> int:
        return self.functions.count

    @property
    def neurons(self) -> int:
        return self.columns

    @property
    def degree(self) -> int:
        return self.functions.columns.degree

    def slice_of(self, unknown: int) -> slice:
        return slice(None)

    def derivatives(self, coefficients: np.ndarray, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        owner = self.basis.locate(points)
        several = coefficients.reshape(len(coefficients), -1)
        found = [self.functions.values(several, points, owner, index) for _, index in slots]
        return [f.reshape(len(points), *coefficients.shape[1:]) for f in found]

    def summary(self) -> str:
        return self.basis.summary()

    def stored(self, arrays: dict[str, np.ndarray], prefix: str = "") -> dict[str, Any]:
        tables = self.functions.tables
        arrays[f"{prefix}tables"] = np.concatenate([t.ravel() for t in tables])
        arrays[f"{prefix}shapes"] = np.array([t.shape for t in tables])
        return {"cells": to_data(self.basis, arrays, f"{prefix}cells_")}

    # -- a march -----------------------------------------------------------------------------------------------------
    @property
    def _rule(self) -> CellRule:
        assert self.rule is not None
        return self.rule

    @cached_property
    def _at_nodes(self) -> Any:
        rule = self._rule
        return self.functions.matrices(rule.points, rule.cells, [(0, 0)])[0, 0]

    @property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        return self._rule.points, self._rule.weights / self.area

    @cached_property
    def area(self) -> float:
        return float(self._rule.weights.sum())

    def project(self, values: np.ndarray) -> np.ndarray:
        """The coefficients of the orthogonal projection of values at the nodes."""
        return np.asarray(self._at_nodes.T @ (self._rule.weights * values))

    def transfer(self, other: CellSpace) -> Callable[[np.ndarray], np.ndarray]:
        """From coefficients (..., columns) of these functions to those of others."""
        if other is self:
            return lambda coefficients: coefficients
        rule = other._rule
        owner = rule.cells if self.tiles is not None and self.tiles is other.tiles else self.basis.locate(rule.points)
        here = self.functions.matrices(rule.points, owner, [(0, 0)])[0, 0]
        factor = other._at_nodes.T @ (rule.weights[:, None] * here)
        return lambda coefficients: (factor @ coefficients.reshape(-1, coefficients.shape[-1]).T).T.reshape(
            *coefficients.shape[:-1], -1
        )

    def sizes(self, coefficients: np.ndarray) -> np.ndarray:
        """The root mean squares over the domain of functions with coefficients (..., columns)."""
        return np.sqrt(np.sum(coefficients**2, axis=-1) / self.area)

    def tails(self, coefficients: np.ndarray) -> np.ndarray:
        """The size of the last two degrees of each cell, as the root mean square over the domain: (cells,)."""
        starts, count = self.functions.starts[:-1], self.functions.polynomials
        below = (self.degree - 1) * self.degree // 2
        squares = np.sum(coefficients.reshape(-1, self.columns) ** 2, axis=0)
        return np.sqrt([squares[s + below : s + count].sum() / self.area / 2 for s in starts.tolist()])

    def richer(self) -> CellSpace:
        """Higher degrees in the same cells."""
        assert self.stated is not None
        assert self.tiles is not None
        return space_in(self.stated, self.cut_by, self.degree + RICHER, self.goal * MORE_AT_CORNERS, self.tiles)


def space_in(
    stated: CellProblem, sizes: tuple[Sizes, ...], degree: int, goal: float, tiles: Tiles | None = None
) -> CellSpace:
    """The functions of a degree in cells of given sizes."""
    corners = Corners.of(stated, goal)
    if tiles is None:
        tiles, near = cut_cells(stated, sizes, corners)
    else:
        near = corners.functions(tiles)
    columns = CellColumns.of(tiles, degree, (2,), near)
    rule = rule_of(tiles, degree)
    basis = CellBasis(tiles.seeds, columns, stated.problem.domain)
    return CellSpace(basis, orthonormal(columns, rule), tiles, rule, stated, sizes, goal)


def _read(data: Mapping[str, Any], arrays: Mapping[str, np.ndarray], prefix: str) -> CellSpace:
    basis: Any = from_data(data["cells"], arrays, f"{prefix}cells_")
    flat, shapes = floats(arrays, f"{prefix}tables"), floats(arrays, f"{prefix}shapes").astype(int)
    if shapes.shape != (len(basis.seeds), 2) or shapes.min() < 1 or np.prod(shapes, axis=1).sum() != len(flat):
        raise ValueError("the tables of its cells are incomplete")
    parts = np.split(flat, np.cumsum(np.prod(shapes, axis=1))[:-1])
    tables = tuple(p.reshape(s) for p, s in zip(parts, shapes.tolist(), strict=True))
    return CellSpace(basis, CellFunctions(basis.functions, tables))


register(CellSpace.kind, _read)
