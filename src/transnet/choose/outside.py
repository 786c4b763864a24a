"""A problem outside bodies by functions that solve its equation: which equation it is, and what is given far away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.outside import Formula, Outside
from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.choose.slow import PARADOX, SlowLaw, is_flow, slow_flow_of
from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.features.bodies_in_space import space_functions
from transnet.features.body_functions import body_functions
from transnet.features.placement import Placement
from transnet.geometry import Domain
from transnet.problem import AtInfinity, Far, Outgoing, Problem
from transnet.problem.complex import complex_pairs
from transnet.rows.statements import Statement, statements_of
from transnet.tolerances import SAME

STREAM = 4
"""The order of the equation of a stream function of slow flow."""
SOLVES = 1e-8
"""How well the field that is given far away must satisfy the equation, relative to its terms."""
EQUATIONS = (
    "Outside bodies these equations are solved: tn.laplacian(u) = 0, tn.laplacian(u) + k**2*u = 0 and tn.laplacian(u) "
    "- k**2*u = 0 with a constant k, without a source."
)


@dataclass(frozen=True, eq=False)
class OutsideLaw:
    """What is needed to solve a problem outside bodies.

    Parameters
    ----------
    wavenumber : complex
        k of Laplace(u) + k^2 u = 0; zero for Laplace's equation, imaginary where fields decay.
    """

    domain: Domain
    wavenumber: complex
    fields: tuple[int, ...]
    given: Formula
    numbers: dict[int, Formula]
    inwards: bool

    def basis(self, digits: float) -> Outside | None:
        """As many functions as this many digits usually need; None if that is too many."""
        functions_of: Any = body_functions if self.domain.dimension == 2 else space_functions
        functions = functions_of(self.domain, self.wavenumber, digits)
        found = Outside(functions, Placement.of(self.domain), self.fields, self.given, self.numbers, self.inwards)
        return found if found.columns <= MOST_FUNCTIONS else None


def outside_of(
    problem: Problem,
    values: Mapping[Any, Any],
    exterior: Domain | None = None,
    equations: Sequence[Statement] | None = None,
) -> OutsideLaw | SlowLaw:
    """How a problem outside bodies is solved; ProblemError if its equation or conditions do not fit together.

    For one of several pieces, and for a half plane, that piece and its equations are given.
    """
    if exterior is None and is_flow(problem):
        return slow_flow_of(problem, values)
    domain = problem.domain if exterior is None else exterior
    far = next(c for c in problem.conditions if isinstance(c, Far))
    fields = _fields(problem)
    statements = () if exterior is not None else statements_of(problem)
    numbers = tuple(values.values())
    inside = [s for s in statements if s.source is None] if equations is None else equations
    square = square_of(inside, fields, domain.interior(3), numbers)
    root = _root(far, square, values)
    given, factors = _far_field(problem, far, fields, values)
    coordinates = tuple(problem.coordinates)
    law = OutsideLaw(
        domain,
        -root if root.real < 0 else root,
        fields,
        Formula(given, coordinates),
        {
            n: Formula(factors.get(n, sp.Integer(0)), coordinates)
            for n in range(len(problem.unknowns))
            if n not in fields
        },
        root.real < 0,
    )
    for formula in (law.given, *law.numbers.values()):
        _refuse_unsolved(formula, square, domain)
    if any(s.part is None or s.where is not None for s in statements if s.source is not None):
        raise ProblemError(
            "Outside bodies conditions hold on whole parts of their boundaries: tn.on(part, ...) without where=, at= "
            "or data. Name the parts of the boundary apart, as Polygon(..., names=[...]) does."
        )
    return law


def _fields(problem: Problem) -> tuple[int, ...]:
    everywhere = [k for k, u in enumerate(problem.unknowns) if len(u.args) == len(problem.coordinates)]
    lower = [u for u in problem.unknowns if 0 < len(u.args) < len(problem.coordinates)]
    pairs = [pair for pair in complex_pairs(problem).values() if set(pair) == set(everywhere)]
    if (len(everywhere) != 1 and not pairs) or lower:
        raise ProblemError(f"Outside bodies one field is solved, real or complex, not {', '.join(problem.names)}.")
    return pairs[0] if pairs else (everywhere[0],)


def square_of(
    equations: Sequence[Statement], fields: tuple[int, ...], points: np.ndarray, numbers: tuple[Any, ...]
) -> complex:
    """k^2 of Laplace(u) + k^2 u = 0."""
    if points.shape[1] == 2 and any(sum(index) == STREAM for s in equations for _, index in s.equation.slots):
        raise ProblemError(PARADOX)
    if len(equations) != len(fields) or any(not s.equation.linear or s.equation.places for s in equations):
        raise ProblemError(EQUATIONS)
    found = []
    for statement in equations:
        terms: dict[tuple[int, ...], complex] = {}
        slots = statement.equation.slots
        for (number, index), c in zip(slots, statement.equation.jacobian(points, None, numbers), strict=True):
            if np.ptp(np.atleast_1d(c)) > 0 or number not in fields:
                raise ProblemError(EQUATIONS)
            # Real and imaginary part of (a + i b)(u + i v) have the coefficients a, -b and b, a.
            turn = -1j if fields.index(number) else 1.0
            terms[index] = terms.get(index, 0.0) + turn * complex(np.atleast_1d(c)[0])
        first, *others = (terms.pop(index, 0.0) for index in _twice(points.shape[1]))
        if first == 0 or any(abs(c - first) > SAME * abs(first) for c in others):
            raise ProblemError(EQUATIONS)
        found.append(terms.pop((0,) * points.shape[1], 0.0) / first)
        if terms or np.any(statement.equation.residual(points, None, numbers)):
            raise ProblemError(EQUATIONS)
    if abs(found[0] - found[-1]) > SAME * abs(found[0]):
        raise ProblemError(EQUATIONS)
    return complex(found[0])


def _twice(dimension: int) -> list[tuple[int, ...]]:
    """The second derivatives of the Laplacian."""
    return [tuple(row) for row in (2 * np.eye(dimension, dtype=int)).tolist()]


def _root(far: Far, square: complex, values: Mapping[Any, Any]) -> complex:
    """k, with the sign that the condition at infinity states."""
    waves = square.imag != 0 or square.real > 0
    if isinstance(far, AtInfinity):
        if waves and square.imag == 0:
            raise ProblemError(
                f"tn.at_infinity states that a field decays, but the equation tn.laplacian(u) + {square.real:g}*u = 0 "
                f"has waves, incoming and outgoing ones: state tn.outgoing(u, {np.sqrt(square.real):g})."
            )
        root = complex(np.sqrt(complex(square)))
        return -root if root.imag < 0 else root
    assert isinstance(far, Outgoing)
    if not waves:
        known = "Laplace's equation" if square == 0 else f"the equation tn.laplacian(u) - {-square.real:g}*u = 0"
        raise ProblemError(
            f"tn.outgoing is for waves, but {known} has none: its solutions decay. State tn.at_infinity(u, 0), or "
            f"write the equation as tn.laplacian(u) + k**2*u = 0."
        )
    root = complex(far.wavenumber.subs(dict(values)))
    if abs(root**2 - square) > SAME * abs(square):
        raise ProblemError(
            f"The wave number of tn.outgoing is k = {root:g}, but the equation has k**2 = {square:g}. Use one k."
        )
    return root


def _far_field(
    problem: Problem, far: Far, fields: tuple[int, ...], values: Mapping[Any, Any]
) -> tuple[sp.Expr, dict[int, sp.Expr]]:
    """What the field tends to: the part that is known, and what each number that is to be found multiplies."""
    expression = sp.expand(far.expression.subs(dict(values)).doit())
    unknowns = problem.unknowns
    whole = unknowns[fields[0]] + (sp.I * unknowns[fields[1]] if len(fields) == 2 else 0)
    size = expression.coeff(unknowns[fields[0]])
    rest = sp.expand(expression - size * whole)
    own = {unknowns[k] for k in fields}
    derived = any(d.has(AppliedUndef) for d in rest.atoms(sp.Derivative))
    if size == 0 or size.has(AppliedUndef, *problem.coordinates) or rest.atoms(AppliedUndef) & own or derived:
        raise ProblemError(
            f"What holds at infinity is stated of the unknown less a given field, u - f, not of {far.expression}."
        )
    rest = sp.expand(-rest / size)
    factors = {k: rest.coeff(u) for k, u in enumerate(unknowns) if k not in fields and rest.has(u)}
    known = sp.expand(rest - sum((f * unknowns[k] for k, f in factors.items()), sp.Integer(0)))
    if known.has(AppliedUndef) or any(f.has(AppliedUndef) for f in factors.values()):
        raise ProblemError("The field at infinity must be linear in the numbers that are to be found.")
    if len(fields) == 1 and any(e.has(sp.I) for e in (known, *factors.values())):
        raise ProblemError("The field at infinity is complex, but the unknown is real. Make it complex=True.")
    return known, factors


def _refuse_unsolved(formula: Formula, square: complex, domain: Domain) -> None:
    """Raise an error if a field that is given far away does not solve the equation."""
    points = domain.interior(LOOKS)
    try:
        value = formula.derivative(points, (0,) * points.shape[1])
        second = [formula.derivative(points, index) for index in _twice(points.shape[1])]
    except (TypeError, NameError, ValueError):
        raise ProblemError(
            f"The field {formula.expression} at infinity cannot be evaluated. Use functions that NumPy or SciPy have."
        ) from None
    terms = sum(np.abs(s) for s in second) + np.abs(square * value)
    if not np.abs(sum(second) + square * value).max() <= SOLVES * max(float(terms.max()), np.finfo(float).tiny):
        raise ProblemError(
            f"The field {formula.expression} that is given at infinity does not satisfy the equation itself, so "
            f"nothing tends to it. Give one that does: a uniform field, or a plane wave of its wave number."
        )
