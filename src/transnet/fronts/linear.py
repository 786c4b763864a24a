"""A condition on a front, linearised in the field and in the place of the front.

For F(x, u, n, kappa) = 0 on a curve that moves by V along its normal, with u held beyond it,

    F + F_u (u - u0) + (F_x . n + F_u d_n u0) V - (F_n . t) V_s - F_kappa (V_ss + kappa^2 V) = 0,

where s is the length along the curve and t its tangent: n changes by -V_s t and the curvature by -V_ss - kappa^2 V.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.expansion import Slot
from transnet.errors import ProblemError
from transnet.fronts.curve import FrontCurve, known
from transnet.problem.unknowns import Curvature, NormalComponent
from transnet.rows.compile import array_function
from transnet.solution.solution import Solution

FAINT = 1e-3
"""A factor of the speed that falls below this part of its largest does not determine the speed everywhere."""
NOTHING = 1e-13
"""Factors below this part of the largest are rounding."""


@dataclass(frozen=True, eq=False)
class OnFront:
    """An expression on a front with places for the derivatives of the unknowns in it."""

    expression: sp.Expr
    coordinates: tuple[sp.Symbol, ...]
    unknowns: tuple[sp.Expr, ...]
    time: sp.Symbol | None = None

    @cached_property
    def _taken(self) -> tuple[dict[sp.Expr, sp.Symbol], sp.Expr]:
        plain = self.expression.doit()
        if plain.has(sp.Integral, sp.Subs):
            raise ProblemError("Integrals, and values at other places, are not solved in a condition on a front.")
        holders: dict[sp.Expr, sp.Symbol] = {}
        for d in sorted(plain.atoms(sp.Derivative), key=sp.default_sort_key):
            holders[d] = sp.Dummy(real=True)
        plain = plain.xreplace(holders)
        for u in sorted(plain.atoms(AppliedUndef) & set(self.unknowns), key=sp.default_sort_key):
            holders[u] = sp.Dummy(real=True)
        return holders, plain.xreplace(holders)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        made = []
        for atom in self._taken[0]:
            function = atom.expr if isinstance(atom, sp.Derivative) else atom
            orders = dict(atom.variable_count) if isinstance(atom, sp.Derivative) else {}
            made.append((self.unknowns.index(function), tuple(int(orders.get(c, 0)) for c in self.coordinates)))
        return tuple(made)

    @cached_property
    def bends(self) -> bool:
        """Whether it is not linear in the unknowns."""
        holders, plain = self._taken
        return any(sp.diff(plain, h).has(*holders.values()) for h in holders.values())

    @cached_property
    def atoms(self) -> tuple[sp.Expr, ...]:
        """The derivatives of unknowns that stand in the slots."""
        return tuple(self._taken[0])

    def _compiled(self, expressions: Sequence[sp.Expr]) -> Any:
        more = [Curvature()] if self.time is None else [Curvature(), self.time]
        return array_function(expressions, self.coordinates, more, list(self._taken[0].values()), [])

    @cached_property
    def _value(self) -> Any:
        return self._compiled([self._taken[1]])

    @cached_property
    def _slopes(self) -> Any:
        normals = [NormalComponent(c) for c in self.coordinates]
        symbols = [*self.coordinates, *normals, Curvature(), *self._taken[0].values()]
        return self._compiled([sp.diff(self._taken[1], s) for s in symbols])

    def _at(self, function: Any, curve: FrontCurve, values: Sequence[np.ndarray], *time: float) -> list[np.ndarray]:
        n = len(curve.points)
        made = function(*curve.points.T, *curve.normals.T, curve.curvature, *(np.full(n, t) for t in time), *values)
        return [np.array(np.broadcast_to(np.asarray(f, float), n)) for f in made]

    def at(self, curve: FrontCurve, values: Sequence[np.ndarray], *time: float) -> np.ndarray:
        """F at the nodes of a front, with values of the slots there."""
        return self._at(self._value, curve, values, *time)[0]

    def linear(self, curve: FrontCurve, field: Solution) -> Linear:
        """The expression linearised at a front and a field."""
        d = len(self.coordinates)
        values = slots_at(field, curve.points, self.slots)
        whole, derived = self.at(curve, values), self._at(self._slopes, curve, values)
        by_place, by_normal, by_bend, by_slot = derived[:d], derived[d : 2 * d], derived[2 * d], derived[2 * d + 1 :]
        higher = [(k, tuple(i + (a == j) for j, i in enumerate(index))) for k, index in self.slots for a in range(d)]
        rises = slots_at(field, curve.points, higher)
        n, t, kappa = curve.normals, curve.tangents, curve.curvature
        by_speed = sum((f * n[:, a] for a, f in enumerate(by_place)), np.zeros(len(n))) - kappa**2 * by_bend
        for k, f in enumerate(by_slot):
            by_speed += f * sum(n[:, a] * rises[k * d + a] for a in range(d))
        turning = -sum((f * t[:, a] for a, f in enumerate(by_normal)), np.zeros(len(n)))
        right = sum((f * v for f, v in zip(by_slot, values, strict=True)), -whole)
        factors = dict(zip(self.atoms, by_slot, strict=True))
        return Linear(curve, factors, (by_speed, turning, -by_bend), right, float(np.abs(whole).max()))


def slots_at(field: Solution, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
    """Derivatives of the unknowns at points, also slightly outside of the domain."""
    if not slots:
        return []
    return [np.asarray(v, float) for v in field.basis.derivatives(field.coefficients, points, list(slots))]


@dataclass(frozen=True, eq=False)
class Linear:
    """sum factors u_slot + by V (by[0]), V_s (by[1]) and V_ss (by[2]) = right, at the nodes of a front."""

    curve: FrontCurve
    factors: Mapping[sp.Expr, np.ndarray]
    by: tuple[np.ndarray, np.ndarray, np.ndarray]
    right: np.ndarray
    residual: float

    def gives_speed(self) -> bool:
        """Whether V follows from the values of one unknown: no derivatives in it, and a factor that does not vanish."""
        plain = len(self.factors) <= 1 and not any(isinstance(a, sp.Derivative) for a in self.factors)
        size = np.abs(self.by[0])
        bends = max(np.abs(b).max() for b in self.by[1:])
        return bool(plain and size.max() > 0 and size.min() > FAINT * size.max() and bends <= NOTHING * size.max())

    def speed(self) -> tuple[np.ndarray, np.ndarray, sp.Expr | None]:
        """V = a - b u as a, b and u."""
        a, (u, factor) = self.right / self.by[0], next(iter(self.factors.items()), (None, np.zeros(1)))
        return a, factor / self.by[0] + np.zeros_like(a), u

    def with_speed(self, from_: Linear, coordinates: Sequence[sp.Symbol], name: str) -> sp.Expr:
        """The expression that is zero after V from another condition is put in."""
        curve, (a, b, u) = self.curve, from_.speed()
        a1, b1 = curve.along(a), curve.along(b)
        a2, b2 = curve.along(a1), curve.along(b1)
        d, e, f = self.by
        total: dict[Any, np.ndarray] = {1: d * a + e * a1 + f * a2 - self.right, **self.factors}

        def add(atom: sp.Expr, factor: np.ndarray) -> None:
            if np.abs(factor).max() > 0:
                total[atom] = total.get(atom, 0.0) + factor

        if u is not None:
            add(u, -(d * b + e * b1 + f * b2))
            for c, t, n in zip(coordinates, curve.tangents.T, curve.normals.T, strict=True):
                # u_s = t . grad u and u_ss = t . D^2 u t - kappa n . grad u.
                add(sp.diff(u, c), -(e * b + 2 * f * b1) * t + f * b * curve.curvature * n)
                for c2, t2 in zip(coordinates, curve.tangents.T, strict=True):
                    add(sp.diff(u, c, c2), -f * b * t * t2)
        return self.stated(total, coordinates, name)

    def stated(self, total: Mapping[Any, np.ndarray], coordinates: Sequence[sp.Symbol], name: str) -> sp.Expr:
        """A sum of atoms with factors given at the nodes."""
        largest = max(np.abs(v).max() for v in total.values()) or 1.0
        made: list[sp.Expr] = []
        for k, (atom, factor) in enumerate(total.items()):
            if np.abs(factor).max() > NOTHING * largest:
                made.append(atom * known(f"{name}{k}", self.curve.function(factor / largest), coordinates))
        return sp.Add(*made)
