"""Coefficients that depend on parameters, separated: c_j(y, p) = sum_k theta_k(p) c_jk(y).

If an operator is affine in its parameters, or in functions of them such as k^2, the rows for any parameters are a sum
of matrices that are assembled once: A(p) = sum_k theta_k(p) A_k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.problem import NormalComponent
from transnet.rows.compile import array_function
from transnet.rows.equation import Equation

MOST = 6
"""More parts than this are not kept: assembling the rows again is cheaper."""


@dataclass(frozen=True, eq=False)
class Separated:
    """theta_k as functions of the parameters, and the coefficients of each part as functions of the points."""

    factors: Callable[..., Sequence[float]]
    parts: tuple[Callable[..., Sequence[Any]], ...]
    made_of: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return separate, self.made_of  # compiled functions cannot be pickled

    def thetas(self, parameters: Sequence[Any]) -> np.ndarray:
        """theta_k(p) for each part."""
        return np.array([float(v) for v in self.factors(*parameters)])

    def coefficients(self, part: int, points: np.ndarray, normals: np.ndarray | None) -> list[np.ndarray]:
        """c_jk at points, one entry per slot: of shape () or (n,)."""
        columns = list(points.T)
        along = [0.0] * len(columns) if normals is None else list(normals.T)
        return [np.asarray(c, dtype=float) for c in self.parts[part](*columns, *along)]


def operator_parameters(equation: Equation, parameters: Sequence[sp.Symbol]) -> set[sp.Symbol]:
    """The parameters in the coefficients of the unknowns, not only on the right-hand side."""
    free = set().union(*(c.free_symbols for c in equation.coefficients_symbolic))
    return free & set(parameters)


def separate(equation: Equation, coordinates: Sequence[sp.Symbol], parameters: Sequence[sp.Symbol]) -> Separated | None:
    """Separate the coefficients of a linear equation; None if that is impossible or gives too many parts."""
    spatial = {*coordinates, *(NormalComponent(c) for c in coordinates)}
    by_factor: dict[sp.Expr, list[sp.Expr]] = {}
    for slot, coefficient in enumerate(equation.coefficients_symbolic):
        for term in sp.Add.make_args(sp.expand(coefficient)):
            theta, place = term.as_independent(*spatial, as_Add=False)
            if place.free_symbols & set(parameters):
                return None
            number, theta = theta.as_coeff_Mul()
            row = by_factor.setdefault(theta, [sp.Integer(0)] * len(equation.slots))
            row[slot] += number * place
    if len(by_factor) > MOST:
        return None
    factors = sp.lambdify(list(parameters), list(by_factor), modules=["scipy", "numpy"])
    parts = tuple(array_function(row, coordinates, (), (), ()) for row in by_factor.values())
    return Separated(factors, parts, (equation, coordinates, parameters))
