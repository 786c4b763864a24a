"""What collocation points would miss: loads and coefficients that live on a small spot of the domain.

Formulas and data are cheap where no features are evaluated. So they are looked at once on a hundred thousand points,
and where one of them is concentrated on a small part of the domain, in which a few hundred collocation points would
hardly find themselves, points are added there. Then the residual tells whether the network resolves it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry.sampling import spread
from transnet.problem import Given, Problem
from transnet.remember import Remembered
from transnet.rows.equation import Equation
from transnet.rows.statements import Statement

LOOKED_AT = {1: 20_000, 2: 130_000, 3: 260_000, 4: 260_000}
"""Points, by dimension: in the plane a spot of radius 0.003 of a unit square has four of them."""
TALL = 0.1
"""A spot is where a function differs from its median by more than this part of what it does at most."""
SMALL = 0.02
"""The largest part of the domain that is a spot."""
SEEN = 20.0
"""Collocation points that see a spot."""
SHARE = 0.1
"""Points that are added, for each one that there is; at least `SEEN`."""
STEEP = 50.0
"""Formulas whose numbers are all smaller than this, and larger than one over it, have no such spots."""
SUDDEN = (sp.Piecewise, sp.Heaviside, sp.sign, sp.Abs, sp.Min, sp.Max, sp.floor, Given)

_steep: Remembered[Problem, bool] = Remembered()
_spots: Remembered[Problem, list[tuple[np.ndarray, float]]] = Remembered()


def unseen(problem: Problem, statements: Sequence[Statement], inside: np.ndarray) -> np.ndarray:
    """Points of the interior to be added to those that there are, (k, d)."""
    equations = [s.equation for s in statements if s.kind == "equation"]
    if problem.parameters or not _steep.get(problem, "steep", lambda: any(_may_be_steep(e) for e in equations)):
        return inside[:0]
    found = [inside[:0]]
    for spot, part in _spots.get(problem, "spots", lambda: _look(problem, equations)):
        if part * len(inside) < SEEN:
            count = int(max(SHARE * len(inside), SEEN))
            found.append(spot[spread(len(spot), count)])
    return np.concatenate(found)


def _may_be_steep(equation: Equation) -> bool:
    expression = equation.expression
    if expression.has(*SUDDEN):
        return True
    sizes = [abs(float(n)) for n in _inner_numbers(expression) if n.is_finite and n != 0]
    return any(size > STEEP or size < 1 / STEEP for size in sizes)


def _inner_numbers(expression: sp.Expr) -> set[sp.Number]:
    """The numbers in arguments of functions and in powers: factors and summands outside of them make nothing steep."""
    if isinstance(expression, AppliedUndef | sp.Derivative) or not expression.args:
        return set()
    if isinstance(expression, sp.Function | sp.Pow | sp.Integral):
        return expression.atoms(sp.Number)
    return set().union(*map(_inner_numbers, expression.args))


def _look(problem: Problem, equations: Sequence[Equation]) -> list[tuple[np.ndarray, float]]:
    """The spots of the equations' data: points in them, and which part of the domain they are."""
    points = problem.domain.interior(LOOKED_AT[problem.domain.dimension], "quasi", 0)
    found = []
    for equation in equations:
        try:
            functions = [equation.residual(points, None, ())]
            functions += equation.jacobian(points, None, ()) if equation.linear else []
        except ProblemError:
            continue
        for values in functions:
            if np.ndim(values) == 0 or not np.ptp(values):
                continue
            height = np.abs(values - np.median(values))
            spot = height > TALL * height.max()
            if 0 < spot.mean() < SMALL:
                found.append((points[spot], float(spot.mean())))
    return found
