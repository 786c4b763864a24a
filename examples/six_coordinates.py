"""Poisson's equation in six coordinates: products of waves, one problem for each parity.

    -laplacian(u) = f in the unit cube of six coordinates,   u = exact on its boundary

with a bump, exp(-|x - 1/3|^2), which the features do not contain. About five seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
MIDDLE = sp.Rational(1, 3)
ACCURACY = 5e-6

# Domain
coordinates = sp.symbols("x1:7")
u = tn.unknown("u", *coordinates)
domain = tn.Box(**{c.name: (0, 1) for c in coordinates})

# Problem
exact = sp.exp(-sum((c - MIDDLE) ** 2 for c in coordinates))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.laplacian(u), -sum(sp.diff(exact, c, 2) for c in coordinates))],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=1e-5)
    points = np.random.default_rng(0).random((2000, 6))
    truth = sp.lambdify(coordinates, exact)(*points.T)
    return solution, float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


def picture(solution: tn.Solution) -> tn.pictures.picture.Picture:
    """Along a diagonal of the cube."""
    return solution.along([0.0] * 6, [1.0] * 6).plot()


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
