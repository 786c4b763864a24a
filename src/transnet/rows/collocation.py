"""Where the statements are imposed: collocation points for every equation and every condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import sympy as sp

from transnet.basis.foci import Focus, denser, rings
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.geometry import Domain, Surface
from transnet.problem import At, Data, Mean, On, Periodic, Problem
from transnet.remember import Remembered
from transnet.rows.averages import averaging_rule
from transnet.rows.blocks import Block
from transnet.rows.elsewhere import MOST
from transnet.rows.nodes import Away, Nodes
from transnet.rows.spacing import BOUNDARY_DENSITY, Spacing
from transnet.rows.statements import Statement
from transnet.rows.unseen import unseen

Sampling = Literal["quasi", "random", "grid"]
Count = int | tuple[int, ...]

ROWS_PER_COLUMN = 2.0
"""Interior rows for each column of the matrix, by default.

Measured on six of the paper's cases with waves and tanh ridges of 300 and 700 neurons: the error with 2 rows a column
is 1.14 times that with 4 (the geometric mean; 1.7 at the worst), with 1.5 rows 1.5 times (5.7), with 1.2 rows 2.4
times (18).
"""
SKIN = 0.3
"""The largest part of the interior points that lies close to the boundary."""
DEPTH = 0.1
"""How close, in units of the distance between points."""

FEW = 40
"""Points along each coordinate of an equation that depends on some of them only, such as a mean at each time."""
KEPT = 20_000
"""Points that are kept for the next problem on the same domain, where there are no more of them."""
NODES = 20_000
"""The most nodes of a mean value."""


@explained
@dataclass(frozen=True)
class Points:
    """How many collocation points, and of what kind. What is left out is chosen from the number of neurons.

    Parameters
    ----------
    interior : int or tuple, optional
        The number of points, or the shape of a regular grid over the bounding box of which the points inside count.
    boundary : int or mapping, optional
        The number of points on the whole boundary, or for parts by name a number or the shape of a grid.
    sampling : {"quasi", "random", "grid"}
        Low-discrepancy (the default), random, or regular.
    """

    interior: Count | None = None
    boundary: int | Mapping[str, Count] | None = None
    sampling: Sampling = "quasi"

    def __post_init__(self) -> None:
        if self.sampling not in ("quasi", "random", "grid"):
            raise ProblemError(f"There is no sampling '{self.sampling}'. Choose 'quasi', 'random' or 'grid'.")
        counts = list(self.boundary.values()) if isinstance(self.boundary, Mapping) else [self.boundary]
        for count in [self.interior, *counts]:
            for n in count if isinstance(count, tuple) else (count,):
                if n is not None and (not isinstance(n, int | np.integer) or n < 1):
                    raise ProblemError(f"A number of points must be a positive integer, not {n!r}.")


def collocate(
    problem: Problem,
    statements: Sequence[Statement],
    columns: int,
    points: Points | None = None,
    seed: int | np.random.Generator = 0,
    foci: Sequence[Focus] = (),
    crude: bool = False,
) -> list[Block]:
    """Choose the points of every statement.

    Parameters
    ----------
    columns : int
        The number of unknown coefficients, from which the numbers of points follow where `points` leaves them open.
    foci : sequence of Focus
        Where features are singular: towards these points those on the boundary become denser, unless their number is
        given.
    crude : bool
        Whether mean values need not be more accurate than to a few digits.
    """
    wanted = points or Points()
    if isinstance(wanted.boundary, Mapping):
        for part in wanted.boundary:
            problem.domain.resolve(part)
    equations = max(sum(s.kind == "equation" for s in statements), 1)
    size = int(np.ceil(ROWS_PER_COLUMN * columns / equations)) + 20
    inside, spacing, drawn = _drawn(problem, statements, size, wanted, seed)
    if foci and wanted.interior is None:
        inside = np.concatenate([inside, rings(problem.domain, foci, spacing.h * float(spacing.scale.min()))])
    if wanted.interior is None:
        inside = np.concatenate([inside, unseen(problem, statements, inside)])
    samples: dict[int, Surface] = {}
    faces = iter(drawn)
    blocks = []
    for statement in statements:
        match statement.source:
            case None:
                blocks.append(Block(statement, Nodes(_few(problem, statement, inside))))
            case On() as source:
                # Several equations of one condition share its points.
                if id(source) not in samples:
                    samples[id(source)] = _with_denser(problem, source, wanted, spacing, next(faces), foci)
                surface = samples[id(source)]
                blocks.append(Block(statement, Nodes(surface.points), surface.normals))
            case At(points=at):
                blocks.append(Block(statement, Nodes(at)))
            case Data(points=at, values=values):
                blocks.append(Block(statement, Nodes(at), values=values))
            case Mean():
                size = _quadrature_size(columns, problem.domain, crude)
                nodes, weights = averaging_rule(problem.domain, size, () if crude else foci)
                blocks.append(Block(statement, Nodes(nodes, fold=(weights / weights.sum())[None, :])))
            case Periodic():
                here, there = next(faces)
                blocks.append(Block(statement, Nodes(here, (Away(there, np.full((len(there), 1), -1.0)),))))
    return [_with_places(problem, b, columns) for b in blocks]


Drawn = tuple[np.ndarray, Spacing, list[Any]]
_known: Remembered[Domain, Drawn] = Remembered()


def _drawn(
    problem: Problem, statements: Sequence[Statement], size: int, wanted: Points, seed: int | np.random.Generator
) -> Drawn:
    """Points inside, how far they are apart, and those of each condition; drawn once for a domain and a number.

    Those of `tn.on` in the order of the conditions, of which each has its points once, those of `tn.periodic` for each
    statement.
    """
    sources: list[On | Periodic] = []
    for statement in statements:
        source = statement.source
        if isinstance(source, Periodic) or (isinstance(source, On) and all(source is not s for s in sources)):
            sources.append(source)

    def draw() -> Drawn:
        rng = np.random.default_rng(seed)
        inside = _interior(problem.domain, wanted, size, rng)
        spacing = Spacing.of(problem.domain, len(inside))
        found: list[Any] = []
        for source in sources:
            if isinstance(source, On):
                found.append(_surface(problem, source, wanted, spacing, rng))
            else:
                found.append(_faces(problem, source.coordinate, wanted, spacing, rng))
        return inside, spacing, found

    if wanted != Points() or not isinstance(seed, int) or size > KEPT:
        return draw()
    key = (size, seed, *((s.part, s.where) if isinstance(s, On) else (s.coordinate,) for s in sources))
    return _known.get(problem.domain, key, draw)


def _few(problem: Problem, statement: Statement, inside: np.ndarray) -> np.ndarray:
    """The interior points, or some of them for an equation that does not depend on all coordinates."""
    equation = statement.equation
    if not equation.places or any(p is None for p in equation.places):
        return inside
    varies = set().union(*(p.varies(problem.coordinates) for p in equation.places))
    varies |= equation.expression.free_symbols & set(problem.coordinates)
    return inside if len(varies) == len(problem.coordinates) else inside[: FEW ** len(varies)]


def _with_places(problem: Problem, block: Block, columns: int) -> Block:
    """The block with the places of slots that are evaluated elsewhere."""
    places = block.statement.equation.places
    if not places:
        return block
    d, size = problem.domain.dimension, columns / len(problem.unknowns)
    count = int(min(24 + (0.5 * size if d == 1 else 2.0 * size ** (1 / d)), MOST))
    remote = [p and p.away(problem.coordinates, block.points, count) for p in places]
    for place, away in zip(places, remote, strict=True):
        if place is None or block.statement.equation.expression.has(sp.Piecewise, sp.Heaviside):
            continue
        outside = ~problem.domain.nearly_contains(away.points)
        if outside.any():
            where = ", ".join(f"{c:g}" for c in away.points[outside][0])
            raise ProblemError(
                f"The equation '{block.statement.equation.text}' evaluates an unknown at ({where}), outside of the "
                f"domain {problem.domain}. Where it is known there, write sympy.Piecewise((known, t < 1), (u(t - 1), "
                f"True))."
            )
    return replace(block, nodes=replace(block.nodes, remote=tuple(remote)))


def _interior(domain: Domain, wanted: Points, automatic: int, rng: np.random.Generator) -> np.ndarray:
    if isinstance(wanted.interior, tuple):
        if len(wanted.interior) != domain.dimension:
            raise ProblemError(
                f"The grid {wanted.interior} has {len(wanted.interior)} axes, but the domain has {domain.dimension}."
            )
        return domain.grid(wanted.interior)
    n = wanted.interior or automatic
    if wanted.sampling != "quasi" or domain.dimension == 1:
        return domain.interior(n, wanted.sampling, rng)
    skin = _skin(domain, n, rng)
    return np.concatenate([domain.interior(n - len(skin), "quasi", rng), skin])


def _skin(domain: Domain, n: int, rng: np.random.Generator) -> np.ndarray:
    """Interior points close to the boundary, as far apart as the others are.

    Without them the outermost points are half a spacing away from the boundary, and beyond them, where the features
    are extrapolated, the equation would be badly violated.
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
    problem: Problem, source: On, wanted: Points, spacing: Spacing, plain: Surface, foci: Sequence[Focus]
) -> Surface:
    """The points of a condition and those that singular features need besides."""
    if not foci or wanted.boundary is not None:
        return plain
    more = denser(problem.domain, source.part, foci, spacing.step(problem.domain, source.part))
    if source.where is not None:
        chosen = where_mask(source.where, problem.coordinates, more.points)
        more = Surface(more.points[chosen], more.normals[chosen])
    return Surface(*(np.concatenate(p) for p in ((plain.points, more.points), (plain.normals, more.normals))))


