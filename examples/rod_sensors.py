"""The conductivity of a rod from five sensors with noise, and its standard error.

    -c u'' = 3 pi^2 sin(pi x)   in 0 < x < 1,   u = 0 at both ends,   u measured at five places to 1 %

The true conductivity is 3, for which u = sin(pi x). Less than a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NOISE = 0.01
ACCURACY = 3.0  # standard errors

# Domain
x = sp.Symbol("x")
u, c = tn.unknown("u", x), tn.unknown("c")
domain = tn.Interval(x=(0, 1))

# Problem
sensors = np.linspace(0.1, 0.9, 5)
values = np.sin(np.pi * sensors) + NOISE * np.random.default_rng(0).standard_normal(5)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-c * sp.diff(u, x, 2), 3 * sp.pi**2 * sp.sin(sp.pi * x))],
    conditions=[tn.on("boundary", sp.Eq(u, 0)), tn.data(u, sensors, values, noise=NOISE)],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    return solution, abs(float(solution["c"]) - 3) / solution["c"].standard_error()


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"the conductivity is off by {error:.1f} standard errors")
    solution.plot("u")
