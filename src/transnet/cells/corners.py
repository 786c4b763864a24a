"""The functions of singular corners in the cells near them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log10

import numpy as np

from transnet.cells.near import NearFunctions
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.wedges import wedges_of
from transnet.choose.enrich import kinds_of, principal_of
from transnet.choose.sectors import Sectors, sectors_at, sectors_of
from transnet.features.corner_functions import corner_functions, joint_functions, sector_functions
from transnet.features.mellin import Power
from transnet.features.placement import Placement
from transnet.features.sector import Sector
from transnet.features.singular import Chart, Function, Singular
from transnet.features.singularities import counts
from transnet.geometry.corners import Corner, bends
from transnet.geometry.partition import Pieces
from transnet.pieces.enrich import vertex_exponents
from transnet.pieces.vertices import PROBE, Vertex, vertices_of
from transnet.rows.stretches import Stretched
from transnet.tolerances import BESIDE as NEARBY

DEGREE, DIGITS, OF_SYSTEMS = 2.0, 0.4, 0.33
"""The highest exponent of the functions of a corner in its own cell, a + b digits of the goal, for one unknown and for
several."""
BESIDE, REACH = 0.7, 2.5
"""The same in cells beside it, in units of that, up to this distance from the corner in units of their size."""
SMOOTH = 1.5
"""Where the curvature jumps, functions of lower exponents are smooth."""
MOST, FEWER = 80, 0.9
"""The most functions of a corner for each unknown: degrees are lowered by a factor until they are as few."""

IN_PLACE = Placement(np.zeros(2), np.ones(2))
"""The coordinates of the problem."""

Made = tuple[list[Function], np.ndarray | None]
"""Functions of a corner, and the sums of them that occur (functions, sums); None if each is for itself."""
Make = Callable[[Corner, Placement, np.ndarray, float], Made]


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a domain with singular functions.

    Parameters
    ----------
    corners : tuple of Corner
    makers : tuple of callables
        For each of these its functions in the coordinates of a cell, up to a degree.
    material : (n,) array
        The material to whose cells they belong.
    degree : float
    unknowns : int
    """

    corners: tuple[Corner, ...]
    makers: tuple[Make, ...]
    material: np.ndarray
    degree: float
    unknowns: int

    @classmethod
    def of(cls, stated: CellProblem, goal: float) -> Corners:
        """The corners of a problem, with functions for an error."""
        unknowns = len(stated.problem.unknowns)
        if stated.laws is not None:
            made = of_materials(stated)
        else:
            bent = bends(stated.problem.domain)
            made = [(c, m, 0) for c, m in (_of_one(stated, bent) if unknowns == 1 else _of_system(stated, bent))]
        material = np.array([m for _, _, m in made], dtype=int)
        degree = DEGREE - (DIGITS if unknowns == 1 else OF_SYSTEMS) * log10(goal)
        return cls(tuple(c for c, _, _ in made), tuple(m for _, m, _ in made), material, degree, unknowns)

    @property
    def points(self) -> np.ndarray:
        """Where the singular ones are."""
        return np.array([c.point for c in self.corners]).reshape(-1, 2)

    def functions(self, tiles: Tiles) -> NearFunctions:
        """The functions of the cells of corners, and of those beside them."""
        made: list[list[Made]] = [[] for _ in range(len(tiles))]
        material = tiles.material if len(tiles.material) else np.zeros(len(tiles), dtype=int)
        for i, point in enumerate(self.points):
            # The first cells of a material are those of its corners.
            home = int(np.argmax(material == self.material[i]) + np.sum(self.material[:i] == self.material[i]))
            near = np.linalg.norm(tiles.centre - point, axis=1) < REACH * tiles.size
            near[home] = True
            cells = np.flatnonzero(near & (material == self.material[i]))
            rim = np.concatenate([tiles.ends[cells].reshape(-1, 2), point[None]])
            own = self._some(i, rim, self.degree)
            beside = self._some(i, rim, self.degree * BESIDE) if len(cells) > 1 else own
            for k in cells.tolist():
                made[k].append(own if k == home else beside)
        tables = {k: Singular.of(f for some, _ in both for f in some) for k, both in enumerate(made) if both}
        return NearFunctions(
            {k: table for k, table in tables.items() if len(table)},
            {k: _joined(both) for k, both in enumerate(made) if any(tie is not None for _, tie in both)},
        )

    def _some(self, corner: int, rim: np.ndarray, degree: float) -> Made:
        known = self.corners[corner]
        if np.linalg.norm(rim - known.point, axis=1).max() < known.free:  # the cut does not come back to these cells
            known = replace(known, free=np.inf)
        while True:
            made, ties = self.makers[corner](known, IN_PLACE, rim, degree)
            if len(made) <= MOST * self.unknowns or degree < 1.0 or ties is not None:
                return [f._replace(late=False) for f in made], ties
            degree *= FEWER


def _joined(several: Sequence[Made]) -> np.ndarray:
    """The sums of several corners, one after the other."""
    ties = [np.eye(len(functions)) if tie is None else tie for functions, tie in several]
    found = np.zeros((sum(len(t) for t in ties), sum(t.shape[1] for t in ties)))
    row = column = 0
    for tie in ties:
        found[row : row + len(tie), column : column + tie.shape[1]] = tie
        row, column = row + len(tie), column + tie.shape[1]
    return found


