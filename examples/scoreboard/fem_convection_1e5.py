"""Natural convection in a square at Ra = 10^5, of de Vahl Davis.

u u_x + v u_y + p_x = Pr lap(u), u v_x + v v_y + p_y = Pr lap(v) + Ra Pr T, u_x + v_y = 0, u T_x + v T_y = lap(T) on the
unit square, Pr = 0.71; u = v = 0 on the walls, T = 1 on the left, T = 0 on the right, no heat through the others.
Compared is the Nusselt number, the mean of -T_x on the warm wall.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "finite elements", {}, True
TOL, ACCURACY, REFERENCE = 1e-3, 1e-3, "4.52164, of Hortmann, Peric and Scheuerer (1990)"
RA, PR, NUSSELT = 10**5, 0.71, 4.52164
x, y = sp.symbols("x y")
u, v, p, T = (tn.unknown(name, x, y) for name in "uvpT")


def carried(w: sp.Expr) -> sp.Expr:
    return u * sp.diff(w, x) + v * sp.diff(w, y)


across = sp.Eq(carried(v) + sp.diff(p, y), PR * tn.laplacian(v) + RA * PR * T)
along = sp.Eq(carried(u) + sp.diff(p, x), PR * tn.laplacian(u))
equations = [along, across, sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0), sp.Eq(carried(T), tn.laplacian(T))]
ends = [tn.on("x=0", sp.Eq(T, 1)), tn.on("x=1", sp.Eq(T, 0)), tn.mean(p, 0)]
walls = [tn.on("boundary", u, v), tn.on("y=0", sp.diff(T, y)), tn.on("y=1", sp.diff(T, y))]
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), equations, [*ends, *walls])


def error(solution: tn.Solution) -> float:
    return abs(solution.mean(-sp.diff(T, x), over="x=0").value - NUSSELT) / NUSSELT
