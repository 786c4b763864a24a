"""An L-shaped polygon: mixed conditions on named edges, and a smooth solution.

    u_xx + u_yy = f   in (-1, 1)^2 without its lower right quarter

Insulated (n.grad u given) on the two edges that meet at the inner corner, values on all others, with f and the data
from u = exp(x) sin(2 y) + x y. A corner that points inwards usually makes a solution singular; this one is smooth, so
the corner costs nothing. About half a second.
"""

import numpy as np
import sympy as sp

import transnet as tn

# Parameters
NEURONS = 400
ACCURACY = 1e-10

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Polygon(
    [(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)],
    names=["wall", "inner", "inner", "wall", "wall", "wall"],
)
exact = sp.exp(x) * sp.sin(2 * y) + x * y

# Problem
flux = tn.normal(x, y).dot(tn.grad(exact, x, y))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))],
    conditions=[tn.on("wall", sp.Eq(u, exact)), tn.on("inner", sp.Eq(tn.normal_derivative(u), flux))],
)


# Solve
def main(neurons: int = NEURONS) -> tuple[tn.Solution, float]:
    solution = tn.solve(problem, neurons=neurons)
    points = domain.interior(2000, "random", 1)
    difference = solution(points) - sp.lambdify((x, y), exact)(*points.T)
    return solution, float(np.sqrt(np.mean(difference**2)))


if __name__ == "__main__":
    solution, error = main()
    print(solution.report())
    print(f"root mean square error: {error:.1e}")
    solution.plot()
