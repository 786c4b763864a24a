"""The problems of the ablation: smooth and hard ones, systems, evolutions, bodies in space, calibration, random ones.

Each is solved in about a second at most, so that all of them can be solved once for every part that is switched off.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

import transnet as tn
from generic_problems import random_problem
from trust_problems import KINDS, Stated, laplacian
from trust_sharp import SYSTEMS, UNSEEN

x, y, z, t = sp.symbols("x y z t")
u, v, w = tn.unknown("u", x, y), tn.unknown("v", x, y), tn.unknown("w", x, t)
CALIBRATED, GENERIC = 3, 16
"""How many problems of each kind of the calibration, and how many that no formula solves."""
SLOW = (("nonlinear", "burgers", 1),)
"""Left out because they take many seconds and are like others."""


@dataclass(frozen=True, eq=False)
class Case:
    """A problem and the exact solution of its first unknown; None if a finer solve stands for it."""

    problem: tn.Problem
    exact: sp.Expr | None
    tol: float | None = 1e-6
    parameters: dict[sp.Symbol, float] = field(default_factory=dict)


def stated(domain: tn.Domain, operator: Callable[[Any], Any], exact: sp.Expr, tol: float | None = 1e-6) -> Case:
    equation = sp.Eq(operator(u), operator(exact))
    return Case(tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))]), exact, tol)


def laplace(e: Any) -> Any:
    return laplacian(e, x, y)


def slope(e: sp.Expr) -> sp.Expr:
    return sum(sp.diff(e, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))


SQUARE, DISK = tn.Box(x=(0, 1), y=(0, 1)), tn.Disk()
OVAL = tn.Region(tn.Curve((1.3 * sp.cos(t), sp.sin(t) + sp.cos(2 * t) / 9), (t, 0, 2 * sp.pi)))
PENTAGON = tn.Polygon([(0, 0), (2, 0), (2.5, 1.2), (1, 2), (-0.3, 1)])
ELL = tn.Polygon([(0, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, 0)])
ANGLE = sp.Piecewise((sp.atan2(y, x), y >= 0), (sp.atan2(y, x) + 2 * sp.pi, True))
CORNER = (x**2 + y**2) ** sp.Rational(1, 3) * sp.sin(2 * ANGLE / 3)
SMOOTH = sp.exp(sp.sin(2 * x + y)) / 2
HEAT = sp.exp(-t) * sp.sin(3 * x) + x * t


def plane() -> dict[str, Case]:
    k = 1 + x**2 / 2
    front, bump = sp.tanh(20 * (x - y / 2)), sp.exp(-200 * ((x - 0.2) ** 2 + y**2))
    holes = PENTAGON - tn.Disk((0.7, 0.6), radius=0.2) - tn.Disk((1.6, 1.0), radius=0.25)
    ring, root = tn.Disk() - tn.Disk(radius=0.5), sp.sqrt(x**2 + y**2)
    inside = {"x": (-1, 1), "y": (-1, 1)}
    return {
        "Poisson, disk": stated(DISK, laplace, SMOOTH),
        "Poisson, pentagon": stated(PENTAGON, laplace, SMOOTH, 1e-9),
        "reaction, oval": stated(OVAL, lambda e: laplace(e) - 3 * e, SMOOTH),
        "variable, pentagon": stated(PENTAGON, lambda e: sp.diff(k * sp.diff(e, x), x) + sp.diff(e, y, 2), SMOOTH),
        "swirl, square": stated(SQUARE, lambda e: laplace(e) + 9 * y * sp.diff(e, x) - 9 * x * sp.diff(e, y), SMOOTH),
        "Helmholtz, oval": stated(OVAL, lambda e: laplace(e) + 200 * e, sp.sin(14 * x + 3 * y)),
        "Helmholtz, disk": stated(DISK, lambda e: laplace(e) + 150 * e, sp.sin(12 * x + 3 * y)),
        "reaction, ring": stated(ring, lambda e: laplace(e) - (1 + x**2) * e, SMOOTH, 1e-9),
        "reaction, disk, plain": stated(DISK, lambda e: laplace(e) - (1 + x**2) * e, SMOOTH, None),
        "holes": stated(holes, lambda e: laplace(e) - e, SMOOTH),
        "corner": stated(ELL, lambda e: laplace(e) - (1 + x**2) * e, CORNER + SMOOTH),
        "corner, load": Case(tn.Problem(ELL, [sp.Eq(laplace(u) - u, -1)], [tn.on("boundary", u)]), None),
        "square, load": Case(tn.Problem(PENTAGON, [sp.Eq(laplace(u) - x * u, -1)], [tn.on("boundary", u)]), None),
        "front": stated(SQUARE, lambda e: laplace(e) - e, front),
        "bump, disk": stated(DISK, lambda e: laplace(e) - e, bump),
        "cone": stated(tn.Box(**inside), laplace, root**3 * sp.cos(x)),  # type: ignore[arg-type]
        "cubic, oval": stated(OVAL, lambda e: laplace(e) - e**3, SMOOTH),
        "cubic, oval, plain": stated(OVAL, lambda e: laplace(e) - e**3, SMOOTH, None),
    }


def others() -> dict[str, Case]:
    other = sp.sin(x - 2 * y)
    system = tn.Problem(
        DISK,
        [sp.Eq(laplace(u) + v, laplace(SMOOTH) + other), sp.Eq(laplace(v) - u, laplace(other) - SMOOTH)],
        [tn.on("boundary", sp.Eq(u, SMOOTH), sp.Eq(v, other))],
    )
    plate = tn.Problem(
        DISK,
        [sp.Eq(tn.biharmonic(u), laplace(laplace(SMOOTH)))],
        [tn.on("boundary", sp.Eq(u, SMOOTH), sp.Eq(tn.normal_derivative(u), slope(SMOOTH)))],
    )
    strip = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    heat = tn.Problem(
        strip,
        [sp.Eq(sp.diff(w, t) - sp.diff(w, x, 2), sp.diff(HEAT, t) - sp.diff(HEAT, x, 2))],
        [tn.on("sides", sp.Eq(w, HEAT)), tn.on("t=0", sp.Eq(w, HEAT.subs(t, 0)))],
    )
    mixed = tn.Problem(
        tn.Box(x=(-1, 1), y=(0, 1)),
        [sp.Eq(laplace(u), 0)],
        [
            tn.on("y=0", sp.Eq(u, 0), where=x < 0),
            tn.on("y=0", tn.normal_derivative(u), where=x >= 0),
            *(tn.on(p, sp.Eq(u, (x**2 + y**2) ** 0.25 * sp.cos(sp.atan2(y, x) / 2)))
              for p in ("x=-1", "x=1", "y=1")),
        ],
    )  # fmt: skip
    line = tn.unknown("s", x)
    power = x ** sp.Rational(5, 2)
    rough = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(sp.diff(line, x, 2), sp.diff(power, x, 2))],
        [tn.on("boundary", sp.Eq(line, power))],
    )
    return {
        "system, disk": Case(system, SMOOTH),
        "plate, disk": Case(plate, SMOOTH),
        "heat": Case(heat, HEAT),
        "values and fluxes": Case(mixed, (x**2 + y**2) ** 0.25 * sp.cos(sp.atan2(y, x) / 2)),
        "root at an end": Case(rough, power, 1e-8),
    }


def space() -> dict[str, Case]:
    q = tn.unknown("q", x, y, z)
    exact = sp.exp(x / 2) * sp.sin(y + z)
    lap = laplacian(exact, x, y, z)
    ellipsoid = tn.LevelSet(x**2 + (y / 1.5) ** 2 + (z / 0.7) ** 2 < 1, x=(-1.1, 1.1), y=(-1.6, 1.6), z=(-0.8, 0.8))
    bodies = {"ball": tn.Ball(), "ellipsoid": ellipsoid, "shell": tn.Ball() - tn.Ball(radius=0.4, name="core")}
    # Two boxes in a right angle, whose inner edge is the z axis: r^(2/3) there and something smooth.
    angle = tn.Box(x=(-1, 1), y=(0, 1), z=(0, 1)) | tn.Box(x=(-1, 0), y=(-1, 0), z=(0, 1))
    edge = CORNER + sp.exp(z) * sp.sin(x) / 3
    held = tn.Problem(angle, [sp.Eq(laplacian(q, x, y, z), 0)], [tn.on("boundary", sp.Eq(q, edge))])
    return {
        f"{name}, reaction": Case(
            tn.Problem(body, [sp.Eq(laplacian(q, x, y, z) - q, lap - exact)], [tn.on("boundary", sp.Eq(q, exact))]),
            exact,
            1e-4 if name == "shell" else 1e-6,
        )
        for name, body in bodies.items()
    } | {"inner edge": Case(held, edge, 1e-4)}


def calibrated() -> dict[str, Case]:
    makers = {**KINDS, "systems": SYSTEMS, "unseen": UNSEEN}
    found = {}
    for kind, makes in makers.items():
        for number in range(CALIBRATED * len(makes)):
            make = makes[number % len(makes)]
            made: Stated = make(np.random.default_rng([7, number, sorted(makers).index(kind)]))
            round_ = number // len(makes)
            exact = next(iter(made.exact.values()))
            if (kind, make.__name__, round_) not in SLOW:
                found[f"{make.__name__} {round_}"] = Case(made.problem, exact, 1e-5, dict(made.parameters))
    return found


def generic() -> dict[str, Case]:
    rng = np.random.default_rng(5)
    made = [random_problem(rng) for _ in range(GENERIC)]
    return {f"{n} {m.name}": Case(m.problem(), None, (1e-4, 1e-6)[n % 2]) for n, m in enumerate(made)}


def cases() -> dict[str, Case]:
    return {**plane(), **others(), **space(), **calibrated(), **generic()}
