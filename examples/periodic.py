"""Around a ring: a pattern that drifts and fades, periodic in one coordinate.

    u_t + u_x = nu u_xx   for x on a ring of length 2 pi, 0 < t < 2,   nu = 1/10

From sin(x) + cos(3 x) / 2 at t = 0 it is u = exp(-nu t) sin(x - t) + exp(-9 nu t) cos(3 (x - t)) / 2. Half a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
VISCOSITY = sp.Rational(1, 10)
NEURONS = 500
ACCURACY = 1e-8

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(0, 2 * np.pi)) * tn.Interval(t=(0, 2))
exact = sp.exp(-VISCOSITY * t) * sp.sin(x - t) + sp.exp(-9 * VISCOSITY * t) * sp.cos(3 * (x - t)) / 2

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + sp.diff(u, x), VISCOSITY * sp.diff(u, x, 2))],
    conditions=[tn.on("t=0", sp.Eq(u, exact.subs(t, 0))), tn.periodic(x)],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
