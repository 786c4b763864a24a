"""The solution: a function that knows its derivatives, its residuals and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.discretise.assembly import Layout, derivatives, residual_of
from transnet.discretise.collocation import Block, collocate
from transnet.discretise.compile import compile_equation
from transnet.discretise.statements import statements_of
from transnet.errors import ProblemError
from transnet.problem import NormalComponent, Problem
from transnet.solution.diagnostics import Diagnostics, Status
from transnet.solution.report import report


@dataclass(frozen=True, eq=False)
class Solution:
    """u(y) = sum_m alpha_m s(w_m.y + b_m) + alpha_0 for each unknown.

    Call it on an `(n, d)` array of points, or on coordinates by name, which are broadcast: `solution(x=0.5, y=grid)`.
    With several unknowns the result has a last axis in the order of `solution.names`; `solution["p"]` is one of them.

    Parameters
    ----------
    problem : Problem
        What it solves.
    layout : Layout
        The feature spaces and the placement of the domain.
    coefficients : (columns,) array
        The output weights, in the order of the layout.
    parameters : dict
        The values of the problem's parameters.
    diagnostics : Diagnostics
        What is known about the solve.
    history : tuple
        The networks that a tolerance-driven solve tried, the last ones not always the best.
    """

    problem: Problem
    layout: Layout
    coefficients: np.ndarray
    parameters: dict[sp.Symbol, Any]
    diagnostics: Diagnostics
    blocks: tuple[Block, ...] = ()
    history: tuple[Any, ...] = ()

    # -- values ------------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return self.problem.names

    def __call__(self, points: Any = None, **coordinates: Any) -> np.ndarray:
        if len(self.names) == 1:
            return self[self.names[0]](points, **coordinates)
        return np.stack([self[name](points, **coordinates) for name in self.names], axis=-1)

    def __getitem__(self, name: str) -> Field:
        key = name if isinstance(name, str) else getattr(getattr(name, "func", None), "__name__", name)
        if key not in self.names:
            raise KeyError(f"There is no unknown '{key}'. The solution has: {', '.join(self.names)}.")
        return Field(self, self.problem.unknowns[self.names.index(key)])

    def evaluate(self, expression: Any, points: Any = None, **coordinates: Any) -> np.ndarray:
        """Any SymPy expression of the unknowns, their derivatives and the coordinates.

        Parameters
        ----------
        expression : sympy expression
            For example `sp.diff(u, x)**2`.
        points : (n, d) array, optional
            Where, in the domain's order of coordinates; or give the coordinates by name. By default the interior
            collocation points, `solution.points`.
        """
        where, shape = self._points(points, coordinates)
        expression = sp.sympify(expression)
        if isinstance(expression, sp.MatrixBase):
            return np.stack([self.evaluate(e, where).reshape(shape) for e in expression], axis=-1)
        normals = sorted(str(s) for s in expression.free_symbols if isinstance(s, NormalComponent))
        if normals:
            raise ProblemError(f"{expression} uses the normal ({', '.join(normals)}), which points do not have.")
        extra = sorted(str(s) for s in expression.free_symbols - {*self.problem.coordinates, *self.parameters})
        if extra:
            raise ProblemError(f"{expression} contains {', '.join(extra)}, which has no value in this problem.")
        compiled = compile_equation(
            expression, self.problem.unknowns, self.problem.coordinates, tuple(self.parameters), str(expression)
        )
        slots = derivatives(self.layout, self.coefficients, where, compiled.slots)
        return compiled.residual(where, None, tuple(self.parameters.values()), slots).reshape(shape)

    @property
    def points(self) -> np.ndarray:
        """The interior collocation points, (n, d)."""
        return self.blocks[0].points if self.blocks else self.problem.domain.interior(1000)

    def residuals(self, seed: int = 1) -> dict[str, np.ndarray]:
        """The residual of each statement, by its label, on points that were not fitted."""
        values = tuple(self.parameters.values())
        blocks = collocate(self.problem, statements_of(self.problem), self.layout.columns, None, seed + 7919)
        found: dict[str, np.ndarray] = {}
        for block in blocks:
            label, number = block.statement.label, 2
            while label in found:  # the same statement may be made twice
                label, number = f"{block.statement.label} ({number})", number + 1
            found[label] = residual_of(block, self.layout, self.coefficients, values)
        return found

    # -- what is known of it -----------------------------------------------------------------------------------------
    @property
    def neurons(self) -> int:
        """The number of neurons of the largest space."""
        return max(s.neurons for s in self.layout.spaces)

    @property
    def rank(self) -> int:
        """The numerical rank of the least-squares problem."""
        return self.diagnostics.rank

    def with_history(self, steps: tuple[Any, ...]) -> Solution:
        """The same solution with the networks that led to it, as a tolerance-driven solve tried them."""
        return replace(self, history=steps)

    @property
    def error(self) -> float:
        """The estimated relative L2 error."""
        return self.diagnostics.error

    @property
    def status(self) -> Status:
        """How the solve ended: "solved", or for an iteration "converged", "stalled" and so on."""
        return self.diagnostics.status

    def report(self) -> str:
        """Rank, residual of each block, estimated error, where the time went."""
        return report(self)

    def __repr__(self) -> str:
        return (
            f"Solution of {', '.join(map(str, self.problem.unknowns))} with {self.neurons} neurons, "
            f"estimated relative error {self.error:.1e}"
        )

    # -- how ---------------------------------------------------------------------------------------------------------
    def _points(self, points: Any, coordinates: dict[str, Any]) -> tuple[np.ndarray, tuple[int, ...]]:
        symbols = self.problem.coordinates
        if coordinates:
            if points is not None:
                raise ProblemError("Give either an array of points or coordinates by name, not both.")
            return _by_name(coordinates, [s.name for s in symbols])
        if points is None:
            return self.points, (len(self.points),)
        array = _numbers(points, "Points")
        if len(symbols) == 1 and array.ndim < 2:
            array = array[..., None]  # one coordinate needs no column of its own
        if array.ndim == 0 or array.shape[-1] != len(symbols):
            raise ProblemError(
                f"Points must have shape (n, {len(symbols)}), one column for each of "
                f"{', '.join(s.name for s in symbols)}, not {array.shape}. Coordinates by name are broadcast: "
                f"solution({', '.join(f'{s.name}=...' for s in symbols)})."
            )
        return array.reshape(-1, len(symbols)), array.shape[:-1]


def _by_name(coordinates: dict[str, Any], names: Sequence[str]) -> tuple[np.ndarray, tuple[int, ...]]:
    missing = [n for n in names if n not in coordinates]
    unknown = [n for n in coordinates if n not in names]
    if missing or unknown:
        raise ProblemError(
            f"The solution depends on {', '.join(names)}; "
            + "; ".join(
                [f"missing: {', '.join(missing)}"] * bool(missing) + [f"unknown: {', '.join(unknown)}"] * bool(unknown)
            )
            + "."
        )
    values = [_numbers(coordinates[n], f"The coordinate {n}") for n in names]
    try:
        arrays = np.broadcast_arrays(*values)
    except ValueError:
        shapes = ", ".join(f"{n} {v.shape}" for n, v in zip(names, values, strict=True))
        raise ProblemError(f"The coordinates have shapes that do not fit together: {shapes}.") from None
    return np.column_stack([a.ravel() for a in arrays]), arrays[0].shape


def _numbers(values: Any, what: str) -> np.ndarray:
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ProblemError(f"{what} must be an array of numbers, not {values!r}.") from None
    if not np.isfinite(array).all():
        raise ProblemError(f"{what} must be finite, but some are NaN or infinite.")
    return array


@dataclass(frozen=True, eq=False)
class Field:
    """One unknown of a solution: callable like the solution itself."""

    solution: Solution
    unknown: sp.Expr

    def __call__(self, points: Any = None, **coordinates: Any) -> np.ndarray:
        where, shape = self.solution._points(points, coordinates)
        number = self.solution.problem.unknowns.index(self.unknown)
        zero = (0,) * len(self.solution.problem.coordinates)
        return derivatives(self.solution.layout, self.solution.coefficients, where, [(number, zero)])[0].reshape(shape)

    @cached_property
    def coefficients(self) -> np.ndarray:
        """Its output weights, the constant first."""
        number = self.solution.problem.unknowns.index(self.unknown)
        return self.solution.coefficients[self.solution.layout.slice_of(number)]
