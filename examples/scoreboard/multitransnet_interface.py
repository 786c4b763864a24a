"""An interface of Multi-TransNet's kind: solution and flux jump on a circle, the coefficient by a thousand.

div(k grad(u)) = f on (-1, 1)^2, k = 1000 inside the circle of radius 1/2 and 1 outside; u = exp(x) cos(y) inside,
sin(3 x) cos(2 y) outside, from which f, the boundary values and both jumps follow. The paper (arXiv:2502.19893)
treats such problems with low and high contrast; its numbers could not be read, these are our own. The error is that
outside.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, REFERENCE = "Multi-TransNet (its kind)", {}, "exact solution"
TOL, ACCURACY = 1e-9, 1e-8
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
core, shell = tn.Disk(radius=0.5), tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Disk(radius=0.5)
domain = tn.Pieces(core=core, shell=shell)
k, inner, outer = tn.by_piece(core=1000, shell=1), sp.exp(x) * sp.cos(y), sp.sin(3 * x) * sp.cos(2 * y)
source = tn.by_piece(core=1000 * tn.laplacian(inner, x, y), shell=tn.laplacian(outer, x, y))
along = [(sp.diff(outer, c) - 1000 * sp.diff(inner, c)) * n for c, n in zip((x, y), tn.normal(x, y), strict=True)]
jumps = tn.on("core|shell", sp.Eq(tn.jump(u), outer - inner), sp.Eq(tn.jump(k * tn.normal_derivative(u)), sum(along)))
rim = tn.on("boundary", sp.Eq(u, outer))
problem = tn.Problem(domain, [sp.Eq(tn.div(k * tn.grad(u)), source)], [jumps, rim])


def error(solution: tn.Solution) -> float:
    points = shell.interior(1000)
    true = sp.lambdify((x, y), outer)(*points.T)
    return float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))
