"""Burgers' front: a sine that steepens to a front three hundredths wide, marched in slabs that find its pieces.

    u_t + u u_x = nu u_xx   on (-1, 1) x (0, 1),   nu = 0.01 / pi,   u = 0 at both ends,   u = -sin(pi x) at t = 0

The exact solution is the Cole-Hopf integral, evaluated by Gauss-Hermite quadrature. One second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
VISCOSITY = 0.01 / np.pi
TOLERANCE = 1e-6
ACCURACY = 1e-6

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + u * sp.diff(u, x), VISCOSITY * sp.diff(u, x, 2))],
    conditions=[tn.on("t=0", sp.Eq(u, -sp.sin(sp.pi * x))), tn.on("sides", sp.Eq(u, 0))],
)


def exact(places: np.ndarray, time: float) -> np.ndarray:
    """Cole's and Hopf's solution."""
    z, w = np.polynomial.hermite.hermgauss(200)
    y = places[:, None] - np.sqrt(4 * VISCOSITY * time) * z
    power = -np.cos(np.pi * y) / (2 * np.pi * VISCOSITY)
    weights = w * np.exp(power - power.max(axis=1, keepdims=True))
    return np.asarray(-(weights * np.sin(np.pi * y)).sum(axis=1) / weights.sum(axis=1))


# Solve
def main(tol: float = TOLERANCE) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    places = np.linspace(-1, 1, 2001)
    return solution, float(np.sqrt(np.mean((solution(places, 1.0) - exact(places, 1.0)) ** 2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error at the end: {error:.1e}")
    solution.plot()
