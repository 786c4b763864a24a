"""C9: the wave equation, 1D space and time.

    u_tt = c u_xx,    c = 1/(16 pi^2),    u = sin(4 pi x) and u_t = 0 at t = 0,    u = 0 at x = 0 and x = 1

    u = (sin(4 pi x + t) + sin(4 pi x - t))/2

The paper states u(0, t) = u(1, t) and one initial condition, which does not determine u; the conditions here are those
of the authors' code. A 100 x 50 grid (5000 points, where the appendix says 2500 and 10000) and 500 points on each side.
"""

import sympy as sp

import transnet as tn
from transnet.paper.case import Case

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
c = 1 / (16 * sp.pi**2)
exact = (sp.sin(4 * sp.pi * x + t) + sp.sin(4 * sp.pi * x - t)) / 2


def wave(v: sp.Expr) -> sp.Expr:
    """v_tt - c v_xx."""
    return sp.diff(v, t, 2) - c * sp.diff(v, x, 2)


problem = tn.Problem(
    domain=tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 2)),
    equations=[sp.Eq(wave(u), sp.simplify(wave(exact)))],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact.subs(t, 0)), sp.Eq(sp.diff(u, t), sp.diff(exact, t).subs(t, 0))),
        tn.on("x=0", sp.Eq(u, sp.simplify(exact.subs(x, 0)))),
        tn.on("x=1", sp.Eq(u, sp.simplify(exact.subs(x, 1)))),
    ],
)

CASES = (
    Case(
        name="C9",
        title="Wave equation",
        problem=problem,
        exact={"u": exact},
        points=tn.Points(interior=(100, 50), boundary={"t=0": 500, "x=0": 500, "x=1": 500}, sampling="grid"),
    ),
)
