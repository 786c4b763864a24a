"""FastLSQ's FredholmRank2Kernel: an integral equation whose kernel is a sum of two products.

u(x) - 2/5 int_0^1 (x s + sin(x) cos(s)) u(s) ds = sin(2 x) on (0, 1). The solution is sin(2 x) + 2/5 (a x + b sin(x)),
with a = int s u and b = int cos(s) u from two linear equations. FastLSQ's figure is that of its README.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {"FastLSQ": 9.1e-14}
TOL, ACCURACY = 1e-12, 1e-11
x, s, a, b = sp.symbols("x s a b")
u = tn.unknown("u", x)
form = sp.sin(2 * s) + sp.Rational(2, 5) * (a * s + b * sp.sin(s))
moments = [sp.Eq(c, sp.integrate(sp.expand(w * form), (s, 0, 1))) for c, w in ((a, s), (b, sp.cos(s)))]
exact = form.subs(sp.solve(moments, [a, b])).subs(s, x)
kernel = sp.Integral((x * s + sp.sin(x) * sp.cos(s)) * u.subs(x, s), (s, 0, 1))
problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(u - sp.Rational(2, 5) * kernel, sp.sin(2 * x))], [])
