"""C7: the Fokker-Planck equation, 1D space and time.

    u_t + b u_x = sigma^2/2 u_xx,    u = p(x; 0, 0.4^2) at t = 0,    b = 2 cos(3 t),    sigma = 0.3

    u = p(x; 2 sin(3 t)/3, 0.4^2 + 0.3^2 t),    p(x; m, v) the Gaussian density of mean m and variance v

The paper prints + sigma^2/2 u_xx, which this u does not satisfy, and an absorbing boundary, which it does not either:
the authors' code takes its values at x = -2 and x = 2. A 200 x 50 grid, 1000 points on each side; the authors multiply
the rows of the conditions by 10.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import Case

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
drift, sigma = 2 * sp.cos(3 * t), sp.Rational(3, 10)

mean = sp.Rational(2, 3) * sp.sin(3 * t)
variance = sp.Rational(4, 10) ** 2 + sigma**2 * t
exact = sp.exp(-((x - mean) ** 2) / (2 * variance)) / sp.sqrt(2 * sp.pi * variance)


def fokker_planck(v: sp.Expr) -> sp.Expr:
    """v_t + b v_x - sigma^2/2 v_xx."""
    return sp.diff(v, t) + drift * sp.diff(v, x) - sigma**2 / 2 * sp.diff(v, x, 2)


problem = tn.Problem(
    domain=tn.Interval(x=(-2, 2)) * tn.Interval(t=(0, 1)),
    equations=[sp.Eq(fokker_planck(u), sp.simplify(fokker_planck(exact)))],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact.subs(t, 0))),
        tn.on("x=-2", sp.Eq(u, exact.subs(x, -2))),
        tn.on("x=2", sp.Eq(u, exact.subs(x, 2))),
    ],
)

case = Case(
    name="C7",
    title="Fokker-Planck, 1D + time",
    problem=problem,
    exact={"u": exact},
    points=tn.Points(interior=(200, 50), boundary={"t=0": 1000, "x=-2": 1000, "x=2": 1000}, sampling="grid"),
    condition_weight=10.0,
)
