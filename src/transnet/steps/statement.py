"""Rothe's method, stated: an evolution on any domain as an elliptic problem for each stage of a step in time.

In a stage of a diagonally implicit method the time derivatives of an unknown are u_t = s u - h_1 and u_tt = s^2 u -
h_2, where s = 1 / (gamma tau) and the h are known from earlier stages. This leaves a problem in space with the
parameter s, whose matrix is the same for all stages and all steps of one length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.cuts.piecewise import JUMPING, jump_edges
from transnet.geometry import Domain, Interval, Pieces
from transnet.geometry.product import Product
from transnet.pieces.laws import Laws
from transnet.problem import Condition, Inside, Mean, On, Problem, expressions_of, in_piece, piece_of
from transnet.problem.elsewhere import Over
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation
from transnet.slabs.evolution import TIMES, Passing
from transnet.slabs.stops import PLACES, Stated

RATE = sp.Symbol("rate_of_step", positive=True)
"""s."""
HIGHEST = 2
"""The highest order in time."""


@dataclass(frozen=True, eq=False)
class Rothe(Passing):
    """An evolution on a domain of space.

    Parameters
    ----------
    elliptic : Problem
        The problem of a stage without its past; the time of sources and boundary values is a parameter.
    past : tuple of (str or None, Expr)
        The equations with their past, and the piece in which each holds.
    history : tuple of tuple
        h_1, h_2, .. of each unknown, functions of space.
    initial : tuple of tuple of Expr
        u and, where the order is two, u_t of each unknown at the start.
    timely : bool
        Whether sources or boundary values change in time.
    linear : bool
        Whether it is linear with coefficients that do not change in time: then a stage is one solve.
    interfaces_move : bool
        Whether a jump stated across an interface changes in time.
    """

    elliptic: Problem
    past: tuple[tuple[str | None, sp.Expr], ...]
    history: tuple[tuple[sp.Expr, ...], ...]
    initial: tuple[tuple[sp.Expr, ...], ...]
    timely: bool
    linear: bool = True
    interfaces_move: bool = False


def space_and_time(domain: Domain) -> tuple[Domain, Interval] | None:
    """The factors of a domain; None if the last is not an interval of time."""
    match domain:
        case Product(first=first, second=Interval() as second) if second.name in TIMES:
            return first, second
        case Pieces(shapes=shapes):
            parts = [space_and_time(shape) for _, shape in shapes]
            if any(p is None for p in parts) or len({repr(p[1]) for p in parts if p is not None}) != 1:
                return None
            return Pieces({name: p[0] for (name, _), p in zip(shapes, parts, strict=True) if p}), parts[0][1]  # type: ignore[index]
        case _:
            return None


def rothe_of(problem: Problem) -> Rothe | str:
    """The problem in the form of Rothe's method, or the reason why that is impossible."""
    found = space_and_time(problem.domain)
    if found is None:
        return "Its domain is not one of space times an interval of time."
    space, interval = found
    if any(len(u.args) < len(problem.coordinates) for u in problem.unknowns):
        return "Some of its unknowns do not depend on all coordinates."
    time = next(c for c in problem.coordinates if c.name == interval.name)
    coordinates = tuple(c for c in problem.coordinates if c != time)
    if any(e.has(Over, sp.Integral) for e in problem._expressions()):
        return "It has integrals."
    inside = [(piece_of(e), r.doit()) for e in problem.equations for r in expressions_of(e)]
    own = set(problem.unknowns)
    if any(r.atoms(AppliedUndef) - own for _, r in inside):
        return "It has values at other places."
    orders = tuple(max((_order(r, u, time) for _, r in inside), default=0) for u in problem.unknowns)
    if not any(orders) or max(orders) > HIGHEST:
        return f"No unknown has a derivative by {time}, or one has one of order {HIGHEST + 1} or more."
    low, high = map(float, interval.bounds[:, 0])
    sides: list[Condition] = []
    first: list[sp.Expr] = []
    levels: dict[Any, Any] = {}
    for condition in problem.conditions:
        if condition.averaged and (level := _level(problem, condition)) and _floats(problem, orders, level[0]):
            levels[level[0]] = level[1]  # at each time, as nothing else says
            continue
        part, where = condition.boundary, condition.where
        if part is None or (where is not None and time in where.free_symbols):
            return f"It has a condition of the kind tn.{condition.kind}."
        names = set() if condition.across else set(problem.domain.resolve(part))
        ends = [set(interval.ends(0)[k]) for k in (0, 1)]
        if names and names <= ends[0] and where is None:
            first += [r.doit() for r in condition.expressions()]
        elif names & (ends[0] | ends[1]):
            return f"It has a condition on '{part}', which is not the start alone."
        elif any(_order(r.doit(), u, time) for r in condition.expressions() for u in problem.unknowns):
            return f"A condition has a derivative in {time}."
        else:
            sides.append(condition)
    initial = _initial(problem, first, orders, time, low)
    if initial is None:
        return "Its initial conditions do not say what each unknown is at the start, or are not explicit."
    frozen = _Frozen(problem, coordinates, time, orders)
    elliptic, past = [], []
    for piece, residual in inside:
        whole = frozen(residual)
        past.append((piece, whole))
        alone = sp.Eq(whole.xreplace(dict.fromkeys((h for row in frozen.history for h in row), sp.Integer(0))), 0)
        elliptic.append(alone if piece is None else Inside(piece, alone))
    conditions = []
    for c in sides:
        holds = tuple(sp.Eq(frozen(r.doit()), 0) for r in c.expressions())
        parts = (c.boundary,) if c.across else c.parts(problem)
        conditions += [On(str(part), holds, c.where, c.weight) for part in parts]
    means = [Mean(frozen.here[u], levels.get(u, 0)) for u in problem.unknowns if _floats(problem, orders, u)]
    texts = [*(r for _, r in past), *(r for c in conditions for e in c.equations for r in expressions_of(e))]
    linear = not any(time in _coefficients(r, frozen) for r in texts)
    made = Problem(space, elliptic, [*conditions, *means])
    if not linear and isinstance(space, Pieces) and _flux_moves(made, time):
        return f"What holds across an interface is not linear, or has a coefficient that depends on {time}."
    timely = any(time in r.free_symbols for r in texts)
    between = [r for c in conditions if "|" in c.part for e in c.equations for r in expressions_of(e)]
    moves = any(time in r.free_symbols for r in between)
    axis = problem.coordinates.index(time)
    return Rothe(problem, axis, low, high, orders, made, tuple(past), frozen.history, initial, timely, linear, moves)


