"""Babuska's L-shape: the singularity of a reentrant corner.

u_xx + u_yy = 0 on (-1, 1)^2 without [0, 1] x [-1, 0], with the boundary values of r^(2/3) sin(2 theta / 3), which is
the solution; its gradient is infinite in the corner. It is one of the singular functions that are found for corners.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "finite elements", {}
TOL, ACCURACY = 1e-9, 1e-8
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
corners = [(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)]


def reference(points: np.ndarray) -> np.ndarray:
    """r^(2/3) sin(2 theta / 3), theta from the edge along the x axis."""
    angle = np.mod(np.arctan2(points[:, 1], points[:, 0]), 2 * np.pi)
    return np.asarray(np.hypot(*points.T) ** (2 / 3) * np.sin(2 * angle / 3))


rim = tn.given("g", lambda a, b: reference(np.column_stack([a, b])), x, y)
problem = tn.Problem(tn.Polygon(corners), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, rim))])
