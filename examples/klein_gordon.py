"""A nonlinear Klein-Gordon equation (phi^4): a kink that moves at half the speed of light.

    u_tt - u_xx = u - u^3   on (-3, 3) x (0, 2)

with u and u_t at t = 0 and u at both ends from the kink u = tanh((x - v t) / sqrt(2 (1 - v^2))), v = 1/2.
About a second.
"""

import sympy as sp

import transnet as tn

# Parameters
SPEED = sp.Rational(1, 2)
NEURONS = 500
ACCURACY = 1e-5

# Domain
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-3, 3)) * tn.Interval(t=(0, 2))
exact = sp.tanh((x - SPEED * t) / sp.sqrt(2 * (1 - SPEED**2)))

# Problem
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t, 2) - sp.diff(u, x, 2), u - u**3)],
    conditions=[
        tn.on("t=0", sp.Eq(u, exact), sp.Eq(sp.diff(u, t), sp.diff(exact, t))),
        tn.on("x=-3", sp.Eq(u, exact)),
        tn.on("x=3", sp.Eq(u, exact)),
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
