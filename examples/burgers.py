"""Viscous Burgers' equation in space-time: a front that travels at half its height and keeps its shape.

    u_t + u u_x = nu u_xx   on (-0.5, 1.5) x (0, 1),   nu = 0.05

with values at t = 0 and at both ends from u = (1 - tanh((x - t/2) / (4 nu))) / 2, which is exact. The front is a tenth
of the domain wide; continuation in the viscosity leads up to it. About 2 seconds on one core.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
VISCOSITY = 0.05
NEURONS = 800
ACCURACY = 1e-6

# Domain
x, t, nu = sp.symbols("x t nu")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-0.5, 1.5)) * tn.Interval(t=(0, 1))
exact = (1 - sp.tanh((x - t / 2) / (4 * nu))) / 2

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + u * sp.diff(u, x), nu * sp.diff(u, x, 2))],
    conditions=[tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "x=-0.5", "x=1.5")],
)


# Solve
def main(neurons: int = NEURONS, viscosity: float = VISCOSITY) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons, continuation={nu: [4 * viscosity, 2 * viscosity, viscosity]})
    points = domain.interior(2000, "random", 1)
    difference = solution(points) - sp.lambdify((x, t, nu), exact)(*points.T, viscosity)
    return solution, float(np.sqrt(np.mean(difference**2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
