"""Quadrature over a plane domain for functions that are singular at its corners.

A smooth cutoff around each corner splits the integral in two: what is outside of it is smooth and left to the rule of
the domain; what is inside is taken in polar coordinates, with r = R t^m, which makes powers of r smooth in t.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import erfc

from transnet.discretise.foci import Focus
from transnet.geometry import Domain
from transnet.geometry.corners import Corner
from transnet.geometry.rules import Rule, gauss

CUTOFF = 11.0
"""The cutoff falls from one to zero between the corner and R, around R / 2, over a width of R over this number."""
GRADING = 4
RADII, ANGLES = 60, 20
RESOLVED = 40.0
MOST = 100_000
"""How many nodes of the rule of the domain there are along R, and at most in all."""
EDGE = 1e-6
"""The sine of the angle from an edge at which a point of the boundary belongs to it."""


def averaging_rule(domain: Domain, n: int, foci: Sequence[Focus] = ()) -> Rule:
    """Nodes and weights, about n; more where some of the foci are corners between straight edges."""
    if not foci:
        return domain.quadrature(n)
    near = 1e-9 * float(np.linalg.norm(domain.bounds[1] - domain.bounds[0]))
    points = np.array([focus.point for focus in foci])
    rim = domain.boundary("boundary", 4_000, "quasi", 0).points
    others = np.array([c.point for c in domain.corners_and_holes[0]])
    corners = [
        (corner, _reach(corner, rim, others))
        for corner in domain.corners_and_holes[0]
        if not corner.curved and np.linalg.norm(points - corner.point, axis=1).min() <= near
    ]
    # A corner with so little room around it that its cutoff is not resolved is left to the rule of the domain.
    corners = [(c, reach) for c, reach in corners if _needed(domain, reach) <= MOST]
    nodes, weights = domain.quadrature(int(max([n, *(_needed(domain, reach) for _, reach in corners)])))
    pieces = []
    for corner, reach in corners:
        weights = weights * (1.0 - _cutoff(np.linalg.norm(nodes - corner.point, axis=1), reach))
        pieces.append(_polar(corner, reach))
    return np.concatenate([nodes, *(p for p, _ in pieces)]), np.concatenate([weights, *(w for _, w in pieces)])


def _needed(domain: Domain, reach: float) -> float:
    """How many nodes of the domain resolve a cutoff."""
    return domain.volume * (RESOLVED / reach) ** 2


def _cutoff(r: np.ndarray, reach: float) -> np.ndarray:
    return 0.5 * erfc(CUTOFF * (r / reach - 0.5))


def _reach(corner: Corner, rim: np.ndarray, others: np.ndarray) -> float:
    """How far the domain is a sector around a corner: half of the way to the next corner, which cutoffs share."""
    away = rim - corner.point
    r = np.linalg.norm(away, axis=1)
    on_edge = np.zeros(len(rim), dtype=bool)
    for edge in corner.edges:
        on_edge |= (np.abs(away[:, 0] * edge[1] - away[:, 1] * edge[0]) <= EDGE * r) & (away @ edge > 0)
    gaps = np.linalg.norm(others - corner.point, axis=1)
    return min(0.98 * float(r[~on_edge].min(initial=np.inf)), 0.5 * float(gaps[gaps > 0].min(initial=np.inf)))


def _polar(corner: Corner, reach: float) -> Rule:
    t, a = gauss(RADII)
    phi, b = gauss(ANGLES)
    r = reach * t**GRADING
    first = corner.edges[0]
    angle = np.arctan2(first[1], first[0]) + corner.opening() * phi
    nodes = corner.point + r[:, None, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    radial = a * GRADING * reach * t ** (GRADING - 1) * r * _cutoff(r, reach)
    return nodes.reshape(-1, 2), np.outer(radial, corner.opening() * b).ravel()
