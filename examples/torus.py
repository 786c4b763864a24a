"""Diffusion on a torus: an equation on a surface in space, without a mesh of it.

    lap_S u - u = f   on the torus with the radii 2 and 1

for the Laplacian along the surface, with f such that u = sin(3x + 1) exp(y/2) cos(2z). Features of space are
restricted to the surface: its normal and curvature come from its formula. About two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-8

# Domain
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Torus(major=2, minor=1)

# Problem
exact = sp.sin(3 * x + 1) * sp.exp(y / 2) * sp.cos(2 * z)
n = sp.Matrix(domain.normal((x, y, z)))
slope, bend = tn.grad(exact, x, y, z), sp.hessian(exact, (x, y, z))
lap = bend.trace() - (n.T * bend * n)[0] - domain.curvature((x, y, z)) * (n.T * slope)[0]
problem = tn.Problem(domain=domain, equations=[sp.Eq(tn.surface_laplacian(u) - u, lap - exact)])


# Solve
def main(tol: float = ACCURACY) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = domain.interior(2000, "random", 1)
    values = sp.lambdify((x, y, z), exact)(*points.T)
    return solution, float(np.sqrt(np.mean((solution(points) - values) ** 2) / np.mean(values**2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
