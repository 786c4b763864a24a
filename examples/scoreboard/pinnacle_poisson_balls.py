"""PINNacle's Poisson 3d-CG: a cube with four round holes, and a coefficient that jumps.

-lap(u) + k^2 u = 20 exp(sin(pi x) + sin(10 pi y) + sin(5 pi z)) (r^2 - 1) / (r^2 + 1) + 100 sin(pi x) sin(10 pi y)
sin(5 pi z) on the unit cube without four balls, r^2 = x^2 + y^2 + z^2, k = 8 for z < 1/2 and 10 above; u_n = 0
everywhere.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle", {"PINNacle": 0.102}, True, True
TOL, ACCURACY = 3e-2, 3e-2
BALLS = [((0.4, 0.3, 0.6), 0.2), ((0.6, 0.7, 0.6), 0.2), ((0.2, 0.8, 0.7), 0.1), ((0.6, 0.2, 0.3), 0.1)]
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
for center, radius in BALLS:
    domain = domain - tn.Ball(center=center, radius=radius)
one, two, three = sp.sin(sp.pi * x), sp.sin(10 * sp.pi * y), sp.sin(5 * sp.pi * z)
square = x**2 + y**2 + z**2
load = 20 * sp.exp(one + two + three) * (square - 1) / (square + 1) + 100 * one * two * three
shift = sp.Piecewise((64, z < sp.Rational(1, 2)), (100, True))
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u) + shift * u, load)], [tn.on("boundary", tn.normal_derivative(u))])
