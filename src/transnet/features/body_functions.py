"""Where the functions of a field outside bodies have their centres: in the middle of round bodies, along others.

A round body has all orders around its middle. Another one has poles of order one inside, along its boundary: at half of
the radius of the largest disk that touches the boundary there from inside, and closer if another body is close, whose
mirror image lies there. At corners poles are clustered along the bisector, with distances exp(-s (sqrt n - sqrt j)),
for which the error falls like exp(-c sqrt n) whatever the corner's exponents are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.counts import ALONG
from transnet.features.images import Mirror, images_of
from transnet.features.radiating import Radiating
from transnet.geometry import Domain
from transnet.geometry.corners import Corner
from transnet.measure.arcs import Arc
from transnet.tolerances import BESIDE, SAME

LN10 = float(np.log(10.0))
"""Powers of e in a digit."""
SMOOTH = (4.0, 1.5)
"""Orders around a body for data without oscillations, a + b digits: those of holes."""
WAVES = 1.8
"""Orders n = k a + WAVES digits^(2/3) (k a)^(1/3) for waves: beyond the turning point Bessel functions fall like
exp(-(2 (n - k a))^(3/2) / (3 (k a)^(1/2)))."""
DEPTH, SPACING = 0.5, 3.0
"""The depth of the poles in units of the disk that touches, and their spacing in units of their depth divided by the
digits: that of the poles outside a domain."""
CLUSTER, FEWEST, PER_DIGIT = 4.0, 8.0, 1.0
"""The exponent s of the poles at a corner, and their number a + b digits^2."""
REACH = 0.7
"""The farthest pole of a corner, in units of its distance from the middle, so that those of several do not meet."""
CLOSEST = 1e-10
"""The closest pole to a corner, in units of the body: closer ones are lost in the rounding of coordinates."""
NEAR = 0.35
"""Poles along the boundary end at this distance from a corner, in units of the largest disk in the body."""
WIDEST = 0.5
"""A wavelength has at least 1 / WIDEST poles along a boundary for each two digits."""


def body_functions(domain: Domain, wavenumber: complex, digits: float, mirrors: Sequence[Mirror] = ()) -> Radiating:
    """The functions around the holes of a domain for so many digits; those of an exterior are its bodies.

    Walls that mirror them are as close as other bodies are.
    """
    corners, holes = domain.corners_and_holes
    rims = [hole.rim for hole in holes]
    centres: list[np.ndarray] = []
    radii: list[float] = []
    orders: list[tuple[int, int]] = []
    for number, hole in enumerate(holes):
        apart = (r for k, r in enumerate(rims) if k != number)
        others = np.concatenate([np.empty((0, 2)), *apart, *images_of(rims, mirrors)])
        away = np.hypot(*(hole.rim - hole.centre).T)
        round_ = np.ptp(away) < SAME * away[0]
        radius = float(away.min())
        centres.append(hole.centre)
        radii.append(radius)
        if round_:
            orders.append((0, highest_order(hole.centre, radius, others, wavenumber, digits)))
            continue
        orders.append((0, int(SMOOTH[0] + 0.5 * digits)))
        length = float(np.ptp(hole.rim, axis=0).max())
        mine = [c for c in corners if np.hypot(*(hole.rim - c.point).T).min() < BESIDE * float(away.max())]
        arcs = [a for a in arcs_of(domain) if np.hypot(*(hole.rim - a.at(np.zeros(1))[0]).T).min() <= BESIDE * length]
        for at, size in [*_along(arcs, mine, others, wavenumber, digits), *_at_corners(hole.centre, mine, digits)]:
            centres.append(at)
            radii.append(size)
            orders.append((1, 1))
    return Radiating(wavenumber, np.array(centres), np.array(radii), np.array(orders, dtype=int))


def highest_order(centre: np.ndarray, radius: float, others: np.ndarray, wavenumber: complex, digits: float) -> int:
    """The highest order around a round body: for its data, for waves, and for the images of its neighbours."""
    waves = abs(wavenumber) * radius
    found = max(SMOOTH[0] + SMOOTH[1] * digits, turning_order(waves, digits))
    if len(others):
        # Between equal circles with the gap d the coefficients fall like exp(-r n), cosh r = 1 + d / 2 a.
        gap = max(float(np.sqrt(((others - centre) ** 2).sum(axis=1)).min()) / radius - 1.0, SAME)
        found = max(found, waves + 2.0 + digits * LN10 / float(np.arccosh(1.0 + 0.5 * gap)))
    return int(np.ceil(found))


def turning_order(waves: float, digits: float) -> float:
    """The order from which on Bessel functions of k a are negligible."""
    return float(waves + WAVES * digits ** (2 / 3) * waves ** (1 / 3))


def outline_functions(domain: Domain, wavenumber: complex, digits: float) -> Radiating:
    """The functions of a bounded piece around which there is something else: around its middle, or poles outside."""
    corners, holes = domain.corners_and_holes
    inner = np.concatenate([np.empty((0, 2)), *(hole.rim for hole in holes)])
    size = float(np.ptp(domain.bounds, axis=0).max())
    arcs = [a for a in arcs_of(domain) if not _beside(a.at(np.zeros(1))[0], inner, size)]
    rim = np.concatenate([arc.at(np.linspace(0.0, arc.length, ALONG))[0] for arc in arcs])
    centre = 0.5 * np.sum(domain.bounds, axis=0)
    away = np.hypot(*(rim - centre).T)
    if np.ptp(away) < SAME * away[0]:
        order = highest_order(centre, float(away[0]), inner[:0], wavenumber, digits)
        return Radiating(wavenumber, centre[None], away[:1], np.array([[0, order]]), regular=True)
    mine = [c for c in corners if not _beside(c.point[None], inner, size)]
    poles = [*_along(arcs, mine, inner, wavenumber, digits), *_at_corners(centre, mine, digits)]
    centres, radii = np.array([at for at, _ in poles]), np.array([depth for _, depth in poles])
    return Radiating(wavenumber, centres, radii, np.tile([0, 1], (len(poles), 1)))


def arcs_of(domain: Domain) -> list[Arc]:
    """All arcs of the boundary of a plane domain."""
    return [arc for part in domain.parts for arc in domain.arcs(part)]


def _beside(point: np.ndarray, rim: np.ndarray, size: float) -> bool:
    return len(rim) > 0 and float(np.hypot(*(rim - point).T).min()) <= BESIDE * size


def _along(
    arcs: list[Arc], corners: list[Corner], others: np.ndarray, wavenumber: complex, digits: float
) -> list[tuple[np.ndarray, float]]:
    """Poles along arcs of the boundary, behind them, and their depths."""
    found: list[tuple[np.ndarray, float]] = []
    shortest = 2.0 * np.pi * WIDEST / abs(wavenumber) if wavenumber else np.inf
    sampled = [(arc, *arc.at(np.linspace(0.0, arc.length, ALONG))) for arc in arcs]
    rim = np.concatenate([points for _, points, _ in sampled])
    for arc, points, normals in sampled:
        room = touching(points, normals, rim)
        if len(others):
            gap = np.sqrt(((points[:, None] - others) ** 2).sum(axis=2)).min(axis=1)
            room *= gap / (room + gap)
        depth = DEPTH * room
        away = np.full(ALONG, np.inf)
        for corner in corners:
            away = np.minimum(away, np.hypot(*(points - corner.point).T))
        spacing = np.minimum(SPACING * depth, 2.0 * shortest) / digits
        keep = away > NEAR * float(room.max())
        step = arc.length / (ALONG - 1) / spacing * keep
        total = np.concatenate([[0.0], np.cumsum(0.5 * (step[1:] + step[:-1]))])
        count = int(np.ceil(total[-1]))
        for at in (np.arange(count) + 0.5) * total[-1] / max(count, 1):
            s = float(np.interp(at, total, np.arange(ALONG)))
            here = np.array([np.interp(s, np.arange(ALONG), v) for v in (*points.T, *normals.T, depth)])
            found.append((here[:2] + here[4] * here[2:4], float(here[4])))
    return found


def touching(points: np.ndarray, normals: np.ndarray, rim: np.ndarray) -> np.ndarray:
    """The radius of the largest ball in a body that touches its boundary at each point; normals point into the body."""
    away = rim[None] - points[:, None]
    inwards = np.einsum("pqd,pd->pq", away, normals)
    square = (away**2).sum(axis=2)
    far = (inwards > SAME * np.sqrt(square)) & (square > 0)
    radii = np.where(far, square / np.where(far, 2.0 * inwards, 1.0), np.inf)
    return np.minimum(radii.min(axis=1), float(np.ptp(rim, axis=0).max()))


def _at_corners(middle: np.ndarray, corners: list[Corner], digits: float) -> list[tuple[np.ndarray, float]]:
    """Poles clustered at the corners of a body, along the bisectors, and their distances from them."""
    found = []
    count = int(FEWEST + PER_DIGIT * digits**2)
    for corner in corners:
        if corner.flat:
            continue
        reach = min(REACH * float(np.hypot(*(middle - corner.point))), 0.5 * corner.free)
        distances = reach * np.exp(-CLUSTER * (np.sqrt(count) - np.sqrt(np.arange(1, count + 1))))
        found += [(corner.point + d * corner.cut, float(d)) for d in distances if d > CLOSEST * reach]
    return found
