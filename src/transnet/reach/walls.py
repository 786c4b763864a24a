"""Half planes, half spaces and quarters of them, with bodies: functions that solve the equation beside walls.

Around bodies lie functions that radiate or decay, with their mirror images in walls on which a value or a flux is
given; behind a wall sources for what is given on it. All are fitted on the boundary alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from transnet.basis.outside import Outside
from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.choose.outside import OutsideLaw
from transnet.counts import ALONG
from transnet.errors import ProblemError
from transnet.features.bodies_in_space import space_functions
from transnet.features.body_functions import body_functions
from transnet.features.images import Copy, Functions, Images, Mirror, mirrored
from transnet.features.placement import Placement
from transnet.geometry import Domain, Exterior
from transnet.linalg.sizes import rms
from transnet.method.edges import PER_COLUMN, Edge, edge_on
from transnet.problem import Problem
from transnet.reach.wall_functions import Stretches, stretches_of, wall_points, wall_sources
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement
from transnet.tolerances import ROUNDED

WAVES = 2.0
"""Wavelengths of a stretch of a wall."""


@dataclass(frozen=True, eq=False)
class Wall:
    """A side of a half plane.

    Parameters
    ----------
    sign : int
        Of images in it: -1 where a value is given, 1 where a flux is; 0 for another condition, which has none.
    side : int
        On which side of it the domain is.
    """

    axis: int
    at: float
    side: int
    sign: int
    statements: tuple[Statement, ...]

    @property
    def mirror(self) -> Mirror:
        return Mirror(self.axis, self.at, self.sign)


@dataclass(frozen=True, eq=False)
class WalledLaw:
    """What is needed to solve a problem beside walls.

    Parameters
    ----------
    problem : Problem
        With a window that shows bodies and data.
    on_bodies : tuple of (part, Statement)
    cut : dict
        For each basis that was made, the walls on which something is given with their stretches.
    """

    problem: Problem
    outer: OutsideLaw
    body: Domain | None
    walls: tuple[Wall, ...]
    on_bodies: tuple[tuple[str, Statement], ...]
    numbers: tuple[Any, ...]
    cut: dict[Outside, list[tuple[Wall, Stretches]]] = field(default_factory=dict)
    where: ClassVar[str] = "beside the walls"
    cause: ClassVar[str] = ", or what is given on them does not end."

    @property
    def mirrors(self) -> tuple[Mirror, ...]:
        return tuple(w.mirror for w in self.walls if w.sign)

    def basis(self, digits: float) -> Outside | None:
        """As many functions as this many digits usually need; None if that is too many."""
        groups: list[tuple[Functions, tuple[Copy, ...]]] = []
        law, domain, cut = self.outer, self.problem.domain, []
        if self.body is not None:
            around: Any = body_functions if domain.dimension == 2 else space_functions
            groups.append(
                (
                    around(Exterior(self.body), law.wavenumber, digits, self.mirrors),
                    mirrored(self.mirrors, domain.dimension),
                )
            )
        # Where nothing is to be fitted the field at infinity is the solution, which a wall then confirms.
        used = [w for w in self.walls if not w.sign or self._left(w)] or list(self.walls[: not groups])
        for wall in used:
            stretches = self._stretches(wall, digits)
            if stretches is None:
                return None
            others = tuple(w.mirror for w in self.walls if w is not wall and w.sign)
            groups.append(
                (wall_sources(stretches, wall.axis, wall.at, wall.side, law.wavenumber, digits), mirrored(others, 2))
            )
            cut.append((wall, stretches))
        found = Outside(Images(tuple(groups)), Placement.of(domain), law.fields, law.given, law.numbers, law.inwards)
        self.cut[found] = cut
        return found if found.columns <= MOST_FUNCTIONS else None

    def _along(self, wall: Wall) -> list[int]:
        return [a for a in range(self.problem.domain.dimension) if a != wall.axis]

    def _data(self, wall: Wall, points: np.ndarray) -> np.ndarray:
        """What the field that is given at infinity leaves on a wall, with any numbers that are to be found."""
        normals = np.zeros_like(points)
        normals[:, wall.axis] = -wall.side
        found = []
        for s in wall.statements:
            for given in (self.outer.given, *self.outer.numbers.values()):
                fixed = [part_of(self.outer, number, given.derivative(points, i)) for number, i in s.equation.slots]
                found.append(s.equation.residual(points, normals, self.numbers, fixed))
        return np.stack(found, axis=1)

    def _left(self, wall: Wall) -> bool:
        """Whether something is left on a wall that images do not do."""
        points = self.problem.domain.interior(ALONG)
        points[:, wall.axis] = wall.at
        terms = np.abs(self.outer.given.derivative(points, (0,) * points.shape[1])).max() + 1.0
        return bool(np.abs(self._data(wall, points)).max() > ROUNDED * terms)

    def _stretches(self, wall: Wall, digits: float) -> Stretches | None:
        """A wall cut for what is given on it."""
        (axis, *more), (low, high) = self._along(wall), self.problem.domain.bounds
        if more:
            raise ProblemError(
                "On the wall of a half space what holds at infinity must hold, and a value or a flux of zero."
            )
        k, rim = abs(self.outer.wavenumber), None
        if not wall.sign and self.body is not None:
            rim = self.body.boundary("boundary", ALONG).points

        def room(along: np.ndarray) -> np.ndarray:
            return np.asarray(np.hypot(*(_on(wall, along)[:, None] - rim).transpose(2, 0, 1)).min(axis=1))

        def data(along: np.ndarray) -> np.ndarray:
            return self._data(wall, _on(wall, along))

        longest = WAVES * 2.0 * np.pi / k if k else np.inf
        first = (float(low[axis]), float(high[axis]))
        return stretches_of(data, first, self._corners(wall), digits, longest, None if rim is None else room)

    def _corners(self, wall: Wall) -> tuple[bool, bool]:
        """Whether a wall of the plane ends at another one."""
        sides = {w.axis: w.side for w in self.walls}
        return sides.get(1 - wall.axis, 0) > 0, sides.get(1 - wall.axis, 0) < 0

    def edges(self, basis: Outside, numbers: Sequence[Any], seed: int) -> list[Edge]:
        """The conditions on bodies and on walls on which something is left, on their points."""
        domain, fields, found = self.problem.domain, len(basis.fields), []
        around = sum(domain.measure(part) for part in dict.fromkeys(part for part, _ in self.on_bodies))
        step = around * fields / (2.0 * PER_COLUMN * basis.columns)
        foci = [replace(f, gamma=0.5 * f.gamma) for f in basis.foci] if self.on_bodies else []
        for part, s in self.on_bodies:
            fixed = partial(_fixed, basis, s)
            found.append(
                edge_on(domain, part, basis.columns, s, numbers, foci, step, seed, partial(_write, basis, s), fixed)
            )
        for wall, stretches in self.cut[basis]:
            each = int(np.ceil(2.0 * PER_COLUMN * basis.columns / fields / len(stretches.ends)))
            points, lengths, share = wall_points(stretches, self._corners(wall), wall.axis, wall.at, each)
            if wall.sign > 0:
                share = share * lengths  # a flux makes a field of its size times the length on which it varies
            normals = np.zeros_like(points)
            normals[:, wall.axis] = -wall.side
            found += [_edge(basis, s, points, normals, share, numbers) for s in wall.statements]
        return found


def _on(wall: Wall, along: np.ndarray) -> np.ndarray:
    points = np.full((len(along), 2), wall.at)
    points[:, 1 - wall.axis] = along
    return points


def part_of(law: OutsideLaw, number: int, values: np.ndarray) -> np.ndarray:
    if number not in law.fields:
        return np.zeros(len(values))
    return values.imag if law.fields.index(number) else values.real


def _write(basis: Outside, s: Statement, rows: np.ndarray, points: np.ndarray, coefficients: Sequence[Any]) -> None:
    basis.write(rows, points, s.equation.slots, coefficients)


def _fixed(basis: Outside, s: Statement, points: np.ndarray) -> list[np.ndarray]:
    return basis.fixed(points, s.equation.slots)


def _edge(
    basis: Outside, s: Statement, points: np.ndarray, normals: np.ndarray, share: np.ndarray, numbers: Sequence[Any]
) -> Edge:
    """A condition on points of a wall, each of which counts as its share."""
    coefficients = s.equation.jacobian(points, normals, numbers)
    right = -share * s.equation.residual(points, normals, numbers, _fixed(basis, s, points))
    rows = np.empty((basis.columns, len(points)))
    _write(basis, s, rows, points, coefficients)
    rows *= share
    block = Block(s, Nodes(points[::2]), normals[::2])
    norm = float(rms(rows[:, ::2])) or 1.0
    fitted = [c if np.ndim(c) == 0 else c[::2] for c in coefficients]
    return Edge(block, rows, right, fitted, 1.0 / (norm * np.sqrt(block.rows)))
