"""The first solution of a nonlinear problem: cells in which Newton's iteration converges, and a way to its beginning.

A flow that carries much more than diffuses needs small cells, or Newton's iteration goes astray. How much it carries is
known when it is solved: so a part of what is nonlinear is solved first where the rest would be too much, on few cells,
and what it shows gives the cells of the next part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from transnet.cells.level import CellLevel, solve_cells
from transnet.cells.near import NearFunctions
from transnet.cells.newton import NotConvergedError, as_state, iterate_cells
from transnet.cells.plan import SEED_SPACING, finer_sizes
from transnet.cells.reduce import CellState
from transnet.cells.seeds import Sizes
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import carrying

CARRIED = (15.0, 6.0)
"""By how much terms of first order may exceed those of second order in a cell where an iteration begins, and where that
failed twice: in a cavity at a Reynolds number of 1000, and behind a step at 200, 15 are enough."""
AT_ONCE = 4.0
"""If they exceed them by this many times more, a part of what is nonlinear comes first."""
NEXT, PARTS = 3.0, 14
"""The factor from one part of what is nonlinear to the next, and the most of them."""

Cut = Callable[[Sequence[Sizes]], tuple[Tiles, NearFunctions]]


def begin_cells(
    stated: CellProblem, sizes: tuple[Sizes, ...], cut: Cut, degree: int, start: CellState, accuracy: float
) -> tuple[tuple[Sizes, ...], Tiles, NearFunctions, CellLevel]:
    """The first solution, and the cells that it needs: their sizes, the cells and the functions of corners in them."""
    tiles, singular = cut(sizes)
    found = solve_cells(stated, tiles, degree, singular, as_state(start, tiles))
    if stated.linear:
        return sizes, tiles, singular, found
    excess = float(carrying(stated, tiles, found.columns, found).max()) / CARRIED[0]
    reached, share, failures = 0.0, min(AT_ONCE / excess, 1.0) if excess > AT_ONCE else 1.0, 0
    state: CellState = start
    for _ in range(PARTS):
        part = stated if share == 1.0 else stated.with_share(share)
        finer = resolving(part, found, sizes, CARRIED[failures > 1])
        if finer is not None:
            sizes = finer
            tiles, singular = cut(sizes)
        elif share == 1.0 and state is start and len(stated.orders) == 1:
            state = replace(found, curvature=1.0 if start is None else np.inf)
        try:
            found = iterate_cells(part, tiles, degree, singular, state, accuracy, patient=False)
        except NotConvergedError:
            share, failures = 0.5 * (reached + share), failures + 1
            continue
        if share == 1.0:
            return sizes, tiles, singular, found
        state, reached, share = found, share, min(NEXT * share, 1.0)
    raise NotConvergedError("Newton's iteration in cells did not converge.")


def resolving(stated: CellProblem, level: CellLevel, sizes: Sequence[Sizes], most: float) -> tuple[Sizes, ...] | None:
    """Sizes of cells in which an iteration converges: small where what a flow carries is much more than what diffuses.

    None if the cells of a level are as small."""
    tiles = level.tiles
    excess = carrying(stated, tiles, level.columns, level) / most
    marked = np.flatnonzero(excess > 1.0)
    if not len(marked):
        return None
    wanted = SEED_SPACING * tiles.size[marked] / excess[marked]
    return finer_sizes(tiles, marked, wanted, sizes, np.zeros(len(tiles), dtype=bool))
