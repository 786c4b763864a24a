"""The tangent problem as a statement: F_u s = -sum_k c_k F_k on the same domain, for any basis and any way to solve.

With the factors c_k as parameters of right-hand sides, one prepared problem serves any number of parameters.

The coefficients and right-hand sides that contain the solution are given functions of the points. The unknowns keep
their names, so that whatever a condition says of them (that they are periodic, say) holds for their derivatives too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import MultiIndex
from transnet.doors.prepare import prepare
from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.gradient.network import refuse_moving_means
from transnet.gradient.variation import Variation, slope_by
from transnet.pieces.fluxes import flux_of, orders_of
from transnet.pieces.laws import known_laws
from transnet.prepared.parameters import table_of
from transnet.problem import Given, Lagged, Problem, by_piece, expressions_of, given, in_piece, jump, on
from transnet.problem.by_piece import Inside
from transnet.remember import Remembered
from transnet.rows.statements import Statement, statements_of
from transnet.rows.unseen import all_spots
from transnet.solution.expressions import compiled
from transnet.solution.solution import Solution

COARSER = 10.0
"""How much larger the relative error asked of a tangent is than that of the solution: it is made of derivatives."""
BEST, WORST = 1e-9, 1e-3
"""The limits of what is asked."""

Changes = Sequence[tuple[sp.Symbol, sp.Expr]]
"""Parameters, and by which factors they change."""
KEPT = ("network", "pieces")
"""Kinds of bases whose problems can be prepared."""
SECONDS = 20.0
"""The most time for one that is not marched: a march that is stopped early does not reach the end of time."""
FEW, SEVERAL = 4, 1e-5
"""More marches than these are asked for five digits: values that start against those at a wall have no end of them."""


@dataclass(frozen=True, eq=False)
class Tangent:
    """The derivative of a solution by a parameter: its basis, output weights and estimated relative error."""

    basis: Any
    coefficients: np.ndarray
    error: float


def asked_of(solution: Solution) -> float:
    """The relative error asked of a tangent or of an adjoint solution."""
    return float(np.clip(COARSER * solution.error, BEST, WORST)) if np.isfinite(solution.error) else WORST


def stated_tangents(variations: Sequence[Variation]) -> list[Tangent]:
    """The derivatives of the solution by parameters, solved for: at once if their factorisation can be kept."""
    solution = variations[0].solution
    tol = asked_of(solution)
    if len(variations) > 1 and solution.basis.kind in KEPT:
        factors = [sp.Symbol(f"tangent_{k:04d}") for k in range(len(variations))]  # in alphabetical order
        problem = tangent_problem(variations, factors)
        held = {p: solution.parameters[p] for p in problem.parameters if p in solution.parameters}
        prepared = prepare(problem, tol=tol, parameters={**held, **dict.fromkeys(factors, 1.0 / len(factors))})
        rows = [{**held, **{f: float(f == one) for f in factors}} for one in factors]
        found = prepared.at_once(table_of(problem, rows), {})
        errors = np.where(np.isfinite(found.errors), found.errors, 1.0)
        return [Tangent(found.basis, found.coefficients[:, k], float(e)) for k, e in enumerate(errors)]
    made, marched = [], solution.basis.kind == "slabs"
    seconds = None if marched else SECONDS
    tol = max(tol, SEVERAL) if marched and len(variations) > FEW else tol
    for variation in variations:
        problem = tangent_problem([variation], [sp.Integer(1)])
        values = {p: solution.parameters[p] for p in problem.parameters}
        if values or any(e.has(Given) for e in _expressions(problem)):
            made.append(_tangent(Plan(problem, tol=tol, parameters=values, seconds=seconds)))
            continue
        # It depends on no value and not on the solution: the next solution of the same problem has the same one.
        least = 10.0 ** np.floor(np.log10(tol))
        plan = Plan(problem, tol=least, seconds=seconds)
        made.append(_lasting.get(solution.problem, (variation.symbol, least), partial(_tangent, plan)))
    return made


_lasting: Remembered[Problem, Tangent] = Remembered()


def _tangent(plan: Plan) -> Tangent:
    one = carried_out(plan)
    return Tangent(one.basis, one.coefficients, one.error if np.isfinite(one.error) else 1.0)


def _expressions(problem: Problem) -> Iterator[sp.Expr]:
    for equation in problem.equations:
        yield from expressions_of(equation)
    for condition in problem.conditions:
        yield from condition.expressions()


def tangent_problem(variations: Sequence[Variation], factors: Sequence[sp.Expr]) -> Problem:
    """The problem that the derivative of the solution solves, or its derivatives times factors together."""
    solution, moving = variations[0].solution, any(v.shapes for v in variations)
    changes = [(v.symbol, f) for v, f in zip(variations, factors, strict=True)]
    problem, held = solution.problem, Held(solution)
    if moving and isinstance(problem.domain, Pieces):
        raise ProblemError("Derivatives with respect to sizes of a domain of pieces are not available.")

    def put(expression: Any) -> Any:
        if isinstance(expression, Inside):
            return replace(expression, equation=put(expression.equation))
        parts = [held.tangent(e, changes) for e in expressions_of(expression)]
        return parts[0] if len(parts) == 1 else sp.Matrix(parts)

    conditions = []
    for condition in problem.conditions:
        parts = condition.parts(problem)
        if moving:
            refuse_moving_means(condition.averaged)
        if moving and parts and condition.at_points is None:
            conditions.append(condition.tangent(_moving(put, variations, factors, parts)))
        else:
            conditions.append(condition.tangent(put))
    conditions += _fluxes(problem, held, changes)
    return Problem(problem.domain, [put(e) for e in problem.equations], conditions, order=problem.unknowns)


def _fluxes(problem: Problem, held: Held, changes: Changes) -> list[Any]:
    """What is continuous across interfaces when a coefficient by piece varies: k s_n + k' u_n, not k s_n alone."""
    domain = problem.domain
    if not isinstance(domain, Pieces):
        return []
    found = []
    for flux in fluxes_by_piece(problem):
        if any(slope_by(flux, symbol) != 0 for symbol, _ in changes):
            found += [on(name, sp.Eq(jump(held.tangent(flux, changes)), 0)) for name in interfaces_of(domain)]
    return found


