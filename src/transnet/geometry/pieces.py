"""What a domain made of others keeps of their boundaries: arcs in the plane, samples that pass a test elsewhere."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from transnet.counts import MANY
from transnet.measure.arcs import Arc, Located
from transnet.measure.narrowing import bisect, narrowed
from transnet.measure.sampling import apportion
from transnet.tolerances import BESIDE, ROUNDED, SAME

from ..errors import GeometryError
from .domain import Domain, Surface
from .joins import Test

PROBES, FEWEST = 1024, 64  # samples of a whole arc, and of what is left of one; a gap shorter than a step may be missed
AROUND = 17  # samples between two probes that a test tells apart, for the shapes that matter there
MEASURED = 2**15  # samples of a partly kept surface, to measure it
ROUNDS, FURTHER = 6, 4  # rounds that place an end of a cut to 1e-10 of an arc, and those that take it to rounding
OFF = 1e-5  # how far the end of a cut may be off, as a part of the arc: the test takes a step to the side
TOUCH = 8  # the same where boundaries touch, in roots of the step: 1.4 for a circle as large as the domain
MORE, AGAIN, SPARE = (
    1.1,
    1.3,
    16,
)  # samples beyond the expected need: this factor, that factor, and this number
SLACK, ROOM = (1e-4, 0.05), 0.01  # a box is tightened only by more than this; samples of a surface need some room


@dataclass(frozen=True, eq=False)
class ArcPiece:
    """An arc of a part of a plane boundary that is kept, cut from one that was `whole` long."""

    part: str
    arc: Arc
    whole: float = 0.0

    @property
    def box(self) -> np.ndarray:
        return self.arc.box

    @property
    def measure(self) -> float:
        return self.arc.length

    def turned(self) -> ArcPiece:
        """The same with flipped normals."""
        return replace(self, arc=self.arc.cut(0.0, self.arc.length, flip=True))

    @property
    def probes(self) -> np.ndarray:
        """Where a test is tried first: as close together as on the whole arc."""
        share = self.arc.length / max(self.whole, self.arc.length)
        return self.arc.length * np.linspace(BESIDE, 1 - BESIDE, max(FEWEST, math.ceil(PROBES * share)))

    def kept(self, test: Test, mask: np.ndarray | None = None) -> tuple[ArcPiece, ...]:
        """What is left of it, cut where the test changes: itself if that is all; `mask` is the test at the probes."""
        arc, s = self.arc, self.probes
        mask = test(*arc.at(s)) if mask is None else mask
        if mask.all() or not mask.any():
            return (self,) if mask[0] else ()
        change = np.nonzero(mask[1:] != mask[:-1])[0]
        falls = mask[change]
        sides = np.where(falls, s[change], s[change + 1]), np.where(falls, s[change + 1], s[change])
        around = sides[0][:, None] + (sides[1] - sides[0])[:, None] * np.linspace(0, 1, AROUND)
        test = test.near(*arc.at(around.ravel()))

        def holds(s: np.ndarray) -> np.ndarray:
            return test(*arc.at(s))

        cuts = _polished(np.mean(narrowed(holds, *sides, rounds=ROUNDS), axis=0), arc, test)
        ends = np.concatenate([[0.0] if mask[0] else [], cuts, [arc.length] if mask[-1] else []])
        long = [(start, stop) for start, stop in ends.reshape(-1, 2) if stop - start > ROUNDED * arc.length]
        whole = max(self.whole, arc.length)
        return tuple(ArcPiece(self.part, arc.cut(start, stop), whole) for start, stop in long)


@dataclass(frozen=True, eq=False)
class BodyPiece:
    """The samples of `part` of `shape` that pass every test: a `share` of all of them.

    The normals are flipped if `flip`; each test has its own flag, as it was when the test was made.
    """

    shape: Domain
    part: str
    flip: bool
    tests: tuple[tuple[Test, bool], ...]
    points: np.ndarray
    normals: np.ndarray
    drawn: int

    @classmethod
    def of(cls, shape: Domain, part: str) -> BodyPiece:
        """A whole part."""
        surface = shape._draw(part, MANY, "quasi", np.random.default_rng(0))
        return cls(shape, part, False, (), surface.points, surface.normals, len(surface.points))

    @property
    def box(self) -> np.ndarray:
        return self.shape.bounds

    @property
    def share(self) -> float:
        return len(self.points) / self.drawn

    def turned(self) -> BodyPiece:
        """The same with flipped normals."""
        return replace(self, flip=not self.flip, normals=-self.normals)

    def kept(self, test: Test) -> tuple[BodyPiece, ...]:
        """What is left of it: itself if that is all."""
        keep = test(self.points, self.normals)
        if keep.all() or not keep.any():
            return (self,) if keep.all() else ()
        tests = (*self.tests, (test, self.flip))
        return (replace(self, tests=tests, points=self.points[keep], normals=self.normals[keep]),)

    @cached_property
    def measure(self) -> float:
        """The length or area of what is kept; in space an average over many samples."""
        whole = self.shape._measure(self.part)
        if not self.tests or self.shape.dimension == 1:
            return self.share * whole
        surface = self.shape._draw(self.part, MEASURED, "quasi", np.random.default_rng(0))
        return whole * len(self._passed(surface)) / len(surface.points)

    def draw(self, n: int, kind: str, rng: np.random.Generator) -> Located:
        """n samples of what is kept, in space or on a line."""
        tried = n if not self.tests else int(MORE * n / self.share) + SPARE
        while True:
            surface = self.shape._draw(self.part, tried, kind, rng)
            keep = self._passed(surface)
            if len(keep) >= n or self.shape.dimension == 1:
                # Regularly spaced ones: the samples left out are as evenly spread as those kept.
                chosen = keep[np.linspace(0, len(keep), min(n, len(keep)), endpoint=False).astype(int)]
                return surface.points[chosen], (-1.0 if self.flip else 1.0) * surface.normals[chosen]
            tried = int(AGAIN * tried) + SPARE

    def _passed(self, surface: Surface) -> np.ndarray:
        """The numbers of the samples that pass every test."""
        keep = np.arange(len(surface.points))
        for test, flip in self.tests:
            keep = keep[test(surface.points[keep], (-1.0 if flip else 1.0) * surface.normals[keep])]
        return keep


Piece = ArcPiece | BodyPiece


class Pieced(Domain):
    """A domain with a boundary of pieces."""

    @abstractmethod
    def _pieces_of(self, part: str) -> Sequence[Piece]:
        """The pieces of a part."""

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return tuple(piece.arc for piece in self._pieces_of(part) if isinstance(piece, ArcPiece))

    def _measure(self, part: str) -> float:
        return sum(piece.measure for piece in self._pieces_of(part))

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return super()._draw(part, n, kind, rng)
        pieces = [piece for piece in self._pieces_of(part) if isinstance(piece, BodyPiece)]
        counts = np.ones(len(pieces), int) if self.dimension == 1 else apportion(n, [p.measure for p in pieces])
        drawn = [piece.draw(int(m), kind, rng) for piece, m in zip(pieces, counts, strict=True) if m > 0]
        return Surface(*(np.concatenate([pair[i] for pair in drawn]) for i in range(2)))


def kept_of(pieces: Sequence[Piece], met: np.ndarray, test: Test) -> list[tuple[Piece, ...]]:
    """What is left of each piece. An arc that the other boundary does not meet is left whole or not at all, as one of
    its points says; all arcs are tried together, as most of them are left like that."""
    arcs = [piece for piece in pieces if isinstance(piece, ArcPiece)]
    if len(arcs) < len(pieces) or len(arcs) < 2:
        return [piece.kept(test) for piece in pieces]
    places = [a.probes if cut else np.array([a.arc.length / 2]) for a, cut in zip(arcs, met, strict=True)]
    points, normals = zip(*(a.arc.at(s) for a, s in zip(arcs, places, strict=True)), strict=True)
    ends = np.cumsum([len(s) for s in places])[:-1]
    masks = np.split(test(np.concatenate(points), np.concatenate(normals)), ends)
    return [piece.kept(test, mask) for piece, mask in zip(arcs, masks, strict=True)]


def pieces_of(shape: Domain) -> tuple[Piece, ...]:
    """The pieces of the boundary of a shape that is not a combination."""
    if shape.dimension == 2:
        if not all(shape.arcs(part) for part in shape.parts):
            raise GeometryError(f"{shape} cannot be combined with others: its boundary is not given by arcs.")
        return tuple(ArcPiece(part, arc) for part in shape.parts for arc in shape.arcs(part))
    return tuple(BodyPiece.of(shape, part) for part in shape.parts)


def _polished(cuts: np.ndarray, arc: Arc, test: Test) -> np.ndarray:
    """Cuts moved to where the arc meets the other boundary: the test, which takes a small step, is a little off."""

    def inside(s: np.ndarray) -> np.ndarray:
        return test.beside(arc.at(s)[0])

    near = OFF * arc.length
    low, high = np.clip(cuts - near, 0.0, arc.length), np.clip(cuts + near, 0.0, arc.length)
    below = inside(low)
    crosses = below != inside(high)
    met = narrowed(inside, np.where(below, low, high), np.where(below, high, low), rounds=ROUNDS + FURTHER)
    return np.where(crosses, np.mean(met, axis=0), cuts if crosses.all() else _touching(cuts, arc, test))


def _touching(cuts: np.ndarray, arc: Arc, test: Test) -> np.ndarray:
    """Cuts moved to the next end of an arc of the other boundary that lies on this one, where there is one nearby.

    Where two boundaries touch without crossing, like a straight side and its rounded end, the test is off by the root
    of its step, and whether a point is inside the other shape does not change there; the end of the arc is where they
    meet.
    """
    size = float(np.max([np.ptp(other.bounds, axis=0) for other in test.others]))
    reach = min(TOUCH * float(np.sqrt(np.max(test.step) * size)), arc.length / 4)
    arcs = (a for other in test.others for part in other.parts for a in other.arcs(part))
    ends = [a.at(np.array([0.0, a.length]))[0] for a in arcs]
    moved = cuts.copy()
    for k, cut in enumerate(cuts):
        low, high = max(cut - reach, 0.0), min(cut + reach, arc.length)
        (first, middle, last), _ = arc.at(np.array([low, cut, high]))
        close = [end for pair in ends for end in pair if np.linalg.norm(end - middle) < reach]
        if not close:
            continue
        there = np.array(close)

        def behind(s: np.ndarray, there: np.ndarray = there, along: np.ndarray = last - first) -> np.ndarray:
            return (there - arc.at(s)[0]) @ along > 0

        foot = bisect(behind, np.full(len(there), low), np.full(len(there), high))
        foot = foot[np.linalg.norm(there - arc.at(foot)[0], axis=1) < SAME * size]
        if len(foot):
            moved[k] = foot[np.argmin(np.abs(foot - cut))]
    return moved


def tightened(hull: np.ndarray, rim: np.ndarray, exact: bool) -> np.ndarray:
    """A box around a domain, moved in where samples of its boundary clearly stay away from a side.

    Samples of a surface miss its extremes by a little (they are not `exact`), so some room is left.
    """
    (low, high), (first, last) = hull, (rim.min(axis=0), rim.max(axis=0))
    slack = (SLACK[0] if exact else SLACK[1]) * (high - low)
    room = (0.0 if exact else ROOM) * (last - first)
    low = np.where(first - low > slack, np.maximum(first - room, low), low)
    return np.array([low, np.where(high - last > slack, np.minimum(last + room, high), high)])
