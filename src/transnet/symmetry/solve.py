"""One least-squares problem for each parity instead of one for all: 2^k of them, each with 2^-k of rows and columns.

Together their QR factorisations take 4^-k of the time of the whole. The solution is an ordinary one: the products of
cosines and sines are sums of the plane waves of its basis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.clock import Clock
from transnet.features.singular import NOTHING
from transnet.geometry.placement import Placement
from transnet.linalg.least_squares import QR, SVD, Coefficients, PivotedQR, Solver, misfit, triangle_of
from transnet.problem import Problem
from transnet.rows.assembly import CONDITION_WEIGHT
from transnet.rows.blocks import Block
from transnet.solution.diagnostics import Diagnostics
from transnet.symmetry.judge import judged
from transnet.symmetry.mirrors import mirrors_of
from transnet.symmetry.rows import Orbit, by_parity, corners
from transnet.symmetry.singular import ByParity, by_parity_of
from transnet.symmetry.waves import Products, products_of

SPARE = 1.3
"""The fewest rows per column of a parity."""
SAMPLE = 48
"""Rows of a block whose norms are measured."""


@dataclass(frozen=True, eq=False)
class Parts:
    """The least-squares problems of all parities.

    Parameters
    ----------
    singular : ByParity
        The singular functions beside the waves.
    table : array
        The products at all points of all corners, one after the other.
    places : list of slice
        The points of each corner in it.
    triangles : list of arrays
        [R | c] of each parity: the column of the constant, which only the even one has, early singular functions, the
        products, late singular functions.
    found : list of Coefficients
    weights : list of float
        Of the rows of each corner.
    """

    products: Products
    singular: ByParity
    corners: list[Orbit]
    table: np.ndarray
    places: list[slice]
    triangles: list[np.ndarray]
    found: list[Coefficients]
    weights: list[float]

    def before(self, parity: int) -> int:
        """Columns before the products."""
        return (parity == 0) + len(self.singular.early[parity])

    @cached_property
    def waves(self) -> np.ndarray:
        """The coefficients of the products, (parities, n phases)."""
        count = len(self.products.base) * self.products.phases
        return np.stack([f.values[self.before(k) :, 0][:count] for k, f in enumerate(self.found)])

    @cached_property
    def others(self) -> np.ndarray:
        """The coefficients of the singular functions for the part of each parity, (parities, functions)."""
        early = [f.values[int(k == 0) : self.before(k), 0] for k, f in enumerate(self.found)]
        late = [f.values[len(f.values) - len(b) :, 0] for f, b in zip(self.found, self.singular.late, strict=True)]
        return self.singular.sums(early, late)


def solve_mirrored(
    problem: Problem, basis: Basis, blocks: Sequence[Block], solver: Solver, parameters: Sequence[Any], clock: Clock
) -> tuple[np.ndarray, Diagnostics] | None:
    """The coefficients and what is known about them; None if the problem, the basis or the solver is not supported."""
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
    singular = by_parity_of(space.plane, mirrors.axes, basis.placement, placed[0].points)
    if singular is None:
        return None
    parts = _factored(products, singular, placed, basis.placement, solver, clock)
    coefficients = np.empty(space.size)
    coefficients[0] = parts.found[0].values[0, 0]
    coefficients[space.neuron_columns] = products.to_waves(parts.waves)
    if len(space.singular):
        coefficients[space.singular_columns] = parts.others.sum(axis=0)
    diagnostics = judged(problem, basis, blocks, parts, coefficients, parameters, clock)
    return coefficients, diagnostics


def _factored(
    products: Products,
    singular: ByParity,
    placed: list[Orbit],
    placement: Placement,
    solver: Solver,
    clock: Clock,
) -> Parts:
    table, places = _tables(products, placed, placement)
    whole, weights = _rows(products, singular, placed, placement, table, places)
    clock.lap("assemble")
    triangles = [triangle_of(matrix) for matrix in _matrices(whole, singular)]
    found = []
    for triangle in triangles:
        n = triangle.shape[1] - 1
        found.append(solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]))
    clock.lap("solve")
    return Parts(products, singular, placed, table, places, triangles, found, weights)


def mirrored_misfit(products: Products, placed: list[Orbit], placement: Placement, weights: Sequence[float]) -> float:
    """The norm of the residual of the weighted least-squares problem, all parities together."""
    nothing = [np.empty((0, 0))] * products.parities
    singular = ByParity(NOTHING, nothing, nothing)
    whole, _ = _rows(products, singular, placed, placement, *_tables(products, placed, placement), weights)
    return float(np.linalg.norm([misfit(matrix) for matrix in _matrices(whole, singular)]))


def _tables(products: Products, placed: list[Orbit], placement: Placement) -> tuple[np.ndarray, list[slice]]:
    """The products at all points, and where those of each corner are among them."""
    ends = np.cumsum([0, *(len(c.points) for c in placed)])
    return products.tables(placement(np.concatenate([c.points for c in placed]))), [
        slice(a, b) for a, b in pairwise(ends)
    ]


def _most(combinations: Sequence[np.ndarray]) -> int:
    return max(map(len, combinations))


def _matrices(whole: np.ndarray, singular: ByParity) -> list[np.ndarray]:
    """[A | b] of each parity; the constant belongs to the even one."""
    found = []
    for k, matrix in enumerate(whole):
        first = _most(singular.early) - len(singular.early[k])
        last = len(matrix) - _most(singular.late) + len(singular.late[k])
        found.append(matrix[first + (k > 0) : last].T)
    return found


def _rows(
    products: Products,
    singular: ByParity,
    placed: list[Orbit],
    placement: Placement,
    table: np.ndarray,
    places: list[slice],
    given: Sequence[float] | None = None,
) -> tuple[np.ndarray, list[float]]:
    """The weighted rows of all parities, transposed, and the weights.

    So every parity is a Fortran-ordered matrix: the constant, singular functions, products, late singular functions,
    the right-hand side; a parity with fewer singular functions than others has gaps only at the ends.
    """
    rows = sum(c.fitted for c in placed)
    columns = len(products.base) * products.phases
    early, late = _most(singular.early), _most(singular.late)
    waves = slice(1 + early, 1 + early + columns)
    shape = (products.parities, columns + 2 + early + late, rows)
    whole = np.zeros(shape) if early or late else np.empty(shape)
    start, weights = 0, []
    for k, (corner, place) in enumerate(zip(placed, places, strict=True)):
        here = slice(start, start + corner.fitted)
        fitted = slice(place.start, place.start + corner.fitted)
        out = whole[:, :, here]
        level = constant_of(corner)
        right = by_parity(-corner.free[:, : corner.fitted])
        write(out[:, waves], products, table[..., fitted], corner, placement)
        terms = _terms(corner, placement) if early or late else []
        before, after = singular.values(placement(corner.points[: corner.fitted]), terms)
        for parity in range(products.parities):
            first, last = early - len(before[parity]), waves.stop + len(after[parity])
            out[parity, first] = level[: corner.fitted] if np.ndim(level) else level
            out[parity, first + 1 : waves.start] = before[parity]
            out[parity, waves.stop : last] = after[parity]
            out[parity, last] = 0.0
        weights.append(_weight(corner, out) if given is None else given[k])
        for parity in range(products.parities):
            out[parity, waves.stop + len(after[parity])] = right[parity]
        out *= weights[-1]
        start += corner.fitted
    return whole, weights


def _terms(corner: Orbit, placement: Placement) -> list[tuple[tuple[int, ...], np.ndarray | float]]:
    """The derivatives in the coordinates of the ball with their coefficients at the fitted points."""
    slots = zip(corner.statement.equation.slots, corner.coefficients, strict=True)
    return [(i, (c[: corner.fitted] if np.ndim(c) else float(c)) / placement.unit(i)) for (_, i), c in slots]


def constant_of(corner: Orbit) -> Any:
    """The coefficient of the unknown itself, which multiplies the constant in an equation."""
    zero = [
        c for (_, index), c in zip(corner.statement.equation.slots, corner.coefficients, strict=True) if not any(index)
    ]
    return zero[0] if zero else 0.0


def write(out: np.ndarray, products: Products, table: np.ndarray, corner: Orbit, placement: Placement) -> None:
    """Write sum_k c_k D^k of all products at the fitted points of a corner: (parities, n phases, points)."""
    shape = (*table.shape[:-3], len(products.base), products.phases, table.shape[-1])
    # The phases are adjacent, so that leading columns are a smaller network.
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


def _weight(corner: Orbit, rows: np.ndarray) -> float:
    """Unit norm and one over the root of their number, as in `weight_of`, with the rows of all parities taken together.

    The rows are without their right-hand sides.
    """
    statement = corner.statement
    wanted = statement.weight
    if wanted is None:
        wanted = CONDITION_WEIGHT["sin"] if statement.kind == "condition" else 1.0
    # A statement that is mapped to others represents all of them, and each counts as much as if it stood alone.
    wanted *= np.sqrt(len(set(corner.images)))
    sample = rows[..., :: max(1, rows.shape[-1] // SAMPLE)]
    largest = float(np.abs(sample).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return wanted / ((largest or 1.0) * np.sqrt(rows.shape[-1]))
    sample = sample / largest
    norm = largest * float(np.sqrt(np.einsum("ijk,ijk->", sample, sample) / sample.shape[-1]))
    return wanted / (norm * np.sqrt(rows.shape[-1]))
