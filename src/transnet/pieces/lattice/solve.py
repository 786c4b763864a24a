"""Solving on a regular grid: one reduction for all cells, and a comparison with smaller networks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.choose.effort import GOOD, Effort
from transnet.clock import Clock
from transnet.features.space import FeatureSpace
from transnet.linalg.sizes import rms
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.boxes import Boxes
from transnet.pieces.estimate import SEEN
from transnet.pieces.lattice.cube import made_cube
from transnet.pieces.lattice.dissect import STEPS, factored_grid
from transnet.pieces.lattice.gradients import Gradients
from transnet.pieces.lattice.joined import Joined
from transnet.pieces.lattice.law import Law
from transnet.pieces.lattice.look import Looked, look
from transnet.pieces.messages import messages_of
from transnet.pieces.plan import face_points
from transnet.pieces.solve import COARSER
from transnet.solution.diagnostics import Diagnostics, Tried
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE

PHASE = {2: 4.0, 3: 1.6}
"""The highest frequency times the half width of a cell, by dimension."""
UNDETERMINED_PIVOT = 1e-12
"""A direction whose pivot is smaller is not determined; those that are were above 1e-7."""
BEYOND = {2: 1.2, 3: 1.4}
"""How far the band reaches beyond that frequency (2D: 1.0 and 1.5 are up to ten times worse)."""
NARROWEST = {2: 2.5, 3: 1.5}
"""The smallest bandwidth of a cell, if nothing oscillates."""
WAVES = {2: (80, 27), 3: (60, 68)}
"""Waves of a cell, a + b digits: with these phases the error is below the tolerance, and so is the estimate."""
FEWEST = {2: 120, 3: 160}
FIRST = {2: 3, 3: 3}
"""The fewest boxes along an axis."""
FREE = {2: 40_000, 3: 20_000}
"""Columns up to which a plain solve aims at nine digits."""
MOST = {2: 4_000_000, 3: 24_000_000}
"""The most columns, by dimension: a few minutes and gigabytes."""
WIDEST = 3_000
"""The most kept columns of a layer that cuts a grid in space, if conjugate gradients fail."""
SAFETY = 3.0
"""The factor of the change from smaller networks times the fall of the indicator: with 2 the error was up to 1.2 times
the estimate, and it is 0.02 to 0.8 times this one (tests/pieces/test_lattice.py)."""
FALLEN = 0.02
"""The indicator shows by how much the error has fallen from smaller networks, down to this: beyond that there is
rounding."""
ROUNDS = 3
FINER = 1.35
"""The factor by which the number of boxes along each axis grows in the next round."""
STORED = 200_000
"""The most fitted points that a solution keeps."""
MORE_DIGITS = 9.0
"""The digits that a plain solve aims at if they cost little (`FREE`)."""
SOLVED, REFINED = 0.01, 0.1
"""The accuracy of the iteration for the glue, in units of what is wanted, and the relative accuracy of the
refinement."""


@dataclass(frozen=True, eq=False)
class GridLevel:
    """A solution on a grid: `coefficients` (cells, columns) of the cell's features in its units."""

    joined: Joined
    space: FeatureSpace
    coefficients: np.ndarray
    looked: Looked


def counts_for(law: Law, highest: np.ndarray, finer: float = 1.0) -> tuple[int, ...]:
    """Boxes along each axis for data of these frequencies."""
    d = len(highest)
    extent = np.ptp(law.bounds, axis=0)
    wanted = finer * np.maximum(highest * extent / (2 * PHASE[d]), 0.0)
    least = np.maximum(np.ceil(finer * FIRST[d] * extent / extent.max()), 1)
    return tuple(int(n) for n in np.maximum(np.ceil(wanted - BESIDE), least))


def waves_for(dimension: int, digits: float) -> int:
    """The number of waves of a cell for this many digits."""
    base, slope = WAVES[dimension]
    return 2 * round(max(FEWEST[dimension], base + slope * digits) / 2)


