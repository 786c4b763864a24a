"""Straight edges in space at which solutions are singular: of the boundary, of inclusions, and where materials meet.

Across an edge the problem is that of a corner in the plane, with the same exponents. Edges are searched for along the
lines at which flat sides of the materials meet, and above the corners of the base of a prism.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from transnet.counts import EXAMINED, MANY
from transnet.cuts.first_boxes import flat_places
from transnet.features.exponents import exponents_of
from transnet.geometry import Domain, Pieces
from transnet.geometry.partition import shapes_of
from transnet.geometry.product import Product
from transnet.pieces.laws import Laws
from transnet.pieces.vertices import PROBE, STRAIGHT, Vertex, chains_of, kind_on, plain_stiffness
from transnet.tolerances import BESIDE, HALVINGS, SAME

AROUND = 32
"""Points around a line at which the materials are looked up."""
BETWEEN = 0.37
"""The first of these angles, in units of their distance: none of them is a multiple of a right angle."""
STEP, ROUGH = np.pi / 24, 1e-5
"""Angles this close to a multiple of that are equal to it: rounding leaves 1e-7, which hides that an exponent is
whole."""
SMOOTH = 1.0
"""Derivatives are bounded at edges whose lowest exponent is at least this."""
ALONG = (0.5, 0.21, 0.83)
"""Places of a stretch of a line that must have the same materials around them."""
BESIDE_EDGE = 0.02
"""The distance from an edge at which the part of the boundary is looked up, in units of the domain."""


@dataclass(frozen=True, eq=False)
class SpaceEdge:
    """A stretch of a line along an axis from `low` to `high`, and the corner in the plane across it.

    At a `strong` one derivatives are unbounded; a `loaded` one is an edge of the right-hand side only.
    """

    axis: int
    low: np.ndarray
    high: np.ndarray
    vertex: Vertex
    strong: bool = True
    loaded: bool = False

    @property
    def across(self) -> list[int]:
        """The two other axes."""
        return [j for j in range(3) if j != self.axis]


def space_edges_of(laws: Laws, numbers: Sequence[Any]) -> tuple[SpaceEdge, ...]:
    """The edges of a problem in space at which its solution is singular; none if the exponents are not known."""
    domain = laws.problem.domain
    if domain.dimension != 3 or len(laws.problem.unknowns) != 1 or any(len(e) != 1 for e in laws.equations):
        return ()
    stretches = _stretches(domain)
    found: list[SpaceEdge] = []
    if not stretches:
        return ()
    sectors = _sectors(domain, stretches)
    surface = None
    for (axis, low, high), here in zip(stretches, sectors, strict=True):
        if here is None:
            continue
        if surface is None:
            surface = _Surface.of(domain)
        made = _at(laws, numbers, axis, 0.5 * (low + high), *here, surface)
        for vertex in made:
            if not vertex.regular:
                found.append(SpaceEdge(axis, low, high, vertex, _strong(vertex)))
            elif _loaded(vertex):
                found.append(SpaceEdge(axis, low, high, vertex, False, True))
    return tuple(found)


def _strong(vertex: Vertex) -> bool:
    """Whether derivatives are unbounded at an edge."""
    return bool(exponents_of(vertex.stiffness, vertex.angles, vertex.ends, SMOOTH - SAME))


def _loaded(vertex: Vertex) -> bool:
    """Whether a load may have an edge where nothing else has: around a full circle unless its side is straight."""
    straight = len(vertex.angles) == 2 and abs(vertex.angles[0] - np.pi) < STRAIGHT
    return len(set(vertex.materials)) > 1 and not (vertex.ends is None and straight)


def ends_of(edges: Sequence[SpaceEdge]) -> np.ndarray:
    """The points at which edges end or change, (m, 3)."""
    ends: list[np.ndarray] = []
    for edge in edges:
        for end in (edge.low, edge.high):
            others = [e for e in edges if e is not edge and e.axis == edge.axis and _touch(e, end)]
            if not any(_alike(edge.vertex, e.vertex) for e in others) and not any(np.allclose(end, p) for p in ends):
                ends.append(end)
    return np.array(ends).reshape(-1, 3)


def _touch(edge: SpaceEdge, point: np.ndarray) -> bool:
    return np.allclose(edge.low, point) or np.allclose(edge.high, point)


def _alike(a: Vertex, b: Vertex) -> bool:
    return (
        a.ends == b.ends
        and len(a.angles) == len(b.angles)
        and np.allclose([*a.starts, *a.angles, *a.stiffness], [*b.starts, *b.angles, *b.stiffness])
    )


Stretch = tuple[int, np.ndarray, np.ndarray]
"""The axis of a line, and where a stretch of it begins and ends."""


def _stretches(domain: Domain) -> list[Stretch]:
    """The stretches of lines at which flat sides may meet."""
    places = [
        [low, *flat, high] for flat, (low, high) in zip(flat_places(domain), domain.bounds.T.tolist(), strict=True)
    ]
    lines: list[tuple[int, tuple[float, float]]] = []
    for axis in range(3):
        others = [j for j in range(3) if j != axis]
        lines += [(axis, pair) for pair in product(places[others[0]], places[others[1]])]
    for _, shape in shapes_of(domain):
        if isinstance(shape, Product) and shape.first.dimension == 2:
            for part in shape.first.parts:
                for arc in shape.first.arcs(part):
                    lines += [(2, tuple(end)) for end in arc.at(np.array([0.0, arc.length]))[0].tolist()]
    near = BESIDE * float(np.ptp(domain.bounds, axis=0).max())
    distinct: list[tuple[int, tuple[float, float]]] = []
    for axis, place in lines:
        if not any(a == axis and np.hypot(place[0] - p[0], place[1] - p[1]) < near for a, p in distinct):
            distinct.append((axis, place))
    found: list[Stretch] = []
    for axis, place in distinct if len(distinct) <= EXAMINED else ():
        for a, b in pairwise(places[axis]):
            found.append((axis, np.insert(place, axis, a), np.insert(place, axis, b)))
    return found


def _sectors(domain: Domain, stretches: Sequence[Stretch]) -> list[tuple[list[float], list[int]] | None]:
    """For each stretch the angles at which the material around it changes, and the materials behind these angles.

    None where nothing changes, or not the same way along the stretch.
    """
    radius = PROBE * float(np.ptp(domain.bounds, axis=0).max())

    def around(which: np.ndarray, share: np.ndarray, angles: np.ndarray) -> np.ndarray:
        points = np.empty((len(which), 3))
        for k, (w, s) in enumerate(zip(which.tolist(), share.tolist(), strict=True)):
            axis, low, high = stretches[w]
            points[k] = low + s * (high - low)
            others = [j for j in range(3) if j != axis]
            points[k, others] += radius * np.array([np.cos(angles[k]), np.sin(angles[k])])
        return domain.which(points) if isinstance(domain, Pieces) else np.where(domain._inside(points, 0), 0, -1)

    probes = 2 * np.pi * (np.arange(AROUND) + BETWEEN) / AROUND
    seen = []
    for share in ALONG:
        which = np.repeat(np.arange(len(stretches)), AROUND)
        found = around(which, np.full(len(which), share), np.tile(probes, len(stretches)))
        seen.append(found.reshape(len(stretches), AROUND))
    same = np.all([s == seen[0] for s in seen], axis=(0, 2))
    changes = [(k, j) for k in np.flatnonzero(same) for j in np.flatnonzero(seen[0][k] != np.roll(seen[0][k], -1))]
    if not changes:
        return [None] * len(stretches)
    which, start = np.array(changes).T
    before = seen[0][which, start]
    low, high = probes[start], probes[start] + 2 * np.pi / AROUND
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        stays = around(which, np.full(len(which), ALONG[0]), middle) == before
        low, high = np.where(stays, middle, low), np.where(stays, high, middle)
    result: list[tuple[list[float], list[int]] | None] = [None] * len(stretches)
    for k in np.unique(which).tolist():
        mine = np.flatnonzero(which == k)
        angles = [_snapped(float(0.5 * (low[i] + high[i]))) for i in mine]
        result[k] = angles, [int(seen[0][k][(start[i] + 1) % AROUND]) for i in mine]
    return result


def _snapped(angle: float) -> float:
    """The multiple of a fraction of a right angle that an angle is, up to rounding."""
    whole = round(angle / STEP) * STEP
    return whole if abs(angle - whole) < ROUGH else angle


@dataclass(frozen=True, eq=False)
class _Surface:
    """Samples of the parts of the boundary."""

    parts: tuple[str, ...]
    points: np.ndarray
    normals: np.ndarray
    owner: np.ndarray
    size: float

    @classmethod
    def of(cls, domain: Domain) -> _Surface:
        drawn = [domain.boundary(part, MANY, "quasi", 0) for part in domain.parts]
        return cls(
            domain.parts,
            np.concatenate([d.points for d in drawn]),
            np.concatenate([d.normals for d in drawn]),
            np.repeat(np.arange(len(drawn)), [len(d.points) for d in drawn]),
            float(np.ptp(domain.bounds, axis=0).max()),
        )

    def part_at(self, point: np.ndarray, normal: np.ndarray) -> str | None:
        """The part of the boundary that has this normal at a point."""
        level = np.abs((self.points - point) @ normal) < BESIDE_EDGE**2 * self.size
        here = np.flatnonzero(level & (self.normals @ normal > 1 - SAME - BESIDE_EDGE**2))
        if not len(here):
            return None
        return self.parts[self.owner[here[np.argmin(np.linalg.norm(self.points[here] - point, axis=1))]]]


def _at(
    laws: Laws,
    numbers: Sequence[Any],
    axis: int,
    middle: np.ndarray,
    starts: list[float],
    which: list[int],
    surface: _Surface,
) -> list[Vertex]:
    """The corner of the plane across a line, one for each chain of sectors between parts of the outside."""
    count = len(starts)
    others = [j for j in range(3) if j != axis]
    angles = [(b - a) % (2 * np.pi) for a, b in zip(starts, [*starts[1:], starts[0]], strict=True)]

    def ray(angle: float) -> np.ndarray:
        direction = np.zeros(3)
        direction[others] = np.cos(angle), np.sin(angle)
        return direction

    known = []
    for start, width, material in zip(starts, angles, which, strict=True):
        place = middle + PROBE * surface.size * ray(start + 0.5 * width)
        known.append((0.0, True) if material < 0 else plain_stiffness(laws, numbers, material, place))
    if any(k is None for k in known):
        return []
    outside = any(material < 0 for material in which)
    found = []
    for chain in chains_of(which):
        kinds = None
        if outside:
            ends = (starts[chain[0]], -1.0), (starts[(chain[-1] + 1) % count], 1.0)
            kinds = tuple(_kind(laws, surface, middle, ray(a), ray(a + turn * 0.5 * np.pi)) for a, turn in ends)
            if None in kinds:
                continue
        made = [known[k] for k in chain]
        found.append(
            Vertex(
                middle[others],
                tuple(which[k] for k in chain),
                tuple(starts[k] for k in chain),
                tuple(angles[k] for k in chain),
                tuple(m[0] for m in made if m),
                kinds,  # type: ignore[arg-type]
                not all(m[1] for m in made if m),
            )
        )
    return found


def _kind(laws: Laws, surface: _Surface, middle: np.ndarray, ray: np.ndarray, outward: np.ndarray) -> str | None:
    """The kind of condition on the side that leaves an edge along a ray."""
    part = surface.part_at(middle + BESIDE_EDGE * surface.size * ray, outward)
    return None if part is None else kind_on(laws, part, middle + PROBE * surface.size * ray)
