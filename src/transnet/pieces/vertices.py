"""Points where materials meet, interfaces have corners or end at the boundary, or the boundary has corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.counts import EXAMINED
from transnet.errors import NotFiniteError
from transnet.geometry.partition import Pieces
from transnet.geometry.pieces import ArcPiece
from transnet.measure.arcs import Arc
from transnet.pieces.laws import Laws
from transnet.rows.points import where_mask
from transnet.tolerances import BESIDE, SAME

PROBE = 1e-5
"""How far from a point the materials around it are looked up, in the same units."""
STRAIGHT = 1e-3
"""Angles that differ from a straight one by less, in radians, are straight, like where arcs of circles meet."""


@dataclass(frozen=True, eq=False)
class Vertex:
    """A point with sectors around it, anticlockwise.

    Parameters
    ----------
    point : (2,) array
    materials : tuple of int
        The material of each sector.
    starts, angles : tuples of float
        Where each sector begins, and how wide it is.
    stiffness : tuple of float
        The coefficient of the highest derivatives in each.
    ends : (str, str) or None
        The kind of condition on the first and the last edge, "value" or "flux"; None for a full circle.
    curved : bool
        Whether exponents are followed by others, because edges are curved or the equation has lower-order terms.
    """

    point: np.ndarray
    materials: tuple[int, ...]
    starts: tuple[float, ...]
    angles: tuple[float, ...]
    stiffness: tuple[float, ...]
    ends: tuple[str, str] | None
    curved: bool

    @property
    def regular(self) -> bool:
        """Whether solutions are smooth in each sector."""
        same = max(self.stiffness) - min(self.stiffness) <= SAME * max(self.stiffness)
        if self.ends is None:
            return same or (len(self.angles) == 2 and abs(self.angles[0] - np.pi) < STRAIGHT)
        return same and self.ends[0] == self.ends[1] and abs(sum(self.angles) - np.pi) < STRAIGHT


@dataclass(frozen=True, eq=False)
class Around:
    """The sectors around a point, anticlockwise: their materials, where they begin and how wide they are; the parts of
    the boundary on the outer edges, None for a full circle; and whether an edge is curved."""

    point: np.ndarray
    materials: tuple[int, ...]
    starts: tuple[float, ...]
    angles: tuple[float, ...]
    parts: tuple[str, str] | None
    curved: bool


def vertices_of(laws: Laws, numbers: Sequence[Any]) -> tuple[Vertex, ...]:
    """The points of a plane problem at which its solution is singular; none if the exponents are not known.

    They are known for one equation of second order for one unknown with the same factor of both second derivatives.
    """
    problem = laws.problem
    if problem.domain.dimension != 2 or len(problem.unknowns) != 1 or any(len(e) != 1 for e in laws.equations):
        return ()
    made = (_vertex(laws, numbers, around) for around in sectors_around(laws))
    return tuple(v for v in made if v is not None and not v.regular)


def sectors_around(laws: Laws) -> list[Around]:
    """What is around each end of an arc of the boundary or of an interface."""
    ends = _ends(laws)
    size = float(np.ptp(laws.problem.domain.bounds, axis=0).max())
    if not ends or len(ends) > EXAMINED:
        return []
    found = []
    left = list(range(len(ends)))
    points = np.array([p for p, _, _, _ in ends])
    while left:
        here = [k for k in left if np.linalg.norm(points[k] - points[left[0]]) < BESIDE * size]
        left = [k for k in left if k not in here]
        found += _at(laws, [ends[k] for k in here], size)
    return found


def _vertex(laws: Laws, numbers: Sequence[Any], around: Around) -> Vertex | None:
    """A vertex of one equation; None if its exponents are not known."""
    reach = PROBE * float(np.ptp(laws.problem.domain.bounds, axis=0).max())
    known = []
    for material, start, angle in zip(around.materials, around.starts, around.angles, strict=True):
        place = around.point + reach * _direction(start + 0.5 * angle)
        found = plain_stiffness(laws, numbers, material, place)
        if found is None:
            return None
        known.append(found)
    kinds = None
    if around.parts is not None:
        edges = (around.starts[0], around.starts[-1] + around.angles[-1])
        kinds = tuple(
            kind_on(laws, part, around.point + reach * _direction(a))
            for part, a in zip(around.parts, edges, strict=True)
        )
        if None in kinds:
            return None
    stiffness, plain = tuple(k for k, _ in known), all(p for _, p in known)
    curved = around.curved or not plain
    return Vertex(around.point, around.materials, around.starts, around.angles, stiffness, kinds, curved)  # type: ignore[arg-type]


End = tuple[np.ndarray, float, str, bool]
"""The end of an arc: the point, the angle at which the arc leaves it, its part ("" for interfaces), and whether it
bends."""


def _ends(laws: Laws) -> list[End]:
    domain = laws.problem.domain
    arcs: list[tuple[str, Arc]] = []
    if isinstance(domain, Pieces):
        arcs += [("", p.arc) for kept in domain.interfaces.values() for p in kept if isinstance(p, ArcPiece)]
        for part in domain.parts:
            arcs += [(part, p.arc) for _, p in domain._kept[part] if isinstance(p, ArcPiece)]
    else:
        arcs += [(part, arc) for part in domain.parts for arc in domain.arcs(part)]
    found = []
    for part, arc in arcs:
        points, normals = arc.at(arc.length * np.array([0.0, STRAIGHT, 0.5, 1 - STRAIGHT, 1.0]))
        bent = bool(np.abs(normals - normals[0]).max() > SAME)
        for end, beside in ((0, 1), (4, 3)):
            tangent = np.array([-normals[end, 1], normals[end, 0]])
            tangent = tangent * np.sign(tangent @ (points[beside] - points[end]))
            found.append((points[end], float(np.arctan2(tangent[1], tangent[0])), part, bent))
    return found


def _at(laws: Laws, ends: Sequence[End], size: float) -> list[Around]:
    """What is around ends of arcs that meet, one for each chain of sectors."""
    point = ends[0][0]
    rays: dict[float, tuple[str, bool]] = {}
    for _, angle, part, bent in sorted(ends, key=lambda e: e[1] % (2 * np.pi)):
        turned = angle % (2 * np.pi)
        if not any(min(abs(turned - r), 2 * np.pi - abs(turned - r)) < STRAIGHT for r in rays):
            rays[turned] = part, bent
    starts = list(rays)
    if len(starts) < 2:
        return []
    angles = [(b - a) % (2 * np.pi) for a, b in zip(starts, [*starts[1:], starts[0]], strict=True)]
    middles = np.array([a + 0.5 * w for a, w in zip(starts, angles, strict=True)])
    probes = point + PROBE * size * np.stack([np.cos(middles), np.sin(middles)], axis=1)
    domain = laws.problem.domain
    which = domain.which(probes) if isinstance(domain, Pieces) else np.where(domain._inside(probes, 0), 0, -1)
    count, closed = len(starts), bool((which >= 0).all())
    found = []
    for chain in chains_of(which):
        last = starts[(chain[-1] + 1) % count]
        edges = [rays[starts[k]][1] for k in chain] + [rays[last][1]]
        found.append(
            Around(
                point,
                tuple(int(which[k]) for k in chain),
                tuple(starts[k] for k in chain),
                tuple(angles[k] for k in chain),
                None if closed else (rays[starts[chain[0]]][0], rays[last][0]),
                any(edges),
            )
        )
    return found


def chains_of(which: Sequence[int] | np.ndarray) -> list[list[int]]:
    """Runs of neighbouring sectors around a point that are inside, by their materials (-1 is outside)."""
    count = len(which)
    outside = [k for k in range(count) if which[k] < 0]
    if not outside:
        return [list(range(count))]
    chains = []
    for k, following in zip(outside, [*outside[1:], outside[0] + count], strict=True):
        if following > k + 1:
            chains.append([j % count for j in range(k + 1, following)])
    return chains


def _direction(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def plain_stiffness(laws: Laws, numbers: Sequence[Any], material: int, point: np.ndarray) -> tuple[float, bool] | None:
    """The factor of the Laplacian at a point of a material, and whether there is a constant one of it only."""
    equation = laws.equations[material][0].equation
    if max((sum(index) for _, index in equation.slots), default=0) != 2:
        return None
    zero = None if equation.linear else [np.zeros(1)] * len(equation.slots)
    try:
        factors = equation.jacobian(point[None], None, numbers, zero)
    except NotFiniteError:
        return None
    terms = dict(zip((i for _, i in equation.slots), factors, strict=True))
    at = {index: float(np.ravel(value)[0]) for index, value in terms.items()}
    squares = [tuple(2 if j == axis else 0 for j in range(len(point))) for axis in range(len(point))]
    a, *others = (at.get(index, 0.0) for index in squares)
    mixed = [value for index, value in at.items() if sum(index) == 2 and index not in squares]
    if a == 0 or any(abs(b - a) > SAME * abs(a) for b in others) or any(abs(m) > SAME * abs(a) for m in mixed):
        return None
    plain = equation.linear and set(terms) == set(squares) and all(np.ndim(t) == 0 for t in terms.values())
    return abs(a), plain


def kind_on(laws: Laws, part: str, point: np.ndarray) -> str | None:
    """The kind of condition on the boundary at a point of a part: a value, a flux, or neither."""
    problem = laws.problem
    kinds = set()
    for condition in problem.conditions:
        if condition.boundary is None or condition.across or part not in problem.domain.resolve(condition.boundary):
            continue
        if not where_mask(condition.where, problem.coordinates, point[None])[0]:
            continue
        for statement in laws.condition(condition, 0):
            orders = {sum(index) for _, index in statement.equation.slots}
            kinds.add("value" if orders == {0} else "flux")
    return kinds.pop() if len(kinds) == 1 else None
