"""What remains of a domain when some of its coordinates are fixed: a slice of a body, a snapshot, a line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from transnet.errors import ProblemError
from transnet.geometry import Ball, Box, Combination, Domain, Interval, Pieces, Product
from transnet.geometry.csg import combine
from transnet.measure.narrowing import halved
from transnet.sections.simplices import FEWEST_AROUND, Simplices, cells_of, outline
from transnet.tolerances import BESIDE, HALVINGS, ROUNDED

Inside = Callable[[np.ndarray], np.ndarray]
LINE, FEWEST, ROOM = 8, 12, 1e-3
"""Steps of a line for each step of a plane section; the fewest along an axis; how far a grid extends beyond the
domain."""
DECIMALS = 11
"""Crossings that agree to this many decimals, in units of the section, are one."""


@dataclass(frozen=True, eq=False)
class Section:
    """A cut of a domain: cells in the free coordinates, its edge as polylines, and the map back to the domain.

    `within` are the points whose values the points of the cells have, if those are others: a little inside each
    material, or where the points of a deformed body were.
    """

    cells: Simplices
    lines: list[np.ndarray]
    axes: tuple[int, ...]
    fixed: Mapping[int, float]
    within: np.ndarray | None = None

    @property
    def points(self) -> np.ndarray:
        """Where the values of the points of the cells are taken, with all coordinates, (n, d)."""
        return self.at({})

    def at(self, moved: Mapping[int, float]) -> np.ndarray:
        """The same with other values of fixed coordinates."""
        return embedded(self.cells.points if self.within is None else self.within, self.axes, {**self.fixed, **moved})


def embedded(points: np.ndarray, axes: tuple[int, ...], fixed: Mapping[int, float]) -> np.ndarray:
    """Points of a section in all coordinates of the domain."""
    whole = np.empty((len(points), len(axes) + len(fixed)))
    whole[:, list(axes)] = points
    for axis, value in fixed.items():
        whole[:, axis] = value
    return whole


def section(domain: Domain, fixed: Mapping[int, float], resolution: int) -> Section:
    """Cut a domain at fixed values of some coordinates, by number.

    Products, boxes, balls and their combinations are cut exactly; for other shapes the edge is found by bisection.
    """
    axes = tuple(k for k in range(domain.dimension) if k not in fixed)
    low, high = np.asarray(domain.bounds)
    for axis, value in fixed.items():
        if not low[axis] - ROUNDED <= value <= high[axis] + ROUNDED:
            raise ProblemError(
                f"The coordinate {domain.names[axis] or axis + 1} = {value:g} is outside the domain, where it runs "
                f"from {low[axis]:g} to {high[axis]:g}."
            )
    rest = sliced(domain, fixed)
    if isinstance(rest, Pieces) and rest.dimension > 1:
        return _by_material(rest, axes, fixed, resolution)
    if isinstance(rest, Domain):
        cells = cells_of(rest, resolution)
        size = np.ptp(np.asarray(rest.bounds), axis=0)
        lines = outline(rest, max(size.min(), size.max() / FEWEST_AROUND) / resolution) if rest.dimension == 2 else []
        return Section(cells, lines, axes, fixed)

    def inside(points: np.ndarray) -> np.ndarray:
        return domain.contains(embedded(points, axes, fixed))

    bounds = np.array([low[list(axes)], high[list(axes)]])
    if rest == EMPTY or len(axes) > 2:
        return _missed(domain, fixed)
    cells, lines = _marched_line(inside, bounds, resolution) if len(axes) == 1 else _marched(inside, bounds, resolution)
    return Section(cells, lines, axes, fixed) if len(cells.corners) else _missed(domain, fixed)


def _by_material(domain: Pieces, axes: tuple[int, ...], fixed: Mapping[int, float], resolution: int) -> Section:
    """Cells that end at the interfaces, with values from their own side of it."""
    whole = float(np.ptp(domain.bounds, axis=0).max())
    points, corners, within, lines, count = [], [], [], [], 0
    for _, shape in domain.shapes:
        share = float(np.ptp(shape.bounds, axis=0).max()) / whole
        cut = section(shape, {}, max(FEWEST, round(resolution * share)))
        middle = np.zeros_like(cut.cells.points)  # of some cell that has the point
        for k in range(cut.cells.corners.shape[1]):
            middle[cut.cells.corners[:, k]] = cut.cells.points[cut.cells.corners].mean(axis=1)
        points.append(cut.cells.points)
        within.append(cut.cells.points + BESIDE * (middle - cut.cells.points))
        corners.append(cut.cells.corners + count)
        lines += cut.lines
        count += len(cut.cells.points)
    cells = Simplices(np.concatenate(points), np.concatenate(corners))
    return Section(cells, lines, axes, fixed, np.concatenate(within))


def _missed(domain: Domain, fixed: Mapping[int, float]) -> Section:
    where = ", ".join(f"{domain.names[k] or f'coordinate {k + 1}'} = {v:g}" for k, v in fixed.items())
    raise ProblemError(f"The domain {domain} has no points with {where}. Choose another slice.")


POINT, EMPTY, UNKNOWN = "a point", "empty", "unknown"


def sliced(domain: Domain, fixed: Mapping[int, float]) -> Domain | str:
    """The slice as a domain of its own if that is known, otherwise the reason."""
    if not fixed:
        return domain
    if isinstance(domain, Product):
        k = domain.first.dimension
        first = sliced(domain.first, {a: v for a, v in fixed.items() if a < k})
        second = sliced(domain.second, {a - k: v for a, v in fixed.items() if a >= k})
        if EMPTY in (first, second) or UNKNOWN in (first, second):
            return EMPTY if EMPTY in (first, second) else UNKNOWN
        if isinstance(first, Domain) and isinstance(second, Domain):
            return Product(first, second)
        return second if first == POINT else first
    if isinstance(domain, Interval | Box):
        sides = [(domain.name, domain.low, domain.high)] if isinstance(domain, Interval) else domain.sides
        if any(not sides[a][1] - ROUNDED <= v <= sides[a][2] + ROUNDED for a, v in fixed.items()):
            return EMPTY
        free = {name: (low, high) for a, (name, low, high) in enumerate(sides) if a not in fixed}
        name = domain.name if isinstance(domain, Box) else None
        return Box(name=name, **free) if len(free) > 1 else Interval(**free) if free else POINT
    if isinstance(domain, Ball) and domain.dimension - len(fixed) > 1:
        square = domain.radius**2 - sum((v - domain.center[a]) ** 2 for a, v in fixed.items())
        left_over = [c for a, c in enumerate(domain.center) if a not in fixed]
        return Ball(left_over, float(np.sqrt(square)), domain.name) if square > ROUNDED * domain.radius**2 else EMPTY
    if isinstance(domain, Pieces):
        left = {name: sliced(shape, fixed) for name, shape in domain.shapes}
        there = {name: shape for name, shape in left.items() if isinstance(shape, Domain)}
        if not there or UNKNOWN in left.values():
            return EMPTY if all(shape == EMPTY for shape in left.values()) else UNKNOWN
        return Pieces(there)
    if isinstance(domain, Combination):
        return _combined(domain, sliced(domain.first, fixed), sliced(domain.second, fixed))
    return UNKNOWN


def _combined(domain: Combination, first: Domain | str, second: Domain | str) -> Domain | str:
    if first == EMPTY:
        return second if domain.op == "|" else EMPTY
    if second == EMPTY:
        return first if domain.op in "-|" else EMPTY
    if not isinstance(first, Domain) or not isinstance(second, Domain):
        return UNKNOWN
    try:
        return combine(domain.op, first, second)
    except ValueError:
        return UNKNOWN


# -- by bisection ------------------------------------------------------------------------------------------------------
def _crossing(inside: Inside, within: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Where the segments from points within to points without leave the domain."""
    return halved(inside, within, without, HALVINGS)[0]


