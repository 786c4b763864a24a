"""Integrals, means and norms of anything made of a solution, each with an estimate of its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.arguments import Formula, Held
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.problem.complex import real_and_imaginary
from transnet.solution.expressions import compiled_on
from transnet.solution.held import refuse_strange
from transnet.solution.quantities import expression_of
from transnet.solution.results.functionals import OfIntegral
from transnet.solution.results.networks import changes_of, integral_error, rough_error, typical, values_of
from transnet.solution.results.numbers import Number, Numbers, number
from transnet.solution.results.places import LEVELS, place_of, refuse_no_place
from transnet.tolerances import SAME

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

ROUNDING = 1e-15
"""The error of a sum, as a part of the sum of the moduli of its terms."""
FALLING = 0.01
"""How much smaller the error of a rule is taken to be than its change from a coarser one, at most: around holes it was
a thousand times smaller."""
ENOUGH = 0.1
"""A rule is fine enough when its error is this part of that of the network."""


@explained
def integral(self: Solution, expression: Formula | None = None, over: Any = None, **fixed: Held) -> Any:
    """The integral of an expression of the unknowns.

    Parameters
    ----------
    expression : sympy expression or str, optional
        For example `u**2` or `tn.normal_derivative(u)` on a boundary; the unknown itself by default. A vector gives
        one number for each component.
    over : str or coordinates, optional
        A part of the boundary, an interface "a|b" (where values are those of the piece a), or a piece; or some of the
        coordinates, `over=x` or `over=(x, y)`, which gives a function of the others; the whole domain by default.
    fixed
        Coordinates fixed at a value, `t=0.5`, or at several values, which gives as many numbers.

    Returns
    -------
    Number, Numbers or Reduced
        A float with its `error`; several of them; or a function of the remaining coordinates.

    Examples
    --------
    >>> solution.integral(u)  # doctest: +SKIP
    0.07028850749 ± 3e-12
    """
    part, rest = _over(self, over)
    if rest:
        return PartialIntegral(self, expression, tuple(n for n in rest if n not in fixed), dict(fixed))
    return _numbers(self, _components(self, expression), part, fixed)


@explained
def mean(self: Solution, expression: Formula | None = None, over: Any = None, **fixed: Held) -> Any:
    """The mean value of an expression over the domain, a part of its boundary or some of the coordinates.

    The same arguments as for `integral`.
    """
    part, rest = _over(self, over)
    if rest:
        return PartialIntegral(self, expression, tuple(n for n in rest if n not in fixed), dict(fixed), mean=True)
    return _numbers(self, _components(self, expression), part, fixed, mean=True)


@explained
def norm(self: Solution, expression: Formula | None = None, over: Any = None, **fixed: Held) -> Number:
    """The L2 norm of an expression: the root of the integral of its square; for a vector, of the square of its
    length."""
    part, rest = _over(self, over)
    if rest:
        raise ProblemError("A norm is one number: fix the other coordinates instead, as in norm(u, t=0.5).")
    squared = sp.Add(*(_square(e) for e in _components(self, expression)[0]))
    found = _numbers(self, ([squared], False), part, fixed)
    if isinstance(found, Numbers):
        raise ProblemError("A norm is one number: fix each coordinate at one value.")
    size = float(np.sqrt(max(found, 0.0)))
    # d sqrt(v) = dv / (2 sqrt(v)) is useless if v is not larger than its error.
    error = min(found.error / (2 * size) if size > 0 else np.inf, float(np.sqrt(found.error)))
    return Number(size, error, tuple((factor / (2 * size), what) for factor, what in found.of) if size > 0 else ())


@dataclass(frozen=True, eq=False)
class PartialIntegral:
    """The integral over some of the coordinates, as a function of the others: call it on them.

    `reduced(t)` gives values for numbers or arrays, `reduced.numbers(t)` the same with errors, and `reduced.plot()`
    draws it if one coordinate remains.
    """

    solution: Solution
    expression: Any
    coordinates: tuple[str, ...]
    fixed: dict[str, Any]
    mean: bool = False

    def __call__(self, *values: Any, **by_name: Any) -> Any:
        found = self.numbers(*values, **by_name)
        return found.value

    def numbers(self, *values: Any, **by_name: Any) -> Any:
        """The values with their errors."""
        given = dict(zip(self.coordinates, values, strict=False)) | by_name
        if len(values) > len(self.coordinates) or set(given) != set(self.coordinates):
            raise ProblemError(f"What is left is a function of {', '.join(self.coordinates)}: give a value of each.")
        return _numbers(
            self.solution, _components(self.solution, self.expression), None, {**self.fixed, **given}, mean=self.mean
        )

    def plot(self, points: int = 101) -> Any:
        """Draw it over the one remaining coordinate."""
        from transnet.solution.results.cuts import line_picture

        if len(self.coordinates) != 1:
            raise ProblemError(f"A function of {', '.join(self.coordinates)} is not one line: fix all but one.")
        axis = [c.name for c in self.solution.problem.coordinates].index(self.coordinates[0])
        low, high = self.solution.problem.domain.bounds[:, axis]
        inset = SAME * (high - low)  # the very end of a round domain is a point
        x = np.linspace(low + inset, high - inset, points)
        return line_picture(x, self(x), self.coordinates[0], "mean" if self.mean else "integral")

    def __repr__(self) -> str:
        what = "mean" if self.mean else "integral"
        return f"The {what} as a function of {', '.join(self.coordinates)}: call it on values, or plot() it"


def over_part(solution: Solution, expression: Any, part: str, fixed: Mapping[str, Any]) -> Any:
    """The integral of an expression, or of those of a list, over a part of the boundary or an interface."""
    domain = solution.problem.domain
    if isinstance(domain, Pieces) and isinstance(part, str) and domain.inside_named(part) is not None:
        k = domain.piece_names.index(part)
        rims = [f"{part}|{domain.piece_names[i + j - k]}" for i, j in domain.interfaces if k in (i, j)]
        hint = f" Its interfaces are {', '.join(map(repr, rims))}." if rims else ""
        raise ProblemError(f"'{part}' is a piece, not a part of the boundary.{hint}")
    domain.resolve(part)
    return _numbers(solution, _components(solution, expression), part, fixed)


# -- how ---------------------------------------------------------------------------------------------------------------
def _over(solution: Solution, over: Any) -> tuple[str | None, list[str]]:
    """The part of the boundary that is meant, and the coordinates that remain as arguments."""
    if over is None or isinstance(over, str):
        names = [c.name for c in solution.problem.coordinates]
        if isinstance(over, str) and over in names and over not in solution.problem.domain.parts:
            over = sp.Symbol(over)
        else:
            if over is not None:
                refuse_no_place(solution.problem.domain, over)
            return over, []
    chosen = list(over) if isinstance(over, list | tuple | set) else [over]
    names = [c.name for c in solution.problem.coordinates]
    for c in chosen:
        if not isinstance(c, str | sp.Symbol) or str(c) not in names:
            raise ProblemError(
                f"over={shown(over)}: {shown(c)} is not a coordinate. Give a part of the boundary by name, or some of "
                f"{', '.join(names)}."
            )
    return None, [n for n in names if n not in {str(c) for c in chosen}]


def _square(expression: sp.Expr) -> sp.Expr:
    """The square of the size of an expression."""
    if not expression.has(sp.I):
        return expression**2
    real, imaginary = real_and_imaginary(expression)
    return real**2 + imaginary**2


def _components(solution: Solution, expression: Any) -> tuple[list[sp.Expr], bool]:
    """The expressions to integrate, and whether they are those of a vector."""
    if expression is None:
        if len(solution.fields) > 1:
            raise ProblemError(f"Say of what: {', '.join(map(repr, solution.fields))}, or an expression of them.")
        expression = solution.fields[0]
    if isinstance(expression, Sequence) and not isinstance(expression, str):
        return [expression_of(solution, e) for e in expression], True
    made = expression_of(solution, expression)
    return (list(made), True) if isinstance(made, sp.MatrixBase) else ([made], False)


def _numbers(
    solution: Solution,
    components: tuple[list[sp.Expr], bool],
    part: str | None,
    fixed: Mapping[str, Any],
    mean: bool = False,
) -> Any:
    expressions, vector = components
    names = [c.name for c in solution.problem.coordinates]
    refuse_strange(names, fixed)
    several = [n for n, v in fixed.items() if np.ndim(v) > 0]
    if several:
        if vector:
            raise ProblemError("Integrals of vectors are taken at one moment at a time.")
        shapes = {np.shape(v) for v in fixed.values()} - {()}
        if len(shapes) > 1 or 0 in np.ravel(list(shapes)):
            raise ProblemError(f"{', '.join(several)} are fixed at different numbers of values: give as many of each.")
        arrays = np.broadcast_arrays(*(np.asarray(v, float) for v in fixed.values()))
        found = [
            integrated(solution, expressions, part, dict(zip(fixed, row, strict=True)), mean)[0]
            for row in np.stack([a.ravel() for a in arrays], axis=-1)
        ]
        return together(found)
    values = integrated(solution, expressions, part, fixed, mean)
    return together(values) if vector else values[0]


def together(found: Sequence[Any]) -> Numbers:
    """Several numbers as one array."""
    of = tuple(getattr(f, "of", ()) for f in found)
    return Numbers(np.array([f.value for f in found]), np.array([f.error for f in found]), of if all(of) else ())


def integrated(
    solution: Solution, expressions: Sequence[sp.Expr], part: str | None, fixed: Mapping[str, float], mean: bool = False
) -> list[Any]:
    """The integrals of expressions over a place, with rules that are refined until the network limits the accuracy."""
    place = place_of(solution, part, fixed)
    functions = [compiled_on(solution, e, part) for e in expressions]

    def at(level: int) -> tuple[np.ndarray, float]:
        """The integral of each expression, and the size of the terms of the sums."""
        points, normals, weights = place.rule(level)
        values = [values_of(solution, f, points, normals) for f in functions]
        size = max(float(np.abs(weights) @ np.abs(v)) for v in values)
        return np.array([weights @ v for v in values]), size

    points, normals, weights = place.rule(0)
    found, network = [], []
    for f in functions:
        values, changes = changes_of(solution, f, points, normals)
        found.append(weights @ values)
        if changes.shape[1]:
            network.append(integral_error(solution, changes, weights))
        else:
            size = max(float(np.abs(weights) @ np.abs(values)), place.measure * typical(solution, f))
            network.append(rough_error(solution, size, f.order))
    whole, before = np.array(found), np.full(len(found), np.inf)
    for level in range(1, LEVELS):
        finer, size = at(level)
        change, whole = np.abs(finer - whole), finer
        # The change is the error of the coarser rule; how much smaller that of the finer is shows from the third on.
        rule = change * np.clip(change / np.maximum(before, 1e-300), FALLING, 1.0)
        before = change
        if np.all(rule <= np.maximum(ENOUGH * np.array(network), ROUNDING * size)):
            break
    error = np.array(network) + rule + ROUNDING * size
    share = place.measure if mean else 1.0
    held, size_of = dict(fixed), OfIntegral(sp.Integer(1), part, dict(fixed))
    return [
        number(
            v / share,
            float(e) / share,
            ((1 / share, OfIntegral(f, part, held)), *([(-float(np.real(v)) / share**2, size_of)] if mean else [])),
        )
        for f, v, e in zip(expressions, whole, error, strict=True)
    ]
