"""The tangents of a solution in cells: its rows linearised, factored once for any number of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from transnet.cells.basis import CellBasis
from transnet.cells.columns import STEP, CellColumns
from transnet.cells.joined import JoinedCells
from transnet.cells.level import JUDGED, CellLevel, CellRows, solve_cells
from transnet.cells.reduce import linearised
from transnet.cells.solve import CellFound, known_tiles
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import TransnetError
from transnet.gradient.network import Tangents, held_changes, least_sizes
from transnet.gradient.variation import Variation
from transnet.remember import Remembered
from transnet.rows.statements import Statement
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

CLOSEST, LOOSEST = 1e-9, 1e-7
"""The limits of the relative error that cells are asked for in place of products of polynomials."""
FURTHER = 4
"""How many degrees are tried, that of the solution first: a tangent may oscillate more than the solution."""


def cell_tangents(solution: Solution, variations: Sequence[Variation], enough: float) -> Tangents | None:
    """The tangents in the cells of the solution, of a higher degree where they need it; None if it has no cells, or
    they are not known any more."""
    basis, problem = solution.basis, solution.problem
    tiles = known_tiles(basis) if isinstance(basis, CellBasis) else None
    if not isinstance(basis, CellBasis) or tiles is None:
        return None
    stated = CellProblem.of_problem(problem, tuple(solution.parameters.values()))
    if stated.means:
        return None
    columns = basis.functions
    here = CellLevel(tiles, columns, solution.coefficients)

    def rights(
        statement: Statement, points: np.ndarray, normals: np.ndarray | None, state: Sequence[np.ndarray]
    ) -> np.ndarray:
        """-dF of a statement by each parameter, and for comparison the right-hand side of the solution itself."""
        own = linearised(statement, points, normals, stated.numbers, state, None)[1]
        return np.hstack([own, -held_changes(solution, statement, points, normals, state, variations)])

    last = CellColumns.of(tiles, columns.degree - STEP, columns.orders, columns.singular)
    before = JoinedCells.of(CellRows.of(stated, tiles, last, here, rights)).fit().coefficients
    share, errors = np.ones(before.shape[1]), np.full(before.shape[1], np.inf)
    lacks, faint, counts = errors, least_sizes(solution, variations), np.ones(len(variations))
    for more in range(FURTHER):
        made = CellColumns.of(tiles, columns.degree + more * STEP, columns.orders, columns.singular)
        found = JoinedCells.of(CellRows.of(stated, tiles, made, here, rights)).fit().coefficients
        now, sizes = _distances(tiles, made, found, last, before)
        counts = np.minimum(sizes[1:] / (faint * (sizes[0] or 1.0)), 1.0)
        # As many times more exact than those of a lower degree as the solution is, or as those were than lower ones.
        share = np.minimum(now / lacks, 1.0) if more else share * min(solution.error / (now[0] or 1.0), 1.0)
        errors, lacks, last, before = np.maximum(share * now, solution.error)[1:], np.maximum(now, 1e-300), made, found
        if (counts * errors).max() <= enough:
            break
    there = basis if last.degree == columns.degree else CellBasis(basis.seeds, last, basis.domain)
    each = tuple(before[:, [k]] for k in range(1, before.shape[1]))
    own = solution.coefficients[:, None]
    return Tangents((there,) * len(each), each, own, np.zeros(0), tuple(errors.tolist()), tuple(counts.tolist()))


def _distances(
    tiles: Tiles, fine: CellColumns, whole: np.ndarray, coarse: CellColumns, part: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The distance of functions from others in cells, relative to their sizes, and these."""
    cells = np.arange(len(tiles))
    points = tiles.inside(cells, JUDGED, 0.25)
    share = np.sqrt(np.prod(tiles.half, axis=1))[:, None, None]
    size = apart = np.zeros(whole.shape[1])
    for u in range(fine.unknowns):
        values, others = (
            CellBasis(tiles.seeds, c).derivatives(a, points.reshape(-1, 2), [(u, (0, 0))], np.repeat(cells, JUDGED))[0]
            for c, a in ((fine, whole), (coarse, part))
        )
        values, others = (v.reshape(len(cells), JUDGED, -1) * share for v in (values, others))
        size, apart = size + np.sum(values**2, axis=(0, 1)), apart + np.sum((values - others) ** 2, axis=(0, 1))
    return np.sqrt(apart / np.where(size > 0, size, 1.0)), np.sqrt(size)


def without_products(solution: Solution) -> Solution:
    """A solution in products of polynomials on a rectangle solved again in cells, which have functions of its corners:
    where a side moves, second derivatives along it matter. Any other is returned as it is, or if cells do not fit."""
    if solution.basis.kind != "box" or solution.problem.domain.dimension != 2:
        return solution

    def solved() -> Solution:
        tol = float(np.clip(solution.error, CLOSEST, LOOSEST))
        plan = Plan(solution.problem, tol=tol, parameters=solution.parameters, method="cells")
        try:
            return replace(carried_out(plan), origin=solution.origin)
        except TransnetError:
            return solution

    return _polished.get(solution, "cells", solved)


_polished: Remembered[Solution, Solution] = Remembered()


def polished(solution: Solution) -> Solution:
    """A solution in cells with polynomials of a higher degree: where its domain moves, results need derivatives of one
    order more than it was solved for. Any other solution is returned as it is."""
    return _polished.get(solution, "", lambda: _finer(solution))


@on_one_thread
def _finer(solution: Solution) -> Solution:
    basis, problem = solution.basis, solution.problem
    tiles = known_tiles(basis) if isinstance(basis, CellBasis) else None
    if not isinstance(basis, CellBasis) or tiles is None:
        return solution
    columns = basis.functions
    here = CellLevel(tiles, columns, solution.coefficients)
    stated = CellProblem.of_problem(problem, tuple(solution.parameters.values()))
    fine = solve_cells(stated, tiles, columns.degree + 2 * STEP, columns.singular, here)
    return replace(solution, basis=CellFound(fine, solution.error, 0.0, 0.0).basis, coefficients=fine.coefficients)
