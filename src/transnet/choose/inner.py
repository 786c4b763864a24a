"""Points inside a plane domain at which a formula of the equation is singular: 1/r, r^(1/2), r log r and the like.

Waves converge slowly to the solution for such a source, and a cut has to become finer and finer towards the point. But
if the source is r^p times a smooth function, the solution is a smooth one plus r^(p+2) times another: the functions
r^(p+2+j) cos(m theta) and sin(m theta) are added to the waves, with a logarithm if the source has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.counts import RECENT
from transnet.problem import Problem, expressions_of
from transnet.remember import Remembered
from transnet.tolerances import DECIMALS, SAME

FACTORS = 3
"""How many powers of the distance may be factors of one term."""
FAMILIES = 4
"""The most series of powers at one point, the lowest first."""
LOWEST = -2.0
"""A source that grows faster than this power of the distance has no bounded solution."""
POINTS = 4
"""The most such points of a problem."""


@dataclass(frozen=True)
class Inner:
    """A point where the equation has powers of the distance: r^p, and r^p log r, for each of the families (p, log)."""

    point: tuple[float, float]
    families: tuple[tuple[float, bool], ...]


_known: Remembered[Problem, tuple[Inner, ...]] = Remembered()


def may_have_inner_points(problem: Problem) -> bool:
    """Whether an equation has a power that is not whole, or a logarithm, of its coordinates."""
    if problem.domain.dimension != 2 or len(problem.unknowns) != 1:
        return False
    return any(_distances(e) for equation in problem.equations for e in expressions_of(equation))


def inner_points(problem: Problem, numbers: Sequence[Any] = (), mu: complex = 1j) -> tuple[Inner, ...]:
    """The points of a plane domain, for an operator whose principal part has the root mu."""
    if problem.domain.dimension != 2 or len(problem.unknowns) != 1:
        return ()
    key = (str(numbers), round(mu.real, DECIMALS), round(mu.imag, DECIMALS))
    return _known.get(problem, key, lambda: _found(problem, numbers, mu))


def _found(problem: Problem, numbers: Sequence[Any], mu: complex) -> tuple[Inner, ...]:
    values = dict(zip(problem.parameters, numbers, strict=False))
    powers: dict[tuple[float, float], set[tuple[float, bool]]] = {}
    for equation in problem.equations:
        for expression in expressions_of(equation):
            for base, power in _distances(expression.xreplace(values) if values else expression):
                point = _middle(base, problem.coordinates, mu)
                if point is not None and bool(problem.domain.contains(np.array([point]))[0]):
                    powers.setdefault(point, set()).add(power)
    found = [Inner(point, _families(known)) for point, known in powers.items()]
    return tuple(inner for inner in found if inner.families)[:POINTS]


@lru_cache(maxsize=RECENT)
def _distances(expression: sp.Expr) -> list[tuple[sp.Expr, tuple[float, bool]]]:
    """The bases of powers that are not whole, and of logarithms, with the exponent of their square root."""
    found = [(log.args[0], (0.0, True)) for log in expression.atoms(sp.log)]
    for power in expression.atoms(sp.Pow):
        base, exponent = power.as_base_exp()
        smooth = exponent.is_integer and exponent.is_nonnegative
        if exponent.is_number and exponent.is_real and not smooth:
            found.append((base, (2.0 * float(exponent), False)))
    return [(base, power) for base, power in found if base.free_symbols and not base.has(AppliedUndef)]


@lru_cache(maxsize=RECENT)
def _middle(base: sp.Expr, coordinates: tuple[sp.Symbol, ...], mu: complex) -> tuple[float, float] | None:
    """The point from which the base is a multiple of the squared distance in the plane of x + mu y; None elsewhere."""
    if isinstance(base, sp.Pow):
        base = base.base  # log(r) is half of log(r^2)
    if base.free_symbols != set(coordinates) or not base.is_polynomial(*coordinates):
        return None
    x, y = coordinates
    poly = sp.Poly(base, x, y)
    if poly.total_degree() != 2:
        return None
    a, b, c, p, q, r = (float(poly.coeff_monomial(m)) for m in (x**2, x * y, y**2, x, y, 1))
    if a == 0 or abs(b / a - 2 * mu.real) > SAME or abs(c / a - abs(mu) ** 2) > SAME:
        return None
    point = np.linalg.solve([[2 * a, b], [b, 2 * c]], [-p, -q])
    lowest = r + 0.5 * float(np.dot([p, q], point))
    size = abs(a) * float(point @ point) + abs(r) + abs(a)
    return (float(point[0]), float(point[1])) if abs(lowest) <= SAME * size else None


def _families(known: set[tuple[float, bool]]) -> tuple[tuple[float, bool], ...]:
    """The lowest powers of all series that arise as products of the known ones."""
    logs = any(log for _, log in known)
    single = sorted({p for p, _ in known if p})
    if any(p <= LOWEST - 1.0 for p in single):
        single = sorted({p if p > LOWEST else p + 2.0 * np.ceil((LOWEST - p) / 2.0 + SAME) for p in single})
    sums = {0.0} if logs else set()
    for count in range(1, FACTORS + 1):
        for several in combinations_with_replacement(single, count):
            if sum(p < 0 for p in several) <= 1:
                sums.add(round(sum(several), DECIMALS))
    lowest: dict[float, float] = {}
    for p in sorted(sums):
        if p > LOWEST:
            lowest.setdefault(round(p % 2.0, DECIMALS), p)
    found = [(p, log) for rest, p in lowest.items() for log in (False, True) if log <= logs and (rest or log)]
    return tuple(sorted(found))[:FAMILIES]


def singular_places(
    problem: Problem, numbers: Sequence[Any] = (), below: float = np.inf
) -> list[dict[sp.Symbol, float]]:
    """Where equations have powers of a distance that are not smooth, with exponents below a number.

    A point has all coordinates; in an evolution it has those of space.
    """
    values = dict(zip(problem.parameters, numbers, strict=False))
    middle = problem.domain.bounds.mean(axis=0)
    found: list[dict[sp.Symbol, float]] = []
    for equation in problem.equations:
        for expression in expressions_of(equation):
            for base, (power, _) in _distances(expression.xreplace(values) if values else expression):
                place = _lowest(base, problem.coordinates) if power < below else None
                at = [(place or {}).get(c, m) for c, m in zip(problem.coordinates, middle, strict=True)]
                if place and place not in found and bool(problem.domain.contains(np.array([at], dtype=float))[0]):
                    found.append(place)
    return found


def _lowest(base: sp.Expr, coordinates: Sequence[sp.Symbol]) -> dict[sp.Symbol, float] | None:
    """The only zero of a quadratic formula of at least two coordinates that is positive elsewhere; None of others."""
    if isinstance(base, sp.Pow):
        base = base.base
    own = [c for c in coordinates if c in base.free_symbols]
    if len(own) < 2 or not base.is_polynomial(*own) or base.free_symbols != set(own):
        return None
    poly = sp.Poly(base, *own)
    if poly.total_degree() != 2:
        return None
    second = np.array(sp.hessian(base, own), dtype=float)
    slope = np.array([float(sp.diff(base, c).subs(dict.fromkeys(own, 0))) for c in own])
    if np.linalg.eigvalsh(second).min() <= 0:
        return None
    point = np.linalg.solve(second, -slope)
    level = float(poly.coeff_monomial(1))
    lowest = level + 0.5 * float(slope @ point)
    if abs(lowest) > SAME * (abs(level) + float(np.abs(second).max())):
        return None
    return {c: float(v) + 0.0 for c, v in zip(own, point, strict=True)}  # no negative zero
