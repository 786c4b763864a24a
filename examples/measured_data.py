"""Measured data: thermometers inside make up for an unknown side.

    u_xx + u_yy = 0   on (0, 2) x (0, 1)

with values on three sides, none on the top, and 60 thermometers inside that are right to 1e-4. The network finds the
temperature everywhere, including the top; the noise is averaged, not fitted. Half a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
MEASUREMENTS, NOISE = 60, 1e-4
NEURONS = 200
ACCURACY = 3e-4

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(0, 2), y=(0, 1))
exact = sp.sin(2 * x) * sp.cosh(2 * y) / 4 + x * y / 2

# Problem
rng = np.random.default_rng(0)
places = domain.interior(MEASUREMENTS, "random", rng)
readings = sp.lambdify((x, y), exact)(*places.T) + NOISE * rng.standard_normal(MEASUREMENTS)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
    conditions=[
        *(tn.on(side, sp.Eq(u, exact)) for side in ("left", "right", "bottom")),
        tn.data(u, places, readings),
    ],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons, solver=tn.Ridge(1e-6))
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
