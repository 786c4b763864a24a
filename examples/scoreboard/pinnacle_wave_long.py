"""PINNacle's Wave 2d-MS, with the initial speed that it leaves out.

u_tt = u_xx + 2 u_yy on the unit square. As written it is not well posed: u_t at t = 0 is not given, and the solution it
compares with, sin(pi x) sinh(pi y) cos(pi t) + sinh(3 pi x) sin(2 pi y) cos(pi t), gives u_tt - u_xx - 2 u_yy = -2 pi^2
times its first part and -2 pi^2 times its second: neither vanishes. Here: two standing waves to the same t = 100.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle (mended)", {"PINNacle": 0.982}
TOL, ACCURACY = 1e-6, 1e-5
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
pi = sp.pi
parts = sp.sin(pi * x) * sp.sin(pi * y), sp.sin(3 * pi * x) * sp.sin(2 * pi * y)
exact = parts[0] * sp.cos(sp.sqrt(3) * pi * t) + parts[1] * sp.cos(sp.sqrt(17) * pi * t)
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100))
rest = [tn.on("t=0", sp.Eq(u, sum(parts))), tn.on("t=0", sp.Eq(sp.diff(u, t), 0)), tn.on("sides", sp.Eq(u, 0))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + 2 * sp.diff(u, y, 2))], rest)
