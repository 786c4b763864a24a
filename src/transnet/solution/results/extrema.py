"""The largest and the smallest value of an expression, and where it is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.arguments import Formula
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.geometry import Interval, Pieces
from transnet.geometry.domain import Domain
from transnet.geometry.manifold import manifold_of
from transnet.lazy import spatial
from transnet.measure.narrowing import halved
from transnet.problem.complex import in_given_names
from transnet.rows.averages import distance_to
from transnet.sections.section import EMPTY, embedded, sliced
from transnet.solution.expressions import Across, Compiled, compiled_on
from transnet.solution.held import held
from transnet.solution.quantities import expression_of
from transnet.solution.results.numbers import Extremum
from transnet.solution.results.places import refuse_no_place, stretches
from transnet.solution.results.pointwise import with_errors
from transnet.tolerances import BESIDE, SAME

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

INSIDE, AROUND = 3_000, 1_500
"""Points inside and on the boundary that are evaluated first."""
STARTS, NEIGHBOURS = 300, 3
"""The most local extrema among them from which the search starts, and how many neighbours per coordinate each is
compared with; what more of them may reach is an error of the result."""
MOVES, SMALLEST = 600, 1e-11
"""The most moves of a search, and its smallest step in units of the domain."""
LEFT, FADES = 8.0, 0.25
"""A search goes on while this many times what its last steps gained would make it the best; with each halving of the
step the gain of a smooth function falls to a quarter."""
DIRECTIONS = 10
"""Random directions that are tried besides the axes."""
ROUNDING = 4e-16
EDGE = 4e-12
"""A point this far beside the edge, in units of the domain, may still be taken for one on it."""
NEAR = 1e-3
"""Derivatives are not evaluated closer to a corner with singular features than this part of the size of the domain."""
ON_SURFACE = 20_000
"""Samples of a surface in space."""
ALONG = 1_025
"""Places of an arc that are evaluated first."""
LOOKS, PLACES = 14, 65
"""How often the stretch around the best of this many places of an arc is searched: each time narrows it by sixteen."""


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

    best: tuple[float, np.ndarray, np.ndarray | None, float, Any] | None = None
    for domain, whole in _searched(solution, expression, over, axes):
        if whole.imaginary is not None:
            raise ProblemError(
                f"{in_given_names(expression)} is complex and has no largest value: take that of its modulus, Abs."
            )
        function = _away(solution, whole, sign)
        normal = None
        if over is None or len(free) == 1 or _piece(solution, over) is not None:
            point, missed = _inside(function, domain, place, sign)
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
    if whole.order and _distance(solution, there)[0] < 2 * NEAR:
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


def _away(solution: Solution, function: Compiled | Across, sign: float) -> Function:
    """The same function, hidden close to corners where its singular features have derivatives without bound."""
    if not function.order or not getattr(solution.basis, "foci", []):
        return function

    def values(points: np.ndarray, normals: np.ndarray | None = None) -> np.ndarray:
        far = _distance(solution, points) >= NEAR
        found = np.full(len(points), -sign * np.inf)
        found[far] = function(points[far], None if normals is None else normals[far])
        return found

    return values


def _distance(solution: Solution, points: np.ndarray) -> np.ndarray:
    """How far points are from the closest corner or hole with singular features, in units of the domain."""
    foci = getattr(solution.basis, "foci", [])
    size = float(np.linalg.norm(np.ptp(solution.problem.domain.bounds, axis=0)))
    return distance_to(foci)(points) / size if foci else np.full(len(points), np.inf)


def _inside(
    function: Function, domain: Domain, place: Callable[[np.ndarray], np.ndarray], sign: float
) -> tuple[np.ndarray, float]:
    """Where an expression is largest in a closed domain, and how much the last steps of the search still gained."""
    extent = np.ptp(domain.bounds, axis=0)
    inner = domain.interior(INSIDE)
    corners = np.array(list(product(*domain.bounds.T)))
    rim = domain.boundary("boundary", AROUND).points
    vertices = [c.point[None] for c in domain.corners_and_holes[0]]
    looked = np.concatenate([inner, rim, corners[domain.contains(corners)], *vertices])
    values = sign * function(place(looked))
    tree = spatial.cKDTree(inner / extent)
    chosen, gained, unseen = _promising(looked / extent, values)
    here, top = looked[chosen], values[chosen]
    h = np.full(len(chosen), 2.0 * len(inner) ** (-1 / domain.dimension))
    rng = np.random.default_rng(0)
    for _ in range(MOVES):
        # One that gains too little to become the largest is left; so is one whose last steps gained nothing.
        active = np.flatnonzero((top + LEFT * gained >= top.max()) & ((h > BESIDE) | (gained > ROUNDING * np.abs(top))))
        active = active[h[active] > SMALLEST]
        if not len(active):
            break
        ways = _directions(domain.dimension, rng)
        tried = (here[active, None] + h[active, None, None] * extent * ways).reshape(-1, domain.dimension)
        tried = _pulled_in(domain, tried, inner[tree.query(tried / extent)[1]])
        now = (sign * function(place(tried))).reshape(len(active), -1)
        k, rows = np.argmax(now, axis=1), np.arange(len(active))
        rise = now[rows, k] - top[active]
        better = rise > 0
        here[active[better]] = tried.reshape(len(active), -1, domain.dimension)[rows, k][better]
        top[active[better]] += rise[better]
        gained[active] = np.where(better, gained[active] + rise, gained[active])
        h[active[~better]] *= 0.5
        gained[active[~better]] *= FADES
    last = int(np.argmax(top))
    best, height, gained_last = here[last], float(top[last]), float(gained[last])
    gained_last += max(unseen - height, 0.0)
    beside = best + EDGE * extent * np.concatenate([np.eye(domain.dimension), -np.eye(domain.dimension)])
    if not domain.contains(beside).all():
        gained_last += float(np.abs(sign * function(place(beside)) - height).max())
    return best, gained_last


def _promising(points: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """The samples near which the largest value may be, by how much it may be above each, and the most that may be near
    those that are left out.

    Between samples a smooth function rises above one of them by no more than it falls from there to its neighbours.
    """
    near = spatial.cKDTree(points).query(points, k=min(NEIGHBOURS * points.shape[1] + 1, len(points)))[1]
    around = values[near[:, 1:]]
    tops = np.flatnonzero((around <= values[:, None]).all(axis=1) & np.isfinite(values))
    if not len(tops):
        return np.array([int(np.argmax(values))]), np.zeros(1), -np.inf
    fall = values[tops] - np.where(np.isfinite(around[tops]), around[tops], values[tops, None]).min(axis=1)
    bound = values[tops] + fall
    tops, bound = tops[bound >= values.max()], bound[bound >= values.max()]
    order = np.argsort(-bound, kind="stable")
    first = tops[order[:STARTS]]
    return first, bound[order[:STARTS]] - values[first], float(bound[order[STARTS:]].max(initial=-np.inf))


def _directions(d: int, rng: np.random.Generator) -> np.ndarray:
    axes = np.concatenate([np.eye(d), -np.eye(d)])
    if d == 1:
        return axes
    more = rng.standard_normal((DIRECTIONS, d))
    return np.concatenate([axes, more / np.linalg.norm(more, axis=1, keepdims=True)])


def _pulled_in(domain: Domain, points: np.ndarray, towards: np.ndarray) -> np.ndarray:
    """Points outside, moved towards points inside as far as the boundary; beside a surface, moved onto it."""
    surface = manifold_of(domain)
    if surface is not None:
        points = points.copy()
        points[:, :3] = surface.closest(points[:, :3])
        return np.where(domain.contains(points)[:, None], points, towards)
    outside = ~domain.contains(points)
    if not outside.any():
        return points
    moved = points.copy()
    moved[outside] = halved(domain.contains, towards[outside], points[outside])[0]
    return moved


def _on_part(
    function: Function, domain: Domain, part: str, place: Callable[[np.ndarray], np.ndarray], sign: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """The same on a part of the boundary: along the arcs of a plane domain, otherwise among many samples."""
    if domain.dimension == 2 and domain.arcs(domain.resolve(part)[0]):
        found = [_on_arc(function, arc, place, sign) for name in domain.resolve(part) for arc in domain.arcs(name)]
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


def _on_arc(
    function: Function, arc: Any, place: Callable[[np.ndarray], np.ndarray], sign: float
) -> tuple[float, np.ndarray, np.ndarray]:
    def at(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        points, normals = arc.at(s)
        return sign * function(place(points), _whole(normals, place)), points, normals

    every = np.linspace(0.0, arc.length, ALONG)
    values = at(every)[0]
    padded = np.concatenate([values[1:2], values, values[-2:-1]])
    with np.errstate(invalid="ignore"):  # a formula may be infinite at a corner
        fall = values - np.minimum(padded[:-2], padded[2:])
    tops = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]) & (values + fall >= values.max()))
    found = []
    for top in tops[np.argsort(-values[tops], kind="stable")][:STARTS]:
        low, high = every[max(top - 1, 0)], every[min(top + 1, ALONG - 1)]
        for _ in range(LOOKS):
            s = np.linspace(low, high, PLACES)
            values, points, normals = at(s)
            k = int(np.argmax(values))
            low, high = s[max(k - 2, 0)], s[min(k + 2, len(s) - 1)]
            if high - low < SAME * arc.length:
                break
        found.append((float(values[k]), points[k], normals[k]))
    return max(found, key=lambda f: f[0])
