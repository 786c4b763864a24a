"""Stokes flow past a cylinder: a slow flow in a channel, in pieces around the obstacle.

    -lap u + p_x = 0,   -lap v + p_y = 0,   u_x + v_y = 0

with a parabolic inflow, no slip on the walls and on the cylinder, and p = v = 0 at the outflow. Checked by what leaves:
as much as enters. About ten seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
CENTRE, RADIUS = (0.7, 0.5), 0.1
TOL = 1e-4
ACCURACY = 1e-4

# Domain
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
domain = tn.Box(x=(0, 2), y=(0, 1)) - tn.Disk(center=CENTRE, radius=RADIUS)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[
        sp.Eq(-tn.laplacian(u) + sp.diff(p, x), 0),
        sp.Eq(-tn.laplacian(v) + sp.diff(p, y), 0),
        sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0),
    ],
    conditions=[
        tn.on("left", sp.Eq(u, 4 * y * (1 - y)), v),
        tn.on("right", p, v),
        *(tn.on(part, u, v) for part in domain.parts if part not in domain.resolve("left") + domain.resolve("right")),
    ],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    """The solution, and how much of the inflow does not leave."""
    solution = tn.solve(problem, tol=TOL, pieces=tn.Cut())
    heights, weights = np.polynomial.legendre.leggauss(200)
    out = np.column_stack([np.full(200, 2.0), 0.5 + 0.5 * heights])
    return solution, float(abs(0.5 * weights @ solution[u](out) - 2 / 3) / (2 / 3))


def picture(solution: tn.Solution) -> object:
    return solution.plot(vector=(u, v))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative loss of mass: {error:.1e}")
    solution.plot(vector=(u, v))
    solution.plot_pieces()
