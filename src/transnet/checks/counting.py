"""Are there enough conditions? They are counted from the statement of the problem alone.

With d/dx_i replaced by a number s_i the equations become a matrix D(s), and det D, a polynomial in s_i, has the degree
of the whole system in x_i: 2 in t for a wave, 4 in x for Stokes flow (whose five derivatives are not independent). That
many conditions are needed on the two faces across x_i together, whether values, fluxes or periodicity. Of those stated
on a face the independent ones count: u = 0 on t = 0 already says that u_x = 0 there. With fewer the solution is not
unique, or (Laplace's equation with value and flux on one side only) unique but not continuous in the data.

Where the leading coefficient vanishes or changes sign, fewer may be needed (Bessel's equation at the axis, a flow that
leaves on both sides), and then nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import sympy as sp

from transnet.errors import Message, ProblemError, UniquenessWarning
from transnet.problem import Problem
from transnet.remember import Remembered
from transnet.rows.statements import Statement, statements_of

SAMPLE = 40
LARGEST = 5
"""The most unknowns: the determinant is expanded."""
ZERO = 1e-10
"""Relative to the size of the terms of a sum."""

_counted: Remembered[Problem, Message | None] = Remembered()


def missing_conditions(problem: Problem) -> Message | None:
    """Return a message if fewer conditions are stated across a coordinate than the order of the equations in it."""
    return _counted.get(problem, None, lambda: _count(problem))


def _count(problem: Problem) -> Message | None:
    statements = statements_of(problem)
    equations = [s for s in statements if s.kind == "equation"]
    if len(equations) != len(problem.unknowns) or len(equations) > LARGEST:
        return None
    conditions = [s for s in statements if s.kind != "equation"]
    if problem.domain.dimension > 1 and any(c.at_points is not None or not c.in_cells for c in problem.conditions):
        return None  # values inside may make up for missing ones on the boundary
    around = any(
        s.part is not None and s.where is None and problem.domain.resolve(s.part) == problem.domain.parts
        for s in conditions
    )
    for axis, coordinate in enumerate(problem.coordinates):
        if around and _highest(equations, len(problem.unknowns), axis) <= 2:
            continue  # the usual case, without evaluating anything
        faces = problem.domain.ends(axis)
        if not all(faces):
            continue
        try:
            needed = _order(problem, equations, axis, [part for face in faces for part in face])
            stated = _stated(problem, conditions, axis, faces)
        except ProblemError:  # a coefficient without a value on the boundary
            continue
        if stated < needed:
            return _message(problem, coordinate, needed, stated, faces)
    return None if conditions else _none_at_all(problem, equations)


def _none_at_all(problem: Problem, equations: Sequence[Statement]) -> Message | None:
    """A message for equations of second or higher order in every coordinate without any condition, on any domain."""
    try:
        orders = [_order(problem, equations, axis, problem.domain.parts) for axis in range(len(problem.coordinates))]
    except ProblemError:
        return None
    if min(orders, default=0) < 2:
        return None
    subject = "The equation is" if len(problem.unknowns) == 1 else "The equations are together"
    return Message(
        UniquenessWarning,
        f"{subject} of order {max(orders)}, and there are no conditions: the problem is not well posed. State what "
        f"holds on the boundary.",
    )


def _highest(equations: Sequence[Statement], unknowns: int, axis: int) -> int:
    """An upper bound for the order in a coordinate: the highest derivatives of all unknowns together."""
    slots = [slot for s in equations for slot in s.equation.slots]
    return sum(max((index[axis] for k, index in slots if k == unknown), default=0) for unknown in range(unknowns))


def _order(problem: Problem, equations: Sequence[Statement], axis: int, parts: Sequence[str]) -> int:
    """The degree of det D in s_axis, the least over the points; 0 where its leading coefficient changes sign."""
    points = [problem.domain.interior(SAMPLE, "quasi", 0)]
    points += [problem.domain.boundary(part, SAMPLE, "quasi", 0).points for part in parts]
    symbol = _symbol(problem, equations, np.concatenate(points), None, axis)
    count = len(equations)
    total, size = np.zeros((1, 1)), np.zeros((1, 1))
    for order in permutations(range(count)):
        product = np.ones((symbol.shape[0], 1))
        for row, column in enumerate(order):
            product = _times(product, symbol[:, row, column])
        sign = float(np.prod([np.sign(b - a) for a, b in combinations(order, 2)]))
        total, size = total + sign * product, size + np.abs(product)
    there = np.abs(total) > ZERO * np.maximum(size, np.finfo(float).tiny)
    powers = np.arange(total.shape[1])
    degrees = np.max(np.where(there, powers, 0), axis=1)
    leading = total[:, degrees.max()][there[:, degrees.max()]]
    return int(degrees.min()) if len(leading) and np.ptp(np.sign(leading)) == 0 else 0


def _stated(
    problem: Problem, conditions: Sequence[Statement], axis: int, faces: tuple[tuple[str, ...], tuple[str, ...]]
) -> int:
    """How many independent conditions there are on the two faces across an axis."""
    count = 0
    for s in conditions:
        assert s.source is not None
        count += s.source.period == problem.coordinates[axis]
        count += 0 if s.source.at_points is None else len(s.source.at_points)
        count += s.averaged and problem.domain.dimension == 1
    for face in faces:
        here = [s for s in conditions if s.part is not None and set(problem.domain.resolve(s.part)) & set(face)]
        if here:
            surface = problem.domain.boundary(face[0], SAMPLE, "quasi", 0)
            symbol = _symbol(problem, here, surface.points, surface.normals, axis)
            rows = symbol.reshape(len(symbol), len(here), -1)
            # Statements about values elsewhere, such as an integral, are conditions too.
            count += sum(bool(s.equation.places) and all(p is not None for p in s.equation.places) for s in here)
            # Conditions on unknowns in different units are still independent.
            sizes = np.abs(rows).max(axis=2, keepdims=True)
            count += int(np.linalg.matrix_rank(rows / np.where(sizes > 0, sizes, 1.0)).max())
    return count


def _symbol(
    problem: Problem, statements: Sequence[Statement], points: np.ndarray, normals: np.ndarray | None, axis: int
) -> np.ndarray:
    """D(s) at points as polynomials in s_axis: (points, statements, unknowns, powers), the other s_i being numbers."""
    rng = np.random.default_rng(0)
    highest = 1 + max((index[axis] for s in statements for _, index in s.equation.slots), default=0)
    numbers = rng.uniform(0.5, 1.5, points.shape[1]) * rng.choice([-1.0, 1.0], points.shape[1])
    numbers[axis] = 1.0
    parameters = list(rng.uniform(0.5, 1.5, len(problem.parameters)))
    found = np.zeros((len(points), len(statements), len(problem.unknowns), highest))
    for row, s in enumerate(statements):
        # A nonlinear equation is linearised at values of either sign.
        state = None if s.equation.linear else list(rng.standard_normal((len(s.equation.slots), len(points))))
        coefficients = s.equation.jacobian(points, normals, parameters, state)
        places = s.equation.places or (None,) * len(coefficients)
        for (unknown, index), c, place in zip(s.equation.slots, coefficients, places, strict=True):
            if place is not None:
                continue
            found[:, row, unknown, index[axis]] += c * np.prod(numbers ** np.array(index))
    return found


def _times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The products of polynomials, one pair per row."""
    product = np.zeros((len(a), a.shape[1] + b.shape[1] - 1))
    for power in range(b.shape[1]):
        product[:, power : power + a.shape[1]] += a * b[:, power : power + 1]
    return product


def _message(
    problem: Problem, coordinate: sp.Symbol, needed: int, stated: int, faces: tuple[tuple[str, ...], tuple[str, ...]]
) -> Message:
    one = len(problem.unknowns) == 1
    subject = (
        f"The equation is of order {needed} in {coordinate} and needs"
        if one
        else (f"The equations are together of order {needed} in {coordinate} and need")
    )
    start, end = (", ".join(map(repr, face)) for face in faces)
    time = coordinate.name == "t"
    place = f"on {start}" if time else f"on {start} and {end} together"
    have = "there is none" if stated == 0 else "there is only one" if stated == 1 else f"there are only {stated}"
    many = "as many conditions" if needed > 1 else "a condition"
    text = f"{subject} {many} {place}, but {have}: the problem is not well posed."
    if time and one and needed == 2:
        return Message(UniquenessWarning, text, {"rest": {"part": faces[0][0], "unknown": problem.names[0]}})
    return Message(UniquenessWarning, f"{text} Add what is missing there.")
