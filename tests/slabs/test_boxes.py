"""Evolutions on boxes of two coordinates: systems of first order, and what they need."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn

x, y, t = sp.symbols("x y t")
E, H, G = (tn.unknown(name, x, y, t) for name in ("E", "H", "G"))
diff, Eq, pi = sp.diff, sp.Eq, sp.pi


def test_a_cavity_of_maxwells_keeps_its_mode() -> None:
    """E_t = G_x - H_y, H_t = -E_y, G_t = E_x with conducting walls: conditions on one unknown of three."""
    omega = sp.sqrt(2) * pi
    e = sp.sin(pi * x) * sp.sin(pi * y) * sp.cos(omega * t)
    h, g = -sp.integrate(diff(e, y), t), sp.integrate(diff(e, x), t)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.5)),
        [Eq(diff(E, t), diff(G, x) - diff(H, y)), Eq(diff(H, t), -diff(E, y)), Eq(diff(G, t), diff(E, x))],
        [tn.on("t=0", Eq(E, e.subs(t, 0)), Eq(H, 0), Eq(G, 0)), tn.on("sides", Eq(E, 0))],
    )
    solution = tn.solve(problem, tol=1e-4)
    points = np.column_stack([np.random.default_rng(1).uniform(0, 1, (100, 2)), np.full(100, 0.5)])
    exact = np.stack([sp.lambdify((x, y, t), f)(*points.T) for f in (e, h, g)], axis=1)
    assert np.abs(solution(points) - exact).max() < 1e-4
    assert solution.slabs is not None
