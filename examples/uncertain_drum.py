"""The uncertainty of a deflection: a membrane whose tension and radius are only roughly known.

    -k laplace(u) = 1   in a disk of radius r,   u = 0   on its rim

k is lognormal, r uniform: the volume pi r^4 / (8 k) is curved in both, so that its tangent is not enough, and solves at
points of a Sobol sequence are fitted by a polynomial. The error is that of the deviation, in units of the exact one,
which follows from the moments of 1/k and r^4. Three seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
ACCURACY = 1e-2
TENSION = tn.lognormal_distribution(2.0, 0.5)
RADIUS = (0.8, 1.2)

# Domain
x, y, k, r = sp.symbols("x y k r")
domain = tn.Disk(radius=r)

# Problem
u = tn.unknown("u", x, y)
problem = tn.Problem(domain, [sp.Eq(-k * tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])


# Solve
def main() -> tuple[tn.Solution, float]:
    found = tn.propagate(
        lambda solution: solution.integral(u),
        problem,
        over=[tn.uncertain(k, TENSION), tn.uncertain(r, tn.uniform_distribution(*RADIUS))],
    )
    width = np.log1p(0.25**2)
    first, second = np.exp(width) / 2, np.exp(3 * width) / 4  # the moments of 1 / k
    f, g = ((RADIUS[1] ** n - RADIUS[0] ** n) / (n * (RADIUS[1] - RADIUS[0])) for n in (5, 9))
    exact = np.pi / 8 * np.sqrt(second * g - (first * f) ** 2)
    return tn.solve(problem, parameters={k: 2.0, r: 1.0}), abs(float(found.deviation) / exact - 1)


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"deviation off by {error:.1e}")
    solution.plot()
