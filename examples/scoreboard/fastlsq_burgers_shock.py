"""FastLSQ's Burgers (Shock): a travelling front, solved for where FastLSQ fits its formula.

u_t + u u_x = nu u_xx on (0, 1), 0 < t < 1, with u at t = 0 and at both ends from
u = (1 - tanh((x - t / 2) / (4 nu))) / 2, nu = 0.02, which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t, nu = *sp.symbols("x t"), sp.Rational(1, 50)
u = tn.unknown("u", x, t)
exact = (1 - sp.tanh((x - t / 2) / (4 * nu))) / 2
equation = sp.Eq(sp.diff(u, t) + u * sp.diff(u, x), nu * sp.diff(u, x, 2))
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [equation], [tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "sides")])
