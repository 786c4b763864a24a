"""Where to integrate: the domain or a part of its boundary, with some of the coordinates fixed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.counts import ALONG
from transnet.errors import ProblemError
from transnet.geometry.domain import Domain
from transnet.geometry.exterior import Exterior
from transnet.geometry.partition import Pieces
from transnet.measure.rules import gauss
from transnet.rows.averages import averaging_rule, distance_to
from transnet.sections.section import EMPTY, UNKNOWN, embedded, section, sliced
from transnet.sections.surface import surface_rule

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

Nodes = tuple[np.ndarray, np.ndarray | None, np.ndarray]
"""Points (n, d) of the domain, their normals on a boundary, and weights (n,)."""
INSIDE = {1: (80, 120, 300), 2: (1_600, 3_600, 10_000), 3: (8_000, 17_576, 64_000)}
OTHERWISE = (20_000, 40_000, 100_000)
"""Nodes inside a domain by its dimension: the difference of two rules is the error of the coarser one."""
NODES_AROUND = (10, 16, 26)
"""Nodes along a panel of the boundary."""
LEVELS = 3
FINE = (0.75, 1.0, 1.4)
"""How fine the rules are around corners and holes."""


@dataclass(frozen=True, eq=False)
class Place:
    """Where something is integrated: `rule(level)` returns nodes, finer ones for each of the `LEVELS`."""

    rule: Callable[[int], Nodes]
    measure: float


def place_of(solution: Solution, part: str | None, fixed: Mapping[str, float]) -> Place:
    """The whole domain or a part of its boundary, at fixed values of some coordinates."""
    domain = solution.problem.domain
    names = [c.name for c in solution.problem.coordinates]
    axes = {names.index(name): float(value) for name, value in fixed.items()}
    foci = getattr(solution.basis, "foci", []) if not axes else []
    shapes: list[Domain] = [domain]
    if isinstance(domain, Pieces):
        piece = None if part is None else domain.inside_named(part)
        if piece is not None:
            part, shapes = None, [domain.shapes[piece][1]]
        elif part is None:
            shapes = [shape for _, shape in domain.shapes]
    found = [_of_shape(shape, part, axes, foci) for shape in shapes]
    there = [place for place in found if isinstance(place, Place)]
    if not there or UNKNOWN in found:
        where = ", ".join(f"{n} = {v:g}" for n, v in fixed.items())
        why = (
            "has no rule to integrate with: integrate over all coordinates, or one."
            if UNKNOWN in found
            else "is empty."
        )
        raise ProblemError(f"What is left of {domain} at {where} {why}")
    return there[0] if len(there) == 1 else _together(there)


def refuse_no_place(domain: Domain, name: str) -> None:
    """Raise if a name is not that of a part of the boundary, an interface or a piece, or is ambiguous."""
    if not isinstance(domain, Pieces) or name not in domain.piece_names:
        domain.resolve(name)
    elif domain.inside_named(name) is None:
        others = [n for n in (*domain.resolve(name), *domain.aliases) if n != name and n not in domain.piece_names]
        raise ProblemError(
            f"'{name}' is a piece and a part of the boundary. Give the piece another name"
            + (f"; the part of the boundary is '{others[0]}' as well." if others else ".")
        )


def _of_shape(domain: Domain, part: str | None, axes: Mapping[int, float], foci: Any) -> Place | str:
    """The place in one shape, or the reason why there is none."""
    if part is None and isinstance(domain, Exterior):
        domain.quadrature(1)  # which says why there is none
    rest = sliced(domain, axes)
    free = tuple(k for k in range(domain.dimension) if k not in axes)
    if isinstance(rest, Domain):
        return _of_domain(rest, part, free, axes, foci, domain.dimension)
    if rest != EMPTY and len(free) == 1 and part is None:
        return _of_line(domain, free, axes)
    return rest


def _together(places: Sequence[Place]) -> Place:
    def rule(level: int) -> Nodes:
        points, _, weights = zip(*(place.rule(level) for place in places), strict=True)
        return np.concatenate(points), None, np.concatenate(weights)

    return Place(rule, sum(place.measure for place in places))


def _of_domain(
    rest: Domain, part: str | None, free: tuple[int, ...], axes: Mapping[int, float], foci: Any, dimension: int
) -> Place:
    distance = distance_to(foci) if foci else None
    sizes = INSIDE.get(rest.dimension, OTHERWISE)

    def rule(level: int) -> Nodes:
        if part is None:
            nodes, weights = averaging_rule(rest, sizes[level], foci, FINE[level])
            return embedded(nodes, free, axes), None, weights
        points, normals, weights = surface_rule(rest, part, NODES_AROUND[level], distance)
        whole = np.zeros((len(points), dimension))
        whole[:, list(free)] = normals
        return embedded(points, free, axes), whole, weights

    return Place(rule, rest.volume if part is None else rest.measure(part))


def _of_line(domain: Domain, free: tuple[int, ...], axes: Mapping[int, float]) -> Place | str:
    """The pieces of a line that lie inside a domain."""
    ends = stretches(domain, axes)
    if not ends:
        return EMPTY

    def rule(level: int) -> Nodes:
        x, w = gauss(INSIDE[1][level] // 2)
        points = np.concatenate([a + (b - a) * x for a, b in ends])[:, None]
        weights = np.concatenate([(b - a) * w for a, b in ends])
        return embedded(points, free, axes), None, weights

    return Place(rule, float(sum(b - a for a, b in ends)))


def stretches(domain: Domain, axes: Mapping[int, float]) -> list[tuple[float, float]]:
    """Where a line on which all coordinates but one are fixed runs inside a domain."""
    low, high = domain.bounds
    if any(not low[k] <= v <= high[k] for k, v in axes.items()):
        return []
    try:
        cut = section(domain, axes, ALONG)
    except ProblemError:  # it misses the domain
        return []
    corners = cut.cells.corners
    breaks = np.flatnonzero(corners[1:, 0] != corners[:-1, 1]) + 1
    return [tuple(cut.cells.points[[run[0, 0], run[-1, 1]], 0]) for run in np.split(corners, breaks)]
