"""FastLSQ's Reaction-Diffusion: Fisher's front, solved for where FastLSQ fits its formula.

u_t = u_xx + u (1 - u) on (-10, 10), 0 < t < 1, with u at t = 0 and at both ends from
u = 1 / (1 + exp((x - 5 t / sqrt(6)) / sqrt(6)))^2, which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = (1 + sp.exp((x - 5 * t / sp.sqrt(6)) / sp.sqrt(6))) ** -2
equation = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + u * (1 - u))
domain = tn.Interval(x=(-10, 10)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [equation], [tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "sides")])
