"""FastLSQ's IntegroDifferentialODE: an oscillator with memory.

u'(x) + 4 int_0^x u(s) ds = f on (0, 1), u(0) = 0.3, with f of u = 0.3 cos(2 x) + sin(2 x), which is the solution; f is
the number 2. FastLSQ's figure is that of its README.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {"FastLSQ": 6.2e-16}
TOL, ACCURACY = 1e-12, 1e-11
x, s = sp.symbols("x s")
u = tn.unknown("u", x)
exact = sp.Rational(3, 10) * sp.cos(2 * x) + sp.sin(2 * x)
memory = tn.integral(u.subs(x, s), over=(s, 0, x))
equation = sp.Eq(sp.diff(u, x) + 4 * memory, 2)
problem = tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("x=0", sp.Eq(u, sp.Rational(3, 10)))])
