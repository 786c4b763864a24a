"""A clamped plate: the bending of an ellipse under a uniform load, an equation of fourth order.

    lap lap u = 1   inside (x / 2)^2 + y^2 < 1,   u = 0 and n.grad u = 0 on the rim

The exact solution is u = (1 - x^2 / 4 - y^2)^2 / c with c = 24 / 16 + 16 / 4 + 24. About half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
LONG, SHORT = 2, 1
NEURONS = 400
ACCURACY = 1e-10

# Domain
x, y, s = sp.symbols("x y s")
u = tn.unknown("u", x, y)
domain = tn.Region(tn.Curve((LONG * sp.cos(s), SHORT * sp.sin(s)), (s, 0, 2 * sp.pi)))
bowl = (1 - x**2 / LONG**2 - y**2 / SHORT**2) ** 2
exact = bowl / tn.biharmonic(bowl, x, y)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.biharmonic(u), 1)],
    conditions=[tn.on("boundary", sp.Eq(u, 0), sp.Eq(tn.normal_derivative(u), 0))],
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
