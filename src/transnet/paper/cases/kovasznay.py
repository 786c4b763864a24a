"""C6: the steady Navier-Stokes equations, Kovasznay flow at Reynolds number 40.

    u.grad u + grad p = nu Delta u,    div u = 0,    u = (v1, v2),    nu = 1/40

    v1 = 1 - exp(lambda x1) cos(2 pi x2),    v2 = lambda/(2 pi) exp(lambda x1) sin(2 pi x2)
    p = (1 - exp(2 lambda x1))/2,            lambda = 1/(2 nu) - sqrt(1/(4 nu^2) + 4 pi^2)

The advecting velocity is marked as lagged: Picard's iteration holds it, as the authors do; Newton's method ignores the
mark. The paper prints exp(2 pi x1) in the pressure, which satisfies no equation. As in the authors' code all of v1, v2
and p are given on the boundary. A 50 x 50 grid and 50 points on each side.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import Case

x1, x2 = sp.symbols("x1 x2")
v1, v2, p = (tn.unknown(name, x1, x2) for name in ("v1", "v2", "p"))
nu = sp.Rational(1, 40)
SIDES = ("left", "right", "bottom", "top")

lam = 1 / (2 * nu) - sp.sqrt(1 / (4 * nu**2) + 4 * sp.pi**2)
exact = {
    "v1": 1 - sp.exp(lam * x1) * sp.cos(2 * sp.pi * x2),
    "v2": lam / (2 * sp.pi) * sp.exp(lam * x1) * sp.sin(2 * sp.pi * x2),
    "p": (1 - sp.exp(2 * lam * x1)) / 2,
}


def momentum(v: sp.Expr, w1: sp.Expr, w2: sp.Expr, pressure: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """One component of w.grad v + grad p - nu Delta v."""
    return w1 * sp.diff(v, x1) + w2 * sp.diff(v, x2) + sp.diff(pressure, x) - nu * tn.laplacian(v, x1, x2)


w1, w2 = tn.lagged(v1), tn.lagged(v2)
problem = tn.Problem(
    domain=tn.Box(x1=(-0.5, 1), x2=(-0.5, 1.5)),
    equations=[
        sp.Eq(momentum(v1, w1, w2, p, x1), 0),
        sp.Eq(momentum(v2, w1, w2, p, x2), 0),
        sp.Eq(tn.div([v1, v2], x1, x2), 0),
    ],
    conditions=[tn.on(side, sp.Eq(v1, exact["v1"]), sp.Eq(v2, exact["v2"]), sp.Eq(p, exact["p"])) for side in SIDES],
)

CASES = (
    Case(
        name="C6",
        title="Navier-Stokes, Kovasznay flow",
        problem=problem,
        exact=exact,
        points=tn.Points(interior=(50, 50), boundary=dict.fromkeys(SIDES, 50), sampling="grid"),
    ),
)
