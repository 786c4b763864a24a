"""A crack in a plate: antiplane shear around a slit with two tips.

    laplacian(u) = 0 in the square [-1, 1]^2 without the segment from (-1/2, 0) to (1/2, 0)

with no flux on the sides of the slit and, on the sides of the square, the values of the exact solution u = Im (z^2 -
1/4)^(1/2). Its jump across the slit close to a tip gives the stress intensity factor K = lim (pi / 8 r)^(1/2) [u],
which is (pi / 2)^(1/2) for a slit of length one. Less than a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
HALF = 0.5
CLOSE, ASIDE = 1e-6, 1e-14
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Segment((-HALF, 0), (HALF, 0), name="crack")


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    z = a + 1j * b
    return (np.sqrt(z - HALF) * np.sqrt(z + HALF)).imag


# Problem
far = tn.given("far", exact, x, y)
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), 0)],
    conditions=[
        *(tn.on(part, sp.Eq(u, far)) for part in ("left", "right", "bottom", "top")),
        tn.on("crack", sp.Eq(tn.normal_derivative(u), 0)),
    ],
)


def stress_intensity(solution: tn.Solution) -> float:
    """From the jump across the slit at a small distance from its right tip."""
    above, below = solution([[HALF - CLOSE, ASIDE], [HALF - CLOSE, -ASIDE]])
    return float(np.sqrt(np.pi / (8 * CLOSE)) * (above - below))


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem)
    points = domain.interior(2000, "random", 1)
    return solution, float(np.abs(solution(points) - exact(*points.T)).max())


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"stress intensity factor {stress_intensity(solution):.6f}, exact {np.sqrt(np.pi / 2):.6f}")
    print(f"largest error: {error:.1e}")
    solution.plot()
