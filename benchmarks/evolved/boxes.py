"""Evolutions on boxes."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn

from .stated import Eq, Evolved, closed, cos, diff, exp, pi, sin, t, x, y

U, V, P = (tn.unknown(n, x, y, t) for n in "UVP")


def inside(low: float, high: float, end: float, count: int = 300) -> np.ndarray:
    places = np.random.default_rng(0).uniform(low, high, (count, 2))
    return np.column_stack([places, np.full(count, float(end))])


def wave_2d() -> Evolved:
    exact = (
        sin(pi * x) * sin(pi * y) * cos(sp.sqrt(3) * pi * t)
        + sin(2 * pi * x) * sin(pi * y) * cos(sp.sqrt(6) * pi * t) / 2
    )
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100)),
        [Eq(diff(U, t, 2), diff(U, x, 2) + 2 * diff(U, y, 2))],
        [tn.on("t=0", Eq(U, exact.subs(t, 0)), Eq(diff(U, t), 0)), tn.on("sides", Eq(U, 0))],
    )
    return closed(problem, exact, inside(0, 1, 100), 1e-6)


def heat_2d() -> Evolved:
    exact = sin(pi * x) * sin(2 * pi * y) * sin(3 * t)
    source = diff(exact, t) - diff(exact, x, 2) - diff(exact, y, 2)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100)),
        [Eq(diff(U, t), diff(U, x, 2) + diff(U, y, 2) + sp.simplify(source))],
        [tn.on("t=0", Eq(U, 0)), tn.on("sides", Eq(U, 0))],
    )
    return closed(problem, exact, inside(0, 1, 100), 1e-6)


def maxwell() -> Evolved:
    """A cavity with conducting walls: E_z, H_x, H_y."""
    omega = sp.sqrt(5) * pi
    e = sin(pi * x) * sin(2 * pi * y) * cos(omega * t)
    hx = -sp.integrate(diff(e, y), t)
    hy = sp.integrate(diff(e, x), t)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 10)),
        [Eq(diff(U, t), diff(P, x) - diff(V, y)), Eq(diff(V, t), -diff(U, y)), Eq(diff(P, t), diff(U, x))],
        [tn.on("t=0", Eq(U, e.subs(t, 0)), Eq(V, hx.subs(t, 0)), Eq(P, hy.subs(t, 0))), tn.on("sides", Eq(U, 0))],
    )
    points = inside(0, 1, 10)
    order = {u_.func.__name__: f for u_, f in zip((U, V, P), (e, hx, hy), strict=True)}
    truth = [sp.lambdify((x, y, t), order[str(n.func)])(*points.T) for n in problem.unknowns]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-6)


def taylor_green() -> Evolved:
    nu = sp.Rational(1, 50)
    decay = exp(-2 * nu * t)
    exact = (-cos(x) * sin(y) * decay, sin(x) * cos(y) * decay, -(cos(2 * x) + cos(2 * y)) / 4 * decay**2)
    problem = tn.Problem(
        tn.Box(x=(0, 2 * pi), y=(0, 2 * pi)) * tn.Interval(t=(0, 10)),
        [
            Eq(diff(U, t) + U * diff(U, x) + V * diff(U, y), -diff(P, x) + nu * (diff(U, x, 2) + diff(U, y, 2))),
            Eq(diff(V, t) + U * diff(V, x) + V * diff(V, y), -diff(P, y) + nu * (diff(V, x, 2) + diff(V, y, 2))),
            Eq(diff(U, x) + diff(V, y), 0),
        ],
        [tn.on("t=0", Eq(U, exact[0].subs(t, 0)), Eq(V, exact[1].subs(t, 0))), tn.periodic(x), tn.periodic(y)],
    )
    points = inside(0, 6.28, 10)
    truth = [sp.lambdify((x, y, t), f)(*points.T) for f in exact[:2]]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-6)
