"""The statement of conservation laws: which laws, and what is given where."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.counts import LOOKS
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.problem import Conserved, Problem, expressions_of, written

INSTEAD = "Add a small viscosity, sp.diff(u, t) + sp.diff(flux, x) = eps*sp.diff(u, x, 2), or use finite volumes."


def stated_laws(plan: Plan) -> list[sp.Expr]:
    """The laws of a problem, with numbers for its parameters."""
    numbers = {k: sp.Float(float(v)) for k, v in plan.values.items()}
    stated = [law_of(sp.expand(e.xreplace(numbers))) for q in plan.problem.equations for e in expressions_of(q)]
    if not all(isinstance(e, Conserved) for e in stated):
        raise ProblemError(
            f"A conservation law stands alone, sp.Eq(tn.conserved(u, flux), 0); this problem has "
            f"{', '.join(written(e) for e in stated)}. Sources and other equations beside it are not solved. {INSTEAD}"
        )
    x, t = stated[0].args[2:]
    if plan.problem.coordinates != (x, t) or not plan.problem.domain.parts:
        raise ProblemError(
            f"A conservation law is stated over an interval and time, tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)), "
            f"in the order of tn.unknown('u', x, t), not over {plan.problem.domain}."
        )
    for law in stated:
        flux = law.args[1]
        if flux.subs({u: sp.Dummy() for u in plan.problem.unknowns}).has(x, t):
            raise ProblemError(
                f"The flux {written(flux)} of tn.conserved must be a formula of {', '.join(plan.problem.names)} alone: "
                f"one that depends on the place bends the characteristics. {INSTEAD}"
            )
    return stated


def given_of(plan: Plan) -> dict[tuple[int, sp.Expr], sp.Expr]:
    """What is given, by place and unknown: 0 for the left end, 1 for the beginning, 2 for the right end."""
    numbers = {k: sp.Float(float(v)) for k, v in plan.values.items()}
    found = {}
    for condition in (c for c in plan.problem.conditions if c.period is None):
        place = place_of(condition, plan.problem)
        for expression in (e.xreplace(numbers) for e in condition.expressions()):
            named = sorted(expression.atoms(AppliedUndef) & set(plan.problem.unknowns), key=str)
            found[place, named[0]] = value_of(expression, named[0])
    if missing := [u for u in plan.problem.unknowns if (1, u) not in found]:
        name = written(missing[0])
        raise ProblemError(f"A conservation law needs initial values: tn.on('t=0', sp.Eq({name}, {name}0)).")
    return found


def law_of(expression: sp.Expr) -> sp.Expr:
    """A law without its sign or factor."""
    return expression.as_coeff_Mul()[1] if isinstance(expression, sp.Mul) else expression


def place_of(condition: Any, problem: Problem) -> int:
    """0 for the left end, 1 for the beginning, 2 for the right end."""
    parts = list(condition.parts(problem)) if condition.boundary and condition.where is None else []
    if len(parts) == 1:
        surface = problem.domain.boundary(parts[0], LOOKS).points
        bounds = problem.domain.bounds
        for place, axis, side in ((0, 0, 0), (1, 1, 0), (2, 0, 1)):
            if np.ptp(surface[:, axis]) == 0 and surface[0, axis] == bounds[side, axis]:
                return place
    raise ProblemError(
        f"A conservation law takes u at the beginning and at the ends where values enter, each as a condition of its "
        f"own: tn.on('t=0', ...), tn.on('left', ...). {condition.lines()[0]} is none of these."
    )


def value_of(expression: sp.Expr, u: sp.Expr) -> sp.Expr:
    """What a condition says that u is."""
    slope = sp.diff(expression, u)
    if expression.has(sp.Derivative) or not slope.is_number or slope == 0:
        raise ProblemError(
            f"Give the values of a conservation law, sp.Eq({written(u)}, ...), not {written(expression)} = 0."
        )
    found = sp.expand(u - expression / slope)
    if found.has(AppliedUndef):
        raise ProblemError(f"The values {written(found)} of a conservation law must not depend on {written(u)}.")
    return found
