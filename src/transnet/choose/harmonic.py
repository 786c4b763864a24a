"""Functions that solve the equation themselves, so that only the conditions on the boundary have to be fitted.

For a principal part a u_xx + b u_xy + c u_yy with constants, and nothing else, the real and imaginary parts of analytic
functions of z = x + mu y are solutions, a + b mu + c mu^2 = 0: powers of z, the poles and logarithms of holes, and the
fractional powers of corners. A smooth source has a particular solution in waves. The error is then bounded by the
residual on the boundary, times a factor that follows from the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.choose.enrich import kinds_of, principal_of
from transnet.features.corner_functions import corner_functions
from transnet.features.hole_functions import hole_functions
from transnet.features.outside_functions import outside_functions
from transnet.features.particular import WaveSum, particular_solution
from transnet.features.placement import Placement
from transnet.features.singular import Chart, Function, Singular
from transnet.features.singularities import counts, rim_of
from transnet.geometry import Domain, Pieces, Slit
from transnet.geometry.corners import Hole
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.jumps import may_jump
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_spots

POWERS, DEGREE = (4.0, 1.5), (1.0, 0.9)
"""The highest power of z and of poles, and the degree at corners, a + b digits. With b = 1 powers have twelve times the
error, with 2 and 2.5 no less; with 0.6 degrees have 1.5 times, with 1.4 polygons of 14 corners have too many functions
(benchmarks/constants.py boundary)."""
FEWEST_POLES, MOST_POLES = 2, 160
"""Around a hole with close neighbours, the order of poles for no digits, and the highest."""
ALONE = 0.01
"""Points of the boundary closer to a hole, in units of its radius, count as its own rim."""
STEEP = 3.0
"""How many more digits the poles outside are for if derivatives are prescribed: with 1.2 a square with 16 holes and
heat transfer at their rims needs two tries, with 3 one."""
MOST_FUNCTIONS = 4_500
"""The most functions: 100 holes to seven digits, in ten seconds and a gigabyte."""

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
    known : WaveSum, optional
        A particular solution: a function that the operator maps to the source.
    """

    domain: Domain
    mu: complex
    kinds: dict[str, str]
    known: WaveSum | None

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
        for hole, rate in zip(holes, _rates(holes, rim, plane), strict=True):
            close = min(FEWEST_POLES + digits / (rate * np.log10(np.exp(1.0))), MOST_POLES)
            around = hole_functions(hole, placement, rim, self.mu, int(max(highest, close)), 0.0)
            last = max(-f.alpha for f in around)
            found += [(-f.alpha / last, f) for f in around]
        steep = STEEP if "flux" in self.kinds.values() else 0.0
        found += [(0.5, f) for f in outside_functions(self.domain, holes, placement, self.mu, digits + steep)]
        for corner in corners:
            found += [
                (f.alpha / degree, f)
                for f in corner_functions(corner, placement, rim, self.mu, degree, 0.0, self.kinds)
            ]
        if len(found) > MOST_FUNCTIONS:
            return None
        found.sort(key=lambda entry: entry[0])
        return Singular.of(f._replace(late=False) for _, f in found)


def _rates(holes: Sequence[Hole], rim: np.ndarray, plane: np.ndarray) -> list[float]:
    """How fast the coefficients of poles in each hole fall, as the exponent for one order.

    Between circles of radii a and b at the distance d, repeated reflections approach a point in each: for the first its
    distance from the centre is a exp(-r), cosh r = 1 + (d / a) b / (a + b) up to terms of second order in d.
    """
    rims = [hole.rim @ plane for hole in holes]
    centres = [complex(hole.centre @ plane) for hole in holes]
    radii = np.array([np.abs(z - c).max() for z, c in zip(rims, centres, strict=True)])
    everything, found = np.concatenate(rims) if rims else np.empty(0), []
    number, outline = np.repeat(np.arange(len(rims)), [len(z) for z in rims]), rim @ plane
    for k, (c, a) in enumerate(zip(centres, radii.tolist(), strict=True)):
        other, beyond = number != k, np.abs(outline - c)
        gaps = np.maximum(np.abs(everything[other] - c) - a, 0.0) / a
        b = radii[number[other]]
        walls = beyond[beyond > (1.0 + ALONE) * a] / a - 1.0
        closest = min(float((gaps * b / (a + b)).min(initial=np.inf)), float(walls.min(initial=np.inf)))
        found.append(float(np.arccosh(1.0 + max(closest, ALONE**2))))
    return found


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
    plain = [s.part is not None and s.where is None and s.weight is None for s in statements if s.source is not None]
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

    def source(at: np.ndarray) -> np.ndarray:
        return -equations[0].residual(at, None, numbers)

    known = particular_solution(source, terms, domain.bounds, points) if np.any(source(points)) else None
    return None if isinstance(known, str) else Harmonic(domain, principal[0], kinds, known)
