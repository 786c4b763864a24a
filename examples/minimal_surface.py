"""A minimal surface over a disk: the shape of a soap film.

    (1 + u_y^2) u_xx - 2 u_x u_y u_xy + (1 + u_x^2) u_yy = 0   in x^2 + y^2 < 1

with the height of Scherk's surface u = log(cos y / cos x), which is exact, on the rim. About 0.5 seconds.
"""

import sympy as sp

import transnet as tn

# Parameters
NEURONS = 400
ACCURACY = 1e-7

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Disk(radius=1)
exact = sp.log(sp.cos(y) / sp.cos(x))

# Problem
ux, uy = sp.diff(u, x), sp.diff(u, y)
problem = tn.Problem(
    domain=domain,
    equations=[(1 + uy**2) * sp.diff(u, x, 2) - 2 * ux * uy * sp.diff(u, x, y) + (1 + ux**2) * sp.diff(u, y, 2)],
    conditions=[tn.on("boundary", sp.Eq(u, exact))],
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
