"""Simple poles outside a domain, along its outer boundary, for holes that are close to it.

A solution around a hole continues across the boundary about as far as the mirror image of the hole, so the closer the
hole is, the more slowly a sum of powers of z converges. Poles on a curve between the boundary and the images take over:
the error falls exponentially with the ratio of their distance from the boundary to their spacing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.features.placement import Placement
from transnet.features.singular import Chart, Function
from transnet.geometry import Domain
from transnet.geometry.corners import Hole
from transnet.tolerances import BESIDE

NODES = 257
"""Points of each arc of the boundary at which the distance to the images is evaluated."""
NEAR = 0.5
"""Images closer than this part of the radius of the domain need poles: powers of z are enough for others."""
CLOSEST = 1e-3
"""Closer images would need more poles than there may be functions."""
BETWEEN = 0.9
"""Where the poles lie, in units of the distance of the images."""
CLEAR = 0.6
"""Poles closer to the boundary than this part of their distance, as at reentrant corners, are left out."""
SPACING = 3.0
"""The spacing of the poles, in units of their distance from the boundary divided by the digits."""


def outside_functions(
    domain: Domain, holes: Sequence[Hole], placement: Placement, mu: complex, digits: float
) -> list[Function]:
    """The poles outside; none if all holes are far from the outer boundary."""
    plane = np.array([1.0, mu])
    outer = _outer(domain, holes)
    if not holes or not outer:
        return []
    centres = np.array([hole.centre @ plane for hole in holes])
    radii = np.array([np.abs((hole.rim - hole.centre) @ plane).max() for hole in holes])
    everything = np.concatenate([points @ plane for points, _ in outer])
    radius = float(np.abs(everything - everything.mean()).max())
    found: list[Function] = []
    for points, normals in outer:
        z = points @ plane
        # Those of a slender hole lie beyond the circle around it, at the distance of its rim or farther.
        rims = [np.abs(z[:, None] - hole.rim @ plane).min(axis=1) for hole in holes]
        circles = np.sqrt(np.maximum(np.abs(z[:, None] - centres) ** 2 - radii**2, 0.0)).T
        images = np.maximum(circles, rims).min(axis=0)
        if images.min() > NEAR * radius or not images.min() > CLOSEST * radius:
            continue
        distance = BETWEEN * np.minimum(images, radius)
        for pole, d in zip(*_beside(z, normals @ plane, distance, SPACING / digits), strict=True):
            at = np.array([pole.real - mu.real * pole.imag / mu.imag, pole.imag / mu.imag])
            if np.abs(everything - pole).min() > CLEAR * d and not domain.contains(at[None])[0]:
                found += Function(Chart.at(at, placement, mu, 1.0 / d + 0j), -1.0).both()
    return found


def _outer(domain: Domain, holes: Sequence[Hole]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Points and normals of the arcs that belong to no hole."""
    near = BESIDE * float(np.linalg.norm(domain.bounds[1] - domain.bounds[0]))
    rims = np.concatenate([hole.rim for hole in holes]) if holes else np.empty((0, 2))
    arcs = [arc.at(np.linspace(0.0, arc.length, NODES)) for part in domain.parts for arc in domain.arcs(part)]
    return [(points, normals) for points, normals in arcs if np.hypot(*(rims - points[0]).T).min(initial=np.inf) > near]


def _beside(z: np.ndarray, normals: np.ndarray, distance: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Points at a distance from a curve on its outer side, with their distances; the spacing is a part of these.

    The curve is continued straight beyond its ends as far as the distance there, so that the points of the two sides of
    a corner meet.
    """
    step = np.gradient(z)
    along = step / np.abs(step)
    across = along * (1j if (normals * np.conj(1j * along)).real.mean() > 0 else -1j)
    line = np.concatenate([[z[0] - along[0] * distance[0]], z, [z[-1] + along[-1] * distance[-1]]])
    d, across = (np.concatenate([v[:1], v, v[-1:]]) for v in (distance, across))
    total = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(line)) / (spacing * 0.5 * (d[1:] + d[:-1])))])
    count = int(np.ceil(total[-1]))
    at = (np.arange(count) + 0.5) * total[-1] / count
    return np.interp(at, total, line + d * across), np.interp(at, total, d)
