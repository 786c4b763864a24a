"""A round bar twisted until it yields: elastic and plastic torsion.

    -u_xx - u_yy = 2 theta where the bar is elastic,   |grad u| <= 1,   u = 0 on the rim of the unit disk

The shear stress is the slope of u, which the yield stress bounds. That amounts to the obstacle u <= distance to the rim
(Brezis and Sibony), so the plastic part of the bar is where u touches it: outside the radius 1/theta. The edge of the
contact is found as an unknown curve. The torque, twice the integral of u, is 2 pi/3 - pi/(6 theta^3). Two seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
TWIST = 2.0
ACCURACY = 1e-8

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.laplacian(u), 2 * TWIST)],
    conditions=[tn.on("boundary", sp.Eq(u, 0)), tn.obstacle(u <= 1 - sp.sqrt(x**2 + y**2))],
)


def exact(points: np.ndarray) -> np.ndarray:
    r = np.hypot(*points.T)
    return np.where(r < 1 / TWIST, 1 - 0.5 / TWIST - TWIST * r**2 / 2, 1 - r)


# Solve
def main(tol: float | None = None) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    points = domain.interior(2000)
    return solution, float(np.abs(solution(points) - exact(points)).max())


def picture(solution: tn.Solution):
    shown = solution.plot(title="Stress function, and the edge of the plastic part")
    for curve in solution.contact.curves:
        shown.axes[0].plot(*np.vstack([curve, curve[:1]]).T, "w--")
    return shown


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"torque: {2 * solution.integral(u)}, exactly {2 * np.pi / 3 - np.pi / (6 * TWIST**3):.8f}")
    print(f"error: {error:.1e}")
    picture(solution)
