"""Parts of the boundary that move along their normals: g with dJ = integral of g times the normal speed (Hadamard)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.gradient.differences import INWARDS
from transnet.gradient.directions import Directions
from transnet.gradient.fields import Varied
from transnet.gradient.motion import BoundaryMotion
from transnet.gradient.moved import SIXTH, follower, located_on, turning
from transnet.gradient.variation import Variation
from transnet.measure.arcs import Located
from transnet.sections.surface import Distance, surface_rule
from transnet.solution.expressions import Compiled
from transnet.solution.results.places import NODES_AROUND
from transnet.solution.solution import Solution
from transnet.tolerances import ROUNDED

STEP = 1e-3
"""The step of a boundary along its normals, in units of its size."""
TOWARDS, CLOSER = np.array([1e-4, 1e-5, 1e-6]), 0.1
"""Where values are taken on the way to a corner, in units of the domain: r log r leaves 1e-6 of its limit, and a
function of the angle with a coefficient of 1e-14 much less. Those with the finest rule are closer by a factor."""


@dataclass(frozen=True, eq=False)
class MovingSide:
    """The parts of a boundary that move, which points are on them, and the normals there, found once for all speeds."""

    domain: Any
    own: tuple[str, ...]
    samples: tuple[np.ndarray, np.ndarray]
    known: dict[tuple[tuple[str, ...], bytes], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def at(self, parts: Sequence[str], points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which points of parts are on those that move, and the normals at all of them."""
        key = tuple(parts), points.tobytes()
        if key not in self.known:
            self.known[key] = self._mine(parts, points), follower(self.domain, parts, points)(self.domain)[1]
        return self.known[key]

    def _mine(self, parts: Sequence[str], points: np.ndarray) -> np.ndarray:
        there = [part for name in parts for part in self.domain.resolve(name)]
        if len({part in self.own for part in there}) == 1:
            return np.full(len(points), there[0] in self.own)
        if self.domain.dimension == 2 and all(self.domain.arcs(part) for part in there):
            arcs, _, best = located_on(self.domain, there, points)
            return np.array([part in self.own for part, _, _ in arcs])[best]
        here, elsewhere = self.samples
        return _distances(points, here) <= _distances(points, elsewhere)


