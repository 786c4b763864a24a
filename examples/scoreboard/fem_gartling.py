"""Gartling's step at Re = 800.

Navier-Stokes equations with viscosity 1/800 on (0, 30) x (-1/2, 1/2); u = 24 y (1/2 - y), v = 0 where x = 0, y > 0, u
= v = 0 on the walls, p = u_x / 800, v_x = 0 at the outlet x = 30. Behind the step and then at the upper wall the flow
turns back. Compared is where the lower eddy ends.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, TOL, ACCURACY, SLOW = "finite elements", {}, 1e-3, 1e-2, True
REFERENCE, END = "6.10, of Gartling (1990)", 6.10
x, y = sp.symbols("x y")
v, p = tn.vector("v", x, y), tn.unknown("p", x, y)
corners = [(0, -0.5), (30, -0.5), (30, 0.5), (0, 0.5), (0, 0)]
domain = tn.Polygon(corners, names=["wall", "out", "wall", "in", "wall"])
fluid = tn.flow(v, p, viscosity=sp.Rational(1, 800), density=1)
conditions = [fluid.inflow("in", 24 * y * (sp.Rational(1, 2) - y), 0), fluid.outlet("out"), fluid.wall("wall")]
problem = tn.Problem(domain, fluid.equations, conditions)


def error(solution: tn.Solution) -> float:
    along = np.linspace(5, 7, 401)
    slope = solution.evaluate(sp.diff(v[0], y), x=along, y=-0.5)
    return abs(float(np.interp(0, slope, along)) / END - 1)
