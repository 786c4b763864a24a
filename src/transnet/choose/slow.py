"""A slow flow outside bodies: whether the equations are Stokes', and the flow far away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.outside import Formula
from transnet.basis.slow import SlowFlow
from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.features.bodies_in_space import space_functions
from transnet.features.placement import Placement
from transnet.geometry import Exterior
from transnet.problem import Far, Problem
from transnet.rows.statements import Statement, statements_of
from transnet.tolerances import SAME

FLOWS = (
    "Outside bodies the slow flow is solved, mu*Laplace(v) = grad(p) with div(v) = 0, with a constant mu, without a "
    "force and without inertia."
)
PARADOX = (
    "In the plane no slow flow past a body tends to a uniform one: its velocity grows like log r (Stokes' paradox). "
    "Take a body in space, put a wall around it, tn.Disk(radius=...) - body, or keep the inertia there."
)
SOLVES = 1e-8
"""How well the flow far away must solve the equations, relative to its terms."""


@dataclass(frozen=True, eq=False)
class SlowLaw:
    """What is needed to solve a slow flow outside bodies."""

    domain: Exterior
    fields: tuple[int, ...]
    given: tuple[Formula, ...]
    viscosity: float

    def basis(self, digits: float) -> SlowFlow | None:
        """As many functions as this many digits usually need; None if that is too many."""
        functions = space_functions(self.domain, 0.0, digits)
        found = SlowFlow(functions, Placement.of(self.domain), self.fields, self.given, self.viscosity)
        return found if found.columns <= MOST_FUNCTIONS else None


def is_flow(problem: Problem) -> bool:
    """Whether a problem has as many fields as a flow has: real ones, one more than there are coordinates."""
    whole = [u for u in problem.unknowns if len(u.args) == len(problem.coordinates)]
    return len(whole) == len(problem.unknowns) == len(problem.coordinates) + 1


def slow_flow_of(problem: Problem, values: Mapping[Any, Any]) -> SlowLaw:
    """How such a flow is solved; ProblemError if its equations or conditions are others."""
    domain, d = problem.domain, len(problem.coordinates)
    assert isinstance(domain, Exterior)
    statements = statements_of(problem)
    inside = [s for s in statements if s.source is None]
    numbers = tuple(values.values())
    terms = [_terms(s, domain.interior(3), numbers) for s in inside]
    unit = [tuple(row) for row in np.eye(d, dtype=int).tolist()]
    fields, viscosity = _fields(terms, unit)
    if d == 2:
        raise ProblemError(PARADOX)
    given = _given(problem, fields, values)
    law = SlowLaw(domain, fields, given, viscosity)
    points = domain.interior(LOOKS)
    for s in inside:
        state = [law.given[fields.index(n)].derivative(points, index).real for n, index in s.equation.slots]
        size = max((float(np.abs(v).max()) for v in state), default=0.0)
        if np.abs(s.equation.residual(points, None, numbers, state)).max() > SOLVES * max(size, 1.0):
            raise ProblemError(f"The flow that is given at infinity does not satisfy {s.label} itself.")
    if any(s.part is None or s.where is not None for s in statements if s.source is not None):
        raise ProblemError("Outside bodies conditions hold on whole parts of their boundaries: tn.on(part, ...).")
    return law


def _terms(statement: Statement, points: np.ndarray, numbers: tuple[Any, ...]) -> dict[Any, float]:
    equation = statement.equation
    if not equation.linear or equation.places or np.any(equation.residual(points, None, numbers)):
        raise ProblemError(FLOWS)
    found = {}
    for slot, c in zip(equation.slots, equation.jacobian(points, None, numbers), strict=True):
        if np.ptp(np.atleast_1d(c)) > 0:
            raise ProblemError(FLOWS)
        found[slot] = float(np.atleast_1d(c)[0])
    return {slot: c for slot, c in found.items() if c}


def _fields(terms: list[dict[Any, float]], unit: list[tuple[int, ...]]) -> tuple[tuple[int, ...], float]:
    """The velocities in the order of the coordinates and the pressure; the viscosity."""
    conserved = [t for t in terms if sorted(index for _, index in t) == sorted(unit)]
    if len(terms) != len(unit) + 1 or len(conserved) != 1 or np.ptp(list(conserved[0].values())) > 0:
        raise ProblemError(FLOWS)
    by_axis = {index: number for number, index in conserved[0]}
    velocity = tuple(by_axis[index] for index in unit)
    left = set(range(len(terms))) - set(velocity)
    if len(left) != 1:
        raise ProblemError(FLOWS)
    pressure = left.pop()
    found = set()
    for axis, number in enumerate(velocity):
        mine = [t for t in terms if any(n == number and sum(index) == 2 for n, index in t)]
        wanted = {*((number, tuple(2 * k for k in e)) for e in unit), (pressure, unit[axis])}
        if len(mine) != 1 or set(mine[0]) != wanted:
            raise ProblemError(FLOWS)
        second = [mine[0][number, tuple(2 * k for k in e)] for e in unit]
        found |= {-c / mine[0][pressure, unit[axis]] for c in second}
    if max(found) - min(found) > SAME * abs(max(found)):
        raise ProblemError(FLOWS)
    return (*velocity, pressure), float(max(found))


def _given(problem: Problem, fields: tuple[int, ...], values: Mapping[Any, Any]) -> tuple[Formula, ...]:
    found = {u: sp.Integer(0) for u in problem.unknowns}
    for far in (c for c in problem.conditions if isinstance(c, Far)):
        expression = sp.expand(far.expression.subs(dict(values)).doit())
        mine = expression.atoms(AppliedUndef)
        if len(mine) != 1 or expression.has(sp.Derivative) or sp.diff(expression, u := mine.pop()) != 1:
            raise ProblemError("State the flow at infinity for one component at a time: tn.at_infinity(v[0], 1).")
        found[u] = u - expression
    return tuple(Formula(sp.expand(found[problem.unknowns[k]]), tuple(problem.coordinates)) for k in fields)
