"""One parameter of a problem varies while the solution is held: what changes in the statements and in their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.geometry.domain import Domain
from transnet.gradient.motion import BoundaryMotion
from transnet.gradient.moved import SIXTH, follower
from transnet.rows.compile import array_function
from transnet.rows.equation import Equation
from transnet.sections.surface import Distance, surface_rule
from transnet.solution.expressions import Compiled
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

    def explicit(self, equation: Equation) -> bool:
        """Whether an equation contains it."""
        return bool(slope_by(equation.expression, self.symbol) != 0)

    def motion(self, parts: Sequence[str], points: np.ndarray) -> BoundaryMotion:
        """How points of parts of the boundary move with it."""
        follow = follower(self.solution.problem.domain, parts, points)
        return BoundaryMotion(
            follow(self.solution.problem.domain), {j: follow(d) for j, d in self.shapes.items()}, self.step
        )

    def over_part(
        self, part: str, function: Compiled, states: np.ndarray, nodes: int, distance: Distance | None
    ) -> np.ndarray:
        """The derivative of the integral of an expression over a part of the boundary that moves with it."""
        rules = {j: surface_rule(d, part, nodes, distance) for j, d in self.shapes.items()}
        points, normals, weights = surface_rule(self.solution.problem.domain, part, nodes, distance)
        motion = BoundaryMotion((points, normals), {j: rule[:2] for j, rule in rules.items()}, self.step)
        if any(len(rule[2]) != len(weights) for rule in rules.values()):  # nodes that do not move with the boundary
            return motion.rate({j: w @ function(p, n, states) for j, (p, n, w) in rules.items()})
        grows = motion.rate({j: rule[2] for j, rule in rules.items()})
        return np.asarray(grows @ function(points, normals, states) + weights @ motion.of(function, states))

    def normal_speed(self, parts: Sequence[str], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """V.n at points of the boundary."""
        return np.einsum("nd,nd->n", self.motion(parts, points).velocity, normals)


def slope_by(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative by a parameter, which is real whatever its symbol says: that of |k| is sign(k)."""
    return slopes_by(expression, {symbol}).get(symbol, sp.Integer(0))


def slopes_by(expression: sp.Expr, symbols: set[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """The derivatives by those of some parameters that an expression contains, term by term: SymPy looks at all terms
    of a sum for each."""
    there = symbols & expression.free_symbols
    if isinstance(expression, sp.Add) and there:
        found: dict[sp.Symbol, list[sp.Expr]] = {}
        for term in expression.args:
            for symbol, slope in slopes_by(term, there).items():
                found.setdefault(symbol, []).append(slope)
        return {symbol: sp.Add(*terms) for symbol, terms in found.items()}
    factors = [f for f in expression.args if f.free_symbols & there] if isinstance(expression, sp.Mul) else []
    if len(factors) == 1:
        rest = sp.Mul(*(f for f in expression.args if f is not factors[0]))
        return {symbol: rest * slope for symbol, slope in slopes_by(factors[0], there).items()}
    return {symbol: _slope(expression, symbol) for symbol in there}


def _slope(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
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
    slopes = slopes_by(expression, set(symbols))
    there = [j for j, symbol in enumerate(symbols) if slopes.get(symbol, 0) != 0]
    coordinates, parameters, slots = names
    made = [slopes[symbols[j]] for j in there]
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
