"""The adjoint problem as a statement, for any way to solve: one solve for any number of parameters.

F_u s = -F_k inside and C_u s = -C_k on the boundary give the derivative s of the solution. With Green's identity

    int z F_u s = int s F_u* z + oint (P(z) ds/dn + Q(z) s)

and F_u* z = J_u inside, J_u s becomes -int z F_k and a boundary integral of what is left of s and ds/dn. The conditions
for z make that a combination, lam, of the conditions that s has: J_u s = -int z F_k - oint lam C_k. An evolution runs
backwards in time, so time is turned around.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Exterior, Pieces
from transnet.gradient.dual import AdjointProblem, Multiplier
from transnet.gradient.forms import (
    Form,
    Sums,
    both_ends,
    consistent,
    constant_normals,
    derived,
    eliminated,
    numeric,
    unit,
)
from transnet.gradient.stated import Held, condition_statements
from transnet.pieces.fluxes import derivative_atoms
from transnet.problem import Condition, Lagged, NormalComponent, Problem, expressions_of, on
from transnet.problem.by_piece import ByPiece, Inside, by_piece
from transnet.rows.statements import Statement
from transnet.solution.results.functionals import OfIntegral
from transnet.solution.solution import Solution
from transnet.tolerances import ROUNDED, SAME


def adjoint_problem(
    solution: Solution, terms: Sequence[tuple[float, Any]], free: tuple[sp.Symbol, ...] = ()
) -> AdjointProblem:
    """The adjoint problem of a sum of functionals with factors; ProblemError where it has none that can be stated.

    Without functionals it is homogeneous; an eigenvalue is `free`, a symbol of it as of the problem."""
    return _Transposed(solution, terms, free).stated()


@dataclass(frozen=True, eq=False)
class _Transposed:
    solution: Solution
    terms: Sequence[tuple[float, Any]]
    free: tuple[sp.Symbol, ...]

    def __post_init__(self) -> None:
        problem = self.problem
        if isinstance(problem.domain, Exterior) or any(isinstance(e, Inside) for e in problem.equations):
            raise ProblemError("An adjoint problem is stated on bounded domains, with equations that hold everywhere.")
        if any(c.across or any(e.has(ByPiece) for e in c.expressions()) for c in problem.conditions):
            raise ProblemError("The adjoint of conditions on interfaces, and of those by piece, is not available.")
        if len(self.equations) != len(problem.unknowns) or any(u.args != problem.coordinates for u in problem.unknowns):
            raise ProblemError("An adjoint problem needs as many equations as unknown functions of all coordinates.")
        if not all(isinstance(f, OfIntegral) for _, f in self.terms):
            raise ProblemError("The adjoint of a value at a point is singular there.")

    @property
    def problem(self) -> Problem:
        return self.solution.problem

    @cached_property
    def held(self) -> Held:
        return Held(self.solution)

    @cached_property
    def equations(self) -> list[sp.Expr]:
        return [e for equation in self.problem.equations for e in expressions_of(equation)]

    @cached_property
    def normal(self) -> tuple[sp.Symbol, ...]:
        return tuple(NormalComponent(c) for c in self.problem.coordinates)

    def form(self, expression: sp.Expr) -> Form:
        """The derivative of an expression by the unknowns and their derivatives, at the solution."""
        problem = self.problem
        functions = tuple(self.held.known)
        terms = [e for e in sp.Add.make_args(sp.expand_mul(expression, deep=False)) if e.has(*functions)]
        plain = sp.Add(*terms).replace(Lagged, lambda argument: argument).doit()
        plain = plain.xreplace({p: sp.Float(v) for p, v in self.solution.parameters.items() if p not in self.free})
        atoms = {
            a: at for a, at in derivative_atoms(plain, problem.coordinates).items() if at[0].func in self.held.known
        }
        if any(base not in problem.unknowns for base, _ in atoms.values()):
            raise ProblemError("The adjoint of an equation with values elsewhere is not available.")
        names = {a: sp.Dummy(real=True) for a in atoms}
        back = {names[a]: self.held.symbolic(a) for a in atoms}
        slots = plain.xreplace(names)
        found = {at: sp.diff(slots, names[a]).xreplace(back) for a, at in atoms.items()}
        return {(problem.unknowns.index(u), index): c for (u, index), c in found.items() if c != 0}

    def transposed(self, form: Form, z: sp.Expr, sums: Sums) -> None:
        """Add what Green's identity makes of int z form(s)."""
        x, n = self.problem.coordinates, self.normal
        for (j, index), c in form.items():
            axes = [a for a, m in enumerate(index) for _ in range(m)]
            weighted = c * z
            slope = sp.diff(weighted, *(x[a] for a in axes)) if axes else weighted
            sums.inside[j] += (-1) ** len(axes) * slope
            if len(axes) == 1:
                sums.value[j] += n[axes[0]] * weighted
            elif len(axes) == 2:
                for a, b in (axes, axes[::-1]):
                    sums.slope[j, b] += n[a] * weighted / 2
                    sums.value[j] -= n[b] * sp.diff(weighted, x[a]) / 2
            elif axes:
                raise ProblemError("The adjoint of an equation of third or higher order is not available.")

    @cached_property
    def conditions(self) -> dict[str, list[tuple[Statement, Form]]]:
        """The conditions on each part of the boundary, linearised."""
        found: dict[str, list[tuple[Statement, Form]]] = {p: [] for p in self.problem.domain.parts}
        statements = condition_statements(self.problem)
        for c in self.problem.conditions:
            if c.boundary is None:
                continue
            if c.kind != "on" or c.where is not None:
                raise ProblemError("The adjoint of a condition on some places of a part is not available.")
            own = [s for s in statements if s.source is c]
            for s, expression in zip(own, c.expressions(), strict=True):
                form = self.form(expression)
                for part in c.parts(self.problem):
                    found[part].append((s, form))
        return found

    @cached_property
    def everywhere(self) -> list[Condition]:
        """Conditions that do not hold on a part of the boundary: those of a period, and what fixes a constant."""
        found = []
        for c in self.problem.conditions:
            if c.boundary is not None:
                continue
            if c.period is None and not c.averaged and (c.at_points is None or c.fitted or len(c.at_points) > 1):
                raise ProblemError(f"The adjoint of a condition '{c.kind}' is not available.")
            found.append(c if c.period is not None else c.of(self._homogeneous))
        return found

    def _homogeneous(self, expression: Any) -> sp.Expr:
        (one,) = expressions_of(expression)
        return self._applied(self.form(one))

    def _applied(self, form: Form) -> sp.Expr:
        z, x = self.problem.unknowns, self.problem.coordinates
        return sp.Add(*(c * derived(z[j], index, x) for (j, index), c in form.items()))

    @cached_property
    def functional(self) -> tuple[Sums, dict[str, list[Form]]]:
        """The derivative of the functional: what it has inside, and on each part of the boundary."""
        sums = Sums(self.problem)
        there: dict[str, list[Form]] = {p: [] for p in self.problem.domain.parts}
        bounds = np.asarray(self.problem.domain.bounds, float)
        names = [c.name for c in self.problem.coordinates]
        for factor, of in self.terms:
            form = {at: factor * c for at, c in self.form(of.expression).items()}
            piece = self._piece(of, form)
            if (of.part is None and not of.fixed) or piece is not None:
                self.transposed(form, sp.Integer(1) if piece is None else piece, sums)
                continue
            parts: Sequence[str] = () if of.part is None else self.problem.domain.resolve(of.part)
            if of.fixed:
                (name, value), *others = of.fixed.items()
                axis = names.index(name)
                side = int(np.argmin(np.abs(bounds[:, axis] - value)))
                parts = both_ends(self.problem.domain, axis)[side]
                if others or of.part is not None or abs(bounds[side, axis] - value) > SAME or len(parts) != 1:
                    raise ProblemError("The adjoint of a result at fixed coordinates is available at their ends.")
            for part in parts:
                there[part].append(form)
        return sums, there

    def _piece(self, of: OfIntegral, form: Form) -> sp.Expr | None:
        """The indicator of the piece over which is integrated; None if it is the whole domain or its boundary."""
        domain = self.problem.domain
        if not isinstance(domain, Pieces):
            return None
        number = None if of.part is None else domain.inside_named(of.part)
        if (of.part is None or number is not None) and any(sum(index) for _, index in form):
            raise ProblemError("The adjoint of derivatives over pieces is not available.")
        return None if number is None else by_piece({n: int(k == number) for k, n in enumerate(domain.piece_names)})

    def split(self, form: Form, known: Mapping[sp.Symbol, sp.Expr]) -> list[sp.Expr]:
        """A form on the boundary as factors of s_1, s_2, ... and of their normal derivatives."""
        m, d = len(self.problem.unknowns), len(self.normal)
        values, slopes = [sp.Integer(0)] * m, [[sp.Integer(0)] * d for _ in range(m)]
        for (j, index), c in form.items():
            if sum(index) == 0:
                values[j] += c
            elif sum(index) == 1:
                slopes[j][index.index(1)] += c
            else:
                raise ProblemError("The adjoint of second derivatives on the boundary is not available.")
        return [unit(v, self.normal, known) for v in values] + [self.along_normal(s, known) for s in slopes]

    def along_normal(self, slope: Sequence[sp.Expr], known: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
        """The factor of ds/dn in that of grad s, which must have no other part."""
        total = sp.Add(*(n * c for n, c in zip(self.normal, slope, strict=True)))
        along = unit(total, self.normal, known)
        left = [c.xreplace(known) - n.xreplace(known) * along for n, c in zip(self.normal, slope, strict=True)]
        if any(abs(numeric(e)) > ROUNDED for e in left):
            raise ProblemError("The adjoint of derivatives along the boundary is not available.")
        return along

    def stated(self) -> AdjointProblem:
        problem = self.problem
        m, z = len(problem.unknowns), problem.unknowns
        operator = Sums(problem)
        for i, expression in enumerate(self.equations):
            self.transposed(self.form(expression), z[i], operator)
        own, there = self.functional
        equations = [sp.expand((operator.inside[j] - own.inside[j]).doit()) for j in range(m)]
        multipliers: list[Multiplier] = []
        conditions: list[tuple[str, sp.Expr]] = []
        periods = {c.period for c in problem.conditions} - {None}
        around = {p for c in periods for side in both_ends(problem.domain, problem.coordinates.index(c)) for p in side}
        for part in problem.domain.parts:
            if part in around:
                continue
            known = constant_normals(problem.domain, part, self.normal)
            left = [unit(own.value[j] - operator.value[j], self.normal, known) for j in range(m)]
            left += [
                self.along_normal([own.slope[j, b] - operator.slope[j, b] for b in range(len(self.normal))], known)
                for j in range(m)
            ]
            for form in there[part]:
                left = [a + b for a, b in zip(left, self.split(form, known), strict=True)]
            here = self.conditions[part]
            matrix = sp.Matrix(len(here), 2 * m, [c for _, form in here for c in self.split(form, known)])
            free, factors = eliminated(matrix, sp.Matrix(1, 2 * m, left))
            conditions += [(part, e.doit()) for e in consistent(free, problem)]
            multipliers += [Multiplier(s, part, f.doit()) for (s, _), f in zip(here, factors, strict=True)]
        turned = self._turned(around)
        equations = [self._given(e, turned) for e in equations]
        stated = [on(self._other(p, turned), sp.Eq(self._given(e, turned), 0)) for p, e in conditions]
        made = Problem(problem.domain, equations, [*self.everywhere, *stated], order=problem.unknowns)
        found = tuple(Multiplier(f.statement, f.part, self._given(f.factor, turned)) for f in multipliers)
        return AdjointProblem(made, found, turned)

    def _turned(self, around: set[str]) -> dict[int, float]:
        """The coordinates that have conditions at their beginning and none at their end."""
        found = {}
        bounds = np.asarray(self.problem.domain.bounds, float)
        for axis in range(len(self.normal)):
            low, high = (
                [self.conditions[p] for p in side if p not in around] for side in both_ends(self.problem.domain, axis)
            )
            if any(low) and high and not any(high):
                found[axis] = float(bounds[:, axis].sum())
        return found

    def _other(self, part: str, turned: Mapping[int, float]) -> str:
        """The part where a condition holds with time turned around: the other end if it holds at one."""
        for axis in turned:
            low, high = both_ends(self.problem.domain, axis)
            part = dict(zip((*low, *high), (*high, *low), strict=True)).get(part, part)
        return part

    def _given(self, expression: sp.Expr, turned: Mapping[int, float]) -> sp.Expr:
        """The solution put in as given functions, with time turned around."""
        x = self.problem.coordinates
        put = self.held.put(expression)
        if not turned:
            return put
        atoms = {a: at for a, at in derivative_atoms(put, x).items() if at[0] in self.problem.unknowns}
        names = {a: sp.Dummy() for a in atoms}
        other = put.xreplace(names).xreplace({x[a]: sp.Float(both) - x[a] for a, both in turned.items()})
        signs = {names[a]: a * (-1) ** sum(index[k] for k in turned) for a, (_, index) in atoms.items()}
        return other.xreplace(signs)
