"""Expressions at points with their errors, which for gradients, fluxes and stresses differ from that of the
solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike

from transnet.arguments import Formula
from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.features.placement import Placement
from transnet.linalg.sizes import rms
from transnet.solution.corners import CLOSE, corners_of
from transnet.solution.expressions import Across, Compiled
from transnet.solution.quantities import expression_of
from transnet.solution.results.functionals import OfValue
from transnet.solution.results.networks import OF_SENSITIVITY, ROUGH, STEEP, chance, changes_of, own_error
from transnet.solution.results.numbers import Number, Numbers
from transnet.tolerances import BESIDE, SAME

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

SAMPLE = 1000
"""Points of the domain at which the relative error of an expression is measured."""
STEEPER = 3.0
"""How much more of the error each order has than of a solution that is steep itself."""
ENDS = 5.0
"""How much more of the error a derivative has at an end of the domain than in its middle, for each order: on squares
the error of the first derivatives was up to 7 times larger in corners, that of the second up to 30."""
FOCUS = 30.0
"""The same in a corner with singular functions: on a square with load one the first derivatives had 7 to 54 times the
error that they have in the middle."""
AROUND, CLOSE_BY = 6, 0.02
"""How many points around one are looked at, and how close they are, in units of the domain's box."""
LEAST = 0.5
"""The error at a point is no smaller than this part of its root mean square: it may vanish there by chance in all of
the networks that are compared."""


@explained
def misfit(self: Solution, expression: Formula, points: ArrayLike, values: ArrayLike) -> Number:
    """The sum of the squared differences of an expression from measured values.

    Parameters
    ----------
    expression : sympy expression
        For example the unknown `u`.
    points : (n, d) array
        Where it was measured, in the domain's order of coordinates.
    values : (n,) array
        What was measured.

    Returns
    -------
    Number
        With its error; `solution.gradient` differentiates it.
    """
    where, measured = np.atleast_2d(np.asarray(points, float)), np.ravel(np.asarray(values, float))
    if where.shape != (len(measured), len(self.problem.coordinates)):
        names = ", ".join(map(str, self.problem.coordinates))
        raise ProblemError(f"{len(measured)} values need as many points ({names}), not an array of {where.shape}.")
    found = numbers_at(self, expression_of(self, expression), where, (len(where),))
    off = found.value - measured
    of = tuple((2 * d, terms[0][1]) for d, terms in zip(off.tolist(), found.of, strict=True))
    return Number(float(off @ off), float(np.sum((2 * np.abs(off) + found.error) * found.error)), of)


@explained
def error_of(self: Solution, expression: Formula) -> float:
    """The estimated relative L2 error of an expression of the unknowns over the domain.

    For the unknown it is that of the solution; derivatives have larger ones.

    Parameters
    ----------
    expression : sympy expression
        For example `sp.diff(u, x)`, or a vector such as `tn.grad(u)`, whose lengths are compared.
    """
    expression = expression_of(self, expression)
    parts = list(expression) if isinstance(expression, sp.MatrixBase) else [expression]
    points, functions = _sample(self), [self.compiled(e) for e in parts]
    compared = [changes_of(self, f, points, None) for f in functions]
    size = float(np.sqrt(sum(float(rms(np.abs(values))) ** 2 for values, _ in compared)))
    if not compared[0][1].shape[1]:
        error = float(np.sqrt(sum(float(rms(_rough(self, f, points, None))) ** 2 for f in functions)))
    else:
        squares = sum(rms(np.abs(changes), axis=0) ** 2 for _, changes in compared)
        error = self.error * float(np.sqrt(np.max(squares)))
    return error / size if size > 0 else float("inf" if error > 0 else 0)


def _sample(solution: Solution) -> np.ndarray:
    return solution.problem.domain.interior(SAMPLE, "quasi", 1)


def numbers_at(solution: Solution, expression: Any, points: np.ndarray, shape: tuple[int, ...]) -> Numbers:
    """An expression at points, as `Solution.evaluate` returns it, with errors."""
    vector = isinstance(expression, sp.MatrixBase)
    parts = list(expression) if vector else [expression]
    values, errors = with_errors(solution, [solution.compiled(e) for e in parts], points)
    full = (*shape, values.shape[1]) if vector else shape
    of = tuple(((1.0, OfValue(e, point)),) for point in points for e in parts)
    return Numbers(values.reshape(full), errors.reshape(full), of)


