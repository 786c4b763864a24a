"""C8: the Fokker-Planck equation, 2D space and time.

    u_t + b.grad u = sigma^2/2 Delta u,    u = p(x; 0, 0.4^2 I) at t = 0,    sigma = 0.3
    b = (sin(2 pi t), cos(2 pi t))

    u = p(x; ((1 - cos(2 pi t))/(2 pi), sin(2 pi t)/(2 pi)), (0.4^2 + 0.3^2 t) I),    p the Gaussian density

The paper prints + sigma^2/2 sum_ij d_ij u and an absorbing boundary; this u satisfies the equation above, and the
authors' code takes its values on the four faces. 10,000 random points inside, a 50 x 50 grid at t = 0 and 50 x 20 grids
on the faces.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import SPACE, Case

x1, x2, t = sp.symbols("x1 x2 t")
u = tn.unknown("u", x1, x2, t)
b1, b2, sigma = sp.sin(2 * sp.pi * t), sp.cos(2 * sp.pi * t), sp.Rational(3, 10)

mean1, mean2 = (sp.integrate(b, (t, 0, t)) for b in (b1, b2))
variance = sp.Rational(4, 10) ** 2 + sigma**2 * t
exact = sp.exp(-((x1 - mean1) ** 2 + (x2 - mean2) ** 2) / (2 * variance)) / (2 * sp.pi * variance)


def fokker_planck(v: sp.Expr) -> sp.Expr:
    """v_t + b.grad v - sigma^2/2 Delta v."""
    return sp.diff(v, t) + b1 * sp.diff(v, x1) + b2 * sp.diff(v, x2) - sigma**2 / 2 * tn.laplacian(v, x1, x2)


problem = tn.Problem(
    domain=tn.Box(x1=(-2, 2), x2=(-2, 2), t=(0, 1)),
    equations=[sp.Eq(fokker_planck(u), sp.simplify(fokker_planck(exact)))],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact.subs(t, 0))),
        tn.on("x1=-2", sp.Eq(u, exact.subs(x1, -2))),
        tn.on("x1=2", sp.Eq(u, exact.subs(x1, 2))),
        tn.on("x2=-2", sp.Eq(u, exact.subs(x2, -2))),
        tn.on("x2=2", sp.Eq(u, exact.subs(x2, 2))),
    ],
)

case = Case(
    name="C8",
    title="Fokker-Planck, 2D + time",
    problem=problem,
    exact={"u": exact},
    points=tn.Points(
        interior=10_000,
        boundary={"t=0": (50, 50), "x1=-2": (50, 20), "x1=2": (50, 20), "x2=-2": (50, 20), "x2=2": (50, 20)},
        sampling="random",
    ),
    neurons=SPACE,
    widths=SPACE,
)
