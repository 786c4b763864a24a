"""Derivatives with respect to functions: a source, a coefficient, boundary or start values, the normal speed of a part.

J'(f) delta = integral of g delta over the place of f. The function varies along polynomials phi_i of its place, each
with a factor that is a parameter like any other, so that J'(phi_i) comes from the tangents that share one
factorisation; g = sum_i c_i phi_i has the same integrals with all phi_j.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Box
from transnet.geometry.product import Product
from transnet.gradient.directions import Directions
from transnet.gradient.variation import Variation
from transnet.problem import Problem, expressions_of, given
from transnet.problem.by_piece import Inside
from transnet.rows.averages import averaging_rule
from transnet.sections.surface import surface_rule
from transnet.solution.results.places import INSIDE, NODES_AROUND, OTHERWISE
from transnet.solution.solution import Solution
from transnet.tolerances import SAME


@dataclass(frozen=True, eq=False)
class Varied:
    """A solution of a problem in which a function varies along directions, and the place of that function."""

    solution: Solution
    variations: list[Variation]
    directions: Directions
    nodes: np.ndarray
    weights: np.ndarray
    put: Callable[[Any], Any] = field(default=lambda expression: expression)


def is_field(item: Any) -> bool:
    """Whether a derivative is asked for with respect to a function that `tn.given` made."""
    return hasattr(type(item), "implementation") and isinstance(item, sp.Function)


def varied_fields(solution: Solution, field: Any) -> Varied:
    """A given function varies along polynomials of its place."""
    nodes, weights, around = _place(solution, field)
    problem = solution.problem
    own = [problem.coordinates.index(c) for c in field.args]
    directions = Directions.of(nodes, around)
    names = [f"{type(field).__name__}_along_{k:04d}" for k in range(len(directions.exponents))]
    symbols = [sp.Symbol(name) for name in names]
    more = sum(
        s * _polynomial(n, k, directions, own, field.args) for k, (n, s) in enumerate(zip(names, symbols, strict=True))
    )
    mapping = _with_derivatives(field, more)

    def put(expression: Any) -> Any:
        if isinstance(expression, Inside):
            return replace(expression, equation=put(expression.equation))
        found = [e.xreplace(mapping) for e in expressions_of(expression)]
        return found[0] if len(found) == 1 else sp.Matrix(found)

    varied = Problem(
        problem.domain, [put(e) for e in problem.equations], [c.of(put) for c in problem.conditions], problem.unknowns
    )
    values = {**solution.parameters, **dict.fromkeys(symbols, 0.0)}
    made = replace(solution, problem=varied, parameters={p: values[p] for p in varied.parameters}, origin=None)
    return Varied(made, [Variation(made, s) for s in symbols], directions, nodes, weights, put)


def _with_derivatives(field: Any, more: sp.Expr) -> dict[sp.Expr, sp.Expr]:
    """The function, and those of its derivatives that were asked for, each with what is added to it."""
    found = {field: field + more}
    for index, kind in type(field).made.items():
        found |= _with_derivatives(kind(*field.args), sp.diff(more, field.args[index]))
    return found


def _polynomial(name: str, k: int, directions: Directions, own: Sequence[int], coordinates: Any) -> sp.Expr:
    """One of the directions as a given function of the coordinates of the field."""

    exponents = dict(zip(directions.axes, directions.exponents[k], strict=True))

    def values(*arrays: np.ndarray, slope: int | None = None) -> np.ndarray:
        total = np.ones(np.broadcast_shapes(*(np.shape(a) for a in arrays)))
        for axis, array in zip(own, arrays, strict=True):
            if axis in exponents:
                total = total * directions.along(axis, exponents[axis], np.asarray(array, float), axis == slope)
        return total if slope is None or slope in exponents else np.zeros_like(total)

    slopes = {
        c: lambda *arrays, axis=axis: values(*arrays, slope=axis) for c, axis in zip(coordinates, own, strict=True)
    }
    return given(f"{name}_shape", values, *coordinates, derivatives=slopes)


def _place(solution: Solution, field: Any) -> tuple[np.ndarray, np.ndarray, bool]:
    """Nodes and weights of the place of a function, and whether that is on the boundary instead of the domain."""
    problem = solution.problem
    domain = problem.domain
    family = set(_with_derivatives(field, sp.Integer(0)))
    inside = [e for equation in problem.equations for e in expressions_of(equation) if e.atoms(sp.Function) & family]
    parts = [
        part
        for c in problem.conditions
        if any(e.atoms(sp.Function) & family for e in c.expressions())
        for part in c.parts(problem)
    ]
    if bool(inside) == bool(parts):
        where = "in equations and in conditions" if parts else "in no equation and in no condition on the boundary"
        raise ProblemError(
            f"{field} stands {where}, so its derivative is not a function of one place. Name it differently in each."
        )
    if inside:
        nodes, weights = averaging_rule(domain, INSIDE.get(domain.dimension, OTHERWISE)[0], [], 1.0)
    else:
        rules = [surface_rule(domain, part, NODES_AROUND[0]) for part in dict.fromkeys(parts)]
        nodes, weights = (np.concatenate([r[k] for r in rules]) for k in (0, 2))
    own = [problem.coordinates.index(c) for c in field.args]
    extent = np.ptp(nodes, axis=0)
    others = [k for k in range(nodes.shape[1]) if k not in own and extent[k] > SAME * extent.max()]
    if others:
        if not isinstance(domain, Box | Product):
            raise ProblemError(f"{field} has fewer coordinates than {domain}, which is no product of its coordinates.")
        weights = weights / np.prod(np.ptp(np.asarray(domain.bounds, float), axis=0)[others])
    kept = nodes.copy()
    kept[:, [k for k in range(nodes.shape[1]) if k not in own]] = 0.0
    return kept, weights, not inside
