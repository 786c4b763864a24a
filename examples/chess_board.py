"""A chess board of two materials: a table of coefficients whose solution has infinite slopes where four squares meet.

    -div(k grad u) = 0,   k = 100 and 1 in turn

The exact solution (Kellogg, 1974) is r^a s(theta) with tan(a pi / 4)^2 = 1/100, a = 0.13: boxes would have to be halved
down to 1e-40 to resolve it to ten digits. The pieces around the point have the powers that these angles and
conductivities imply. A second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
CONTRAST = 100
EXPONENT = 4 / np.pi * np.arctan(CONTRAST**-0.5)
ACCURACY = 1e-7

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Box(x=(-1, 1), y=(-1, 1))


def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """Between two diagonals a cosine of the angle in the good conductor, a sine in the other."""
    theta = np.arctan2(py, px)
    quarter = np.floor(theta / (np.pi / 2))
    t = EXPONENT * (theta - (quarter + 0.5) * np.pi / 2)
    sign = np.where(quarter >= 0, 1.0, -1.0)
    edge = EXPONENT * np.pi / 4
    good = quarter % 2 == 0
    inside = sign * np.cos(t) / np.cos(edge)
    turned = np.where(quarter == 1, -1.0, 1.0) * np.sin(t) / np.sin(edge)
    return np.hypot(px, py) ** EXPONENT * np.where(good, inside, turned)


# Problem
table = np.array([[CONTRAST, 1], [1, CONTRAST]])
k = tn.given("k", table, x, y, jumps={x: [0], y: [0]})
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(-tn.div(k * tn.grad(u)), 0)],
    conditions=[tn.on("boundary", sp.Eq(u, tn.given("g", exact, x, y)))],
)


# Solve
def main() -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, tol=1e-7)
    return solution, solution.compare(exact).relative


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"relative error: {error:.1e}")
    solution.plot()
    solution.plot_pieces()
