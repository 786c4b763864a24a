"""Boundary layers predicted from the equation: boxes are halved towards flat sides with a thin one.

Along the distance xi to a side the equation reads -a u'' - b u' + c u = ..., with b the drift out of the side. A
solution that falls like exp(-s xi) satisfies a s^2 - b s - c = 0: at an outflow s = b / a, with a reaction s = (c /
a)^1/2. At a side along which the flow has the speed v a layer grows like (a l / v)^1/2 with the length l.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cells
from transnet.errors import NotFiniteError
from transnet.pieces.laws import Laws
from transnet.rows.compile import Equation
from transnet.tolerances import ROUNDED, SAME

WIDE = 8.0
"""The width of the last box in units of that of the layer: the waves of a box represent exp(-8 t) to four digits."""
THIN = 0.1
"""Layers wider than this part of a box are left to it."""
ALONG = 0.999
"""Normals with a larger component along an axis count as along it."""
BEYOND = 0.02
"""How far a stretch extends beyond its first and last point, in units of its length."""
MOST = 40
"""The most halvings."""
SLACK = 10.0
"""A box touches a layer if it is within this many roundings of it."""


@dataclass(frozen=True, eq=False)
class Flank:
    """A flat stretch of a boundary or an interface across an axis, and how fast layers fall on one side of it.

    `inwards` is +1 if the layer is above the place on the axis and -1 if it is below.
    """

    axis: int
    place: float
    low: np.ndarray
    high: np.ndarray
    inwards: int
    rate: float


def graded_boxes(laws: Laws, cells: Cells, numbers: Sequence[Any]) -> Boxes:
    """The boxes of cells, halved towards the sides with predicted layers."""
    boxes = cells.boxes
    sides = _sides(laws, cells, numbers)
    if not sides:
        return boxes
    slack = SLACK * ROUNDED * np.ptp(boxes.bounds, axis=0)
    for _ in range(MOST):
        marked: dict[int, set[int]] = {}
        for side in sides:
            ends = boxes.low if side.inwards > 0 else boxes.high
            beside = np.abs(ends[:, side.axis] - side.place) <= slack[side.axis]
            meets = (boxes.low < side.high - slack) & (boxes.high > side.low + slack)
            meets[:, side.axis] = True
            wide = boxes.widths[:, side.axis] * side.rate > WIDE
            for k in np.flatnonzero(beside & wide & meets.all(axis=1)):
                marked.setdefault(int(k), set()).add(side.axis)
        if not marked:
            break
        boxes = boxes.cut({k: tuple(sorted(axes)) for k, axes in marked.items()})
    return boxes


def _sides(laws: Laws, cells: Cells, numbers: Sequence[Any]) -> list[Flank]:
    extent = np.ptp(cells.boxes.bounds, axis=0)
    found = []
    stretches = [(k, s.points, s.normals) for k, cell in enumerate(cells.cells) for s in cell.rims]
    for face in cells.faces:
        if face.axis is None:
            stretches += [(face.first, face.points, face.normals), (face.second, face.points, -face.normals)]
    for number, points, normals in stretches:
        cell = cells.cells[number]
        axis = int(np.argmax(np.abs(normals[0])))
        if np.abs(normals[:, axis]).min() < ALONG or np.ptp(points[:, axis]) > SAME * extent[axis]:
            continue
        equations = [s.equation for s in laws.equations[cell.material]]
        rate = max((_rate(e, points, normals, numbers, extent) for e in equations), default=0.0)
        if rate * 2 * cell.half[axis] * THIN > 1:
            inwards = -int(np.sign(normals[0, axis]))
            room = BEYOND * np.ptp(points, axis=0)
            low, high = points.min(axis=0) - room, points.max(axis=0) + room
            found.append(Flank(axis, float(points[0, axis]), low, high, inwards, rate))
    return found


def _rate(
    equation: Equation, points: np.ndarray, normals: np.ndarray, numbers: Sequence[Any], extent: np.ndarray
) -> float:
    """How fast a layer falls at points of a side with outward normals; zero if there is none."""
    if not equation.linear:
        return 0.0
    terms: dict[int, dict[tuple[int, ...], np.ndarray]] = {}
    try:
        factors = equation.jacobian(points, None, numbers)
    except NotFiniteError:
        return 0.0  # as 1/r on an axis: the equation does not hold on the side itself
    for (unknown, index), c in zip(equation.slots, factors, strict=True):
        terms.setdefault(unknown, {})[index] = np.broadcast_to(c, (len(points),))
    d = points.shape[1]
    axis = int(np.argmax(np.abs(normals[0])))
    unit = [tuple(int(j == k) for j in range(d)) for k in range(d)]
    twice = tuple(2 * e for e in unit[axis])
    fastest = 0.0
    for mine in terms.values():
        if twice not in mine or max(map(sum, mine)) > 2:
            continue
        zero = np.zeros(len(points))
        turn = -np.sign(mine[twice])
        a = np.abs(mine[twice])
        drift = [turn * mine.get(e, zero) for e in unit]
        out = drift[axis] * np.sign(normals[:, axis])
        c = np.maximum(turn * mine.get((0,) * d, zero), 0.0)
        beside = np.abs(sum((v / extent[j] for j, v in enumerate(drift) if j != axis), zero))
        c = np.where(np.abs(out) < SAME * np.maximum(np.abs(np.array(drift)).max(axis=0), 1e-300), c + beside, c)
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (out + np.sqrt(out**2 + 4 * a * c)) / (2 * a)
        fastest = max(fastest, float(np.nan_to_num(s, nan=0.0, posinf=0.0).max()))
    return fastest
