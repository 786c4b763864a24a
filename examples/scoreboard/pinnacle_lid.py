"""PINNacle's NS 2d-C: a cavity whose lid moves fastest in its middle.

u u_x + v u_y + p_x = lap(u) / 100, u v_x + v v_y + p_y = lap(v) / 100, u_x + v_y = 0 on the unit square; u = 4 x (1 -
x), v = 0 on the lid y = 1, u = v = 0 on the other walls. The benchmark fixes p at a corner, here its mean is zero.
The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle", {"PINNacle": 0.036}, True, True
TOL, ACCURACY = 1e-4, 1e-3
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")


def momentum(w: sp.Expr, along: sp.Symbol) -> sp.Eq:
    return sp.Eq(u * sp.diff(w, x) + v * sp.diff(w, y) + sp.diff(p, along), tn.laplacian(w) / 100)


walls = [tn.on(part, u, v) for part in ("x=0", "x=1", "y=0")]
lid = [tn.on("y=1", sp.Eq(u, 4 * x * (1 - x)), v), tn.mean(p, 0)]
equations = [momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)]
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), equations, [*walls, *lid])
