"""The problems with known solutions for which `constants.py` sweeps the constants of the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn

x, y, z, t = sp.symbols("x y z t", real=True)
u, v, w, s = tn.unknown("u", x, y), tn.unknown("u", x, y, z), tn.unknown("u", x, t), tn.unknown("u", t)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
RIDGE = sp.exp(-((x - sp.Rational(3, 10)) ** 2 + (y - sp.Rational(1, 2)) ** 2) * 20)
CORNER = tn.Polygon([(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)])
ANGLE = sp.Rational(2, 3) * (sp.atan2(-y, -x) + sp.pi)
ROOT = 3 * (x**2 + y**2) ** sp.Rational(1, 3)
SINGULAR = sp.cosh(ROOT * sp.cos(ANGLE)) * sp.sin(ROOT * sp.sin(ANGLE))
"""Im sinh(3 z^(2/3)): zero on both sides of the corner, with all powers that there are."""


@dataclass(frozen=True, eq=False)
class Case:
    """A problem with its solution."""

    problem: tn.Problem
    exact: sp.Expr

    def error(self, solution: tn.Solution) -> float:
        """The relative L2 error at a thousand points."""
        where = self.problem.domain.interior(1000, "quasi", 5)
        truth = sp.lambdify(list(self.problem.coordinates), self.exact, ["scipy", "numpy"])(*where.T)
        return float(np.linalg.norm(solution(where) - truth) / np.linalg.norm(truth))


def case(
    domain: tn.Domain,
    unknown: sp.Expr,
    operator: Callable[[sp.Expr], sp.Expr],
    exact: sp.Expr,
    *parts: str,
    source: Any = None,
) -> Case:
    """A manufactured problem with given values on parts of the boundary."""
    equation = sp.Eq(operator(unknown), operator(exact) if source is None else source)
    conditions = [tn.on(part, sp.Eq(unknown, exact)) for part in parts or ("boundary",)]
    return Case(tn.Problem(domain, [equation], conditions), exact)


def lap(*names: sp.Symbol) -> Callable[[sp.Expr], sp.Expr]:
    return lambda f: sp.Add(*(sp.diff(f, c, 2) for c in names))


SMOOTH = {
    "Poisson": case(SQUARE, u, lap(x, y), sp.exp(x) * sp.sin(3 * y) + x**2),
    "bump": case(SQUARE, u, lap(x, y), RIDGE),
    "Helmholtz": case(SQUARE, u, lambda f: lap(x, y)(f) + 400 * f, sp.sin(12 * x + 1) * sp.cos(16 * y)),
    "disk": case(tn.Disk(), u, lap(x, y), sp.exp(x) * sp.sin(4 * x - 3 * y)),
    "advection": case(SQUARE, u, lambda f: lap(x, y)(f) / 20 - sp.diff(f, x) - f * y, sp.exp(2 * x) * sp.cos(3 * y)),
    "heat": case(
        tn.Box(x=(0, 1), t=(0, 1)), w, lambda f: sp.diff(f, t) - sp.diff(f, x, 2) / 10,
        sp.exp(-t) * sp.sin(5 * x + t), "x=0", "x=1", "t=0",
    ),
    "space": case(tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)), v, lap(x, y, z), sp.exp(x) * sp.sin(2 * y - z)),
}  # fmt: skip
SINGULAR_CASES = {
    "L-shape": case(CORNER, u, lap(x, y), SINGULAR, source=0),
    "ring": case(
        tn.Disk(radius=1) - tn.Disk(center=(0.3, 0.1), radius=0.1), u, lap(x, y),
        sp.log((x - 0.34) ** 2 + (y - 0.12) ** 2) + x * y, source=0,
    ),
}  # fmt: skip

ENDS = ("x=0", "x=1", "t=0")


def evolution(rate: Callable[[sp.Expr], sp.Expr], exact: sp.Expr, stop: float = 1.0, source: Any = None) -> Case:
    """u_t = rate(u) + a source on an interval, from the exact solution at the start and at the ends."""
    domain = tn.Box(x=(0, 1), t=(0, stop))
    return case(domain, w, lambda f: sp.diff(f, t) - rate(f), exact, *ENDS, source=source)


LOST = sum(
    (-1) ** k * (sp.erfc((k + x) / (2 * sp.sqrt(t))) + sp.erfc((k + 1 - x) / (2 * sp.sqrt(t)))) for k in range(5)
)
"""What is lost of one everywhere through ends that are zero: at the start nothing fits."""
EVOLUTIONS = {
    "heat": evolution(lambda f: sp.diff(f, x, 2) / 10, sp.exp(-t) * sp.sin(5 * x + t)),
    "travelling front": evolution(
        lambda f: sp.diff(f, x, 2) / 50 - f * sp.diff(f, x),
        (1 - sp.tanh((x - t / 2 - sp.Rational(1, 4)) * 25 / 2)) / 2, source=0,
    ),
    "long swing": evolution(lambda f: sp.diff(f, x, 2) / 20, sp.sin(3 * x) * sp.cos(4 * t), 20.0),
    "sudden change": evolution(lambda f: sp.diff(f, x, 2), sp.sin(2 * x) * sp.tanh(40 * (t - sp.Rational(1, 2)))),
    "reaction": evolution(
        lambda f: sp.diff(f, x, 2) / 10 + f - f**3, sp.exp(-t) * sp.cos(3 * x) * (1 + sp.sin(6 * t)) / 2, 3.0
    ),
}  # fmt: skip
SPREAD = 1 + 4 * t
HARD = {
    "unstable": case(
        tn.Interval(t=(0, 1.5)), s, lambda f: sp.diff(f, t) - 10 * f, sp.cos(3 * t), "t=0"
    ),
    "packet between walls": Case(
        tn.Problem(
            tn.Box(x=(-5, 5), t=(0, sp.Rational(1, 10))), [sp.Eq(sp.diff(w, t), 2 * sp.diff(w, x, 2))],
            [tn.on("left", sp.Eq(w, 0)), tn.on("right", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.exp(-(x**2) / 2)))],
        ),
        sp.exp(-(x**2) / 2 / SPREAD) / sp.sqrt(SPREAD),
    ),
    "spike in time": evolution(
        lambda f: sp.diff(f, x, 2) / 10, sp.sin(3 * x) * sp.exp(-((60 * (t - sp.Rational(1, 2))) ** 2))
    ),
    "cold ends": Case(
        tn.Problem(
            tn.Box(x=(0, 1), t=(0, sp.Rational(1, 10))), [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))],
            [tn.on("x=0", sp.Eq(w, 0)), tn.on("x=1", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, 1))],
        ),
        1 - LOST,
    ),
}  # fmt: skip
LINE = tn.Box(x=(0, 3), t=(0, 1))
CARRIED = {
    "step carried along": case(
        LINE,
        w,
        lambda f: sp.diff(f, t) + sp.diff(f, x),
        sp.Heaviside(sp.Rational(7, 10) + t - x),
        "x=0",
        "t=0",
        source=0,
    ),
    "wall that sends a step": Case(
        tn.Problem(
            LINE, [sp.Eq(sp.diff(w, t) + sp.diff(w, x), 0)], [tn.on("x=0", sp.Eq(w, 1)), tn.on("t=0", sp.Eq(w, 0))]
        ),
        sp.Heaviside(t - x),
    ),
}
"""Solutions that no slab resolves."""
q = tn.unknown("u", x, y, t)


def heated(space: tn.Domain, exact: sp.Expr) -> Case:
    """u_t = lap u / 10 + a source on a domain of the plane that is no box."""
    parts = ("t=0", *space.parts)
    return case(space * tn.Interval(t=(0, 1)), q, lambda f: sp.diff(f, t) - lap(x, y)(f) / 10, exact, *parts)


STEPPED = {
    "disk, smooth": heated(tn.Disk(), sp.exp(-t) * sp.cos((x + 2 * y) / 3)),
    "L-shape, smooth": heated(CORNER, sp.exp(-t) * sp.sin(3 * x + y + t)),
    "ring, waves": heated(tn.Disk() - tn.Disk(radius=0.4), sp.cos(6 * (x + t)) * sp.exp(y)),
    "disk, bump that moves": heated(tn.Disk(), sp.exp(-20 * ((x - t / 2) ** 2 + y**2))),
}
"""Evolutions that are one network of space and time, or steps."""
BESSEL = (2.404825557695773, 3.831705970207512, 5.135622301840683, 5.520078110286311)
DRUMS = {
    "square": (SQUARE, [np.pi**2 * (i * i + j * j) for i, j in ((1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1))]),
    "disk": (tn.Disk(), [j**2 for j in np.repeat(BESSEL, (1, 2, 2, 1))]),
}
"""Membranes with their first eigenvalues: the squares of pi (i, j) and of the zeros of Bessel's functions."""
SMOOTH_DATA = sp.exp(x) * sp.cos(y) + x**3 - 3 * x * y**2
ROUNDED_CORNERS = [(sp.cos(a), sp.sin(a)) for a in np.linspace(0, 2 * np.pi, 15)[:-1]]


