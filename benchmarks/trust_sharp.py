"""More random problems for the calibration: what samples do not see, and equations of fourth order and systems."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn
from trust_problems import Rng, Stated, laplacian, manufactured, number, plane, smooth_function, t, x, y

width = sp.Symbol("width")


def _narrow(rng: Rng, low: float, high: float) -> float:
    """A width between powers of ten."""
    return float(f"{10 ** rng.uniform(low, high):.3g}")


# -- what samples do not see -----------------------------------------------------------------------------------------
def needle(rng: Rng) -> Stated:
    """A load that is a needle beside a broad one; its width is a number or a parameter."""
    b, c, height = _narrow(rng, -4.5, -1.5), number(rng, 0.1, 0.9), number(rng, 0.2, 2)
    g = (x - c) / width
    kink = height * (sp.sqrt(sp.pi) * g * sp.erf(g) + sp.exp(-(g**2))) * width
    smooth, numbers = smooth_function(rng, (x,), 6), {width: sp.Float(b)}
    exact, load = smooth - kink, 2 * height / width * sp.exp(-(g**2)) - sp.diff(smooth, x, 2)
    u = tn.unknown("u", x)
    shown = {} if rng.random() < 0.5 else numbers
    on = [tn.on("boundary", sp.Eq(u, exact.xreplace(numbers)))]
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(-sp.diff(u, x, 2), load.xreplace(shown))], on)
    return Stated(problem, {"u": exact.xreplace(numbers)}, {} if shown else numbers)


def bump(rng: Rng) -> Stated:
    """A narrow bump somewhere in a plane domain, of a Gaussian or a Lorentzian, in a sum."""
    b, at = _narrow(rng, -2.5, -1.3), (number(rng, 0.15, 0.45), number(rng, 0.15, 0.35))
    far = ((x - at[0]) ** 2 + (y - at[1]) ** 2) / b**2
    peak = sp.exp(-far) if rng.random() < 0.5 else 1 / (1 + far)
    exact = number(rng, 0.1, 1) * peak + smooth_function(rng, (x, y), 4)
    return manufactured(plane(rng), exact, lambda v: -laplacian(v, x, y))


def switched(rng: Rng) -> Stated:
    """A load that switches at a few times, written in different ways."""
    a, smooth = number(rng, 0.2, 3), smooth_function(rng, (t,), 4)
    w, exact, load = tn.unknown("w", t), smooth, sp.diff(smooth, t) + a * smooth
    for _ in range(int(rng.integers(1, 5))):
        s, c = number(rng, 0.3, 4.7), number(rng, -1, 1)
        bend = c * sp.Abs(t - s)
        slope = [c * sp.sign(t - s), c * (2 * sp.Heaviside(t - s) - 1), sp.Piecewise((-c, t < s), (c, True))]
        exact, load = exact + bend, load + slope[int(rng.integers(3))] + a * bend
    start = tn.on("t=0", sp.Eq(w, exact.subs(t, 0)))
    return Stated(tn.Problem(tn.Interval(t=(0, 5)), [sp.Eq(sp.diff(w, t) + a * w, load)], [start]), {"w": exact})


def narrow_start(rng: Rng) -> Stated:
    """Heat from a needle beside a wave."""
    b, c, k = _narrow(rng, -3.5, -1), number(rng, 0.2, 0.8), number(rng, 1, 6)
    spread = b**2 + 4 * t
    exact = sp.sin(k * x) * sp.exp(-(k**2) * t) + number(rng, 0.1, 1) * b / sp.sqrt(spread) * sp.exp(
        -((x - c) ** 2) / spread
    )
    u = tn.unknown("u", x, t)
    on = [tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1")] + [tn.on("t=0", sp.Eq(u, exact.subs(t, 0)))]
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.2))
    return Stated(tn.Problem(domain, [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2))], on), {"u": exact})


def narrow_start_in_the_plane(rng: Rng) -> Stated:
    """Heat in a square from a bump beside a wave."""
    b, at = _narrow(rng, -1.3, -0.7), [number(rng, 0.3, 0.7) for _ in range(2)]
    spread = b**2 + 4 * t
    exact = number(rng, 0.2, 1) * b**2 / spread * sp.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / spread)
    exact += sp.sin(2 * x + y) * sp.exp(-5 * t)
    u = tn.unknown("u", x, y, t)
    domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.1))
    on = [tn.on(p, sp.Eq(u, exact)) for p in ("x=0", "x=1", "y=0", "y=1")] + [tn.on("t=0", sp.Eq(u, exact.subs(t, 0)))]
    return Stated(tn.Problem(domain, [sp.Eq(sp.diff(u, t), laplacian(u, x, y))], on), {"u": exact})


def compact(rng: Rng) -> Stated:
    """Heat with a source that is compact in space and in time."""
    b, tau, c, s = _narrow(rng, -2.5, -1), _narrow(rng, -2.5, -1), number(rng, 0.3, 0.7), number(rng, 0.3, 0.7)
    exact = number(rng, 0.2, 1) * sp.exp(-(((x - c) / b) ** 2) - ((t - s) / tau) ** 2) + sp.sin(3 * x) * sp.exp(-t)
    return manufactured(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)),
        exact,
        lambda v: sp.diff(v, t) - sp.diff(v, x, 2) / 10,
        (x, t),
        lambda u: [tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1", "t=0")],
    )


def gap(rng: Rng) -> Stated:
    """A conductivity that is small in a narrow gap, where nearly all of the drop is."""
    b, c, h = _narrow(rng, -4, -1.3), number(rng, 0.2, 0.8), _narrow(rng, 0.5, 3.5)
    u, k = tn.unknown("u", x), 1 / (1 + h * sp.exp(-(((x - c) / b) ** 2)))
    drop = x + h * b * sp.sqrt(sp.pi) / 2 * (sp.erf((x - c) / b) + sp.erf(c / b))
    exact = drop / drop.subs(x, 1).evalf()
    on = tn.on("boundary", sp.Eq(u, exact))
    return Stated(tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(k * sp.diff(u, x), x), 0)], [on]), {"u": exact})


def measured_load(rng: Rng) -> Stated:
    """A narrow load that is a Python function, which cannot be read."""
    b, c, h = _narrow(rng, -2.5, -1.3), float(number(rng, 0.2, 0.8)), float(number(rng, 0.2, 2))
    u, f = tn.unknown("u", x), tn.given("f", lambda s: 2 * h / b * np.exp(-(((s - c) / b) ** 2)), x)
    g = (x - c) / b
    exact = -h * (sp.sqrt(sp.pi) * g * sp.erf(g) + sp.exp(-(g**2))) * b + sp.sin(3 * x)
    equation = sp.Eq(-sp.diff(u, x, 2), f + 9 * sp.sin(3 * x))
    return Stated(tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("boundary", sp.Eq(u, exact))]), {"u": exact})


def measured_bump(rng: Rng) -> Stated:
    """The same in the plane."""
    b, at = _narrow(rng, -2, -1), [float(number(rng, 0.2, 0.8)) for _ in range(2)]
    bump = sp.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / b**2)
    f = tn.given("f", sp.lambdify((x, y), -laplacian(bump, x, y)), x, y)
    u, exact = tn.unknown("u", x, y), bump + sp.sin(2 * x + y)
    equation = sp.Eq(-laplacian(u, x, y), f + 5 * sp.sin(2 * x + y))
    domain = tn.Box(x=(0, 1), y=(0, 1))
    return Stated(tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))]), {"u": exact})


# -- systems and fourth order ----------------------------------------------------------------------------------------
def plate(rng: Rng) -> Stated:
    exact = smooth_function(rng, (x, y), 4)

    def clamped(u: sp.Expr) -> list:
        slope = sum(n * sp.diff(exact, c) for n, c in zip(tn.normal(x, y), (x, y), strict=True))
        return [tn.on("boundary", sp.Eq(u, exact), sp.Eq(tn.normal_derivative(u), slope))]

    return manufactured(plane(rng), exact, lambda v: laplacian(laplacian(v, x, y), x, y), (x, y), clamped)


def plate_with_a_hole(rng: Rng) -> Stated:
    """A clamped plate with a curved rim, a hole or an inner corner."""
    exact, a, hole = smooth_function(rng, (x, y), 4), number(rng, 0.5, 0.9), float(number(rng, 0.1, 0.25))
    curve = tn.Curve((sp.cos(t) * (1 + sp.cos(3 * t) / 5), a * sp.sin(t)), (t, 0, 2 * sp.pi))
    ellipse = tn.Region(tn.Curve((sp.cos(t), a * sp.sin(t)), (t, 0, 2 * sp.pi)))
    pentagon = tn.Polygon([(0, 0), (1.3, 0.1), (1.5, 0.9), (0.6, 1.3), (-0.2, 0.8)])
    match int(rng.integers(4)):
        case 0:
            domain = tn.Region(curve)
        case 1:
            domain = ellipse - tn.Disk(center=(float(number(rng, -0.3, 0.3)), 0.0), radius=hole)
        case 2:
            domain = pentagon - tn.Disk(center=(0.6, 0.6), radius=hole)
        case _:
            domain = tn.Polygon([(0, 0), (1, 0), (1, 0.5), (0.5, 0.5), (0.5, 1), (0, 1)])
    slope = sum(n * sp.diff(exact, c) for n, c in zip(tn.normal(x, y), (x, y), strict=True))
    on = lambda u: [tn.on("boundary", sp.Eq(u, exact), sp.Eq(tn.normal_derivative(u), slope))]  # noqa: E731
    return manufactured(domain, exact, lambda v: laplacian(laplacian(v, x, y), x, y), (x, y), on)


def coupled_bumps(rng: Rng) -> Stated:
    """A coupled system on a disk with a bump in each of its unknowns."""
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    exact = {}
    for w in (u, v):
        at, b = (number(rng, -0.4, 0.4), number(rng, -0.4, 0.4)), _narrow(rng, -1.1, -0.5)
        bump = sp.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / b**2)
        exact[w] = number(rng, 0.2, 1) * bump + smooth_function(rng, (x, y), 5)
    a, b = number(rng, -3, 3), number(rng, -3, 3)
    left = [-laplacian(u, x, y) + a * v, -laplacian(v, x, y) + b * sp.diff(u, x) + v]
    return _system(tn.Disk(radius=1), left, exact)


def coupled(rng: Rng) -> Stated:
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    exact = {u: smooth_function(rng, (x, y), 5), v: smooth_function(rng, (x, y), 5)}
    a, b = number(rng, -3, 3), number(rng, -3, 3)
    left = [-laplacian(u, x, y) + a * v, -laplacian(v, x, y) + b * sp.diff(u, x) + v]
    return _system(plane(rng), left, exact)


def elastic(rng: Rng) -> Stated:
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    exact = {u: smooth_function(rng, (x, y), 4), v: smooth_function(rng, (x, y), 4)}
    lame, spread = number(rng, 0.5, 4), sp.diff(u, x) + sp.diff(v, y)
    left = [laplacian(u, x, y) + (1 + lame) * sp.diff(spread, x), laplacian(v, x, y) + (1 + lame) * sp.diff(spread, y)]
    return _system(plane(rng), left, exact)


def _system(domain: tn.Domain, left: list, exact: dict) -> Stated:
    equations = [sp.Eq(e, e.subs(exact).doit()) for e in left]
    on = tn.on("boundary", *(sp.Eq(u, e) for u, e in exact.items()))
    return Stated(tn.Problem(domain, equations, [on]), {u.func.__name__: e for u, e in exact.items()})


SYSTEMS = [plate, coupled, elastic, plate_with_a_hole, coupled_bumps]
UNSEEN = [
    needle, bump, switched, narrow_start, narrow_start_in_the_plane, compact, gap, measured_load, measured_bump,
]  # fmt: skip
