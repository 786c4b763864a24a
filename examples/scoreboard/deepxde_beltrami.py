"""DeepXDE's Beltrami_flow: an unsteady flow in a cube.

Navier-Stokes equations with viscosity 1 on (-1, 1)^3, 0 < t < 1; the velocity at t = 0 and on the faces from u =
-(exp(x) sin(y + z) + exp(z) cos(x + y)) exp(-t) and, in a circle, v and w (Ethier and Steinman), which is the solution.
The pressure is known up to a function of time; here its mean is 0. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "DeepXDE", {}, True
TOL, ACCURACY = 1e-4, 1e-3
x, y, z, t = sp.symbols("x y z t")
u, v, w, p = (tn.unknown(name, x, y, z, t) for name in "uvwp")


def known(a: sp.Symbol, b: sp.Symbol, c: sp.Symbol) -> sp.Expr:
    return -(sp.exp(a) * sp.sin(b + c) + sp.exp(c) * sp.cos(a + b)) * sp.exp(-t)


def momentum(q: sp.Expr, along: sp.Symbol) -> sp.Eq:
    carried = sp.diff(q, t) + u * sp.diff(q, x) + v * sp.diff(q, y) + w * sp.diff(q, z) + sp.diff(p, along)
    return sp.Eq(carried, sp.diff(q, x, 2) + sp.diff(q, y, 2) + sp.diff(q, z, 2))


exact = known(x, y, z)
truth = {u: exact, v: known(y, z, x), w: known(z, x, y)}
equations = [momentum(u, x), momentum(v, y), momentum(w, z), sp.Eq(sp.diff(u, x) + sp.diff(v, y) + sp.diff(w, z), 0)]
given = [tn.on(part, *(sp.Eq(a, b) for a, b in truth.items())) for part in ("sides", "t=0")]
domain = tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, equations, [*given, tn.mean(p, 0)])
