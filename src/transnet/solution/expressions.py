"""Expressions of the unknowns as functions of points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.problem import ByPiece, NormalComponent, Slope, in_piece
from transnet.problem.complex import real_and_imaginary
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation
from transnet.solution.corners import derivatives_near_corners, with_limits

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class Compiled:
    """An expression that can be evaluated at points, for the solution or for other output weights of its network.

    It is one equation, or one for each piece of the domain where it has different values in them. A complex expression
    has an imaginary part beside.
    """

    solution: Solution
    equations: tuple[Equation, ...]
    imaginary: Compiled | None = None

    @property
    def order(self) -> int:
        """The highest derivative in it."""
        return max(e.order for e in self.equations)

    def __call__(
        self, points: np.ndarray, normals: np.ndarray | None = None, coefficients: np.ndarray | None = None
    ) -> np.ndarray:
        """Its values (n,); for output weights (columns, c) of several networks (n, c)."""
        real = self._real(points, normals, coefficients)
        return real if self.imaginary is None else real + 1j * self.imaginary(points, normals, coefficients)

    def _real(self, points: np.ndarray, normals: np.ndarray | None, coefficients: np.ndarray | None) -> np.ndarray:
        chosen = self.solution.coefficients if coefficients is None else coefficients
        domain = self.solution.problem.domain
        if len(self.equations) == 1 or not isinstance(domain, Pieces):
            return self._values(self.equations[0], points, normals, chosen)
        which = np.maximum(domain.which(points), 0)
        values = np.zeros((len(points), *chosen.shape[1:]))
        for number in np.unique(which):
            mine = which == number
            along = None if normals is None else normals[mine]
            values[mine] = self._values(self.equations[number], points[mine], along, chosen)
        return values

    def _values(
        self, equation: Equation, points: np.ndarray, normals: np.ndarray | None, coefficients: np.ndarray
    ) -> np.ndarray:
        basis, values = self.solution.basis, tuple(self.solution.parameters.values())
        if coefficients.ndim == 1:

            def at(where: np.ndarray) -> np.ndarray:
                along = normals if len(where) == len(points) else None
                slots = derivatives_near_corners(basis, coefficients, where, equation.slots, self.solution.error)
                return equation.residual(where, along, values, slots)

            bounded = normals is not None or equation.order == 0
            return at(points) if bounded else with_limits(basis, points, at(points), at)
        slots = basis.derivatives(coefficients, points, equation.slots)
        columns = [[s[:, k] for s in slots] for k in range(coefficients.shape[1])]
        return np.stack([equation.residual(points, normals, values, c) for c in columns], axis=1)


def compiled(solution: Solution, expression: Any, normals: bool = False) -> Compiled:
    """Compile an expression of the unknowns of a solution.

    Parameters
    ----------
    normals : bool
        Whether the points that it is for have a normal.
    """
    expression = renamed(solution, expression)
    if expression.has(sp.I):
        real, imaginary = (compiled(solution, part, normals) for part in real_and_imaginary(expression))
        return replace(real, imaginary=imaginary)
    problem = solution.problem
    used = sorted(str(s) for s in expression.free_symbols if isinstance(s, NormalComponent))
    if used and not normals:
        raise ProblemError(
            f"{expression} uses the normal ({', '.join(used)}), which points do not have. Say on which part of the "
            f'boundary: solution.evaluate(expression, on="{problem.domain.parts[0]}").'
        )
    known = {*problem.coordinates, *solution.parameters}
    extra = sorted(str(s) for s in expression.free_symbols - known if not isinstance(s, NormalComponent))
    if extra:
        unknown = [n for n in extra if n in solution.names]
        hint = f" The unknown is written {solution[unknown[0]].unknown}, as tn.unknown made it." if unknown else ""
        raise ProblemError(f"{expression} contains {', '.join(extra)}, which has no value in this problem.{hint}")
    expressions = [expression]
    if expression.has(ByPiece, Slope) and isinstance(problem.domain, Pieces):
        expressions = [in_piece(expression, name) for name in problem.domain.piece_names]
    made = [
        compile_equation(e, problem.unknowns, problem.coordinates, tuple(solution.parameters), str(e))
        for e in expressions
    ]
    return Compiled(solution, tuple(made))


def renamed(solution: Solution, expression: Any) -> Any:
    """The expression in the problem's own symbols: one that differs in assumptions only is the same to a user."""
    own = {s.name: s for s in (*solution.problem.coordinates, *solution.parameters)}
    own |= {n.name: n for n in map(NormalComponent, solution.problem.coordinates)}
    return sp.sympify(expression).xreplace({s: own[s.name] for s in expression.free_symbols if own.get(s.name, s) != s})
