"""The points of equations and conditions: how many, and where; drawn once for problems on the same domain."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import sympy as sp

from transnet.arrays import check_room
from transnet.basis.foci import Focus, denser
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import compiled_formula
from transnet.geometry import Domain, Surface
from transnet.measure.sampling import BYTES
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.averages import averaging_rule
from transnet.rows.spacing import BOUNDARY_DENSITY, Spacing

Sampling = Literal["quasi", "random", "grid"]
Count = int | tuple[int, ...]

SKIN = 0.3
"""The largest part of the interior points that lies close to the boundary. They are for large networks with narrow
features: the error of 500 neurons is up to 15 times larger at the boundary without them (a bump in a square, with
values and with fluxes), and up to 1.8 times larger inside (Helmholtz). Small networks pay for them: without them 80
neurons have 0.45 times the error, 240 have 0.6 times, 500 the same (benchmarks/constants.py rows, mean of seven)."""
DEPTH = 0.1
"""How close, in units of the distance between points. A third as close: 1.05, 1.14 and 0.99 times the error of 80, 240
and 500 neurons; three times as far: 0.62, 0.77 and 0.87 times (benchmarks/constants.py rows). But at the boundary of a
bump with fluxes 240 neurons have 2.5 times the error then, and large networks at a reentrant corner lose two digits."""
KEPT = 20_000
"""The most points that are kept for the next problem on the same domain."""
PER_COLUMN, PER_AXIS, NODES = 4, 30, 20_000
"""Nodes of a mean value: this many per column and along each axis, up to this limit. Gauss rules of 30 nodes are exact
for the waves of the first networks."""
FEW = 64
"""Points inside a domain that show what kind of operator or coefficient there is."""
RAREST = 0.02
"""The smallest part of a boundary that a condition on the coordinates may leave before its points become fewer."""


@explained
@dataclass(frozen=True)
class Points:
    """How many collocation points, and of what kind. What is left out follows from the number of neurons.

    Parameters
    ----------
    interior : int or tuple, optional
        The number of points, or the shape of a regular grid over the bounding box, of which the points inside are used.
    boundary : int or mapping, optional
        The number of points on the whole boundary, or for parts by name a number or the shape of a grid.
    sampling : {"quasi", "random", "grid"}
        Low-discrepancy (the default), random, or regular.
    """

    interior: Count | None = None
    boundary: int | Mapping[str, Count] | None = None
    sampling: Sampling = "quasi"

    def __post_init__(self) -> None:
        if not isinstance(self.sampling, str) or self.sampling not in ("quasi", "random", "grid"):
            raise ProblemError(f"There is no sampling {shown(self.sampling)}. Choose 'quasi', 'random' or 'grid'.")
        counts = list(self.boundary.values()) if isinstance(self.boundary, Mapping) else [self.boundary]
        for count in [self.interior, *counts]:
            for n in count if isinstance(count, tuple) else (count,):
                if n is not None and (not isinstance(n, int | np.integer) or not 1 <= n <= sys.maxsize):
                    raise ProblemError(f"A number of points must be a positive integer, not {shown(n)}.")
            shape = count if isinstance(count, tuple) else (count or 1,)
            check_room(math.prod(map(float, shape)), BYTES, f"The request for {' by '.join(map(str, shape))} points")


_known: Remembered[Domain, tuple[Any, Any]] = Remembered()


class Drawing:
    """Chooses points; repeated requests in the same order on the same domain are drawn once."""

    def __init__(
        self,
        problem: Problem,
        wanted: Points,
        seed: int | np.random.Generator,
        columns: int,
        foci: Sequence[Focus],
        crude: bool,
    ) -> None:
        self.problem, self.wanted, self.columns, self.foci, self.crude = problem, wanted, columns, foci, crude
        self.rng = np.random.default_rng(seed)
        self.asked: tuple[Any, ...] = (seed,)
        self.kept = wanted == Points() and isinstance(seed, int)

    def _once(self, request: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """The points drawn for a request, with the state of the generator afterwards."""
        if not self.kept:
            return make()
        self.asked += request
        value, self.rng.bit_generator.state = _known.get(
            self.problem.domain, self.asked, lambda: (make(), self.rng.bit_generator.state)
        )
        return value

    def inside(self, count: int) -> np.ndarray:
        self.kept &= count <= KEPT
        domain = self.problem.domain

        def made() -> tuple[np.ndarray, Spacing]:
            found = _interior(domain, self.wanted, count, self.rng)
            return found, Spacing.of(domain, len(found))

        points, self.spacing = self._once((count,), made)
        return points

    def surface(self, part: str, where: Any = None) -> Surface:
        place = (self.problem, part, where, self.wanted, self.spacing)
        plain = self._once((part, where), lambda: _surface(*place, self.rng))
        return _with_denser(*place, plain, self.foci)

    def faces(self, coordinate: sp.Symbol) -> tuple[np.ndarray, np.ndarray]:
        return self._once((coordinate,), lambda: _faces(self.problem, coordinate, self.wanted, self.spacing, self.rng))

    def average(self) -> tuple[np.ndarray, np.ndarray]:
        size = _quadrature_size(self.columns, self.problem.domain, self.crude)
        nodes, weights = averaging_rule(self.problem.domain, size, () if self.crude else self.foci)
        return nodes, weights / weights.sum()


def _interior(domain: Domain, wanted: Points, automatic: int, rng: np.random.Generator) -> np.ndarray:
    if isinstance(wanted.interior, tuple):
        if len(wanted.interior) != domain.dimension:
            raise ProblemError(
                f"The grid {wanted.interior} has {len(wanted.interior)} axes, but the domain has {domain.dimension}."
            )
        return domain.grid(wanted.interior)
    n = wanted.interior or automatic
    if wanted.sampling != "quasi" or domain.dimension == 1 or not domain.parts:
        return domain.interior(n, wanted.sampling, rng)
    skin = _skin(domain, n, rng)
    return np.concatenate([domain.interior(n - len(skin), "quasi", rng), skin])


def _skin(domain: Domain, n: int, rng: np.random.Generator) -> np.ndarray:
    """Interior points close to the boundary, as far apart as the others are.

    Without them the outermost points are half a spacing away from the boundary, and beyond them, where the features
    extrapolate, the equation would be badly violated.
    """
    spacing = Spacing.of(domain, n)
    count = max(min(int(spacing.count(domain, "boundary") / BOUNDARY_DENSITY), int(SKIN * n)), 1)
    surface = spacing.draw(domain, "boundary", count, "quasi", rng)
    inward = surface.normals * spacing.scale
    inward *= -DEPTH * spacing.h / np.linalg.norm(inward, axis=1, keepdims=True)
    points = surface.points + spacing.scale * inward
    return points[domain.contains(points)]


def _part_count(domain: Domain, part: str, wanted: Points, spacing: Spacing) -> Count:
    if isinstance(wanted.boundary, Mapping):
        if part in wanted.boundary:
            return wanted.boundary[part]
        known = [wanted.boundary[p] for p in domain.resolve(part) if p in wanted.boundary]
        if known and all(isinstance(k, int) for k in known):
            return int(sum(k for k in known if isinstance(k, int)))
    elif wanted.boundary is not None:
        share = sum(spacing.areas(domain, part)) / sum(spacing.areas(domain, "boundary"))
        return max(round(wanted.boundary * share), len(domain.resolve(part)))
    return spacing.count(domain, part)


def _with_denser(
    problem: Problem,
    part: str,
    where: Any,
    wanted: Points,
    spacing: Spacing,
    plain: Surface,
    foci: Sequence[Focus],
) -> Surface:
    """The points of a condition and the additional ones that singular features need."""
    if not foci or wanted.boundary is not None:
        return plain
    more = denser(problem.domain, part, foci, spacing.step(problem.domain, part))
    more = portion(more, where, problem.coordinates)
    return Surface(*(np.concatenate(p) for p in ((plain.points, more.points), (plain.normals, more.normals))))


def _surface(
    problem: Problem, part: str, where: Any, wanted: Points, spacing: Spacing, rng: np.random.Generator
) -> Surface:
    domain = problem.domain
    count = _part_count(domain, part, wanted, spacing)
    kind = "grid" if isinstance(count, tuple) else wanted.sampling
    n = int(np.prod(count)) if isinstance(count, tuple) else count
    surface = spacing.draw(domain, part, n, kind, rng)
    if where is None:
        return surface
    chosen = where_mask(where, problem.coordinates, surface.points)
    if chosen.any() and domain.dimension > 1:
        # The condition leaves few points: draw proportionally more, so that the chosen subset is covered as densely.
        surface = spacing.draw(domain, part, int(np.ceil(n / max(chosen.mean(), RAREST))), kind, rng)
    surface = portion(surface, where, problem.coordinates)
    if not len(surface.points):
        raise ProblemError(f"No point of '{part}' satisfies {where}. Check the inequality against the domain {domain}.")
    return surface


def portion(surface: Surface, where: Any, coordinates: Sequence[sp.Symbol]) -> Surface:
    """The samples of a part of the boundary that satisfy a condition on the coordinates."""
    if where is None:
        return surface
    chosen = where_mask(where, coordinates, surface.points)
    return Surface(surface.points[chosen], surface.normals[chosen])


def where_mask(where: Any, coordinates: Sequence[sp.Symbol], points: np.ndarray) -> np.ndarray:
    """Which points satisfy a SymPy condition on the coordinates; all of them, if there is none."""
    if where is None:
        return np.ones(len(points), dtype=bool)
    function = compiled_formula(coordinates, where)
    return np.broadcast_to(np.asarray(function(*points.T), dtype=bool), (len(points),))


def _faces(
    problem: Problem, coordinate: sp.Symbol, wanted: Points, spacing: Spacing, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Points of the face where the coordinate is smallest, and their images on the opposite face."""
    domain = problem.domain
    axis = problem.coordinates.index(coordinate)
    for part in domain.ends(axis)[0]:
        count = _part_count(domain, part, wanted, spacing)
        n = int(np.prod(count)) if isinstance(count, tuple) else count
        here = domain.boundary(part, n, wanted.sampling, rng).points
        there = here.copy()
        there[:, axis] = domain.bounds[1, axis]
        if domain.contains(there).all():
            return here, there
    raise ProblemError(
        f"The two faces of the domain {domain} across {coordinate} are not alike, so it cannot be periodic in it. "
        f"Periodic domains are an Interval or a Box, or a product with one."
    )


def _quadrature_size(columns: int, domain: Domain, crude: bool) -> int:
    # Features that are singular in holes and at corners need many nodes to be integrated to ten digits.
    if domain.dimension == 2 and any(domain.corners_and_holes) and not crude:
        return NODES
    return int(min(max(PER_COLUMN * columns, PER_AXIS**domain.dimension), NODES))


_few: Remembered[Domain, np.ndarray] = Remembered()


def inside_of(domain: Domain) -> np.ndarray:
    """A few points inside, drawn once for a domain."""
    return _few.get(domain, None, lambda: domain.interior(FEW, "quasi", 1))
