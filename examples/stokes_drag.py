"""The drag of two balls that sink one behind the other: slow flow in the whole space outside them.

    mu Laplace(v) = grad p,   div v = 0   outside two balls,   v = 0 on them,   v -> (0, 0, U) far away

Each ball has less drag than Stokes' 6 pi mu a U alone: the first pulls the second along. Stimson and Jeffery have the
factor as a series in coordinates of two poles. The functions are harmonic, from which velocities and pressure follow,
and decay, so there is no wall. A few seconds.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
VISCOSITY, SPEED, APART = 0.7, 2.0, 4.0
ACCURACY = 1e-7

# Domain
x, y, z = sp.symbols("x y z")
v = tn.vector("v", x, y, z)
p = tn.unknown("p", x, y, z)
first, second = tn.Ball((0, 0, -APART / 2), 1, name="first"), tn.Ball((0, 0, APART / 2), 1, name="second")
domain = tn.Exterior(first | second)

# Problem
momentum = [sp.Eq(VISCOSITY * tn.laplacian(v[i]) - sp.diff(p, c), 0) for i, c in enumerate((x, y, z))]
problem = tn.Problem(
    domain=domain,
    equations=[*momentum, sp.Eq(tn.div(v), 0)],
    conditions=[
        tn.on("boundary", *(sp.Eq(component, 0) for component in v)),
        *(tn.at_infinity(component, far) for component, far in zip(v, (0, 0, SPEED), strict=True)),
    ],
)


def stimson_jeffery(apart: float) -> float:
    """The drag of each of two equal balls in units of that of one alone."""
    alpha, n = np.arccosh(apart / 2), np.arange(1, 60)
    share = 4 * np.sinh((n + 0.5) * alpha) ** 2 - (2 * n + 1) ** 2 * np.sinh(alpha) ** 2
    share /= 2 * np.sinh((2 * n + 1) * alpha) + (2 * n + 1) * np.sinh(2 * alpha)
    return float(4 / 3 * np.sinh(alpha) * np.sum(n * (n + 1) / ((2 * n - 1) * (2 * n + 3)) * (1 - share)))


# Solve
def main(tol: float = 1e-6) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=tol)
    drag = solution.force("first")[2]
    return solution, abs(drag / (6 * np.pi * VISCOSITY * SPEED * stimson_jeffery(APART)) - 1)


def picture(solution: tn.Solution):
    return solution.plot(v[2], y=0, title="Velocity along the axis")


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"error of the drag: {error:.1e}")
    picture(solution)
