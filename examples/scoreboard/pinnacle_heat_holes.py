"""PINNacle's Heat 2d-CG: a plate with seventeen holes that warm it.

u_t = u_xx + u_yy on (-8, 8) x (-12, 12) without eleven disks of radius 1 and six of radius 0.4, 0 < t < 3; u = 0 at t
= 0, u_n = 5 - u on the large holes, u_n = 1 - u on the small ones, u_n = 0.1 - u on the edges (n points out of the
plate).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle", {"PINNacle": 0.0239}, True, True
TOL, ACCURACY = 1e-3, 1e-2
LARGE = [(a, b) for a in (-4, 4) for b in (-9, -3, 3, 9)] + [(0, b) for b in (-6, 0, 6)]
SMALL = [(a, b) for a in (-3.2, 3.2) for b in (-6, 0, 6)]
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
plate = tn.Box(x=(-8, 8), y=(-12, 12))
for k, center in enumerate(LARGE):
    plate = plate - tn.Disk(center=center, radius=1, name=f"large{k}")
for k, center in enumerate(SMALL):
    plate = plate - tn.Disk(center=center, radius=0.4, name=f"small{k}")
domain = plate * tn.Interval(t=(0, 3))


def exchanged(part: str, outside: float) -> tn.Condition:
    return tn.on(part, sp.Eq(tn.normal_derivative(u, x, y), outside - u))


conditions = [tn.on("t=0", sp.Eq(u, 0)), *(exchanged(side, 0.1) for side in ("x=-8", "x=8", "y=-12", "y=12"))]
conditions += [exchanged(f"large{k}", 5) for k in range(len(LARGE))]
conditions += [exchanged(f"small{k}", 1) for k in range(len(SMALL))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + sp.diff(u, y, 2))], conditions)
