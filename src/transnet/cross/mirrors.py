"""Which reflections leave a problem unchanged: its domain, its operator and the kinds of its conditions, not its data.

The reflection of a coordinate about the middle of the domain maps y to s y. It leaves an equation unchanged if the
coefficient of each derivative D^k u at s y is that at y, with the sign (-1)^k of the derivative itself; all of them may
change sign together. A condition may be mapped to another one: the value on the left to that on the right. Everything
is checked at points, once for a problem and the values of its parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import sympy as sp

from transnet.arrays import nearest
from transnet.counts import LOOKS
from transnet.features.placement import Placement
from transnet.geometry import Annulus, Ball, Box, Domain, Surface
from transnet.problem import Problem
from transnet.rows.points import inside_of, where_mask
from transnet.rows.statements import Statement, statements_of
from transnet.rows.unseen import all_spots
from transnet.tolerances import ROUNDED, SAME

MANY = 20
"""A domain with more parts is not checked: it would take longer than it could gain."""
MOST = 0.9
"""The part of the points of a part that must be mapped to one part: near an end the nearest sample may belong to
another."""


@dataclass(frozen=True)
class Mirrors:
    """The reflections of a problem.

    Parameters
    ----------
    axes : tuple of int
        The coordinates that can be reflected, each on its own.
    images : tuple of tuple of int
        For each of them the number of the statement to which each statement is mapped.
    signs : tuple of tuple of int
        The sign with which it is mapped.
    """

    axes: tuple[int, ...]
    images: tuple[tuple[int, ...], ...]
    signs: tuple[tuple[int, ...], ...]


_known: WeakKeyDictionary[Problem, dict[tuple[Any, ...], Mirrors | None]] = WeakKeyDictionary()
_samples: WeakKeyDictionary[Domain, dict[tuple[str, ...], Surface]] = WeakKeyDictionary()
_parts: WeakKeyDictionary[Domain, dict[int, dict[str, str]]] = WeakKeyDictionary()


def mirrors_of(problem: Problem, parameters: Sequence[Any] = ()) -> Mirrors | None:
    """The reflections of a linear problem for one unknown; None if there are none, or it is of another kind."""
    known = _known.setdefault(problem, {})
    key = tuple(map(str, parameters))
    if key not in known:
        known[key] = _found(problem, parameters)
    return known[key]


def _found(problem: Problem, parameters: Sequence[Any]) -> Mirrors | None:
    statements = statements_of(problem)
    plain = all(
        s.equation.linear and not s.equation.places and (s.source is None or s.part is not None) for s in statements
    )
    if len(problem.unknowns) > 1 or not plain or problem.domain.dimension < 2:
        return None
    if all_spots(problem, statements, parameters):
        return None  # they need points of their own, which those in one corner of the domain would miss
    axes, images, signs = [], [], []
    placement = Placement.of(problem.domain)
    for axis, parts in domain_mirrors(problem.domain).items():
        found = [_image(problem, placement, statements, k, axis, parts, parameters) for k in range(len(statements))]
        if all(f is not None for f in found):
            axes.append(axis)
            images.append(tuple(f[0] for f in found if f))
            signs.append(tuple(f[1] for f in found if f))
    return Mirrors(tuple(axes), tuple(images), tuple(signs)) if axes else None


def domain_mirrors(domain: Domain) -> dict[int, dict[str, str]]:
    """The coordinates whose reflection maps a domain onto itself, each with the part to which every part is mapped."""
    if domain not in _parts:
        _parts[domain] = _mirrors_of_domain(domain) if 0 < len(domain.parts) <= MANY else {}
    return _parts[domain]


def _mirrors_of_domain(domain: Domain) -> dict[int, dict[str, str]]:
    inside_test = type(domain)._inside
    if inside_test in (Ball._inside, Annulus._inside):
        return {axis: {part: part for part in domain.parts} for axis in range(domain.dimension)}
    if inside_test is Box._inside:  # its parts are the lower and the upper face of each axis
        faces = [domain.parts[2 * k : 2 * k + 2] for k in range(domain.dimension)]
        return {
            axis: {a: b for k, (low, high) in enumerate(faces) for a, b in _pairs(low, high, k == axis)}
            for axis in range(domain.dimension)
        }
    placement = Placement.of(domain)
    inside = inside_of(domain)
    flips = 1.0 - 2.0 * np.eye(domain.dimension)[:, None, :]
    # A few interior points rule out most domains without symmetry before any of the boundary is sampled.
    within = domain.contains((placement.centre + flips * (inside - placement.centre)).reshape(-1, domain.dimension))
    possible = np.flatnonzero(within.reshape(len(flips), -1).all(axis=1))
    if not len(possible):
        return {}
    samples = {part: _sample(domain, part) for part in domain.parts}
    points = np.concatenate([s.points for s in samples.values()])
    normals = np.concatenate([s.normals for s in samples.values()])
    which = np.repeat(np.arange(len(samples)), [len(s.points) for s in samples.values()])
    step = SAME * float(placement.scale.max())
    # Parts are identified by their position and their normals.
    known = np.concatenate([placement(points), normals], axis=1)
    found = {}
    all_there, all_outward = placement.centre + flips * (points - placement.centre), flips * normals
    beside = step * all_outward
    asked = np.concatenate([all_there - beside, all_there + beside], axis=1)[possible]
    hits = domain.contains(asked.reshape(-1, domain.dimension)).reshape(len(possible), -1)
    for axis, hit in zip(possible.tolist(), hits, strict=True):
        there, outward = all_there[axis], all_outward[axis]
        if not hit[: len(points)].all() or hit[len(points) :].any():
            continue
        names = list(samples)
        if len(names) == 1:
            found[axis] = {names[0]: names[0]}
            continue
        landed = which[nearest(np.concatenate([placement(there), outward], axis=1), known)[1]]
        images = {}
        for k, name in enumerate(names):
            hits = np.bincount(landed[which == k], minlength=len(names))
            if hits.max() < MOST * hits.sum():
                break
            images[name] = names[int(hits.argmax())]
        if len(set(images.values())) == len(names):
            found[axis] = images
    return found


def _pairs(low: str, high: str, swapped: bool) -> tuple[tuple[str, str], tuple[str, str]]:
    return ((low, high), (high, low)) if swapped else ((low, low), (high, high))


def _sample(domain: Domain, part: str) -> Surface:
    """Points of a part of the boundary, drawn once for a domain."""
    known = _samples.setdefault(domain, {})
    names = tuple(domain.resolve(part))
    if names not in known:
        surfaces = [known[(n,)] for n in names if (n,) in known]
        if len(surfaces) == len(names):
            points, normals = (np.concatenate([getattr(s, kind) for s in surfaces]) for kind in ("points", "normals"))
            known[names] = Surface(points, normals)
        else:
            known[names] = domain.boundary(part, LOOKS, "quasi", 1)
    return known[names]


def _image(
    problem: Problem,
    placement: Placement,
    statements: Sequence[Statement],
    number: int,
    axis: int,
    parts: dict[str, str],
    parameters: Sequence[Any],
) -> tuple[int, int] | None:
    """The statement to which a statement is mapped by the reflection of an axis, and the sign; None if there is
    none."""
    statement, domain = statements[number], problem.domain
    flip = np.ones(domain.dimension)
    flip[axis] = -1.0
    if statement.source is None:
        points, normals = inside_of(domain), None
        candidates = [number]
    else:
        assert statement.part is not None
        surface = _sample(domain, statement.part)
        points, normals = surface.points, surface.normals
        wanted = {parts[name] for name in domain.resolve(statement.part)}
        on = [(k, s.part) for k, s in enumerate(statements) if s.part is not None]
        candidates = [k for k, part in on if set(domain.resolve(part)) == wanted]
        candidates.sort(key=lambda k: k != number)
    if candidates[:1] == [number] and statement.where is None:
        parities = {index[axis] % 2 for _, index in statement.equation.slots}
        if len(parities) == 1 and _constant(statement.equation.coefficients_symbolic):
            return number, 1 - 2 * parities.pop()
    there = placement.centre + flip * (points - placement.centre)
    turned = None if normals is None else flip * normals
    if statement.where is not None:
        holds = where_mask(statement.where, problem.coordinates, points)
        points, normals = points[holds], None if normals is None else normals[holds]
    for k in candidates:
        other = statements[k]
        if set(other.equation.slots) != set(statement.equation.slots) or other.weight != statement.weight:
            continue
        wheres = [getattr(s.source, "where", None) for s in (statement, other)]
        chosen = there
        outward = turned
        if (wheres[0] is None) != (wheres[1] is None):
            continue
        if wheres[0] is not None:
            mask = where_mask(wheres[1], problem.coordinates, there)
            if not np.array_equal(mask, holds):
                continue
            chosen, outward = there[mask], None if turned is None else turned[mask]
        if len(chosen) == 0:
            return None
        sign = _sign(
            dict(zip(statement.equation.slots, statement.equation.jacobian(points, normals, parameters), strict=True)),
            dict(zip(other.equation.slots, other.equation.jacobian(chosen, outward, parameters), strict=True)),
            axis,
        )
        if sign is not None:
            return k, sign
    return None


@lru_cache(maxsize=256)
def _constant(coefficients: tuple[sp.Expr, ...]) -> bool:
    """Whether these are plain numbers."""
    return all(c.is_number for c in coefficients)


def _sign(here: dict[Any, np.ndarray], there: dict[Any, np.ndarray], axis: int) -> int | None:
    """The sign e with c_k(s y) = e (-1)^k c_k(y) for all derivatives; None if there is none."""
    size = max((float(np.abs(c).max(initial=0.0)) for c in here.values()), default=0.0)
    for sign in (1, -1):
        if all(
            np.abs(there[slot] - sign * (-1.0) ** slot[1][axis] * here[slot]).max() <= ROUNDED * size for slot in here
        ):
            return sign
    return None