def laplace(domain: tn.Domain, exact: sp.Expr = SMOOTH_DATA, source: Any = 0) -> Case:
    """Laplace's equation, or Poisson's, with given values."""
    return case(domain, u, lap(x, y), exact, source=source)


BOUNDARY = {
    **SINGULAR_CASES,
    "square": laplace(SQUARE),
    "source": laplace(tn.Disk(), sp.sin(x) * sp.exp(y) + x**4, 12 * x**2),
    "slender": laplace(tn.Box(x=(0, 4), y=(0, 1)), sp.exp(x) * sp.cos(y)),
    "pole close by": laplace(SQUARE, sp.log((x + sp.Rational(1, 10)) ** 2 + (y - sp.Rational(1, 2)) ** 2)),
    "two holes": laplace(
        tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Disk(center=(0.5, 0), radius=0.2) - tn.Disk(center=(-0.4, 0.3), radius=0.3),
        sp.log((x - sp.Rational(1, 2)) ** 2 + y**2) + SMOOTH_DATA,
    ),
    "small hole": laplace(
        tn.Disk() - tn.Disk(center=(0.4, 0), radius=0.01), sp.log((x - sp.Rational(2, 5)) ** 2 + y**2) + SMOOTH_DATA
    ),
    "strip": laplace(tn.Box(x=(0, 1), y=(0, sp.Rational(1, 100))), sp.exp(9 * x) * sp.cos(9 * y)),
    "14 corners": laplace(tn.Polygon([(float(a), float(b)) for a, b in ROUNDED_CORNERS]), sp.exp(x) * sp.cos(y)),
}
"""Problems that functions solve which satisfy the equation themselves."""


