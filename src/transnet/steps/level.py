"""An evolution on one set of cells: its operator for a length of step, the start, and the steps themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.cells import Cells
from transnet.pieces.factored import Factored, factor_system
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.system import CellSystem, write_system
from transnet.steps.statement import Rothe, at_start, numbers_of
from transnet.steps.tableau import FIRST, GAMMA, USUAL

KEPT = 3
"""Lengths of steps whose factors are kept."""
REFINED = 0
"""Steps of refinement of a stage: rounding of the glue is far below the error of a step."""
SEEN = 12
"""Points of a cell at which sizes and errors are looked at."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The state at a moment: u and, for order two, u_t as (unknowns, columns) each; their slopes where known."""

    t: float
    state: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...] | None

    @property
    def slope(self) -> np.ndarray | None:
        """u_t."""
        if self.slopes is not None:
            return self.slopes[0]
        return self.state[1] if len(self.state) > 1 else None


class Level:
    """The evolution in the features of all cells.

    Parameters
    ----------
    rothe : Rothe
    laws : Laws
        Of its elliptic problem.
    values : dict
        The parameters of the problem.
    cells : Cells
    space : FeatureSpace
        The features of each cell.
    """

    def __init__(self, rothe: Rothe, laws: Laws, values: dict[Any, Any], cells: Cells, space: FeatureSpace) -> None:
        self.rothe, self.laws, self.values, self.cells, self.space = rothe, laws, values, cells, space
        self.unknowns, self.size = len(rothe.orders), space.size
        self.count = len(cells.cells)
        self._operators: dict[float, tuple[CellSystem, Factored]] = {}

    @cached_property
    def basis(self) -> PiecewiseBasis:
        """The features of one unknown."""
        return PiecewiseBasis.of(self.cells, self.space, 1)

    @cached_property
    def features(self) -> list[np.ndarray]:
        """The values of the features at the points inside of each cell, once for cells that are alike."""
        made: dict[bytes, np.ndarray] = {}
        found = []
        for cell in self.cells.cells:
            frame = Frame(self.space, cell.centre, cell.half, np.ones(1))
            key = np.round(frame.placed(cell.inside), 10).tobytes()
            if key not in made:
                made[key] = _values_of(frame, cell.inside)
            found.append(made[key])
        return found

    @cached_property
    def past(self) -> list[list[list[tuple[int, int, Any]]]]:
        """For each cell and equation, by how much each (unknown, order) of the past counts at its points."""
        numbers = numbers_of(self.rothe, self.values, 1.0, self.rothe.start)
        here = list(self.laws.problem.unknowns)
        every = [(u, k, h) for u, row in enumerate(self.rothe.history) for k, h in enumerate(row)]
        functions = [*here, *(h for _, _, h in every)]
        found: list[list[list[tuple[int, int, Any]]]] = []
        for cell in self.cells.cells:
            mine = []
            for piece, expression in self.rothe.past:
                if piece is not None and piece != self.laws.names[cell.material]:
                    continue
                text = self.laws.here(expression, cell.material)
                equation = self.laws.compiled(text, str(expression), [cell.material], functions)
                factors = equation.jacobian(cell.inside, None, numbers)
                terms = []
                for (number, _), factor in zip(equation.slots, factors, strict=True):
                    if number >= len(here):
                        u, k, _ = every[number - len(here)]
                        terms.append((u, k, factor))
                mine.append(terms)
            found.append(mine)
        return found

    # -- the start -----------------------------------------------------------------------------------------------------
    def start(self) -> Moment:
        """The initial values in the features of every cell, by least squares."""
        orders = self.rothe.orders
        state = [np.zeros((self.unknowns, self.count * self.size)) for _ in range(max(orders))]
        inverses: dict[bytes, np.ndarray] = {}
        for number, cell in enumerate(self.cells.cells):
            frame = Frame(self.space, cell.centre, cell.half, np.ones(1))
            faces = [self.cells.faces[k].points for k in dict.fromkeys(cell.faces)]
            points = np.concatenate([cell.inside, *(r.points for r in cell.rims), *faces])
            key = np.round(frame.placed(points), 10).tobytes()
            if key not in inverses:
                inverses[key] = np.linalg.pinv(_values_of(frame, points), rcond=1e-12)
            for u, order in enumerate(orders):
                for k in range(order):
                    values = at_start(self.rothe, self.values, u, k, points)
                    state[k][u, self.own(number)] = inverses[key] @ values
        return Moment(self.rothe.start, tuple(state), None)

    def own(self, cell: int) -> slice:
        """The columns of a cell."""
        return slice(cell * self.size, (cell + 1) * self.size)

    # -- steps ---------------------------------------------------------------------------------------------------------
    def operator(self, tau: float) -> tuple[CellSystem, Factored]:
        """The rows and their factors for a length of step."""
        if tau not in self._operators:
            while len(self._operators) >= KEPT:
                self._operators.pop(next(iter(self._operators)))
            rate = 1.0 / (GAMMA * tau)
            system = write_system(
                self.laws, self.cells, self.space, numbers_of(self.rothe, self.values, rate, self.rothe.start)
            )
            self._operators[tau] = system, factor_system(system, {})
        return self._operators[tau]

    def step(self, moment: Moment, tau: float) -> tuple[Moment, np.ndarray]:
        """The next moment, and by how much the embedded method differs from it: (unknowns, columns)."""
        system, factored = self.operator(tau)
        method = FIRST if moment.slopes is None else USUAL
        rate, depth = 1.0 / (GAMMA * tau), len(moment.state)
        slopes: list[list[np.ndarray]] = [[] for _ in range(depth)]  # of u, of u_t, at the stages
        stage: list[np.ndarray] = []
        for i, (c, row) in enumerate(zip(method.nodes, method.stages, strict=True)):
            if i == 0 and moment.slopes is not None:
                for k in range(depth):
                    slopes[k].append(moment.slopes[k])
                continue
            before = [
                y + tau * sum((row[j] * s for j, s in enumerate(slopes[k])), np.zeros_like(y))
                for k, y in enumerate(moment.state)
            ]
            now = self._timed(system, rate, moment.t + c * tau) if self.rothe.timely else system
            stage = [self._solved(factored, now, before, rate)]
            for k in range(depth):
                stage.append(rate * (stage[k] - before[k]))
                slopes[k].append(stage[k + 1])
        gap = [tau * sum(w * s for w, s in zip(method.estimate, slopes[k], strict=True)) for k in range(depth)]
        error = self._solved(factored, _silent(system), gap, rate)
        return Moment(moment.t + tau, tuple(stage[:depth]), tuple(stage[1:])), error

    def _timed(self, system: CellSystem, rate: float, t: float) -> CellSystem:
        """The system with the right-hand sides of a time."""
        now = write_system(self.laws, self.cells, self.space, numbers_of(self.rothe, self.values, rate, t))
        local = [
            [(label, replace(block, right=new.right)) for (label, block), (_, new) in zip(old, late, strict=True)]
            for old, late in zip(system.local, now.local, strict=True)
        ]
        return replace(system, local=local, faces=now.faces)

    def _solved(self, factored: Factored, system: CellSystem, before: list[np.ndarray], rate: float) -> np.ndarray:
        """One stage: rows with the right-hand sides of a time and of the past."""
        history = [rate * before[0]]
        if len(before) > 1:
            history.append(rate * history[0] + rate * before[1])
        local = []
        for number, blocks in enumerate(system.local):
            values = {
                (u, k): self.features[number] @ history[k][u, self.own(number)]
                for terms in self.past[number]
                for u, k, _ in terms
            }
            mine = list(blocks)
            for i, terms in enumerate(self.past[number]):
                label, block = blocks[i]
                right = block.right - sum((c * values[u, k] for u, k, c in terms), np.zeros(len(block.points)))
                mine[i] = (label, replace(block, right=right))
            local.append(mine)
        found = factored.solve(replace(system, local=local), REFINED)
        whole = np.stack([f.reshape(self.unknowns, self.size) for f in found], axis=1)
        return whole.reshape(self.unknowns, -1)

    # -- sizes ---------------------------------------------------------------------------------------------------------
    def looked_at(self, coefficients: np.ndarray) -> np.ndarray:
        """The root mean square over space of each unknown."""
        squares = np.zeros(self.unknowns)
        for number in range(self.count):
            values = self.features[number][:SEEN] @ coefficients[:, self.own(number)].T
            squares += self.volumes[number] * np.mean(values**2, axis=0)
        return np.sqrt(squares / self.volumes.sum())

    @cached_property
    def volumes(self) -> np.ndarray:
        return np.array([float(np.prod(c.half)) for c in self.cells.cells])


def _values_of(frame: Frame, points: np.ndarray) -> np.ndarray:
    """The values of the features of a cell at points: (n, features)."""
    zero = (0,) * points.shape[1]
    return frame.rows([RowBlock(points, ((0, zero),), (np.ones(()),), 1.0, np.zeros(len(points)))])


def _silent(system: CellSystem) -> CellSystem:
    """The same rows with zero on the right."""
    local = [[(label, replace(b, right=np.zeros(len(b.points)))) for label, b in blocks] for blocks in system.local]
    faces = [
        [replace(r, first=replace(r.first, right=np.zeros(len(r.first.points)))) for r in rows] for rows in system.faces
    ]
    return replace(system, local=local, faces=faces)
