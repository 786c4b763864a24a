"""jaxpi's driven cavity at Re = 3200.

Navier-Stokes equations on the unit square with viscosity 1/3200; (u, v) = (1, 0) on the lid y = 1, (0, 0) on the other
walls.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, TOL, ACCURACY, SLOW = "jaxpi", {"jaxpi": 0.158}, 5e-2, 5e-2, True
KEPT = True
x, y = sp.symbols("x y")
v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
fluid = tn.flow(v, p, viscosity=sp.Rational(1, 3200), density=1)
walls = [fluid.wall(side) for side in ("x=0", "x=1", "y=0")]
problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), fluid.equations, [*walls, fluid.inflow("y=1", 1, 0), tn.mean(p, 0)])
