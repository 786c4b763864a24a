"""Where points of a boundary go when a size of the domain changes: to a place on the same part of the other domain.

Which place does not matter for a derivative as long as it is on the boundary and moves smoothly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.errors import GeometryError
from transnet.geometry.box import Box
from transnet.geometry.csg import Combination
from transnet.geometry.domain import Domain
from transnet.geometry.product import Product
from transnet.measure.arcs import Arc, Located
from transnet.tolerances import BESIDE

ALONG, STEPS = 400, 3
"""Samples of an arc among which the closest to a point is found, and steps from there: each cubes the error."""

SIXTH = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""A difference of sixth order: f'(0) = sum_j w_j (f(jh) - f(-jh)) / h."""
BENT = 1e-3
"""The step of differences of normals, in units of the length of an arc."""

Follow = Callable[[Domain], Located]
"""Where points of a boundary are, and the normals there, on that of a domain with slightly other sizes."""


def follower(domain: Domain, parts: Sequence[str], points: np.ndarray) -> Follow:
    """How points of parts of the boundary move: they are located once, for any number of other domains."""
    own = [part for name in parts for part in domain.resolve(name)]
    if domain.dimension == 2 and all(domain.arcs(part) for part in own):
        return _on_arcs(domain, own, points)

    def follow(other: Domain) -> Located:
        twins = [(part, _twin(domain, other, part)) for part in own]
        if domain.dimension == 1:
            return _ends(domain, other, twins, points)
        places, normals = np.array(points, float), np.zeros_like(points, dtype=float)
        left = np.ones(len(points), dtype=bool)
        size = float(np.ptp(domain.bounds, axis=0).max())
        for part, twin in twins:
            for mine, there, direction in _on_surface(domain, other, part, twin, points, BESIDE * size):
                chosen = mine & left
                places[chosen], normals[chosen] = there[chosen], direction[chosen]
                left &= ~chosen
        if left.any():
            raise GeometryError(
                f"How the boundary of {domain} moves with its sizes is known in the plane, and in space for boxes, "
                f"balls, products and combinations of these."
            )
        return places, normals

    return follow


def _twin(domain: Domain, other: Domain, part: str) -> str:
    """The part of another domain that is the same part: names may contain sizes."""
    if len(domain.parts) != len(other.parts):
        raise GeometryError(
            f"The boundary of {domain} changes its parts with its sizes, so a derivative does not exist here."
        )
    return other.parts[domain.parts.index(part)]


def _ends(domain: Domain, other: Domain, twins: Sequence[tuple[str, str]], points: np.ndarray) -> Located:
    here = [(domain.boundary(part, 1), other.boundary(twin, 1)) for part, twin in twins]
    old = np.concatenate([a.points[:1] for a, _ in here])
    which = np.argmin(np.abs(points - old[:, 0]), axis=1)
    places, normals = (np.concatenate([getattr(b, f)[:1] for _, b in here])[which] for f in ("points", "normals"))
    return places, normals


def turning(domain: Domain, parts: Sequence[str], points: np.ndarray) -> np.ndarray:
    """How fast the normals of a plane boundary turn along it at its points: positive where it bulges outwards."""
    arcs, found, best = located_on(domain, [part for name in parts for part in domain.resolve(name)], points)
    values = np.zeros(len(points))
    for number in np.unique(best):
        arc, mine = arcs[number][2], best == number
        if not arc.straight:
            h = BENT * arc.length
            s = found[number][mine]
            s = s if _closed(arc) else np.clip(s, 3 * h, arc.length - 3 * h)
            at = {j: arc.at(np.mod(s + j * h, arc.length)) for j in range(-3, 4) if j}
            along, turn = (sum(w * (at[j][k] - at[-j][k]) for j, w in SIXTH) / h for k in (0, 1))
            values[mine] = np.sum(along * turn, axis=1)
    return values


def located_on(
    domain: Domain, parts: Sequence[str], points: np.ndarray
) -> tuple[list[tuple[str, int, Arc]], list[np.ndarray], np.ndarray]:
    """The arcs of parts, the arc length of the closest point of each for each point, and which arc is the closest."""
    arcs = [(part, k, arc) for part in parts for k, arc in enumerate(domain.arcs(part))]
    found = [_closest(arc, points) for _, _, arc in arcs]
    far = np.stack([np.linalg.norm(arc.at(s)[0] - points, axis=1) for (_, _, arc), s in zip(arcs, found, strict=True)])
    return arcs, found, np.argmin(far, axis=0)


