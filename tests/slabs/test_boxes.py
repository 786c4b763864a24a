"""Evolutions on boxes of two coordinates: systems of first order, and what they need."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn
from transnet.slabs.axes import Fourier
from transnet.slabs.evolution import evolution_of
from transnet.slabs.fourier import FourierSystem
from transnet.slabs.space import Space
from transnet.slabs.system import SlabSystem

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


def test_vortices_of_taylor_and_green_decay() -> None:
    """The equations of Navier and Stokes on a periodic square: the pressure has no time derivative."""
    nu = sp.Rational(1, 20)
    decay = sp.exp(-2 * nu * t)
    u, v = -sp.cos(x) * sp.sin(y) * decay, sp.sin(x) * sp.cos(y) * decay
    p = -(sp.cos(2 * x) + sp.cos(2 * y)) / 4 * decay**2
    problem = tn.Problem(
        tn.Box(x=(0, 2 * pi), y=(0, 2 * pi)) * tn.Interval(t=(0, 2)),
        [
            Eq(diff(E, t) + E * diff(E, x) + H * diff(E, y), -diff(G, x) + nu * (diff(E, x, 2) + diff(E, y, 2))),
            Eq(diff(H, t) + E * diff(H, x) + H * diff(H, y), -diff(G, y) + nu * (diff(H, x, 2) + diff(H, y, 2))),
            Eq(diff(E, x) + diff(H, y), 0),
        ],
        [tn.on("t=0", Eq(E, u.subs(t, 0)), Eq(H, v.subs(t, 0))), tn.periodic(x), tn.periodic(y)],
    )
    solution = tn.solve(problem, tol=1e-6)
    points = np.column_stack([np.random.default_rng(1).uniform(0, 6, (50, 2)), np.full(50, 2.0)])
    exact = np.stack([sp.lambdify((x, y, t), f)(*points.T) for f in (u, v, p)], axis=1)
    assert np.abs(solution(points) - exact).max() < 1e-6


def test_a_periodic_slab_without_a_matrix_is_the_one_with_it() -> None:
    """Rows, their linearisation and the solution of a slab are those of the dense system."""
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 2)) * tn.Interval(t=(0, 1)),
        [Eq(diff(E, t), diff(E, x, 2) + diff(E, y, 2) / 3 + E * diff(H, y)), Eq(diff(H, t), diff(H, x, 2) - E**2 * H)],
        [tn.on("t=0", Eq(E, 1), Eq(H, 2)), tn.periodic(x), tn.periodic(y)],
    )
    evolution = evolution_of(problem)
    space = Space((Fourier(0.0, 1.0, 2), Fourier(0.0, 2.0, 1)))
    dense, waves = (made(evolution, space, 3, ()) for made in (SlabSystem, FourierSystem))
    rng = np.random.default_rng(0)
    start, u = rng.normal(size=(1, 2, space.columns)), rng.normal(size=(3, 2, space.columns))
    times, tau = 0.1 * dense.stages.nodes, 0.1
    s = dense.derivatives(u, start, tau)
    assert np.allclose(dense.residual(s, times), waves.residual(s, times))
    assert np.allclose(dense.linear(dense.coefficients(s, times), s), waves.linear(waves.coefficients(s, times), s))
    right = rng.normal(size=(3, 2 * space.columns))
    factors = waves.factor(s, times, tau)
    found = factors(right)
    for _ in range(6):
        found = found + factors(right - factors.applied(found))
    assert np.allclose(factors.applied(found), right)
