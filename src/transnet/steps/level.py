"""An evolution on one set of cells: its operator for a step length, the start, and the steps themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cuts.cells import Cells
from transnet.errors import NotFiniteError
from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.laws import Laws
from transnet.pieces.local import RANK, Frame
from transnet.steps.stage import StageOperator
from transnet.steps.statement import Rothe, at_start
from transnet.steps.tableau import FIRST, GAMMA, USUAL
from transnet.steps.tables import ALIKE, Tables, derivative_of

KEPT = 3
"""The most step lengths whose factors are kept."""
SEEN = 12
"""Points of a cell at which sizes and errors are evaluated."""
COMPARED = 4
"""Points of a cell at which both marches are compared."""
NEWTON = 8
"""The most Newton steps in a stage; a time step that needs more is shortened."""
SLOW = 0.3
"""If a Newton step with kept factors is longer than this part of the one before, the cells are reduced anew."""
CLOSE = 0.02
"""How much of the tolerance of a step Newton's iteration may leave."""
FASTEST = 0.01
"""A rate of Newton's iteration that is trusted after two changes."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The state at a time: u and, for order two, u_t as (unknowns, columns) each; their slopes if known."""

    t: float
    state: tuple[np.ndarray, ...]
    slopes: tuple[np.ndarray, ...] | None

    @property
    def slope(self) -> np.ndarray | None:
        """u_t."""
        if self.slopes is not None:
            return self.slopes[0]
        return self.state[1] if len(self.state) > 1 else None


@dataclass(frozen=True, eq=False)
class Taken:
    """The last stage of a step: its time, its unknowns, what was known from before, and what solved it."""

    operator: StageOperator
    t: float
    stage: np.ndarray
    history: list[np.ndarray]


Begin = Callable[[int, int, np.ndarray], np.ndarray]
"""The value of an unknown, or of its time derivative of an order, at points when a march begins."""


