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
from transnet.gradient.moved import follower
from transnet.gradient.variation import SIXTH, Variation
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

    def difference(self, f: Callable[[Any], Any]) -> Any:
        raise ProblemError(
            f"The derivative of a result over '{self.own[0]}' itself with respect to the normal speed of that part is "
            f"not available: take one over the domain, over other parts or at points."
        )

    def _speed(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The speed along the normals, and its gradient; zero on the other parts."""
        assert self.directions is not None
        assert self.samples is not None
        here, elsewhere = self.samples
        near = _distances(points, here) <= _distances(points, elsewhere)
        alone = replace(self.directions, exponents=self.directions.exponents[self.number : self.number + 1])
        slopes = [alone(points, axis)[:, 0] * near for axis in range(points.shape[1])]
        return alone(points)[:, 0] * near, np.stack(slopes, axis=1)

    def moving(
        self, parts: Sequence[str], points: np.ndarray, f: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        normals = _normals_at(self.solution.problem.domain, parts, points)
        speed, slope = self._speed(points)
        if not speed.any():
            return np.zeros(len(points))
        tilt = slope - np.sum(slope * normals, axis=1, keepdims=True) * normals

        def at(j: int) -> np.ndarray:
            turned = normals - j * self.step * tilt
            there = points + j * self.step * speed[:, None] * normals
            return f(there, turned / np.linalg.norm(turned, axis=1, keepdims=True))

        return np.asarray(sum(w * (at(j) - at(-j)) for j, w in SIXTH) / self.step)

    def normal_speed(self, parts: Sequence[str], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return self._speed(points)[0] if set(self.own) & set(parts) else np.zeros(len(points))


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
