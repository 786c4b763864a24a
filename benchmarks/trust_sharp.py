"""More random problems for the calibration: what samples do not see, and equations of fourth order and systems."""

from __future__ import annotations

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


# -- systems and fourth order ----------------------------------------------------------------------------------------
def plate(rng: Rng) -> Stated:
    exact = smooth_function(rng, (x, y), 4)

    def clamped(u: sp.Expr) -> list:
        slope = sum(n * sp.diff(exact, c) for n, c in zip(tn.normal(x, y), (x, y), strict=True))
        return [tn.on("boundary", sp.Eq(u, exact), sp.Eq(tn.normal_derivative(u), slope))]

    return manufactured(plane(rng), exact, lambda v: laplacian(laplacian(v, x, y), x, y), (x, y), clamped)


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


SYSTEMS = [plate, coupled, elastic]
UNSEEN = [needle, bump, switched, narrow_start]
