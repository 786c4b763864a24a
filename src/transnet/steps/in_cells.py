"""A linear evolution of one unknown in cells of a plane domain: a stage is a solve with kept factors.

The cells are those that resolve one implicit step; beside them goes a march with a lower degree in the same cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.columns import CellColumns
from transnet.cells.corners import Corners
from transnet.cells.estimate import compared_points
from transnet.cells.kept import KeptCells, StatedSets
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import cell_insides
from transnet.cells.solve import STEP, cell_levels
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.problem import Problem
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation
from transnet.steps.level import Begin, StepLevel
from transnet.steps.statement import Rothe, numbers_of
from transnet.steps.tableau import GAMMA

PLAIN = ((0, (0, 0)),)
"""The unknown itself."""


@dataclass(frozen=True, eq=False)
class CellStage:
    """The rows of a stage for one rate s = 1 / (gamma tau), factored, and the equation with its past."""

    level: CellStepLevel
    rate: float
    kept: KeptCells

    def _inside(self, t: float, history: list[np.ndarray]) -> list[np.ndarray]:
        """The right-hand sides of the equation at its points in each group."""
        past = self.level.past
        slots = [slot for slot in past.slots if slot[0] > 0]
        known = self.level.values_inside(slots, history)
        found = []
        for number, places in enumerate(self.kept.inside):
            here = [known[slot][number] if slot in known else 0.0 for slot in past.slots]
            points = places[0].at.points.reshape(-1, 2)
            found.append(-past.residual(points, None, self.level.numbers(self.rate, t), here)[:, None])
        return found

    @cached_property
    def _conditions(self) -> list[StatedSets]:
        return self.kept.places[len(self.kept.inside) : len(self.kept.places) - len(self.kept.looked)]

    def _on_boundary(self, t: float) -> list[np.ndarray]:
        numbers = self.level.numbers(self.rate, t)
        found = []
        for p in self._conditions:
            normals = None if p.at.normals is None else p.at.normals.reshape(-1, 2)
            right = -p.statement.equation.residual(p.at.points.reshape(-1, 2), normals, numbers)
            found.append(np.broadcast_to(right, (p.at.points.size // 2,))[:, None])
        return found

    @cached_property
    def _steady(self) -> list[np.ndarray]:
        return self._on_boundary(self.level.rothe.start)

    def solved(self, t: float, whole: np.ndarray | None, history: list[np.ndarray]) -> np.ndarray:
        """The unknown of a stage at a time."""
        rights = self._on_boundary(t) if self.level.rothe.timely else self._steady
        return self._back([*self._inside(t, history), *rights])

    def damped(self, t: float, whole: np.ndarray, history: list[np.ndarray], gap: list[np.ndarray]) -> np.ndarray:
        """The effect of a change of the past on the unknown: the operator removes the stiff parts from an estimate."""
        nothing = [np.zeros_like(h) for h in gap]
        moved = [a - b for a, b in zip(self._inside(t, gap), self._inside(t, nothing), strict=True)]
        return self._back([*moved, *(np.zeros((p.at.points.size // 2, 1)) for p in self._conditions)])

    def _back(self, rights: list[np.ndarray]) -> np.ndarray:
        fitted, _ = self.kept.solve(rights)
        return np.concatenate([c[..., 0].ravel() for c in fitted])[None]


class CellStepLevel(StepLevel):
    """The evolution in polynomials of one degree in each cell."""

    fixed = True

    def __init__(
        self, rothe: Rothe, values: dict[Any, Any], tiles: Tiles, degree: int, singular: NearFunctions, tol: float
    ) -> None:
        self.rothe, self.values, self.tiles, self.degree, self.singular, self.tol = (
            rothe, values, tiles, degree, singular, tol,
        )  # fmt: skip
        self.unknowns, self.count = 1, len(tiles)
        self.moving = np.array(rothe.orders) > 0
        self.columns = CellColumns.of(tiles, degree, (2,), singular)
        self.newton_steps, self.taken = 0, None
        self._operators: dict[float, Any] = {}
        self._tables: dict[Slot, list[np.ndarray]] = {}

    def numbers(self, rate: float, t: float) -> tuple[Any, ...]:
        return numbers_of(self.rothe, self.values, rate, t)

    @cached_property
    def basis(self) -> CellBasis:
        return CellBasis(self.tiles.seeds, self.columns, self.rothe.elliptic.domain)

    @cached_property
    def past(self) -> Equation:
        """The equation with its past: its slots are those of the unknown, then of u and u_t at earlier stages."""
        problem = self.rothe.elliptic
        functions = [*problem.unknowns, *self.rothe.history[0]]
        expression = self.rothe.past[0][1]
        return compile_equation(expression, functions, problem.coordinates, problem.parameters, str(expression))

    def known(self, history: list[np.ndarray]) -> Any:
        return history

    def make_operator(self, rate: float, t: float, whole: np.ndarray) -> Any:
        stated = CellProblem.of_problem(self.rothe.elliptic, self.numbers(rate, t))
        return CellStage(self, rate, KeptCells.of(stated, self.tiles, self.degree, self.singular))

    # -- values --------------------------------------------------------------------------------------------------------
    def values_inside(self, slots: list[Slot], history: list[np.ndarray]) -> dict[Slot, list[np.ndarray]]:
        """Derivatives of the past, by number, at the points inside, group by group."""
        found = {}
        for number, index in slots:
            tables = self.columns.tables(history[number - 1][0])
            made = self._table((0, index))
            found[number, index] = [np.einsum("kcm,kc->km", a, c).ravel() for a, c in zip(made, tables, strict=True)]
        return found

    def _table(self, slot: Slot) -> list[np.ndarray]:
        """A derivative of the columns at the points inside: (cells, columns, points) of each group."""
        if slot not in self._tables:
            made = []
            for group in self.columns.groups:
                points = cell_insides(self.tiles, group).points
                ones = np.ones(points.shape[:2])
                made.append(group.rows(points, np.arange(len(group.cells)), [[(slot, ones)]])[:, : group.fitted])
            self._tables[slot] = made
        return self._tables[slot]

    @cached_property
    def _inverses(self) -> list[np.ndarray]:
        """From values at the points inside to coefficients, by least squares, of each group."""
        return [np.linalg.pinv(np.swapaxes(t, 1, 2), rcond=np.finfo(float).eps) for t in self._table(PLAIN[0])]

    def fitted(self, begin: Begin, every: list[tuple[int, int]], count: int) -> list[np.ndarray]:
        state = [np.zeros((1, self.columns.count)) for _ in range(count)]
        for u, k in every:
            parts = []
            for group, inverse in zip(self.columns.groups, self._inverses, strict=True):
                points = cell_insides(self.tiles, group).points
                values = np.broadcast_to(begin(u, k, points.reshape(-1, 2)), (points.size // 2,))
                parts.append((inverse @ values.reshape(*points.shape[:2], 1))[..., 0].ravel())
            state[k][u] = np.concatenate(parts)
        return state

    @cached_property
    def compared(self) -> tuple[np.ndarray, np.ndarray]:
        points = compared_points(self.tiles)
        volumes = np.repeat(np.prod(self.tiles.half, axis=1), points.shape[1])
        return points.reshape(-1, 2), volumes / volumes.sum()

    @cached_property
    def _seen(self) -> list[np.ndarray]:
        points, made = compared_points(self.tiles), []
        for group in self.columns.groups:
            here = points[group.cells]
            row = [(PLAIN[0], np.ones(here.shape[:2]))]
            made.append(group.rows(here, np.arange(len(here)), [row])[:, : group.fitted])
        return made

    def looked_at(self, coefficients: np.ndarray) -> np.ndarray:
        total, volume = 0.0, np.prod(self.tiles.half, axis=1)
        tables = self.columns.tables(coefficients[0])
        for group, table, c in zip(self.columns.groups, self._seen, tables, strict=True):
            values = np.einsum("kcm,kc->km", table, c)
            total += float(np.mean(values**2, axis=1) @ volume[group.cells])
        return np.array([np.sqrt(total / volume.sum())])

    @property
    def rows(self) -> int:
        return sum(p.shape[0] * p.shape[2] for p in self._table(PLAIN[0]))


def cell_levels_of(
    rothe: Rothe, probe: Problem, numbers: dict[Any, Any], goal: float, values: dict[Any, Any], tol: float
) -> tuple[CellStepLevel, CellStepLevel]:
    """The cells and the degree that resolve one implicit step, and a lower degree to compare with."""
    stated = CellProblem.of_problem(probe, tuple(numbers.values()))
    for found in cell_levels(stated, goal):
        if found.error <= goal:
            break
    tiles, degree = found.level.tiles, found.level.columns.degree
    elliptic = CellProblem.of_problem(rothe.elliptic, numbers_of(rothe, values, 1.0 / GAMMA, rothe.start))
    singular = Corners.of(elliptic, goal).functions(tiles)
    fine, coarse = (CellStepLevel(rothe, values, tiles, p, singular, tol) for p in (degree, degree - STEP))
    return fine, coarse
