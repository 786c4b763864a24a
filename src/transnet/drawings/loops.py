"""Closed outlines, which every reader makes first: chains of segments, straight or curved, each with a name or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from transnet.drawings.outline import Outline
from transnet.errors import GeometryError
from transnet.geometry.ball import Ball
from transnet.geometry.curve import Curve, Together
from transnet.geometry.domain import Domain
from transnet.geometry.polygon import Polygon
from transnet.lazy import shapely, spatial
from transnet.tolerances import SAME

FINE = 64
"""Points of a curved segment, when only what lies inside what matters."""
CLOSE = 1e-7
"""Ends of segments that are closer, in units of the drawing, are joined."""
PANELS = 128
"""Pieces of the parameter of a curve, of which every segment gets a whole number."""
Bend = Callable[[np.ndarray], np.ndarray]  # from t in [0, 1] to points (n, 2)
FARTHEST_OUT = 1e100
"""The largest coordinate of a drawing: the square of a greater one may not be a number."""
COMPLEX_STEP = 1e-30
"""A number whose square is negligible beside one."""


@dataclass(frozen=True, eq=False)
class Stroke:
    """From `start` to `stop`, straight or along `bend`, which gives points for t from 0 to 1."""

    start: np.ndarray
    stop: np.ndarray
    name: str | None = None
    bend: Bend | None = None

    def points(self) -> np.ndarray:
        """Points from the start up to the stop, which is left out."""
        if self.bend is None:
            return self.start[None]
        return self.bend(np.arange(FINE) / FINE)

    def turned(self) -> Stroke:
        """The same in the other direction."""
        bend = self.bend
        return Stroke(self.stop, self.start, self.name, None if bend is None else lambda t: bend(1.0 - t))


@dataclass(frozen=True, eq=False)
class Loop:
    """A closed chain of segments, or a whole circle; `region` is the name of what it bounds."""

    segments: tuple[Stroke, ...]
    name: str | None = None
    region: str | None = None
    circle: tuple[float, float, float] | None = None

    @property
    def shape(self) -> shapely.Polygon:
        """A polygon that is accurate enough to decide what lies inside what."""
        return shapely.Polygon(np.concatenate([s.points() for s in self.segments]))

    def domain(self) -> Domain:
        """The region it bounds, as a domain."""
        if self.circle is not None:
            x, y, radius = self.circle
            return Ball((x, y), radius, self.name)
        if all(s.bend is None for s in self.segments):
            corners, names = _without_flat(self.segments, self.name)
            return Polygon(corners.tolist(), names=names if any(names) else None)
        return _outline(self.segments, self.name)


def circle_loop(x: float, y: float, radius: float, name: str | None, region: str | None = None) -> Loop:
    """A whole circle."""

    def bend(t: np.ndarray) -> np.ndarray:
        return np.stack([x + radius * np.cos(2 * np.pi * t), y + radius * np.sin(2 * np.pi * t)], axis=-1)

    start = np.array([x + radius, y])
    return Loop((Stroke(start, start, name, bend),), name, region, (x, y, radius))


def polygon_loop(corners: np.ndarray, name: str | None = None, region: str | None = None) -> Loop:
    """A closed polygon; the first corner may be repeated."""
    corners = np.asarray(corners, float)[:, :2]
    if len(corners) > 1 and np.allclose(corners[0], corners[-1], rtol=0, atol=0):
        corners = corners[:-1]
    ends = np.roll(corners, -1, axis=0)
    return Loop(tuple(Stroke(a, b, name) for a, b in zip(corners, ends, strict=True)), name, region)


def joined(segments: Sequence[Stroke], source: str) -> list[Loop]:
    """Join loose segments to loops, whatever their order and direction."""
    if not segments:
        return []
    places = np.array([p for s in segments for p in (s.start, s.stop)])  # the start of k at 2k, its stop behind it
    size = float(np.ptp(places, axis=0).max())
    tree = spatial.cKDTree(places)
    left = dict.fromkeys(range(len(segments)))
    loops = []
    while left:
        k = next(iter(left))
        del left[k]
        chain = [segments[k]]
        while not _closed(chain, CLOSE * size):
            end = chain[-1].stop
            found = next((n for n in sorted(tree.query_ball_point(end, CLOSE * size)) if n // 2 in left), None)
            if found is None:
                place = f"({end[0]:.6g}, {end[1]:.6g})"
                raise GeometryError(f"An outline of {source} is open at {place}. Close it there.")
            k, turn = divmod(found, 2)
            del left[k]
            chain.append(segments[k].turned() if turn else segments[k])
        names = {s.name for s in chain}
        loops.append(Loop(tuple(chain), chain[0].name if len(names) == 1 else None))
    return loops


def _closed(chain: Sequence[Stroke], close: float) -> bool:
    """Whether a chain comes back to where it began."""
    if len(chain) == 1 and chain[0].bend is None:
        return False
    return float(np.linalg.norm(chain[-1].stop - chain[0].start)) <= close


def _without_flat(segments: Sequence[Stroke], name: str | None) -> tuple[np.ndarray, list[str | None]]:
    """The corners of a polygon, without those on a straight edge whose two sides have the same name."""
    corners = np.array([s.start for s in segments])
    names = [s.name or name for s in segments]
    steps = np.roll(corners, -1, axis=0) - corners
    steps = steps / np.maximum(np.linalg.norm(steps, axis=1, keepdims=True), 1e-300)
    before = np.roll(steps, 1, axis=0)
    cross = np.abs(before[:, 0] * steps[:, 1] - before[:, 1] * steps[:, 0])
    ahead = np.einsum("ij,ij->i", before, steps) > 0
    keep = [k for k in range(len(corners)) if not (cross[k] < SAME and ahead[k] and names[k] == names[k - 1])]
    return corners[keep], [names[k] for k in keep]


def _outline(segments: Sequence[Stroke], name: str | None) -> Outline:
    """The region inside all segments; each has a whole number of panels of the parameter of the curve."""
    chains = [np.vstack([s.points(), s.stop]) for s in segments]
    lengths = np.array([np.linalg.norm(np.diff(chain, axis=0), axis=1).sum() for chain in chains])
    if len(segments) > PANELS:
        raise GeometryError(f"A curved outline has {len(segments)} segments; more than {PANELS} are not read.")
    counts = np.maximum(1, np.floor(lengths / lengths.sum() * (PANELS - len(segments))).astype(int))
    counts[int(np.argmax(lengths))] += PANELS - int(counts.sum())
    ends = np.concatenate([[0], np.cumsum(counts)]) / PANELS

    def at(t: np.ndarray, slope: bool = False) -> np.ndarray:
        shape, t = np.shape(t), np.atleast_1d(np.asarray(t, float)).ravel()
        which = np.clip(np.searchsorted(ends, t, side="right") - 1, 0, len(segments) - 1)
        points = np.empty((t.size, 2))
        for k in np.unique(which):
            mine, width, s = which == k, ends[k + 1] - ends[k], segments[k]
            part = (t[mine] - ends[k]) / width
            if slope:
                points[mine] = (s.stop - s.start if s.bend is None else _slope(s.bend, part)) / width
            else:
                points[mine] = s.start + part[:, None] * (s.stop - s.start) if s.bend is None else s.bend(part)
        return points.reshape(*shape, 2)

    names = tuple(s.name or name or "outline" for s in segments)
    return Outline(Curve(Together.of(at), (0, 1), names[0], Together.of(partial(at, slope=True))), tuple(ends), names)


def _slope(bend: Bend, t: np.ndarray) -> np.ndarray:
    """The derivative by a complex step, which loses no digits: bends are analytic."""
    return np.asarray(np.imag(bend(t + 1j * COMPLEX_STEP)) / COMPLEX_STEP)
