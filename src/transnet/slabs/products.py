"""The rows of a slab on a box in two or three coordinates, without a matrix.

Features of space are products of those along the axes, so derivatives, values at the grid and projections are small
matrices applied axis by axis. Only a preconditioner is missing for a Krylov iteration: it is that of `FourierSystem` if
all axes are periodic, and that of `BoxSystem` if not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.grid_rows import CONDITIONS
from transnet.slabs.owners import drops_of
from transnet.slabs.space import Space, along_axes
from transnet.slabs.stages import radau
from transnet.slabs.system import SlabSystem


@dataclass(frozen=True, eq=False)
class GridStatement:
    """An equation inside (`side` is None) or a condition on a face, on the grid there."""

    equation: Any
    drops: tuple[int, ...]
    side: Side | None
    points: np.ndarray
    normals: np.ndarray | None
    count: int


class ProductSystem(SlabSystem):
    """The rows of a slab in products of features along axes; see `SlabSystem`."""

    def __init__(self, evolution: Evolution, space: Space, stages: int, values: Sequence[Any]) -> None:
        self.evolution, self.space, self.stages, self.values = evolution, space, radau(stages), tuple(values)
        self.unknowns, self.columns = len(evolution.orders), space.columns
        self.shape = tuple(a.columns for a in space.axes)
        self._small: dict[tuple[Any, ...], np.ndarray] = {}
        inside = zip(evolution.equations, drops_of(evolution), strict=True)
        self.statements = [self._stated(s.equation, drops, None) for s, drops in inside]
        none = (0,) * len(space.axes)
        self.statements += [self._stated(side.statement.equation, none, side) for side in evolution.sides]
        self.highest = max(evolution.split(index)[1] for s in self.statements for _, index in s.equation.slots)
        self.counts = [s.count for s in self.statements]
        self.joints = np.zeros((0, self.unknowns * self.columns))
        self.sparse = False

    def _stated(self, equation: Any, drops: tuple[int, ...], side: Side | None) -> GridStatement:
        e, axis = self.evolution, None if side is None else side.axis
        points, _ = self.space.face_grid(axis, 0.0 if side is None else side.place)
        normals = None
        if side is not None:
            normals = np.zeros((len(points), len(e.problem.coordinates)))
            normals[:, side.axis + (side.axis >= e.axis)] = side.sign
        count = int(np.prod([1 if k == axis else len(self._tests(k, drops[k])) for k in range(len(self.shape))]))
        return GridStatement(equation, drops, side, points, normals, count)

    @property
    def coupled(self) -> bool:
        return False

    @property
    def renewed(self) -> bool:
        return True

    # -- along the axes ------------------------------------------------------------------------------------------------
    def small(self, axis: int, order: int, drop: int | None, place: float | None) -> np.ndarray:
        """A derivative of the features along an axis: at its grid or at a place, tested unless `drop` is None."""
        features = self.space.axes[axis]
        if drop is not None and place is None:
            return self._kept(
                ("tested", features, order, drop), lambda: self._tests(axis, drop) @ self.small(axis, order, None, None)
            )
        at = features.grid[0] if place is None else np.array([place])
        return self._kept((features, order, place), lambda: features.matrix(at, order))

    def _places(self, stated: GridStatement) -> list[float | None]:
        side = stated.side
        return [side.place if side is not None and k == side.axis else None for k in range(len(self.shape))]

    def at_grid(self, stated: GridStatement, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """The values of a derivative at the grid of a statement."""
        places = self._places(stated)
        return along_axes(coefficients, [self.small(k, order, None, places[k]) for k, order in enumerate(index)])

    def tested_values(self, stated: GridStatement, values: np.ndarray) -> np.ndarray:
        """Values at the grid of a statement, tested."""
        places = self._places(stated)
        tests = [np.ones((1, 1)) if p is not None else self._tests(k, stated.drops[k]) for k, p in enumerate(places)]
        return (1.0 if stated.side is None else CONDITIONS) * along_axes(values, tests)

    def _tests(self, axis: int, drop: int) -> np.ndarray:
        features = self.space.axes[axis]
        return self._kept(("tests", features, drop), lambda: features.tests(drop))

    def _kept(self, key: tuple[Any, ...], make: Callable[[], np.ndarray]) -> np.ndarray:
        if key not in self._small:
            self._small[key] = make()
        return self._small[key]

    def differentiated(self, stated: GridStatement, coefficients: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """A derivative on the grid of a statement, tested."""
        places = self._places(stated)
        tables = [self.small(k, order, stated.drops[k], places[k]) for k, order in enumerate(index)]
        return (1.0 if stated.side is None else CONDITIONS) * along_axes(coefficients, tables)

    # -- rows ----------------------------------------------------------------------------------------------------------
    def _slots(self, stated: GridStatement, s: list[np.ndarray]) -> list[np.ndarray]:
        found = []
        for number, index in stated.equation.slots:
            k, order = self.evolution.split(index)
            found.append(self.at_grid(stated, s[order][:, number], k).T.ravel())
        return found

    def residual(self, s: list[np.ndarray], times: np.ndarray) -> np.ndarray:
        found = []
        for stated in self.statements:
            points, normals = self._at(stated, times)
            value = stated.equation.residual(points, normals, self.values, self._slots(stated, s))
            value = value.reshape(-1, len(times)).T
            if stated.side is not None and stated.side.fade is not None:
                value = value - stated.side.fade(times)[:, None]
            found.append(self.tested_values(stated, value))
        return np.concatenate(found, axis=1)

    def _at(self, stated: GridStatement, times: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        normals = None if stated.normals is None else np.repeat(stated.normals, len(times), axis=0)
        return self.evolution.joined(stated.points, times), normals

    def coefficients(self, s: list[np.ndarray], times: np.ndarray) -> list[list[np.ndarray]]:
        """dF/ds_j at the grid and all stages, (stages, m); (stages, 1) where it does not vary in space, or a number."""
        found = []
        for stated in self.statements:
            points, normals = self._at(stated, times)
            slots = None if stated.equation.linear else self._slots(stated, s)
            made = stated.equation.jacobian(points, normals, self.values, slots)
            found.append([c if c.ndim == 0 else _simplest(c.reshape(-1, len(times)).T) for c in made])
        return found

    def linear(self, coefficients: list[list[np.ndarray]], s: list[np.ndarray], fulfilled: bool = False) -> np.ndarray:
        """See `SlabSystem`; with conditions that are `fulfilled` the rows of the faces are zero."""
        found = []
        for stated, factors in zip(self.statements, coefficients, strict=True):
            total = np.zeros((self.stages.count, stated.count))
            if fulfilled and stated.side is not None:
                found.append(total)
                continue
            varying: np.ndarray | None = None
            for (number, index), c in zip(stated.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                if c.ndim == 0 and c == 0.0:
                    continue
                if c.ndim == 0 or c.shape[1] == 1:
                    total += c * self.differentiated(stated, s[order][:, number], k)
                else:
                    part = c * self.at_grid(stated, s[order][:, number], k)
                    varying = part if varying is None else varying + part
            found.append(total if varying is None else total + self.tested_values(stated, varying))
        return np.concatenate(found, axis=1)

    def applied(
        self, coefficients: list[list[np.ndarray]], tau: float, x: np.ndarray, fulfilled: bool = False
    ) -> np.ndarray:
        """The linearised rows applied to coefficients at the stages, (stages, unknowns columns)."""
        u = x.reshape(self.stages.count, self.unknowns, self.columns)
        nothing = np.zeros((max(self.evolution.orders), self.unknowns, self.columns))
        return self.linear(coefficients, self.derivatives(u, nothing, tau), fulfilled)


def _simplest(c: np.ndarray) -> np.ndarray:
    """Coefficients (stages, m) as one number, or one for each stage, where they do not vary."""
    if np.any(c != c[:, :1]):
        return c
    return np.asarray(c.flat[0]) if np.ptp(c[:, 0]) == 0.0 else c[:, :1].copy()