@dataclass(frozen=True, eq=False)
class NormalSpeed(Variation):
    """A part of the boundary that moves along its normals by a polynomial of the place."""

    side: MovingSide
    directions: Directions
    number: int

    @property
    def value(self) -> float:
        return 0.0

    @cached_property
    def step(self) -> float:
        return STEP * float(np.ptp(self.solution.problem.domain.bounds, axis=0).max())

    @cached_property
    def shapes(self) -> Any:
        """That of the solution: it is only known how the boundary begins to move."""
        return {0: self.solution.problem.domain}

    def _speed(self, parts: Sequence[str], points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The speed along the normals at points of parts, and its gradient; zero on those that do not move."""
        mine = self.side.at(parts, points)[0]
        slopes = [self._along(points, axis)[:, 0] * mine for axis in range(points.shape[1])]
        return self._along(points)[:, 0] * mine, np.stack(slopes, axis=1)

    def motion(self, parts: Sequence[str], points: np.ndarray) -> BoundaryMotion:
        normals = self.side.at(parts, points)[1]
        speed, slope = self._speed(parts, points)
        tilt = slope - np.sum(slope * normals, axis=1, keepdims=True) * normals

        def at(j: int) -> Located:
            turned = normals - j * self.step * tilt
            there = points + j * self.step * speed[:, None] * normals
            return there, turned / np.linalg.norm(turned, axis=1, keepdims=True)

        return BoundaryMotion((points, normals), {s * j: at(s * j) for j, _ in SIXTH for s in (-1, 1)}, self.step)

    def over_part(
        self, part: str, function: Compiled, states: np.ndarray, nodes: int, distance: Distance | None
    ) -> np.ndarray:
        """The values that change along the way, the length that a curved boundary gains, and what ends at corners."""
        domain = self.solution.problem.domain
        if domain.dimension != 2:
            raise ProblemError("A result over a part has a derivative by the normal speed of parts in the plane only.")
        points, normals, weights = surface_rule(domain, part, nodes, distance)
        way = TOWARDS * (CLOSER if nodes == NODES_AROUND[-1] else 1.0)
        total = self._at_ends(domain, set(domain.resolve(part)), lambda p, n: function(p, n, states), way)
        speed = self._speed([part], points)[0]
        if speed.any():
            gained = weights * speed * turning(domain, [part], points)
            moved = self.motion([part], points).of(function, states)
            total = total + weights @ moved + gained @ function(points, normals, states)
        return np.asarray(total) + np.zeros(states.shape[1])

    def _at_ends(
        self, domain: Any, over: set[str], f: Callable[[np.ndarray, np.ndarray], np.ndarray], way: np.ndarray
    ) -> Any:
        """With speeds V and W of two parts that meet at an angle, the end of the first moves on by a along it, such
        that the corner has both normal speeds: a = (W + V cos(angle)) / sin(angle)."""
        total: Any = 0.0
        for corner in domain.corners_and_holes[0]:
            speed = float(self._along(corner.point[None, :])[0, 0])
            speeds = [speed if name in self.side.own else 0.0 for name in corner.parts]
            for k, turn in enumerate((-1.0, 1.0)):
                own, other = speeds[k], speeds[1 - k]
                if corner.parts[k] not in over or own == other == 0.0 or (corner.flat and own == other):
                    continue
                if corner.flat:
                    raise ProblemError(
                        f"'{corner.parts[0]}' and '{corner.parts[1]}' go straight on into each other: the length of "
                        f"one has no derivative by the normal speed of the other. Join them, or take the whole."
                    )
                angle, (x, y) = corner.opening(), corner.edges[k]
                onward = (other + own * np.cos(angle)) / np.sin(angle)
                along = corner.point + np.outer(way, corner.edges[k]) * float(np.ptp(domain.bounds, axis=0).max())
                total = total + onward * _limit(f(along, np.tile(turn * np.array([-y, x]), (len(along), 1))), corner)
        return total

    def _along(self, points: np.ndarray, slope: int | None = None) -> np.ndarray:
        """The speed by the polynomial of the place alone."""
        return replace(self.directions, exponents=self.directions.exponents[self.number : self.number + 1])(
            points, slope
        )

    def normal_speed(self, parts: Sequence[str], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return self._speed(parts, points)[0]


def _limit(values: np.ndarray, corner: Any) -> np.ndarray:
    """The limit at a corner of values (3, c) on the way there, c_0 + c_1 r^p (Aitken); an error if they grow."""
    first, second, third = values
    before, last = second - first, third - second
    still = np.abs(last) <= ROUNDED * np.max(np.abs(values), axis=0)
    if np.any((np.abs(last) >= np.abs(before)) & ~still & (np.abs(third) > np.abs(second))):
        raise ProblemError(
            f"At the corner ({', '.join(f'{c:.6g}' for c in corner.point)}) the result is unbounded along the part "
            f"that ends there, so it has no derivative by the normal speed. Make the side a symbol instead: x=(-1, a)."
        )
    return np.asarray(np.where(still, third, third - last**2 / np.where(still, 1.0, last - before)))


def _distances(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    if not len(others):
        return np.full(len(points), np.inf)
    return np.min(np.linalg.norm(points[:, None, :] - others[None], axis=2), axis=1)


def varied_boundary(solution: Solution, part: str) -> Varied:
    """A part of the boundary that moves along its normals, in all directions."""
    domain = solution.problem.domain
    own = domain.resolve(part)
    if isinstance(domain, Pieces):
        raise ProblemError("The normal speed of a boundary is not available on a domain of pieces.")
    corners = domain.corners_and_holes[0] if domain.dimension == 2 else ()
    if any(c.opening() > INWARDS and set(c.parts) & set(own) for c in corners):
        raise ProblemError(
            f"'{part}' ends in a corner that points into the domain, where the derivative with respect to its normal "
            f"speed is unbounded. Give the corner a symbol for its place and differentiate by that."
        )
    rules = {p: surface_rule(domain, p, NODES_AROUND[0]) for p in domain.parts}
    nodes, weights = (np.concatenate([rules[p][k] for p in own]) for k in (0, 2))
    rest = [rules[p][0] for p in domain.parts if p not in own]
    elsewhere = np.concatenate(rest) if rest else np.zeros((0, domain.dimension))
    directions = Directions.of(nodes, around=True)
    side = MovingSide(domain, tuple(own), (nodes, elsewhere))
    made: list[Variation] = [
        NormalSpeed(solution, sp.Symbol(f"{part}_along_{k:04d}"), side, directions, k)
        for k in range(len(directions.exponents))
    ]
    return Varied(solution, made, directions, nodes, weights)
