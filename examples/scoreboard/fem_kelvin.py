"""Kelvin's problem: the displacement around a force in an elastic body.

mu lap(w) + (lambda + mu) grad(div(w)) = 0 between spheres of radius 1/2 and 1 around the force, E = 1, nu = 0.3; w on
both from Kelvin's solution in infinite space, w_i = ((3 - 4 nu) e_i + z x_i / r^2) / r with e = (0, 0, 1).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW, WARNS = "finite elements", {}, True, "The tolerance"
TOL, ACCURACY = 1e-3, 2e-2
NU = sp.Rational(3, 10)
x, y, z = sp.symbols("x y z")
w = tn.vector("w", x, y, z)
r = sp.sqrt(x**2 + y**2 + z**2)
known = sp.Matrix([(z * c / r**2 + (3 - 4 * NU if c == z else 0)) / r for c in (x, y, z)])
exact = known[0]
domain = tn.Ball(center=(0, 0, 0), radius=1) - tn.Ball(center=(0, 0, 0), radius=sp.Rational(1, 2))
body = tn.elasticity(w, E=1, nu=0.3)
problem = tn.Problem(domain, body.equations, [tn.on("boundary", *(sp.Eq(a, b) for a, b in zip(w, known, strict=True)))])
