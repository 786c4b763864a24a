"""What a combination keeps of one boundary part of one of its shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arcs import Arc, Located
from .domain import Domain
from .sweep import bisect

Test = Callable[[np.ndarray, np.ndarray], np.ndarray]  # points, normals -> which to keep
PROBES = 1024  # samples of an arc; a gap shorter than one step of them may be missed


@dataclass(frozen=True)
class Piece:
    """The samples of `part` of `shape` that pass `test`: a `share` of all of them, in the plane the `arcs`."""

    shape: Domain
    part: str
    flip: bool
    test: Test
    whole: bool
    share: float
    arcs: tuple[Arc, ...]

    @cached_property
    def measure(self) -> float:
        """Length or area of what is kept; in space an average over many samples."""
        if self.arcs:
            return float(sum(arc.length for arc in self.arcs))
        if self.whole or self.shape.dimension == 1:
            return self.share * self.shape._measure(self.part)
        return kept_share(self.shape, self.part, self.flip, self.test, 2**15) * self.shape._measure(self.part)

    def draw(self, n: int, kind: str, rng: np.random.Generator) -> Located:
        """n samples of what is kept, in space or on a line."""
        tried = n if self.whole else int(1.1 * n / self.share) + 16
        while True:
            points, normals = oriented(self.shape, self.part, tried, kind, rng, self.flip)
            keep = np.nonzero(self.test(points, normals))[0] if not self.whole else np.arange(len(points))
            if len(keep) >= n or self.shape.dimension == 1:
                # Every so many-th: the samples left out are as evenly spread as those that stay.
                chosen = keep[np.linspace(0, len(keep), min(n, len(keep)), endpoint=False).astype(int)]
                return points[chosen], normals[chosen]
            tried = int(1.3 * tried) + 16


def oriented(
    shape: Domain, part: str, n: int, kind: str, rng: np.random.Generator, flip: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Samples of a part with normals out of the combination: into the shape where that is cut away."""
    surface = shape._draw(part, n, kind, rng)
    return surface.points, -surface.normals if flip else surface.normals


def kept_share(shape: Domain, part: str, flip: bool, test: Test, n: int = 2**12) -> float:
    """The fraction of a part that is kept."""
    points, normals = oriented(shape, part, n, "quasi", np.random.default_rng(0), flip)
    return float(np.mean(test(points, normals)))


def kept_arcs(arcs: Sequence[Arc], flip: bool, test: Test, other: Domain) -> tuple[tuple[Arc, ...], bool]:
    """The arcs that are kept of a plane part, cut where the test changes; and whether that is all of it."""
    kept: list[Arc] = []
    whole = True
    for arc in arcs:

        def holds(s: np.ndarray, arc: Arc = arc) -> np.ndarray:
            points, normals = arc.at(s)
            return test(points, -normals if flip else normals)

        s = arc.length * np.linspace(1e-6, 1 - 1e-6, PROBES)
        mask = holds(s)
        whole &= bool(mask.all())
        change = np.nonzero(mask[1:] != mask[:-1])[0]
        falls = mask[change]
        sides = np.where(falls, s[change], s[change + 1]), np.where(falls, s[change + 1], s[change])
        cuts = bisect(holds, *sides, halvings=24)  # the step of the test is larger than what is left then
        cuts = _polished(cuts, arc, other)
        ends = np.concatenate([[0.0] if mask[0] else [], cuts, [arc.length] if mask[-1] else []])
        kept += [arc.cut(start, stop, flip) for start, stop in ends.reshape(-1, 2)]
    return tuple(kept), whole


def _polished(cuts: np.ndarray, arc: Arc, other: Domain) -> np.ndarray:
    """Cuts moved to where the arc meets the other boundary: the test, which takes a small step, is a little off."""
    near = 1e-5 * arc.length
    low, high = np.clip(cuts - near, 0.0, arc.length), np.clip(cuts + near, 0.0, arc.length)
    inside = other._inside(arc.at(low)[0], 0)
    crosses = inside != other._inside(arc.at(high)[0], 0)
    met = bisect(lambda s: other._inside(arc.at(s)[0], 0), np.where(inside, low, high), np.where(inside, high, low))
    return np.where(crosses, met, cuts)


def tightened(hull: np.ndarray, rim: np.ndarray, exact: bool) -> np.ndarray:
    """A box around a domain, moved in where samples of its boundary clearly stay away from a side.

    Samples of a surface miss its extremes by a little (they are not `exact`): then leave some room.
    """
    (low, high), (first, last) = hull, (rim.min(axis=0), rim.max(axis=0))
    slack = (1e-4 if exact else 0.05) * (high - low)
    room = (0.0 if exact else 0.01) * (last - first)
    low = np.where(first - low > slack, np.maximum(first - room, low), low)
    return np.array([low, np.where(high - last > slack, np.minimum(last + room, high), high)])
