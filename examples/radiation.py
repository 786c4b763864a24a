"""A hot pipe that radiates: a linear equation with a nonlinear boundary condition.

    lap u = 0   in 1/2 < r < 1,   u = 1 on the inside,   -du/dn = s (u^4 - a^4) on the outside,   s = 2, a = 0.3

The exact solution is u = 1 + b log(2 r) where -b = s ((1 + b log 2)^4 - a^4). About 0.3 seconds.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
EMISSIVITY, AMBIENT = 2.0, 0.3
NEURONS = 300
ACCURACY = 0.0001

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Annulus(inner=0.5, outer=1)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
    conditions=[
        tn.on("inner", sp.Eq(u, 1)),
        tn.on("outer", sp.Eq(-tn.normal_derivative(u), EMISSIVITY * (u**4 - AMBIENT**4))),
    ],
)


def exact(points: np.ndarray) -> np.ndarray:
    """1 + b log(2 r)."""
    b = brentq(lambda b: b + EMISSIVITY * ((1 + b * np.log(2)) ** 4 - AMBIENT**4), -1 / np.log(2), 0, xtol=1e-15)
    return 1 + b * np.log(2 * np.linalg.norm(points, axis=1))


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons, guess=1)
    points = domain.interior(2000, "random", 1)
    return solution, float(np.sqrt(np.mean((solution(points) - exact(points)) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
