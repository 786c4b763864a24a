"""Random problems with known solutions, for the calibration of the error estimates: smooth, hard and nonlinear ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import sympy as sp

import transnet as tn

x, y, z, t = sp.symbols("x y z t")
Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Stated:
    """A problem and its exact solution, by the names of the unknowns, and the values of its parameters."""

    problem: tn.Problem
    exact: dict[str, sp.Expr]
    parameters: dict[sp.Symbol, float] = field(default_factory=dict)


def number(rng: Rng, low: float, high: float) -> sp.Float:
    return sp.Float(round(float(rng.uniform(low, high)), 3))


def plane(rng: Rng) -> tn.Domain:
    """A domain of the plane of about unit size."""
    match int(rng.integers(6)):
        case 0:
            return tn.Box(x=(0, 1), y=(0, float(number(rng, 0.6, 1.6))))
        case 1:
            return tn.Disk(radius=float(number(rng, 0.5, 1.2)))
        case 2:
            return tn.Disk(radius=1) - tn.Disk(center=(0.2, -0.1), radius=float(number(rng, 0.2, 0.5)))
        case 3:
            angles = np.sort(rng.uniform(0, 2 * np.pi, 3)) * 0.2 + np.array([0.2, 2.3, 4.3])
            return tn.Polygon([(float(np.cos(a)), float(np.sin(a))) for a in angles])
        case 4:
            return tn.Polygon([(0, 0), (1.3, 0.1), (1.5, 0.9), (0.6, 1.3), (-0.2, 0.8)])
        case _:
            curve = (sp.cos(t), number(rng, 0.4, 0.9) * sp.sin(t))
            return tn.Region(tn.Curve(curve, (t, 0, 2 * sp.pi)))


def smooth_function(rng: Rng, coordinates: tuple[sp.Symbol, ...], waves: float = 5.0) -> sp.Expr:
    """A sum of a wave, an exponential, a bell and a polynomial."""
    k = [number(rng, -waves, waves) for _ in coordinates]
    a = [number(rng, -1, 1) for _ in coordinates]
    c = [number(rng, -0.5, 0.5) for _ in coordinates]
    phase = sum(p * q for p, q in zip(k, coordinates, strict=True)) + number(rng, 0, 6)
    growth = sum(p * q for p, q in zip(a, coordinates, strict=True))
    bell = sum((q - p) ** 2 for p, q in zip(c, coordinates, strict=True))
    parts = [sp.sin(phase), sp.exp(growth), sp.exp(-number(rng, 0.5, 3) * bell), coordinates[0] ** 2]
    return sp.Add(*(number(rng, -1, 1) * part for part in parts))


def laplacian(v: sp.Expr, *coordinates: sp.Symbol) -> sp.Expr:
    return sp.Add(*(sp.diff(v, c, 2) for c in coordinates))


def manufactured(
    domain: tn.Domain,
    exact: sp.Expr,
    left: Callable[[sp.Expr], sp.Expr],
    coordinates: tuple[sp.Symbol, ...] = (x, y),
    conditions: Callable[[sp.Expr], list] | None = None,
) -> Stated:
    """The problem whose solution is known: the right-hand sides follow by putting it in."""
    u = tn.unknown("u", *coordinates)
    stated = [tn.on("boundary", sp.Eq(u, exact))] if conditions is None else conditions(u)
    return Stated(tn.Problem(domain, [sp.Eq(left(u), left(exact))], stated), {"u": exact})


# -- smooth ----------------------------------------------------------------------------------------------------------
def poisson(rng: Rng) -> Stated:
    return manufactured(plane(rng), smooth_function(rng, (x, y)), lambda v: -laplacian(v, x, y))


def convection(rng: Rng) -> Stated:
    a, b, c = (number(rng, -8, 8) for _ in range(3))
    return manufactured(
        plane(rng),
        smooth_function(rng, (x, y)),
        lambda v: -laplacian(v, x, y) + a * (1 + y) * sp.diff(v, x) + b * sp.diff(v, y) + abs(c) * v,
    )


def helmholtz(rng: Rng) -> Stated:
    k = number(rng, 3, 12)
    return manufactured(plane(rng), smooth_function(rng, (x, y), 12), lambda v: laplacian(v, x, y) + k**2 * v)


def variable(rng: Rng) -> Stated:
    k = 1 + number(rng, 0.1, 0.9) * sp.sin(number(rng, 1, 5) * x + number(rng, -3, 3) * y)
    return manufactured(
        plane(rng),
        smooth_function(rng, (x, y)),
        lambda v: -sp.diff(k * sp.diff(v, x), x) - sp.diff(k * sp.diff(v, y), y),
    )


def fluxes(rng: Rng) -> Stated:
    exact, a = smooth_function(rng, (x, y)), number(rng, 0.5, 3)

    def robin(v: sp.Expr) -> sp.Expr:
        return tn.normal_derivative(v, x, y) + a * v

    return manufactured(
        plane(rng),
        exact,
        lambda v: -laplacian(v, x, y) + v,
        conditions=lambda u: [tn.on("boundary", sp.Eq(robin(u), robin(exact)))],
    )


def heat(rng: Rng) -> Stated:
    exact, k = smooth_function(rng, (x, t), 4), number(rng, 0.05, 1)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, float(number(rng, 0.3, 2))))
    return manufactured(
        domain,
        exact,
        lambda v: sp.diff(v, t) - k * sp.diff(v, x, 2),
        (x, t),
        lambda u: [tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1", "t=0")],
    )


def wave(rng: Rng) -> Stated:
    exact, c = smooth_function(rng, (x, t), 4), number(rng, 0.5, 2)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, float(number(rng, 0.5, 2))))
    start = [lambda u: tn.on("t=0", sp.Eq(u, exact), sp.Eq(sp.diff(u, t), sp.diff(exact, t)))]
    return manufactured(
        domain,
        exact,
        lambda v: sp.diff(v, t, 2) - c**2 * sp.diff(v, x, 2),
        (x, t),
        lambda u: [start[0](u), *(tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1"))],
    )


def ordinary(rng: Rng) -> Stated:
    a, b = number(rng, -4, 4), number(rng, 0.5, 20)
    exact = smooth_function(rng, (x,), 12)
    domain = tn.Interval(x=(0, float(number(rng, 0.5, 3))))
    return manufactured(domain, exact, lambda v: -sp.diff(v, x, 2) + a * sp.diff(v, x) + b * v, (x,))


# -- hard ------------------------------------------------------------------------------------------------------------
def front(rng: Rng) -> Stated:
    angle, width = float(rng.uniform(0, np.pi)), number(rng, 0.03, 0.15)
    along = np.round(np.cos(angle), 3) * (x - 0.3) + np.round(np.sin(angle), 3) * (y - 0.2)
    exact = sp.tanh(along / width) + number(rng, -1, 1) * x
    return manufactured(plane(rng), exact, lambda v: -laplacian(v, x, y))


def spike(rng: Rng) -> Stated:
    width = number(rng, 0.02, 0.1)
    place = (x - number(rng, 0.1, 0.5)) ** 2 + (y - number(rng, 0.1, 0.4)) ** 2
    exact = sp.exp(-place / width**2) + number(rng, 0.2, 1) * sp.cos(2 * x + y)
    return manufactured(plane(rng), exact, lambda v: -laplacian(v, x, y))


def pole(rng: Rng) -> Stated:
    distance = number(rng, 0.03, 0.2)
    exact = 1 / ((x - number(rng, 0.2, 0.6)) ** 2 + (y - number(rng, 0.1, 0.5)) ** 2 + distance**2)
    return manufactured(plane(rng), exact, lambda v: -laplacian(v, x, y) + v)


def rough(rng: Rng) -> Stated:
    a, k = number(rng, 0.8, 2.0), [number(rng, 5, 14) for _ in range(4)]
    coefficient = sp.exp(a * sp.sin(k[0] * x + 1) * sp.cos(k[1] * y) + a * sp.sin(k[2] * y - k[3] * x) / 2)
    exact = smooth_function(rng, (x, y), 8)
    return manufactured(
        plane(rng),
        exact,
        lambda v: -sp.diff(coefficient * sp.diff(v, x), x) - sp.diff(coefficient * sp.diff(v, y), y),
    )


def corner(rng: Rng) -> Stated:
    opening = float(number(rng, 1.1, 1.9)) * np.pi
    alpha = sp.Float(np.pi / opening)
    angles = np.linspace(0, opening, 5)
    domain = tn.Polygon([(0.0, 0.0), *((float(np.cos(a)), float(np.sin(a))) for a in angles)])
    # The angle from 0 to 2 pi, cut along a ray that is not in the domain.
    middle = opening / 2
    turned = sp.cos(middle) * x + sp.sin(middle) * y, -sp.sin(middle) * x + sp.cos(middle) * y
    theta = sp.atan2(turned[1], turned[0]) + middle
    exact = (x**2 + y**2) ** (alpha / 2) * sp.sin(alpha * theta) + number(rng, -0.5, 0.5) * x
    u = tn.unknown("u", x, y)
    problem = tn.Problem(domain, [sp.Eq(laplacian(u, x, y), 0)], [tn.on("boundary", sp.Eq(u, exact))])
    return Stated(problem, {"u": exact})


def layer(rng: Rng) -> Stated:
    width = number(rng, 0.01, 0.1)
    exact = sp.exp(-x / width) + sp.sin(number(rng, 1, 4) * x + y)
    domain = tn.Box(x=(0, 1), y=(0, 1))
    return manufactured(domain, exact, lambda v: -width * laplacian(v, x, y) - sp.diff(v, x))


def fine(rng: Rng) -> Stated:
    return manufactured(plane(rng), smooth_function(rng, (x, y), 40), lambda v: -laplacian(v, x, y) + sp.diff(v, x))


def far(rng: Rng) -> Stated:
    duration = float(number(rng, 4, 10))
    exact = sp.Add(
        *(number(rng, -1, 1) * sp.sin(n * sp.pi * x) * sp.cos(n * sp.pi * t) for n in (1, 2)), sp.sin(sp.pi * x)
    )
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, duration))
    return manufactured(
        domain,
        exact,
        lambda v: sp.diff(v, t, 2) - sp.diff(v, x, 2),
        (x, t),
        lambda u: [
            tn.on("t=0", sp.Eq(u, exact), sp.Eq(sp.diff(u, t), 0)),
            *(tn.on(part, sp.Eq(u, 0)) for part in ("x=0", "x=1")),
        ],
    )


# -- nonlinear -------------------------------------------------------------------------------------------------------
def cubic(rng: Rng) -> Stated:
    a = number(rng, 0.5, 5)
    return manufactured(plane(rng), smooth_function(rng, (x, y)), lambda v: -laplacian(v, x, y) + a * v**3)


def exponential(rng: Rng) -> Stated:
    return manufactured(plane(rng), smooth_function(rng, (x, y)), lambda v: -laplacian(v, x, y) + sp.exp(v))


def conduction(rng: Rng) -> Stated:
    return manufactured(
        plane(rng),
        smooth_function(rng, (x, y)),
        lambda v: -sp.diff((1 + v**2) * sp.diff(v, x), x) - sp.diff((1 + v**2) * sp.diff(v, y), y),
    )


def minimal(rng: Rng) -> Stated:
    def area(v: sp.Expr) -> sp.Expr:
        p, q = sp.diff(v, x), sp.diff(v, y)
        return (1 + q**2) * sp.diff(v, x, 2) - 2 * p * q * sp.diff(v, x, y) + (1 + p**2) * sp.diff(v, y, 2)

    return manufactured(plane(rng), smooth_function(rng, (x, y), 3), area)


def burgers(rng: Rng) -> Stated:
    exact, k = smooth_function(rng, (x, t), 4), number(rng, 0.05, 0.5)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    return manufactured(
        domain,
        exact,
        lambda v: sp.diff(v, t) + v * sp.diff(v, x) - k * sp.diff(v, x, 2),
        (x, t),
        lambda u: [tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1", "t=0")],
    )


def monge_ampere(rng: Rng) -> Stated:
    a, b = number(rng, 0.6, 1.4), number(rng, -0.3, 0.3)
    exact = sp.exp((a * x**2 + y**2 / a) / 2) + b * x * y
    domain = tn.Box(x=(0, 1), y=(0, 1))
    return manufactured(domain, exact, lambda v: sp.diff(v, x, 2) * sp.diff(v, y, 2) - sp.diff(v, x, y) ** 2)


KINDS: dict[str, list[Callable[[Rng], Stated]]] = {
    "smooth": [poisson, convection, helmholtz, variable, fluxes, heat, wave, ordinary],
    "hard": [front, spike, pole, rough, corner, layer, fine, far],
    "nonlinear": [cubic, exponential, conduction, minimal, burgers, monge_ampere],
}
