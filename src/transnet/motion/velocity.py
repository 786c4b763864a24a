"""`tn.moving`: a shape that is carried along by a velocity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from transnet.calls import explained, shown
from transnet.errors import GeometryError
from transnet.formulas import formula_of
from transnet.geometry import Domain
from transnet.geometry.symbolic import Sized
from transnet.motion.affine import carried_along


@explained
def moving(domain: Domain, velocity: Sequence[Any], *coordinates: sp.Symbol, time: sp.Symbol | None = None) -> Sized:
    """A shape that moves with a velocity, for a product with time: `tn.moving(body, (1, 0)) * tn.Interval(t=(0, 2))`.

    Parameters
    ----------
    domain : Domain
        The shape at t = 0.
    velocity : sequence of formulas
        One for each coordinate, linear in the coordinates: translations, rotations, growth and shear.
    coordinates : symbols, optional
        x, y, ... in the order of the shape; by default the symbols of these names in the velocity.
    time : symbol, optional
        t by default.
    """
    if not isinstance(domain, Domain) or isinstance(domain, Sized):
        raise GeometryError(f"tn.moving takes a shape with numbers for its sizes, not {shown(domain)}.")
    speeds = sp.Matrix([formula_of(v, "A velocity of tn.moving", GeometryError) for v in velocity])
    if len(speeds) != domain.dimension:
        raise GeometryError(
            f"The velocity has {len(speeds)} components, and {domain} has {domain.dimension} coordinates."
        )
    by_name = {s.name: s for s in speeds.free_symbols}
    names = [n or m for n, m in zip(domain.names, "xyz", strict=False)]
    axes = list(coordinates) or [by_name.get(str(n), sp.Symbol(str(n))) for n in names]
    t = time or by_name.get("t", sp.Symbol("t"))
    gradient = speeds.jacobian(axes)
    rest = sp.simplify(speeds - gradient * sp.Matrix(axes))
    if gradient.free_symbols & set(axes) or rest.free_symbols & set(axes):
        raise GeometryError(
            f"The velocity {tuple(speeds)} is not linear in {', '.join(map(str, axes))}, and what becomes of the shape "
            f"is not known as a formula. Translations, rotations, growth and shear are linear."
        )
    matrix = _flow(gradient, t)
    shift = matrix * (matrix.inv() * rest).applyfunc(lambda e: sp.integrate(e, (t, 0, t)))
    return Sized(carried_along, (domain, sp.simplify(matrix).tolist(), list(sp.simplify(shift))), {}, frozenset({t}))


def _flow(gradient: sp.Matrix, t: sp.Symbol) -> sp.Matrix:
    """The solution of M' = gradient M, M(0) = 1."""
    d = gradient.shape[0]
    if t not in gradient.free_symbols:
        real = sp.Dummy(real=True)
        flow = (gradient * real).exp().applyfunc(lambda e: sp.simplify(sp.re(sp.expand_complex(e))))
        return sp.Matrix(flow.xreplace({real: t}))
    if gradient == gradient[0, 0] * sp.eye(d):
        return sp.exp(sp.integrate(gradient[0, 0], (t, 0, t))) * sp.eye(d)
    raise GeometryError(
        "The gradient of the velocity depends on time and on the direction. State the motion by the sizes of the shape "
        "instead, such as tn.Box(x=(0, 1 + t), y=(0, 1)) * tn.Interval(t=(0, 1))."
    )
