"""A membrane over an obstacle: where they touch is part of the solution.

    -u_xx - u_yy >= 0,   u >= psi,   one of them as an equation,   in the unit disk,   u = 0 on its rim
    psi = 1/2 - x^2 - y^2

In contact u = psi, outside u is harmonic, and both meet with the same slope on a circle whose radius a solves
a^2 (1 - 2 log a) = 1/2. The second derivatives jump there, so no smooth function has more than a few digits; the edge
of the contact is an unknown curve instead. One second.
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

# Parameters
HEIGHT = 0.5
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.laplacian(u), 0)],
    conditions=[tn.on("boundary", sp.Eq(u, 0)), tn.obstacle(u >= HEIGHT - x**2 - y**2)],
)


def exact(points: np.ndarray) -> np.ndarray:
    a = brentq(lambda r: r * r * (1 - 2 * np.log(r)) - HEIGHT, 0.01, 0.9)
    r = np.hypot(*points.T)
    return np.where(r < a, HEIGHT - r**2, -2 * a**2 * np.log(r))


# Solve
def main(tol: float | None = None) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = domain.interior(2000)
    return solution, float(np.abs(solution(points) - exact(points)).max() / HEIGHT)


def picture(solution: tn.Solution):
    shown = solution.plot(title="Membrane and edge of contact")
    for curve in solution.contact.curves:
        shown.axes[0].plot(*np.vstack([curve, curve[:1]]).T, "w--")
    return shown


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    picture(solution)