def solve_lattice(
    law: Law,
    highest: np.ndarray,
    effort: Effort,
    values: Mapping[Any, Any],
    watch: Callable[[Solution], None] | None = None,
) -> Solution | None:
    """Solve on regular grids until the tolerance holds; None if the glue cannot be solved."""
    clock = Clock()
    d = law.problem.domain.dimension
    wanted = GOOD if effort.tol is None else effort.tol
    best: Solution | None = None
    steps: list[Tried] = []
    finer = 1.0
    for _ in range(ROUNDS):
        counts = counts_for(law, highest, finer)
        neurons = waves_for(d, -np.log10(wanted))
        more = waves_for(d, MORE_DIGITS)
        if effort.tol is None and np.prod(counts) * more * len(law.problem.unknowns) <= FREE[d]:
            neurons = more
        if np.prod(counts) * neurons * len(law.problem.unknowns) > MOST[d]:
            break
        coarse = solve_grid(law, counts, highest, int(COARSER * neurons), wanted, clock)
        fine = solve_grid(law, counts, highest, neurons, wanted, clock) if coarse is not None else None
        if coarse is None or fine is None:
            break
        error = grid_estimate(coarse, fine)
        clock.lap("estimate")
        spent = sum(clock.laps.values()) - sum(s.seconds for s in steps)
        cells = fine.joined.cells
        steps.append(Tried(cells * neurons, error, spent, cells, float(fine.looked.cells.max())))
        found = _solution(values, fine, error, clock)
        if watch is not None:
            watch(found)
        better = best is None or error < best.error
        best = found if better else best
        if error <= wanted or not better or effort.left() < spent:
            break
        finer *= FINER
    if best is None:
        return None
    known = replace(best.diagnostics, messages=messages_of(best, effort.tol, 1.0))
    return replace(best, diagnostics=known, history=tuple(steps))


def solve_grid(
    law: Law, counts: tuple[int, ...], highest: np.ndarray, neurons: int, wanted: float, clock: Clock
) -> GridLevel | None:
    """Solve on one grid; None if the glue is singular, or takes too long."""
    d = len(counts)
    half = np.ptp(law.bounds, axis=0) / (2 * np.array(counts))
    band = np.maximum(BEYOND[d] * highest * half, NARROWEST[d])
    fill = float(np.prod(band / (0.5 * np.pi)) / neurons)
    space = FeatureSpace.waves(d, neurons + neurons % 2, fill, axes=band)
    cube = made_cube(law, half, space, face_points(d, neurons))
    clock.lap("factor")
    joined = Joined(cube, law.bounds[0], counts)
    right, fixed = joined.rights()
    clock.lap("rows")
    z = _by_gradients(joined, right, wanted) if d == 3 else None
    if z is None:
        if d == 3 and cube.kept * np.prod(np.sort(counts)[:-1]) > WIDEST:
            return None
        z = _by_elimination(joined, right)
    if z is None:
        return None
    clock.lap("glue")
    coefficients = cube.back(z.reshape(joined.cells, -1), fixed)
    clock.lap("solve")
    return GridLevel(joined, space, coefficients, look(joined, coefficients))


def _by_gradients(joined: Joined, right: Any, wanted: float) -> np.ndarray | None:
    glue = Gradients(joined)
    z = glue.solve(joined.transposed(right), SOLVED * wanted)
    if z is None:
        return None
    more = glue.solve(joined.transposed(right - joined.rows(z)), REFINED)
    return z if more is None else z + more


def _by_elimination(joined: Joined, right: Any) -> np.ndarray | None:
    glue = factored_grid(joined)
    if glue.weakest < UNDETERMINED_PIVOT:
        return None
    z = glue.solve(joined.transposed(right))
    for _ in range(STEPS):
        z += glue.solve(joined.transposed(right - joined.rows(z)))
    return z


def grid_estimate(coarse: GridLevel, fine: GridLevel) -> float:
    """The estimated relative L2 error: the change from smaller networks times the fall of the indicator."""
    changes, sizes = [], []
    for old, new in zip(coarse.looked.values, fine.looked.values, strict=True):
        changes.append(float(rms(new - old)))
        sizes.append(float(rms(new)))
    change = float((np.array(changes) / floored(np.array(sizes))).max())
    eta, before = (float(rms(level.looked.cells)) for level in (fine, coarse))
    return max(SAFETY * change * float(np.clip(eta / max(before, 1e-300), FALLEN, 1.0)), SEEN * eta)


def _solution(values: Mapping[Any, Any], level: GridLevel, error: float, clock: Clock) -> Solution:
    joined, law = level.joined, level.joined.cube.law
    m, half = joined.cells, joined.cube.frame.half
    boxes = Boxes(joined.centres - half, joined.centres + half)
    unknowns = len(law.problem.unknowns)
    basis = PiecewiseBasis(
        None,
        boxes,
        np.arange(m),
        np.zeros(m, dtype=int),
        joined.centres,
        np.tile(half, (m, 1)),
        level.space,
        unknowns,
    )
    coefficients = (level.coefficients * np.repeat(joined.cube.frame.units, level.space.size)).ravel()
    rows = sum(r.rows for r in level.looked.residuals)
    known = Diagnostics(
        residuals=level.looked.residuals,
        solver=f"{m} pieces (one reduction for all of them) and glue",
        rows=rows,
        columns=basis.columns,
        error=error,
        amplification=float("nan"),
        nested=(),
        seconds=dict(clock.laps),
        stated_rank=basis.columns,
    )
    each = max(1, min(len(joined.cube.inside), STORED // m))
    points = (joined.centres[:, None, :] + joined.cube.inside[:each]).reshape(-1, len(half))
    return Solution(law.problem, basis, coefficients, dict(values), known, stored_points=points)
