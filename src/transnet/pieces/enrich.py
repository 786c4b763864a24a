"""The singular functions of cells: powers of the distance to a nearby vertex, and poles in nearby holes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.features.hole_functions import hole_functions
from transnet.features.multipoles import Multipole, Multipoles
from transnet.features.singular import Chart, Function, Singular
from transnet.geometry import Ball
from transnet.geometry.cavities import cavities
from transnet.geometry.corners import Hole
from transnet.geometry.partition import shapes_of
from transnet.geometry.placement import Placement
from transnet.pieces.cells import Cell, Cells
from transnet.pieces.exponents import exponents_of
from transnet.pieces.laws import Laws
from transnet.pieces.vertices import Vertex, plain_stiffness, vertices_of
from transnet.tolerances import SAME

DEGREE = 7.0
"""The highest exponent: higher powers are smooth enough for waves."""
BARS = 4.0
"""The highest sum of both exponents of functions with conj(z), which represent terms of lower order."""
REACH = 1.0
"""Cells within this distance of a vertex, in units of their boxes, have its functions."""
WHOLE = 1e-7
"""Exponents this close to a whole number count as whole: there is a logarithm beside the polynomial."""
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

    @property
    def vertices(self) -> np.ndarray | None:
        return np.array([p.vertex.point for p in self.powers]) if self.powers else None


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
    return CellEnrichment(tuple(vertex_exponents(v) for v in vertices_of(laws, numbers)), tuple(holes), tuple(balls))


@dataclass(frozen=True, eq=False)
class Powers:
    """The functions z^alpha (log z)^p conj(z)^j of a vertex, the same in each of its sectors."""

    vertex: Vertex
    terms: tuple[tuple[float, int, int], ...]


def vertex_exponents(vertex: Vertex) -> Powers:
    """The exponents of a vertex, with logarithms if they are whole, and those added by terms of lower order."""
    found: dict[float, float] = {}
    for alpha in exponents_of(vertex.stiffness, vertex.angles, vertex.ends, DEGREE):
        for shift in range(int(DEGREE - alpha) + 1 if vertex.curved else 1):
            found.setdefault(round(alpha + shift, DECIMALS), alpha + shift)
    terms: list[tuple[float, int, int]] = []
    if vertex.ends == ("value", "value"):
        terms.append((0.0, 1, 0))  # the angle, for values that jump from one edge to the other
    for alpha in sorted(found.values()):
        whole = abs(alpha - round(alpha)) < WHOLE
        for j in range(1 + int(max(BARS - alpha, 0.0)) if vertex.curved else 1):
            terms.append((float(round(alpha)) if whole else alpha, int(whole), j))
    return Powers(vertex, tuple(terms))


def enrich(cells: Cells, enrichment: CellEnrichment) -> None:
    """Give every cell the functions of the vertices and holes close to it."""
    powers = enrichment.powers
    if enrichment.balls:
        _add_multipoles(cells, enrichment.balls)
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


def functions_of(powers: Powers, cell: Cell, touching: bool) -> list[Function]:
    """The functions of a vertex in the coordinates of a cell, scaled to size one there."""
    vertex = powers.vertex
    away = cell.inside - vertex.point
    z = away[:, 0] + 1j * away[:, 1]
    towards = complex(np.mean(z / np.abs(z)))
    mine = [k for k, m in enumerate(vertex.materials) if m == cell.material]
    if touching and len(mine) == 1 and vertex.angles[mine[0]] > FLAT * np.pi:
        towards = complex(np.exp(1j * (vertex.starts[mine[0]] + 0.5 * vertex.angles[mine[0]])))
    if abs(towards) < AROUND_IT:
        return []
    turn = np.conj(towards) / abs(towards)
    if np.abs(np.angle(turn * z)).max() > WIDEST:
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
