"""Random problems that no formula solves: a domain, an operator, conditions and a source from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

import transnet as tn

x, y, z, s = sp.symbols("x y z s")
u = tn.unknown("u", x, y)
v = tn.unknown("v", x, y, z)
Matrix = tuple[tuple[sp.Expr, sp.Expr], tuple[sp.Expr, sp.Expr]]
DOMAINS = (
    "convex", "reentrant", "disk", "disk with a hole", "rectangle", "rectangle with a hole", "oval", "star",
    "disk with two holes",
)  # fmt: skip
OPERATORS = ("Poisson", "variable", "anisotropic", "convection", "Helmholtz", "reaction", "cubic")
BODIES = ("box", "ball")
IN_SPACE = ("Poisson", "reaction", "Helmholtz", "convection")
ROBIN = 2.0


@dataclass(frozen=True, eq=False)
class Generic:
    """A plane problem: corners of the outline (none for a curve around the origin), holes, coefficients and terms.

    The outline without corners is the image of the unit circle under (x, y) -> (x, a y) (1 + b Re (x + i y)^3). With
    `robin` the flux on one side, or on the curve, is -2 u; elsewhere u = 0.
    """

    kind: str
    operator: str
    corners: tuple[tuple[float, float], ...]
    bent: tuple[float, float]
    holes: tuple[tuple[float, float, float], ...]
    stiffness: Matrix
    wind: tuple[sp.Expr, sp.Expr]
    level: sp.Expr
    cubic: float
    source: sp.Expr
    robin: bool

    @property
    def name(self) -> str:
        return f"{self.operator}, {self.kind}{', Robin' if self.robin else ''}"

    def domain(self) -> tn.Domain:
        a, b = self.bent
        if self.corners:
            names = [f"side{k}" for k in range(len(self.corners))]
            domain: tn.Domain = tn.Polygon(list(self.corners), names=names)
        elif (a, b) == (1.0, 0.0):
            domain = tn.Disk(name="side0")
        else:
            wave = 1 + b * sp.cos(3 * s)
            domain = tn.Region(
                outer=tn.Curve((wave * sp.cos(s), a * wave * sp.sin(s)), (s, 0, 2 * sp.pi), name="side0")
            )
        for k, (p, q, r) in enumerate(self.holes):
            domain = domain - tn.Disk((p, q), radius=r, name=f"hole{k}")
        return domain

    def problem(self) -> tn.Problem:
        domain = self.domain()
        slope = (sp.diff(u, x), sp.diff(u, y))
        flux = [sum(k * g for k, g in zip(row, slope, strict=True)) for row in self.stiffness]
        left = -sp.diff(flux[0], x) - sp.diff(flux[1], y) + self.wind[0] * slope[0] + self.wind[1] * slope[1]
        left += self.level * u + self.cubic * u**3
        conditions = [tn.on("boundary", u)]
        if self.robin:
            outward = self.stiffness[0][0] * tn.normal_derivative(u)
            held = [tn.on(part, u) for part in domain.parts if part != "side0"]
            conditions = [tn.on("side0", sp.Eq(outward + ROBIN * u, 0)), *held]
        return tn.Problem(domain, [sp.Eq(left, self.source)], conditions)


@dataclass(frozen=True, eq=False)
class Body:
    """A problem in a box or in the unit ball: -div grad v + wind . grad v + level v = source, v = 0 on the boundary."""

    kind: str
    operator: str
    size: tuple[float, float, float]
    wind: tuple[sp.Expr, sp.Expr, sp.Expr]
    level: sp.Expr
    source: sp.Expr

    @property
    def name(self) -> str:
        return f"{self.operator}, {self.kind}"

    def problem(self) -> tn.Problem:
        a, b, c = self.size
        domain = tn.Box(x=(0, a), y=(0, b), z=(0, c)) if self.kind == "box" else tn.Ball()
        carried = sum(w * sp.diff(v, t) for w, t in zip(self.wind, (x, y, z), strict=True))
        left = -tn.laplacian(v) + carried + self.level * v
        return tn.Problem(domain, [sp.Eq(left, self.source)], [tn.on("boundary", v)])


def random_problem(rng: np.random.Generator) -> Generic:
    kind, operator = str(rng.choice(DOMAINS)), str(rng.choice(OPERATORS))
    holes: tuple[tuple[float, float, float], ...] = ()
    corners: tuple[tuple[float, float], ...] = ()
    bent = (1.0, 0.0)
    if kind == "convex":
        angles = np.sort(rng.uniform(0, 2 * np.pi / 5, 5) + 2 * np.pi * np.arange(5) / 5)
        corners = tuple((float(1.2 * np.cos(a)), float(np.sin(a))) for a in angles)
    elif kind == "reentrant":
        a, b = rng.uniform(-0.2, 0.3, 2)
        corners = ((-1.0, -1.0), (1.0, -1.0), (1.0, float(b)), (float(a), float(b)), (float(a), 1.0), (-1.0, 1.0))
    elif kind.startswith("rectangle"):
        a, b = rng.uniform(0.6, 1.2, 2)
        corners = ((-float(a), -float(b)), (float(a), -float(b)), (float(a), float(b)), (-float(a), float(b)))
    elif kind == "oval":
        bent = (round(float(rng.uniform(0.5, 0.8)), 3), 0.0)
    elif kind == "star":
        bent = (1.0, round(float(rng.uniform(0.05, 0.12)), 3))
    if kind.endswith("hole"):
        holes = ((*(float(t) for t in rng.uniform(-0.2, 0.2, 2)), float(rng.uniform(0.15, 0.3))),)
    elif kind.endswith("holes"):
        p, q = rng.uniform(-0.15, 0.15, 2)
        radii = rng.uniform(0.12, 0.22, 2)
        holes = ((-0.45, float(p), float(radii[0])), (0.45, float(q), float(radii[1])))
    one, zero = sp.Integer(1), sp.Integer(0)
    a, b, c = (sp.Rational(int(1000 * t), 1000) for t in rng.uniform(0.5, 2.0, 3))
    k = {
        "variable": ((1 + x**2 * a / 2, zero), (zero, 1 + x**2 * a / 2)),
        "anisotropic": ((2 + sp.sin(x), one / 2), (one / 2, 1 + y**2 / 2)),
    }.get(operator, ((one, zero), (zero, one)))
    wind = (5 * a * y, -5 * a * x) if operator == "convection" else (zero, zero)
    level = {"Helmholtz": -(10 + 5 * a * sp.exp(x / 2)), "reaction": 3 * b + x**2}.get(operator, zero)
    sources = [
        sp.exp(sp.sin(3 * a * x) + b * y),
        sp.sqrt(2 + a * x) * sp.cos(y**2 + c * x),
        1 / (1 + a * (x - y / 2) ** 2),
    ]
    source = sources[int(rng.integers(3))]
    robin = operator != "anisotropic" and bool(rng.uniform() < 0.3)
    cubic = 2.0 if operator == "cubic" else 0.0
    return Generic(kind, operator, corners, bent, holes, k, wind, level, cubic, source, robin)


def random_body(rng: np.random.Generator) -> Body:
    kind, operator = str(rng.choice(BODIES)), str(rng.choice(IN_SPACE))
    size = tuple(round(float(t), 3) for t in rng.uniform(0.7, 1.3, 3))
    a, b, c = (sp.Rational(int(1000 * t), 1000) for t in rng.uniform(0.5, 2.0, 3))
    zero = sp.Integer(0)
    wind = (3 * a * y, -3 * a * x, b) if operator == "convection" else (zero, zero, zero)
    level = {"Helmholtz": -(3 + a * sp.exp(x / 2)), "reaction": 3 * b + x**2}.get(operator, zero)
    sources = [sp.exp(sp.sin(2 * a * x) + b * y - z), sp.cos(y**2 + c * x * z), 1 / (1 + a * (x - y / 2 + z) ** 2)]
    return Body(kind, operator, size, wind, level, sources[int(rng.integers(3))])
