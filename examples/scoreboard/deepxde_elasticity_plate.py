"""DeepXDE's elasticity_plate: a square that is held and loaded.

Linear elasticity with lambda = 1, mu = 1/2 on the unit square; u = 0 and s_yy = 8 sin(pi x) where y = 1, u = v = 0
where y = 0, v = 0 and s_xx = 0 where x = 0 or x = 1. The force is that of u = cos(2 pi x) sin(pi y), v = sin(pi x) y^4,
which is the solution. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-9, 1e-8
x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
exact, other = sp.cos(2 * sp.pi * x) * sp.sin(sp.pi * y), sp.sin(sp.pi * x) * y**4


def stress(a: sp.Expr, b: sp.Expr) -> list[sp.Expr]:
    return [2 * sp.diff(a, x) + sp.diff(b, y), 2 * sp.diff(b, y) + sp.diff(a, x), (sp.diff(a, y) + sp.diff(b, x)) / 2]


def force(a: sp.Expr, b: sp.Expr) -> list[sp.Expr]:
    along, across, shear = stress(a, b)
    return [sp.diff(along, x) + sp.diff(shear, y), sp.diff(shear, x) + sp.diff(across, y)]


equations = [sp.Eq(a, b) for a, b in zip(force(u, v), force(exact, other), strict=True)]
rolls = [tn.on(end, v, stress(u, v)[0]) for end in ("x=0", "x=1")]
top = tn.on("y=1", u, sp.Eq(stress(u, v)[1], 8 * sp.sin(sp.pi * x)))
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), equations, [tn.on("y=0", u, v), top, *rolls])
