"""jaxpi's Stokes flow: a cylinder in a channel.

-0.001 lap(u) + p_x = 0, -0.001 lap(v) + p_y = 0, u_x + v_y = 0 on (0, 2.2) x (0, 0.41) without the disk of radius
0.05 around (0.2, 0.2); u = 1.2 y (0.41 - y) / 0.41^2, v = 0 at the inflow, 0.001 u_x = p, v_x = 0 at the outflow, u =
v = 0 elsewhere. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "jaxpi", {"jaxpi": 8.04e-5}, True
TOL, ACCURACY = 1e-5, 1e-4
HEIGHT, NU = 0.41, 0.001
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
domain = tn.Box(x=(0, 2.2), y=(0, HEIGHT)) - tn.Disk(center=(0.2, 0.2), radius=0.05)
walls = [tn.on(part, u, v) for part in ("top", "bottom", "circle")]
inflow = tn.on("left", sp.Eq(u, 1.2 * y * (HEIGHT - y) / HEIGHT**2), v)
outflow = tn.on("right", sp.Eq(NU * sp.diff(u, x), p), sp.diff(v, x))
momentum = [sp.Eq(NU * tn.laplacian(w), sp.diff(p, c)) for w, c in ((u, x), (v, y))]
problem = tn.Problem(domain, [*momentum, sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)], [inflow, outflow, *walls])