def _of_one(stated: CellProblem, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    """For one unknown: powers in the plane in which the leading part at the corner is Laplace's."""
    equation = stated.equations[0][0].equation
    kinds = kinds_of(stated.problem, [s for s, *_ in stated.conditions])[0]
    made: list[tuple[Corner, Make]] = []
    stretched = isinstance(stated.problem.domain, Stretched)
    for corner in (*stated.problem.domain.corners_and_holes[0], *bent):
        # Data may jump where a stretch of a part ends.
        if not (counts(corner, kinds) or corner in bent or (stretched and corner.flat)):
            continue
        zero = [np.zeros(1)] * len(equation.slots)
        factors = equation.jacobian(corner.point[None], None, stated.numbers, None if equation.linear else zero)
        known = principal_of([index for _, index in equation.slots], factors)
        if known is None:
            continue

        def make(corner: Corner, placement: Placement, rim: np.ndarray, degree: float, mu: complex = known[0]) -> Made:
            return corner_functions(corner, placement, rim, mu, degree, degree - 0.5, kinds), None

        made.append((corner, make))
    return made


def _of_system(stated: CellProblem, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    sectors = sectors_of(stated.problem, stated.every, stated.numbers, bent)
    if len(set(stated.orders)) == 1:
        return _with_powers(sectors, bent)
    return _of_flow(stated, sectors, bent)


def _with_powers(sectors: Sectors | None, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    made: list[tuple[Corner, Make]] = []
    for corner, sector, powers, gap in () if sectors is None else sectors.powers:
        # What a jump of the curvature adds begins with second derivatives.
        singular = [p for p in powers if p.value.real > SMOOTH] if corner in bent else powers
        made.append((corner, _of_sector(sector, singular, gap)))
    return made


def _of_flow(stated: CellProblem, sectors: Sectors | None, bent: tuple[Corner, ...]) -> list[tuple[Corner, Make]]:
    """For velocities and a pressure: sums for all of them, and where values on the two edges differ those of Taylor."""
    if sectors is None:
        return []
    problem = stated.problem
    near = NEARBY * float(np.ptp(problem.domain.bounds, axis=0).max())
    known = {id(corner): powers for corner, _, powers, _ in sectors.powers}
    made = []
    for corner, sector in zip(sectors.corners, sectors.sectors, strict=True):
        jumping = bool((np.linalg.norm(stated.jumps - corner.point, axis=1) < near).any())
        powers = [p for p in known.get(id(corner), ()) if corner not in bent]
        if powers or jumping:
            made.append((corner, _of_joint(sector, powers, jumping, not stated.linear)))
    return made


def _of_joint(sector: Sector, powers: Sequence[Power], jumping: bool, carries: bool) -> Make:
    def make(corner: Corner, placement: Placement, rim: np.ndarray, degree: float) -> Made:
        return joint_functions(corner, sector, powers, placement, rim, degree, jumping, carries)

    return make


def _of_sector(sector: Sector, powers: Sequence[Power], gap: int) -> Make:
    def make(corner: Corner, placement: Placement, rim: np.ndarray, degree: float) -> Made:
        return sector_functions(corner, sector, powers, gap, placement, rim, degree), None

    return make


def of_materials(stated: CellProblem) -> list[tuple[Corner, Make, int]]:
    """For several materials: all sectors of a point at which they meet have the same powers."""
    assert stated.laws is not None
    problem, numbers = stated.problem, stated.numbers
    found: list[tuple[Corner, Make, int]] = []
    if len(problem.unknowns) == 1:
        for vertex in vertices_of(stated.laws, numbers):
            for material, start, angle in zip(vertex.materials, vertex.starts, vertex.angles, strict=True):
                first, middle, last = (
                    np.array([np.cos(a), np.sin(a)]) for a in (start, start + 0.5 * angle, start + angle)
                )
                corner = Corner(vertex.point, (first, last), ("", ""), -middle, np.inf, vertex.curved)
                found.append((corner, _of_vertex(vertex, complex(*middle)), material))
        return sorted(found, key=lambda entry: entry[2])
    domain = problem.domain
    assert isinstance(domain, Pieces)
    size = float(np.ptp(domain.bounds, axis=0).max())
    for around, wedge, powers, gap in wedges_of(stated):
        for material, sector in zip(around.materials, wedge.sectors, strict=True):
            first, middle, last = (
                np.array([np.cos(a), np.sin(a)]) for a in (sector.angles[0], sum(sector.angles) / 2, sector.angles[1])
            )
            corner = Corner(around.point, (first, last), ("", ""), -middle, np.inf, around.curved)
            found.append((corner, _of_sector(sector, powers, gap), material))
    places = np.array([c.point for c, _, _ in found]).reshape(-1, 2)
    corners = [c for c in domain.corners_and_holes[0]
               if not (np.linalg.norm(places - c.point, axis=1) < NEARBY * size).any()]  # fmt: skip
    which = domain.which(np.array([c.point - PROBE * size * c.cut for c in corners]).reshape(-1, 2))
    for material in range(len(domain.shapes)):
        mine = tuple(c for c, m in zip(corners, which, strict=True) if m == material)
        rows = (*stated.equations[material], *(s[material] for s in stated.conditions))
        sectors = sectors_at(problem, rows, numbers, mine) if mine else None
        found += [(c, make, material) for c, make in _with_powers(sectors, ())]
    return sorted(found, key=lambda entry: entry[2])


def _of_vertex(vertex: Vertex, middle: complex) -> Make:
    def make(corner: Corner, placement: Placement, rim: np.ndarray, degree: float) -> Made:
        largest = float(np.linalg.norm(rim - corner.point, axis=1).max())
        frame = Chart.at(corner.point, placement, 1j, np.conj(middle) / largest)
        powers = vertex_exponents(vertex, degree).terms
        return [Function(frame, alpha, log, bars, imaginary) for alpha, log, bars in powers
                for imaginary in (0, 1) if alpha or imaginary], None  # fmt: skip

    return make
