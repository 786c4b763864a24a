"""C7 and C8: the Fokker-Planck equation in one and in two coordinates of space, and time.

    u_t + b.grad u = sigma^2/2 Delta u,    u = p(x; 0, 0.4^2 I) at t = 0,    sigma = 0.3
    C7: b = 2 cos(3 t),    C8: b = (sin(2 pi t), cos(2 pi t))

    u = p(x; integral of b, (0.4^2 + 0.3^2 t) I),    p(x; m, v) the Gaussian density of mean m and variance v

The paper prints + sigma^2/2 u_xx in C7 and + sigma^2/2 sum_ij d_ij u in C8, which this u does not satisfy, and an
absorbing boundary, which u does not have: the authors' code prescribes its values on the faces. C7: a 200 x 50 grid,
1000 points on each side; the authors multiply the rows of the conditions by 10. C8: 10,000 random points inside, a 50 x
50 grid at t = 0 and 50 x 20 grids on the faces.
"""

from collections.abc import Sequence
from typing import Any

import sympy as sp

import transnet as tn
from transnet.paper.case import SPACE, Case

t = sp.Symbol("t")
SIGMA = sp.Rational(3, 10)


def fokker_planck(
    name: str, title: str, domain: tn.Domain, drift: Sequence[sp.Expr], points: tn.Points, **more: Any
) -> Case:
    """The case of a drift on a domain of space and time."""
    *coordinates, _ = map(sp.Symbol, domain.names)
    u = tn.unknown("u", *coordinates, t)
    distance = sp.Add(*((x - sp.integrate(b, (t, 0, t))) ** 2 for x, b in zip(coordinates, drift, strict=True)))
    variance = sp.Rational(4, 10) ** 2 + SIGMA**2 * t
    exact = sp.exp(-distance / (2 * variance)) / sp.sqrt(2 * sp.pi * variance) ** len(drift)

    def operator(v: sp.Expr) -> sp.Expr:
        carried = (b * sp.diff(v, x) for x, b in zip(coordinates, drift, strict=True))
        return sp.diff(v, t) + sp.Add(*carried) - SIGMA**2 / 2 * tn.laplacian(v, *coordinates)

    faces = [(f"{x}={end}", exact.subs(x, end)) for x in coordinates for end in (-2, 2)]
    problem = tn.Problem(
        domain,
        equations=[sp.Eq(operator(u), sp.simplify(operator(exact)))],
        conditions=[tn.on(part, sp.Eq(u, value)) for part, value in [("t=0", exact.subs(t, 0)), *faces]],
    )
    return Case(name, title, problem, {"u": exact}, points, **more)


CASES = (
    fokker_planck(
        "C7", "Fokker-Planck, 1D + time", tn.Interval(x=(-2, 2)) * tn.Interval(t=(0, 1)), (2 * sp.cos(3 * t),),
        tn.Points((200, 50), {"t=0": 1000, "x=-2": 1000, "x=2": 1000}, "grid"), condition_weight=10.0,
    ),
    fokker_planck(
        "C8", "Fokker-Planck, 2D + time", tn.Box(x1=(-2, 2), x2=(-2, 2), t=(0, 1)),
        (sp.sin(2 * sp.pi * t), sp.cos(2 * sp.pi * t)),
        tn.Points(10_000, {"t=0": (50, 50), **dict.fromkeys(("x1=-2", "x1=2", "x2=-2", "x2=2"), (50, 20))}, "random"),
        neurons=SPACE, widths=SPACE,
    ),
)  # fmt: skip
