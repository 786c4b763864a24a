"""C1 to C5: Poisson's equation in a box, a disk, an L-shape, an annulus, and a box of space.

    Delta u = f,    u = g on the boundary,    u = sin(2 pi x1) sin(2 pi x2)  [sin(2 pi x3)]

In the plane the points of a 50 x 50 grid that lie inside (2500, 1876, 1875 and 1408 of them) and 200 points on the
boundary; in space 10,000 random points inside and 400 on each face. The appendix swaps the exact solutions of 2D and
3D.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import PLANE, SPACE, WIDTHS, Case

x1, x2, x3 = sp.symbols("x1 x2 x3")


def poisson(name: str, title: str, domain: tn.Domain) -> Case:
    """The case of a domain."""
    plane = domain.dimension == 2
    coordinates = (x1, x2) if plane else (x1, x2, x3)
    u = tn.unknown("u", *coordinates)
    exact = sp.Mul(*(sp.sin(2 * sp.pi * x) for x in coordinates))
    equation = sp.Eq(tn.laplacian(u), tn.laplacian(exact, *coordinates))
    points = tn.Points((50, 50), 200, "grid") if plane else tn.Points(10_000, 2400, "random")
    return Case(
        name, title, tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))]), {"u": exact}, points,
        neurons=PLANE if plane else SPACE, widths=WIDTHS if plane else SPACE,
    )  # fmt: skip


SQUARE = tn.Box(x1=(-1, 1), x2=(-1, 1))
CASES = (
    poisson("C1", "Poisson, box", SQUARE),
    poisson("C2", "Poisson, disk", tn.Disk(radius=1)),
    poisson("C3", "Poisson, L-shape", SQUARE - tn.Box(x1=(0, 1), x2=(0, 1))),
    poisson("C4", "Poisson, annulus", tn.Disk(radius=1) - tn.Disk(radius=0.5)),
    poisson("C5", "Poisson, 3D box", tn.Box(x1=(-1, 1), x2=(-1, 1), x3=(-1, 1))),
)
