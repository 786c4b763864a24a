"""Conditions: what holds besides the equations, and where.

Each is a small value. `on` a part of the boundary, `at` given points, measured `data`, a `mean` value, `periodic` in
a coordinate. Every one takes a `weight` that replaces the automatic one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from numbers import Real
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from transnet.arrays import constant
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.bloch import Bloch
from transnet.problem.equations import refuse_truth
from transnet.problem.inequality import Unilateral, is_inequality, unilateral
from transnet.problem.kinds import At, Data, On
from transnet.problem.tables import columns_of, is_frame, unmasked
from transnet.problem.whole import Mean, Periodic

HEAVIEST = 1e100
"""Weights above this overflow when they are squared."""


def _weight(weight: float | None) -> float | None:
    number = weight is None or (
        isinstance(weight, Real) and bool(weight > 0) and float(min(weight, 2 * HEAVIEST)) <= HEAVIEST
    )
    if not number:
        raise ProblemError(
            f"A weight must be a positive number, not {shown(weight)}. Leave it out for the automatic one."
        )
    return None if weight is None else float(weight)


@explained
def on(part: str, *equations: Any, where: Any = None, weight: float | None = None) -> On | Unilateral:
    """Equations on a part of the boundary.

    Parameters
    ----------
    part : str
        A name of `domain.parts`, or "boundary" for all of it.
    equations : sympy.Eq or expression
        What holds there; an expression on its own is set to zero. Initial values and initial derivatives are two
        equations on the part "t=0". An inequality such as `u >= 0` holds as an equation where there is contact, and
        elsewhere nothing flows (Signorini); a second one states the force of the contact where it is not the natural
        flux of the equation: `tn.on("floor", v >= 0, sigma_yy <= 0)`.
    where : sympy condition, optional
        Restricts the part, as in `where=x > 0`.
    weight : float, optional
        The weight of these rows relative to the equations; the default is automatic.
    """
    if not isinstance(part, str):
        raise ProblemError(f"The first argument of tn.on is the name of a boundary part, not {shown(part)}.")
    if not equations:
        raise ProblemError(f"tn.on('{part}') has no equation. Write tn.on('{part}', sympy.Eq(u, 0)).")
    condition = sp.true if where is True else where
    if condition is not None and not isinstance(condition, Boolean):
        raise ProblemError(
            f"where={shown(where)} is not a condition on the coordinates. Write one such as where=x > 0."
        )
    if condition is not None and condition.atoms(AppliedUndef):
        raise ProblemError(f"where={shown(where)} has an unknown in it. It chooses points by their coordinates alone.")
    for equation in equations:
        refuse_truth(equation)
        if isinstance(equation, str):
            raise ProblemError(
                f"tn.on takes the name of one part, and {shown(equation)} is not an equation. State the condition once "
                f"for each part, or for a group such as 'boundary'."
            )
        if isinstance(equation, int | float):
            raise ProblemError(
                f"tn.on('{part}', {shown(equation)}) does not say what has this value: sympy.Eq(u, {equation})."
            )
    if any(map(is_inequality, equations)):
        if weight is not None or not all(map(is_inequality, equations)):
            raise ProblemError(
                f"tn.on('{part}') has an inequality beside an equation or a weight. State what holds as an equation in "
                f"a condition of its own."
            )
        return unilateral(part, equations, condition)
    return On(part, tuple(equations), condition, _weight(weight))


def _points(points: Any, what: str, expressions: Sequence[Any]) -> tuple[np.ndarray, tuple[str, ...] | None]:
    """A copy of the points as an array, and the names of its columns if it comes from a data frame."""
    names = None
    if is_frame(points):
        unknowns = [u for e in expressions for u in getattr(e, "atoms", lambda *_: set())(AppliedUndef)]
        names = tuple(dict.fromkeys(str(c) for u in unknowns for c in u.args))
        points = columns_of(points, names, what)
    try:
        array = np.atleast_2d(np.array(unmasked(points, what), dtype=float))
    except (TypeError, ValueError, OverflowError) as error:
        raise ProblemError(f"{what} needs points as an array of numbers of shape (n, d): {error}.") from None
    if array.ndim != 2 or array.size == 0:
        raise ProblemError(f"{what} needs points of shape (n, d), one row for each point, not {np.shape(points)}.")
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise ProblemError(f"{what} has a point that is not finite: row {row} is {array[row]}. Remove or correct it.")
    return constant(array), names


def _one_column(points: Any, count: int) -> bool:
    """Whether points are so many plain numbers: those of one coordinate."""
    try:
        listed = not isinstance(points, Mapping | Set | str | bytes) and len(points) == count
        return listed and np.ndim(next(iter(points), [0])) == 0
    except (TypeError, ValueError):
        return False


@explained
def at(points: Any, *equations: Any, weight: float | None = None) -> At:
    """Equations at given points, `(n, d)` in the domain's order of coordinates: `tn.at([(0, 0)], sp.Eq(u, 1))`."""
    if not equations:
        raise ProblemError("tn.at has no equation. Write tn.at(points, sympy.Eq(u, 0)).")
    for equation in equations:
        refuse_truth(equation)
    where, names = _points(points, "tn.at", equations)
    return At(where, tuple(equations), _weight(weight), names)


