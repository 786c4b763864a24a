"""Solutions in cells, coarse to fine: two degrees on the first cells show what the goal needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cells.begin import begin_cells
from transnet.cells.charts import round_holes
from transnet.cells.corners import Corners
from transnet.cells.cutting import tiles_of
from transnet.cells.estimate import cell_distance, cell_estimate, fallen
from transnet.cells.level import CellLevel, lower_level, nested_levels
from transnet.cells.materials import joined_tiles
from transnet.cells.near import NearFunctions
from transnet.cells.newton import iterate_cells
from transnet.cells.outline import ArcSamples
from transnet.cells.plan import LOWEST, STEP, level_seconds, next_level
from transnet.cells.reduce import CellState
from transnet.cells.seeds import Sizes, seeds_for
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.geometry import Domain
from transnet.geometry.partition import shapes_of
from transnet.remember import Remembered
from transnet.solution.diagnostics import Coarser

CORNERED, ROUND = 10, 5
"""Cells of a domain without holes and channels, and of one without corners."""
BEGIN, BEGIN_ONE, BEGIN_STRAIGHT = (4.0, 1.1, 14), (1.0, 2.0, 16), (3.0, 4 / 3, 16)
"""The degree of the first level, a + b digits of the goal, and its largest; and that for one unknown, whose first level
should be the last: of 18 problems all reach 1e-4 and 17 reach 1e-6 with it, and with one degree less 16 and 14. If a
higher degree were needed for one unknown its cells are smaller instead: 15 % faster for nine digits. In polygons
without holes, whose corners have their own functions, lower degrees do as well."""
SLOW = 0.05
"""If more than this part of the rows is left with the higher degree, that fall says little of the error, which is then
compared with a third degree: around a narrow bump 0.1 of the rows were left, and 0.6 of the error."""
WEAK = 1e-5
"""Below this pivot the error is measured against a higher degree: the rows hardly determine a function, and may leave
much of it. The pivots of forty problems are above 1e-4, near a resonance they are 1e-7 and less."""
MOST = 400
"""The most cells."""
LEVELS = 6
"""The most levels."""
ITERATED = 0.03
"""How far Newton's iteration goes on one set of cells, in units of the goal."""
REMAINS = 3.0
"""How many times what is predicted to be left of an iteration may be left: 2.9 times in one of sixty problems."""
STARTED = 0.3
"""How far it goes before that with a low degree, in units of the square root of that: one step remains then."""
_tiles: Remembered[CellBasis, Tiles | None] = Remembered()


def known_tiles(basis: CellBasis) -> Tiles | None:
    """The cells of a basis; None if it was read from a file."""
    return _tiles.get(basis, "", lambda: None)


@dataclass(frozen=True, eq=False)
class CellFound:
    """A solution in cells and that of a lower degree, its estimated error, its predicted time and that of the next,
    whether the two tell little of the error, and the sizes that the cells were cut by."""

    level: CellLevel
    error: float
    seconds: float
    after: float
    coarse: CellLevel | None = None
    doubtful: bool = False
    sizes: tuple[Sizes, ...] = ()

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


