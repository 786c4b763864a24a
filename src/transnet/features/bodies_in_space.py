"""Where the functions of a field outside bodies in space have their centres: in the middle of balls, all over others.

A ball has all degrees around its middle. Another body has sources inside, below points that are spread over its
surface: at half of the radius of the largest ball that touches the surface there from inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from transnet.features.body_functions import DEPTH, SMOOTH, SPACING, WIDEST, highest_order, touching
from transnet.features.images import Mirror, images_of
from transnet.features.spherical import Spherical
from transnet.geometry import Domain, Exterior
from transnet.geometry.chain import Chain
from transnet.tolerances import SAME

RIM = 1500
"""Points of a surface from which its shape is read."""
SHALLOW = 0.1
"""The least depth of the sources, in units of the largest: edges would need any number of them."""
FEWEST, MOST = 20, 1500
"""Sources of a body: with the most of them a fit takes a second, and edges would need any number."""
MIDDLE = 0.5
"""Degrees around the middle of a body that is no ball, for each digit."""


def space_functions(domain: Exterior, wavenumber: complex, digits: float, mirrors: Sequence[Mirror] = ()) -> Spherical:
    """The functions for so many digits; walls that mirror the bodies are as close as other bodies are."""
    bodies = bodies_of(domain.body)
    rims = [body.boundary(n=RIM).points for body in bodies]
    centres: list[np.ndarray] = []
    radii: list[float] = []
    orders: list[tuple[int, int]] = []
    for number, (body, rim) in enumerate(zip(bodies, rims, strict=True)):
        apart = (r for k, r in enumerate(rims) if k != number)
        others = np.concatenate([np.empty((0, 3)), *apart, *images_of(rims, mirrors)])
        centre = 0.5 * np.sum(body.bounds, axis=0)
        away = np.sqrt(((rim - centre) ** 2).sum(axis=1))
        radius, ball = float(away.min()), np.ptp(away) < SAME * away[0]
        if ball:
            orders.append((0, highest_order(centre, radius, others, wavenumber, digits)))
        elif body.contains(centre[None])[0]:
            orders.append((0, int(SMOOTH[0] + MIDDLE * digits)))
        if ball or len(orders) > len(centres):
            centres.append(centre)
            radii.append(radius)
        if not ball:
            poles, depths = _below(body, wavenumber, digits)
            centres += list(poles)
            radii += depths.tolist()
            orders += [(0, 0)] * len(poles)
    return Spherical(wavenumber, np.array(centres), np.array(radii), np.array(orders, dtype=int))


def inner_functions(piece: Domain, wavenumber: complex, digits: float) -> list[Spherical]:
    """Those inside a bounded piece: around its middle or with sources outside, and around bodies that it surrounds."""
    chain = Chain.of(piece)
    hollow = len(chain.ops) > 1 and set(chain.ops[1:]) == {"-"}
    outline = chain.shapes[0] if hollow else piece
    centre = 0.5 * np.sum(outline.bounds, axis=0)
    away = np.sqrt(((outline.boundary(n=RIM).points - centre) ** 2).sum(axis=1))
    if np.ptp(away) < SAME * away[0]:
        order = highest_order(centre, float(away[0]), np.empty((0, 3)), wavenumber, digits)
        found = [Spherical(wavenumber, centre[None], away[:1], np.array([[0, order]]), regular=True)]
    else:
        poles, depths = _below(outline, wavenumber, digits, outside=True)
        found = [Spherical(wavenumber, poles, depths, np.zeros((len(poles), 2), dtype=int))]
    holes = [space_functions(Exterior(hole), wavenumber, digits) for hole in chain.shapes[1:]] if hollow else []
    return [*found, *holes]


def bodies_of(body: Domain) -> tuple[Domain, ...]:
    """The bodies one by one, if they are joined and apart."""
    chain = Chain.of(body)
    apart = all(np.any((a[0] > b[1]) | (b[0] > a[1])) for a, b in combinations(chain.boxes, 2))
    return chain.shapes if apart and set(chain.ops) == {"|"} else (body,)


def _below(body: Domain, wavenumber: complex, digits: float, outside: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Sources below the surface of a body, or above it, and their depths."""
    surface, way = body.boundary(n=RIM), 1.0 if outside else -1.0
    # Around a convex body there is any room, but what varies on its surface does so as fast as its radii say.
    radii = touching(surface.points, -surface.normals, surface.points)
    if outside:
        radii = np.minimum(radii, touching(surface.points, surface.normals, surface.points))
    radii = np.maximum(radii, SHALLOW * radii.max())
    depth = DEPTH * radii
    shortest = 2.0 * np.pi * WIDEST / abs(wavenumber) if wavenumber else np.inf
    spacing = np.minimum(SPACING * depth, 2.0 * shortest) / digits
    count = int(np.ceil(body.measure("boundary") * np.mean(1.0 / spacing**2)))
    points = body.boundary(n=min(max(count, FEWEST), MOST))
    nearest = [int(np.argmin(((surface.points - p) ** 2).sum(axis=1))) for p in points.points]
    return points.points + way * depth[nearest][:, None] * points.normals, depth[nearest]
