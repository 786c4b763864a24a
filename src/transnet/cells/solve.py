"""Solutions in cells, coarse to fine: two degrees on the first cells show what the goal needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cells.charts import round_holes
from transnet.cells.corners import Corners
from transnet.cells.cutting import tiles_of
from transnet.cells.level import JUDGED, CellLevel, lower_levels
from transnet.cells.materials import joined_tiles
from transnet.cells.near import NearFunctions
from transnet.cells.newton import iterate_cells
from transnet.cells.outline import ArcSamples
from transnet.cells.plan import DEGREES, MOST_AT_FIRST, MOST_OF_SYSTEMS, STEP, level_seconds, next_level
from transnet.cells.reduce import CellState
from transnet.cells.seeds import Sizes, seeds_for
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.geometry import Domain
from transnet.geometry.partition import shapes_of
from transnet.judge.estimate import distances
from transnet.remember import Remembered
from transnet.solution.diagnostics import Coarser

FIRST = 10
"""Cells of a domain without holes, channels and corners."""
BEGIN = (5.4, 1.1)
"""The degree of the first level, a + b digits of the goal."""
OF_SYSTEMS = 2.5
"""By how much estimates are larger than what is left of the rows predicts for several unknowns: of five elastic plates
one had an error of 1.5 times the estimate with the factor of one unknown."""
SAFETY = 1.5
"""By how much estimates are larger than what is left of the rows predicts."""
SLOW = 0.05
"""If more than this part of the rows is left with the higher degree, that fall says little of the error, which is then
measured against a still higher degree: around a narrow bump 0.1 of the rows were left, and 0.6 of the error."""
WEAK = 1e-5
"""Below this pivot the error is measured against a higher degree: the rows hardly determine a function, and may leave
much of it. The pivots of forty problems are above 1e-4, near a resonance they are 1e-7 and less."""
MOST = 400
"""The most cells."""
LEVELS = 6
"""The most levels."""
ITERATED = 0.03
"""How far Newton's iteration goes on one set of cells, in units of the goal."""
STARTED = 1e-2
"""How far it goes before that with a low degree."""
ROUNDING = 1e-13
"""The least estimate."""


_tiles: Remembered[CellBasis, Tiles | None] = Remembered()


def known_tiles(basis: CellBasis) -> Tiles | None:
    """The cells of a basis; None if it was read from a file."""
    return _tiles.get(basis, "", lambda: None)


@dataclass(frozen=True, eq=False)
class CellFound:
    """A solution in cells and that of a lower degree, its estimated error, its predicted time and that of the next."""

    level: CellLevel
    error: float
    seconds: float
    after: float
    coarse: CellLevel | None = None

    @property
    def basis(self) -> CellBasis:
        """Its basis, which knows its cells while the program runs."""
        made = CellBasis(self.level.tiles.seeds, self.level.columns, self.level.domain)
        _tiles.get(made, "", lambda: self.level.tiles)
        return made

    @property
    def coarser(self) -> Coarser:
        """The solution of lower degree, and how far it is from this one."""
        low = self.coarse or self.level
        basis = CellBasis(low.tiles.seeds, low.columns, low.domain)
        return Coarser(basis, low.coefficients.ravel(), cell_distance(self.level, low))


def first_degree(goal: float, unknowns: int) -> int:
    """The degree of the first level: for a goal of four digits ten, for nine sixteen; lower for systems."""
    wanted = BEGIN[0] - BEGIN[1] * log10(goal)
    if unknowns > 1:
        return min(max(2 * round(wanted / 2) - STEP, DEGREES[0]), MOST_OF_SYSTEMS)
    return min(max(2 * round(wanted / 2), DEGREES[0]), MOST_AT_FIRST)


def cell_levels(
    stated: CellProblem, goal: float, start: CellState = None, narrow: Sequence[tuple[np.ndarray, float]] = ()
) -> Iterator[CellFound]:
    """Solutions that get finer where it is needed.

    Parameters
    ----------
    start : optional
        Where Newton's iteration begins.
    narrow : sequence of (points, size)
        Places where data are concentrated, and how wide they are.
    """
    corners = Corners.of(stated, goal)
    sizes = first_sizes(stated)
    unknowns = len(stated.problem.unknowns)
    for places, size in narrow:
        sizes = tuple(s.with_finer(places, np.full(len(places), size)) for s in sizes)
    degree = first_degree(goal, unknowns)
    tiles, singular = cut_cells(stated, sizes, corners)
    state: CellState = start
    for _ in range(LEVELS):
        if not stated.linear:  # most steps of the iteration are taken with few polynomials
            state = iterate_cells(stated, tiles, degree - 2 * STEP, singular, state, STARTED)
        fine = iterate_cells(stated, tiles, degree, singular, state, ITERATED * goal)
        # The glue of a system costs as much for each degree: a second one is taken only if it is needed.
        coarser = lower_levels(stated, fine, (STEP, 2 * STEP) if unknowns == 1 else (STEP,))
        error = cell_estimate(coarser, fine)
        slow = unknowns > 1 and fallen(coarser[0], fine) > SLOW
        if error <= goal and (slow or fine.pivot < WEAK):
            error = cell_distance(iterate_cells(stated, tiles, degree + STEP, singular, fine, ITERATED * goal), fine)
        seconds = level_seconds(len(tiles), degree, unknowns)
        planned = next_level(coarser[0], fine, error, goal, sizes)
        yield CellFound(fine, error, seconds, planned.seconds, coarser[0])
        state, degree = fine, planned.degree
        if planned.sizes is not None:
            sizes = planned.sizes
            tiles, singular = cut_cells(stated, sizes, corners)
            if len(tiles) >= MOST and len(fine.tiles) >= MOST:
                return


