"""What collocation points would miss: loads, coefficients and boundary data concentrated on a small spot.

Formulas are read, and the places where they are narrow are known (`rows/spots.py`). Functions that are not formulas,
and those that jump, are evaluated once at a hundred thousand points. If something is concentrated on a small part of
the domain, or of the boundary, which a few hundred collocation points would hardly hit, points are added there. The
residual then shows whether the network resolves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Surface
from transnet.measure.sampling import spread
from transnet.problem import Condition, Given, Problem, has_any
from transnet.problem.condition import Placed
from transnet.reading.search import box_of
from transnet.reading.sharp import sharp_parts
from transnet.remember import Remembered
from transnet.rows.equation import Equation
from transnet.rows.points import portion, where_mask
from transnet.rows.spots import SMALL, Spot, read_spots, read_spots_on
from transnet.rows.statements import Statement

LOOKED_AT = {1: 20_000, 2: 130_000, 3: 260_000, 4: 260_000}
"""Points, by dimension: in the plane a spot of radius 0.003 of a unit square has four of them."""
LOOKED_ON = {2: 20_000, 3: 130_000, 4: 130_000}
"""Points on a part of the boundary."""
TALL = 0.1
"""A spot is where a function differs from its median by more than this part of its largest difference."""
SEEN = 20.0
"""The collocation points needed in a spot."""
SHARE = 0.1
"""Points that are added per existing one; at least `SEEN`."""
STEEP = 50.0
"""Formulas whose numbers in functions and powers are all smaller than this, and larger than its inverse, have no such
spots."""
SUDDEN = (sp.Piecewise, sp.Heaviside, sp.sign, sp.Abs, sp.Min, sp.Max, sp.floor, Given)


_spots: Remembered[Problem, list[Spot]] = Remembered()


def unseen(problem: Problem, statements: Sequence[Statement], inside: np.ndarray) -> np.ndarray:
    """Interior points to add to the existing ones, (k, d)."""
    found = [inside[:0]]
    for spot in spots_of(problem, statements):
        count = _lacking(spot, len(inside))
        found.append(spot.points[spread(len(spot.points), count)])
    return np.concatenate(found)


def unseen_on(problem: Problem, statements: Sequence[Statement], source: Condition, placed: Placed) -> Placed:
    """Where a condition is imposed, with the additional points that its data need."""
    assert placed.normals is not None
    points, normals = [placed.points], [placed.normals]
    for spot in spots_on(problem, statements, source):
        assert spot.normals is not None
        chosen = spread(len(spot.points), _lacking(spot, len(placed.points)))
        points.append(spot.points[chosen])
        normals.append(spot.normals[chosen])
    return replace(placed, points=np.concatenate(points), normals=np.concatenate(normals)) if points[1:] else placed


def _lacking(spot: Spot, there: int) -> int:
    """How many points to add to the existing ones."""
    return int(max(SHARE * there, SEEN)) if spot.share * there < SEEN else 0


def spots_of(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any] = ()) -> list[Spot]:
    """The small parts of the domain where loads or coefficients are concentrated; none if parameters have no values
    yet."""
    return [s for s in narrow_in(problem, statements, parameters) if s.share < SMALL]


def narrow_in(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any] = ()) -> list[Spot]:
    """The same with those that are narrow and go all the way through the domain, however much of it they are."""
    equations = [s.equation for s in statements if s.kind == "equation"]
    if len(problem.parameters) > len(parameters):
        return []

    def look() -> list[Spot]:
        domain = problem.domain
        found = [s for e in equations for s in read_spots(problem, e, parameters, domain.bounds, domain.contains)]
        sampled = [e for e in equations if has_any(e.expression, SUDDEN)]
        if sampled:
            points = domain.interior(LOOKED_AT[domain.dimension], "quasi", 0)
            found += spots_at(sampled, points, None, parameters)
        return found

    return _spots.get(problem, str(parameters), look)


def spots_on(problem: Problem, statements: Sequence[Statement], source: Condition) -> list[Spot]:
    """The small parts of a part of the boundary where its data are concentrated."""
    mine = [s.equation for s in statements if s.source is source]
    d = problem.domain.dimension
    if problem.parameters or d not in LOOKED_ON:
        return []

    def look() -> list[Spot]:
        box = box_of(problem.coordinates, problem.domain.bounds)
        steep = [
            e
            for e in mine
            if has_any(e.expression, SUDDEN) or sharp_parts(e.expression, box, frozenset(e.slot_symbols))
        ]
        if not steep:
            return []
        assert source.boundary is not None
        found = []
        for part in problem.domain.resolve(source.boundary):
            surface = problem.domain.boundary(part, LOOKED_ON[d], "quasi", 0)
            here = portion(surface, source.where, problem.coordinates)
            if len(here.points):
                found += spots_at([e for e in steep if has_any(e.expression, SUDDEN)], here.points, here.normals, ())
                found += [s for e in steep for s in _on_part(problem, e, here, source) if s.share < SMALL]
        return found

    return _spots.get(problem, id(source), look)  # which lives as long as its problem


def _on_part(problem: Problem, equation: Equation, here: Surface, source: Condition) -> list[Spot]:
    """The spots that a formula has on a part: on a flat face across an axis wherever they are, otherwise by samples."""
    bounds = np.stack([here.points.min(axis=0), here.points.max(axis=0)])
    if not (bounds[0] == bounds[1]).any() or np.ptp(here.normals, axis=0).any():
        return read_spots_on(problem, equation, (), here)
    spots = read_spots(
        problem, equation, (), bounds, lambda points: where_mask(source.where, problem.coordinates, points)
    )
    return [spot._replace(normals=np.broadcast_to(here.normals[0], spot.points.shape)) for spot in spots]


def all_spots(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any] = ()) -> list[Spot]:
    """Those of the interior and of all conditions."""
    return [*spots_of(problem, statements, parameters), *_on_all(problem, statements)]


def all_narrow(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any] = ()) -> list[Spot]:
    """The same with all that are narrow."""
    return [*narrow_in(problem, statements, parameters), *_on_all(problem, statements)]


def _on_all(problem: Problem, statements: Sequence[Statement]) -> list[Spot]:
    sources = dict.fromkeys(s.source for s in statements if s.source is not None and s.part is not None)
    return [spot for source in sources for spot in spots_on(problem, statements, source)]


def may_be_steep(equation: Equation) -> bool:
    """Whether a formula may be concentrated on a small spot, judging by its functions and numbers."""
    return _steep(equation.expression)


@lru_cache(maxsize=256)
def _steep(expression: sp.Expr) -> bool:
    if has_any(expression, SUDDEN):
        return True
    sizes = [abs(float(n)) for n in _inner_numbers(expression) if n.is_finite and n != 0]
    return any(size > STEEP or size < 1 / STEEP for size in sizes)


def _inner_numbers(expression: sp.Expr) -> set[sp.Number]:
    """The numbers in arguments of functions and in powers: factors and summands outside them make nothing steep."""
    if isinstance(expression, AppliedUndef | sp.Derivative) or not expression.args:
        return set()
    if isinstance(expression, sp.Function | sp.Pow | sp.Integral):
        return expression.atoms(sp.Number)
    return set().union(*map(_inner_numbers, expression.args))


def spots_at(
    equations: Sequence[Equation], points: np.ndarray, normals: np.ndarray | None, parameters: Sequence[Any]
) -> list[Spot]:
    """The spots of the equations' data among points."""
    found = []
    for equation in equations:
        try:
            functions = [equation.residual(points, normals, parameters)]
            functions += equation.jacobian(points, normals, parameters) if equation.linear else []
        except ProblemError:
            continue
        for values in functions:
            if np.ndim(values) == 0 or not np.ptp(values):
                continue
            height = np.abs(values - np.median(values))
            spot = height > TALL * height.max()
            if 0 < spot.mean() < SMALL:
                share = float(spot.mean())
                extent = np.ptp(points, axis=0)
                width = (
                    share * extent.sum() if normals is not None else float(share * np.prod(extent)) ** (1 / len(extent))
                )
                found.append(Spot(points[spot], None if normals is None else normals[spot], share, width))
    return found
