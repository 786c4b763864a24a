"""FastLSQ's VolterraSecondKind: an integral up to the point.

u(x) - 3/2 int_0^x u(s) ds = cos(3 x) on (0, 1), whose solution is (exp(3 x / 2) + 4 cos(3 x) + 2 sin(3 x)) / 5:
u' - 3/2 u = -3 sin(3 x) and u(0) = 1. FastLSQ's figure is that of its README.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {"FastLSQ": 8.8e-13}
TOL, ACCURACY = 1e-12, 1e-11
x, s = sp.symbols("x s")
u = tn.unknown("u", x)
exact = (sp.exp(3 * x / 2) + 4 * sp.cos(3 * x) + 2 * sp.sin(3 * x)) / 5
memory = tn.integral(u.subs(x, s), over=(s, 0, x))
problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(u - sp.Rational(3, 2) * memory, sp.cos(3 * x))], [])
