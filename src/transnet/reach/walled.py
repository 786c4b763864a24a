"""Half planes and half spaces as they are stated: which walls there are, what holds on them, what is reflected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.outside import Formula
from transnet.choose.outside import OutsideLaw, outside_of
from transnet.counts import ALONG
from transnet.errors import ProblemError
from transnet.geometry import Box, Domain
from transnet.problem import Far, Outgoing, Problem
from transnet.problem.windowed import Windowed
from transnet.reach.tails import shown_reach
from transnet.reach.walls import Wall, WalledLaw, part_of
from transnet.rows.statements import Statement, statements_of
from transnet.sections.windows import cut_out, open_parts, reaching
from transnet.tolerances import ROUNDED


def walled_of(windowed: Windowed, values: Mapping[Any, Any]) -> WalledLaw | None:
    """How a problem in a half plane, a half space or a quarter of one is solved; None for others."""
    problem = windowed.problem
    _, body = cut_out(problem.domain)
    shown = reaching(problem.domain, shown_reach(windowed, values, body))
    domain = reaching(shown, {}, finite=True)
    whole, _ = cut_out(domain)
    ends, parts = open_parts(problem.domain), set(open_parts(problem.domain))
    infinite = {axis for axis, _ in ends.values()}
    named = {part for c in problem.conditions if c.boundary for part in c.parts(problem)}
    shut = [(a, e) for a in range(domain.dimension) for e in (0, 1) if (a, e) not in set(ends.values())]
    if not isinstance(whole, Box) or infinite != set(range(domain.dimension)) or domain.dimension == 1 or not shut:
        return None
    far = [c for c in problem.conditions if isinstance(c, Far)]
    if (
        len(far) != 1
        or named & parts
        or any(c.where is not None or c.boundary is None for c in problem.conditions if c is not far[0])
    ):
        return None
    statements = statements_of(problem)
    inside = [s for s in statements if s.source is None]
    try:
        outer: Any = outside_of(problem, values, domain, inside)
    except ProblemError:
        if isinstance(far[0], Outgoing):
            raise
        return None
    numbers = tuple(values.values())
    walls = []
    for axis, end in shut:
        part = whole.parts[2 * axis + end]
        mine = tuple(s for s in statements if s.part is not None and part in problem.domain.resolve(s.part))
        at = float(domain.bounds[end, axis])
        walls.append(Wall(axis, at, 1 if end == 0 else -1, _sign(mine, axis, at, domain, outer, numbers), mine))
    if not all(w.statements for w in walls):
        return None
    if outer.wavenumber and not all(w.sign for w in walls):
        if isinstance(far[0], Outgoing):
            raise ProblemError(
                "Waves beside a wall that extends to infinity are solved for a value or a flux on it, u = 0 or "
                "tn.normal_derivative(u) = 0, not for both together."
            )
        return None
    outer = _reflected(outer, tuple(walls), domain.interior(ALONG), numbers)
    wall_parts = {whole.parts[2 * axis + end] for axis, end in shut} | parts
    on_bodies = tuple(
        (part, s)
        for s in statements
        if s.part is not None
        for part in problem.domain.resolve(s.part)
        if part not in wall_parts
    )
    stated = Problem(shown, problem.equations, problem.conditions, problem.unknowns)
    return WalledLaw(stated, outer, body, tuple(walls), on_bodies, numbers)


def _sign(
    statements: Sequence[Statement], axis: int, at: float, domain: Domain, law: OutsideLaw, numbers: tuple[Any, ...]
) -> int:
    """-1 for values, 1 for fluxes, 0 for anything else."""
    points = domain.interior(3)
    points[:, axis] = at
    normals = np.zeros_like(points)
    normals[:, axis] = 1.0
    flux = tuple(int(a == axis) for a in range(domain.dimension))
    kinds = set()
    for s in statements:
        terms = zip(s.equation.slots, s.equation.jacobian(points, normals, numbers), strict=True)
        kinds |= {index for (number, index), c in terms if np.any(c) and number in law.fields}
    return -1 if kinds == {(0,) * domain.dimension} else 1 if kinds == {flux} else 0


def _reflected(law: OutsideLaw, walls: tuple[Wall, ...], points: np.ndarray, numbers: tuple[Any, ...]) -> OutsideLaw:
    """With the reflections of an incident wave that does not satisfy what holds on a wall: they do not radiate."""
    given, coordinates = law.given.expression, law.given.coordinates
    if not law.wavenumber.real or given == 0:
        return law
    for wall in walls:
        there, normals = points.copy(), np.zeros_like(points)
        there[:, wall.axis], normals[:, wall.axis] = wall.at, -wall.side
        wave, left, terms = Formula(given, coordinates), 0.0, 0.0
        for s in wall.statements:
            values = [part_of(law, n, wave.derivative(there, index)) for n, index in s.equation.slots]
            rows = s.equation.jacobian(there, normals, numbers)
            left = max(left, float(np.abs(sum(c * v for c, v in zip(rows, values, strict=True))).max()))
            terms = max(terms, float(max(np.abs(c * v).max() for c, v in zip(rows, values, strict=True))))
        if left > ROUNDED * terms:
            c = coordinates[wall.axis]
            given = given + wall.sign * given.subs(c, 2 * sp.Float(wall.at) - c)
    return replace(law, given=Formula(given, coordinates))
