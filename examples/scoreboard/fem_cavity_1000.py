"""The driven cavity at Re = 1000, of Botella and Peyret.

Navier-Stokes equations on the unit square; (u, v) = (1, 0) on the lid y = 1, (0, 0) on the other walls, so that the
velocity jumps at both ends of the lid. Compared are the least u on x = 1/2 and the extreme v on y = 1/2.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, WARNS = "finite elements", {}, "jump"
SLOW = True
TOL, ACCURACY, REFERENCE = 1e-3, 2e-3, "Botella and Peyret (1998), seven digits"
RE, EXTREME = 1000, np.array([-0.3885698, 0.3769447, -0.5270771])
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")


def momentum(w: sp.Expr, along: sp.Symbol) -> sp.Eq:
    return sp.Eq(u * sp.diff(w, x) + v * sp.diff(w, y) + sp.diff(p, along), tn.laplacian(w) / RE)


walls = [tn.on(part, sp.Eq(w, 0)) for part in ("x=0", "x=1", "y=0") for w in (u, v)]
lid = [tn.on("y=1", sp.Eq(u, 1)), tn.on("y=1", sp.Eq(v, 0)), tn.mean(p, 0)]
equations = [momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)]
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), equations, [*walls, *lid])


def error(solution: tn.Solution) -> float:
    line = np.linspace(0, 1, 2001)
    across = solution["v"](x=line, y=0.5)
    found = np.array([solution["u"](x=0.5, y=line).min(), across.max(), across.min()])
    return float(np.linalg.norm(found - EXTREME) / np.linalg.norm(EXTREME))