def _closed(arc: Arc) -> bool:
    ends = arc.at(np.array([0.0, arc.length]))[0]
    return bool(np.linalg.norm(ends[1] - ends[0]) <= BESIDE * arc.length)


def _on_arcs(domain: Domain, parts: Sequence[str], points: np.ndarray) -> Follow:
    arcs, found, best = located_on(domain, parts, points)

    def follow(other: Domain) -> Located:
        places, normals = np.zeros((len(points), 2)), np.zeros((len(points), 2))
        for number in np.unique(best):
            part, k, arc = arcs[number]
            there, mine = other.arcs(_twin(domain, other, part)), best == number
            if len(there) != len(domain.arcs(part)):
                raise GeometryError(
                    f"The part '{part}' of {domain} consists of another number of arcs with slightly other sizes, so a "
                    f"derivative does not exist here."
                )
            places[mine], normals[mine] = there[k].at(found[number][mine] * (there[k].length / arc.length))
        return places, normals

    return follow


def _closest(arc: Arc, points: np.ndarray) -> np.ndarray:
    """The arc length of the point of an arc closest to each point."""
    grid = np.linspace(0.0, arc.length, ALONG + 1)
    samples, normals = arc.at(grid)
    turned = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    forward = np.sign(np.sum(turned[:-1] * np.diff(samples, axis=0)))
    squares = np.sum(samples**2, axis=1)[None, :] - 2.0 * points @ samples.T
    s = grid[np.argmin(squares, axis=1)]
    closed = _closed(arc)
    for _ in range(STEPS):
        place, normal = arc.at(s)
        tangent = forward * np.stack([-normal[:, 1], normal[:, 0]], axis=1)
        s = s + np.sum((points - place) * tangent, axis=1)
        s = np.mod(s, arc.length) if closed else np.clip(s, 0.0, arc.length)
    return np.asarray(s)


def _on_surface(
    domain: Domain, other: Domain, part: str, twin: str, points: np.ndarray, off: float
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each surface of a part in space: which points lie on it, where they go, and the normals there."""
    if isinstance(domain, Product) and isinstance(other, Product):
        d, found = domain.first.dimension, []
        for mine, theirs, columns in (
            (domain.first, other.first, slice(0, d)),
            (domain.second, other.second, slice(d, None)),
        ):
            if part in mine.parts:
                place, direction = points.copy(), np.zeros_like(points)
                place[:, columns], direction[:, columns] = follower(mine, [part], points[:, columns])(theirs)
                on = np.linalg.norm(follower(mine, [part], points[:, columns])(mine)[0] - points[:, columns], axis=1)
                found.append((on <= off, place, direction))
        return found
    if isinstance(domain, Box) and isinstance(other, Box):
        axis, side = divmod(domain.parts.index(part), 2)
        place, direction = points.copy(), np.zeros_like(points)
        place[:, axis], direction[:, axis] = other.bounds[side, axis], 2.0 * side - 1.0
        return [(np.abs(points[:, axis] - domain.bounds[side, axis]) <= off, place, direction)]
    if isinstance(domain, Combination) and isinstance(other, Combination):
        found = []
        for mine, theirs, turn in ((domain.first, other.first, 1.0), (domain.second, other.second, -1.0)):
            sign = turn if domain.op == "-" else 1.0
            for name, to in zip(mine.parts, theirs.parts, strict=True):
                if name == part:
                    found += [(on, p, sign * n) for on, p, n in _on_surface(mine, theirs, name, to, points, off)]
        return found
    if hasattr(domain, "center") and hasattr(domain, "radius"):
        radius, to = domain.radius, other.radius  # type: ignore[attr-defined]
        out = (points - np.asarray(domain.center)) / radius
        on = np.abs(np.linalg.norm(out, axis=1) - 1.0) * radius <= off
        return [(on, np.asarray(other.center) + to * out, out)]  # type: ignore[attr-defined]
    return []