def stated_in_time(rothe: Rothe) -> Stated:
    """What is stated at all times, as it reads in each piece."""
    problem, domain = rothe.problem, rothe.elliptic.domain
    points = domain.interior(PLACES, "quasi", 0)
    names = [name for name, _ in domain.shapes] if isinstance(domain, Pieces) else [None]
    stated = [(piece_of(e), r) for e in problem.equations for r in expressions_of(e)]
    stated += [(None, r) for c in problem.conditions if c.boundary and not c.across for r in c.expressions()]
    found = []
    for piece, residual in stated:
        for name in names:
            if piece is None or piece == name:
                here = residual if name is None else in_piece(residual, name)
                given = problem.unknowns, problem.coordinates, problem.parameters, str(residual)
                found.append((compile_equation(here.doit(), *given), points))
    return found


def jumps_only_in_time(rothe: Rothe) -> bool:
    """Whether all that jumps in the equations does so at a time, everywhere at once."""
    atoms = set().union(*(r.doit().atoms(*JUMPING) for e in rothe.problem.equations for r in expressions_of(e)))
    edges = jump_edges(rothe.problem, atoms)
    return bool(edges) and all(edge.free_symbols == {rothe.time} for edge in edges or ())


def _level(problem: Problem, condition: Condition) -> tuple[sp.Expr, sp.Expr] | None:
    """The unknown whose mean is stated, and the value."""
    stated = condition.expressions()[0]
    pairs = ((u, u - stated) for u in problem.unknowns)
    return next(((u, value) for u, value in pairs if not value.has(AppliedUndef)), None)


def _flux_moves(problem: Problem, time: sp.Symbol) -> bool:
    """Whether the rows of an interface would have to be assembled again from stage to stage."""
    laws = Laws(problem)
    assert isinstance(problem.domain, Pieces)
    statements = [s for i, j in problem.domain.interfaces for s in laws.interface(i, j)]
    return any(
        not s.equation.linear or any(time in c.free_symbols for c in s.equation.coefficients_symbolic)
        for s in statements
    )


def _floats(problem: Problem, orders: tuple[int, ...], u: sp.Expr) -> bool:
    """Whether an expression is an unknown of which only derivatives are stated, such as the pressure of a closed flow.

    A constant that may be added to it at each time is chosen by its mean value over space.
    """
    if u not in problem.unknowns or orders[problem.unknowns.index(u)]:
        return False
    stated = [r.doit() for e in problem.equations for r in expressions_of(e)]
    stated += [r.doit() for c in problem.conditions if c.boundary is not None for r in c.expressions()]
    hidden = sp.Dummy()
    return not any(r.xreplace({a: hidden for a in r.atoms(sp.Derivative) if a.expr == u}).has(u) for r in stated)


