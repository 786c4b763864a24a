"""Layers inside the domain, carried by the flow from a corner of the inflow or past an obstacle.

If diffusion is weak, a solution is carried along by the flow. From a point at which the inflow is not smooth, a corner
or the point where the flow grazes a rim, a kink is carried into the domain; diffusion widens it to (a l / v)^1/2 after
the length l. Boxes along such lines are halved until they are a few widths of that layer wide, if the solution on the
coarser ones is rough there: a smooth inflow carries nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.errors import NotFiniteError
from transnet.geometry import Domain
from transnet.geometry.partition import shapes_of
from transnet.measure.arcs import Arc
from transnet.pieces.laws import Laws
from transnet.pieces.level import CutLevel
from transnet.tolerances import BESIDE, HALVINGS

TINY = np.finfo(float).tiny
"""Where nothing flows."""

WIDE = 8.0
"""The width of boxes along the line in units of that of the layer."""
ACROSS = (-8.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0)
"""How far from the line boxes are halved, in the same units: the remainder of the layer at 4 was found to spoil three
digits, carried downstream by wider boxes; at 8 nothing remains."""
STEPS, SAMPLES = 300, 6000
"""Steps along a line from its start to the other side of the domain, and points on it, more of them at the start."""
LONGEST = 1.5
"""The longest line in units of the domain."""
AROUND = 129
"""Points of an arc at which the direction of the flow is evaluated."""
WEAK = 0.01
"""Diffusion is weak if a / (v L) is smaller, with L the size of the domain."""
BENT = 1e-3
"""Arcs whose normals differ by less at their ends form a smooth boundary."""
MOST = 14
"""The most halvings."""


Flow = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Line:
    """Points along the flow, its direction there, and the width of the layer carried so far."""

    points: np.ndarray
    directions: np.ndarray
    widths: np.ndarray

    def graded(self, boxes: Boxes, limit: float) -> Boxes:
        """Boxes halved along the line, as long as there are no more than `limit`."""
        across = np.stack([-self.directions[:, 1], self.directions[:, 0]], axis=1)
        points = np.concatenate([self.points + b * self.widths[:, None] * across for b in ACROSS])
        width = np.tile(self.widths, len(ACROSS))
        inside = np.all((points > boxes.bounds[0]) & (points < boxes.bounds[1]), axis=1)
        points, width = points[inside], width[inside]
        for _ in range(MOST):
            owner = boxes.locate(points)
            thin = np.full(len(boxes), np.inf)
            np.minimum.at(thin, owner, width)
            wide = boxes.widths > WIDE * thin[:, None]
            marked = {int(k): tuple(np.flatnonzero(wide[k]).tolist()) for k in np.flatnonzero(wide.any(axis=1))}
            if not marked or len(boxes) + sum(2 ** len(axes) - 1 for axes in marked.values()) > limit:
                break
            boxes = boxes.cut(marked)
        return boxes


def halved_along_lines(laws: Laws, level: CutLevel, numbers: Sequence[Any], wanted: float, limit: float) -> Boxes:
    """The boxes of a level, halved along the lines at which its indicator is too large."""
    boxes = level.cells.boxes
    rough = np.zeros(len(boxes))
    for k, cell in enumerate(level.cells.cells):
        rough[cell.box] = max(rough[cell.box], level.found.cells[k])
    for line in lines_of(laws, numbers):
        if rough[level.cells.boxes.locate(line.points)].max(initial=0.0) > wanted:
            boxes = line.graded(boxes, limit)
    return boxes


def lines_of(laws: Laws, numbers: Sequence[Any]) -> list[Line]:
    """The lines along which one convection-diffusion equation in the plane carries kinks."""
    problem = laws.problem
    if problem.domain.dimension != 2 or len(problem.unknowns) != 1:
        return []
    found: list[Line] = []
    extent = np.ptp(problem.domain.bounds, axis=0)
    for material, (_, shape) in enumerate(shapes_of(problem.domain)):
        flow = _flow(laws, material, numbers)
        if flow is None:
            continue
        try:
            traced = [_traced(shape, flow, start, float(extent.max())) for start in _starts(shape, flow)]
        except NotFiniteError:
            continue  # as 1/r on an axis
        found += [line for line in traced if line is not None]
    return found


def _flow(laws: Laws, material: int, numbers: Sequence[Any]) -> Flow | None:
    """A function that gives v / a and its sign at points, for an equation -a lap u + v grad u; None for others."""
    statements = laws.equations[material]
    if len(statements) != 1 or not statements[0].equation.linear:
        return None
    equation = statements[0].equation
    index = {i: k for k, (_, i) in enumerate(equation.slots)}
    second, first = ((2, 0), (0, 2)), ((1, 0), (0, 1))
    if max(map(sum, index)) != 2 or not all(s in index for s in second) or not any(f in index for f in first):
        return None

    def velocity(points: np.ndarray) -> np.ndarray:
        c = equation.jacobian(points, None, numbers)
        a = 0.5 * np.sum([np.broadcast_to(c[index[s]], len(points)) for s in second], axis=0)
        v = [np.broadcast_to(c[index[f]], len(points)) if f in index else np.zeros(len(points)) for f in first]
        return -np.stack(v, axis=1) / a[:, None]

    return velocity


def _starts(shape: Domain, flow: Flow) -> np.ndarray:
    """Points of the boundary at which the inflow is not smooth: its corners, and where the flow grazes it."""
    near = BESIDE * float(np.ptp(shape.bounds, axis=0).max())
    ends: list[tuple[np.ndarray, np.ndarray, float]] = []
    found = []

    def through(arc: Arc, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and normals of an arc, and the part of the flow that crosses it."""
        points, normals = arc.at(s)
        v = flow(points)
        out = np.sum(v * normals, axis=1) / np.maximum(np.linalg.norm(v, axis=1), TINY)
        return points, normals, np.where(np.abs(out) < BESIDE, 0.0, out)

    for arc in (arc for part in shape.parts for arc in shape.arcs(part)):
        s = arc.length * np.linspace(0.0, 1.0, AROUND)
        points, normals, out = through(arc, s)
        ends += [(points[k], normals[k], float(out[k])) for k in (0, -1)]
        flows = np.flatnonzero(out)
        for a, b in pairwise(flows.tolist()):
            if out[a] * out[b] < 0:
                low, high = s[a], s[b]
                for _ in range(HALVINGS):
                    middle = 0.5 * (low + high)
                    same = through(arc, np.array([middle]))[2][0] * out[a] > 0
                    low, high = (middle, high) if same else (low, middle)
                at, normal, _ = through(arc, np.array([0.5 * (low + high)]))
                found.append(at[0] - near * normal[0])  # just inside: it grazes
    for k, (p, n, t) in enumerate(ends):
        meets = [j for j in range(k) if np.linalg.norm(ends[j][0] - p) < near]
        found += [p for j in meets if np.abs(ends[j][1] - n).max() > BENT and min(t, ends[j][2]) < 0]
    return np.array(found).reshape(-1, 2)


