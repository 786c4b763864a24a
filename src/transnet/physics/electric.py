"""Electrostatics and magnetostatics, with eddy currents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.other_words import Answering
from transnet.physics.stated import by_component, number_or_formula, space_of, time_of, unknown_of
from transnet.problem import Condition, div, grad, normal, on
from transnet.problem.by_piece import ByPiece, by_piece

EPSILON_0 = 8.8541878128e-12
"""The permittivity of the vacuum in F/m (CODATA 2018)."""
MU_0 = 1.25663706212e-6
"""The permeability of the vacuum in H/m (CODATA 2018)."""


@dataclass(frozen=True, eq=False)
class Electrostatics(Answering):
    """A static electric field; made by `tn.electrostatics`.

    div(permittivity grad V) + charge = 0,   field = -grad V
    """

    potential: sp.Expr
    permittivity: sp.Expr
    charge: sp.Expr

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(self.potential)

    @property
    def equations(self) -> list[sp.Expr]:
        """What holds in the insulators, an expression that is zero."""
        return [div(self.permittivity * grad(self.potential, *self.space), *self.space) + self.charge]

    @property
    def field(self) -> sp.Matrix:
        """The electric field, -grad V; `E` is short for it."""
        return -grad(self.potential, *self.space)

    E = field

    @property
    def D(self) -> sp.Matrix:
        """The displacement, permittivity E."""
        return self.permittivity * self.field

    @cached_property
    def surface_charge(self) -> sp.Expr:
        """The charge per area of a conductor at the boundary, permittivity dV/dn with n into the conductor.

        Its integral over an electrode at a voltage U is the charge Q, and Q / U the capacitance.
        """
        return -self.permittivity * self.field.dot(normal(*self.space))

    @property
    def energy(self) -> sp.Expr:
        """The energy per volume, permittivity |field|^2 / 2; the capacitance is twice its integral over U^2."""
        return self.permittivity * sum(e**2 for e in self.field) / 2

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        named = {"electric_field": self.field, "surface_charge": self.surface_charge, "field_energy": self.energy}
        return by_component(named, self.space)

    # -- conditions --------------------------------------------------------------------------------------------------
    def electrode(self, part: str, voltage: Any, *, where: Any = None) -> Condition:
        """A conductor at a voltage."""
        return on(part, sp.Eq(self.potential, number_or_formula(voltage, "A voltage"), evaluate=False), where=where)

    def insulated(self, part: str, *, where: Any = None) -> Condition:
        """No field through a part: a symmetry line, or the far edge of an insulator."""
        return on(part, self.surface_charge, where=where)


@explained
def electrostatics(V: Any, permittivity: Any = EPSILON_0, *, charge: Any = 0) -> Electrostatics:
    """A static electric field, and currents in conductors, which have the same equation.

    `field.equations` are its equations; `field.E`, `D`, `surface_charge` and `energy` are expressions for results and
    pictures; `field.electrode(part, voltage)` and `insulated` are conditions.

    Parameters
    ----------
    V : unknown
        The potential.
    permittivity : number, expression or `tn.by_piece`
        That of the vacuum, 8.854e-12 F/m, by default; for steady currents the conductivity.
    charge : optional
        The charge per volume.
    """
    potential = unknown_of(V, "tn.electrostatics")
    return Electrostatics(
        potential, number_or_formula(permittivity, "The permittivity"), number_or_formula(charge, "The charge")
    )


@dataclass(frozen=True, eq=False)
class Magnetostatics(Answering):
    """A magnetic field in the plane, from currents across it; made by `tn.magnetostatics`.

        div(grad A / permeability) + current = conductivity A_t,   B = (A_y, -A_x)

    With an angular `frequency` A is complex, its time factor is exp(i frequency t) and A_t is i frequency A.
    """

    potential: sp.Expr
    permeability: sp.Expr
    current: sp.Expr
    conductivity: sp.Expr
    frequency: sp.Expr | None

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(self.potential)

    @property
    def _induced(self) -> sp.Expr:
        """The rate of change of the potential, which drives the eddy currents."""
        t = time_of(self.potential)
        if self.frequency is not None:
            return sp.I * self.frequency * self.potential
        return sp.Integer(0) if t is None else sp.diff(self.potential, t)

    @property
    def equations(self) -> list[sp.Expr]:
        """What holds, an expression that is zero."""
        pushed = div(grad(self.potential, *self.space) / self.permeability, *self.space)
        return [pushed + self.current - self.conductivity * self._induced]

    @property
    def B(self) -> sp.Matrix:
        """The flux density, (A_y, -A_x)."""
        x, y = self.space
        return sp.Matrix([sp.diff(self.potential, y), -sp.diff(self.potential, x)])

    @property
    def H(self) -> sp.Matrix:
        """The field strength, B / permeability."""
        return self.B / self.permeability

    @property
    def energy(self) -> sp.Expr:
        """The energy per volume, |B|^2 / (2 permeability); half of it on average for an alternating field.

        The inductance per length is twice its integral over the square of the current.
        """
        half = 2 if self.frequency is None else 4
        return sum(sp.Abs(b) ** 2 if self.frequency is not None else b**2 for b in self.B) / (half * self.permeability)

    @property
    def current_density(self) -> sp.Expr:
        """The current with the eddy currents, current - conductivity A_t."""
        return self.current - self.conductivity * self._induced

    @property
    def losses(self) -> sp.Expr:
        """The heat per volume, current_density^2 / conductivity; half of |current_density|^2 with a frequency.

        Zero where the conductivity is: the `current` of a winding has no losses there.
        """
        if self.frequency is None:
            return self._resistivity * self.current_density**2
        return self._resistivity * sp.Abs(self.current_density) ** 2 / 2

    @property
    def _resistivity(self) -> sp.Expr:
        """1 / conductivity, and zero in insulators."""
        if isinstance(self.conductivity, ByPiece):
            return by_piece({name: v and 1 / v for name, v in self.conductivity.values.items()})
        return sp.Integer(0) if self.conductivity == 0 else 1 / self.conductivity

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        scalars = {"current_density": self.current_density, "losses": self.losses, "field_energy": self.energy}
        return by_component({"B": self.B, "H": self.H, **scalars}, self.space)

    # -- conditions --------------------------------------------------------------------------------------------------
    def far(self, part: str, *, where: Any = None) -> Condition:
        """A part along which the field lines run: the far edge, or a symmetry line between opposite currents."""
        return on(part, self.potential, where=where)

    def crossed(self, part: str, *, where: Any = None) -> Condition:
        """A part that the field lines cross at right angles: a symmetry line, or the face of perfect iron."""
        n = normal(*self.space)
        return on(part, sum(n[i] * sp.diff(self.potential, c) for i, c in enumerate(self.space)), where=where)


@explained
def magnetostatics(
    A: Any, permeability: Any = MU_0, *, current: Any = 0, conductivity: Any = 0, frequency: Any = None
) -> Magnetostatics:
    """A magnetic field in the plane with its quantities by name, static or with eddy currents.

    `field.equations` are its equations; `field.B`, `H`, `energy`, `current_density` and `losses` are expressions for
    results and pictures; `field.far(part)` and `crossed` are conditions.

    Parameters
    ----------
    A : unknown
        The component of the vector potential across the plane; with a `frequency` a complex unknown.
    permeability : number, expression or `tn.by_piece`
        That of the vacuum, 4 pi 1e-7 H/m, by default: `tn.by_piece(iron=1000 * mu0, air=mu0)`.
    current : optional
        The current density across the plane; in a conductor, conductivity times the source field.
    conductivity : optional
        That of conductors, in which eddy currents flow.
    frequency : optional
        The angular frequency of alternating currents.
    """
    potential = unknown_of(A, "tn.magnetostatics")
    if len(space_of(potential)) != 2:
        raise ProblemError("tn.magnetostatics is for the plane: A is the component across it, tn.unknown('A', x, y).")
    if frequency is not None and not potential.has(sp.I):
        raise ProblemError("With a frequency the potential is complex: A = tn.unknown('A', x, y, complex=True).")
    return Magnetostatics(
        potential,
        number_or_formula(permeability, "The permeability"),
        number_or_formula(current, "The current"),
        number_or_formula(conductivity, "The conductivity"),
        None if frequency is None else number_or_formula(frequency, "The frequency"),
    )
