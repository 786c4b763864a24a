"""A boundary layer: convection against a wall, where the solution falls within a thousandth of the interval.

    -e u'' + u' = 1,   u(0) = u(1) = 0,   e = 1e-5

One network does not resolve the layer; `tn.solve` notices, cuts the interval into pieces and keeps cutting where the
layer is. Less than a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
DIFFUSION = 1e-5
ACCURACY = 1e-6

# Domain
x = sp.symbols("x")
u = tn.unknown("u", x)
domain = tn.Interval(x=(0, 1))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-DIFFUSION * sp.diff(u, x, 2) + sp.diff(u, x), 1)],
    conditions=[tn.on("boundary", u)],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = np.concatenate([np.linspace(0, 1, 500), 1 - DIFFUSION * np.linspace(0, 20, 500)])
    return solution, float(np.abs(solution(points) - (points - np.exp((points - 1) / DIFFUSION))).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"largest error: {error:.1e}")
    solution.plot()
