"""Waves: in time, and at one frequency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from transnet.calls import explained
from transnet.errors import ProblemError
from transnet.other_words import Answering
from transnet.physics.stated import number_or_formula, space_of, time_of, unknown_of
from transnet.problem import Condition, grad, laplacian, normal_derivative, on


@dataclass(frozen=True, eq=False)
class Waves(Answering):
    """Sound, light or a membrane; made by `tn.waves`.

    u_tt = speed^2 lap u + source, or at one frequency lap u + wavenumber^2 u + source = 0.
    """

    field: sp.Expr
    speed: sp.Expr
    wavenumber: sp.Expr | None
    source: sp.Expr

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(self.field)

    @property
    def equations(self) -> list[sp.Expr]:
        """What holds, an expression that is zero."""
        spread = laplacian(self.field, *self.space)
        if self.wavenumber is not None:
            return [spread + self.wavenumber**2 * self.field + self.source]
        return [self.speed**2 * spread + self.source - sp.diff(self.field, time_of(self.field), 2)]

    @property
    def energy(self) -> sp.Expr:
        """The energy per volume, (u_t^2 + speed^2 |grad u|^2) / 2; at one frequency (|grad u|^2 + k^2 |u|^2) / 4."""
        steep = grad(self.field, *self.space)
        if self.wavenumber is None:
            return (sp.diff(self.field, time_of(self.field)) ** 2 + self.speed**2 * sum(s**2 for s in steep)) / 2
        return (sum(sp.Abs(s) ** 2 for s in steep) + self.wavenumber**2 * sp.Abs(self.field) ** 2) / 4

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        return {"wave_energy": self.energy}

    # -- conditions --------------------------------------------------------------------------------------------------
    def held(self, part: str, value: Any = 0, *, where: Any = None) -> Condition:
        """The value on a part: a clamped membrane, a source."""
        return on(part, sp.Eq(self.field, number_or_formula(value, "The value"), evaluate=False), where=where)

    def hard(self, part: str, *, where: Any = None) -> Condition:
        """A part that reflects with a free end: a hard wall for sound."""
        return on(part, normal_derivative(self.field, *self.space), where=where)

    def absorbing(self, part: str, *, where: Any = None) -> Condition:
        """A part that lets waves at right angles leave: u_t + speed u_n = 0, or u_n = i wavenumber u."""
        slope = normal_derivative(self.field, *self.space)
        if self.wavenumber is None:
            return on(part, sp.diff(self.field, time_of(self.field)) + self.speed * slope, where=where)
        if not self.field.has(sp.I):
            raise ProblemError("A wave that leaves is complex: u = tn.unknown('u', x, y, complex=True).")
        return on(part, slope - sp.I * self.wavenumber * self.field, where=where)


@explained
def waves(u: Any, *, speed: Any = 1, wavenumber: Any = None, source: Any = 0) -> Waves:
    """Waves in time, or at one frequency if a `wavenumber` is given.

    `wave.equations` are its equations; `wave.energy` is an expression for results; `wave.held(part)`, `hard` and
    `absorbing` are conditions. The modes of a waveguide are `tn.eigenpairs` with `wavenumber=sympy.sqrt(lam)`.

    Parameters
    ----------
    u : unknown
        The pressure, field or deflection; of `t` for waves in time.
    speed : optional
        Their speed.
    wavenumber : optional
        2 pi over the wavelength: a number, a formula or `tn.by_piece`.
    source : optional
        What drives them.
    """
    field = unknown_of(u, "tn.waves")
    if (wavenumber is None) == (time_of(field) is None):
        raise ProblemError(
            "Waves are in time, tn.unknown('u', x, t) without a wavenumber, or at one frequency, wavenumber=k for an "
            "unknown of space alone."
        )
    number = None if wavenumber is None else number_or_formula(wavenumber, "The wavenumber")
    return Waves(field, number_or_formula(speed, "The speed"), number, number_or_formula(source, "The source"))
