"""Five problems with this library."""

import numpy as np
import sympy as sp

import transnet as tn

x, y, s, t = sp.symbols("x y s t")


def ring() -> float:
    """lap(u) = -exp(x) y between circles of radius 1/2 and 1, u = cos(3 x) on both: u(0.6, 0.3)."""
    u = tn.unknown("u", x, y)
    domain = tn.Disk(radius=1) - tn.Disk(radius=0.5)
    equation = sp.Eq(tn.laplacian(u), -sp.exp(x) * y)
    return float(tn.solve(tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))]))(x=0.6, y=0.3))


def layer() -> float:
    """-u'' / 1000 + u' = 1 on (0, 1), u = 0 at both ends: u(0.999)."""
    u = tn.unknown("u", s)
    equation = sp.Eq(-sp.diff(u, s, 2) / 1000 + sp.diff(u, s), 1)
    return float(tn.solve(tn.Problem(tn.Interval(s=(0, 1)), [equation], [tn.on("boundary", u)]), tol=1e-9)(s=0.999))


def phases() -> float:
    """c_t = c_xx / 20 + c - c^3 on a ring of length 2 pi, c = sin(x) / 2 at t = 0: c(1, 5)."""
    c = tn.unknown("c", x, t)
    domain = tn.Interval(x=(0, 2 * sp.pi)) * tn.Interval(t=(0, 5))
    equation = sp.Eq(sp.diff(c, t), sp.diff(c, x, 2) / 20 + c - c**3)
    start = tn.on("t=0", sp.Eq(c, sp.sin(x) / 2))
    return float(tn.solve(tn.Problem(domain, [equation], [start, tn.periodic(x)]), tol=1e-8)(x=1.0, t=5.0))


def l_shape() -> float:
    """-lap(u) = 1 on the L-shape, u = 0 around it: u(-1/2, 1/2)."""
    u = tn.unknown("u", x, y)
    domain = tn.Polygon([(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)])
    return float(tn.solve(tn.Problem(domain, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", u)]))(x=-0.5, y=0.5))


def number() -> float:
    """z'' = k z on (0, 1), z(0) = 0, z(1) = 1, and 19 values of sinh(3 s) / sinh(3): k."""
    k, z = tn.unknown("k"), tn.unknown("z", s)
    places = np.linspace(0.05, 0.95, 19)
    known = tn.data(z, places[:, None], np.sinh(3 * places) / np.sinh(3))
    ends = [tn.on("s=0", sp.Eq(z, 0)), tn.on("s=1", sp.Eq(z, 1))]
    return float(tn.solve(tn.Problem(tn.Interval(s=(0, 1)), [sp.Eq(sp.diff(z, s, 2), k * z)], [*ends, known]))["k"])
