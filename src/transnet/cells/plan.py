"""Where cells must be smaller and which degree they need: predicted from one level, so that the next one is the last.

The rows that a cell leaves fall with its degree at a rate that two degrees on the same cells show. Halving a cell
squares that rate, about: polynomials converge like the distance of the nearest singularity in units of the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.cells.columns import STEP
from transnet.cells.level import CellLevel
from transnet.cells.seeds import Sizes
from transnet.cells.tiles import Tiles

LOWEST, HIGHEST = 8, 20
"""Degrees of cells; beyond the last one smaller cells are cheaper."""
MOST_OF_SYSTEMS = 14
"""The highest degree for several unknowns: with functions of corners higher ones were worse, and slower than smaller
cells."""
SLOWEST, FASTEST = 0.93, 0.2
"""The rates that are believed."""
WEIGHED = 1 / 3
"""The power of the quotient of degrees by which rates are smaller than what is left of all rows: as measured on cells
solved with both degrees on their own."""
HALVED = 0.55
"""The rate of a cell of half the size, for each degree, in units of that of the cell: measured 0.4 to 0.7."""
AT_CORNERS, RING, SLOW = 0.35, 5.0, 0.75
"""The same for the cell of a corner in a flow, for any degree: behind a step each halving leaves a third; the cells
that this adds; and the rate above which it is so."""
NARROWEST = 1e-5
"""The smallest cells that are asked for, in units of the extent of the domain."""
HALVES, DEEPEST = 2, 4
"""In how many steps a cell is halved, for one unknown and if it is not that of a corner; and how often at once."""
EACH = 4.0
"""Cells that take the place of one, for each halving: neighbours become smaller, too."""
AIM = 0.7
"""The part of the goal that is aimed at."""
SEED_SPACING, EVERY = 1.5, 6
"""The distance of seeds in units of the size of their cells; every how many rays a smaller size is asked for."""
LOCAL, JOINT = (3.6e-12, 4e-8, 2.9e-4), 4.4e-9
"""Seconds of a cell, for the cube and the square of its columns, and whatever their number; and of the glue, for the
cube of the free columns of a cell: fitted to 128 levels of 3 to 110 cells and degrees from 8 to 22, 10 % off."""
CALLS, CUT = 3.6e-3, 4e-4
"""The seconds of a level of any size, and of cutting out a cell."""


def level_seconds(cells: float, degree: int, unknowns: int) -> float:
    """The predicted time of a level: factorisations of cells and the glue."""
    columns = unknowns * (degree + 1) * (degree + 2) / 2
    free = unknowns * (2 * degree + 1)
    local = LOCAL[0] * columns**3 + LOCAL[1] * columns**2 + LOCAL[2]
    return CALLS + cells * (local + JOINT * free**3 * cells**0.5)


@dataclass(frozen=True)
class Planned:
    """The next level: its degree, the sizes of its cells, and the predicted number of them and seconds."""

    degree: int
    sizes: tuple[Sizes, ...] | None
    cells: float
    seconds: float


def next_level(coarse: CellLevel, fine: CellLevel, error: float, goal: float, sizes: Sequence[Sizes]) -> Planned:
    """The cheapest degree and sizes that are predicted to reach the goal from two degrees on the same cells."""
    floor, step, p = 1e-300, fine.degree - coarse.degree, fine.degree
    rate = (np.maximum(fine.left, floor) / np.maximum(coarse.left, floor)) ** (1.0 / step)
    unknowns = fine.columns.unknowns
    halves = HALVES if unknowns == 1 else 1
    if coarse.lower:  # rows of equations are divided by the square of the degree, here that of the finer one for both
        rate = rate * (coarse.degree / p) ** WEIGHED
    rate = np.clip(rate, FASTEST, SLOWEST)
    # Errors add up in the mean square: the worst cells are halved until the rest is small enough.
    allowed = (AIM * goal / error) ** 2 * float(np.sum(fine.left**2))
    # What a flow carries around a corner, and what coefficients that vary add there, is in no function of the corner.
    slow = fine.tiles.open & (rate > SLOW)
    best: Planned | None = None
    for degree in range(p, (HIGHEST if unknowns == 1 else MOST_OF_SYSTEMS) + 1, STEP):
        left = np.where(slow, fine.left, fine.left * rate ** (degree - p)) ** 2
        depth = np.zeros(len(rate))
        for _ in range(halves * DEEPEST):
            order = np.argsort(left)
            over = order[np.cumsum(left[order]) > allowed]
            left[over] *= np.where(slow[over], AT_CORNERS**2, HALVED ** (2 * degree / halves))
            depth[over] += np.where(slow[over], 1.0, 1 / halves)
        cells = float(np.sum(np.where(slow, 1.0 + RING * depth, EACH**depth)))
        if degree == p and not depth.any():
            depth[np.argmax(left)] = 1.0
        seconds = level_seconds(cells, degree, unknowns)
        if depth.any():  # other cells are made, and what is predicted of them is rougher: as if solved twice
            seconds += level_seconds(cells, degree - STEP, unknowns) + CUT * cells
        if best is None or seconds < best.seconds:
            marked = np.flatnonzero(depth)
            tiles = fine.tiles
            size = SEED_SPACING * tiles.size[marked] * 0.5 ** depth[marked]
            finer = None if not len(marked) else finer_sizes(tiles, marked, size, sizes, slow)
            best = Planned(degree, finer, cells, seconds)
    assert best is not None
    return best


def finer_sizes(
    tiles: Tiles, marked: np.ndarray, size: np.ndarray, sizes: Sequence[Sizes], corners: np.ndarray
) -> tuple[Sizes, ...]:
    """Sizes of cells that are smaller in marked ones; in those of corners only around the corner itself."""
    every = tiles.ends[marked][:, ::EVERY]
    around = np.where(corners[marked][:, None, None], tiles.origin[marked][:, None], every)
    places = np.concatenate([tiles.origin[marked][:, None], around], axis=1)
    size = np.maximum(size, NARROWEST * float(np.ptp(tiles.outline.points, axis=0).max()))
    return tuple(
        s.with_finer(places[mine].reshape(-1, 2), np.repeat(size[mine], places.shape[1]))
        for s, mine in ((s, tiles.within(k)[marked]) for k, s in enumerate(sizes))
    )
