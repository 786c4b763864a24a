"""Where to integrate: the domain or a part of its boundary, with some of the coordinates fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.errors import ProblemError
from transnet.geometry.domain import Domain
from transnet.geometry.rules import gauss
from transnet.geometry.section import EMPTY, embedded, section, sliced
from transnet.geometry.surface import surface_rule
from transnet.rows.averages import averaging_rule, distance_to

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

Nodes = tuple[np.ndarray, np.ndarray | None, np.ndarray]
"""Points (n, d) of the domain, normals there where it is a boundary, and weights (n,)."""
INSIDE = {1: (80, 120, 300), 2: (1_600, 3_600, 10_000), 3: (8_000, 17_576, 64_000)}
OTHERWISE = (20_000, 40_000, 100_000)
"""Nodes inside of a domain by its dimension: the difference of two rules is the error of the coarser one."""
AROUND = (10, 16, 26)
"""Nodes along a panel of the boundary."""
LEVELS = 3
FINE = (0.75, 1.0, 1.4)
"""How fine the rules are around corners and holes."""
LINE = 200
"""Where a line leaves a domain that is known by its points only is looked for at so many of them."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where something is integrated: `rule(level)` gives nodes, better ones for each of the `LEVELS`."""

    rule: Callable[[int], Nodes]
    measure: float


def place_of(solution: Solution, part: str | None, fixed: Mapping[str, float]) -> Place:
    """The whole domain or a part of its boundary, at fixed values of some coordinates."""
    problem = solution.problem
    names = [c.name for c in problem.coordinates]
    axes = {names.index(name): float(value) for name, value in fixed.items()}
    rest = sliced(problem.domain, axes)
    foci = getattr(solution.basis, "foci", []) if not axes else []
    free = tuple(k for k in range(len(names)) if k not in axes)
    if isinstance(rest, Domain):
        return _of_domain(rest, part, free, axes, foci, len(names))
    if rest != EMPTY and len(free) == 1 and part is None:
        return _of_line(problem.domain, free, axes)
    where = ", ".join(f"{n} = {v:g}" for n, v in fixed.items())
    raise ProblemError(
        f"What is left of {problem.domain} at {where} "
        + ("is empty." if rest == EMPTY else "has no rule to integrate with: integrate over all coordinates, or one.")
    )


def _of_domain(
    rest: Domain, part: str | None, free: tuple[int, ...], axes: Mapping[int, float], foci: Any, dimension: int
) -> Place:
    distance = distance_to(foci) if foci else None
    sizes = INSIDE.get(rest.dimension, OTHERWISE)

    def rule(level: int) -> Nodes:
        if part is None:
            nodes, weights = averaging_rule(rest, sizes[level], foci, FINE[level])
            return embedded(nodes, free, axes), None, weights
        points, normals, weights = surface_rule(rest, part, AROUND[level], distance)
        whole = np.zeros((len(points), dimension))
        whole[:, list(free)] = normals
        return embedded(points, free, axes), whole, weights

    return Place(rule, rest.volume if part is None else rest.measure(part))


def _of_line(domain: Domain, free: tuple[int, ...], axes: Mapping[int, float]) -> Place:
    """The pieces of a line that lie inside of a domain."""
    cut = section(domain, axes, LINE)
    corners = cut.cells.corners
    breaks = np.flatnonzero(corners[1:, 0] != corners[:-1, 1]) + 1
    ends = [cut.cells.points[[run[0, 0], run[-1, 1]], 0] for run in np.split(corners, breaks)]

    def rule(level: int) -> Nodes:
        x, w = gauss(INSIDE[1][level] // 2)
        points = np.concatenate([a + (b - a) * x for a, b in ends])[:, None]
        weights = np.concatenate([(b - a) * w for a, b in ends])
        return embedded(points, free, axes), None, weights

    return Place(rule, float(sum(b - a for a, b in ends)))
