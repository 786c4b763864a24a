"""Linear elasticity: div(stress) + force = density u_tt, stress by Hooke's law."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.other_words import Answering
from transnet.physics.stated import by_component, components, number_or_formula, space_of, time_of, vector_of
from transnet.problem import Condition, div, grad, normal, on
from transnet.problem.by_piece import ByPiece

SMALLEST = sp.Float(1e-300)
"""Keeps the angle of the principal stresses finite where there is no stress."""


@dataclass(frozen=True, eq=False)
class Elasticity(Answering):
    """An isotropic elastic body; made by `tn.elasticity`.

    With the strain e = (grad u + grad u^T) / 2 and the shear modulus mu = E / 2 (1 + nu)

        stress = lam tr(e) I + 2 mu e - beta T I,   div(stress) + force = density u_tt

    where lam = E nu / (1 + nu) (1 - 2 nu) in space and in plane strain, and E nu / (1 - nu^2) in plane stress; beta
    is E expansion / (1 - 2 nu), and E expansion / (1 - nu) in plane stress.
    """

    displacement: sp.Matrix
    E: sp.Expr
    nu: sp.Expr
    plane: str | None
    force: sp.Matrix
    density: sp.Expr | None
    expansion: sp.Expr
    temperature: sp.Expr

    @property
    def space(self) -> tuple[sp.Symbol, ...]:
        """The coordinates of space."""
        return space_of(*self.displacement)

    @cached_property
    def strain(self) -> sp.Matrix:
        """(grad u + grad u^T) / 2."""
        gradient = grad(self.displacement, *self.space)
        return (gradient + gradient.T) / 2

    @cached_property
    def stress(self) -> sp.Matrix:
        """The stress in the coordinates of the problem; `stress[0, 1]` is the shear stress."""
        one, two = self.E / (1 - self.nu**2), self.E / ((1 + self.nu) * (1 - 2 * self.nu))
        lam = self.nu * (one if self.plane == "stress" else two)
        heated = self.E * self.expansion * self.temperature
        beta = heated / (1 - self.nu if self.plane == "stress" else 1 - 2 * self.nu)
        shear = self.E / (1 + self.nu)
        diagonal = lam * self.strain.trace() - beta
        size = len(self.space)
        return sp.Matrix(size, size, lambda i, j: shear * self.strain[i, j] + (diagonal if i == j else 0))

    @cached_property
    def out_of_plane(self) -> sp.Expr:
        """The normal stress across the plane: 0, or in plane strain nu (s_xx + s_yy) - E expansion T."""
        if self.plane != "strain":
            return sp.Integer(0)
        return self.nu * self.stress.trace() - self.E * self.expansion * self.temperature

    @property
    def equations(self) -> list[sp.Expr]:
        """What holds in the body, one equation for each component, each an expression that is zero."""
        t = time_of(*self.displacement)
        moved = [0 if t is None or self.density is None else self.density * sp.diff(u, t, 2) for u in self.displacement]
        return [a + f - m for a, f, m in zip(div(self.stress, *self.space), self.force, moved, strict=True)]

    @cached_property
    def traction(self) -> sp.Matrix:
        """The force per area on a boundary, stress n."""
        return self.stress * normal(*self.space)

    @cached_property
    def von_mises(self) -> sp.Expr:
        """The equivalent stress of von Mises, sqrt(3/2 s:s) with the deviator s."""
        entries = [self.stress[i, i] for i in range(len(self.space))]
        a, b, c = (*entries, self.out_of_plane)[:3]
        shears = sum(self.stress[i, j] ** 2 for i in range(len(self.space)) for j in range(i))
        return sp.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2 + 3 * shears)

    @cached_property
    def principal(self) -> tuple[sp.Expr, ...]:
        """The principal stresses, largest first: in the plane the two in it."""
        s = self.stress
        if len(self.space) == 2:
            middle, half = s.trace() / 2, sp.sqrt(((s[0, 0] - s[1, 1]) / 2) ** 2 + s[0, 1] ** 2)
            return middle + half, middle - half
        middle, size = s.trace() / 3, 2 * self.von_mises / 3
        (a, d, e), (_, b, f), (_, _, c) = (s - middle * sp.eye(3)).tolist()
        third = a * b * c + 2 * d * e * f - a * f**2 - b * e**2 - c * d**2  # its determinant
        angle = sp.acos(sp.Max(-1, sp.Min(1, 4 * third / (size**3 + SMALLEST)))) / 3
        return tuple(middle + size * sp.cos(angle - 2 * sp.pi * k / 3) for k in (0, 1, 2))

    @cached_property
    def energy(self) -> sp.Expr:
        """The elastic energy per volume, stress : strain / 2."""
        size = range(len(self.space))
        return sum(self.stress[i, j] * self.strain[i, j] for i in size for j in size) / 2

    @property
    def quantities(self) -> dict[str, Any]:
        """The names that formulas of a problem file may use."""
        found = {"stress": self.stress, "strain": self.strain, "traction": self.traction}
        principal = {f"principal_{k + 1}": s for k, s in enumerate(self.principal)}
        scalars = {"von_mises": self.von_mises, "elastic_energy": self.energy, **principal}
        return by_component({**found, **scalars}, self.space)

    # -- conditions --------------------------------------------------------------------------------------------------
    def fixed(self, part: str, *values: Any, where: Any = None) -> Condition:
        """The displacement on a part, or on the portion of it `where` something holds: zero, or the values given, one
        for each coordinate."""
        held = components(list(values) or 0, len(self.space), "A displacement")
        equations = (sp.Eq(u, v, evaluate=False) for u, v in zip(self.displacement, held, strict=True))
        return on(part, *equations, where=where)

    def load(self, part: str, *values: Any, where: Any = None) -> Condition:
        """A load per area on a part or a portion of it, one value for each coordinate: `body.load("right", 0, -1e6)`,
        `body.load("top", 0, -1e6, where=x < 0.2)`."""
        load = components(list(values), len(self.space), "A load per area")
        equations = (sp.Eq(t, v, evaluate=False) for t, v in zip(self.traction, load, strict=True))
        return on(part, *equations, where=where)

    def pressure(self, part: str, p: Any, *, where: Any = None) -> Condition:
        """A pressure on a part, against its outward normal."""
        return self.load(part, *(-number_or_formula(p, "A pressure") * n for n in normal(*self.space)), where=where)

    def free(self, part: str, *, where: Any = None) -> Condition:
        """No load on a part or a portion of it."""
        return self.load(part, *([0] * len(self.space)), where=where)

    def sliding(self, part: str, *, where: Any = None) -> Condition:
        """A part that moves along itself without friction, as a symmetry line does; in the plane."""
        if len(self.space) != 2:
            raise ProblemError(
                "In space state it by component: tn.on(part, u[0], body.stress[0, 1], body.stress[0, 2])."
            )
        n = normal(*self.space)
        return on(part, self.displacement.dot(n), self.traction[1] * n[0] - self.traction[0] * n[1], where=where)


@explained
def elasticity(
    u: Any,
    E: Any,
    nu: Any,
    *,
    plane: str | None = None,
    force: Any = 0,
    density: Any = None,
    expansion: Any = 0,
    temperature: Any = 0,
) -> Elasticity:
    """A linear elastic body with its stresses by name.

    `body.equations` are its equations; `body.stress`, `von_mises`, `principal`, `traction`, `strain` and `energy` are
    expressions for results and pictures; `body.fixed(part)`, `load`, `pressure`, `free` and `sliding` are conditions.

    Parameters
    ----------
    u : vector
        The displacement, `tn.vector("u", x, y)`.
    E, nu : number, expression or `tn.by_piece`
        Young's modulus and Poisson's ratio.
    plane : {"stress", "strain"}
        For a body in the plane: thin ("stress") or long ("strain").
    force : vector, optional
        The force per volume.
    density : number, optional
        For motion in time; without it a body that changes in time is in equilibrium at every moment.
    expansion, temperature : optional
        The thermal expansion per degree, and the temperature above that of the stress-free body: a number, a formula
        or another unknown.
    """
    field = vector_of(u, "tn.elasticity")
    if len(field) == 2 and plane not in ("stress", "strain"):
        raise ProblemError(
            f'A body in the plane is thin, plane="stress", or long, plane="strain"; plane={shown(plane)} is neither.'
        )
    if len(field) != 2 and plane is not None:
        raise ProblemError(f'plane={shown(plane)} is for a body in the plane, and "u" has {len(field)} components.')
    ratio = number_or_formula(nu, "nu")
    _check_ratio(ratio, incompressible=plane == "stress")
    return Elasticity(
        field,
        number_or_formula(E, "E"),
        ratio,
        plane,
        components(force, len(field), "The force per volume"),
        None if density is None else number_or_formula(density, "The density"),
        number_or_formula(expansion, "The thermal expansion"),
        number_or_formula(temperature, "The temperature"),
    )


def _check_ratio(nu: sp.Expr, incompressible: bool) -> None:
    """Refuse numbers that no material has: the energy is positive for -1 < nu < 1/2."""
    for value in nu.values.values() if isinstance(nu, ByPiece) else (nu,):
        if value.is_number and not (-1 < value < 0.5 or (incompressible and value == 0.5)):
            cause = (
                "at 1/2 the body keeps its volume and the stress is not given by the displacement. Take 0.499, or "
                'plane="stress"'
                if value == 0.5
                else "steel has 0.3"
            )
            raise ProblemError(f"Poisson's ratio nu is between -1 and 1/2, not {float(value):g}: {cause}.")
