"""The singular functions of cells: powers of the distance to a nearby vertex, and poles in nearby holes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cuts.cavities import cavities
from transnet.cuts.cells import Cell, Cells
from transnet.features.edge_functions import EdgeFunction, EdgeFunctions
from transnet.features.exponents import exponents_of
from transnet.features.hole_functions import hole_functions
from transnet.features.mellin import WHOLE
from transnet.features.multipoles import Multipole, Multipoles
from transnet.features.placement import Placement
from transnet.features.singular import Chart, Function, Singular
from transnet.geometry import Ball
from transnet.geometry.corners import Hole
from transnet.geometry.partition import shapes_of
from transnet.pieces.edges import SpaceEdge, ends_of, space_edges_of
from transnet.pieces.laws import Laws
from transnet.pieces.vertices import Vertex, plain_stiffness, vertices_of
from transnet.tolerances import SAME

DEGREE = 7.0
"""The highest exponent: higher powers are smooth enough for waves."""
BARS = 4.0
"""The highest sum of both exponents of functions with conj(z), which represent terms of lower order."""
REACH = 1.0
"""Cells within this distance of a vertex, in units of their boxes, have its functions."""
WIDEST = 0.999 * np.pi
"""The widest angle on either side of the middle of a cell: the branch is cut behind it."""


POLES = 10
"""The highest order of poles in a hole: a diameter away from its rim they alone give six digits."""
AROUND = 0.5
"""Cells within this distance of the rim of a hole, in units of their boxes, have its poles."""
BESIDE = 5
"""The highest order of poles in holes that a cell does not touch."""
DEGREE_IN_SPACE, BESIDE_IN_SPACE = 8, 4
"""The highest degree of multipoles in balls that a cell touches, and in others close to it."""
HELD = 54
"""The most functions with poles in a cell: they satisfy the equation, so only rows on rims and faces determine them."""
DEGREE_OF_EDGES = 5.0
"""The highest sum of the exponent across an edge and the power along it."""
WEAK, OF_WEAK = (1.2, 3.2), 4.0
"""The lowest and the highest exponents of edges with bounded derivatives, and the highest sum of exponent and power."""
OF_LOADS = ((2.0, 1, 0), (3.0, 1, 0))
"""The functions at an edge of a load only: z^2 log z and z^3 log z."""
BESIDE_EDGES = 0.6
"""Cells within this distance of an edge, in units of their boxes, have its functions."""
DECIMALS = 7
"""Exponents that agree to this many decimals are one."""
FLAT, AROUND_IT = 0.9, 1e-6
"""A cell whose angle at a vertex is wider than this part of pi is oriented along the middle of that angle; one whose
mean direction is shorter than this surrounds the vertex."""


@dataclass(frozen=True, eq=False)
class CellEnrichment:
    """The singularities of a problem: the powers of its vertices, and the holes of each material."""

    powers: tuple[Powers, ...] = ()
    holes: tuple[tuple[int, Hole], ...] = ()
    balls: tuple[tuple[int, Ball], ...] = ()
    edges: tuple[tuple[SpaceEdge, Powers], ...] = ()

    @cached_property
    def vertices(self) -> np.ndarray | None:
        """The vertices of a plane problem, (m, 2), or the ends of the edges in space, (m, 2, 3)."""
        if self.edges:
            strong = [[edge.low, edge.high] for edge, _ in self.edges if edge.strong]
            return np.array(strong) if strong else None
        return np.array([p.vertex.point for p in self.powers]) if self.powers else None

    @cached_property
    def ends(self) -> np.ndarray:
        """The points in space at which strong edges end, (m, 3)."""
        return ends_of([edge for edge, _ in self.edges if edge.strong])


NOTHING = CellEnrichment()
"""Nothing singular."""


def cell_enrichment(laws: Laws, numbers: Sequence[Any]) -> CellEnrichment:
    """The vertices and holes of a plane problem whose singular functions are known, and balls cut from a material.

    Poles are taken where the equation is Laplace's or Poisson's: then they violate nothing inside.
    """
    holes: list[tuple[int, Hole]] = []
    problem = laws.problem
    balls: list[tuple[int, Ball]] = []
    d = problem.domain.dimension
    if d in (2, 3) and len(problem.unknowns) == 1 and all(len(e) == 1 for e in laws.equations):

        def plain(material: int, place: np.ndarray) -> bool:
            known = plain_stiffness(laws, numbers, material, place)
            return known is not None and known[1]

        for material, (_, shape) in enumerate(shapes_of(problem.domain)):
            if d == 3:
                found = cavities(shape)
                balls += [(material, ball) for ball in found if plain(material, ball.bounds[1])]
            else:
                holes += [(material, hole) for hole in shape.corners_and_holes[1] if plain(material, hole.rim[0])]
    powers = tuple(vertex_exponents(v) for v in vertices_of(laws, numbers))
    edges = tuple((edge, powers_along(edge)) for edge in space_edges_of(laws, numbers))
    return CellEnrichment(powers, tuple(holes), tuple(balls), edges)


@dataclass(frozen=True, eq=False)
class Powers:
    """The functions z^alpha (log z)^p conj(z)^j of a vertex, the same in each of its sectors."""

    vertex: Vertex
    terms: tuple[tuple[float, int, int], ...]


def vertex_exponents(vertex: Vertex, degree: float = DEGREE) -> Powers:
    """The exponents of a vertex, with logarithms if they are whole, and those added by terms of lower order."""
    found: dict[float, float] = {}
    for alpha in exponents_of(vertex.stiffness, vertex.angles, vertex.ends, degree):
        for shift in range(int(degree - alpha) + 1 if vertex.curved else 1):
            found.setdefault(round(alpha + shift, DECIMALS), alpha + shift)
    terms: list[tuple[float, int, int]] = []
    if vertex.ends == ("value", "value"):
        terms.append((0.0, 1, 0))  # the angle, for values that jump from one edge to the other
    for alpha in sorted(found.values()):
        whole = abs(alpha - round(alpha)) < WHOLE
        for j in range(1 + int(max(BARS - alpha, 0.0)) if vertex.curved else 1):
            terms.append((float(round(alpha)) if whole else alpha, int(whole), j))
    return Powers(vertex, tuple(terms))


def powers_along(edge: SpaceEdge) -> Powers:
    """The exponents of an edge: those of a corner in the plane, only the lowest if it is not strong."""
    if edge.loaded:
        return Powers(edge.vertex, OF_LOADS)
    if edge.strong:
        return vertex_exponents(edge.vertex, DEGREE_OF_EDGES)
    found = vertex_exponents(edge.vertex, WEAK[1])
    return Powers(edge.vertex, tuple(t for t in found.terms if t[0] > WEAK[0]))


def enrich(cells: Cells, enrichment: CellEnrichment) -> None:
    """Give every cell the functions of the vertices and holes close to it."""
    powers = enrichment.powers
    if enrichment.balls:
        _add_multipoles(cells, enrichment.balls)
    if enrichment.edges:
        _add_edges(cells, enrichment.edges)
    if cells.domain.dimension == 3:
        return
    points = np.array([p.vertex.point for p in powers]).reshape(-1, 2)
    for cell in cells.cells if powers or enrichment.holes else ():
        low, high = cells.boxes.low[cell.box], cells.boxes.high[cell.box]
        beyond = np.maximum(np.maximum(low - points, points - high), 0.0)
        near = np.flatnonzero(np.all(beyond < REACH * (high - low), axis=1))
        functions = [
            f
            for k in near.tolist()
            for f in functions_of(powers[k], cell, bool(np.all(beyond[k] < SAME * (high - low))))
        ]
        functions += _poles(cells, cell, enrichment.holes)
        if functions:
            cell.singular = Singular.of(functions)


def _poles(cells: Cells, cell: Cell, holes: Sequence[tuple[int, Hole]]) -> list[Function]:
    """The poles of the holes close to a cell."""
    mine = [hole for material, hole in holes if material == cell.material]
    if not mine:
        return []
    low, high = cells.boxes.low[cell.box], cells.boxes.high[cell.box]
    middles = np.array([hole.centre for hole in mine])
    away = np.linalg.norm(np.maximum(np.maximum(low - middles, middles - high), 0.0), axis=1)
    radii = np.array([np.linalg.norm(hole.rim - hole.centre, axis=1).max() for hole in mine])
    reach = AROUND * float((high - low).max())
    placement = Placement(cell.centre, cell.half)
    found: list[Function] = []
    for k in np.argsort(away - radii).tolist():
        poles = POLES if away[k] < radii[k] else BESIDE
        more = hole_functions(mine[k], placement, cell.inside, 1j, poles, 0.0) if away[k] < radii[k] + reach else []
        if not more or len(found) + len(more) > HELD:
            break
        found += more
    return found


def _add_multipoles(cells: Cells, balls: Sequence[tuple[int, Ball]]) -> None:
    """Give every cell the multipoles of the balls close to it."""
    for cell in cells.cells:
        low, high = cells.boxes.low[cell.box], cells.boxes.high[cell.box]
        functions: list[Multipole] = []
        for material, ball in balls:
            if material != cell.material:
                continue
            centre, radius = np.asarray(ball.center, dtype=float), float(ball.radius)
            away = float(np.linalg.norm(np.maximum(np.maximum(low - centre, centre - high), 0.0))) - radius
            if away < AROUND * float((high - low).max()):
                degree = DEGREE_IN_SPACE if away < 0 else BESIDE_IN_SPACE
                functions += _multipoles(cell, centre, radius, degree)
        if functions:
            cell.singular = Multipoles.of(functions)


def _multipoles(cell: Cell, centre: np.ndarray, radius: float, degree: int) -> list[Multipole]:
    c = ((centre - cell.centre) / cell.half).tolist()
    s = (cell.half / radius).tolist()
    return [
        Multipole(c[0], c[1], c[2], s[0], s[1], s[2], n, m, imaginary)
        for n in range(degree + 1)
        for m in range(n + 1)
        for imaginary in ((0, 1) if m else (0,))
    ]


def _add_edges(cells: Cells, edges: Sequence[tuple[SpaceEdge, Powers]]) -> None:
    """Give every cell the functions of the edges that it touches or almost touches."""
    for cell in cells.cells:
        low, high = cells.boxes.low[cell.box], cells.boxes.high[cell.box]
        functions: list[EdgeFunction] = []
        for edge, powers in edges:
            if len(cell.singular) and not edge.strong:
                continue  # multipoles are needed more
            beyond = np.maximum(np.maximum(low - edge.high, edge.low - high), 0.0)
            along = min(high[edge.axis], edge.high[edge.axis]) - max(low[edge.axis], edge.low[edge.axis])
            if along > SAME * (high - low)[edge.axis] and np.all(beyond <= BESIDE_EDGES * (high - low)):
                functions += _along(edge, powers, cell, bool(np.all(beyond < SAME * (high - low))))
        if functions:
            cell.singular = EdgeFunctions.of(functions)


def _along(edge: SpaceEdge, powers: Powers, cell: Cell, touching: bool) -> list[EdgeFunction]:
    """The functions of an edge in the coordinates of a cell, scaled to size one there."""
    across = edge.across
    vertex = powers.vertex
    turn = _turned(vertex, cell.material, cell.inside[:, across] - vertex.point, touching)
    if turn is None:
        return []
    centre, half = cell.centre[across], cell.half[across]
    unit = float(np.linalg.norm([*(np.abs(centre - vertex.point) + half), cell.half[edge.axis]]))
    px, qy = turn / unit * half[0], 1j * turn / unit * half[1]
    c = ((vertex.point - centre) / half).tolist()
    line = (edge.axis, c[0], c[1], px.real, px.imag, qy.real, qy.imag, 0.0, float(cell.half[edge.axis]) / unit)
    return [
        EdgeFunction(*line, alpha, log, bars, power, imaginary)
        for alpha, log, bars in powers.terms
        if alpha > 0
        for power in range(int((DEGREE_OF_EDGES if edge.strong else OF_WEAK) - alpha - bars) + 1)
        for imaginary in (0, 1)
    ]


def functions_of(powers: Powers, cell: Cell, touching: bool) -> list[Function]:
    """The functions of a vertex in the coordinates of a cell, scaled to size one there."""
    vertex = powers.vertex
    turn = _turned(vertex, cell.material, cell.inside - vertex.point, touching)
    if turn is None:
        return []
    corner = np.abs(cell.centre - vertex.point) + cell.half
    p = turn / float(np.hypot(*corner))
    q = 1j * p
    c = (vertex.point - cell.centre) / cell.half
    px, qy = p * cell.half[0], q * cell.half[1]
    frame = Chart(float(c[0]), float(c[1]), px.real, px.imag, qy.real, qy.imag)
    made = []
    for alpha, log, bars in powers.terms:
        for imaginary in (0, 1):
            if alpha == 0.0 and not imaginary:
                continue
            made.append(Function(frame, alpha, log, bars, imaginary))
    return made


def _turned(vertex: Vertex, material: int, away: np.ndarray, touching: bool) -> complex | None:
    """The factor that turns the middle of a cell, seen from a vertex, to the positive real axis.

    None if the cell is around the vertex. `away` are its points from there.
    """
    z = away[:, 0] + 1j * away[:, 1]
    towards = complex(np.mean(z / np.abs(z)))
    mine = [k for k, m in enumerate(vertex.materials) if m == material]
    if touching and len(mine) == 1 and vertex.angles[mine[0]] > FLAT * np.pi:
        towards = complex(np.exp(1j * (vertex.starts[mine[0]] + 0.5 * vertex.angles[mine[0]])))
    if abs(towards) < AROUND_IT:
        return None
    turn = np.conj(towards) / abs(towards)
    return None if np.abs(np.angle(turn * z)).max() > WIDEST else complex(turn)
