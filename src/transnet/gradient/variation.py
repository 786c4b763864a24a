"""One parameter of a problem varies while the solution is held: what changes in the statements and in their places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.geometry.domain import Domain
from transnet.gradient.moved import SIXTH, follower
from transnet.rows.compile import array_function
from transnet.rows.equation import Equation
from transnet.sections.surface import surface_rule
from transnet.solution.results.places import NODES_AROUND
from transnet.solution.solution import Solution

STEP = 1e-3
"""The step of differences of places, relative to the parameter: sixth order loses neither the seventh derivative
(1e-18) nor more than three of sixteen digits."""


@dataclass(frozen=True, eq=False)
class Variation:
    """A parameter of a solved problem, that of an equation, of a condition, of the shape, or of several."""

    solution: Solution
    symbol: sp.Symbol

    @property
    def value(self) -> float:
        """Its value."""
        origin = self.solution.origin
        return float((self.solution.parameters if origin is None else origin.values)[self.symbol])

    @property
    def numbers(self) -> tuple[Any, ...]:
        """The values of the parameters of the equations."""
        return tuple(self.solution.parameters.values())

    @cached_property
    def step(self) -> float:
        """The step of differences of places."""
        return STEP * (abs(self.value) or float(np.ptp(self.solution.problem.domain.bounds, axis=0).max()))

    @cached_property
    def shapes(self) -> dict[int, Domain]:
        """The domain a few steps to both sides; empty if the parameter does not move it."""
        origin = self.solution.origin
        if origin is None or self.symbol not in origin.sizes:
            return {}
        offsets = [s * j for j, _ in SIXTH for s in (-1, 1)]
        return {j: origin.at({self.symbol: self.value + j * self.step}) for j in offsets}

    def difference(self, f: Callable[[Domain], Any]) -> Any:
        """The derivative of what depends on the domain alone."""
        return sum(w * (f(self.shapes[j]) - f(self.shapes[-j])) for j, w in SIXTH) / self.step

    def explicit(self, equation: Equation) -> bool:
        """Whether an equation contains it."""
        return bool(slope_by(equation.expression, self.symbol) != 0)

    def moving(
        self, parts: Sequence[str], points: np.ndarray, f: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """The derivative of f(points, normals) along points of the boundary that move with it."""
        follow = follower(self.solution.problem.domain, parts, points)
        return np.asarray(self.difference(lambda shape: f(*follow(shape))))

    def over_part(self, part: str, f: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        """The derivative of the integral of f(points, normals) over a part of the boundary that moves with it."""

        def there(shape: Domain) -> np.ndarray:
            points, normals, weights = surface_rule(shape, part, NODES_AROUND[-1])
            return np.asarray(weights @ f(points, normals))

        return np.asarray(self.difference(there))

    def normal_speed(self, parts: Sequence[str], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """V.n at points of the boundary."""
        return np.einsum("nd,nd->n", self.moving(parts, points, lambda there, _: there), normals)


def slope_by(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative by a parameter, which is real whatever its symbol says: that of |k| is sign(k)."""
    if symbol not in expression.free_symbols:
        return sp.Integer(0)
    if isinstance(expression, sp.Add):  # SymPy looks at all terms of all terms
        return sp.Add(*(slope_by(term, symbol) for term in expression.args))
    slope = sp.diff(expression, symbol)
    if not slope.has(sp.re, sp.im):
        return slope
    real = sp.Dummy(symbol.name, real=True)
    return sp.diff(expression.xreplace({symbol: real}), real).xreplace({real: symbol})


def explicit_changes(
    variations: Sequence[Variation],
    equation: Equation,
    points: np.ndarray,
    normals: np.ndarray | None,
    state: Sequence[np.ndarray],
) -> np.ndarray:
    """dF/dk at points for values of the slots, (n, parameters): compiled together, as SymPy takes most of the time."""
    found = np.zeros((len(points), len(variations)))
    there, made, _ = _slopes_of(variations, equation)
    if there:
        along = [0.0] * points.shape[1] if normals is None else list(normals.T)
        numbers = (*variations[0].numbers, *(equation.put_in[0] if equation.put_in else ()))
        for j, value in zip(there, made(*points.T, *along, *numbers, *state), strict=True):
            found[:, j] = value
    return found


def act_on_unknowns(variations: Sequence[Variation], equation: Equation) -> bool:
    """Whether some are in coefficients of an equation, not only in its source: what they change has the solution."""
    return _slopes_of(variations, equation)[2]


def _slopes_of(variations: Sequence[Variation], equation: Equation) -> tuple[list[int], Any, bool]:
    solution = variations[0].solution
    parameters = equation.made_of[3] if equation.put_in else tuple(solution.parameters)
    names = solution.problem.coordinates, parameters, equation.slot_symbols
    return _slopes(equation.expression, tuple(v.symbol for v in variations), names)


@lru_cache(maxsize=64)
def _slopes(expression: sp.Expr, symbols: tuple[sp.Symbol, ...], names: Any) -> tuple[list[int], Any, bool]:
    """Which parameters an expression contains, its derivatives by these as one function, and whether these have the
    unknowns."""
    slopes = [slope_by(expression, symbol) for symbol in symbols]
    there = [j for j, slope in enumerate(slopes) if slope != 0]
    coordinates, parameters, slots = names
    made = [slopes[j] for j in there]
    has_slots = any(not m.free_symbols.isdisjoint(slots) for m in made)
    return there, array_function(made, coordinates, parameters, slots, ()) if there else None, has_slots


def variation_of(solution: Solution, symbol: Any) -> Variation:
    """The variation of a parameter by its symbol or name; an error if the problem has no such parameter."""
    known = solution.parameters if solution.origin is None else solution.origin.values
    name = symbol.name if isinstance(symbol, sp.Symbol) else symbol if isinstance(symbol, str) else None
    found = [p for p in known if p.name == name]
    if not found:
        names = ", ".join(sorted(p.name for p in known)) or "none"
        raise ProblemError(
            f"A derivative with respect to {shown(symbol)} does not exist: it is not a parameter of the problem, whose "
            f"parameters are {names}. Write it as a symbol where it stands, and give its value by parameters=."
        )
    return Variation(solution, found[0])


def variations_of(solution: Solution, wrt: Any) -> list[Variation]:
    """The variations of parameters that a user names."""
    chosen = list(wrt) if isinstance(wrt, list | tuple | set | frozenset) else [wrt]
    if not chosen:
        raise ProblemError("Say with respect to which parameters: solution.gradient(result, wrt=[k, r]).")
    return [variation_of(solution, symbol) for symbol in chosen]