def condition_statements(problem: Problem) -> list[Statement]:
    """The statements of all conditions that hold on the boundary or inside, not across interfaces."""
    if not isinstance(problem.domain, Pieces):
        return [s for s in statements_of(problem, lagged=False) if s.source is not None]
    laws = known_laws(problem)
    return [s for c in problem.conditions if not c.across for s in laws.condition(c, 0)]


def interfaces_of(domain: Pieces) -> list[str]:
    """The names of the interfaces between pieces."""
    return [f"{domain.piece_names[i]}|{domain.piece_names[j]}" for i, j in domain.interfaces]


def fluxes_by_piece(problem: Problem) -> list[sp.Expr]:
    """What is continuous across interfaces for each equation: zero for an equation of one piece."""
    domain, found = problem.domain, []
    assert isinstance(domain, Pieces)
    for equation in problem.equations:
        for expression in expressions_of(equation):
            sides = {}
            for name in domain.piece_names if not isinstance(equation, Inside) else ():
                orders = orders_of([in_piece(expression, name)], problem.coordinates)
                sides[name] = in_piece(flux_of(expression, problem.coordinates, orders, str(expression)), name)
            found.append(by_piece(**sides) if sides else sp.Integer(0))
    return found


def _moving(
    put: Callable[[Any], Any], variations: Sequence[Variation], factors: Sequence[sp.Expr], parts: Sequence[str]
) -> Callable[[Any], Any]:
    """The tangent of an equation on a boundary that moves."""
    solution = variations[0].solution

    def moved(equation: Any) -> Any:
        found = []
        for k, expression in enumerate(expressions_of(equation)):
            function, total = compiled(solution, expression, normals=True), put(expression)
            for j, (variation, factor) in enumerate(zip(variations, factors, strict=True)):
                if variation.shapes:

                    def change(*coordinates: np.ndarray, function: Any = function, by: Any = variation) -> np.ndarray:
                        points = np.stack([np.ravel(c) for c in np.broadcast_arrays(*coordinates)], axis=1)
                        moving = by.motion(parts, points.astype(float))
                        return moving.of(function, solution.coefficients[:, None])[:, 0]

                    total = total + factor * given(f"moving_{k}_{j}", change, *solution.problem.coordinates)
            found.append(total)
        return found[0] if len(found) == 1 else sp.Matrix(found)

    return moved


