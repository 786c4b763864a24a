"""FastLSQ's FredholmProductKernel: an integral equation of the second kind.

u(x) - 1/2 int_0^1 x s u(s) ds = sin(2 x) on (0, 1). With c = int_0^1 s sin(2 s) ds / (1 - 1/6) the solution is
sin(2 x) + c x / 2. FastLSQ's figure is that of its README.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {"FastLSQ": 5.5e-14}
TOL, ACCURACY = 1e-12, 1e-11
x, s = sp.symbols("x s")
u = tn.unknown("u", x)
factor = sp.integrate(s * sp.sin(2 * s), (s, 0, 1)) * sp.Rational(6, 5)
exact = sp.sin(2 * x) + factor * x / 2
kernel = sp.Integral(x * s * u.subs(x, s), (s, 0, 1))
problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(u - kernel / 2, sp.sin(2 * x))], [])
