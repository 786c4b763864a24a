"""Conditions on points of the boundary, of which every other one is fitted, for functions that solve the equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.foci import Focus, denser, widths
from transnet.geometry import Domain
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual
from transnet.tolerances import ROUNDED

if TYPE_CHECKING:
    from transnet.basis.outside import Outside
    from transnet.basis.penetrable import Penetrable
    from transnet.basis.slow import SlowFlow

    Solving = Basis | Outside | SlowFlow | Penetrable

PER_COLUMN = 2.0
"""Fitted points for each function, besides those that corners and holes need. From 1.2 to 3 errors and times are the
same within a tenth (benchmarks/constants.py boundary)."""


@dataclass(frozen=True, eq=False)
class Edge:
    """A condition on its points.

    Parameters
    ----------
    block : Block
        The block at the fitted points.
    rows : (columns, n) array
        The condition applied to the functions at all points.
    right : (n,) array
        The right-hand side there.
    coefficients : sequence of arrays
        Of its slots at the fitted points.
    weight : float
        Of its rows.
    """

    block: Block
    rows: np.ndarray
    right: np.ndarray
    coefficients: Sequence[np.ndarray]
    weight: float

    @property
    def fitted(self) -> np.ndarray:
        """Its weighted rows with their right-hand side, transposed."""
        return self.weight * np.concatenate([self.rows[:, ::2], self.right[None, ::2]])

    def residual(self, coefficients: np.ndarray, size: float) -> Residual:
        """The residual at the points that were not fitted, for a solution of that size."""
        value = coefficients @ self.rows[:, 1::2] - self.right[1::2]
        left, rows = float(rms(value)), self.block.rows
        terms = max(float(rms(self.right[1::2])), size * max(float(rms(np.atleast_1d(c))) for c in self.coefficients))
        relative = left / terms if terms > 0 else float(left > 0)
        return Residual(self.block.statement.label, rows, self.weight, left, float(np.abs(value).max()), relative)


def edges_of(
    problem: Problem,
    basis: Solving,
    statements: Sequence[Statement],
    numbers: Sequence[Any],
    seed: int,
) -> list[Edge]:
    """The conditions of a problem on their points."""
    # A point has a row for each part of a complex field.
    fields = sum(s.source is None for s in statements)
    step = problem.domain.measure("boundary") * fields / (2.0 * PER_COLUMN * basis.columns)
    # Of twice as many points each half is as dense as the features need.
    foci = [replace(f, gamma=0.5 * f.gamma) for f in basis.foci]
    return [_edge(problem, basis, s, numbers, foci, step, seed) for s in statements if s.source is not None]


def _edge(
    problem: Problem,
    basis: Solving,
    statement: Statement,
    numbers: Sequence[Any],
    foci: Sequence[Focus],
    step: float,
    seed: int,
) -> Edge:
    part, slots = statement.part, statement.equation.slots
    assert part is not None
    return edge_on(
        problem.domain, part, basis.columns, statement, numbers, foci, step, seed,
        lambda rows, points, coefficients: basis.write(rows, points, slots, coefficients),
        lambda points: basis.fixed(points, slots), basis.kind in ("outside", "penetrable"),
    )  # fmt: skip


def edge_on(
    domain: Domain, part: str, columns: int, statement: Statement, numbers: Sequence[Any], foci: Sequence[Focus],
    step: float, seed: int, write: Callable[..., None], fixed: Callable[..., Any], shared: bool = True,
) -> Edge:  # fmt: skip
    """A condition on points of a part, with functions that write its rows and give what is fixed in them."""
    equation = statement.equation
    count = 2 * int(np.ceil(0.5 * domain.measure(part) / step))
    surface = domain.boundary(part, count, "quasi", seed)
    points, normals = surface.points, surface.normals
    if foci:
        more = denser(domain, part, foci, step)
        points, normals = np.concatenate([points, more.points]), np.concatenate([normals, more.normals])
    coefficients = equation.jacobian(points, normals, numbers)
    right = -equation.residual(points, normals, numbers, fixed(points))
    rows = np.empty((columns, len(points)))
    write(rows, points, coefficients)
    block = Block(statement, Nodes(points[::2]), normals[::2])
    fitted = [c if np.ndim(c) == 0 else c[::2] for c in coefficients]
    if shared and equation.order > 0:
        # Fluxes are unbounded at corners, where the points are dense: each counts as its part of the boundary.
        share = widths(foci, points, step)
        rows, right = rows * share, right * share
    norm = float(rms(rows[:, ::2])) or 1.0
    return Edge(block, rows, right, fitted, 1.0 / (norm * np.sqrt(block.rows)))


def source_left(
    basis: Solving, statement: Statement, points: np.ndarray, numbers: Sequence[Any]
) -> tuple[Residual, float]:
    """How well the formula represents the source, and how large a solution the remainder can produce.

    In a strip of half width l a source of size s produces a solution of size s l^2 / 2.
    """
    equation = statement.equation
    state = basis.fixed(points, equation.slots) or [np.zeros(len(points)) for _ in equation.slots]
    value = equation.residual(points, None, numbers, state)
    coefficients = equation.jacobian(points, None, numbers)
    left = float(rms(value))
    terms = float(rms(sum((np.abs(c * s) for c, s in zip(coefficients, state, strict=True)), np.zeros(len(points)))))
    steepest = max(
        abs(float(c)) / basis.placement.unit(index) for (_, index), c in zip(equation.slots, coefficients, strict=True)
    )
    relative = left / terms if terms > 0 else float(left > 0)
    residual = Residual(statement.label, 0, 1.0, left, float(np.abs(value).max()), relative)
    # Rounding is not a source: its values at neighbouring points are unrelated.
    return residual, left / (2.0 * steepest) if relative > ROUNDED else 0.0
