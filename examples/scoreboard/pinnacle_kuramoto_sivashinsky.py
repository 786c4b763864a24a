"""PINNacle's Kuramoto-Sivashinsky equation, up to where it turns chaotic.

u_t + 100/16 u u_x + 100/16^2 u_xx + 100/16^4 u_xxxx = 0 on (0, 2 pi), 0 < t < 1; u = cos(x) (1 + sin(x)) at t = 0. The
benchmark states no condition at the ends, so that it has many solutions as written; its data are periodic, as here.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle", {"PINNacle": 0.957}, True, True
TOL, ACCURACY = 1e-5, 1e-4
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(0, 2 * sp.pi)) * tn.Interval(t=(0, 1))
terms = sp.Rational(25, 4) * u * sp.diff(u, x), sp.Rational(25, 64) * sp.diff(u, x, 2), sp.diff(u, x, 4) * 25 / 16384
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + sum(terms), 0)],
    conditions=[tn.on("t=0", sp.Eq(u, sp.cos(x) * (1 + sp.sin(x)))), tn.periodic(x)],
)