def in_disk(outer: tn.Domain, contrast: float, radius: float) -> Case:
    """A disk of another material in a uniform field."""
    core = tn.Disk(radius=radius)
    b, r2 = (1 - contrast) / (1 + contrast) * radius**2, x**2 + y**2
    outside = x * (1 + b / r2)
    k = tn.by_piece(core=contrast, shell=1)
    problem = tn.Problem(
        tn.Pieces(core=core, shell=outer - core),
        [sp.Eq(tn.div(k * tn.grad(u)), 0)],
        [tn.on("boundary", sp.Eq(u, outside))],
    )
    return Case(problem, sp.Piecewise((x * (1 + b / radius**2), r2 < radius**2), (outside, True)))


def layers(width: float, waves: float) -> Case:
    """Two layers, x < 0 and x > 0, with conductivities 3 and 1, and waves along them."""
    domain = tn.Pieces(left=tn.Box(x=(-width, 0), y=(0, 1)), right=tn.Box(x=(0, width), y=(0, 1)))
    k = tn.by_piece(left=3, right=1)
    flux = sp.sinh(waves * x) * sp.sin(waves * y)
    exact = sp.cosh(waves * x) * sp.cos(waves * y) + sp.Piecewise((flux / 3, x < 0), (flux, True))
    sides = [tn.on(part, sp.Eq(u, exact)) for part in domain.parts if "|" not in part]
    return Case(tn.Problem(domain, [sp.Eq(tn.div(k * tn.grad(u)), 0)], sides), exact)


FRAME = tn.Box(x=(-1, 1), y=(-1, 1))
MATERIALS = {
    "disk in a square": in_disk(FRAME, 10.0, 0.3),
    "large disk": in_disk(FRAME, 100.0, 0.8),
    "two layers": layers(0.5, 3.0),
    "waves in layers": layers(0.5, 12.0),
    "thin layers": layers(0.05, 3.0),
    "thinner layers, waves": layers(0.02, 12.0),
}
"""Materials of which each may be one cell."""
