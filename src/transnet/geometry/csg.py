"""Union, intersection and difference of any two domains, with the remaining boundary of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

import numpy as np

from transnet.counts import LOOKS, MANY
from transnet.measure.arcs import area
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule
from transnet.measure.sampling import check_draw, quasi
from transnet.measure.spheres import star
from transnet.tolerances import SAME

from ..arrays import constant
from ..calls import shown
from ..errors import GeometryError
from . import sweep
from .box import Box
from .chain import Chain, meet_any, roomy
from .domain import Domain
from .joins import Join
from .pieces import ArcPiece, Piece, Pieced, kept_of, pieces_of, tightened

FEW_SHAPES = 8
"""Shapes up to which they are joined one after the other."""
SHOWN = 6  # shapes of a combination that are printed
WORDS = {"-": "difference", "|": "union", "&": "intersection"}
RIM, SAMPLES = 4096, 513  # points of a surface, and of each arc, from which the box around a combination is found
STEP, ROUNDING = 1e-8, 256  # the step of the boundary test: this part of the box, and this many units of rounding
RAYS, NODES = 80, 10_000  # nodes of the rules for the measure in three dimensions and in one


def combine(op: str, first: Domain, second: Domain) -> Combination:
    """The combination of two domains, or the reason why there is none."""
    if not isinstance(second, Domain):
        raise GeometryError(f"Cannot take the {WORDS[op]} of {first} and {shown(second)}: the latter is not a domain.")
    return Combination(op, first, second)


def joined_all(op: str, shapes: Sequence[Domain], apart: bool = False) -> Domain:
    """All shapes joined by one operation that does not depend on the order, "|" or "&": halves before wholes.

    What remains of a boundary is then compared with others a number of times that grows with the logarithm; not at all
    if it is known that the shapes are apart.
    """
    if len(shapes) <= FEW_SHAPES:
        return reduce(lambda a, b: Combination(op, a, b, apart), shapes)
    half = len(shapes) // 2
    return Combination(op, joined_all(op, shapes[:half], apart), joined_all(op, shapes[half:], apart), apart)


@dataclass(frozen=True, repr=False, eq=False)
class Combination(Pieced):
    """`first - second`, `first | second` or `first & second`.

    Parts keep their names; a name that both use stands for the remaining parts of both; a boundary that both share is
    counted once, as that of the first. What remains of the boundary of the first depends only on the two shapes, so
    that the time for many shapes grows with their number and that of the places where they meet.
    """

    op: str
    first: Domain
    second: Domain
    apart: bool = False
    """Whether it is known that the boundaries do not meet: the second is cut out of the inside, or is outside."""

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
        if not self._pieces:
            raise GeometryError(
                f"{self} is an empty domain: nothing is left of its boundary. "
                "Check the positions and sizes of the two shapes, and the order of a difference."
            )

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Combination) or len(self._chain.ops) > LOOKS:
            return self is other
        return self.op == other.op and self.first == other.first and self.second == other.second

    def __hash__(self) -> int:
        return id(self) if len(self._chain.ops) > LOOKS else hash((self.op, self.first, self.second))

    def __repr__(self) -> str:
        chain = self._chain
        if len(chain.ops) <= SHOWN:
            return f"({self.first} {self.op} {self.second})"
        shown = "".join(f" {op} {shape}" for op, shape in zip(chain.ops[1:SHOWN], chain.shapes[1:SHOWN], strict=True))
        return f"({chain.shapes[0]}{shown} {chain.ops[SHOWN]} ... ({len(chain.ops)} shapes))"

    def text(self, pen: Pen) -> str:
        return f"({self.first.text(pen)} {self.op} {self.second.text(pen)})"

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        return tuple(a or b for a, b in zip(self.first.names, self.second.names, strict=True))

    @cached_property
    def _chain(self) -> Chain:
        """All shapes of which it consists, in order."""
        return Chain.of(self.first).joined(self.op, self.second, _hull_of(self.second))

    @cached_property
    def _hull(self) -> np.ndarray:
        """A box around the combination, not always the smallest."""
        (a, b), (c, d) = _hull_of(self.first), _hull_of(self.second)
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
            return constant(tightened(self._hull, self.boundary(n=RIM).points, exact=self.dimension == 1))
        arcs = [piece.arc for piece in self._pieces if isinstance(piece, ArcPiece)]
        rim = np.concatenate([arc.at(np.linspace(0, arc.length, SAMPLES))[0] for arc in arcs])
        return constant(tightened(self._hull, rim, exact=True))

    @cached_property
    def _step(self) -> np.ndarray:
        """The small step of the boundary test in each coordinate: far above rounding, far below any feature."""
        return STEP * (self._hull[1] - self._hull[0]) + ROUNDING * np.finfo(float).eps * np.max(
            np.abs(self._hull), axis=0
        )

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        if sign == 0:
            return self._chain.inside(points, 0)
        result = self._chain.inside(points, -1)
        unsure = np.nonzero(self._chain.inside(points, 1) & ~result)[0]
        if len(unsure):
            # On some boundary, which may be inside the combination (a seam) or not part of it (a cut along a face): the
            # closed domain is what has inner points nearby, the open one what has nothing else.
            around = star(self.dimension)
            near = points[unsure][:, None, :] + self._step * around
            hits = self._chain.inside(near.reshape(-1, self.dimension), 0).reshape(len(unsure), len(around))
            result[unsure] = hits.any(axis=1) if sign > 0 else hits.all(axis=1)
        return result

    @cached_property
    def _joined(self) -> tuple[tuple[Piece, ...], bool]:
        """What remains of the boundaries of both, and whether that is all of them."""
        kept: list[Piece] = []
        whole = True
        both = [s._pieces if isinstance(s, Combination) else pieces_of(s) for s in (self.first, self.second)]
        if self.apart:
            return (*both[0], *(p.turned() if self.op == "-" else p for p in both[1])), True
        boxes = [np.array([piece.box for piece in pieces]) for pieces in both]
        for second, pieces in enumerate(both):
            other = self.first if second else self.second
            join = Join(self.op, bool(second), other, self._step)
            near = Chain.of(other).close(boxes[second], roomy(_hull_of(other)))
            # Far from the other shape a boundary stays unchanged, or disappears entirely.
            stays = self.op == "|" or (self.op == "-" and not second)
            turn = bool(second) and self.op == "-"
            sides = [piece.turned() if turn else piece for piece in pieces]
            met = meet_any(boxes[second][near], boxes[1 - second], 2 * self._step)
            left_of = iter(kept_of([piece for piece, close in zip(sides, near, strict=True) if close], met, join))
            for turned, close in zip(sides, near, strict=True):
                left = next(left_of) if close else (turned,) if stays else ()
                whole &= len(left) == 1 and left[0] is turned
                kept += left
        return tuple(kept), whole

    @property
    def _pieces(self) -> tuple[Piece, ...]:
        """What remains of the boundaries of both."""
        return self._joined[0]

    @cached_property
    def _kept(self) -> dict[str, tuple[Piece, ...]]:
        """What remains of each part of both, by name."""
        kept: dict[str, list[Piece]] = {}
        for piece in self._pieces:
            kept.setdefault(piece.part, []).append(piece)
        return {part: tuple(pieces) for part, pieces in kept.items()}

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(self._kept)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for within in reversed(
            self._spine
        ):  # iteratively from the inside, as long chains would exceed the depth of recursion
            _ = within.aliases
        for shape in (self.second, self.first):  # "left" belongs to the first shape if that has one
            for alias, parts in shape.aliases.items():
                left = tuple(part for part in parts if part in self._kept)
                # The left side of what is cut out is not a left side of the rest.
                if left and not (self.op == "-" and shape is self.second and alias in self.first.aliases):
                    names[alias] = left
        return names

    @property
    def _spine(self) -> list[Combination]:
        """The nested combinations that it starts with."""
        found: list[Combination] = []
        shape = self.first
        while isinstance(shape, Combination):
            found.append(shape)
            shape = shape.first
        return found

    def _pieces_of(self, part: str) -> tuple[Piece, ...]:
        return self._kept[part]

    @cached_property
    def _separate(self) -> bool:
        """Whether the boundaries do not touch: then rules and volumes just add up."""
        if not self._joined[1] or self.op == "&":
            return False
        return self.op == "|" or bool(self.first._inside(self.second.interior(1), 0)[0])

    @cached_property
    def volume(self) -> float:
        if self.dimension == 2:
            return area([piece.arc for piece in self._pieces if isinstance(piece, ArcPiece)])
        if self._separate:
            for within in reversed(self._spine):
                _ = within.volume
            return self.first.volume + (-1 if self.op == "-" else 1) * self.second.volume
        if self.dimension == 3:
            blocks = blocks_of(self)
            if blocks is not None:  # exact, and without rays
                sizes = np.stack([np.prod(s) for s in product(*map(np.diff, blocks[0]))])
                return float(sizes[self._inside(blocks[1], 0)].sum())
            return float(sweep.rays(self, RAYS, 2)[1].sum())
        if self.dimension == 1:
            return float(sweep.general(self, NODES)[1].sum())
        low, high = self.bounds
        box = low + quasi(2**17, self.dimension, np.random.default_rng(0)) * (high - low)
        return float(np.mean(self._inside(box, 0)) * np.prod(high - low))

    def quadrature(self, n: int) -> Rule:
        n = check_draw(n, "grid")
        if not self._separate or self.dimension == 2:
            nodes, weights = sweep.general(self, n)
            # In space the rays miss a little at edges: make the rule exact at least for constants.
            return nodes, weights * (self.volume / weights.sum())
        share = self.second.volume / (self.first.volume + self.second.volume)
        nodes, weights = self.first.quadrature(max(1, round(n * max(1 - share, 0.25))))
        more, others = self.second.quadrature(max(1, round(n * max(share, 0.25))))
        return np.concatenate([nodes, more]), np.concatenate([weights, -others if self.op == "-" else others])


def blocks_of(*domains: Domain) -> tuple[list[np.ndarray], np.ndarray] | None:
    """The planes across each axis that contain the faces of the boxes of domains, and the middles of the blocks between
    them; None if they are made of something else, too, or of very many."""
    leaves = list(domains)
    while any(isinstance(s, Combination) for s in leaves):
        leaves = [b for s in leaves for b in ((s.first, s.second) if isinstance(s, Combination) else (s,))]
    if not all(isinstance(s, Box) for s in leaves):
        return None
    planes = []
    for axis in range(domains[0].dimension):
        ordered = np.unique([b.bounds[:, axis] for b in leaves])
        planes.append(ordered[np.append(True, np.diff(ordered) > SAME * np.ptp(ordered))])
    if np.prod([len(p) - 1 for p in planes]) > MANY:
        return None
    grid = np.meshgrid(*(0.5 * (p[1:] + p[:-1]) for p in planes), indexing="ij")
    return planes, np.stack(grid, axis=-1).reshape(-1, len(planes))


def _hull_of(shape: Domain) -> np.ndarray:
    """A box around a shape that needs no search."""
    return shape._hull if isinstance(shape, Combination) else shape.bounds
