"""An oscillating problem of PhaseTNN's kind: Helmholtz' equation with a medium that varies.

u_xx + u_yy + 100^2 (1 + x^2 / 4) u = f on the unit disk with f and boundary values from u = sin(100 x) cos(60 y) +
sin(40 x y), which is the solution. The paper (arXiv:2604.03186) treats elliptic, Helmholtz' and wave equations with
high frequencies; its numbers could not be read, these are our own.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "PhaseTNN (its kind)", {}, True
TOL, ACCURACY = 1e-6, 1e-6
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
exact = sp.sin(100 * x) * sp.cos(60 * y) + sp.sin(40 * x * y)
medium = 10_000 * (1 + x**2 / 4)
equation = sp.Eq(tn.laplacian(u) + medium * u, tn.laplacian(exact, x, y) + medium * exact)
problem = tn.Problem(tn.Disk(radius=1), [equation], [tn.on("boundary", sp.Eq(u, exact))])
