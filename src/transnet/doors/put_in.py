"""Parameters that make a formula narrow are put into it: only with their values is it known where points are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.drive.plan import Plan
from transnet.geometry import Pieces
from transnet.problem import Problem
from transnet.reading.intervals import Interval
from transnet.reading.search import box_of
from transnet.reading.sharp import Sharp, sharp_parts
from transnet.rows.blocks import Block
from transnet.rows.equation import Equation
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution


def with_parameters_put_in(plan: Plan, solve: Callable[[Plan], Solution]) -> Solution:
    """Solve the problem with numbers for its parameters if something in it is sharp because of them."""
    problem = plan.problem
    values = {s: v for s, v in plan.values.items() if np.ndim(v) == 0} if problem.parameters else {}
    materials = isinstance(problem.domain, Pieces)
    if materials or len(values) < len(problem.parameters) or not values:
        return solve(plan)
    if plan.continuation is not None or plan.guess is not None:
        return solve(plan)
    numbers = {s: sp.Float(float(v)) for s, v in values.items()}
    box = box_of(problem.coordinates, problem.domain.bounds)
    formulas = [s.equation for s in statements_of(problem) if s.equation.parameters]
    if not any(_sharp(e, box, numbers) - _sharp(e, box, {}) for e in formulas):
        return solve(plan)

    def put(expression: Any) -> Any:
        return expression.xreplace(numbers)

    numeric = Problem(
        problem.domain, [put(e) for e in problem.equations], [c.of(put) for c in problem.conditions], problem.unknowns
    )
    if numeric.parameters:  # of a condition that does not say what it is made of
        return solve(plan)
    found = solve(replace(plan, problem=numeric, parameters=None))
    return _as_stated(found, problem, dict(plan.values)) if found.problem is numeric else found


def _sharp(equation: Equation, box: Mapping[sp.Symbol, Interval], numbers: Mapping[sp.Symbol, sp.Expr]) -> set[Sharp]:
    """What is sharp in a formula with some of its symbols replaced, and depends on no other parameter."""
    found = sharp_parts(equation.expression.xreplace(numbers), box, frozenset(equation.slot_symbols))
    known = equation.parameters - set(numbers)
    return {part for part in found if not part.function.free_symbols & known}


def _as_stated(found: Solution, problem: Problem, values: dict[sp.Symbol, Any]) -> Solution:
    """The solution as one of the problem with its parameters."""
    statements, blocks = statements_of(problem), found.blocks
    if len(blocks) == len(statements):
        blocks = tuple(Block(s, b.nodes, b.normals, b.values) for s, b in zip(statements, blocks, strict=True))
    return replace(found, problem=problem, parameters=values, blocks=blocks)
