"""The largest and the smallest value of an expression, and where it is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.arguments import Formula
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.geometry import Interval, Pieces
from transnet.geometry.domain import Domain
from transnet.problem.complex import in_given_names
from transnet.rows.averages import distance_to
from transnet.sections.largest import largest, largest_along
from transnet.sections.section import EMPTY, embedded, sliced
from transnet.solution.expressions import Across, Compiled, compiled_on
from transnet.solution.held import held
from transnet.solution.quantities import expression_of
from transnet.solution.results.numbers import Extremum
from transnet.solution.results.places import refuse_no_place, stretches
from transnet.solution.results.pointwise import with_errors

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

ROUNDING = 4e-16
NEAR = 1e-3
"""Derivatives are not evaluated closer to a corner with singular features than this part of the size of the domain."""
ON_SURFACE = 20_000
"""Samples of a surface in space."""


@explained
def maximum(self: Solution, expression: Formula | None = None, over: str | None = None, **fixed: float) -> Extremum:
    """The largest value of an expression: `top = solution.maximum(u)`, `top.value`, `top.place`, `top.error`.

    Parameters
    ----------
    expression : sympy expression or str, optional
        The unknown itself by default; on a part of the boundary it may use the normal.
    over : str, optional
        A part of the boundary, an interface "a|b" (the side of a), or a piece; the whole closed domain by default.
    fixed
        Coordinates that are fixed: `solution.maximum(u, t=0.5)`.
    """
    return _extremum(self, expression, over, fixed, 1.0)


@explained
def minimum(self: Solution, expression: Formula | None = None, over: str | None = None, **fixed: float) -> Extremum:
    """The smallest value of an expression; see `maximum`."""
    return _extremum(self, expression, over, fixed, -1.0)


def _extremum(solution: Solution, what: Any, over: str | None, fixed: dict[str, float], sign: float) -> Extremum:
    if what is None and len(solution.fields) > 1:
        raise ProblemError(f"Say of what: {', '.join(map(repr, solution.fields))}, or an expression of them.")
    expression = expression_of(solution, solution.fields[0] if what is None else what)
    names = tuple(c.name for c in solution.problem.coordinates)
    axes = held(names, fixed)
    free = tuple(k for k in range(len(names)) if k not in axes)

    def place(points: np.ndarray) -> np.ndarray:
        return embedded(points, free, axes)

    away = _distance(solution)
    best: tuple[float, np.ndarray, np.ndarray | None, float, Any] | None = None
    for domain, whole in _searched(solution, expression, over, axes):
        if whole.imaginary is not None:
            raise ProblemError(
                f"{in_given_names(expression)} is complex and has no largest value: take that of its modulus, Abs."
            )
        function = _away(away, whole, sign)
        normal = None
        if over is None or len(free) == 1 or _piece(solution, over) is not None:
            point, missed = largest(lambda points, f=function: sign * f(place(points)), domain)  # type: ignore[misc]
        else:
            point, normal, missed = _on_part(function, domain, over, place, sign)
        height = sign * float(function(place(point[None]), *([] if normal is None else [normal]))[0])
        if best is None or height > best[0]:
            best = height, point, normal, missed, whole
    if best is None:
        raise ProblemError(f"A slice of {solution.problem.domain} at {fixed} cannot be searched, or is empty.")
    _, point, normal, missed, whole = best
    there = place(point[None])
    values, errors = with_errors(solution, [whole], there, normal)
    found, error = float(values[0, 0]), float(errors[0, 0])
    if whole.order and away is not None and away(there)[0] < 2 * NEAR:
        error = float("inf")  # it grows towards the corner, without bound where that is re-entrant
    return Extremum.at(found, error + missed + ROUNDING * abs(found), there[0], names)


def _piece(solution: Solution, over: str | None) -> int | None:
    domain = solution.problem.domain
    return domain.inside_named(over) if isinstance(domain, Pieces) and over is not None else None


def _searched(
    solution: Solution, expression: Any, over: str | None, axes: Mapping[int, float]
) -> Iterator[tuple[Domain, Compiled | Across]]:
    """Where to search: the domain, each of its pieces with its own values up to its edge, or parts of a line."""
    domain = solution.problem.domain
    if over is not None:
        refuse_no_place(domain, over)
    whole = compiled_on(solution, expression, over)
    shapes: list[tuple[Domain, Compiled | Across]] = [(domain, whole)]
    if isinstance(domain, Pieces) and isinstance(whole, Compiled):
        piece = _piece(solution, over)
        if over is None:
            shapes = [(shape, whole.within(k)) for k, (_, shape) in enumerate(domain.shapes)]
        elif piece is not None:
            shapes = [(domain.shapes[piece][1], whole)]
    for shape, function in shapes:
        rest = sliced(shape, axes)
        if isinstance(rest, Domain):
            yield rest, function
        elif shape.dimension - len(axes) == 1 and rest != EMPTY:
            for low, high in stretches(shape, axes):
                yield Interval(s=(low, high)), function


Function = Callable[..., np.ndarray]


def _away(away: Function | None, function: Compiled | Across, sign: float) -> Function:
    """The same function, hidden close to corners where its singular features have derivatives without bound."""
    if not function.order or away is None:
        return function

    def values(points: np.ndarray, normals: np.ndarray | None = None) -> np.ndarray:
        far = away(points) >= NEAR
        found = np.full(len(points), -sign * np.inf)
        found[far] = function(points[far], None if normals is None else normals[far])
        return found

    return values


def _distance(solution: Solution) -> Function | None:
    """How far points are from the closest corner or hole with singular features, in units of the domain."""
    basis: Any = solution.basis
    foci = getattr(basis, "foci", []) or getattr(basis, "singular_places", [])
    size = float(np.linalg.norm(np.ptp(solution.problem.domain.bounds, axis=0)))
    to = distance_to(foci) if foci else None
    return None if to is None else lambda points: to(points) / size


def _on_part(
    function: Function, domain: Domain, part: str, place: Callable[[np.ndarray], np.ndarray], sign: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """The same on a part of the boundary: along the arcs of a plane domain, otherwise among many samples."""
    if domain.dimension == 2 and domain.arcs(domain.resolve(part)[0]):

        def values_at(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
            return sign * function(place(points), _whole(normals, place))

        found = [largest_along(values_at, arc) for name in domain.resolve(part) for arc in domain.arcs(name)]
        value, point, normal = max(found, key=lambda f: f[0])
        return point, _whole(normal, place), ROUNDING * abs(value)
    surface = domain.boundary(part, ON_SURFACE if domain.dimension > 1 else 1)
    values = sign * function(place(surface.points), _whole(surface.normals, place))
    order = np.argsort(-values)
    missed = float(values[order[0]] - values[order[min(3, len(order) - 1)]]) if domain.dimension > 1 else 0.0
    return surface.points[order[0]], _whole(surface.normals[order[:1]], place), missed


def _whole(normals: np.ndarray, place: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Normals with a zero for each fixed coordinate."""
    whole: np.ndarray = place(np.atleast_2d(normals)) - place(np.zeros_like(np.atleast_2d(normals)))
    return whole