class Held:
    """The solution and its derivatives as given functions."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.known = {u.func: sp.Function(f"{u.func.__name__}_held") for u in solution.problem.unknowns}
        self.made: dict[tuple[int, MultiIndex], Any] = {}

    @cached_property
    def smooth(self) -> bool:
        """Whether the problem has nothing on small spots, so that its solution has not either."""
        problem, numbers = self.solution.problem, tuple(self.solution.parameters.values())
        return isinstance(problem.domain, Pieces) or not all_spots(problem, statements_of(problem), numbers)

    def symbolic(self, expression: sp.Expr) -> sp.Expr:
        """The unknowns in an expression written as held functions, which SymPy can still differentiate."""
        return expression.replace(
            lambda e: isinstance(e, AppliedUndef) and e.func in self.known, lambda e: self.known[e.func](*e.args)
        )

    def tangent(self, expression: sp.Expr, changes: Changes) -> sp.Expr:
        """d/de F(u + e s) + sum_k c_k dF/dk, with s written as u and u held."""
        small, known = sp.Dummy("e"), self.known
        expression = expression.replace(Lagged, lambda argument: argument)
        varied = expression.replace(
            lambda e: isinstance(e, AppliedUndef) and e.func in known,
            lambda e: known[e.func](*e.args) + small * e,
        )
        slope = sp.diff(varied, small).xreplace({small: sp.Integer(0)})
        terms = [factor * slope_by(varied, symbol).xreplace({small: sp.Integer(0)}) for symbol, factor in changes]
        return self.put((slope + sp.Add(*terms)).doit())

    def put(self, expression: sp.Expr) -> sp.Expr:
        """Replace the held functions and their derivatives by given ones."""
        problem, back = self.solution.problem, {v: k for k, v in self.known.items()}
        numbers = {u.func: k for k, u in enumerate(problem.unknowns)}
        replaced = {}
        for atom in expression.atoms(AppliedUndef, sp.Derivative):
            base = atom.expr if isinstance(atom, sp.Derivative) else atom
            if not isinstance(base, AppliedUndef) or base.func not in back:
                continue
            unknown = numbers[back[base.func]]
            own = problem.unknowns[unknown].args
            index = [0] * len(problem.coordinates)
            if isinstance(atom, sp.Derivative):
                for variable, count in atom.variable_count:
                    index[problem.coordinates.index(variable)] += int(count)
            replaced[atom] = self._function(unknown, tuple(index)).xreplace(dict(zip(own, base.args, strict=True)))
        longest = sorted(replaced, key=lambda a: -a.count_ops() - isinstance(a, sp.Derivative))
        return expression.xreplace({a: replaced[a] for a in longest})

    def _function(self, unknown: int, index: MultiIndex) -> sp.Expr:
        key = (unknown, index)
        if key not in self.made:
            problem, basis = self.solution.problem, self.solution.basis
            own = problem.unknowns[unknown].args
            if isinstance(problem.domain, Pieces) and hasattr(basis, "within"):
                names = problem.domain.piece_names
                made = {n: self._one(basis.within(j), key, own, n) for j, n in enumerate(names)}
                self.made[key] = by_piece(**made)
            else:
                self.made[key] = self._one(basis, key, own, "")
        return self.made[key]

    def _one(self, basis: Any, key: tuple[int, MultiIndex], own: Sequence[sp.Symbol], where: str) -> sp.Expr:
        problem, coefficients = self.solution.problem, self.solution.coefficients
        axes = [problem.coordinates.index(c) for c in own]
        middle = np.mean(np.asarray(problem.domain.bounds, float), axis=0)

        def at(*coordinates: np.ndarray) -> np.ndarray:
            arrays = np.broadcast_arrays(*coordinates) if coordinates else [np.zeros(1)]
            points = np.tile(middle, (arrays[0].size, 1))
            for axis, array in zip(axes, arrays, strict=False):
                points[:, axis] = np.ravel(array)
            return np.asarray(basis.derivatives(coefficients, points, [key])[0]).reshape(arrays[0].shape)

        orders = [f"{c}{n}" for c, n in zip(problem.coordinates, key[1], strict=True) if n]
        name = "_".join(filter(None, (problem.names[key[0]], *orders, where)))
        if not own:
            return sp.Float(float(at()[0]))
        made = given(name, at, *own)
        type(made).smooth = self.smooth
        return made
