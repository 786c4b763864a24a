"""An L-shaped polygon: mixed conditions on named edges, and the singularity of the inner corner.

    u_xx + u_yy = f   in (-1, 1)^2 without its lower right quarter

Insulated (n.grad u given) on the two edges that meet at the inner corner, values on all others, with f and the data
from u = exp(x) sin(2 y) + r^(2/3) cos(2 phi / 3), phi the angle from the edge y = 0. Derivatives of u are unbounded at
the corner, whose singular functions are added to the waves. About half a second.
"""

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
smooth = sp.exp(x) * sp.sin(2 * y)
# The angle from the bisector of the corner has no jump in the domain. The flux across both inner edges is zero.
phi = sp.atan2(-x - y, y - x) + 3 * sp.pi / 4
exact = smooth + (x**2 + y**2) ** sp.Rational(1, 3) * sp.cos(2 * phi / 3)

# Problem
flux = tn.normal(x, y).dot(tn.grad(smooth, x, y))
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(smooth, x, y))],
    conditions=[tn.on("wall", sp.Eq(u, exact)), tn.on("inner", sp.Eq(tn.normal_derivative(u), flux))],
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