@explained
def data(
    expression: sp.Expr, points: Any, values: Any, weight: float | None = None, noise: float | None = None
) -> Data:
    """Measured values of an unknown or of any expression of the unknowns (the paper's remark on extra data).

    Parameters
    ----------
    expression : sympy expression
        What was measured, `u` or for example `sp.diff(u, x)`.
    points : (n, d) array or data frame
        Where, in the domain's order of coordinates; from a data frame, the columns named like the coordinates. Copied.
    values : (n,) array
        What it was there, complex for a complex unknown. Copied.
    weight : float, optional
        How far to trust the data relative to the equations (1).
    noise : float, optional
        The standard deviation of the errors of the values, in their own units. The equations are then taken as exact
        and the data as no better than this, unknown coefficients are as smooth as the data allow, and the report has
        standard errors.
    """
    try:
        measured = np.array(unmasked(values, "tn.data"))
        measured = measured.astype(complex if np.iscomplexobj(measured) else float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProblemError(f"tn.data needs values as an array of numbers of shape (n,): {error}.") from None
    if measured.ndim == 2 and 1 in measured.shape:
        measured = measured.ravel()
    if not is_frame(points):
        points = unmasked(points, "tn.data")
        if _one_column(points, measured.size):
            points = np.asarray(points)[:, None]  # one coordinate
    measured_of = formula_of(expression, "What tn.data measures", ProblemError)
    at_points, names = _points(points, "tn.data", [measured_of])
    if measured.shape != (len(at_points),):
        raise ProblemError(
            f"tn.data got {len(at_points)} points but values of shape {np.shape(values)}. Give one for each point."
        )
    if not np.isfinite(measured).all():
        row = int(np.flatnonzero(~np.isfinite(measured))[0])
        raise ProblemError(f"tn.data has a value that is not finite: number {row} is {measured[row]}. Remove it.")
    if noise is not None and not (isinstance(noise, Real) and 0 < noise < HEAVIEST):
        raise ProblemError(
            f"noise is the standard deviation of the measured values, a positive number, not {shown(noise)}. Leave it "
            f"out where they are exact."
        )
    if np.iscomplexobj(measured) and not measured_of.has(sp.I):
        raise ProblemError(
            f"tn.data has complex values for {shown(measured_of)}, which is real. Make the unknown complex, "
            f"tn.unknown('u', x, complex=True), or give real values."
        )
    level = None if noise is None else float(noise)
    return Data(measured_of, at_points, constant(measured, measured.dtype), _weight(weight), names, level)


@explained
def mean(expression: sp.Expr, value: Any = 0, weight: float | None = None) -> Mean:
    """The mean of an expression over the domain, which fixes the level of a pressure or of a pure Neumann problem.

    `tn.mean(p)` states that it is zero, `tn.mean(p, 2)` or `tn.mean(sp.Eq(p, 2))` that it is 2.
    """
    if isinstance(expression, sp.Equality):
        expression, value = expression.lhs, expression.rhs
    expression = formula_of(expression, "What tn.mean takes the mean of", ProblemError)
    formula_of(value, "The value of tn.mean", ProblemError)
    return Mean(expression, value, _weight(weight))


@explained
def periodic(
    coordinate: sp.Symbol, *unknowns: sp.Expr | Sequence[sp.Expr], phase: Any = None, weight: float | None = None
) -> Periodic | Bloch:
    """Periodicity in a coordinate: of the values, and of as many derivatives as the equations' order needs.

    Parameters
    ----------
    coordinate : sympy.Symbol
        The direction; the domain's two faces across it are identified.
    unknowns : optional
        Which unknowns, including complex ones and vectors; all of them by default.
    phase : number or expression, optional
        For complex unknowns, the angle q by which they turn across the domain: u at the upper face is exp(i q) times u
        at the lower one, as for Bloch waves; q = k L for the wave number k and the period L.
    """
    if not isinstance(coordinate, sp.Symbol):
        raise ProblemError(f"tn.periodic takes a coordinate, a SymPy symbol, not {shown(coordinate)}.")
    parts = [p for u in unknowns for p in (u if isinstance(u, sp.MatrixBase | list | tuple) else (u,))]
    functions = [f for p in parts for f in (sorted(p.atoms(AppliedUndef), key=str) if isinstance(p, sp.Add) else (p,))]
    if phase is None:
        return Periodic(coordinate, tuple(functions), _weight(weight))
    turn = formula_of(phase, "The phase of tn.periodic", ProblemError)
    if turn.has(sp.I):
        raise ProblemError(
            f"The phase of tn.periodic is a real angle q: u turns by exp(i q). {shown(phase)} is complex."
        )
    return Bloch(coordinate, turn, tuple(functions), _weight(weight))
