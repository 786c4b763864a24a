"""An evolution of Frozen-PINN's kind: the vibrations of a beam.

u_tt + u_xxxx = (1 - 16 pi^2) sin(x) cos(4 pi t) on (0, pi), 0 < t < 1; u = sin(x), u_t = 0 at t = 0, u = u_xx = 0 at
both ends. The solution is sin(x) cos(4 pi t). The paper (arXiv:2405.20836) has Euler and Bernoulli's beam among its
evolutions; its numbers could not be read, these are those with which such beams are usually tested.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "Frozen-PINN (its kind)", {}
TOL, ACCURACY = 1e-9, 1e-9
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = sp.sin(x) * sp.cos(4 * sp.pi * t)
equation = sp.Eq(sp.diff(u, t, 2) + sp.diff(u, x, 4), (1 - 16 * sp.pi**2) * exact)
start = tn.on("t=0", sp.Eq(u, sp.sin(x)), sp.diff(u, t))
ends = [tn.on(end, u, sp.diff(u, x, 2)) for end in ("left", "right")]
problem = tn.Problem(tn.Interval(x=(0, sp.pi)) * tn.Interval(t=(0, 1)), [equation], [start, *ends])