def first_degree(goal: float, one: bool, domain: Domain) -> tuple[int, float]:
    """The degree of the first level, for a goal of four digits eight, for nine fourteen, higher for one unknown in one
    material; and the part of their usual size that its cells have."""
    corners, holes = domain.corners_and_holes
    start, each, most = BEGIN if not one else BEGIN_STRAIGHT if corners and not holes else BEGIN_ONE
    wanted = start - each * log10(goal)
    degree = round(wanted) if one else 2 * round(wanted / 2)
    return min(max(degree, LOWEST), most), min(most / (wanted + 1.0), 1.0) if one else 1.0


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
    unknowns = len(stated.problem.unknowns)
    # One factorisation has the lower degrees of one unknown; for several the glue of each costs as much again. Of
    # several materials one level says too little: with a contrast of 1000 degrees 14 and 16 had the same error.
    nested = unknowns == 1 and stated.laws is None
    degree, share = first_degree(goal, nested, stated.problem.domain)
    sizes = first_sizes(stated, share)
    for places, size in narrow:
        sizes = tuple(s.with_finer(places, np.full(len(places), size)) for s in sizes)
    before = degree - (2 * STEP if nested else STEP)

    def cut(sizes: Sequence[Sizes]) -> tuple[Tiles, NearFunctions]:
        return cut_cells(stated, sizes, corners)

    state: CellState = start
    if nested and stated.linear:
        tiles, singular = cut(sizes)
    else:
        accuracy = STARTED * (ITERATED * goal) ** 0.5 if nested else ITERATED * goal
        sizes, tiles, singular, state = begin_cells(stated, sizes, cut, before, start, accuracy)
    spent = 0.0 if nested else level_seconds(len(tiles), before, unknowns)
    for _ in range(LEVELS):
        coarse = state
        known = None
        if not nested or not stated.linear:
            known = iterate_cells(
                stated, tiles, degree, singular, state, ITERATED * goal, None if nested else state, goal
            )
        if nested:
            fine, coarse = nested_levels(stated, tiles, degree, singular, known)
        else:
            assert known is not None
            fine = known
        slow = fallen(coarse, fine) > SLOW
        coarsest = lower_level(stated, fine, 2) if slow and nested else None
        error = cell_estimate(coarse, fine, coarsest)
        if error <= goal and ((slow and not nested) or fine.pivot < WEAK):
            finer = iterate_cells(stated, tiles, degree + STEP, singular, fine, ITERATED * goal, fine, goal)
            error = cell_distance(finer, fine)
        if nested:  # what is left of an iteration on the same rows is in none of these distances
            error = max(error, REMAINS * fine.coming)
        seconds = spent + level_seconds(len(tiles), degree, unknowns)
        planned = next_level(coarse, fine, error, goal, sizes)
        doubtful = bool(hardly_told(fallen(coarse, fine), fine.pivot))
        yield CellFound(fine, error, seconds, planned.seconds, coarse, doubtful, tuple(sizes))
        state, degree, spent = fine, planned.degree, 0.0
        if planned.sizes is None:
            continue
        sizes = planned.sizes
        tiles, singular = cut(sizes)
        if len(tiles) >= MOST and len(fine.tiles) >= MOST:
            return
        if not nested:
            state = iterate_cells(stated, tiles, degree - STEP, singular, fine, ITERATED * goal)
            spent = level_seconds(len(tiles), degree - STEP, unknowns)


def hardly_told(falls: np.ndarray | float, pivot: float) -> np.ndarray:
    """Whether the fall of what is left of the rows says little of the error."""
    return (np.asarray(falls) > SLOW) | (pivot < WEAK)


def first_sizes(stated: CellProblem, share: float = 1.0) -> tuple[Sizes, ...]:
    """The sizes of the first cells of each material: a few for the whole, smaller ones around holes and in channels;
    or a part of that."""
    domain = stated.problem.domain
    plump = len(stated.problem.unknowns) == 1 and stated.laws is None and not any(map(len, domain.corners_and_holes))
    largest = share * float(np.sqrt(domain.volume / (ROUND if plump else CORNERED)))
    found = []
    for material, (view, (_, shape)) in enumerate(zip(stated.views, shapes_of(domain), strict=True)):
        holes = holes_of(stated, shape)
        points = np.array([c.point for c in shape.corners_and_holes[0] if not c.flat]).reshape(-1, 2)
        shares = [isotropy(stated, material, centre) for centre, _ in holes]
        places, wanted = ArcSamples.of(view).sizes(points, holes, shares)
        found.append(Sizes(largest, places, share * wanted))
    return tuple(found)


def holes_of(stated: CellProblem, shape: Domain) -> list[tuple[np.ndarray, float]]:
    """The holes whose logarithms are coordinates: not for systems, where elastic plates were no faster with them, nor
    where another material fills the hole, which made estimates too low."""
    one = len(stated.problem.unknowns) == 1 and stated.laws is None
    return round_holes(shape.corners_and_holes[1]) if one else []


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
