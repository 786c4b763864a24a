"""Points of a surface f = 0, uniform by measure, in any dimension.

Cauchy-Crofton: lines that are uniform in direction and position meet a surface in points that are uniform by measure.
"""

from __future__ import annotations

from math import gamma

import numpy as np

from transnet.measure.contour import Field, Gradient, project_onto
from transnet.measure.narrowing import halved, secant
from transnet.measure.sampling import additive
from transnet.measure.spheres import from_cube, from_cylinder, in_ball

PROBES = 96  # samples of a line between which roots are found; two roots within one step may be missed
CLOSE = 12  # halvings of a step, after which two steps of the secant have all digits
BLOCK, MOST = 200, 200_000  # lines at once, whose samples stay in the cache, and in a batch, which bounds the memory
MORE, SPARE = 1.1, 64  # a batch is larger by this factor and this number than what is expected to be enough


def roots(f: Field, origins: np.ndarray, steps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All simple roots of f on segments origin + u step, u in [0, 1]: which segment, and where."""
    u = np.linspace(0, 1, PROBES)
    inside = np.empty((len(origins), PROBES), dtype=bool)
    for first in range(0, len(origins), BLOCK):
        chunk = slice(first, first + BLOCK)
        # The coordinates are rows, so that formulas run along memory.
        points = origins[chunk].T[:, :, None] + u * steps[chunk].T[:, :, None]
        inside[chunk] = f(points.reshape(len(points), -1).T).reshape(points.shape[1:]) < 0
    line, k = np.nonzero(inside[:, 1:] != inside[:, :-1])
    start = inside[line, k]
    a, b = origins[line].T.copy(), steps[line].T.copy()

    def along(s: np.ndarray) -> np.ndarray:
        return f((a + s * b).T)

    yes, no = np.where(start, u[k], u[k + 1]), np.where(start, u[k + 1], u[k])
    return line, secant(along, *halved(lambda s: along(s) < 0, yes, no, CLOSE))


def surface(
    f: Field, gradient: Gradient, bounds: np.ndarray, n: int, kind: str, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """At least n points of the surface f = 0, and its measure as estimated from the number of hits.

    f is positive on the rim of the box `bounds` and outside it. "quasi" spreads the lines evenly.
    """
    d = bounds.shape[1]
    center, radius = bounds.mean(axis=0), float(np.linalg.norm(bounds[1] - bounds[0])) / 2
    cuts = (2 if d == 3 else d) + d  # numbers that define a line: its direction, and its place across
    shift = rng.random(cuts)
    found: list[np.ndarray] = []
    hits, lines, batch = 0, 0, n + SPARE
    while hits < n:
        unit = rng.random((batch, cuts)) if kind == "random" else additive(lines, lines + batch, shift)
        origins, steps = _lines(unit, center, radius)
        line, u = roots(f, origins, steps)
        found.append(project_onto(f, gradient, origins[line] + u[:, None] * steps[line]))
        hits, lines = hits + len(line), lines + batch
        batch = min(int(MORE * (n - hits) * lines / max(hits, 1)) + SPARE, MOST) if hits < n else 0
    # A line through the ball meets its sphere twice, and the surface in proportion to its measure.
    sphere = 2 * np.pi ** (d / 2) / gamma(d / 2) * radius ** (d - 1)
    return np.concatenate(found), sphere * hits / (2 * lines)


def area_and_volume(f: Field, gradient: Gradient, bounds: np.ndarray, m: int = 128) -> tuple[float, float]:
    """The area of a surface in space and the volume inside, from m^2 lines along each axis.

    With unit normal n, the lines along axis k see |n_k| of each unit of area; |n_k| squared adds up to 1. The volume
    is the length of the lines inside: plus where they leave, minus where they enter.
    """
    low, extent = bounds[0], bounds[1] - bounds[0]
    nodes, weights = np.polynomial.legendre.leggauss(m)  # ten digits are plenty, and SciPy need not be imported
    x, w = (nodes + 1) / 2, weights / 2
    area = volume = 0.0
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        origins = np.tile(low, (m * m, 1))
        origins[:, i] += extent[i] * np.repeat(x, m)
        origins[:, j] += extent[j] * np.tile(x, m)
        steps = np.zeros_like(origins)
        steps[:, k] = extent[k]
        line, u = roots(f, origins, steps)
        slope = gradient(origins[line] + u[:, None] * steps[line])
        seen = np.abs(slope[:, k]) / np.maximum(np.linalg.norm(slope, axis=1), 1e-300)
        across = extent[i] * extent[j] * np.outer(w, w).ravel()[line]
        area += float(np.sum(across * seen))
        volume += float(np.sum(across * np.sign(slope[:, k]) * u)) * extent[k] / 3  # the mean of three estimates
    return area, volume


def _lines(unit: np.ndarray, center: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Uniform lines across a ball: where they start and the steps to where they stop, from points of the cube."""
    d = len(center)
    cut = unit.shape[1] - d
    direction = from_cylinder(unit[:, :2]) if d == 3 else from_cube(unit[:, :d])
    across = np.zeros((len(unit), d))
    if d == 3:
        angle = 2 * np.pi * unit[:, cut]
        across[:, :-1] = np.sqrt(unit[:, [-1]]) * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    else:
        across[:, :-1] = in_ball(unit[:, cut:])
    # The reflection that maps the last axis to the direction maps the disk across it to its place.
    mirror = direction.copy()
    mirror[:, -1] -= 1.0
    scale = np.maximum(np.sum(mirror**2, axis=1, keepdims=True), 1e-300)
    across -= 2 * mirror * np.sum(mirror * across, axis=1, keepdims=True) / scale
    return center + radius * (across - direction), 2 * radius * direction