def with_errors(
    solution: Solution, functions: Sequence[Compiled | Across], points: np.ndarray, normals: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The values of expressions at points (n, d) and their estimated errors, both (n, expressions)."""
    values, errors = [], []
    for function in functions:
        values.append(function(points, normals))
        known = _compared(solution, function, points, normals)
        errors.append(
            _rough(solution, function, _beside_corners(solution, points), normals) if known is None else known
        )
    return np.stack(values, axis=1), np.stack([_no_chance(e, v) for e, v in zip(errors, values, strict=True)], axis=1)


def _compared(
    solution: Solution, function: Compiled | Across, points: np.ndarray, normals: np.ndarray | None
) -> np.ndarray | None:
    """The errors of an expression at points, from other solutions; None if there are none to compare with.

    A single one may agree at a point by chance: then points around it count as well.
    """
    beside = _beside_corners(solution, points)
    with np.errstate(invalid="ignore"):
        _, changes = changes_of(solution, function, beside, normals)
        if not changes.shape[1]:
            return None
        found = np.abs(changes).max(axis=1)
        if changes.shape[1] == 1:
            around, along = _around(solution, beside), normals if normals is None else np.tile(normals, (AROUND, 1))
            nearby = np.abs(changes_of(solution, function, around, along)[1]).reshape(AROUND, -1)
            found = np.maximum(found, chance(solution) * rms(nearby, axis=0))
    return np.asarray(OF_SENSITIVITY * own_error(solution) * found)


def _around(solution: Solution, points: np.ndarray) -> np.ndarray:
    """Points close to each of these, (AROUND n, d); those that would lie outside are the points themselves."""
    domain, rng = solution.problem.domain, np.random.default_rng(0)
    steps = CLOSE_BY * rng.uniform(-1.0, 1.0, (AROUND, 1, points.shape[1])) * np.ptp(domain.bounds, axis=0)
    near = (points + steps).reshape(-1, points.shape[1])
    return np.where(domain.contains(near)[:, None], near, np.tile(points, (AROUND, 1)))


def _beside_corners(solution: Solution, points: np.ndarray) -> np.ndarray:
    """Points with those in the middle of singular functions moved off it, towards the inside.

    In the middle the derivatives of the whole network have a limit; those of its parts, which have other coefficients,
    need not have one. On a square with load one their differences are the same from a hundredth of it to 1e-8.
    """
    beside = points.astype(float)
    size = float(np.ptp(solution.problem.domain.bounds, axis=0).max())
    for focus in corners_of(solution.basis):
        here = np.linalg.norm(points - focus.point, axis=1) < SAME * size
        if here.any():
            inside = _sample(solution)
            away = inside[np.argmin(np.linalg.norm(inside - focus.point, axis=1))] - focus.point
            beside[here] = focus.point + BESIDE * size * away / np.linalg.norm(away)
    return beside


def _towards_ends(solution: Solution, points: np.ndarray) -> np.ndarray:
    """How much more of the error a derivative along each coordinate has at points (n, d) than in the middle.

    Of polynomials it is 1 / sqrt(1 - x^2) between the ends -1 and 1, as Bernstein found, and bounded at these. Singular
    functions let the error vary on the scale of the closest points to their corner.
    """
    low, high = np.asarray(solution.problem.domain.bounds)
    x = np.clip((2.0 * points - low - high) / (high - low), -1.0, 1.0)
    found = 1.0 / np.sqrt(np.maximum(1.0 - x**2, ENDS**-2))
    for focus in corners_of(solution.basis):
        r = np.linalg.norm(points - focus.point, axis=1) / float((high - low).min())
        found = np.maximum(found, FOCUS / (1.0 + r / CLOSE)[:, None])
    return np.asarray(found)


def _no_chance(errors: np.ndarray, values: np.ndarray) -> np.ndarray:
    """No error is small by chance, and a value that is not finite has an infinite one."""
    finite = np.isfinite(values) & np.isfinite(errors)
    typical = float(rms(errors[finite])) if finite.any() else 0.0
    return np.where(finite, np.maximum(errors, LEAST * typical), np.inf)


def _rough(
    solution: Solution, function: Compiled | Across, points: np.ndarray, normals: np.ndarray | None
) -> np.ndarray:
    """The errors without smaller networks, from the derivatives of the expression with respect to its ingredients."""
    if isinstance(function, Across):
        return np.sum([_rough(solution, side, points, normals) for both in function.sides for side in both], axis=0)
    if function.imaginary is not None:
        both = (replace(function, imaginary=None), function.imaginary)
        return np.hypot(*(_rough(solution, part, points, normals) for part in both))
    basis, numbers = solution.basis, tuple(solution.parameters.values())
    scale = Placement.of(solution.problem.domain).scale
    error, inside = own_error(solution), _sample(solution)
    worst = np.zeros(len(points))
    for equation in function.equations:
        slots = basis.derivatives(solution.coefficients, points, equation.slots)
        factors = equation.jacobian(points, normals, numbers, slots)
        total = np.zeros(len(points))
        for (unknown, index), factor, here in zip(equation.slots, factors, slots, strict=True):
            zero = (0,) * len(index)
            plain, steep = basis.derivatives(solution.coefficients, inside, [(unknown, zero), (unknown, index)])
            order = sum(index)
            wide = STEEP**order * float(rms(plain)) / float(np.prod(scale ** np.array(index)))
            steepest = np.maximum(np.abs(here), float(rms(steep)))
            ends = np.prod(_towards_ends(solution, points) ** np.array(index), axis=1)
            total += np.abs(factor) * ROUGH * error * ends * np.maximum(wide, STEEPER**order * steepest)
        worst = np.maximum(worst, total)
    return worst
