"""The cylinder in a channel at Re = 20, benchmark 2D-1 of Schaefer and Turek.

Navier-Stokes equations with viscosity 0.001 on (0, 2.2) x (0, 0.41) without the disk of radius 0.05 around (0.2, 0.2);
u = 1.2 y (0.41 - y) / 0.41^2, v = 0 at the inflow, 0.001 u_x = p, v_x = 0 at the outflow, u = v = 0 elsewhere. Compared
is the difference of the pressures before and behind the cylinder.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "finite elements", {}, True
TOL, ACCURACY, REFERENCE = 1e-4, 1e-3, "0.11752016697, of Nabh (1998)"
HEIGHT, NU, DROP = 0.41, 0.001, 0.11752016697
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
domain = tn.Box(x=(0, 2.2), y=(0, HEIGHT)) - tn.Disk(center=(0.2, 0.2), radius=0.05)


def momentum(w: sp.Expr, along: sp.Symbol) -> sp.Eq:
    return sp.Eq(u * sp.diff(w, x) + v * sp.diff(w, y) + sp.diff(p, along), NU * tn.laplacian(w))


walls = [tn.on(part, u, v) for part in ("top", "bottom", "circle")]
inflow = tn.on("left", sp.Eq(u, 1.2 * y * (HEIGHT - y) / HEIGHT**2), v)
outflow = tn.on("right", sp.Eq(NU * sp.diff(u, x), p), sp.diff(v, x))
equations = [momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)]
problem = tn.Problem(domain, equations, [inflow, outflow, *walls])


def error(solution: tn.Solution) -> float:
    before, behind = solution["p"]([[0.15, 0.2], [0.25, 0.2]])
    return abs(float(before - behind) - DROP) / DROP
