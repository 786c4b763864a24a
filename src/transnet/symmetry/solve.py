"""One least-squares problem for each parity instead of one for all: 2^k of them, each with 2^-k of rows and columns.

Together their QR factorisations take 4^-k of the time of the whole. The solution is an ordinary one: the products of
cosines and sines are sums of the plane waves of its basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.clock import Clock
from transnet.geometry.placement import Placement
from transnet.linalg.least_squares import QR, SVD, Coefficients, PivotedQR, Solver, misfit, triangle_of
from transnet.problem import Problem
from transnet.rows.assembly import CONDITION_WEIGHT
from transnet.rows.blocks import Block
from transnet.solution.diagnostics import Diagnostics
from transnet.symmetry.judge import judged
from transnet.symmetry.mirrors import mirrors_of
from transnet.symmetry.rows import Corner, by_parity, corners
from transnet.symmetry.waves import Products, products_of

SPARE = 1.3
"""Rows for each column that a parity needs at least."""
SAMPLE = 48
"""Rows of a block whose norms are measured."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The least-squares problems of all parities.

    Parameters
    ----------
    table : array
        The products at all points of all corners, one after the other.
    places : list of slice
        The points of each corner in it.
    triangles : list of arrays
        [R | c] of each parity; that of the even one has the column of the constant first.
    found : list of Coefficients
    weights : list of float
        Of the rows of each corner.
    """

    products: Products
    corners: list[Corner]
    table: np.ndarray
    places: list[slice]
    triangles: list[np.ndarray]
    found: list[Coefficients]
    weights: list[float]


def solve_mirrored(
    problem: Problem, basis: Basis, blocks: Sequence[Block], solver: Solver, parameters: Sequence[Any], clock: Clock
) -> tuple[np.ndarray, Diagnostics] | None:
    """The coefficients and what is known of them; None if the problem, the basis or the solver is of another kind."""
    if len(basis.spaces) > 1 or type(solver) not in (QR, PivotedQR, SVD):
        return None
    space = basis.spaces[0]
    mirrors = mirrors_of(problem, parameters) if space.paired else None
    products = None if mirrors is None else products_of(space, mirrors.axes)
    if mirrors is None or products is None or any(b.nodes.fold is not None or b.nodes.away for b in blocks):
        return None
    placed = corners(blocks, mirrors, basis.placement, parameters)
    if placed is None or sum(c.fitted for c in placed) < SPARE * (space.size / products.parities):
        return None
    parts = _factored(products, placed, basis.placement, solver, clock)
    coefficients = np.empty(space.size)
    each = np.stack([f.values[-len(products.base) * products.phases :, 0] for f in parts.found])
    coefficients[0] = parts.found[0].values[0, 0]
    coefficients[1:] = products.to_waves(each)
    diagnostics = judged(problem, basis, blocks, parts, parameters, clock)
    return coefficients, diagnostics


def _factored(products: Products, placed: list[Corner], placement: Placement, solver: Solver, clock: Clock) -> Parts:
    table, places = _tables(products, placed, placement)
    whole, weights = _rows(products, placed, placement, table, places)
    clock.lap("assemble")
    triangles = [triangle_of(matrix) for matrix in _matrices(whole)]
    found = []
    for triangle in triangles:
        n = triangle.shape[1] - 1
        found.append(solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]))
    clock.lap("solve")
    return Parts(products, placed, table, places, triangles, found, weights)


def mirrored_misfit(products: Products, placed: list[Corner], placement: Placement, weights: Sequence[float]) -> float:
    """The norm of the residual of the weighted least-squares problem, all parities together."""
    whole, _ = _rows(products, placed, placement, *_tables(products, placed, placement), weights)
    return float(np.linalg.norm([misfit(matrix) for matrix in _matrices(whole)]))


def _tables(products: Products, placed: list[Corner], placement: Placement) -> tuple[np.ndarray, list[slice]]:
    """The products at all points, and where those of each corner are among them."""
    ends = np.cumsum([0, *(len(c.points) for c in placed)])
    return products.tables(placement(np.concatenate([c.points for c in placed]))), [
        slice(a, b) for a, b in pairwise(ends)
    ]


def _matrices(whole: np.ndarray) -> list[np.ndarray]:
    """[A | b] of each parity; the constant belongs to the even one."""
    return [matrix.T if k == 0 else matrix[1:].T for k, matrix in enumerate(whole)]


def _rows(
    products: Products,
    placed: list[Corner],
    placement: Placement,
    table: np.ndarray,
    places: list[slice],
    given: Sequence[float] | None = None,
) -> tuple[np.ndarray, list[float]]:
    """The weighted rows of all parities, transposed, and the weights."""
    rows = sum(c.fitted for c in placed)
    columns = len(products.base) * products.phases
    # Transposed, so that every parity is a Fortran-ordered matrix: the constant, the products, the right-hand side.
    whole = np.empty((products.parities, columns + 2, rows))
    start, weights = 0, []
    for k, (corner, place) in enumerate(zip(placed, places, strict=True)):
        here = slice(start, start + corner.fitted)
        fitted = slice(place.start, place.start + corner.fitted)
        out = whole[:, :, here]
        level = constant_of(corner)
        out[:, 0] = level[: corner.fitted] if np.ndim(level) else level
        write(out[:, 1:-1], products, table[..., fitted], corner, placement)
        out[:, -1] = by_parity(-corner.free[:, : corner.fitted])
        weights.append(_weight(corner, out) if given is None else given[k])
        out *= weights[-1]
        start += corner.fitted
    return whole, weights


def constant_of(corner: Corner) -> Any:
    """The coefficient of the unknown itself, which is what an equation makes of the constant."""
    zero = [
        c for (_, index), c in zip(corner.statement.equation.slots, corner.coefficients, strict=True) if not any(index)
    ]
    return zero[0] if zero else 0.0


def write(out: np.ndarray, products: Products, table: np.ndarray, corner: Corner, placement: Placement) -> None:
    """Write sum_k c_k D^k of all products at the fitted points of a corner: (parities, n phases, points)."""
    shape = (*table.shape[:-3], len(products.base), products.phases, table.shape[-1])
    # The phases are next to each other, so that leading columns are a smaller network.
    target = np.moveaxis(out.reshape(shape), -2, -3)
    for number, ((_, index), c) in enumerate(zip(corner.statement.equation.slots, corner.coefficients, strict=True)):
        turned, signs, powers = products.derivative(table, index)
        factor = signs * (powers / placement.unit(index))[:, None]
        factor = factor * (c[: corner.fitted] if np.ndim(c) else float(c))
        if number == 0:
            np.multiply(turned, factor, out=target)
        else:
            target += turned * factor
    if not corner.coefficients:
        out[:] = 0.0


def _weight(corner: Corner, rows: np.ndarray) -> float:
    """Unit norm and one over the root of their number, as in `weight_of`: the rows of all parities are one of all."""
    statement = corner.statement
    wanted = statement.weight
    if wanted is None:
        wanted = CONDITION_WEIGHT["sin"] if statement.kind == "condition" else 1.0
    # A statement that becomes others stands for all of them, and each counts as much as if it stood alone.
    wanted *= np.sqrt(len(set(corner.images)))
    sample = rows[:, :-1, :: max(1, rows.shape[-1] // SAMPLE)]
    largest = float(np.abs(sample).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return wanted / ((largest or 1.0) * np.sqrt(rows.shape[-1]))
    sample = sample / largest
    norm = largest * float(np.sqrt(np.einsum("ijk,ijk->", sample, sample) / sample.shape[-1]))
    return wanted / (norm * np.sqrt(rows.shape[-1]))
