"""Uniform directions, and uniform points of a ball, from points of the unit cube."""

from __future__ import annotations

import numpy as np

from transnet.lazy import special
from transnet.measure.sampling import quasi
from transnet.tolerances import ROUNDED

CIRCLE, SPHERE = 64, 96
"""The numbers of directions that are tried in the plane and in space."""
TURNED = 0.31
"""The part of a step by which those of the plane are turned, so that none is along an axis or a diagonal."""


def directions(n: int, d: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """n unit vectors, uniform on the sphere in dimension d >= 3; "grid" is like "quasi"."""
    if kind == "random":
        return _normalised(rng.standard_normal((n, d)))
    if d == 3:
        return from_cylinder(quasi(n, 2, rng))
    return from_cube(quasi(n, d, rng))


def from_cylinder(unit: np.ndarray) -> np.ndarray:
    """Unit vectors of space from points (n, 2) of the square: Archimedes' equal-area map (height, angle)."""
    z, angle = 2 * unit[:, 0] - 1, 2 * np.pi * unit[:, 1]
    r = np.sqrt((1 - z) * (1 + z))
    return np.stack([r * np.cos(angle), r * np.sin(angle), z], axis=-1)


def from_cube(unit: np.ndarray) -> np.ndarray:
    """Unit vectors from points (n, d) of the cube: normal variables have no preferred direction."""
    return _normalised(special.ndtri(np.clip(unit, ROUNDED, 1 - ROUNDED)))


def in_ball(unit: np.ndarray) -> np.ndarray:
    """Points of the unit ball in dimension d from points (n, d + 1) of the cube, uniform by volume."""
    d = unit.shape[1] - 1
    radius = np.clip(unit[:, -1:], 0.0, 1 - ROUNDED) ** (1.0 / d)
    if d == 1:
        return np.where(unit[:, :1] < 0.5, -radius, radius)
    return radius * from_cube(unit[:, :-1])


def _normalised(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def star(d: int) -> np.ndarray:
    """Directions all round a point, none of them along an axis."""
    if d == 1:
        return np.array([[-1.0], [1.0]])
    if d == 2:
        angles = 2 * np.pi * (np.arange(CIRCLE) + TURNED) / CIRCLE
        return np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return from_cube(quasi(SPHERE, d, np.random.default_rng(0)))
