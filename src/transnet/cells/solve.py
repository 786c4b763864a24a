"""Solutions in cells, coarse to fine: two degrees on the first cells show what the goal needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cells.begin import begin_cells
from transnet.cells.corners import Corners
from transnet.cells.cutting import tiles_of
from transnet.cells.estimate import cell_distance, cell_estimate, fallen
from transnet.cells.level import CellLevel
from transnet.cells.materials import joined_tiles
from transnet.cells.near import NearFunctions
from transnet.cells.newton import iterate_cells
from transnet.cells.outline import ArcSamples
from transnet.cells.plan import DEGREES, level_seconds, next_level
from transnet.cells.reduce import CellState
from transnet.cells.seeds import Sizes, seeds_for
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.geometry.partition import shapes_of
from transnet.remember import Remembered
from transnet.solution.diagnostics import Coarser

FIRST = 10
"""Cells of a domain without holes, channels and corners."""
BEGIN = (4.0, 1.1, 14)
"""The degree of the first level, a + b digits of the goal, and its largest."""
STEP = 2
"""By how much the degrees differ that are compared."""
SLOW = 0.05
"""If more than this part of the rows is left with the higher degree, that fall says little of the error, which is then
measured against a still higher degree: around a narrow bump 0.1 of the rows were left, and 0.6 of the error."""
WEAK = 1e-5
"""The same below this pivot: the rows hardly determine a function, and may leave much of it. The pivots of forty
problems are above 1e-4, near a resonance they are 1e-7 and less."""
MOST = 400
"""The most cells."""
LEVELS = 6
"""The most levels."""
ITERATED = 0.03
"""How far Newton's iteration goes on one set of cells, in units of the goal."""
_tiles: Remembered[CellBasis, Tiles | None] = Remembered()


def known_tiles(basis: CellBasis) -> Tiles | None:
    """The cells of a basis; None if it was read from a file."""
    return _tiles.get(basis, "", lambda: None)


@dataclass(frozen=True, eq=False)
class CellFound:
    """A solution in cells and that of a lower degree, its estimated error, its predicted time and that of the next,
    whether the error was measured against a higher degree, and the sizes that the cells were cut by."""

    level: CellLevel
    error: float
    seconds: float
    after: float
    coarse: CellLevel | None = None
    measured: bool = False
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


def first_degree(goal: float) -> int:
    """The degree of the first level: for a goal of four digits eight, for nine fourteen."""
    wanted = BEGIN[0] - BEGIN[1] * log10(goal)
    return min(max(2 * round(wanted / 2), DEGREES[0]), BEGIN[2])


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
    for places, size in narrow:
        sizes = tuple(s.with_finer(places, np.full(len(places), size)) for s in sizes)
    degree = first_degree(goal)
    unknowns = len(stated.problem.unknowns)
    sizes, tiles, singular, coarse = begin_cells(
        stated, sizes, lambda s: cut_cells(stated, s, corners), degree - STEP, start, ITERATED * goal
    )
    spent = level_seconds(len(tiles), degree - STEP, unknowns)
    for _ in range(LEVELS):
        fine = iterate_cells(stated, tiles, degree, singular, coarse, ITERATED * goal, coarse, goal)
        error = cell_estimate(coarse, fine)
        measured = error <= goal and bool(hardly_told(fallen(coarse, fine), fine.pivot))
        if measured:
            finer = iterate_cells(stated, tiles, degree + STEP, singular, fine, ITERATED * goal, fine, goal)
            error = cell_distance(finer, fine)
        seconds = spent + level_seconds(len(tiles), degree, unknowns)
        planned = next_level(coarse, fine, error, goal, sizes)
        yield CellFound(fine, error, seconds, planned.seconds, coarse, measured, tuple(sizes))
        if planned.sizes is None:
            coarse, spent = fine, 0.0
            degree = planned.degree
            continue
        sizes, degree = planned.sizes, planned.degree
        tiles, singular = cut_cells(stated, sizes, corners)
        if len(tiles) >= MOST and len(fine.tiles) >= MOST:
            return
        coarse = iterate_cells(stated, tiles, degree - STEP, singular, fine, ITERATED * goal)
        spent = level_seconds(len(tiles), degree - STEP, unknowns)


def hardly_told(fallen: np.ndarray | float, pivot: float) -> np.ndarray:
    """Whether the fall of what is left of the rows says little of the error."""
    return (np.asarray(fallen) > SLOW) | (pivot < WEAK)


def first_sizes(stated: CellProblem) -> tuple[Sizes, ...]:
    """The sizes of the first cells of each material: a few for the whole, smaller ones around holes and in channels."""
    largest = float(np.sqrt(stated.problem.domain.volume / FIRST))
    found = []
    for view, (_, shape) in zip(stated.views, shapes_of(stated.problem.domain), strict=True):
        corners = np.array([c.point for c in shape.corners_and_holes[0] if not c.flat]).reshape(-1, 2)
        found.append(Sizes(largest, *ArcSamples.of(view).sizes(corners)))
    return tuple(found)


def cut_cells(stated: CellProblem, sizes: Sequence[Sizes], corners: Corners) -> tuple[Tiles, NearFunctions]:
    """The cells of a domain and the functions of corners in them."""
    made = []
    for material, view in enumerate(stated.views):
        mine = np.flatnonzero(corners.material == material)
        seeds, samples = seeds_for(view, sizes[material], corners.points[mine], MOST)
        made.append(tiles_of(view, seeds, [corners.corners[k] for k in mine], samples))
    tiles = made[0] if len(made) == 1 else joined_tiles(made)
    return tiles, corners.functions(tiles)
