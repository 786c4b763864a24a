"""PINNacle's Poisson 2d-C: a square with four round holes.

u_xx + u_yy = 0 on (-1/2, 1/2)^2 without four disks of radius 0.1 around (+-0.3, +-0.3); u = 1 on the square, u = 0 on
the circles.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "PINNacle", {"PINNacle": 0.0123}, True
TOL, ACCURACY = 1e-8, 1e-7
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5), name="square")
for number, (a, b) in enumerate([(0.3, 0.3), (-0.3, 0.3), (0.3, -0.3), (-0.3, -0.3)]):
    domain = domain - tn.Disk(center=(a, b), radius=0.1, name=f"hole{number}")
conditions = [tn.on("square", sp.Eq(u, 1)), *(tn.on(f"hole{k}", sp.Eq(u, 0)) for k in range(4))]
problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u), 0)], conditions)