def first_sizes(stated: CellProblem) -> tuple[Sizes, ...]:
    """The sizes of the first cells of each material: a few for the whole, smaller ones around holes and in channels."""
    largest = float(np.sqrt(stated.problem.domain.volume / FIRST))
    found = []
    for material, (view, (_, shape)) in enumerate(zip(stated.views, shapes_of(stated.problem.domain), strict=True)):
        holes = holes_of(stated, shape)
        points = np.array([c.point for c in shape.corners_and_holes[0] if not c.flat]).reshape(-1, 2)
        shares = [isotropy(stated, material, centre) for centre, _ in holes]
        found.append(Sizes(largest, *ArcSamples.of(view).sizes(points, holes, shares)))
    return tuple(found)


def holes_of(stated: CellProblem, shape: Domain) -> list[tuple[np.ndarray, float]]:
    """The holes whose logarithms are coordinates: not for systems, where elastic plates were no faster with them."""
    return round_holes(shape.corners_and_holes[1]) if len(stated.problem.unknowns) == 1 else []


def isotropy(stated: CellProblem, material: int, place: np.ndarray) -> float:
    """The square root of the least by the largest eigenvalue of the leading part of an equation at a place: the
    logarithm of a hole is no natural coordinate where they differ."""
    equation = stated.equations[material][0].equation
    zero = None if equation.linear else [np.zeros(1)] * len(equation.slots)
    factors = equation.jacobian(place[None], None, stated.numbers, zero)
    second = {index: float(np.ravel(c)[0]) for (_, index), c in zip(equation.slots, factors, strict=True)}
    a, b, c = (second.get(index, 0.0) for index in ((2, 0), (1, 1), (0, 2)))
    values = np.abs(np.linalg.eigvalsh([[a, b / 2], [b / 2, c]]))
    return float(np.sqrt(values.min() / values.max())) if np.isfinite(values).all() and values.max() > 0 else 1.0


def cut_cells(stated: CellProblem, sizes: Sequence[Sizes], corners: Corners) -> tuple[Tiles, NearFunctions]:
    """The cells of a domain and the functions of corners in them."""
    made = []
    shapes = shapes_of(stated.problem.domain)
    for material, (view, (_, shape)) in enumerate(zip(stated.views, shapes, strict=True)):
        mine = np.flatnonzero(corners.material == material)
        seeds, samples = seeds_for(view, sizes[material], corners.points[mine], MOST)
        own = [corners.corners[k] for k in mine]
        made.append(tiles_of(view, seeds, own, samples, holes_of(stated, shape)))
    tiles = made[0] if len(made) == 1 else joined_tiles(made)
    return tiles, corners.functions(tiles)


def cell_estimate(coarser: Sequence[CellLevel], fine: CellLevel) -> float:
    """The estimated relative error of the finest of several solutions on the same cells.

    Its distance from the next coarser one is the error of that. What it leaves of the rows, at points of its own, says
    how many times smaller its error is, but no more than the error fell from the coarsest to the coarser one.
    """
    apart = cell_distance(coarser[0], fine)
    falls = fallen(coarser[0], fine)
    if len(coarser) > 1:
        falls = max(falls, apart / max(cell_distance(coarser[1], fine), 1e-300))
    safety = SAFETY if fine.columns.unknowns == 1 else OF_SYSTEMS
    return max(apart * min(safety * falls, 1.0), ROUNDING)


def fallen(coarse: CellLevel, fine: CellLevel) -> float:
    """What the finer solution leaves of the rows, in units of what the coarser one leaves."""
    return float(np.linalg.norm(fine.left)) / max(float(np.linalg.norm(coarse.left)), 1e-300)


def cell_distance(one: CellLevel, other: CellLevel) -> float:
    """The relative L2 distance of two solutions on the same cells, the largest over the unknowns."""
    tiles = one.tiles
    cells = np.arange(len(tiles))
    points = tiles.inside(cells, JUDGED, 0.25)
    slots = [(u, (0, 0)) for u in range(one.columns.unknowns)]
    share = np.sqrt(np.prod(tiles.half, axis=1) / np.mean(np.prod(tiles.half, axis=1)))[:, None]
    values = [(v * share).ravel()[:, None] for v in one.values(points, cells, slots)]
    others = [(v * share).ravel()[:, None] for v in other.values(points, cells, slots)]
    return float(distances(values, [[a - b] for a, b in zip(values, others, strict=True)])[0, 0])
