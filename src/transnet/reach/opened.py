"""Waves between open ends as they are stated: along which axis, between which walls, around which bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from transnet.basis.end_modes import CrossSection
from transnet.choose.outside import OutsideLaw, outside_of, square_of
from transnet.errors import ProblemError
from transnet.geometry import Box, Domain, Pieces
from transnet.geometry.partition import shapes_of
from transnet.pieces.laws import Laws
from transnet.problem import Condition, Far, Problem
from transnet.problem.windowed import Windowed
from transnet.reach.ends import OpenLaw
from transnet.rows.statements import Statement, statements_of
from transnet.sections.windows import between, cut_out, open_parts, reaching
from transnet.tolerances import BESIDE

CLEAR = 0.5
"""How far the window reaches beyond the bodies, in widths of the channel: waves that decay have fallen by
exp(-pi / 2) there at least. With 0.25 there are twice as many of them, with 1 more functions around the middle."""
SHOWN = 2.0
"""How much of the channel is shown on either side of the bodies, in widths: a wavelength or more of what runs."""
FITS = 1e-8
"""How well an incident wave must satisfy what holds on the sides, relative to it: as well as the equation."""
REFUSED = (
    "tn.outgoing is for waves outside bodies, tn.Exterior(body); beside walls, in a half plane or half space; and at "
    "the open ends of a channel or of a row of bodies in the plane"
)
TRIED = 50
"""Points at which it is looked at what an incident wave does on walls."""


def opened_of(windowed: Windowed, values: Mapping[Any, Any]) -> OpenLaw:
    """How such a problem is solved; ProblemError if its domain or conditions do not fit together."""
    problem = windowed.problem
    domain, ends = problem.domain, open_parts(problem.domain)
    axes, shapes = {axis for axis, _ in ends.values()}, shapes_of(problem.domain)
    piece = next(k for k, (_, shape) in enumerate(shapes) if open_parts(shape))
    whole, body = cut_out(shapes[piece][1])
    if domain.dimension != 2 or len(axes) != 1 or not isinstance(whole, Box):
        raise ProblemError(f"{REFUSED}. {domain} is none of these with what is stated on its walls.")
    far = [c for c in problem.conditions if isinstance(c, Far)]
    if len(far) != 1:
        raise ProblemError("State one condition at infinity for the open ends, tn.outgoing(u - incident, k).")
    (axis,), open_ends = axes, ((next(iter(axes)), 0) in ends.values(), (next(iter(axes)), 1) in ends.values())
    width = float(np.ptp(whole.bounds[:, 1 - axis]))
    closed = None if all(open_ends) else float(whole.bounds[0 if open_ends[1] else 1, axis])
    bodies = None if body is None else np.asarray(body.bounds)[:, axis]
    middle = [closed] if bodies is None and closed is not None else [0.0] if bodies is None else bodies.tolist()
    first, last = min(middle) - CLEAR * width, max(middle) + CLEAR * width
    sides = (first if open_ends[0] else closed, last if open_ends[1] else closed)
    name = str(domain.names[axis])
    inner_domain = between(domain, name, float(sides[0]), float(sides[1]))  # type: ignore[arg-type]
    kept = [
        k for c in problem.conditions if c.period is None and c.turn is None for k in _at_rest(problem, c, set(ends))
    ]
    inner = Problem(inner_domain, problem.equations, kept, problem.unknowns)
    window = shapes_of(inner_domain)[piece][1]
    laws = Laws(inner) if isinstance(inner_domain, Pieces) else None
    statements = statements_of(inner) if laws is None else ()
    equations = laws.equations[piece] if laws is not None else [s for s in statements if s.source is None]
    outer: Any = outside_of(problem, values, window, equations)
    if not isinstance(outer, OutsideLaw) or outer.numbers:
        raise ProblemError("Between open ends one field is solved, without numbers that are to be found.")
    numbers = tuple(values.values())
    squares: tuple[complex, ...] = (outer.wavenumber**2,)
    if laws is not None:
        pairs = zip(laws.equations, shapes_of(inner_domain), strict=True)
        squares = tuple(square_of(mine, outer.fields, shape.interior(3), numbers) for mine, (_, shape) in pairs)
    across = _across(problem, inner, outer, whole, axis, values)
    mirror, apart = 0, _apart(body, whole, axis, closed)
    if closed is not None:
        part = whole.parts[2 * axis + (0 if open_ends[1] else 1)]
        mirror = _sign(_on(inner, part), outer, inner_domain, part, numbers)
        apart = apart and mirror != 0
    seen = max(abs(min(middle)), abs(max(middle))) + SHOWN * width
    shown = reaching(domain, {name: seen})
    stated = Problem(shown, problem.equations, problem.conditions, problem.unknowns)
    return OpenLaw(
        stated, inner, outer, piece, squares, across, axis, open_ends, CLEAR * width, apart, mirror, numbers
    )  # fmt: skip


def _at_rest(problem: Problem, c: Condition, ends: set[str]) -> list[Condition]:
    """A condition without the open ends."""
    if isinstance(c, Far):
        return []
    if c.boundary is None or not ends & set(parts := c.parts(problem)):
        return [c]
    return [c.on_part(part) for part in parts if part not in ends]


def _across(
    problem: Problem, inner: Problem, outer: OutsideLaw, whole: Box, axis: int, values: Mapping[Any, Any]
) -> CrossSection:
    """What holds on the two sides, which the incident wave has to satisfy."""
    other = 1 - axis
    low, width = float(whole.bounds[0, other]), float(np.ptp(whole.bounds[:, other]))
    coordinate = problem.coordinates[other]
    turns = [c.turn[1] for c in problem.conditions if c.turn is not None and c.turn[0] == coordinate]
    periods = [c for c in problem.conditions if c.period == coordinate]
    points = inner.domain.interior(TRIED)
    here, there = points.copy(), points.copy()
    here[:, other], there[:, other] = low, low + width
    slope = (1 - other, other)
    if periods or turns:
        phase = float(turns[0].subs(dict(values))) if turns else 0.0
        for index in ((0, 0), slope):
            a, b = (outer.given.derivative(p, index) for p in (here, there))
            if np.abs(b - np.exp(1j * phase) * a).max() > FITS * max(float(np.abs(a).max()), 1.0):
                raise ProblemError(
                    f"The incident wave {outer.given.expression} does not turn by the phase {phase:.6g} from one side "
                    f"to the other. For a wave exp(i (a {coordinate} + ...)) it is phase=a*{width:g}."
                )
        return CrossSection(low, width, phase)
    signs = []
    for end, at in ((0, here), (1, there)):
        part = whole.parts[2 * other + end]
        sign = _sign(_on(inner, part), outer, inner.domain, part, tuple(values.values()))
        if not sign:
            raise ProblemError(
                f"Waves leave at the open ends of a channel between walls with u = 0 or tn.normal_derivative(u) = 0, "
                f"or of a row of bodies with tn.periodic({coordinate}, phase=...). On '{part}' something else "
                f"is stated."
            )
        left = outer.given.derivative(at, (0, 0) if sign < 0 else slope)
        if np.abs(left).max() > FITS * max(float(np.abs(outer.given.derivative(points, (0, 0))).max()), 1.0):
            raise ProblemError(
                f"The incident wave {outer.given.expression} does not satisfy what holds on the wall '{part}'. Take a "
                f"wave of the channel, such as sin(n pi y / width) exp(i g x) with g**2 = k**2 - (n pi / width)**2."
            )
        signs.append(sign)
    return CrossSection(low, width, None, (signs[0], signs[1]))


def _on(problem: Problem, part: str) -> list[Statement]:
    """The statements on a part of the boundary."""
    laws = Laws(problem) if isinstance(problem.domain, Pieces) else None
    found: list[Statement] = []
    for c in problem.conditions:
        if c.boundary is None or part not in c.parts(problem) or c.where is not None:
            continue
        if laws is not None:
            found += laws.condition(c, problem.domain._kept[part][0][0])  # type: ignore[attr-defined]
        else:
            found += [s for s in statements_of(problem) if s.source is c]
    return found


def _sign(statements: list[Statement], law: OutsideLaw, domain: Domain, part: str, numbers: tuple[Any, ...]) -> int:
    """-1 where a value is given on a part, 1 where a flux is, 0 for anything else."""
    surface = domain.boundary(part, TRIED)
    kinds = set()
    for s in statements:
        terms = zip(s.equation.slots, s.equation.jacobian(surface.points, surface.normals, numbers), strict=True)
        kinds |= {sum(index) for (number, index), c in terms if np.any(c) and number in law.fields}
        zero = [np.zeros(len(surface.points)) for _ in s.equation.slots]
        if np.any(s.equation.residual(surface.points, surface.normals, numbers, zero)):
            kinds.add(-1)
    return -1 if kinds == {0} else 1 if kinds == {1} else 0


def _apart(body: Domain | None, whole: Box, axis: int, closed: float | None) -> bool:
    """Whether bodies touch neither walls nor an end that is closed."""
    if body is None:
        return True
    (low, high), (first, last) = np.asarray(body.bounds), whole.bounds
    other, gap = 1 - axis, BESIDE * float(np.ptp(whole.bounds[:, 1 - axis]))
    inside = low[other] > first[other] + gap and high[other] < last[other] - gap
    return bool(inside and (closed is None or low[axis] > closed + gap or high[axis] < closed - gap))
