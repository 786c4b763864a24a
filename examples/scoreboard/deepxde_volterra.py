"""DeepXDE's Volterra_IDE: a derivative and an integral up to the point.

u'(x) + u(x) = int_0^x exp(s - x) u(s) ds on (0, 5), u(0) = 1, whose solution is exp(-x) cosh(x).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-11, 1e-10
x, s = sp.symbols("x s")
u = tn.unknown("u", x)
exact = sp.exp(-x) * sp.cosh(x)
memory = tn.integral(sp.exp(s - x) * u.subs(x, s), over=(s, 0, x))
problem = tn.Problem(tn.Interval(x=(0, 5)), [sp.Eq(sp.diff(u, x) + u, memory)], [tn.on("x=0", sp.Eq(u, 1))])
