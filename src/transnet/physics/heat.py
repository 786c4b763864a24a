"""Conduction of heat, and every diffusion of its form: capacity (T_t + v.grad T) = div(k grad T) + source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from transnet.calls import explained
from transnet.other_words import Answering
from transnet.physics.stated import by_component, components, number_or_formula, space_of, time_of, unknown_of
from transnet.problem import Condition, div, grad, normal, on

STEFAN_BOLTZMANN = 5.670374419e-8
"""W / (m^2 K^4), from the constants of the SI."""


@dataclass(frozen=True, eq=False)
class Heat(Answering):
    """A body that conducts heat; made by `tn.heat`.

    capacity (T_t + v.grad T) = div(k grad T) + source,   flux = -k grad T
    """

    temperature: sp.Expr
    k: sp.Expr
    source: sp.Expr
    capacity: sp.Expr
    velocity: sp.Matrix

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(self.temperature)

    @property
    def flux(self) -> sp.Matrix:
        """The heat that flows through an area, -k grad T."""
        return -self.k * grad(self.temperature, *self.space)

    @property
    def equations(self) -> list[sp.Expr]:
        """What holds in the body, an expression that is zero."""
        t = time_of(self.temperature)
        carried = self.velocity.dot(grad(self.temperature, *self.space))
        stored = self.capacity * (carried + (0 if t is None else sp.diff(self.temperature, t)))
        return [div(self.k * grad(self.temperature, *self.space), *self.space) + self.source - stored]

    @cached_property
    def outflow(self) -> sp.Expr:
        """The heat that leaves through an area of the boundary, -k dT/dn."""
        return self.flux.dot(normal(*self.space))

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        return by_component({"heat_flux": self.flux, "outflow": self.outflow}, self.space)

    # -- conditions --------------------------------------------------------------------------------------------------
    def held(self, part: str, value: Any, *, where: Any = None) -> Condition:
        """A temperature on a part."""
        return on(part, sp.Eq(self.temperature, number_or_formula(value, "A temperature"), evaluate=False), where=where)

    def insulated(self, part: str, *, where: Any = None) -> Condition:
        """No flow of heat through a part."""
        return on(part, self.outflow, where=where)

    def heated(self, part: str, power: Any, *, where: Any = None) -> Condition:
        """Heat that enters through a part, per area."""
        return on(
            part, sp.Eq(-self.outflow, number_or_formula(power, "The heat that enters"), evaluate=False), where=where
        )

    def cooled(self, part: str, h: Any, ambient: Any, *, where: Any = None) -> Condition:
        """An exchange with surroundings: outflow = h (T - ambient), h the heat transfer coefficient (U of a window)."""
        h, outside = number_or_formula(h, "h"), number_or_formula(ambient, "The temperature outside")
        return on(part, sp.Eq(self.outflow, h * (self.temperature - outside), evaluate=False), where=where)

    def radiating(
        self, part: str, emissivity: Any, ambient: Any, sigma: Any = STEFAN_BOLTZMANN, *, where: Any = None
    ) -> Condition:
        """Radiation to surroundings, temperatures in kelvin: outflow = emissivity sigma (T^4 - ambient^4)."""
        factor = number_or_formula(emissivity, "The emissivity") * number_or_formula(sigma, "sigma")
        outside = number_or_formula(ambient, "The temperature outside")
        return on(part, sp.Eq(self.outflow, factor * (self.temperature**4 - outside**4), evaluate=False), where=where)


@explained
def heat(T: Any, k: Any = 1, *, source: Any = 0, capacity: Any = 1, velocity: Any = 0) -> Heat:
    """Conduction of heat, or any diffusion: mixing of a substance is the same equation.

    `body.equations` are its equations; `body.flux` and `body.outflow` are expressions for results and pictures;
    `body.held(part, value)`, `insulated`, `heated`, `cooled` and `radiating` are conditions.

    Parameters
    ----------
    T : unknown
        The temperature, or the concentration; steady unless it depends on `t`.
    k : number, expression or `tn.by_piece`
        The conductivity, or the diffusivity.
    source : optional
        Heat per volume and time.
    capacity : optional
        The heat capacity per volume, density times specific heat; 1 for a concentration.
    velocity : vector, optional
        That of a fluid which carries it: `fluid.velocity`, or formulas.
    """
    field = unknown_of(T, "tn.heat")
    return Heat(
        field,
        number_or_formula(k, "k"),
        number_or_formula(source, "The source"),
        number_or_formula(capacity, "The capacity"),
        components(velocity, len(space_of(field)), "The velocity"),
    )
