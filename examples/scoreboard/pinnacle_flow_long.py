"""PINNacle's NS 2d-LT: a channel through which the flow goes to and fro.

u_t + u u_x + v u_y + p_x = lap(u) / 100, v_t + u v_x + v v_y + p_y = lap(v) / 100 - sin(pi x) sin(pi y) sin(pi t),
u_x + v_y = 0 on (0, 2) x (0, 1), 0 < t < 5, from rest; u = sin(pi y) (sin(pi t) + sin(3 pi t) + sin(5 pi t)), v = 0
at x = 0, u = v = 0 on the walls. At x = 2 the benchmark has p = 0 alone; here p = u_x / 100, v_x = 0.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, TOL, ACCURACY, SLOW = "PINNacle (mended)", {"PINNacle": 0.97}, 1e-2, 1e-2, True
x, y, t = sp.symbols("x y t")
u, v, p = (tn.unknown(name, x, y, t) for name in "uvp")


def momentum(w: sp.Expr, along: sp.Symbol, force: sp.Expr) -> sp.Eq:
    carried = sp.diff(w, t) + u * sp.diff(w, x) + v * sp.diff(w, y) + sp.diff(p, along)
    return sp.Eq(carried, (sp.diff(w, x, 2) + sp.diff(w, y, 2)) / 100 + force)


force = -sp.sin(sp.pi * x) * sp.sin(sp.pi * y) * sp.sin(sp.pi * t)
equations = [momentum(u, x, 0), momentum(v, y, force), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)]
pushed = sp.sin(sp.pi * y) * sum(sp.sin(k * sp.pi * t) for k in (1, 3, 5))
walls = [tn.on("t=0", u, v), tn.on("y=0", u, v), tn.on("y=1", u, v)]
ends = [tn.on("x=0", sp.Eq(u, pushed), v), tn.on("x=2", sp.Eq(p, sp.diff(u, x) / 100), sp.diff(v, x))]
problem = tn.Problem(tn.Box(x=(0, 2), y=(0, 1)) * tn.Interval(t=(0, 5)), equations, [*walls, *ends])
