"""PINNacle's NS 2d-CG: the flow through a channel that widens at a step.

u u_x + v u_y + p_x = lap(u) / 100, u v_x + v v_y + p_y = lap(v) / 100, u_x + v_y = 0 on (0, 4) x (0, 2) without (0, 2)
x (1, 2); u = 4 y (1 - y), v = 0 at x = 0, u = v = 0 on the walls. At the outlet x = 4 the benchmark states p = 0 alone,
one condition where the equations need two; here p = u_x / 100, v_x = 0, what finite elements take if nothing is said.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle (mended)", {"PINNacle": 0.0824}, True, True
TOL, ACCURACY = 1e-3, 2e-3
x, y = sp.symbols("x y")
v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
names = ["wall", "out", "wall", "wall", "wall", "in"]
domain = tn.Polygon([(0, 0), (4, 0), (4, 2), (2, 2), (2, 1), (0, 1)], names=names)
fluid = tn.flow(v, p, viscosity=0.01, density=1)
conditions = [fluid.inflow("in", 4 * y * (1 - y), 0), fluid.outlet("out"), fluid.wall("wall")]
problem = tn.Problem(domain, fluid.equations, conditions)
