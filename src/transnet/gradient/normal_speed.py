"""Parts of the boundary that move along their normals: g with dJ = integral of g times the normal speed (Hadamard)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.gradient.differences import INWARDS
from transnet.gradient.directions import Directions
from transnet.gradient.fields import Varied
from transnet.gradient.moved import SIXTH, follower, located_on, turning
from transnet.gradient.variation import Variation
from transnet.sections.surface import surface_rule
from transnet.solution.results.places import NODES_AROUND
from transnet.solution.solution import Solution

STEP = 1e-3
"""The step of a boundary along its normals, in units of its size."""


@dataclass(frozen=True, eq=False)
class NormalSpeed(Variation):
    """A part of the boundary that moves along its normals by a polynomial of the place."""

    own: tuple[str, ...] = ()
    directions: Directions | None = None
    number: int = 0
    samples: tuple[np.ndarray, np.ndarray] | None = None

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
        mine = self._mine(parts, points)
        slopes = [self._along(points, axis)[:, 0] * mine for axis in range(points.shape[1])]
        return self._along(points)[:, 0] * mine, np.stack(slopes, axis=1)

    def _mine(self, parts: Sequence[str], points: np.ndarray) -> np.ndarray:
        """Which points are on the parts that move."""
        domain = self.solution.problem.domain
        there = [part for name in parts for part in domain.resolve(name)]
        if len({part in self.own for part in there}) == 1:
            return np.full(len(points), there[0] in self.own)
        if domain.dimension == 2 and all(domain.arcs(part) for part in there):
            arcs, _, best = located_on(domain, there, points)
            return np.array([part in self.own for part, _, _ in arcs])[best]
        assert self.samples is not None
        here, elsewhere = self.samples
        return _distances(points, here) <= _distances(points, elsewhere)

    def moving(
        self, parts: Sequence[str], points: np.ndarray, f: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        normals = _normals_at(self.solution.problem.domain, parts, points)
        speed, slope = self._speed(parts, points)
        if not speed.any():
            return np.zeros(len(points))
        tilt = slope - np.sum(slope * normals, axis=1, keepdims=True) * normals

        def at(j: int) -> np.ndarray:
            turned = normals - j * self.step * tilt
            there = points + j * self.step * speed[:, None] * normals
            return f(there, turned / np.linalg.norm(turned, axis=1, keepdims=True))

        return np.asarray(sum(w * (at(j) - at(-j)) for j, w in SIXTH) / self.step)

    def over_part(self, part: str, f: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        """The values that change along the way, the length that a curved boundary gains, and what ends at corners."""
        domain = self.solution.problem.domain
        if domain.dimension != 2:
            raise ProblemError("A result over a part has a derivative by the normal speed of parts in the plane only.")
        points, normals, weights = surface_rule(domain, part, NODES_AROUND[-1])
        speed = self._speed([part], points)[0]
        total = np.zeros_like(f(points[:1], normals[:1])[0]) + self._at_ends(domain, set(domain.resolve(part)), f)
        if speed.any():
            gained = speed * turning(domain, [part], points)
            total = total + weights @ (self.moving([part], points, f) + gained[:, None] * f(points, normals))
        return np.asarray(total)

    def _at_ends(self, domain: Any, over: set[str], f: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Any:
        """With speeds V and W of two parts that meet at an angle, the end of the first moves on by a along it, such
        that the corner has both normal speeds: a = (W + V cos(angle)) / sin(angle)."""
        total: Any = 0.0
        for corner in domain.corners_and_holes[0]:
            point = corner.point[None, :]
            speed = float(self._along(point)[0, 0])
            speeds = [speed if name in self.own else 0.0 for name in corner.parts]
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
                total = total + onward * f(point, turn * np.array([[-y, x]]))[0]
        return total

    def _along(self, points: np.ndarray, slope: int | None = None) -> np.ndarray:
        """The speed by the polynomial of the place alone."""
        assert self.directions is not None
        return replace(self.directions, exponents=self.directions.exponents[self.number : self.number + 1])(
            points, slope
        )

    def normal_speed(self, parts: Sequence[str], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return self._speed(parts, points)[0]


def _normals_at(domain: Any, parts: Sequence[str], points: np.ndarray) -> np.ndarray:
    return follower(domain, parts, points)(domain)[1]


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
    made: list[Variation] = [
        NormalSpeed(solution, sp.Symbol(f"{part}_along_{k:04d}"), own, directions, k, (nodes, elsewhere))
        for k in range(len(directions.exponents))
    ]
    return Varied(solution, made, directions, nodes, weights)
