"""A pure Neumann problem: fluxes only, the level fixed by the mean.

    u_xx + u_yy = f   in |(x, y)| < 1,   n.grad u = g on the circle,   the mean of u is zero

with f and g from u = cos(2 x) sin(y) + x^2 - 1/4. Without the mean the solution is determined up to a constant, and if
the flux does not balance the source there is none: both raise a warning. About half a second.
"""

import sympy as sp

import transnet as tn

# Parameters
NEURONS = 400
ACCURACY = 1e-11

# Domain
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Disk()
exact = sp.cos(2 * x) * sp.sin(y) + x**2 - sp.Rational(1, 4)

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))],
    conditions=[
        tn.on("boundary", sp.Eq(tn.normal_derivative(u), tn.normal_derivative(exact, x, y))),
        tn.mean(u),
    ],
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