class _Frozen:
    """Expressions with time derivatives replaced by their form in a stage."""

    def __init__(self, problem: Problem, coordinates: Any, time: sp.Symbol, orders: tuple[int, ...]) -> None:
        self.time = time
        self.here = {u: u.func(*coordinates) for u in problem.unknowns}
        self.history = tuple(
            tuple(sp.Function(f"past_{k}_{u.func.__name__}")(*coordinates) for k in range(1, order + 1))
            for u, order in zip(problem.unknowns, orders, strict=True)
        )
        self.past = dict(zip(problem.unknowns, self.history, strict=True))

    def __call__(self, expression: sp.Expr) -> sp.Expr:
        replaced: dict[sp.Basic, sp.Basic] = {}
        for atom in expression.atoms(sp.Derivative):
            u = atom.expr
            if u not in self.here:
                continue
            order = sum(int(n) for c, n in atom.variable_count if c == self.time)
            rest = [(c, n) for c, n in atom.variable_count if c != self.time]
            value = RATE**order * self.here[u] - (self.past[u][order - 1] if order else 0)
            replaced[atom] = sp.diff(value, *rest) if rest else value
        return expression.xreplace(replaced).xreplace(self.here)


def _order(expression: sp.Expr, u: sp.Expr, time: sp.Symbol) -> int:
    atoms = [a for a in expression.atoms(sp.Derivative) if a.expr == u]
    return max((sum(int(n) for c, n in a.variable_count if c == time) for a in atoms), default=0)


def _coefficients(expression: sp.Expr, frozen: _Frozen) -> set[sp.Basic]:
    """The symbols in the coefficients of an expression; the time stands for a nonlinear one."""
    functions = [*frozen.here.values(), *(h for row in frozen.history for h in row)]
    atoms = [a for a in expression.atoms(sp.Derivative) if a.expr in functions]
    stand = {a: sp.Dummy() for a in [*atoms, *functions]}
    plain = expression.xreplace({a: stand[a] for a in atoms}).xreplace({f: stand[f] for f in functions})
    found: set[sp.Basic] = set()
    for dummy in stand.values():
        slope = sp.diff(plain, dummy)
        found |= slope.free_symbols
        if slope.free_symbols & set(stand.values()):
            return {frozen.time}
    return found


def _initial(
    problem: Problem, first: list[sp.Expr], orders: tuple[int, ...], time: sp.Symbol, low: float
) -> tuple[tuple[sp.Expr, ...], ...] | None:
    """The initial value of each unknown, and of its time derivatives below the highest."""
    wanted = [(u, k) for u, order in zip(problem.unknowns, orders, strict=True) for k in range(order)]
    stand = {(u, k): sp.Dummy() for u, k in wanted}
    values: dict[Any, sp.Expr] = {}
    for expression in first:
        derivatives = {sp.Derivative(u, (time, k)): stand[u, k] for u, k in wanted if k}
        plain = expression.xreplace(derivatives).xreplace({u: stand[u, 0] for u, k in wanted if k == 0})
        named = [key for key, dummy in stand.items() if plain.has(dummy)]
        if not named and any(plain.has(u) for u, order in zip(problem.unknowns, orders, strict=True) if not order):
            continue  # what follows from the others at each time needs no start
        if len(named) != 1 or plain.atoms(sp.Derivative):
            return None
        dummy = stand[named[0]]
        slope = sp.diff(plain, dummy)
        if slope.has(dummy) or named[0] in values:
            return None
        values[named[0]] = (-plain.subs(dummy, 0) / slope).subs(time, sp.Float(low) if low else 0)
    if set(values) != set(wanted):
        return None
    return tuple(tuple(values[u, k] for k in range(order)) for u, order in zip(problem.unknowns, orders, strict=True))


def numbers_of(rothe: Rothe, values: dict[Any, Any], rate: float, time: float) -> tuple[Any, ...]:
    """The parameters of the elliptic problem in its own order."""
    known = {**{str(k): v for k, v in values.items()}, RATE.name: rate, rothe.time.name: time}
    return tuple(known[p.name] for p in rothe.elliptic.parameters)


def at_start(rothe: Rothe, values: dict[Any, Any], unknown: int, order: int, points: np.ndarray) -> np.ndarray:
    """The initial value of an unknown, or of its time derivative, at points of space."""
    return space_values(rothe, values, rothe.initial[unknown][order], points)


def space_values(rothe: Rothe, values: dict[Any, Any], expression: sp.Expr, points: np.ndarray) -> np.ndarray:
    """A formula of space at points."""
    problem, known = rothe.elliptic, {str(k): v for k, v in values.items()}
    names = sorted(expression.free_symbols - set(problem.coordinates), key=str)
    equation = _compiled(expression, tuple(problem.unknowns), tuple(problem.coordinates), tuple(names))
    return np.asarray(equation.residual(points, None, [known[s.name] for s in names]))


@lru_cache(maxsize=64)
def _compiled(expression: sp.Expr, unknowns: Any, coordinates: Any, names: Any) -> Equation:
    return compile_equation(expression, unknowns, coordinates, names, str(expression))
