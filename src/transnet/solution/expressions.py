"""Expressions of the unknowns as functions of points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.problem import ByPiece, Jump, NormalComponent, Slope, in_piece
from transnet.problem.complex import real_and_imaginary
from transnet.problem.surfaces import along_surface
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation
from transnet.solution.corners import derivatives_near_corners, with_limits

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class Compiled:
    """An expression compiled for evaluation at points, for the solution or for other output weights of its network.

    It is one equation, or one for each piece of the domain if it differs between them. A complex expression also has an
    imaginary part. With a `piece` its values are those of that piece, also on the piece's boundary.
    """

    solution: Solution
    equations: tuple[Equation, ...]
    imaginary: Compiled | None = None
    piece: int | None = None

    @property
    def order(self) -> int:
        """The highest derivative in it."""
        return max(e.order for e in self.equations)

    def within(self, piece: int) -> Compiled:
        """The same expression as one piece has it; unchanged for a basis without pieces."""
        if not hasattr(self.solution.basis, "within"):
            return self
        return replace(self, piece=piece, imaginary=self.imaginary and self.imaginary.within(piece))

    def __call__(
        self, points: np.ndarray, normals: np.ndarray | None = None, coefficients: np.ndarray | None = None
    ) -> np.ndarray:
        """Its values (n,); for output weights (columns, c) of several networks (n, c)."""
        real = self._real(points, normals, coefficients)
        return real if self.imaginary is None else real + 1j * self.imaginary(points, normals, coefficients)

    def of(self, solution: Solution) -> Compiled:
        """The same expression of another solution of the same problem."""
        return replace(self, solution=solution, imaginary=self.imaginary and self.imaginary.of(solution))

    def everywhere(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """Its values as each piece has them."""
        free = replace(self, piece=None, imaginary=self.imaginary and replace(self.imaginary, piece=None))
        return free(points, normals)

    def _real(self, points: np.ndarray, normals: np.ndarray | None, coefficients: np.ndarray | None) -> np.ndarray:
        chosen = self.solution.coefficients if coefficients is None else coefficients
        domain = self.solution.problem.domain
        if len(self.equations) == 1 or not isinstance(domain, Pieces):
            return self._values(self.equations[0], points, normals, chosen)
        if self.piece is not None:
            return self._values(self.equations[self.piece], points, normals, chosen)
        which = domain.nearest(points)
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
        if self.piece is not None:
            basis = basis.within(self.piece)  # type: ignore[attr-defined]
        if coefficients.ndim == 1:

            def at(where: np.ndarray) -> np.ndarray:
                along = normals if len(where) == len(points) else None
                slots = derivatives_near_corners(basis, coefficients, where, equation.slots, self.solution.error)
                return equation.residual(where, along, values, slots)

            bounded = normals is not None or equation.order == 0
            return at(points) if bounded else with_limits(basis, points, at(points), at)
        slots = derivatives_near_corners(basis, coefficients, points, equation.slots, self.solution.error)
        columns = [[s[:, k] for s in slots] for k in range(coefficients.shape[1])]
        return np.stack([equation.residual(points, normals, values, c) for c in columns], axis=1)


def compiled(solution: Solution, expression: Any, normals: bool = False) -> Compiled:
    """Compile an expression of the unknowns of a solution.

    Parameters
    ----------
    normals : bool
        Whether it is to be evaluated at points with a normal.
    """
    expression = renamed(solution, expression)
    if expression.has(sp.I):
        parts = real_and_imaginary(expression)
        real = compiled(solution, parts[0], normals)
        return real if sp.expand(parts[1]) == 0 else replace(real, imaginary=compiled(solution, parts[1], normals))
    problem = solution.problem
    if expression.has(Jump):
        raise ProblemError(f'{expression} is a jump, which exists on an interface only: over="a|b" or on="a|b".')
    if not normals:
        expression = along_surface(expression, problem.domain, problem.coordinates)
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


def compiled_on(solution: Solution, expression: Any, part: str | None) -> Compiled | Across:
    """Compile an expression for a part of the boundary, an interface or a piece, by name.

    On the interface "a|b" it has the values of the first piece, a; `tn.jump` is the value in b minus that in a.
    """
    domain = solution.problem.domain
    if not isinstance(domain, Pieces) or part is None:
        return compiled(solution, expression, normals=part is not None)
    if "|" not in part:
        piece = domain.inside_named(part)
        made = compiled(solution, expression, normals=piece is None)
        return made if piece is None else made.within(piece)
    first, second = domain.sides(part)
    if not expression.has(Jump):
        return compiled(solution, expression, normals=True).within(first)
    jumps = sorted(expression.atoms(Jump), key=sp.default_sort_key)
    names = [sp.Dummy() for _ in jumps]
    rest = expression.xreplace(dict(zip(jumps, names, strict=True)))
    if rest.free_symbols - {*names, *solution.problem.coordinates} or rest.has(AppliedUndef, ByPiece):
        raise ProblemError(f"{expression} has unknowns besides its jumps: which side is meant? Put all inside tn.jump.")
    taken = [compiled(solution, j.args[0], normals=True) for j in jumps]
    function = sp.lambdify([*names, *solution.problem.coordinates], rest, "numpy")
    return Across(tuple((c.within(first), c.within(second)) for c in taken), function)


@dataclass(frozen=True, eq=False)
class Across:
    """A function of jumps across an interface."""

    sides: tuple[tuple[Compiled, Compiled], ...]
    function: Callable[..., np.ndarray]
    imaginary: None = None

    @property
    def order(self) -> int:
        """The highest derivative in it."""
        return max(first.order for first, _ in self.sides)

    def __call__(
        self, points: np.ndarray, normals: np.ndarray | None = None, coefficients: np.ndarray | None = None
    ) -> np.ndarray:
        """Its values (n,); for output weights (columns, c) of several networks (n, c)."""
        found = [b(points, normals, coefficients) - a(points, normals, coefficients) for a, b in self.sides]
        columns = [c if found[0].ndim == 1 else c[:, None] for c in points.T]
        return np.broadcast_to(self.function(*found, *columns), found[0].shape)

    def of(self, solution: Solution) -> Across:
        """The same function for another solution of the same problem."""
        return replace(self, sides=tuple((a.of(solution), b.of(solution)) for a, b in self.sides))

    def everywhere(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """Its value for the unknowns themselves instead of their jumps, which sets the scale of its error."""
        found = [first.everywhere(points, normals) for first, _ in self.sides]
        return np.broadcast_to(self.function(*found, *points.T), found[0].shape)


def renamed(solution: Solution, expression: Any) -> Any:
    """The expression in the problem's own symbols: to a user symbols that differ only in their assumptions are the
    same."""
    own = {s.name: s for s in (*solution.problem.coordinates, *solution.parameters)}
    own |= {n.name: n for n in map(NormalComponent, solution.problem.coordinates)}
    return sp.sympify(expression).xreplace({s: own[s.name] for s in expression.free_symbols if own.get(s.name, s) != s})
