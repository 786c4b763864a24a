"""Quadrature over a plane domain for functions that are singular at its corners and in its holes.

A smooth cutoff around each corner splits the integral in two: the part outside is smooth and left to the rule of the
domain; the part inside is integrated in polar coordinates, with r = R t^m, which makes powers of r smooth in t. Around
holes, and at corners without room for a cutoff, the rule of the domain has graded panels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.basis.foci import CORNER, Focus
from transnet.geometry import Domain
from transnet.geometry.corners import Corner
from transnet.geometry.slit import Slit
from transnet.lazy import special
from transnet.measure.rules import Rule, gauss
from transnet.sections.graded import graded_rule
from transnet.tolerances import BESIDE, SAME

CUTOFF = 11.0
"""The cutoff falls from one to zero between the corner and R, around R / 2, over a width of R over this number."""
GRADING = 4
RADII, ANGLES = 60, 20
RESOLVED = 40.0
MOST = 100_000
"""How many nodes of the rule of the domain there are along R, and the most in all."""
SMOOTH = 6_000
"""The nodes that smooth functions need, besides the panels for singular ones."""
FEW, SEVERAL, MANY = 2, 9, 48
"""The most foci with small panels around them, with panels twice and four times as large: forty of them in two plates
between which there is a field are good for six digits of its energy."""
TIP, TINY = 1e-4, 1e-9
"""The smallest panels at a corner, and anywhere, in units of the size of the domain."""
RIM, CLEAR = 4_000, 0.98
"""Points of the boundary by which the room around a corner is found, and the part of it that is used."""


def averaging_rule(domain: Domain, n: int, foci: Sequence[Focus] = (), fine: float = 1.0) -> Rule:
    """Nodes and weights, about n; more around the foci, `fine` times the usual number along each direction."""
    if not foci:
        return domain.quadrature(n)
    if isinstance(domain, Slit):  # only the tips are singular, and functions jump across the slit
        tips = [Focus(tip, np.zeros(2), CORNER) for tip in domain.line]
        small = [*(f for f in foci if not np.any(f.arm)), *tips]
        rules = [averaging_rule(half, n, small, fine) for half in domain.halves]
        return np.concatenate([p for p, _ in rules]), np.concatenate([w for _, w in rules])
    size = float(np.linalg.norm(domain.bounds[1] - domain.bounds[0]))
    near = SAME * size
    points = np.array([focus.point for focus in foci])
    rim = domain.boundary("boundary", RIM, "quasi", 0).points
    others = np.array([c.point for c in domain.corners_and_holes[0]])
    corners = [
        (corner, _reach(corner, rim, others))
        for corner in domain.corners_and_holes[0]
        if not corner.curved and np.linalg.norm(points - corner.point, axis=1).min() <= near
    ]
    # A corner with so little room that its cutoff is not resolved is left to panels.
    corners = [(c, reach) for c, reach in corners if _needed(domain, reach, fine) <= MOST]
    taken = np.array([corner.point for corner, _ in corners]).reshape(-1, 2)
    rest = [f for f in foci if np.linalg.norm(taken - f.point, axis=1).min(initial=np.inf) > near]
    n = int(max([min(n, SMOOTH) if rest else n, *(_needed(domain, reach, fine) for _, reach in corners)]))
    nodes, weights = _panels(domain, n, rest, size, fine) if rest else domain.quadrature(n)
    pieces = []
    for corner, reach in corners:
        weights = weights * (1.0 - _cutoff(np.linalg.norm(nodes - corner.point, axis=1), reach))
        pieces.append(_polar(corner, reach, fine))
    return np.concatenate([nodes, *(p for p, _ in pieces)]), np.concatenate([weights, *(w for _, w in pieces)])


def _panels(domain: Domain, n: int, foci: Sequence[Focus], size: float, fine: float) -> Rule:
    """Panels around the foci, larger ones if there are many foci; the rule of the domain if there are too many."""
    count = len(np.unique(np.round(np.array([f.point for f in foci]) / (TINY * size)), axis=0))
    larger = 1.0 if count <= FEW else 2.0 if count <= SEVERAL else 4.0
    if count <= MANY:
        found = graded_rule(domain, n, lambda points: larger * _distance(points, foci, size), 3 * MOST, fine)
        if found is not None:
            return found
    # The difference of two levels is taken for the error, so they may not have the same nodes.
    return domain.quadrature(max(n, round(fine**2 * MOST)))


def _distance(points: np.ndarray, foci: Sequence[Focus], size: float) -> np.ndarray:
    """The distance to the closest focus, with a small minimum for boundary points."""
    least = [size * (TIP if f.gamma == CORNER else TINY) for f in foci]
    return np.min(
        [np.maximum(_beside(points - f.point, f.arm), tip) for f, tip in zip(foci, least, strict=True)], axis=0
    )


def _beside(points: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """The distance of points from the segment from -arm to arm."""
    along = np.clip(points @ arm / max(float(arm @ arm), 1e-300), -1.0, 1.0)
    return np.linalg.norm(points - along[:, None] * arm, axis=1)


def distance_to(foci: Sequence[Focus]) -> Callable[[np.ndarray], np.ndarray]:
    """The distance of points from the closest focus or corner with singular features."""
    return lambda points: np.min([_beside(points - f.point, f.arm) for f in foci], axis=0)


def _needed(domain: Domain, reach: float, fine: float) -> float:
    """How many nodes of the domain resolve a cutoff."""
    return domain.volume * (fine * RESOLVED / reach) ** 2


def _cutoff(r: np.ndarray, reach: float) -> np.ndarray:
    return 0.5 * special.erfc(CUTOFF * (r / reach - 0.5))


def _reach(corner: Corner, rim: np.ndarray, others: np.ndarray) -> float:
    """How far the domain is a sector around a corner: half of the distance to the next corner, which cutoffs share."""
    away = rim - corner.point
    r = np.linalg.norm(away, axis=1)
    on_edge = np.zeros(len(rim), dtype=bool)
    for edge in corner.edges:
        on_edge |= (np.abs(away[:, 0] * edge[1] - away[:, 1] * edge[0]) <= BESIDE * r) & (away @ edge > 0)
    gaps = np.linalg.norm(others - corner.point, axis=1)
    return min(CLEAR * float(r[~on_edge].min(initial=np.inf)), 0.5 * float(gaps[gaps > 0].min(initial=np.inf)))


def _polar(corner: Corner, reach: float, fine: float) -> Rule:
    t, a = gauss(round(fine * RADII))
    phi, b = gauss(round(fine * ANGLES))
    # Closer ones would be rounded into the corner, where derivatives are infinite; they weigh nothing.
    t, a = t[t**GRADING > SAME], a[t**GRADING > SAME]
    r = reach * t**GRADING
    first = corner.edges[0]
    angle = np.arctan2(first[1], first[0]) + corner.opening() * phi
    nodes = corner.point + r[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    radial = a * GRADING * reach * t ** (GRADING - 1) * r * _cutoff(r, reach)
    return nodes.reshape(-1, 2), np.outer(radial, corner.opening() * b).ravel()
