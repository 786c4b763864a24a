"""Scalar conservation laws from their statement: data, which formula selects the solution, and what is refused."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import sympy as sp

from transnet.counts import ALONG
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.formulas import array_modules, compiled_formula
from transnet.judge.expanded import expanded_solution, judge_expansion
from transnet.problem import written
from transnet.shocks.basis import Entropic
from transnet.shocks.data import CELLS, Cauchy, families_of
from transnet.shocks.family import Flux, s
from transnet.shocks.riemann import solve_system
from transnet.shocks.statement import INSTEAD, given_of, stated_laws
from transnet.solution.solution import Solution

FINER = 1.7
"""The estimate is the distance from the solution with as many times the cells."""
FLOOR = 1e-13
"""The smallest estimate: a characteristic through a point is known to rounding."""
ROUNDING = 1e-9
"""A slope or a difference below this part of the largest is none."""
ENTERS = 1e-6
"""Given values enter where the solution has them to this part: beside an end it has those of a moment before."""
NOTE = "of all characteristics through a point the one with entropy"


def solve_conserved(plan: Plan) -> Solution:
    """Solve a conservation law, or a system of them with two states at the beginning."""
    begun = perf_counter()
    problem = plan.problem
    laws = stated_laws(plan)
    if len(laws) > 1 or len(problem.unknowns) > 1:
        return solve_system(plan, laws)
    data = _data_of(plan, laws[0])
    sense = _sense(data)
    basis = Entropic(data, families_of(data), sense)
    if not data.periodic:
        _refuse_ends(basis)
    finer = Entropic(data, families_of(data, int(FINER * CELLS)), sense)
    points = problem.domain.interior(ALONG, "quasi", 1)
    coarse, fine = (b.derivatives(np.ones(1), points, [(0, (0, 0))])[0] for b in (basis, finer))
    size = float(np.sqrt(np.mean(fine**2))) or 1.0
    error = max(float(np.sqrt(np.mean((coarse - fine) ** 2))) / size, FLOOR)
    residuals, _ = judge_expansion(problem, basis, np.ones(1), tuple(plan.values.values()))
    return expanded_solution(
        problem, basis, np.ones(1), plan.values, solver="characteristics", error=error, residuals=residuals,
        seconds={"solve": perf_counter() - begun}, notes=(NOTE,),
    )  # fmt: skip


def _data_of(plan: Plan, law: sp.Expr) -> Cauchy:
    problem = plan.problem
    u, flux, x, t = law.args
    (low, begin), (high, until) = problem.domain.bounds
    given = given_of(plan)
    periodic = any(c.period == x for c in problem.conditions)
    left, right = (given[place, u].subs(t, s) if (place, u) in given else None for place in (0, 2))
    if periodic and not left is right is None:
        raise ProblemError("Values at the ends and tn.periodic exclude each other.")
    return Cauchy(
        Flux(s, flux.subs(u, s)), given[1, u].subs(x, s), (left, right), (float(low), float(high)),
        float(begin), float(until), periodic,
    )  # fmt: skip


def _sense(data: Cauchy) -> int:
    """1 if the least U is the solution's, -1 if it is the greatest."""
    families = families_of(data)
    values = np.concatenate([family.values(family.nodes) for family in families])
    if not np.isfinite(values).all():
        raise ProblemError("The given values of the conservation law are not finite everywhere.")
    among = np.linspace(values.min(), values.max(), ALONG)
    second = data.flux.at(s, 2)
    bend = np.broadcast_to(compiled_formula([s], second, array_modules([second]))(among), ALONG)
    if not np.isfinite(bend).all():
        raise ProblemError("The flux of the conservation law is not smooth between the given values.")
    largest = ROUNDING * np.abs(bend).max()
    if np.all(bend >= -largest):
        return 1
    if np.all(bend <= largest):
        return -1
    along = np.concatenate([family.values(family.nodes) for family in families if family.place == s])
    ends = [e for e in data.ends if e is not None]
    if not data.periodic and not any(e.free_symbols for e in ends):
        left, right = ([] if e is None else [float(e)] for e in data.ends)
        steps = np.diff(np.concatenate([left, along, right]))
        largest = ROUNDING * np.ptp(values)
        if np.all(steps <= largest):
            return 1
        if np.all(steps >= -largest):
            return -1
    raise ProblemError(
        f"The flux {written(data.flux.at(sp.Symbol('u')))} is neither convex nor concave between the given values, "
        f"{values.min():.3g} to {values.max():.3g}, and these neither rise nor fall all along x: no formula selects "
        f"the solution then. {INSTEAD}"
    )


def _refuse_ends(basis: Entropic) -> None:
    """Raise an error where values enter that are not given, or where given ones do not enter."""
    data = basis.data
    times = np.linspace(data.begin, data.until, ALONG + 1)[1:]
    for name, place, given in zip(("left", "right"), data.bounds, data.ends, strict=True):
        points = np.column_stack([np.full(ALONG, place), times])
        if given is None:
            wrong = basis.feet(points)[0] < 0
            if wrong.any():
                raise ProblemError(
                    f"Values enter at the {name} end, x = {place:.6g}, from t = {times[wrong.argmax()]:.3g} on, and "
                    f"none are given there: state them, tn.on('{name}', sp.Eq(u, ...))."
                )
            continue
        values = np.array([float(given.subs(s, time)) for time in times]) if given.free_symbols else float(given)
        found = basis.derivatives(np.ones(1), points, [(0, (0, 0))])[0]
        scale = float(np.nanmax(np.abs(found)))
        wrong = ~(np.abs(found - values) <= ENTERS * scale)
        if wrong.any():
            raise ProblemError(
                f"The values given at the {name} end, x = {place:.6g}, do not enter: at "
                f"t = {times[wrong.argmax()]:.3g} waves from inside leave there with "
                f"u = {found[wrong.argmax()]:.4g}. Leave the condition out if they leave "
                f"from the beginning on; otherwise state the problem on a longer interval."
            )
