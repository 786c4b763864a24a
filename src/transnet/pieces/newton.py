"""Newton's iteration in pieces: the rows are linearised at an iterate and solved for the new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from transnet.arrays import floored
from transnet.basis.expansion import Slot
from transnet.clock import Clock
from transnet.cuts.cells import Cell, Cells
from transnet.engines.distributed import Distributed
from transnet.errors import NotFiniteError
from transnet.features.space import FeatureSpace
from transnet.geometry.partition import Pieces
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.factored import Factored, factor_system
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, Reduced
from transnet.pieces.system import CellSystem, write_system
from transnet.solution.diagnostics import Step
from transnet.tolerances import BESIDE, ROUNDED

MOST = 20
"""The most steps on one set of cells: if they are too few, finer cells continue."""
SHORTEST = 1 / 16
"""The shortest step."""
RISES = 1.2
"""A step is accepted if the residual is at most this many times the previous one: at its floor it does not fall."""
LEFT = 1e-3
"""The iteration on a set of cells ends when a change is this small relative to the residual of the cells."""
HOPED, LOST = 3, 0.7
"""If there is an easier one, an iteration is given up after this many steps if it still changes this much."""
FLOOR = 0.03
"""If three residuals differ by less, they have reached the floor set by the cells: finer cells must continue."""
SETTLED = 0.1
"""A change below this is no longer a search; a next change predicted to be below this part of what is enough is
skipped."""


class State(Protocol):
    """An iterate, which gives its slots at points of one cell."""

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]: ...


@dataclass(frozen=True, eq=False)
class Here:
    """An iterate on the same cells."""

    frames: Sequence[Frame]
    coefficients: Sequence[np.ndarray]

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return self.frames[number].values(self.coefficients[number], points, slots)


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """The solution on other cells."""

    basis: PiecewiseBasis
    coefficients: np.ndarray

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        owner = self.basis.locate(points + BESIDE * (cell.centre - points))
        return self.basis.derivatives(self.coefficients, points, slots, owner)


@dataclass(frozen=True, eq=False)
class Iterated:
    """The result of an iteration."""

    system: CellSystem
    factored: Factored
    coefficients: list[np.ndarray]
    steps: tuple[Step, ...]
    converged: bool
    floored: bool = False

    @property
    def moves(self) -> float:
        """How far the later steps moved the solution where they did not become short; nothing where they did."""
        if self.converged and not self.floored:
            return 0.0
        return float(sum(s.change for s in self.steps[len(self.steps) // 2 :] if np.isfinite(s.change)))


def iterate(
    laws: Laws,
    cells: Cells,
    space: FeatureSpace,
    numbers: Sequence[Any],
    cache: dict[bytes, Reduced],
    start: State | None,
    accuracy: float,
    clock: Clock,
    report: Callable[[Step], None] | None = None,
    cluster: Distributed | None = None,
    share: float = 1.0,
    most: int = MOST,
) -> Iterated:
    """Solve on one set of cells: a linear problem in one step.

    `share` is the fraction of the nonlinear part that counts.
    """
    if laws.linear:
        system = write_system(laws, cells, space, numbers)
        clock.lap("rows")
        factored = factor_system(system, cache, cluster)
        clock.lap("factor")
        coefficients = factored.refined(system)
        clock.lap("solve")
        return Iterated(system, factored, coefficients, (), True)
    state = start
    across = not isinstance(laws.problem.domain, Pieces)  # conditions of interfaces may be nonlinear
    old: list[np.ndarray] | None = None
    steps: list[Step] = []
    last = change = merit = np.inf
    converged = at_floor = False
    for number in range(1, most + 1):
        system = write_system(laws, cells, space, numbers, state, share)
        clock.lap("rows")
        known, length = factor_system(system, None, cluster), 1.0
        clock.lap("factor")
        new = known.solve(system) if across else known.refined(system)  # materials differ in stiffness
        if old is not None:
            length, new, merit = _damped(laws, system, old, new, numbers, merit, share)
            last, change = change, _distance(system, Here(system.frames, old), Here(system.frames, new))
        else:
            merit = _merit(laws, system, new, numbers, share)
            change = np.inf if start is None else _distance(system, start, Here(system.frames, new))
        clock.lap("solve")
        steps.append(Step(number, space.neurons * len(cells.cells), merit, float(change), length))
        if report is not None:
            report(steps[-1])
        old, state = new, Here(system.frames, new)
        # Close to the solution the next change is about the square of this one, relative to the one before.
        predicted = change * min(1.0, change / last) if np.isfinite(last) and length == 1.0 else change
        merits = [s.residual for s in steps[-3:]]
        at_floor = len(merits) == 3 and max(merits) < (1 + FLOOR) * min(merits) and change < SETTLED and length == 1.0
        at_floor = bool(at_floor and change > 0.5 * last)
        # The change is lost in the residual of the cells: finer cells must continue.
        enough = max(accuracy, LEFT * merit)
        short = bool(change < enough or predicted < SETTLED * enough)
        converged, at_floor = short or at_floor, at_floor and not short
        lost = (number >= HOPED and change > LOST) or length < 1.0
        if converged or (most < MOST and lost):
            break
    return Iterated(system, known, new, tuple(steps), converged, at_floor)


def _damped(
    laws: Laws,
    system: CellSystem,
    old: list[np.ndarray],
    new: list[np.ndarray],
    numbers: Sequence[Any],
    before: float,
    share: float,
) -> tuple[float, list[np.ndarray], float]:
    """The longest of a few steps towards the new iterate that reduces the residual."""
    length, best = 1.0, None
    while length >= SHORTEST:
        tried = [a + length * (b - a) for a, b in zip(old, new, strict=True)]
        try:
            merit = _merit(laws, system, tried, numbers, share)
        except NotFiniteError:
            merit = np.inf
        if best is None or merit < best[2]:
            best = length, tried, merit
        if merit < RISES * before or merit < ROUNDED:
            break
        length /= 2
    assert best is not None
    return best


def _merit(
    laws: Laws, system: CellSystem, coefficients: Sequence[np.ndarray], numbers: Sequence[Any], share: float
) -> float:
    """The weighted residual of the equations."""
    total = 0.0
    for k, cell in enumerate(system.cells.cells):
        points = cell.inside[::4]
        for i, statement in enumerate(laws.equations[cell.material]):
            slots = system.frames[k].values(coefficients[k], points, statement.equation.slots)
            values = statement.equation.residual(points, None, numbers, slots)
            if share < 1.0 and not statement.equation.linear:
                least = statement.equation.jacobian(points, None, numbers, None)
                constant = statement.equation.residual(points, None, numbers, None)
                linear = sum((c * s for c, s in zip(least, slots, strict=True)), constant)
                values = share * values + (1 - share) * linear
            total += float(np.mean(values**2)) * system.scales[k].rows[i] ** 2
    return float(np.sqrt(total / len(system.cells.cells)))


def _distance(system: CellSystem, before: State, after: State) -> float:
    """The relative change of the unknowns, the largest of them."""
    d = system.cells.cells[0].centre.size
    unknowns = len(system.frames[0].units)
    slots = [(u, (0,) * d) for u in range(unknowns)]
    squares = np.zeros((2, unknowns))
    for k, cell in enumerate(system.cells.cells):
        points = cell.inside[:24]
        volume = float(np.prod(cell.half))
        a, b = before.values(k, cell, points, slots), after.values(k, cell, points, slots)
        for u in range(unknowns):
            squares[:, u] += volume * np.array([np.mean((a[u] - b[u]) ** 2), np.mean(b[u] ** 2)])
    change, size = np.sqrt(squares)
    return float(np.max(change / floored(size)))
