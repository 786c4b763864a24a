"""Incompressible flow: Stokes without a density, Navier and Stokes with one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from transnet.calls import explained
from transnet.other_words import Answering
from transnet.physics.stated import (
    by_component,
    components,
    is_constant,
    number_or_formula,
    space_of,
    time_of,
    unknown_of,
    vector_of,
)
from transnet.problem import Condition, curl, div, grad, laplacian, normal, on
from transnet.problem.unknowns import lagged


@dataclass(frozen=True, eq=False)
class Flow(Answering):
    """An incompressible flow; made by `tn.flow`.

        density (v_t + v.grad v) = div(stress) + force,   div v = 0,   stress = -p I + viscosity (grad v + grad v^T)

    Without a density the left-hand side is zero (Stokes).
    """

    velocity: sp.Matrix
    pressure: sp.Expr
    viscosity: sp.Expr
    density: sp.Expr | None
    force: sp.Matrix
    picard: bool

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(*self.velocity)

    @cached_property
    def stress(self) -> sp.Matrix:
        """-p I + viscosity (grad v + grad v^T)."""
        gradient = grad(self.velocity, *self.space)
        return self.viscosity * (gradient + gradient.T) - self.pressure * sp.eye(len(self.space))

    @property
    def equations(self) -> list[sp.Expr]:
        """The momentum, one equation for each component, and the continuity; each an expression that is zero."""
        if is_constant(self.viscosity, self.space):
            # div v = 0 makes the two forms equal, and this one is shorter.
            pushed = self.viscosity * laplacian(self.velocity, *self.space) - grad(self.pressure, *self.space)
        else:
            pushed = div(self.stress, *self.space)
        rows = [a + f - m for a, f, m in zip(pushed, self.force, self._inertia(), strict=True)]
        return [*rows, div(self.velocity, *self.space)]

    def _inertia(self) -> list[sp.Expr]:
        """The density times the acceleration of the fluid."""
        if self.density is None:
            return [sp.Integer(0)] * len(self.space)
        t = time_of(*self.velocity)
        carrier = [lagged(v) if self.picard else v for v in self.velocity]
        found = []
        for v in self.velocity:
            carried = sum(c * sp.diff(v, x) for c, x in zip(carrier, self.space, strict=True))
            found.append(self.density * (carried + (0 if t is None else sp.diff(v, t))))
        return found

    @cached_property
    def traction(self) -> sp.Matrix:
        """The force per area of the fluid outside a boundary on that inside, stress n."""
        return self.stress * normal(*self.space)

    @property
    def vorticity(self) -> Any:
        """curl v: a scalar in the plane, a vector in space."""
        return curl(self.velocity, *self.space)

    @property
    def speed(self) -> sp.Expr:
        """|v|."""
        return sp.sqrt(sum(v**2 for v in self.velocity))

    @cached_property
    def shear_rate(self) -> sp.Expr:
        """sqrt(2 e:e) with the strain rate e."""
        gradient = grad(self.velocity, *self.space)
        return sp.sqrt(sum(e**2 for e in gradient + gradient.T) / 2)

    @property
    def dissipation(self) -> sp.Expr:
        """The heat from friction per volume, viscosity times the square of the shear rate."""
        return self.viscosity * self.shear_rate**2

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        named = {"stress": self.stress, "traction": self.traction, "vorticity": self.vorticity, "speed": self.speed}
        return by_component({**named, "shear_rate": self.shear_rate, "dissipation": self.dissipation}, self.space)

    # -- conditions --------------------------------------------------------------------------------------------------
    def wall(self, part: str, *, where: Any = None) -> Condition:
        """A wall to which the fluid sticks."""
        return self.inflow(part, *([0] * len(self.space)), where=where)

    def inflow(self, part: str, *velocity: Any, where: Any = None) -> Condition:
        """The velocity on a part, one value for each coordinate: an inflow, or a wall that moves."""
        values = components(list(velocity), len(self.space), "A velocity")
        return on(part, *(sp.Eq(v, w, evaluate=False) for v, w in zip(self.velocity, values, strict=True)), where=where)

    def outlet(self, part: str, pressure: Any = 0, *, where: Any = None) -> Condition:
        """An open end: viscosity v_n - p n = -pressure n, which a developed flow passes without a layer."""
        outside = number_or_formula(pressure, "The pressure outside")
        n = normal(*self.space)
        rows = [
            self.viscosity * sum(n[j] * sp.diff(v, x) for j, x in enumerate(self.space))
            - (self.pressure - outside) * n[i]
            for i, v in enumerate(self.velocity)
        ]
        return on(part, *rows, where=where)


@explained
def flow(v: Any, p: Any, viscosity: Any, *, density: Any = None, force: Any = 0, picard: bool = False) -> Flow:
    """An incompressible flow with its stresses by name.

    `fluid.equations` are its equations; `fluid.stress`, `traction`, `vorticity`, `speed`, `shear_rate` and
    `dissipation` are expressions for results and pictures; `fluid.wall(part)`, `inflow` and `outlet` are conditions. A
    pressure that no outlet fixes has a level: add `tn.mean(p)`.

    Parameters
    ----------
    v, p : vector, unknown
        The velocity, `tn.vector("v", x, y)`, and the pressure, `tn.unknown("p", x, y)`.
    viscosity : number or expression
        The dynamic viscosity.
    density : number, optional
        With a density the flow has inertia (Navier-Stokes), without it none (Stokes).
    force : vector, optional
        The force per volume.
    picard : bool
        Whether the carrying velocity is held, for `tn.Picard`.
    """
    field = vector_of(v, "tn.flow")
    return Flow(
        field,
        unknown_of(p, "The pressure of tn.flow"),
        number_or_formula(viscosity, "The viscosity"),
        None if density is None else number_or_formula(density, "The density"),
        components(force, len(field), "The force per volume"),
        picard,
    )
