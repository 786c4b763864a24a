"""Union, intersection and difference of any two domains, with the boundary that is left of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..errors import GeometryError
from . import sweep
from .arcs import Arc
from .domain import Domain, Surface
from .pieces import Piece, kept_arcs, kept_share, tightened
from .rules import Rule
from .sampling import apportion, check_draw, quasi
from .spheres import star

WORDS = {"-": "difference", "|": "union", "&": "intersection"}


def combine(op: str, first: Domain, second: Domain) -> Combination:
    """The combination of two domains, or the reason why there is none."""
    if not isinstance(second, Domain):
        raise GeometryError(f"Cannot take the {WORDS[op]} of {first} and {second!r}: the latter is not a domain.")
    return Combination(op, first, second)


@dataclass(frozen=True, repr=False, eq=False)
class Combination(Domain):
    """`first - second`, `first | second` or `first & second`.

    A sample p of the boundary of either, with normal n, is on the boundary of the combination exactly if a small
    step along n leaves it and a small step back enters it. Parts keep their names; a name that both use stands for
    what is left of both; what both boundaries share is counted once, as the first's.
    """

    op: str
    first: Domain
    second: Domain

    def __post_init__(self) -> None:
        a, b = self.first, self.second
        if a.dimension != b.dimension:
            raise GeometryError(
                f"Cannot take the {WORDS[self.op]} of {a} ({a.dimension} coordinates) and {b} ({b.dimension}): "
                "they must have the same number of coordinates. Use * for a product with time."
            )
        if any(p and q and p != q for p, q in zip(a.names, b.names, strict=True)):
            raise GeometryError(
                f"Cannot take the {WORDS[self.op]} of {a} and {b}: their coordinates are {a.names} and {b.names}. "
                "Give both the same coordinates in the same order."
            )
        if not self._kept:
            raise GeometryError(
                f"{self} is an empty domain: nothing is left of its boundary. "
                "Check the positions and sizes of the two shapes, and the order of a difference."
            )

    def __repr__(self) -> str:
        return f"({self.first} {self.op} {self.second})"

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(a or b for a, b in zip(self.first.names, self.second.names, strict=True))

    @cached_property
    def _hull(self) -> np.ndarray:
        """A box around the combination, not always the smallest."""
        (a, b), (c, d) = self.first.bounds, self.second.bounds
        if self.op == "-":
            return np.array([a, b])
        if self.op == "|":
            return np.array([np.minimum(a, c), np.maximum(b, d)])
        low, high = np.maximum(a, c), np.minimum(b, d)
        if np.any(low >= high):
            raise GeometryError(f"{self} is an empty domain: the two shapes do not meet. Check their positions.")
        return np.array([low, high])

    @cached_property
    def bounds(self) -> np.ndarray:
        if self.dimension != 2:
            return tightened(self._hull, self.boundary(n=4096).points, exact=self.dimension == 1)
        arcs = [arc for part in self.parts for arc in self._arcs(part)]
        rim = np.concatenate([arc.at(np.linspace(0, arc.length, 513))[0] for arc in arcs])
        return tightened(self._hull, rim, exact=True)

    @cached_property
    def _step(self) -> np.ndarray:
        """The small step of the boundary test in each coordinate: far above rounding, far below any feature."""
        return 1e-8 * (self._hull[1] - self._hull[0]) + 256 * np.finfo(float).eps * np.max(np.abs(self._hull), axis=0)

    def _plain(self, points: np.ndarray, sign: int) -> np.ndarray:
        a = self.first._inside(points, sign)
        if self.op == "-":
            return a & ~self.second._inside(points, -sign)
        b = self.second._inside(points, sign)
        return a | b if self.op == "|" else a & b

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        if sign == 0:
            return self._plain(points, 0)
        result = self._plain(points, -1)
        unsure = np.nonzero(self._plain(points, 1) & ~result)[0]
        if len(unsure):
            # On some boundary, which may be inside the combination (a seam) or no part of it (a cut along a face):
            # the closed domain is what has inner points nearby, the open one what has nothing else.
            around = star(self.dimension)
            near = points[unsure][:, None, :] + self._step * around
            hits = self._plain(near.reshape(-1, self.dimension), 0).reshape(len(unsure), len(around))
            result[unsure] = hits.any(axis=1) if sign > 0 else hits.all(axis=1)
        return result

    def _on_boundary(self, points: np.ndarray, normals: np.ndarray, second: bool) -> np.ndarray:
        """Which samples, with normals out of the combination, are on its boundary (and not counted already)."""
        # Coordinates may have different units: the step is along the normal after scaling each to its side.
        scaled = normals * self._step
        step = self._step * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
        keep = self._plain(points - step, 0) & ~self._plain(points + step, 0) & self._plain(points, 1)
        if second:
            a = self.first
            touching = a._inside(points, 1) & ~a._inside(points, -1)
            keep &= ~(touching & (a._inside(points - step, 0) != a._inside(points + step, 0)))
        return keep

    @cached_property
    def _kept(self) -> dict[str, tuple[Piece, ...]]:
        """What is left of each part of both, by name."""
        kept: dict[str, tuple[Piece, ...]] = {}
        for second, shape in enumerate((self.first, self.second)):
            flip = bool(second) and self.op == "-"
            for part in shape.parts:

                def test(points: np.ndarray, normals: np.ndarray, second: bool = bool(second)) -> np.ndarray:
                    return self._on_boundary(points, normals, second)

                arcs: tuple[Arc, ...] = ()
                if self.dimension == 2:
                    other = self.first if second else self.second
                    arcs, whole = kept_arcs(shape._arcs(part), flip, test, other)
                    share = float(bool(arcs))
                else:
                    share = kept_share(shape, part, flip, test)
                    whole = share == 1.0
                if share > 0:
                    kept[part] = (*kept.get(part, ()), Piece(shape, part, flip, test, whole, share, arcs))
        return kept

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self._kept)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for shape in (self.second, self.first):  # "left" is the first shape's if that has one
            for alias, parts in shape.aliases.items():
                left = tuple(part for part in parts if part in self._kept)
                # The left side of what is cut out is not a left side of what remains.
                if left and not (self.op == "-" and shape is self.second and alias in self.first.aliases):
                    names[alias] = left
        return names

    def _arcs(self, part: str) -> tuple[Arc, ...]:
        return tuple(arc for piece in self._kept[part] for arc in piece.arcs)

    def _measure(self, part: str) -> float:
        return sum(piece.measure for piece in self._kept[part])

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return super()._draw(part, n, kind, rng)
        pieces = self._kept[part]
        counts = np.ones(len(pieces), int) if self.dimension == 1 else apportion(n, [p.measure for p in pieces])
        drawn = [piece.draw(int(m), kind, rng) for piece, m in zip(pieces, counts, strict=True) if m > 0]
        return Surface(*(np.concatenate([pair[i] for pair in drawn]) for i in range(2)))

    @cached_property
    def _separate(self) -> bool:
        """Whether the boundaries do not touch: then rules and volumes just add up."""
        pieces = [piece for kept in self._kept.values() for piece in kept]
        every = len(pieces) == len(self.first.parts) + len(self.second.parts)
        if not every or not all(piece.whole for piece in pieces) or self.op == "&":
            return False
        return self.op == "|" or bool(self.first._inside(self.second.interior(1), 0)[0])

    @cached_property
    def volume(self) -> float:
        if self._separate:
            return self.first.volume + (-1 if self.op == "-" else 1) * self.second.volume
        if self.dimension == 3:
            return float(sweep.rays(self, 80, 2)[1].sum())
        if self.dimension <= 2:
            return float(sweep.general(self, 10_000)[1].sum())
        low, high = self.bounds
        box = low + quasi(2**17, self.dimension, np.random.default_rng(0)) * (high - low)
        return float(np.mean(self._inside(box, 0)) * np.prod(high - low))

    def quadrature(self, n: int) -> Rule:
        n = check_draw(n, "grid")
        if not self._separate or self.dimension == 2:
            nodes, weights = sweep.general(self, n)
            # In space the rays miss a little at edges: at least constants should be right.
            return nodes, weights * (self.volume / weights.sum())
        share = self.second.volume / (self.first.volume + self.second.volume)
        nodes, weights = self.first.quadrature(max(1, round(n * max(1 - share, 0.25))))
        more, others = self.second.quadrature(max(1, round(n * max(share, 0.25))))
        return np.concatenate([nodes, more]), np.concatenate([weights, -others if self.op == "-" else others])
