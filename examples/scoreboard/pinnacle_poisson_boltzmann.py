"""PINNacle's Poisson 2d-CG: an equation of Poisson's and Boltzmann's kind on a square with four holes.

-(u_xx + u_yy) + 64 u = 10 (17 + x^2 + y^2) sin(pi x) sin(4 pi y) on (-1, 1)^2 without four disks; u = 0.2 on the
square, u = 1 on the circles. (The right-hand side is that of the benchmark's program.)
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "PINNacle", {"PINNacle": 0.0143}, True
TOL, ACCURACY = 1e-6, 1e-5
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(-1, 1), y=(-1, 1), name="square")
for number, (a, b, r) in enumerate([(0.5, 0.5, 0.2), (0.4, -0.4, 0.4), (-0.2, -0.7, 0.1), (-0.6, 0.5, 0.3)]):
    domain = domain - tn.Disk(center=(a, b), radius=r, name=f"hole{number}")
load = 10 * (17 + x**2 + y**2) * sp.sin(sp.pi * x) * sp.sin(4 * sp.pi * y)
conditions = [tn.on("square", sp.Eq(u, 0.2)), *(tn.on(f"hole{k}", sp.Eq(u, 1)) for k in range(4))]
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u) + 64 * u, load)], conditions)