class StepLevel:
    """The evolution in the features of all cells.

    `fixed` says that its cells are those of the whole march.

    Parameters
    ----------
    rothe : Rothe
    laws : Laws
        The laws of its elliptic problem.
    values : dict
        The parameters of the problem.
    cells : Cells
    space : FeatureSpace
        The features of each cell.
    tol : float
        The tolerance of a step, relative to the sizes of the unknowns: Newton's iteration ends far below.
    """

    fixed = False

    def __init__(
        self, rothe: Rothe, laws: Laws, values: dict[Any, Any], cells: Cells, space: FeatureSpace, tol: float
    ) -> None:
        self.rothe, self.laws, self.values, self.cells, self.space = rothe, laws, values, cells, space
        self.tol = tol
        self.unknowns, self.size = len(rothe.orders), space.size
        self.moving = np.array(rothe.orders) > 0
        self.count = len(cells.cells)
        self.tables = Tables(rothe, laws, cells, space)
        self.newton_steps, self._ratio = 0, SLOW
        self.taken: Taken | None = None
        self._operators: dict[float, StageOperator] = {}

    @cached_property
    def basis(self) -> PiecewiseBasis | CellBasis:
        """The features of one unknown."""
        return PiecewiseBasis.of(self.cells, self.space, 1)

    # -- the start -----------------------------------------------------------------------------------------------------
    def start(self, begin: Begin | None = None) -> Moment:
        """The initial values, or the end of another march, in the features of every cell, by least squares."""
        every = [(u, k) for u, order in enumerate(self.rothe.orders) for k in range(order)]

        def there(u: int, k: int, points: np.ndarray) -> np.ndarray:
            return at_start(self.rothe, self.values, u, k, points)

        state = self.fitted(there if begin is None else begin, every, max(self.rothe.orders))
        return Moment(self.rothe.start, tuple(state), None)

    def fitted(self, begin: Begin, every: list[tuple[int, int]], count: int) -> list[np.ndarray]:
        """Functions of space in the features of every cell: those of the unknowns and numbers, below a count."""
        state = [np.zeros((self.unknowns, self.count * self.size)) for _ in range(count)]
        inverses: dict[bytes, np.ndarray] = {}
        zero = (0,) * self.space.dimension
        for number, cell in enumerate(self.cells.cells):
            frame = Frame(self.space, cell.centre, cell.half, np.ones(1))
            faces = [self.cells.faces[k].points for k in dict.fromkeys(cell.faces)]
            points = np.concatenate([cell.inside, *(r.points for r in cell.rims), *faces])
            values = {(u, k): begin(u, k, points) for u, k in every}
            if not any(np.any(v) for v in values.values()):
                continue
            key = np.round(frame.placed(points), ALIKE).tobytes()
            if key not in inverses:
                inverses[key] = np.linalg.pinv(derivative_of(frame, points, zero), rcond=RANK)
            for (u, k), value in values.items():
                state[k][u, self.own(number)] = inverses[key] @ value
        return state

    def own(self, cell: int) -> slice:
        """The columns of a cell."""
        return slice(cell * self.size, (cell + 1) * self.size)

    # -- steps ---------------------------------------------------------------------------------------------------------
    def operator(self, tau: float, t: float, whole: np.ndarray, anew: bool = False) -> StageOperator:
        """The rows and their factors for a step length, linearised at the unknowns if needed."""
        if tau not in self._operators or anew:
            self._operators.pop(tau, None)
            while len(self._operators) >= KEPT:
                self._operators.pop(next(iter(self._operators)))
            self._operators[tau] = self.make_operator(1.0 / (GAMMA * tau), t, whole)
        return self._operators[tau]

    def make_operator(self, rate: float, t: float, whole: np.ndarray) -> StageOperator:
        """The rows and their factors for a rate."""
        return StageOperator(self.tables, self.values, rate, t, whole)

    def known(self, history: list[np.ndarray]) -> Any:
        """What a stage has to know of the past."""
        return self.tables.known(history)

    def step(self, moment: Moment, tau: float) -> tuple[Moment, np.ndarray]:
        """The next state, and its difference from the embedded method: (unknowns, columns).

        If Newton's iteration does not converge the difference is NaN.
        """
        method = FIRST if moment.slopes is None else USUAL
        rate, depth = 1.0 / (GAMMA * tau), len(moment.state)
        slopes: list[list[np.ndarray]] = [[] for _ in range(depth)]  # of u, of u_t, at the stages
        stage: list[np.ndarray] = [moment.state[0]]
        history: list[np.ndarray] = []
        guess, failed = moment.state[0], np.full_like(moment.state[0], np.nan)
        size = self.looked_at(moment.state[0])
        for i, (c, row) in enumerate(zip(method.nodes, method.stages, strict=True)):
            if i == 0 and moment.slopes is not None:
                for k in range(depth):
                    slopes[k].append(moment.slopes[k])
                continue
            before = [
                y + tau * sum((row[j] * s for j, s in enumerate(slopes[k])), np.zeros_like(y))
                for k, y in enumerate(moment.state)
            ]
            history = history_of(before, rate)
            if slopes[0]:
                guess = np.where(self.moving[:, None], before[0] + tau * row[i] * slopes[0][-1], guess)
            found = self._stage(tau, moment.t + c * tau, guess, history, size)
            if found is None:
                return moment, failed
            stage, guess = [found], found
            for k in range(depth):
                stage.append(np.where(self.moving[:, None], rate * (stage[k] - before[k]), 0.0))
                slopes[k].append(stage[k + 1])
        gap = [tau * sum(w * s for w, s in zip(method.estimate, slopes[k], strict=True)) for k in range(depth)]
        operator = self.operator(tau, moment.t + tau, stage[0])
        self.taken = Taken(operator, moment.t + tau, stage[0], history)
        error = operator.damped(moment.t + tau, stage[0], history, history_of(gap, rate))
        error[~self.moving] = 0.0  # what follows from the others has their error
        return Moment(moment.t + tau, tuple(stage[:depth]), tuple(stage[1:])), error

    def _stage(
        self, tau: float, t: float, guess: np.ndarray, history: list[np.ndarray], size: np.ndarray
    ) -> np.ndarray | None:
        """The unknowns at a stage; None if Newton's iteration does not converge."""
        operator = self.operator(tau, t, guess)
        past = self.known(history)
        if self.rothe.linear:
            return operator.solved(t, None, past)
        now, last, fresh = guess, np.inf, False
        try:
            for _ in range(NEWTON):
                new = operator.solved(t, now, past)
                self.newton_steps += 1
                sizes = np.maximum(size, self.looked_at(new))
                change = float((self.looked_at(new - now) / np.where(sizes > 0, sizes, 1.0)).max())
                if not np.isfinite(change):
                    return None
                if np.isfinite(last) and last > 0:
                    self._ratio = min(max(change / last, FASTEST), 1.0)
                if change > SLOW * last and not fresh:
                    operator, fresh = self.operator(tau, t, now, anew=True), True
                    continue
                now, last = new, change
                if change * self._ratio <= CLOSE * self.tol:
                    return now
        except NotFiniteError:
            pass
        return None

    # -- sizes ---------------------------------------------------------------------------------------------------------
    def looked_at(self, coefficients: np.ndarray) -> np.ndarray:
        """The root mean square over space of each unknown."""
        each = np.matmul(self._looks, coefficients.reshape(self.unknowns, self.count, self.size, 1))[..., 0]
        squares = np.mean(each**2, axis=2) @ self.volumes
        return np.asarray(np.sqrt(squares / self.volumes.sum()))

    @cached_property
    def _looks(self) -> np.ndarray:
        """The features at a few points of each cell: (cells, points, features)."""
        zero = (0,) * self.space.dimension
        return np.stack([np.resize(self.tables.table(k, zero)[:SEEN], (SEEN, self.size)) for k in range(self.count)])

    @cached_property
    def compared(self) -> tuple[np.ndarray, np.ndarray]:
        """Points of space at which two marches are compared, and the shares of the volume that they stand for."""
        some = [c.inside[:COMPARED] for c in self.cells.cells]
        volumes = np.repeat(self.volumes, list(map(len, some)))
        return np.concatenate(some), volumes / volumes.sum()

    @property
    def rows(self) -> int:
        """The rows inside cells."""
        return sum(len(c.inside) for c in self.cells.cells)

    @cached_property
    def volumes(self) -> np.ndarray:
        return np.array([float(np.prod(c.half)) for c in self.cells.cells])


def history_of(before: list[np.ndarray], rate: float) -> list[np.ndarray]:
    """h_1 and, for order two, h_2 from u and u_t at the earlier stages."""
    history = [rate * before[0]]
    if len(before) > 1:
        history.append(rate * history[0] + rate * before[1])
    return history
