"""Functions that solve the equation themselves, so that only the conditions on the boundary have to be fitted.

For a principal part a u_xx + b u_xy + c u_yy with constants, and nothing else, the real and imaginary parts of analytic
functions of z = x + mu y are solutions, a + b mu + c mu^2 = 0: powers of z, the poles and logarithms of holes, and the
fractional powers of corners. For a source that is a polynomial times exponentials, sines and cosines there is a
formula. The error is then bounded by the residual on the boundary, times a factor that follows from the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.choose.enrich import kinds_of, principal_of
from transnet.features.corner_functions import corner_functions
from transnet.features.hole_functions import hole_functions
from transnet.features.quasipolynomials import QuasiPolynomial, solved
from transnet.features.singular import Chart, Function, Singular
from transnet.features.singularities import counts, rim_of
from transnet.geometry import Domain, Pieces, Slit
from transnet.geometry.placement import Placement
from transnet.problem import On, Problem
from transnet.remember import Remembered
from transnet.rows.jumps import may_jump
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_spots

POWERS, DEGREE = (4.0, 1.5), (1.0, 0.9)
"""The highest power of z and of poles, and the degree at corners, a + b digits. With b = 1 powers have twelve times the
error, with 2 and 2.5 no less; with 0.6 degrees have 1.5 times, with 1.4 polygons of 14 corners have too many functions
(benchmarks/constants.py boundary)."""
LARGEST = 350
"""The most functions: with 100 two holes in a square are left to waves, 1000 is the same (benchmarks/constants.py
boundary)."""

_made: Remembered[Domain, Singular | None] = Remembered()


@dataclass(frozen=True, eq=False)
class Harmonic:
    """Everything needed to solve a problem by functions that solve its equation.

    Parameters
    ----------
    mu : complex
        The root of the principal part.
    kinds : dict
        The kind of condition on each part of the boundary, "value" or "flux".
    known : QuasiPolynomial, optional
        A function that the operator maps to the source.
    """

    domain: Domain
    mu: complex
    kinds: dict[str, str]
    known: QuasiPolynomial | None

    def functions(self, digits: float) -> Singular | None:
        """As many functions as this many digits usually need, the lowest of each kind first; None if that is too
        many."""
        key = (round(digits, 3), self.mu, tuple(sorted(self.kinds.items())))
        return _made.get(self.domain, key, lambda: self._functions(digits))

    def _functions(self, digits: float) -> Singular | None:
        corners, holes = self.domain.corners_and_holes
        corners = tuple(c for c in corners if counts(c, self.kinds))
        if any(c.tip for c in corners):
            return None
        placement, rim, plane = Placement.of(self.domain), rim_of(self.domain), np.array([1.0, self.mu])
        highest, degree = (a + b * digits for a, b in (POWERS, DEGREE))
        farthest = float(np.abs((rim - placement.centre) @ plane).max())
        frame = Chart.at(placement.centre, placement, self.mu, 1.0 / farthest + 0j)
        found = [
            (k / highest, Function(frame, float(k), imaginary=part))
            for k in range(1, 1 + int(highest))
            for part in (0, 1)
        ]
        for hole in holes:
            around = hole_functions(hole, placement, rim, self.mu, int(highest), 0.0)
            last = max(-f.alpha for f in around)
            found += [(-f.alpha / last, f) for f in around]
        for corner in corners:
            found += [
                (f.alpha / degree, f)
                for f in corner_functions(corner, placement, rim, self.mu, degree, 0.0, self.kinds)
            ]
        if len(found) > LARGEST:
            return None
        found.sort(key=lambda entry: entry[0])
        return Singular.of(f._replace(late=False) for _, f in found)


def may_be_harmonic(problem: Problem) -> bool:
    """Whether a problem may be of that kind, before its statements are compiled."""
    plane = problem.domain.dimension == 2 and not isinstance(problem.domain, Slit | Pieces)
    return plane and len(problem.unknowns) == 1 and len(problem.equations) == 1 and not may_jump(problem)


def harmonic_of(problem: Problem, parameters: Mapping[Any, Any], points: np.ndarray) -> Harmonic | None:
    """How a problem is solved by such functions; None if it is of another kind.

    Parameters
    ----------
    points : (n, 2) array
        Interior points at which coefficients are evaluated.
    """
    domain = problem.domain
    if not may_be_harmonic(problem) or problem.unknowns[0].args != tuple(problem.coordinates):
        return None
    statements = statements_of(problem)
    equations = [s.equation for s in statements if s.source is None]
    if len(equations) != 1 or any(not s.equation.linear or s.equation.places for s in statements):
        return None
    plain = [
        isinstance(s.source, On) and s.source.where is None and s.source.weight is None
        for s in statements
        if s.source is not None
    ]
    numbers = tuple(parameters.values())
    if not all(plain) or {sum(index) for _, index in equations[0].slots} != {2}:
        return None
    coefficients = equations[0].jacobian(points, None, numbers)
    if any(np.ndim(c) for c in coefficients) or all_spots(problem, statements, numbers):
        return None
    terms = {index: float(c) for (_, index), c in zip(equations[0].slots, coefficients, strict=True)}
    principal = principal_of(list(terms), coefficients)
    kinds, _ = kinds_of(problem, statements)
    if principal is None or set(kinds) != set(domain.parts):
        return None
    values = {**dict.fromkeys(equations[0].slot_symbols, 0.0), **{s: float(v) for s, v in parameters.items()}}
    known = solved(-equations[0].expression, problem.coordinates, terms, values)
    if known is None:
        return None
    return Harmonic(domain, principal[0], kinds, known if len(known.factors) else None)