def _marched_line(inside: Inside, bounds: np.ndarray, resolution: int) -> tuple[Simplices, list[np.ndarray]]:
    x = np.linspace(bounds[0], bounds[1], LINE * resolution + 1)
    flags = inside(x)
    pieces, corners, start = [], [], 0
    change = np.flatnonzero(flags[1:] != flags[:-1])
    for run in np.split(np.arange(len(x)), change + 1):
        if not flags[run[0]] or len(run) < 2:
            continue
        ends = [x[run[0] - 1 : run[0]], x[run[-1] + 1 : run[-1] + 2]]
        first = _crossing(inside, x[run[:1]], ends[0]) if len(ends[0]) else x[:0]
        last = _crossing(inside, x[run[-1:]], ends[1]) if len(ends[1]) else x[:0]
        piece = np.concatenate([first, x[run], last])
        pieces.append(piece)
        corners.append(start + np.stack([np.arange(len(piece) - 1), np.arange(1, len(piece))], axis=-1))
        start += len(piece)
    if not pieces:
        return Simplices(np.zeros((0, 1)), np.zeros((0, 2), int)), []
    return Simplices(np.concatenate(pieces), np.concatenate(corners)), []


def _marched(inside: Inside, bounds: np.ndarray, resolution: int) -> tuple[Simplices, list[np.ndarray]]:
    """Triangles of a grid, cut where they cross the edge of the domain."""
    size = bounds[1] - bounds[0]
    counts = np.maximum((1.5 * resolution * size / size.max()).astype(int), FEWEST)
    axes = [np.linspace(a - ROOM * s, b + ROOM * s, n) for a, b, s, n in zip(*bounds, size, counts, strict=True)]
    points = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=-1)
    i, j = (g.ravel() for g in np.meshgrid(np.arange(counts[0] - 1), np.arange(counts[1] - 1), indexing="ij"))
    corner = [(i + di) * counts[1] + j + dj for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
    triangles = np.concatenate([np.stack([corner[k] for k in t], axis=-1) for t in ((0, 1, 2), (0, 2, 3))])
    flags = inside(points)
    count = flags[triangles].sum(axis=1)
    whole, segments = [points[triangles[count == 3]]], []
    for n in (1, 2):
        # Turn each triangle so that its odd corner, the only one inside or outside, comes first.
        some = triangles[count == n]
        if not len(some):
            continue
        odd = np.argmax(flags[some] == (n == 1), axis=1)
        p, q, r = (points[some[np.arange(len(some)), (odd + k) % 3]] for k in range(3))
        pq = _crossing(inside, *((p, q) if n == 1 else (q, p)))
        pr = _crossing(inside, *((p, r) if n == 1 else (r, p)))
        segments.append(np.stack([pq, pr], axis=1))
        whole += [np.stack([p, pq, pr], axis=1)] if n == 1 else [np.stack(t, axis=1) for t in ((pq, q, r), (pq, r, pr))]
    corners = np.concatenate(whole).reshape(-1, 2)
    # Neighbours find the same crossing up to rounding: it becomes one point, at the place found by one of them.
    _, first, number = np.unique(np.round(corners / size, DECIMALS), axis=0, return_index=True, return_inverse=True)
    cells = Simplices(corners[first], number.reshape(-1, 3))
    lines = list(np.concatenate(segments)) if segments else []
    return Simplices(cells.points, cells.corners[cells.measures > 1e-14 * size.prod()]), lines
