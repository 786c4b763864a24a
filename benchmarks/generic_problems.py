"""Random problems of the plane that no formula solves: a domain, an operator and a source from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


@dataclass(frozen=True, eq=False)
class Generic:
    """A problem: corners of the outline (none for a disk of radius 1), holes, coefficients and terms."""

    name: str
    corners: tuple[tuple[float, float], ...]
    holes: tuple[tuple[float, float, float], ...]
    stiffness: tuple[tuple[sp.Expr, sp.Expr], tuple[sp.Expr, sp.Expr]]
    wind: tuple[sp.Expr, sp.Expr]
    level: sp.Expr
    cubic: float
    source: sp.Expr

    def problem(self) -> tn.Problem:
        domain: tn.Domain = tn.Polygon(list(self.corners)) if self.corners else tn.Disk()
        for a, b, r in self.holes:
            domain = domain - tn.Disk((a, b), radius=r)
        slope = (sp.diff(u, x), sp.diff(u, y))
        flux = [sum(k * g for k, g in zip(row, slope, strict=True)) for row in self.stiffness]
        left = -sp.diff(flux[0], x) - sp.diff(flux[1], y) + self.wind[0] * slope[0] + self.wind[1] * slope[1]
        left += self.level * u + self.cubic * u**3
        return tn.Problem(domain, [sp.Eq(left, self.source)], [tn.on("boundary", u)])


def random_problem(rng: np.random.Generator) -> Generic:
    kind = rng.choice(["convex", "reentrant", "disk", "disk with a hole", "rectangle", "rectangle with a hole"])
    holes: tuple[tuple[float, float, float], ...] = ()
    if kind == "convex":
        angles = np.sort(rng.uniform(0, 2 * np.pi / 5, 5) + 2 * np.pi * np.arange(5) / 5)
        corners = tuple((float(1.2 * np.cos(a)), float(np.sin(a))) for a in angles)
    elif kind == "reentrant":
        a, b = rng.uniform(-0.2, 0.3, 2)
        corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, float(b)), (float(a), float(b)), (float(a), 1.0), (-1.0, 1.0))
    elif kind.startswith("rectangle"):
        a, b = rng.uniform(0.6, 1.2, 2)
        corners = ((-float(a), -float(b)), (float(a), -float(b)), (float(a), float(b)), (-float(a), float(b)))
    else:
        corners = ()
    if kind.endswith("hole"):
        holes = ((*(float(v) for v in rng.uniform(-0.2, 0.2, 2)), float(rng.uniform(0.15, 0.3))),)
    one, zero = sp.Integer(1), sp.Integer(0)
    a, b, c = (sp.Rational(int(1000 * v), 1000) for v in rng.uniform(0.5, 2.0, 3))
    operator = rng.choice(["Poisson", "variable", "anisotropic", "convection", "Helmholtz", "reaction", "cubic"])
    k = {
        "variable": ((1 + x**2 * a / 2, zero), (zero, 1 + x**2 * a / 2)),
        "anisotropic": ((2 + sp.sin(x), one / 2), (one / 2, 1 + y**2 / 2)),
    }.get(str(operator), ((one, zero), (zero, one)))
    wind = (5 * a * y, -5 * a * x) if operator == "convection" else (zero, zero)
    level = {"Helmholtz": -(10 + 5 * a * sp.exp(x / 2)), "reaction": 3 * b + x**2}.get(str(operator), zero)
    sources = [
        sp.exp(sp.sin(3 * a * x) + b * y),
        sp.sqrt(2 + a * x) * sp.cos(y**2 + c * x),
        1 / (1 + a * (x - y / 2) ** 2),
    ]
    source = sources[int(rng.integers(3))]
    return Generic(f"{operator}, {kind}", corners, holes, k, wind, level, 2.0 if operator == "cubic" else 0.0, source)
