"""Unknowns of very different sizes are solved in units of their own.

Beside an unknown of size 1e10 one of size 1e-10 is lost in rounding: least squares has sixteen digits for all of them
together. The sizes follow from the data or, for an unknown without data, from those of the others in its equations, so
they are known before anything is solved. Data whose squares would overflow or underflow are rescaled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import frexp
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.drive.plan import Plan
from transnet.errors import TransnetError
from transnet.geometry import Pieces
from transnet.problem import Problem
from transnet.problem.elsewhere import Over
from transnet.problem.units import in_units, restatable
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import Statement, statements_of
from transnet.solution.solution import Solution

FAR = 1e6
"""If sizes are further apart than this, the smaller unknown has fewer than ten digits beside the larger."""
HUGE = 1e100
"""Data above this are divided by their size: their squares would overflow."""
SAMPLED = 24
"""Columns for which points are drawn: sizes are needed only to a factor of ten."""
LOST = ("guess", "space", "start", "until", "keep", "to", "continuation", "strategy", "points")
"""What is reported about a solve in the units of the problem, and left unchanged."""


@dataclass(frozen=True, eq=False)
class Units:
    """The units in which a plan is carried out.

    Parameters
    ----------
    sizes : (unknowns,) array
        Powers of two.
    divisor : float
        The divisor of all statements, a power of two.
    """

    plan: Plan
    sizes: np.ndarray
    divisor: float

    def restated(self) -> Plan:
        """The plan for the problem in these units."""
        watch = self.plan.watch
        told: Callable[[Solution], None] | None = None if watch is None else lambda found: watch(self.back(found))
        return replace(self.plan, problem=in_units(self.plan.problem, self.sizes.tolist(), self.divisor), watch=told)

    def back(self, found: Solution) -> Solution:
        """Convert a solution in these units to one of the problem as stated."""
        problem, known = self.plan.problem, found.diagnostics
        coefficients = np.array(found.coefficients)
        triangle = None if known.triangle is None else known.triangle.copy()
        coarser = known.coarser and replace(known.coarser, coefficients=np.array(known.coarser.coefficients))
        for k, size in enumerate(self.sizes):
            columns = found.basis.slice_of(k)
            coefficients[columns] *= size
            if coarser is not None:
                coarser.coefficients[coarser.basis.slice_of(k)] *= size
            if triangle is not None:
                triangle[:, columns] /= size
        basis = found.basis
        if isinstance(basis, Basis) and basis.known is not None:
            basis = replace(basis, known=replace(basis.known, factors=basis.known.factors * self.sizes[0]))
        # In pieces the statements differ, and stay in the units in which they were solved.
        statements = statements_of(problem)
        blocks, residuals = found.blocks, known.residuals
        if len(blocks) == len(statements):
            blocks = tuple(_stated(s, b, self.divisor) for s, b in zip(statements, blocks, strict=True))
        if len(residuals) == len(statements):
            residuals = tuple(
                replace(
                    r,
                    label=s.label,
                    weight=r.weight / self.divisor,
                    rms=r.rms * self.divisor,
                    largest=r.largest * self.divisor,
                )
                for s, r in zip(statements, residuals, strict=True)
            )
        each = ", ".join(f"{name} by {size:.0e}" for name, size in zip(problem.names, self.sizes, strict=True))
        notes = (*known.notes, f"solved in units of the unknowns' sizes: {each}")
        diagnostics = replace(known, triangle=triangle, coarser=coarser, residuals=residuals, notes=notes)
        found = replace(found, problem=problem, basis=basis, coefficients=coefficients)
        return replace(found, diagnostics=diagnostics, blocks=blocks)


def _stated(statement: Statement, block: Block, divisor: float) -> Block:
    values = None if block.values is None else block.values * divisor
    return Block(statement, block.nodes, block.normals, values)


def units_of(plan: Plan) -> Units | None:
    """The units in which a plan should be carried out; None if those of the problem are fine."""
    problem = plan.problem
    if any(getattr(plan, name) is not None for name in LOST) or not _restatable(problem):
        return None
    try:
        coefficients, rights, orders = _sizes(plan)
    except TransnetError:
        return None  # the solve reports what is wrong
    sizes = natural_sizes(coefficients, rights, orders)
    if sizes is None:
        return None
    largest = float(np.max(np.maximum(rights, (coefficients * sizes).max(axis=1))))
    if sizes.max() < FAR * sizes.min() and largest < HUGE:
        return None
    divisor = _power_of_two(largest) if largest >= HUGE else 1.0
    return Units(plan, np.array([_power_of_two(s) for s in sizes]), divisor)


def _restatable(problem: Problem) -> bool:
    """Whether all statements can be written in other units."""
    if isinstance(problem.domain, Pieces) or not all(map(restatable, problem.conditions)):
        return False
    return not any(e.has(Over, sp.Integral, sp.Subs) for e in problem._expressions())


def natural_sizes(coefficients: np.ndarray, rights: np.ndarray, orders: np.ndarray) -> np.ndarray | None:
    """The size of each unknown: that of its own data, or else the one implied by the other terms of its equations.

    Parameters
    ----------
    coefficients : (statements, unknowns) array
        The size of the terms with each unknown, if it were of size one.
    rights : (statements,) array
        The size of the right-hand sides.
    orders : (statements, unknowns) array
        The highest derivative of each unknown, -1 if it does not occur.
    """
    sizes = np.zeros(coefficients.shape[1])
    alone = np.count_nonzero(coefficients, axis=1) == 1
    for k in range(len(sizes)):
        mine = alone & (coefficients[:, k] > 0) & (rights > 0)
        if mine.any():
            sizes[k] = (rights[mine] / coefficients[mine, k]).max()
    for _ in range(len(sizes)):
        known = sizes.copy()
        for k in np.flatnonzero(known == 0).tolist():
            others = np.maximum(rights, (coefficients * known).max(axis=1))
            mine = (coefficients[:, k] > 0) & (others > 0)
            first = mine & (orders[:, k] == orders.max(axis=1))
            if first.any():
                sizes[k] = (others[first] / coefficients[first, k]).max()
            elif mine.any():
                sizes[k] = (others[mine] / coefficients[mine, k]).min()
        if (sizes > 0).all():
            break
    if not (sizes > 0).any() or not np.isfinite(sizes).all():
        return None
    # Nothing drives the others: they get the size of the largest.
    sizes[sizes == 0] = sizes.max()
    return sizes


def _sizes(plan: Plan) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `natural_sizes` needs, for the problem at a few points; nonlinear statements are linearised at zero."""
    problem, numbers = plan.problem, tuple(plan.values.values())
    statements = statements_of(problem)
    half = 0.5 * np.diff(np.asarray(problem.domain.bounds, dtype=float), axis=0)[0]
    coefficients = np.zeros((len(statements), len(problem.unknowns)))
    rights, orders = np.zeros(len(statements)), np.full(coefficients.shape, -1)
    blocks = collocate(problem, statements, SAMPLED, Points(), plan.seed, (), crude=True)
    for i, block in enumerate(blocks):
        factors, right = block.statement.equation.magnitudes(block.points, block.normals, numbers)
        measured = 0.0 if block.values is None else float(np.abs(block.values).max(initial=0.0))
        rights[i] = max(right, measured)
        for (k, index), factor in zip(block.slots, factors, strict=True):
            coefficients[i, k] = max(coefficients[i, k], factor / float(np.prod(half ** np.array(index))))
            orders[i, k] = max(orders[i, k], sum(index))
    return coefficients, rights, orders


def _power_of_two(size: Any) -> float:
    """The power of two nearest to a number: multiplying by it changes no digit."""
    return float(2.0 ** (frexp(float(size))[1] - 1))
