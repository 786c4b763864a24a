"""C5: Poisson's equation in the box [-1, 1]^3.

    Delta u = f,    u = g on the boundary,    u = sin(2 pi x1) sin(2 pi x2) sin(2 pi x3)

10,000 random points inside and 400 on each face. The appendix swaps the exact solutions of 2D and 3D.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import SPACE, Case

x1, x2, x3 = sp.symbols("x1 x2 x3")
u = tn.unknown("u", x1, x2, x3)
exact = sp.sin(2 * sp.pi * x1) * sp.sin(2 * sp.pi * x2) * sp.sin(2 * sp.pi * x3)

problem = tn.Problem(
    domain=tn.Box(x1=(-1, 1), x2=(-1, 1), x3=(-1, 1)),
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(exact, x1, x2, x3))],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
)

case = Case(
    name="C5",
    title="Poisson, 3D box",
    problem=problem,
    exact={"u": exact},
    points=tn.Points(interior=10_000, boundary=2400, sampling="random"),
    neurons=SPACE,
    widths=SPACE,
)
