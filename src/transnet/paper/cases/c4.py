"""C4: Poisson's equation in the annulus between the radii 0.5 and 1.

    Delta u = f,    u = g on the boundary,    u = sin(2 pi x1) sin(2 pi x2)

The points of a 50 x 50 grid that lie inside (1408 of them) and 200 points on the boundary.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import Case

x1, x2 = sp.symbols("x1 x2")
u = tn.unknown("u", x1, x2)
exact = sp.sin(2 * sp.pi * x1) * sp.sin(2 * sp.pi * x2)

problem = tn.Problem(
    domain=tn.Disk(radius=1) - tn.Disk(radius=0.5),
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(exact, x1, x2))],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
)

case = Case(
    name="C4",
    title="Poisson, annulus",
    problem=problem,
    exact={"u": exact},
    points=tn.Points(interior=(50, 50), boundary=200, sampling="grid"),
)
