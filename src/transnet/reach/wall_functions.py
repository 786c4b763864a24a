"""Sources behind a straight wall that extends to infinity, for what is given on it.

The wall is cut into stretches on each of which the data are a polynomial of low degree: they double in length towards
infinity, and are halved where the data are narrow or jump. Behind each lie sources at a depth in proportion to it, as
behind the boundary of a body. Far away, where the data are a polynomial of 1/x, all orders around one centre do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from transnet.features.body_functions import DEPTH, SMOOTH, SPACING, WIDEST
from transnet.features.radiating import Radiating

DEGREE = 13
"""The polynomial that represents data on a stretch."""
FIRST = 8
"""Stretches of the first part of a wall, which is as long as the data reach."""
SHORTEST, FARTHEST, MOST = 1e-13, 1e14, 300
"""The shortest stretch and the farthest, in units of the first part; and how many there may be."""
SEEN = 320
"""Places of the first part at which the size of the data is seen."""
FAR, EACH = 1e8, 40
"""How far away what is given still holds, in units of what is cut, and the places in each decade."""


@dataclass(frozen=True, eq=False)
class Stretches:
    """The ends of stretches of a wall, (n, 2), of all of them, and of the first part, to which others were added."""

    ends: np.ndarray
    whole: tuple[float, float]
    first: tuple[float, float]

    @property
    def lengths(self) -> np.ndarray:
        return np.asarray(self.ends[:, 1] - self.ends[:, 0])


def stretches_of(
    data: Callable[[np.ndarray], np.ndarray],
    first: tuple[float, float],
    corners: tuple[bool, bool],
    digits: float,
    longest: float = np.inf,
    room: Callable[[np.ndarray], np.ndarray] | None = None,
) -> Stretches | None:
    """Cut a wall for data along it; None if they need too many stretches.

    Parameters
    ----------
    first : (low, high)
        Where data are first looked at.
    corners : (bool, bool)
        Whether the wall ends there, in a corner to which stretches shrink, or goes on to infinity.
    longest : float
        The longest stretch: part of a wavelength.
    room : callable, optional
        The most that a stretch may be long at places: as far as a body is away.
    """
    nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))  # an even number: none is zero
    last = np.linalg.pinv(np.polynomial.chebyshev.chebvander(nodes, DEGREE))[-3:]
    unit, small = 0.5 * (first[1] - first[0]), 10.0**-digits
    size = float(np.abs(data(np.linspace(*first, SEEN))).max())
    found: list[tuple[float, float]] = []

    def cut(a: float, b: float) -> bool:
        waiting = [(a, b)]
        while waiting:
            a, b = waiting.pop()
            here = 0.5 * (a + b) + 0.5 * (b - a) * nodes
            most = min(longest, np.inf if room is None else float(room(here).min()))
            ends_in_corner = (corners[0] and a <= first[0]) or (corners[1] and b >= first[1])
            rough = float(np.abs(last @ data(here)).max()) > small * size
            if (rough or ends_in_corner or b - a > most) and b - a > SHORTEST * unit:
                middle = 0.5 * (a + b)
                waiting += [(a, middle), (middle, b)]
            else:
                found.append((a, b))
            if len(found) + len(waiting) > MOST:
                return False
        return True

    def beyond(low: float, high: float) -> bool:
        """Whether data are a polynomial of 1/x around infinity, outside a part."""
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        # 1/x from one end of the part to the other, or from one end to a corner's infinity.
        near = nodes if not any(corners) else (0.5 + 0.5 * nodes) * (1.0 if corners[0] else -1.0)
        return float(np.abs(last @ data(middle + half / near)).max()) <= small * size

    edges = np.linspace(*first, FIRST + 1)
    if not all(cut(a, b) for a, b in pairwise(edges.tolist())):
        return None
    (low, high), length = first, unit
    while not beyond(low, high):
        if length > FARTHEST * unit:
            return None
        if not corners[0]:
            if not cut(low - length, low):
                return None
            low -= length
        if not corners[1]:
            if not cut(high, high + length):
                return None
            high += length
        length *= 2.0
    return Stretches(np.array(sorted(found)), (low, high), first)


def wall_sources(
    stretches: Stretches, axis: int, at: float, side: int, wavenumber: complex, digits: float
) -> Radiating:
    """Sources behind a wall x_axis = at of the plane, whose domain is on the given side of it."""
    shortest = 2.0 * np.pi * WIDEST / abs(wavenumber) if wavenumber else np.inf
    centres, radii = [], []
    for (a, _), length in zip(stretches.ends, stretches.lengths, strict=True):
        depth = DEPTH * length
        count = max(int(np.ceil(length * digits / min(SPACING * depth, 2.0 * shortest))), 2)
        for s in (np.arange(count) + 0.5) / count:
            place = np.empty(2)
            place[1 - axis], place[axis] = a + s * length, at - side * depth
            centres.append(place)
            radii.append(depth)
    orders = [(0 if wavenumber else 1, 1)] * len(radii)
    (low, high), middle = stretches.whole, np.empty(2)
    half = 0.5 * (high - low)
    middle[1 - axis], middle[axis] = 0.5 * (low + high), at - side * half
    centres.append(middle)
    radii.append(half)
    orders.append((0 if wavenumber else 1, int(SMOOTH[0] + SMOOTH[1] * digits)))
    return Radiating(wavenumber, np.array(centres), np.array(radii), np.array(orders))


def wall_points(
    stretches: Stretches, corners: tuple[bool, bool], axis: int, at: float, each: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points on a wall, the lengths on which sources vary there, and shares: far parts count relative to distance."""
    s = (np.arange(each) + 0.5) / each
    (low, high), unit = stretches.whole, 0.5 * (stretches.first[1] - stretches.first[0])
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    # Evenly in log x from what is cut to far away.
    count = int(EACH * np.log10(FAR))
    away = half * FAR ** ((np.arange(count) + 0.5) / count)
    sides = [way * away for way, corner in zip((-1.0, 1.0), corners, strict=True) if not corner]
    along = np.concatenate(
        [(stretches.ends[:, :1] + s * stretches.lengths[:, None]).ravel(), *(middle + a for a in sides)]
    )
    widths = np.concatenate([np.repeat(stretches.lengths / each, each), *[away * np.log(FAR) / count for _ in sides]])
    points = np.full((len(along), 2), at)
    points[:, 1 - axis] = along
    lengths = np.concatenate([np.repeat(stretches.lengths, each), *[away for _ in sides]])
    share = widths / (unit + np.abs(along - middle))
    return points, lengths / unit, np.sqrt(share / share.max())
