"""DeepXDE's Helmholtz_Neumann_2d_hole: one wave length, and a slope given on the hole.

-u_xx - u_yy - k^2 u = k^2 sin(k x) sin(k y) on (-1/2, 1/2)^2 without the disk of radius 1/4, k = 2 pi; u on the square
and u_n on the circle from u = sin(k x) sin(k y), which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-9, 1e-8
HOLDS = 30  # rounding: two degrees agree on what is 2e-11 off
x, y = sp.symbols("x y")
u, k = tn.unknown("u", x, y), 2 * sp.pi
exact = sp.sin(k * x) * sp.sin(k * y)
half = sp.Rational(1, 2)
domain = tn.Box(x=(-half, half), y=(-half, half), name="square") - tn.Disk(radius=half / 2, name="hole")
outward = tn.on("hole", sp.Eq(tn.normal_derivative(u), tn.normal_derivative(exact, x, y)))
equation = sp.Eq(-tn.laplacian(u) - k**2 * u, k**2 * exact)
problem = tn.Problem(domain, [equation], [tn.on("square", sp.Eq(u, exact)), outward])
