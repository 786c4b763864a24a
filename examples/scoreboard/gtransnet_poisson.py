"""An oscillating problem of GTransNet's kind: Poisson's equation with thirty waves.

-u_xx - u_yy = f on (-1, 1)^2 with f and boundary values from u = sin(30 pi x + 2) cos(25 pi y) exp(-x^2), which is the
solution. The paper (arXiv:2604.03020) treats Poisson's and Helmholtz' equations with such solutions; its numbers could
not be read, these are our own.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "GTransNet (its kind)", {}
TOL, ACCURACY = 1e-6, 1e-6
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
exact = sp.sin(30 * sp.pi * x + 2) * sp.cos(25 * sp.pi * y) * sp.exp(-(x**2))
load = -tn.laplacian(exact, x, y)
problem = tn.Problem(
    tn.Box(x=(-1, 1), y=(-1, 1)), [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))]
)