def _surface(problem: Problem, source: On, wanted: Points, spacing: Spacing, rng: np.random.Generator) -> Surface:
    domain = problem.domain
    count = _part_count(domain, source.part, wanted, spacing)
    kind = "grid" if isinstance(count, tuple) else wanted.sampling
    n = int(np.prod(count)) if isinstance(count, tuple) else count
    surface = spacing.draw(domain, source.part, n, kind, rng)
    if source.where is None:
        return surface
    chosen = where_mask(source.where, problem.coordinates, surface.points)
    if chosen.any() and domain.dimension > 1:
        # The condition leaves few points: draw more in proportion, so that the chosen subset is as densely covered.
        surface = spacing.draw(domain, source.part, int(np.ceil(n / max(chosen.mean(), 0.02))), kind, rng)
        chosen = where_mask(source.where, problem.coordinates, surface.points)
    if not chosen.any():
        raise ProblemError(
            f"No point of '{source.part}' satisfies {source.where}. Check the inequality against the domain {domain}."
        )
    return Surface(surface.points[chosen], surface.normals[chosen])


def where_mask(where: Any, coordinates: Sequence[sp.Symbol], points: np.ndarray) -> np.ndarray:
    """Which points satisfy a SymPy condition on the coordinates."""
    function = sp.lambdify(list(coordinates), where, "numpy")
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
    return int(min(max(4 * columns, 30**domain.dimension), NODES))
