"""Pieces: a domain made of named pieces that do not overlap and meet along interfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.geometry.csg import SHOWN
from transnet.measure.rules import Rule
from transnet.measure.sampling import check_draw
from transnet.measure.spheres import star

from ..calls import explained, shown
from ..errors import GeometryError
from .chain import meets
from .domain import Domain
from .exterior import Exterior
from .joins import Border, stepped
from .partition_checks import refuse_bad_fit
from .pieces import ArcPiece, Piece, Pieced, pieces_of

STEP = 1e-7
"""How far from a boundary its two sides are tested, in units of the whole: anything narrower is not a gap."""
BEYOND = 10.0
"""Boxes closer than this many steps touch, and shorter stretches are not an interface."""
RIM, FEWEST = 512, 8
"""Points of a piece's boundary by which the closest piece is found; nodes of the smallest piece."""


@explained
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Pieces(Pieced):
    """A domain of several pieces: `Pieces(core=Disk(radius=0.4), shell=Disk(radius=1) - Disk(radius=0.4))`.

    The pieces may not overlap, and meet along interfaces: that of two is called "core|shell". The other parts of their
    boundaries keep their names; a name that several pieces use stands for all of it.

    Parameters
    ----------
    pieces : mapping, optional
        Domains by name, for names that are not Python identifiers.
    named
        Domains by name.
    """

    shapes: tuple[tuple[str, Domain], ...]

    def __init__(self, pieces: Mapping[str, Domain] | None = None, /, **named: Domain) -> None:
        stated = {**(pieces or {}), **named}
        if not stated:
            raise GeometryError("Pieces needs pieces: tn.Pieces(core=tn.Disk(radius=0.4), shell=...).")
        for name, shape in stated.items():
            if not isinstance(shape, Domain):
                raise GeometryError(f"The piece '{name}' is {shown(shape)}, which is not a domain.")
            if "|" in str(name) or not str(name).strip():
                raise GeometryError(f"A piece cannot be called {shown(name)}: 'a|b' is the interface of a and b.")
        shapes = tuple((str(name), shape) for name, shape in stated.items())
        first = shapes[0][1]
        for name, shape in shapes:
            same = all(not (p and q and p != q) for p, q in zip(first.names, shape.names, strict=False))
            if shape.dimension != first.dimension or not same:
                raise GeometryError(
                    f"The pieces '{shapes[0][0]}' and '{name}' have the coordinates {first.names} and {shape.names}. "
                    f"All pieces need the same."
                )
        object.__setattr__(self, "shapes", shapes)
        refuse_bad_fit(self)

    def __repr__(self) -> str:
        parts = [f"{name}={shape}" for name, shape in self.shapes]
        inner = ", ".join(parts if len(parts) <= SHOWN else [*parts[:4], f"... {len(parts) - 4} more"])
        return f"Pieces({inner})"

    def __mul__(self, other: Domain) -> Pieces:  # type: ignore[override]
        return Pieces({name: shape * other for name, shape in self.shapes})

    @property
    def piece_names(self) -> tuple[str, ...]:
        """The names of the pieces."""
        return tuple(name for name, _ in self.shapes)

    def piece(self, name: str) -> Domain:
        """One piece by its name."""
        if isinstance(name, str) and name in self.piece_names:
            return self.shapes[self.piece_names.index(name)][1]
        raise GeometryError(
            f"{self} has no piece {shown(name)}. Its pieces are {', '.join(map(repr, self.piece_names))}."
        )

    def inside_named(self, name: str) -> int | None:
        """The number of the piece with a name, unless that is the name of a part of the boundary."""
        if name not in self.piece_names or name in self.parts or name in self.aliases:
            return None
        return self.piece_names.index(name)

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        columns = zip(*(shape.names for _, shape in self.shapes), strict=True)
        return tuple(next((n for n in column if n), None) for column in columns)

    @cached_property
    def boxes(self) -> np.ndarray:
        """The boxes around the pieces, (n, 2, d)."""
        return np.array([shape.bounds for _, shape in self.shapes])

    @cached_property
    def bounds(self) -> np.ndarray:
        return np.array([self.boxes[:, 0].min(axis=0), self.boxes[:, 1].max(axis=0)])

    @cached_property
    def volume(self) -> float:
        return float(sum(shape.volume for _, shape in self.shapes))

    @cached_property
    def step(self) -> np.ndarray:
        """The small step from a boundary to its sides, in each coordinate."""
        return STEP * np.ptp(self.bounds, axis=0)

    def beyond(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """The points moved a little along the normals, each coordinate in its own unit."""
        return stepped(points, normals, self.step)

    def which(self, points: np.ndarray) -> np.ndarray:
        """The number of the piece that each point is in, the first of several; -1 where there is none."""
        found = np.full(len(points), -1)
        box = np.array([points.min(axis=0) - self.step, points.max(axis=0) + self.step]) if len(points) else self.bounds
        met = meets(self.boxes, box) | [isinstance(shape, Exterior) for _, shape in self.shapes]
        for sign in (0, 1):
            for k in np.flatnonzero(met):
                shape = self.shapes[k][1]
                open_ = np.flatnonzero(found < 0)
                if len(open_):
                    low, high = shape.bounds[0] - self.step, shape.bounds[1] + self.step
                    near = np.all((points[open_] >= low) & (points[open_] <= high), axis=1)
                    mine = open_ if isinstance(shape, Exterior) else open_[near]
                    found[mine[shape._inside(points[mine], sign)]] = k
        return found

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """The same, with the number of the piece with the nearest boundary where there is none."""
        found = self.which(points)
        lost = np.flatnonzero(found < 0)
        if len(lost):
            rims = [shape.boundary("boundary", RIM, "quasi", 0).points for _, shape in self.shapes]
            away = [np.min(np.linalg.norm(points[lost][:, None, :] - rim[None], axis=2), axis=1) for rim in rims]
            found[lost] = np.argmin(away, axis=0)
        return found

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        if sign >= 0:
            return np.any([shape._inside(points, sign) for _, shape in self.shapes], axis=0)
        result = np.any([shape._inside(points, -1) for _, shape in self.shapes], axis=0)
        unsure = np.flatnonzero(np.any([shape._inside(points, 1) for _, shape in self.shapes], axis=0) & ~result)
        if len(unsure):  # on an interface, or on the boundary
            around = star(self.dimension)
            near = (points[unsure][:, None, :] + self.step * around).reshape(-1, self.dimension)
            hits = np.any([shape._inside(near, 0) for _, shape in self.shapes], axis=0)
            result[unsure] = hits.reshape(len(unsure), len(around)).all(axis=1)
        return result

    # -- boundary and interfaces -------------------------------------------------------------------------------------
    def neighbours(self, k: int) -> list[int]:
        """The pieces whose boxes touch that of a piece."""
        room = BEYOND * self.step * np.array([[-1.0], [1.0]])
        return [int(j) for j in np.flatnonzero(meets(self.boxes, self.boxes[k] + room)) if j != k]

    def _left(self, k: int, wanted: int | None) -> tuple[Piece, ...]:
        """The part of the boundary of piece k that borders on the piece `wanted`, or on nothing."""
        others = tuple(self.shapes[j][1] for j in (self.neighbours(k) if wanted is None else (wanted,)))
        if not others:
            return pieces_of(self.shapes[k][1])
        border = Border(others, self.step, wanted is not None)
        shortest = BEYOND * float(self.step.max())
        kept = (left for piece in pieces_of(self.shapes[k][1]) for left in piece.kept(border))
        return tuple(piece for piece in kept if not isinstance(piece, ArcPiece) or piece.measure > shortest)

    @cached_property
    def _kept(self) -> dict[str, tuple[tuple[int, Piece], ...]]:
        """What remains of each part of the pieces as the boundary of the whole, by name, with the piece's number."""
        kept: dict[str, tuple[tuple[int, Piece], ...]] = {}
        for k in range(len(self.shapes)):
            for left in self._left(k, None):
                kept[left.part] = (*kept.get(left.part, ()), (k, left))
        return kept

    @cached_property
    def interfaces(self) -> dict[tuple[int, int], tuple[Piece, ...]]:
        """The interface of two pieces, by their numbers, as parts of the first with normals into the second."""
        found = {}
        for k in range(len(self.shapes)):
            for j in (j for j in self.neighbours(k) if j > k):
                parts = self._left(k, j)
                if parts:
                    found[k, j] = parts
        return found

    def interface(self, name: str) -> tuple[tuple[int, int], bool]:
        """The numbers of the two pieces that "a|b" names, and whether they are the other way round.

        Raises
        ------
        GeometryError
            If there is no such interface.
        """
        first, _, second = (part.strip() for part in name.partition("|"))
        for side in (first, second):
            self.piece(side)
        order = self.piece_names.index(first), self.piece_names.index(second)
        turned = order[0] > order[1]
        pair = (order[1], order[0]) if turned else order
        if pair not in self.interfaces:
            known = ", ".join(f"'{self.piece_names[i]}|{self.piece_names[j]}'" for i, j in self.interfaces)
            raise GeometryError(
                f"The pieces '{first}' and '{second}' do not meet, so there is no interface '{name}'. "
                f"There are: {known or 'none'}."
            )
        return pair, turned

    def sides(self, name: str) -> tuple[int, int]:
        """The numbers of the first and the second piece that "a|b" names, in this order."""
        (i, j), turned = self.interface(name)
        return (j, i) if turned else (i, j)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self._kept)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for _, shape in reversed(self.shapes):
            for alias, parts in shape.aliases.items():
                left = tuple(part for part in parts if part in self._kept)
                if left:
                    names[alias] = tuple(dict.fromkeys((*names.get(alias, ()), *left)))
        return names

    def resolve(self, part: str) -> tuple[str, ...]:
        if "|" in str(part):
            self.interface(part)
            return (part,)
        return super().resolve(part)

    def _pieces_of(self, part: str) -> Sequence[Piece]:
        if "|" not in part:
            return [piece for _, piece in self._kept[part]]
        pair, turned = self.interface(part)
        return [piece.turned() if turned else piece for piece in self.interfaces[pair]]

    def quadrature(self, n: int) -> Rule:
        n = check_draw(n, "grid")
        rules = [s.quadrature(max(FEWEST, round(n * s.volume / self.volume))) for _, s in self.shapes]
        return np.concatenate([nodes for nodes, _ in rules]), np.concatenate([weights for _, weights in rules])


def shapes_of(domain: Domain) -> Sequence[tuple[str, Domain]]:
    """The named pieces of a domain; a plain domain is a single piece without a name."""
    return domain.shapes if isinstance(domain, Pieces) else (("", domain),)