def _traced(shape: Domain, flow: Flow, start: np.ndarray, length: float) -> Line | None:
    """The line from a point through a shape, if diffusion is weak along it and it does not leave at once."""
    share = np.linspace(0.0, 1.0, STEPS + 1) ** 2
    points, speeds = [start], []
    for step in np.diff(share) * LONGEST * length:
        v = flow(points[-1][None])[0]
        speed = float(np.linalg.norm(v))
        if speed * length * WEAK < 1:
            break
        middle = points[-1] + 0.5 * step * v / speed
        w = flow(middle[None])[0]
        points.append(points[-1] + step * w / max(float(np.linalg.norm(w)), TINY))
        speeds.append(speed)
    if len(points) <= 2:
        return None
    at, l = np.array(points), np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    inside = shape._inside(at[1:], 0)
    if not inside[:2].all():
        return None
    last = len(at) - 1 if inside.all() else int(np.argmin(inside)) + 1
    at, l, speeds = at[: last + 1], l[: last + 1], speeds[:last]
    spread = np.concatenate([[0.0], np.cumsum(np.diff(l) / speeds)])
    fine = l[-1] * np.linspace(0.0, 1.0, SAMPLES) ** 2
    path = np.stack([np.interp(fine, l, at[:, j]) for j in range(2)], axis=1)
    directions = np.gradient(path, axis=0)
    directions = directions / np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), TINY)
    widths = np.maximum(np.sqrt(np.interp(fine, l, spread)), 1 / max(speeds))
    return Line(path, directions, widths)
